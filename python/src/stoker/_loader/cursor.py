"""Where a loader stands, and where its next iteration begins."""

from __future__ import annotations

import copy
import json
from typing import Any, Callable, Dict, Optional, Union

#: Where a job stands: a small dict of numbers and text.
State = Dict[str, Any]
#: Where an iteration begins: with an epoch, or at a saved state.
Start = Union[int, State]


def epoch_of(start: Start) -> int:
    return start if isinstance(start, int) else int(start["epoch"])


class Iteration:
    """One pass over an epoch. The iterator that a program has is another object, which refers to the loader: if the loader
    referred to that, the two would live until the garbage collector finds them."""

    def __init__(self, epoch: int, is_over: bool) -> None:
        self.epoch = epoch
        self.is_over = is_over
        #: Whether the program was told that it is over, so that the epoch after it is the loader's.
        self.is_left = False


class Cursor:
    """What a loader has delivered, and what comes next. It knows nothing of the connection.

    The reader process sends the position of the job with every batch, as JSON. It is kept as it came, and parsed only when
    somebody asks for the state.
    """

    def __init__(self, start: Start) -> None:
        #: Where the next iteration begins.
        self.start = start
        #: The iteration that may take batches; None before the first, and after the loader was closed or moved.
        self.iteration: Optional[Iteration] = None
        #: The epoch at whose beginning the reader process stands; None in the middle of one.
        self.reader_epoch: Optional[int] = 0
        self._position: Union[None, bytes, State] = None

    def move_to(self, start: Start) -> None:
        """Lets the next iteration begin there. The current one is over."""
        self.start = start
        self.iteration = None
        self._position = None

    def resumes_in(self, epoch: int) -> bool:
        """Whether the next iteration begins at a saved state that is in the middle of an epoch."""
        return self.iteration is None and not isinstance(self.start, int) and int(self.start["epoch"]) == epoch

    def begin(self, iteration: Iteration) -> None:
        """Makes an iteration the current one. The next one begins with the epoch after it."""
        if not isinstance(self.start, int):
            self._position = self.start
        self.iteration = iteration
        self.start = iteration.epoch + 1

    def leave(self) -> Union[None, bytes, State]:
        """Notes that a batch is asked for: until it is delivered, nobody knows where the reader process is. Returns what
        :meth:`go_back` takes."""
        self.reader_epoch = None
        return self._position

    def go_back(self, position: Union[None, bytes, State]) -> None:
        """Notes that the batch was not delivered after all."""
        self._position = position
        self.reader_epoch = None

    def advance(self, position: bytes, epoch: int, is_last: bool) -> None:
        """Notes that a batch was delivered.

        :param position: where the job stands after it, as JSON
        :param is_last: whether it was the last one of the epoch
        """
        self._position = position
        self.reader_epoch = epoch + 1 if is_last else None

    def position(self) -> Optional[State]:
        """Where the job stands after the batch that was delivered last, or where the current iteration resumed; None if it
        began with an epoch, and has delivered nothing."""
        if isinstance(self._position, bytes):
            state: State = json.loads(self._position)
            return state
        return copy.deepcopy(self._position)

    def state(self, beginning: Callable[[], State]) -> State:
        """Where the job stands; a new dict, which is the caller's.

        :param beginning: gives the state at the beginning of some epoch
        """
        position = self.position()
        if position is not None:
            return position
        if not isinstance(self.start, int):
            return copy.deepcopy(self.start)
        return {**beginning(), "epoch": self.start if self.iteration is None else self.iteration.epoch}
