"""Which batches a program still holds: their memory is theirs until the last array on it is gone."""

from __future__ import annotations

import collections
import ctypes
import os
import warnings
import weakref
from typing import Any, Deque, Dict, List, NamedTuple, Sequence, Set

from .._system.program import calls_to_program, program_line


class HeldBatch(NamedTuple):
    """A batch of which an array, a tensor or a view is left."""

    bytes: int
    #: Where the program asked for it; only in debug mode.
    place: str


class Leases:
    """The memory of one loader's batches. Each batch gets a lease on the block that it lies in; when nothing refers to it any
    more, the block may be given back, to be used again.

    :param is_debug: note where each batch was asked for
    """

    def __init__(self, is_debug: bool) -> None:
        self._is_debug = is_debug
        self._held: Dict[int, HeldBatch] = {}
        self._references: Dict[int, "weakref.ref[Any]"] = {}
        self._given_back: Deque[int] = collections.deque()
        self._has_warned = False
        _ALL.add(self)

    def grant(self, block: int, memory: Any) -> Any:
        """The memory of a block, for the arrays of one batch to refer to."""
        # An object of its own: NumPy refers to what gave it the memory, and this can tell when it is gone.
        lease = (ctypes.c_char * len(memory)).from_buffer(memory)
        self._held[block] = HeldBatch(len(memory), program_line() if self._is_debug else "")
        self._references[block] = weakref.ref(lease, lambda _: self._end(block))
        return lease

    def give_back(self, block: int) -> None:
        """Nothing refers to a block: its batch was copied."""
        self._given_back.append(block)

    def _end(self, block: int) -> None:
        """Any thread may come here, at any time."""
        self._references.pop(block, None)
        if self._held.pop(block, None) is not None:
            self._given_back.append(block)

    def take_given_back(self) -> List[int]:
        """The blocks that nothing refers to since the last call."""
        taken = []
        while self._given_back:
            taken.append(self._given_back.popleft())
        return taken

    def numbers(self) -> Set[int]:
        """The blocks that are held, and those that are about to be given back."""
        return {*self._held, *self._given_back}

    def oldest_first(self) -> List[int]:
        """The blocks that are held, in the order in which they were granted."""
        return list(self._held)

    def held(self) -> List[HeldBatch]:
        return list(self._held.values())

    def disown(self, blocks: Sequence[int]) -> List[HeldBatch]:
        """From here on these blocks are the program's own, if it holds them: they are freed when it lets go of them."""
        found = (self._held.pop(block, None) for block in blocks)
        return [batch for batch in found if batch is not None]

    def warn(self, own: Sequence[HeldBatch]) -> None:
        """Tells once that batches got memory of their own, since many are held."""
        if own and not self._has_warned:
            self._has_warned = True
            held = [*own, *self.held()]
            size = sum(batch.bytes for batch in held) >> 20
            places = ", ".join(sorted({batch.place for batch in held if batch.place}))
            warnings.warn(
                f"this program holds {len(held)} batches of {size} MiB, more than the Loader's memory= allows for, so each "
                "further one needs new memory, which is slower. "
                + (f"They were asked for at {places}" if places else "Loader(debug=True) tells where they come from"),
                stacklevel=calls_to_program(),
            )

    def disown_all(self) -> None:
        """Before a fork: what is held now stays as it is as long as the other process may look at it."""
        self._held.clear()


_ALL: "weakref.WeakSet[Leases]" = weakref.WeakSet()


def _before_fork() -> None:
    for leases in list(_ALL):
        leases.disown_all()


os.register_at_fork(before=_before_fork)
