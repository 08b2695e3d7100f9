"""The mapping of batches by a function, alone: its memory, its messages, and its workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import map_functions as functions
import pytest
from mapped import feed, mapping

import stoker


def maps_of(pid: int) -> int:
    """How many blocks of output a worker has mapped."""
    return Path(f"/proc/{pid}/maps").read_text().count("stoker-batch")


@pytest.mark.parametrize("options", [{"map": functions.large}, {"map_batch": functions.large_batch}])
def test_epochs_left_early_give_their_memory_back(options: Dict[str, Any]) -> None:
    each = mapping(workers=2, **options)
    try:
        counts = []
        for _ in range(12):
            each.next(feed(8))
            each.reset()
            counts.append(max(maps_of(pid) for pid in each.pids()))
        assert max(counts) <= 10  # those under way, the spare ones, and those it does not yet know to be gone
    finally:
        each.close()


def test_a_failed_batch_gives_its_memory_back() -> None:
    each = mapping(map=functions.fail_after_large, workers=1)
    try:
        for _ in range(12):
            with pytest.raises(stoker.StokerError, match="too late"):
                each.next(feed(8))
            each.reset()
        assert maps_of(each.pids()[0]) <= 4
    finally:
        each.close()
