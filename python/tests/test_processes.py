"""Pickling, forking, spawning, threads."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import Packed

import stoker


def read_all(ds: stoker.Dataset) -> List[Dict[str, Any]]:
    return list(ds)


def test_pickles_to_its_path(packed: Packed) -> None:
    ds = stoker.open(packed.path, fields=["label", "data"], views=True)
    pickled = pickle.dumps(ds)
    assert len(pickled) < 500
    again = pickle.loads(pickled)
    assert again._files is None
    assert again.path == ds.path
    assert list(again) == list(ds)
    assert list(pickle.loads(pickle.dumps(again))) == list(ds)


@pytest.mark.parametrize("packed", ["tar"], indirect=True)
def test_replaced_since_it_was_pickled(stk: Packed, packed: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    pickled = pickle.dumps(stoker.open(path, fields=["data"]))
    shutil.copy(packed.path, path)
    shutil.copy(f"{packed.path}.stkx", f"{path}.stkx")
    with pytest.raises(stoker.StokerError, match="was replaced since this data set was opened; open it again$"):
        len(pickle.loads(pickled))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes(packed: Packed, method: str) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        ds = stoker.open(packed.path)
        assert pool.map(read_all, [ds] * 3) == [packed.samples] * 3


def test_a_forked_process_goes_on_with_its_parents_mapping(packed: Packed) -> None:
    ds = stoker.open(packed.path)
    child = os.fork()
    if child == 0:
        os._exit(0 if list(ds) == packed.samples else 1)
    assert list(ds) == packed.samples
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_read_at_once_also_when_it_is_not_open_yet(packed: Packed) -> None:
    ds = pickle.loads(pickle.dumps(stoker.open(packed.path)))
    start = threading.Barrier(8)

    def read(_: int) -> List[Dict[str, Any]]:
        start.wait()
        return [ds[i] for _ in range(20) for i in range(len(ds))]

    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(read, range(8)):
            assert found == packed.samples * 20


def test_memory_does_not_grow(packed: Packed) -> None:
    import tracemalloc

    ds = stoker.open(packed.path)
    for i in range(len(ds)):
        ds[i]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            for i in range(len(ds)):
                ds[i]
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()
