"""Packing what Python gives: any source, any number of processes, the same bytes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any, Dict, Iterator, List

import numpy as np
import pytest
from conftest import CLASSES, Packed

import stoker

pytestmark = pytest.mark.usefixtures("keeper")

COUNT = 300


class Numbers:
    """A data set with len() and [i], as torch has them; its samples are pairs."""

    def __len__(self) -> int:
        return COUNT

    def __getitem__(self, i: int) -> Any:
        return np.full((i % 4, 2), i, "f4"), i % 3


def sample(pair: Any) -> Dict[str, Any]:
    return {"points": pair[0], "label": pair[1], "name": f"數{pair[1]}"}


def generated() -> Iterator[Any]:
    numbers = Numbers()
    for i in range(COUNT):
        yield numbers[i]


def check(path: Path) -> None:
    ds = stoker.open(path)
    assert ds.schema == {"key": "text", "points": "float32[*,*]", "label": "int64", "name": "text"}
    assert ds.classes == ["a", "b", "c"]
    assert len(ds) == COUNT
    for i, one in enumerate(ds):
        assert one["key"] == f"{i:09}"
        assert np.array_equal(one["points"], np.full((i % 4, 2), i, "f4"))
        assert (one["label"], one["name"]) == (i % 3, f"數{i % 3}")
    ds.verify()


def test_every_source_gives_the_same_bytes(tmp_path: Path) -> None:
    sources: Dict[str, Any] = {
        "numbered": dict(samples=Numbers(), map=sample),
        "alone": dict(samples=Numbers(), map=sample, processes=1),
        "generator": dict(samples=generated(), map=sample, processes=3),
        "dicts": dict(samples=map(sample, generated())),
        "list": dict(samples=[sample(pair) for pair in generated()], processes=2),
    }
    for name, arguments in sources.items():
        path = tmp_path / f"{name}.stk"
        assert stoker.pack(path=path, classes=["a", "b", "c"], **arguments) == COUNT
        check(path)
        assert path.read_bytes() == (tmp_path / "numbered.stk").read_bytes()
    assert sorted(os.listdir(tmp_path)) == sorted(f"{name}.stk" for name in sources)


@pytest.mark.parametrize("ending", ["arrow", "h5", "parquet"])
def test_formats_and_options(ending: str, tmp_path: Path) -> None:
    schema = {"key": "text", "data": "bytes", "label": "int32"}
    given = [{"key": f"k{i}", "data": b"x" * i, "label": i} for i in range(100)]
    path = tmp_path / f"out.{ending}"
    stoker.pack(given, path, schema, no_sync=True, **({"rows_per_batch": 7} if ending == "arrow" else {}))
    ds = stoker.open(path)
    assert ds.schema == schema
    assert list(ds) == given
    with pytest.raises(stoker.StokerError, match="[Uu]nknown option.*--speed"):
        stoker.pack(given, path, force=True, speed=3)
    assert list(stoker.open(path)) == given


def test_from_a_container(stk: Packed, tmp_path: Path) -> None:
    stoker.pack(stoker.open(stk.path), tmp_path / "again.stk")
    again = stoker.open(tmp_path / "again.stk")
    assert list(again) == stk.samples
    assert again.classes == CLASSES
    stoker.pack([{"x": np.zeros((2, 3), "i2")}], tmp_path / "fixed.stk", {"x": "int16[2,3]"})
    stoker.pack(stoker.open(tmp_path / "fixed.stk"), tmp_path / "fixed.arrow")
    assert stoker.open(tmp_path / "fixed.arrow").schema == {"key": "text", "x": "int16[2,3]"}


def test_existing_output(tmp_path: Path) -> None:
    path = tmp_path / "out.stk"
    stoker.pack([{"x": 1}], path)
    with pytest.raises(stoker.StokerError, match="already exists"):
        stoker.pack([{"x": 2}], path)
    stoker.pack([{"x": 2}], path, force=True)
    assert stoker.open(path)[0] == {"key": "000000000", "x": 2}


def test_ranks_of_a_job_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert stoker.pack([{"x": 1}], tmp_path / "out.stk") == 1


def failing(pair: Any) -> Dict[str, Any]:
    if pair[0].any() and pair[0].flat[0] == 202:
        raise KeyError("no such picture")
    return sample(pair)


def wrong(pair: Any) -> Dict[str, Any]:
    return {**sample(pair), "label": "x" if pair[0].any() and pair[0].flat[0] == 202 else 1}


def killed(pair: Any) -> Dict[str, Any]:
    if multiprocessing.parent_process() is not None and pair[0].any() and pair[0].flat[0] == 202:
        os.kill(os.getpid(), signal.SIGKILL)
    return sample(pair)


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("source", [Numbers, generated])
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (failing, "sample 202 of what is packed: KeyError: 'no such picture'"),
        (wrong, "sample 202 of what is packed: a value of field 'label' should be int64 but is str 'x'"),
        (killed, "process stoker-pack-. ended with -9: it was killed, or the node ran out of memory"),
    ],
)
def test_failures(processes: int, source: Any, function: Any, message: str, tmp_path: Path) -> None:
    if function is killed and processes == 1:
        pytest.skip("it would kill this process")
    with pytest.raises(stoker.StokerError, match=message):
        stoker.pack(source(), tmp_path / "out.stk", map=function, processes=processes)
    assert os.listdir(tmp_path) == []
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "there is no sample to pack"),
        (iter(()), "there is no sample to pack"),
        ({"train": [{"x": 1}]}, "should be a sequence or iterable but are a dict; give one of its parts"),
        ([(1, 2)], "should be a dict of names and values but is a tuple"),
        ([{"x": None}], "the type of field 'x' cannot be told from"),
        ([{"x": 1}, {"y": 1}], "sample 1 of what is packed: a sample should have the fields key, x but lacks x and has y"),
        ([{"x": 1}, {"x": 2**63}], "sample 1 .* should be int64 but is uint64"),
    ],
)
def test_wrong_samples(given: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(stoker.StokerError, match=message):
        stoker.pack(given, tmp_path / "out.stk")
    assert os.listdir(tmp_path) == []


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        stoker.pack([{"x": 1}], tmp_path / "no" / "out.stk")


def test_large_samples(tmp_path: Path) -> None:
    """More than a message to the reader process may otherwise have."""
    large: List[Any] = [{"x": np.full(70 << 20, i, "u1")} for i in range(2)]
    stoker.pack(large, tmp_path / "out.stk", no_sync=True)
    ds = stoker.open(tmp_path / "out.stk")
    assert [(len(one["x"]), one["x"][0], one["x"][-1]) for one in ds] == [(70 << 20, i, i) for i in range(2)]
