"""The loader: the processes that share a reader process, and their ends."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kills
import pytest
from batches import keys
from conftest import Packed

import stoker

pytestmark = pytest.mark.usefixtures("keeper")


def _read_in_fork(loader: stoker.Loader, out: Any) -> None:
    out.send(keys(loader))


def test_forked_process_has_its_own_connection(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4) as loader:
        batches = iter(loader)
        first = list(next(batches)["key"])
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=_read_in_fork, args=(loader, there))
        process.start()
        assert here.poll(60)
        expected = [sample["key"] for sample in stk.samples]
        assert sorted(here.recv()) == sorted(expected)
        process.join()
        assert first + [key for batch in batches for key in batch["key"]] == expected


RANK = """
import os, sys, stoker
os.sched_setaffinity(0, {int(sys.argv[2])})
with stoker.Loader(sys.argv[1], 4) as loader:
    print(loader.reader_pid, sum(len(batch["label"]) for batch in loader), loader.rank, loader.world, flush=True)
    sys.stdin.read()
"""


def test_ranks_share_one_reader_with_all_their_cores_that_ends_with_them(stk: Packed) -> None:
    cores = sorted(os.sched_getaffinity(0))[:2]
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(stoker.__file__).parents[1]),
        "STOKER_JOB": f"ranks {os.getpid()}",
        "WORLD_SIZE": "2",
    }
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", RANK, str(stk.path), str(cores[rank % len(cores)])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment, "RANK": str(rank)},
            text=True,
        )
        for rank in range(2)
    ]
    said = [rank.stdout.readline().split() for rank in ranks]
    reader = int(said[0][0])
    assert said == [[str(reader), "11", "0", "2"], [str(reader), "10", "1", "2"]]
    assert os.sched_getaffinity(reader) == set(cores)
    ranks[0].kill()
    ranks[0].wait()
    assert is_running(reader)
    ranks[1].communicate()
    deadline = time.monotonic() + 10
    while is_running(reader) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(reader)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_kills(stk: Packed, seed: int) -> None:
    job = os.environ["STOKER_JOB"]
    try:
        assert sum(kills.campaign(str(stk.path), 5, seed).values()) == 5
    finally:
        os.environ["STOKER_JOB"] = job


def test_killed_reader_raises_once_and_state_remains(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOKER_JOB", f"killed {os.getpid()}")
    with stoker.Loader(stk.path, 4) as loader:
        batches = iter(loader)
        next(batches)
        kills._kill(loader.reader_pid)
        with pytest.raises(stoker.StokerError, match=rf"the reader process \({loader.reader_pid}\) has ended"):
            for _ in range(3):
                next(batches)
        state = loader.state_dict()
    with stoker.Loader(stk.path, 4) as loader:
        loader.load_state_dict(state)
        assert keys(loader) == [sample["key"] for sample in stk.samples[state["cursor"] :]]
