"""Batches are the program's for as long as it holds any part of them."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import queue
import random
import resource
import threading
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import map_functions as functions
import numpy as np
import pytest

import stoker

pytestmark = pytest.mark.usefixtures("keeper")

SAMPLES = 400
WIDTH = 512
STORIES = int(os.environ.get("STOKER_STORIES", "150"))


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each sample has its number in every value of a dense field and of one whose values differ in length."""
    path = tmp_path_factory.mktemp("held") / "numbers.stk"
    stoker.pack(
        (
            {"number": i, "dense": np.full(WIDTH, i, np.int32), "ragged": np.full(1 + i % 97, i, np.uint16)}
            for i in range(SAMPLES)
        ),
        path,
        {"number": "int64", "dense": f"int32[{WIDTH}]", "ragged": "uint16[*]"},
        sync=False,
    )
    return path


def check(batch: Dict[str, Any]) -> List[int]:
    """The numbers of the samples; everything else in the batch has to fit to them."""
    expected = batch["number"].tolist()
    for row, number in enumerate(expected):
        assert (batch["dense"][row] == number).all()
        assert batch["ragged"][row].tolist() == [number] * (1 + number % 97)
    return expected


def test_a_list_of_all_batches(numbers: Path) -> None:
    with stoker.Loader(numbers, 16, memory="64M") as loader:
        batches = list(loader)
        assert np.concatenate([batch["number"] for batch in batches]).tolist() == list(range(SAMPLES))
        assert loader.report()["held"]["batches"] == len(batches)
        again = pickle.loads(pickle.dumps(batches))
        del batches
        gc.collect()
        assert loader.report()["held"] == {"batches": 0, "bytes": 0}
    assert [number for batch in again for number in check(batch)] == list(range(SAMPLES))


@pytest.mark.parametrize("part", [lambda b: b["dense"][3:5, 1], lambda b: memoryview(b["dense"]), lambda b: b["ragged"].values])
def test_any_part_holds_its_batch(numbers: Path, part: Callable[[Any], Any]) -> None:
    with stoker.Loader(numbers, 16, fields=["number", "dense", "ragged"]) as loader:
        held = [part(batch) for batch in loader]
    with stoker.Loader(numbers, 16) as loader:
        expected = [np.array(part(batch)) for batch in loader]
    for one, other in zip(held, expected):
        np.testing.assert_array_equal(np.asarray(one), other)


def test_memory_is_used_again(numbers: Path) -> None:
    with stoker.Loader(numbers, 8, ahead=2) as loader:
        places = {batch["dense"].ctypes.data for _ in range(4) for batch in loader}
    assert len(places) <= 6  # of 200 batches: those ahead, the current one, and the one before


def test_random_holding_times(numbers: Path, seed: int) -> None:
    for story in range(STORIES):
        tell_story(numbers, random.Random(f"{seed} {story}"), f"seed {seed}, story {story}")


def tell_story(numbers: Path, chance: random.Random, name: str) -> None:
    batch_size = chance.randrange(1, 48)
    rows = WIDTH * 4 + 400
    options: Dict[str, Any] = {
        "memory": batch_size * rows * chance.choice([2, 3, 5, 20, 200]),
        "ahead": chance.randrange(1, 5),
        "threads": chance.randrange(1, 4),
        "debug": chance.random() < 0.3,
    }
    held: List[Dict[str, Any]] = []
    most = chance.choice([0, 1, 3, 8, SAMPLES])
    with warnings.catch_warnings(), stoker.Loader(numbers, batch_size, True, chance.randrange(99), **options) as loader:
        warnings.simplefilter("ignore")
        for _ in range(chance.randrange(1, 4)):
            delivered = []
            leave_after = chance.randrange(SAMPLES) if chance.random() < 0.3 else SAMPLES
            for batch in loader:
                delivered += check(batch)
                held.append(batch)
                while len(held) > most or (held and chance.random() < 0.3):
                    check(held.pop(chance.randrange(len(held))))
                if len(delivered) > leave_after:
                    break
            else:
                assert sorted(delivered) == list(range(SAMPLES)), name
    for batch in held:
        check(batch)


def test_threads_and_queues(numbers: Path) -> None:
    waiting: "queue.Queue[Any]" = queue.Queue(maxsize=7)
    found: List[List[int]] = []

    def work() -> None:
        for batch in iter(waiting.get, None):
            found.append(check(batch))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    with stoker.Loader(numbers, 8, True) as loader:
        for _ in range(3):
            for batch in loader:
                waiting.put(batch)
    for _ in threads:
        waiting.put(None)
    for thread in threads:
        thread.join()
    assert sorted(sum(found, [])) == sorted(list(range(SAMPLES)) * 3)


def test_a_forked_process_keeps_what_it_was_given(numbers: Path) -> None:
    with stoker.Loader(numbers, 8, ahead=1) as loader:
        batches = iter(loader)
        batch = next(batches)
        expected = check(batch)
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(writes)
            os.read(reads, 1)  # until the parent has let go of it, and taken many more
            os._exit(0 if check(batch) == expected else 1)
        os.close(reads)
        del batch
        for _ in range(2):
            for batch in batches:
                check(batch)
            batches = iter(loader)
        os.write(writes, b"x")
        os.close(writes)
        assert os.waitpid(child, 0)[1] == 0


def test_too_many_get_memory_of_their_own_and_one_sentence_says_so(numbers: Path) -> None:
    def hold(**options: Any) -> Iterator[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with stoker.Loader(numbers, 8, memory="100k", ahead=1, **options) as loader:
                held = list(loader)
            for batch in held:
                check(batch)
        yield from (str(warning.message) for warning in caught)

    (said,) = hold()
    assert "more than the Loader's memory= allows for" in said
    assert "Loader(debug=True) tells where they come from" in said
    (said,) = hold(debug=True)
    assert f"They were asked for at {__file__}:" in said


@contextlib.contextmanager
def few_files(most: int = 256) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("options", [{}, {"map": functions.same}, {"map_batch": functions.same}])
def test_held_batches_need_no_open_files(numbers: Path, options: Dict[str, Any]) -> None:
    with few_files(), stoker.Loader(numbers, 8, workers=1, **options) as loader:
        held = [batch for _ in range(7) for batch in loader]
        assert len(held) == 350 and loader.report()["held"]["batches"] > 0
        files = len(os.listdir("/proc/self/fd"))
    for batch in held:
        check_dense(batch)
    assert files < 128


def check_dense(batch: Dict[str, Any]) -> None:
    assert (batch["dense"] == np.asarray(batch["number"])[:, None]).all()


@pytest.mark.parametrize("options", [{}, {"map": functions.same}, {"map_batch": functions.same}])
def test_small_fields_do_not_hold_their_batch(numbers: Path, options: Dict[str, Any]) -> None:
    with stoker.Loader(numbers, 16, workers=1, **options) as loader:
        labels = [batch["number"] for batch in loader]
        gc.collect()
        assert loader.report()["held"] == {"batches": 0, "bytes": 0}
        large = [batch["dense"] for batch in loader]
        assert loader.report()["held"]["batches"] == len(large)
    assert np.concatenate(labels).tolist() == list(range(SAMPLES))


def test_small_batches_are_copied(numbers: Path) -> None:
    with stoker.Loader(numbers, 4) as loader:
        batches = list(loader)
        assert loader.report()["held"]["batches"] == 0
    assert [number for batch in batches for number in check(batch)] == list(range(SAMPLES))


@pytest.mark.parametrize("options", [{}, {"map": functions.same}])
def test_no_more_files_are_told_with_a_remedy(numbers: Path, options: Dict[str, Any]) -> None:
    with stoker.Loader(numbers, 16, workers=1, **options) as loader:
        used = max(int(name) for name in os.listdir("/proc/self/fd"))
        holes = []
        while not holes or holes[-1] < used:
            holes.append(os.open(os.devnull, os.O_RDONLY))
        try:
            with (
                few_files(max(used, *holes) + 1),
                pytest.raises(stoker.StokerError, match=r"may open no more than \d+ files; raise the limit \(ulimit -n\)"),
            ):
                next(iter(loader))
        finally:
            for file in holes:
                os.close(file)
        loader.set_epoch(0)
        assert next(iter(loader))["number"].tolist() == list(range(16))


@pytest.mark.parametrize("name", ["map", "map_batch"])
def test_too_many_mapped_batches_are_the_programs_own(numbers: Path, name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        options = {name: functions.same, "workers": 2, "debug": True}
        with stoker.Loader(numbers, 16, memory="1M", **options) as loader:
            keys = [batch["number"].tolist() for _ in range(4) for batch in loader]
            assert not caught  # it holds none, however many are on their way
            held = list(loader)
            files = len(os.listdir("/proc/self/fd"))
            assert loader.report()["held"]["bytes"] < 1 << 20
    (said,) = [str(warning.message) for warning in caught]
    assert "more than the Loader's memory= allows for" in said and f"They were asked for at {__file__}:" in said
    assert files < 128 and sum(keys, []) == list(range(SAMPLES)) * 4
    for batch in held:
        check_dense(batch)


def test_batches_outlive_their_loader(numbers: Path) -> None:
    loader = stoker.Loader(numbers, 8)
    batch = next(iter(loader))
    loader.close()
    del loader
    gc.collect()
    assert check(batch) == list(range(8))
    batch["dense"][0] = 7  # and may be written to
