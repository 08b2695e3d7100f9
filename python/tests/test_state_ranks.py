"""States of several ranks: one file by all, read by any other number; and what does not fit together."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest
from states import random_array, run_ranks, same

import stoker
from stoker._job import rank_folder
from stoker._state.tensors import part_of


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank_folder, "SILENCE_SECONDS", 4.0)


def cut(array: np.ndarray, dim: int, rank: int, world: int) -> stoker.Shard:
    low, high = part_of(array.shape[dim], rank, world)
    at = tuple(slice(low, high) if i == dim else slice(None) for i in range(array.ndim))
    return stoker.Shard(array[at], array.shape, tuple(low if i == dim else 0 for i in range(array.ndim)))


def wholes(seed: int) -> Dict[str, np.ndarray]:
    chance = random.Random(seed)
    shapes = [tuple(chance.randrange(1, 14) for _ in range(chance.randrange(1, 4))) for _ in range(30)]
    return {f"t{i}": random_array(chance, shape) for i, shape in enumerate(shapes)}


@pytest.mark.parametrize("world", [1, 4])
def test_any_number_saves_and_any_loads(tmp_path: Path, seed: int, world: int) -> None:
    path, arrays = tmp_path / "s.safetensors", wholes(seed)
    dims = {name: seed % array.ndim for name, array in arrays.items()}

    def save(rank: int, world: int) -> None:
        spread = {name: cut(array, dims[name], rank, world) for name, array in arrays.items()}
        stoker.save({"spread": spread, "same": arrays, "own": {rank: np.full(3, rank)}, "step": 5}, path, rank, world)

    assert run_ranks(world, save) == [None] * world
    assert os.listdir(tmp_path) == ["s.safetensors"]
    for others in (1, 2, 3, 8):
        parts = [stoker.load(path, rank, others, mmap=others == 3) for rank in range(others)]
        for part in parts:
            assert part["step"] == 5 and same(part["same"], arrays)
            assert sorted(part["own"]) == list(range(world)) and all(own.tolist() == [r] * 3 for r, own in part["own"].items())
        for name, array in arrays.items():
            got = [part["spread"][name] for part in parts]
            if others == 1:
                assert same(got[0], array)
            else:
                joined = np.full_like(array, 0)
                for shard in got:
                    assert shard.shape == array.shape
                    joined[tuple(slice(at, at + n) for at, n in zip(shard.start, shard.tensor.shape))] = shard.tensor
                assert same(joined, array) and sum(shard.tensor.size for shard in got) == array.size


def test_replicas_are_written_by_all(tmp_path: Path) -> None:
    path = tmp_path / "s.safetensors"

    def save(rank: int, world: int) -> int:
        written, pwrite = [0], os.pwrite

        def counted(fd: int, data: Any, offset: int) -> int:
            written[0] += len(data)
            return pwrite(fd, data, offset)

        os.pwrite = counted  # type: ignore[assignment]
        stoker.save({f"w{i}": np.full(100_000, i, np.float32) for i in range(8)}, path, rank, world)
        return written[0]

    counts = run_ranks(4, save)
    assert max(counts) < 810_000 and sum(counts) < 3_210_000
    assert all(array[0] == array[-1] == i for i, array in enumerate(stoker.load(path, 0, 1).values()))


def test_parts_of_a_grid(tmp_path: Path) -> None:
    whole, path = np.arange(7 * 9 * 2).reshape(7, 9, 2), tmp_path / "s.safetensors"

    def save(rank: int, world: int) -> None:
        (a, b), (c, d) = [(0, 3), (3, 7)][rank // 2], [(0, 5), (5, 9)][rank % 2]
        stoker.save({"x": stoker.Shard(whole[a:b, c:d], whole.shape, (a, c, 0))}, path, rank, world, wait=False).result(60)

    assert run_ranks(4, save) == [None] * 4
    assert same(stoker.load(path, 0, 1)["x"], whole)


def test_again_and_again_to_the_same_place(tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"

    def save(rank: int, world: int) -> None:
        for step in range(20):
            stoker.save({"x": stoker.Shard(np.full(2, step), (6,), 2 * rank), "step": step}, path, rank, world, sync=False)
            assert stoker.load(path, 0, 1)["step"] >= step

    assert run_ranks(3, save) == [None] * 3
    assert stoker.load(path, 0, 1)["x"].tolist() == [19] * 6


def misfits() -> List[Any]:
    def shard(length: int, start: int, of: int = 10) -> Any:
        return stoker.Shard(np.zeros(length), (of,), start)

    ones = np.ones(3)
    return [
        ([{"x": ones}, {"x": np.ones(4)}], r"\['x'\] is of shape \[3\] on rank 0 but \[4\] on rank 1"),
        ([{"x": ones}, {"x": ones.astype("f4")}], r"\['x'\] is of type F64 on rank 0 but F32 on rank 1"),
        ([{"x": ones}, {"x": shard(3, 0, 3)}], "is whole on rank 0 but sharded on rank 1"),
        ([{"x": ones}, {"x": 3}], r"\['x'\] differs between the ranks: rank 0 has a tensor, but rank 1 has 3"),
        ([{"s": 1}, {"s": 2}], r"\['s'\] differs between the ranks: rank 0 has 1, but rank 1 has 2"),
        ([{"s": [1]}, {"s": [1, 2]}], "rank 0 has a list of 1, but rank 1 has a list of 2"),
        (
            [{"x": shard(5, 0)}, {"x": shard(4, 6)}],
            r"1 of 10 elements are on no rank; there are: rank 0 \[0:5\], rank 1 \[6:10\]",
        ),
        ([{"x": shard(6, 0)}, {"x": shard(5, 5)}], r"the shards of rank 0 \(\[0:6\]\) and rank 1 \(\[5:10\]\) overlap"),
        ([{"x": shard(5, 0)}, {}], "5 of 10 elements are on no rank"),
        (
            [{"x": stoker.Shard(np.zeros(5), (5,), 0)}, {"x": stoker.Shard(np.ones(5), (5,), 0)}],
            "rank 0 and rank 1 both have the shard",
        ),
        ([{"x": 1}, {"x": {1, 2}}], r"\['x'\] is of type builtins.set"),
        ([{"x": {1, 2}}, {"x": 1}], r"\['x'\] is of type builtins.set"),
    ]


@pytest.mark.parametrize("states, text", misfits())
def test_what_does_not_fit_is_refused_by_all(tmp_path: Path, states: Any, text: str) -> None:
    import re

    results = run_ranks(2, lambda rank, world: stoker.save(states[rank], tmp_path / "s.safetensors", rank, world).result())
    for result in results:
        assert re.search(text, result), result
    assert os.listdir(tmp_path) == []


def test_replicas_that_differ(tmp_path: Path) -> None:
    path = tmp_path / "s.safetensors"

    def save(rank: int, world: int) -> List[str]:
        import warnings

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stoker.save({"mean": np.full(30, rank), "same": np.ones(1 << 16)}, path, rank, world)
        return [str(warning.message) for warning in caught]

    told = run_ranks(3, save)
    assert len(told[0]) == 1 and "['mean'] differs between rank 0 and rank 1, and that of rank 0 is saved" in told[0][0]
    assert stoker.load(path, 0, 1)["mean"].tolist() == [0] * 30


def test_another_world(tmp_path: Path) -> None:
    results = run_ranks(
        2, lambda rank, _: stoker.save({"x": 1}, tmp_path / "s.safetensors", rank, 2 + rank, timeout=10).result()
    )
    assert all("rank 0 counts 2 ranks, but rank 1 counts 3" in result for result in results), results


def test_a_rank_that_does_not_come(tmp_path: Path) -> None:
    for rank, text in ((0, "ranks 1, 2 of 3 did not come within 1 s"), (1, "rank 0 of 3 did not come within 1 s")):
        with pytest.raises(stoker.StokerError, match=text):
            stoker.save({"x": 1}, tmp_path / "s.safetensors", rank, 3, timeout=1)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_rank_that_dies_is_named(tmp_path: Path, victim: int) -> None:
    path = tmp_path / "s.safetensors"
    stoker.save({"old": 1}, path, 0, 1)

    def save(rank: int, world: int) -> Any:
        if rank != victim:
            return stoker.save({"x": stoker.Shard(np.zeros(2), (6,), 2 * rank)}, path, rank, world).result()
        pid = os.fork()
        if pid == 0:
            os.pwrite = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
            stoker.save({"x": stoker.Shard(np.zeros(2), (6,), 2 * rank)}, path, rank, world)
        return os.waitpid(pid, 0)[1]

    results = run_ranks(3, save)
    assert results[victim] == signal.SIGKILL
    for rank in {0, 1, 2} - {victim}:
        assert f"rank {victim} (process" in results[rank] and "has not been heard of for 4 s" in results[rank]
    assert stoker.load(path, 0, 1) == {"old": 1}
    # What it left is in nobody's way.
    assert run_ranks(2, lambda rank, world: stoker.save({"new": rank * 0}, path, rank, world).result()) == [str(path)] * 2
    assert os.listdir(tmp_path) == ["s.safetensors"] and stoker.load(path, 0, 1) == {"new": 0}


@pytest.mark.parametrize("world", [1, 2, 3])
def test_a_rank_that_outlives_its_job_writes_into_no_state(tmp_path: Path, world: int) -> None:
    """Rank 1 is stopped in the middle of its write, rank 0 killed, and the state saved again; then rank 1 goes on."""
    path = tmp_path / "s.safetensors"

    def save(rank: int, of: int, value: int) -> str:
        part = 24 // of
        return str(stoker.save({"x": stoker.Shard(np.full(part, value), (24,), part * rank)}, path, rank, of).result())

    def first(rank: int) -> None:
        pwrite = os.pwrite

        def stop(*what: Any) -> int:
            os.kill(os.getpid(), signal.SIGSTOP)
            return pwrite(*what)

        if rank == 1:
            os.pwrite = stop  # type: ignore[assignment]
        try:
            save(rank, 2, 1)
        except stoker.StokerError as e:
            said.send(str(e))

    context = multiprocessing.get_context("fork")
    said_here, said = context.Pipe(False)
    ranks = [context.Process(target=first, args=(rank,)) for rank in range(2)]
    for rank in ranks:
        rank.start()
    os.waitid(os.P_PID, ranks[1].pid, os.WSTOPPED)
    ranks[0].kill()
    ranks[0].join()
    assert run_ranks(world, lambda rank, of: save(rank, of, 2)) == [str(path)] * world
    os.kill(ranks[1].pid, signal.SIGCONT)
    ranks[1].join()
    assert stoker.load(path, 0, 1)["x"].tolist() == [2] * 24
    assert said_here.poll() and "the save that rank 1 of 2 took part in has ended without it" in said_here.recv()
    assert os.listdir(tmp_path) == ["s.safetensors"]


def test_a_rank_of_a_killed_job_that_still_looks_for_its_rank_0(tmp_path: Path) -> None:
    """It would be taken for a rank of the next job, and its values with it."""
    path = tmp_path / "s.safetensors"

    def save(number: int, _: int) -> str:
        rank = min(number, 1)
        while rank == 0 and len(list(tmp_path.glob(".*/rank-1*"))) < 2:
            time.sleep(0.01)
        shard = stoker.Shard(np.full(2, number), (4,), 2 * rank)
        return str(stoker.save({"x": shard}, path, rank, 2, timeout=20).result())

    results = run_ranks(3, save)
    assert "rank 1 is there twice" in results[0], results
    assert all(result.startswith("StokerError") for result in results), results
    assert os.listdir(tmp_path) == []


def test_a_job_of_java_is_refused(tmp_path: Path) -> None:
    path, folder = tmp_path / "s.safetensors", tmp_path / ".s.safetensors.stoker-job"
    folder.mkdir()
    with pytest.raises(stoker.StokerError, match=r"s.safetensors.stoker-job\] belongs to a job of Java processes"):
        stoker.save({"x": 1}, path, 0, 1)
    assert all("belongs to a job of Java" in end for end in run_ranks(2, lambda r, w: stoker.save({}, path, r, w).result()))
    assert os.listdir(tmp_path) == [folder.name]


def test_a_rank_that_is_there_twice(tmp_path: Path) -> None:
    ranks = [0, 1, 1]
    results = run_ranks(3, lambda i, _: stoker.save({"x": 1}, tmp_path / "s.safetensors", ranks[i], 3, timeout=6).result())
    assert all(result.startswith("StokerError") for result in results), results
    assert "there twice" in results[0] or "did not come" in results[0]
    assert stoker.latest(tmp_path) is None
