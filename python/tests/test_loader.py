"""The loader: what it delivers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest
from batches import keys, plain
from conftest import CLASSES, Packed

import stoker

pytestmark = pytest.mark.usefixtures("keeper")


def test_delivers_what_was_packed(packed: Packed) -> None:
    with stoker.Loader(packed.path, 4) as loader:
        assert len(loader) == 6
        assert loader.schema == {"key": "text", "data": "bytes", "label": "int64"}
        assert loader.classes == CLASSES
        assert loader.samples == len(packed.samples)
        batches = [plain(batch) for batch in loader]
    assert [len(batch) for batch in batches] == [4, 4, 4, 4, 4, 1]
    assert sum(batches, []) == packed.samples


def test_numbers_texts_and_lists(rich: Packed) -> None:
    with stoker.Loader(rich.path, 7, fields=list(rich.samples[0])) as loader:
        assert sum((plain(batch) for batch in loader), []) == rich.samples


@pytest.mark.skipif("STOKER_RANDOM" not in os.environ, reason="containers of random schemas are made by the Maven build")
def test_random_schemas() -> None:
    for described in sorted(Path(os.environ["STOKER_RANDOM"]).glob("*.json")):
        path = described.with_suffix("")
        dataset = stoker.open(path)
        with stoker.Loader(path, 5) as loader:
            assert loader.schema == dataset.schema
            delivered = [sample for batch in loader for sample in _rows(batch)]
        assert len(delivered) == len(dataset)
        for found, expected in zip(delivered, dataset):
            for name, kind in dataset.schema.items():
                if kind == "bytes":
                    assert found[name].tobytes() == expected[name]
                elif kind.startswith("text"):
                    assert found[name] == expected[name]
                else:
                    assert found[name].dtype == expected[name].dtype
                    np.testing.assert_array_equal(found[name], expected[name], strict=True)


def _rows(batch: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [{name: values[i] for name, values in batch.items()} for i in range(len(next(iter(batch.values()))))]


def test_arrays_lie_in_shared_memory_and_may_be_written(stk: Packed) -> None:
    with stoker.Loader(stk.path, 21) as loader:
        batch = next(iter(loader))
        values, offsets = batch["data"].values, batch["data"].offsets
        assert not values.flags.owndata
        assert values.flags.writeable and batch["label"].flags.writeable
        assert values.ctypes.data % 64 == 0
        assert values.dtype == np.uint8 and offsets.dtype == np.int64
        assert values[offsets[1] : offsets[2]].tobytes() == stk.samples[1]["data"]
        assert batch["data"].lengths.tolist() == [len(sample["data"]) for sample in stk.samples]
        assert batch["data"][-1].tobytes() == stk.samples[-1]["data"]
        with pytest.raises(IndexError, match="there is no value 21"):
            batch["data"][21]


@pytest.mark.parametrize("world", [1, 3])
def test_order_is_that_of_the_specification(stk: Packed, world: int) -> None:
    n = len(stk.samples)
    for rank in range(world):
        with stoker.Loader(stk.path, 2, True, 7, rank, world, tail="ragged") as loader:
            for epoch in range(3):
                expected = stoker.order(n, 7, epoch, range(rank, n, world)).tolist()
                assert keys(loader) == [stk.samples[i]["key"] for i in expected]


def test_tails(stk: Packed) -> None:
    def count(**options: Any) -> List[int]:
        found = []
        for rank in range(4):
            with stoker.Loader(stk.path, 3, rank=rank, world=4, **options) as loader:
                batches = [len(batch["label"]) for batch in loader]
                assert len(batches) == len(loader)
                found.append(sum(batches))
        return found

    assert count(tail="even") == count(shuffle=True) == [6, 6, 6, 6]
    assert count(tail="once") == count() == [6, 5, 5, 5]
    assert count(tail="drop") == [5, 5, 5, 5]
    assert count(tail="ragged") == [6, 5, 5, 5]
    assert count(tail="ragged", drop_last=True) == [6, 3, 3, 3]


def test_every_sample_once_on_ranks_with_equally_many_batches(stk: Packed) -> None:
    for world in range(1, 30):
        found, batches = [], set()
        for rank in range(world):
            with stoker.Loader(stk.path, 2, rank=rank, world=world) as loader:
                delivered = list(loader)
                assert all(set(batch) == {"key", "data", "label"} for batch in delivered)
                found += [sample for batch in delivered for sample in plain(batch)]
                batches.add(len(delivered))
                assert len(loader) == len(delivered)
        assert len(batches) == 1
        assert sorted(sample["key"] for sample in found) == sorted(sample["key"] for sample in stk.samples)


def test_repeated_samples_are_marked(stk: Packed) -> None:
    seen = []
    for rank in range(4):
        with stoker.Loader(stk.path, 4, rank=rank, world=4, tail="even", mask="is_new") as loader:
            for batch in loader:
                assert batch["is_new"].dtype == bool
                seen += [key for key, is_new in zip(batch["key"], batch["is_new"]) if is_new]
    assert sorted(seen) == sorted(sample["key"] for sample in stk.samples)


def test_a_rank_without_samples(stk: Packed) -> None:
    with stoker.Loader(stk.path, rank=25, world=30, tail="ragged") as loader:
        assert len(loader) == 0
        assert list(loader) == []
        assert list(loader) == []


def test_padding(stk: Packed) -> None:
    data = [sample["data"] for sample in stk.samples[:4]]
    with stoker.Loader(stk.path, 4, pad=["data"], fields=["data"]) as loader:
        batch = next(iter(loader))
    longest = max(map(len, data))
    assert batch["data"].shape == (4, longest)
    assert [row.tobytes() for row in batch["data"]] == [value.ljust(longest, b"\0") for value in data]
    with stoker.Loader(stk.path, 4, pad={"data": 6000}) as loader:
        assert next(iter(loader))["data"].shape == (4, 6000)


def test_several_files_and_splits(stk: Packed, photos: Path, tmp_path: Path, stoker_command: Any) -> None:
    with stoker.Loader([stk.path, str(stk.path)], 50) as loader:
        assert keys(loader) == [sample["key"] for sample in stk.samples] * 2
    stoker_command("pack", "--split", f"train={photos}", "--split", f"val={photos}", "-o", tmp_path / "both.stk", "--no-sync")
    with stoker.Loader(f"{tmp_path / 'both.stk'}:val") as loader:
        assert keys(loader) == [sample["key"] for sample in stk.samples]


def test_pictures(stk: Packed, tmp_path: Path, stoker_command: Any) -> None:
    from test_docs import png

    (tmp_path / "pictures" / "a").mkdir(parents=True)
    for i in range(4):
        (tmp_path / "pictures" / "a" / f"{i}.png").write_bytes(png(10 * i))
    stoker_command("pack", tmp_path / "pictures", "-o", tmp_path / "p.stk", "--no-sync")
    with stoker.Loader(tmp_path / "p.stk", transform="Resize((4,6))", layout="hwc") as loader:
        assert loader.schema["data"] == "uint8[4,6,3]"
        assert next(iter(loader))["data"][:, 0, 0, 0].tolist() == [0, 10, 20, 30]
    with stoker.Loader(tmp_path / "p.stk", transform="Resize((4,6))", dtype="float32") as loader:
        batch = next(iter(loader))
        assert batch["data"].shape == (4, 3, 4, 6) and batch["data"].dtype == np.float32
    with stoker.Loader(stk.path, transform="Resize((4,6))") as loader, pytest.raises(stoker.StokerError, match=r"p\.stk\]"):
        next(iter(loader))


def test_memory_takes_bytes_or_units(stk: Packed) -> None:
    for enough in (1 << 20, "64k", "1MiB", "1G"):
        with stoker.Loader(stk.path, 4, memory=enough) as loader:
            assert len(keys(loader)) == len(stk.samples)
    with pytest.raises(stoker.StokerError, match="memory takes a number of bytes such as 65536, 64k or 1MiB, not 'lots'"):
        stoker.Loader(stk.path, 4, memory="lots")
    for little in (100, "100", "100B"):
        with stoker.Loader(stk.path, 4, memory=little) as loader, pytest.raises(stoker.StokerError, match="100 "):
            next(iter(loader))


def test_a_loader_says_what_it_is_and_is_not(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, rank=1, world=2) as loader:
        assert repr(loader) == f"<stoker.Loader {stk.path}: batches of 4, rank 1 of 2>"
        with pytest.raises(stoker.StokerError, match=r"framework='torch'\) with batch_size=None"):
            loader[0]
