"""One iteration over a loader."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict

from .cursor import Iteration, State

if TYPE_CHECKING:
    from .feed import BatchFeed


class Epoch:
    """The iterator over the batches of one epoch. It is over when the loader begins another one, or is closed."""

    def __init__(self, feed: BatchFeed, iteration: Iteration) -> None:
        self._feed = feed
        self._iteration = iteration

    def __iter__(self) -> Epoch:
        return self

    def __next__(self) -> Dict[str, Any]:
        return self._feed.next(self._iteration)

    def state_dict(self) -> Dict[str, Any]:
        """Where this iteration stands, as torchdata's StatefulDataLoader asks it. Unlike the loader's state, it tells the end
        of an epoch from the beginning of the next."""
        return {"position": self._feed.state_dict(), "epoch": self._iteration.epoch, "is_over": self._iteration.is_over}

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Resumes this iteration from a state that :meth:`state_dict` gave."""
        self._resume(state["position"])
        if state["is_over"]:
            self._feed.cursor.start = state["epoch"] + 1
            self._iteration.epoch, self._iteration.is_over = state["epoch"], True

    def get_state(self) -> bytes:
        """The loader's state, as Grain's iterators give it."""
        return json.dumps(self._feed.state_dict()).encode("utf-8")

    def set_state(self, state: bytes) -> None:
        """Resumes this iteration from a state that :meth:`get_state` gave."""
        self._resume(json.loads(state))

    def _resume(self, position: State) -> None:
        self._feed.load_state_dict(position)
        self._iteration = self._feed.begin()
