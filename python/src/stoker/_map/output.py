"""The memory that workers put batches into."""

from __future__ import annotations

from typing import Any, Dict, List

from .._loader.lease import HeldBatch, Leases
from .._system.block_file import BlockFile
from .._system.memory_file import grow, memory_file
from .._system.shared_map import map_shared

#: Sizes are rounded up, so that batches that differ a little fit.
_STEP = 1 << 16
#: How many unused blocks are kept.
_SPARE = 4
#: How many batches that the program holds may come back to be used again: each has an open file.
_MOST_HELD = 32


class OutputBlock:
    """A block of memory for one batch at a time. Its number is negative: those of the reader process are positive."""

    def __init__(self, number: int, file: int) -> None:
        self.number = number
        self.file = BlockFile(number, file, is_written=True)
        self.memory = map_shared(file)


class OutputMemory:
    """Blocks that are used again when nothing refers to their batch any more.

    :param most_held: how many bytes of them the program may hold; of further ones, the oldest are its own from then on
    :param is_debug: note where each batch was asked for
    """

    def __init__(self, most_held: int, is_debug: bool) -> None:
        self._leases = Leases(is_debug)
        self._most_held = most_held
        self._granted: Dict[int, OutputBlock] = {}
        self._free: List[OutputBlock] = []
        self._last = 0

    def take(self, size: int) -> OutputBlock:
        """A block of at least this size, in bytes."""
        self._collect()
        fitting = [block for block in self._free if len(block.memory) >= size]
        if fitting:
            best = min(fitting, key=lambda block: len(block.memory))
            self._free.remove(best)
            return best
        file = memory_file("stoker-batch")
        grow(file, max(1, -(-size // _STEP)) * _STEP)
        return self.adopt(file)

    def adopt(self, file: int) -> OutputBlock:
        """A block of memory that a worker made; the file is this block's from here on."""
        self._last -= 1
        return OutputBlock(self._last, file)

    def give_back(self, block: OutputBlock) -> None:
        """Nothing was put into it that anyone refers to."""
        self._free.append(block)

    def grant(self, block: OutputBlock) -> Any:
        """The memory of a block, for the arrays of one batch to refer to."""
        self._granted[block.number] = block
        memory = self._leases.grant(block.number, block.memory)
        self._limit()
        return memory

    def _limit(self) -> None:
        """Leaves to the program what it has held longest, if that is too much; but for the last two batches, of which one may
        just be on its way into the place of the other."""
        numbers = self._leases.oldest_first()[:-2]
        sizes = [len(self._granted[number].memory) for number in numbers]
        total = sum(sizes)
        is_large = False
        while numbers and (total > self._most_held or len(numbers) > _MOST_HELD):
            is_large |= total > self._most_held
            total -= sizes.pop(0)
            own = self._leases.disown([numbers.pop(0)])
            if is_large:
                self._leases.warn(own)

    def held(self) -> List[HeldBatch]:
        """The batches of which the program still has an array."""
        return self._leases.held()

    def maps(self) -> List[Any]:
        """The memory of all blocks that a batch lies in or that are spare."""
        return [block.memory for block in (*self._granted.values(), *self._free)]

    def _collect(self) -> None:
        for number in self._leases.take_given_back():
            block = self._granted.pop(number, None)
            if block is not None:
                self._free.append(block)

    def take_surplus(self) -> List[int]:
        """Lets go of unused blocks beyond those that are kept, the smallest first, and of those that are the program's own;
        returns their numbers."""
        self._collect()
        kept = self._leases.numbers()
        gone = [number for number in self._granted if number not in kept]
        for number in gone:
            del self._granted[number]
        self._free.sort(key=lambda block: len(block.memory))
        surplus = self._free[: max(0, len(self._free) - _SPARE)]
        del self._free[: len(surplus)]
        return [*gone, *(block.number for block in surplus)]
