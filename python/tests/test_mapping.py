"""The mapping of batches by a function, alone: its memory, its messages, and its workers."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, Dict

import map_functions as functions
import numpy as np
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


def test_the_program_keeps_its_own_generators() -> None:
    random.seed(1)
    np.random.seed(1)
    expected = [random.random(), np.random.random(), random.random(), np.random.random()]
    random.seed(1)
    np.random.seed(1)
    found = [random.random(), np.random.random()]
    for options in ({"map": functions.seeds}, {"map_batch": functions.batch_seed}):
        each = mapping(workers=0, **options)
        each.next(feed(4))
        each.close()
    assert [*found, random.random(), np.random.random()] == expected


def test_a_function_can_ask_for_the_seed_of_its_sample() -> None:
    found = []
    for workers in (0, 1, 2):
        each = mapping(map=functions.seeds, workers=workers)
        fields = each.next(feed(8)).fields
        each.close()
        assert fields is not None and len(set(fields["seed"].tolist())) == 8
        assert [np.random.default_rng(seed).random() for seed in fields["seed"]] == fields["chance"].tolist()
        found.append(fields["seed"].tolist())
    assert found[0] == found[1] == found[2]
    with pytest.raises(stoker.StokerError, match="only while map= or map_batch= of a Loader runs"):
        stoker.sample_seed()


def test_workers_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries that a function imports get one thread in each worker; in the program they are left alone."""
    monkeypatch.setitem(sys.modules, "cv2", functions.fake_cv2())
    for workers, threads in ((0, 0), (1, 1)):
        each = mapping(map=functions.threads_of_cv2, workers=workers)
        each.next(feed(4))
        fields = each.next(feed(4)).fields
        each.close()
        assert fields is not None and set(fields["threads"].tolist()) == {threads}
