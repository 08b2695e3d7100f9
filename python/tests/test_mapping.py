"""The mapping of batches by a function, alone: its memory, its messages, and its workers."""

from __future__ import annotations

import faulthandler
import functools
import os
import random
import signal
import subprocess
import sys
import time
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


@pytest.mark.parametrize("options", [{"map": functions.numbered_keys}, {"map_batch": functions.batch_keys}])
def test_large_batches_of_objects(options: Dict[str, Any]) -> None:
    """More goes in both directions than the system keeps for a connection, so neither end may wait for the other."""
    faulthandler.dump_traceback_later(60, exit=True)
    each = mapping(workers=1, **options)
    try:
        for _ in range(4):
            fields = each.next(feed(65536)).fields
            assert fields is not None and fields["keys"][-1] == "key-00000000000000000000000000000000"
            assert len(fields["keys"]) == 65536
    finally:
        each.close()
        faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize(
    ("function", "says"),
    [
        (functions.lazy_failure, "OSError: image file is truncated"),
        (functions.exit_at_three, "SystemExit: 3"),
        (functions.unpicklable, "field 'x' cannot be sent to the program: .*cannot pickle 'generator' object"),
    ],
)
def test_samples_are_to_blame_for_what_they_do_to_workers(function: Any, says: str, workers: int) -> None:
    if workers == 0 and function is functions.unpicklable:
        return  # nothing is sent
    each = mapping(map=function, workers=workers)
    with pytest.raises(stoker.StokerError, match=f"sample 3: {says}"):
        each.next(feed(8))
    each.close()
    each = mapping(map=function, workers=workers, bad="skip")
    pids = each.pids()
    for _ in range(2):
        assert each.next(feed(8)).rows["sample"].tolist() == [0, 1, 2, 4, 5, 6, 7]
    assert [failed["sample"] for failed in each.failed] == [3, 3]
    assert each.pids() == pids
    each.close()


@pytest.mark.parametrize("function", [functions.lazy_failure, functions.exit_at_three, functions.unpicklable])
def test_batches_are_to_blame_as_well(function: Any) -> None:
    each = mapping(map_batch=functions.of_batch(function), workers=1)
    with pytest.raises(stoker.StokerError, match="the function of map_batch: (OSError|SystemExit|field 'x' cannot be sent)"):
        each.next(feed(8))
    each.close()


@pytest.mark.parametrize("bad", [0, 3])
def test_a_sample_that_ends_its_worker_can_be_skipped(bad: int) -> None:
    function = functools.partial(functions.crash, at=bad)
    each = mapping(map=function, workers=2)
    with pytest.raises(stoker.StokerError, match=f"sample {bad}: a worker process was killed by SIGSEGV each time it ran the"):
        each.next(feed(8))
    each.close()
    each = mapping(map=function, workers=2, bad="skip")
    mapped = each.next(feed(8))
    assert mapped.rows["sample"].tolist() == [i for i in range(8) if i != bad]
    assert mapped.fields is not None and len(mapped.fields["x"]) == 7
    each.close()


def test_the_end_of_a_worker_is_told_as_it_was() -> None:
    each = mapping(map=functions.leave, workers=1)
    with pytest.raises(stoker.StokerError, match="ended with exit code 7 each time"):
        each.next(feed(1))
    each.close()


@pytest.mark.parametrize("workers", [0, 1])
def test_both_functions_name_the_samples_that_differ(workers: int) -> None:
    each = mapping(functions.other_shape_at_three, functions.same_batch, workers)
    says = r"sample 3: the function returned field 'x' as float64\[3\], but sample 0 has it as float64\[2\]"
    with pytest.raises(stoker.StokerError, match=says):
        each.next(feed(8))
    each.close()
    each = mapping(functions.other_shape_at_three, functions.same_batch, workers, bad="skip")
    fields = each.next(feed(8)).fields
    assert fields is not None and fields["x"].shape == (7, 2)
    each.close()


def test_others_work_while_a_worker_starts_again() -> None:
    """A worker that is replaced imports what the function needs, which may take long."""
    each = mapping(map=functions.slow_start, workers=2)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("STOKER_TEST_START_SECONDS", "20")
            os.kill(each.pids()[0], signal.SIGKILL)
            start = time.monotonic()
            for _ in range(3):
                assert each.next(feed(8)).fields is not None
            assert time.monotonic() - start < 15
    finally:
        each.close()


RANK = """
import sys, time
sys.path[:0] = {path!r}
import map_functions as functions
from mapped import feed, mapping
if __name__ == "__main__":
    each = mapping(map=functions.sleep_long, workers=1)
    print(*each.pids(), flush=True)
    each.next(feed(2))
"""


def test_a_worker_that_hangs_ends_with_its_loader(tmp_path: Path) -> None:
    script = tmp_path / "rank.py"
    script.write_text(RANK.format(path=[str(Path(__file__).parent), str(Path(stoker.__file__).parents[1])]))
    rank = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert rank.stdout is not None
    worker = int(rank.stdout.readline())
    time.sleep(0.5)
    rank.kill()
    rank.wait()
    rank.stdout.close()
    deadline = time.monotonic() + 30
    while is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
