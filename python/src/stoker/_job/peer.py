"""Another rank of a group, and how far it has come."""

from __future__ import annotations

import time
from typing import Any, Dict, NamedTuple

PREPARED, FILLED, SEALED, LEFT = "prepared", "filled", "sealed", "left"
_STEPS = ("joined", PREPARED, FILLED, SEALED, LEFT)


class Member(NamedTuple):
    """A process in the folder: its rank, and the nonce that tells it from others with the same rank."""

    rank: int
    nonce: str


class Peer:
    """Another rank as it was seen last."""

    def __init__(self, state: Dict[str, Any]) -> None:
        self.state = state
        self.nonce: str = state["nonce"]
        self._changed = time.monotonic()

    def see(self, state: Dict[str, Any]) -> None:
        if state["beat"] != self.state["beat"]:
            self.state = state
            self._changed = time.monotonic()

    def silent_seconds(self) -> float:
        return time.monotonic() - self._changed

    def has_reached(self, step: str) -> bool:
        return _STEPS.index(self.state["step"]) >= _STEPS.index(step)
