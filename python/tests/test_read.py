"""What was packed is what is read, from every format and of every type."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any, Callable, List

import numpy as np
import pytest
from conftest import CLASSES, Packed

import stoker


def test_every_sample_is_as_packed(packed: Packed) -> None:
    ds = stoker.open(packed.path)
    assert len(ds) == len(packed.samples)
    assert list(ds) == packed.samples
    assert ds.classes == CLASSES
    assert ds.schema == {"key": "text", "data": "bytes", "label": "int64"}
    assert ds.format == packed.path.suffix[1:]
    assert ds.splits == {}
    ds.verify()


def test_types_of_values(packed: Packed) -> None:
    sample = stoker.open(packed.path)[0]
    assert {name: type(value) for name, value in sample.items()} == {"key": str, "data": bytes, "label": np.int64}


def test_views_are_not_copies(packed: Packed) -> None:
    ds = stoker.open(packed.path, views=True)
    for sample, expected in zip(ds, packed.samples):
        assert isinstance(sample["data"], memoryview)
        assert sample["data"].readonly
        assert sample["data"] == expected["data"]


def test_numbers_texts_and_lists(rich: Packed) -> None:
    ds = stoker.open(rich.path)
    assert ds.schema["width"] == "int64"
    assert ds.schema["score"] == "float64"
    assert ds.schema["captions"] == "text[]"
    fields = list(rich.samples[0])
    assert list(stoker.open(rich.path, fields=fields)) == rich.samples
    assert list(ds.fields["captions"]) == [sample["captions"] for sample in rich.samples]
    assert ds.fields["width"].tolist() == [sample["width"] for sample in rich.samples]
    ds.verify()


@pytest.mark.parametrize("format", ["stk", "arrow", "tar"])
@pytest.mark.parametrize("is_ragged", [False, True])
def test_arrays(format: str, is_ragged: bool, seed: int, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    chance = np.random.default_rng(seed)
    source = tmp_path / "source"
    source.mkdir()
    arrays = []
    for i in range(12):
        shape = (3, int(chance.integers(0, 9)) if is_ragged else 5)
        arrays.append(chance.random(shape, np.float32))
        np.save(source / f"{i:02}.npy", arrays[-1])
    path = tmp_path / f"a.{format}"
    stoker_command("pack", source, "-o", path, "--labels", "none", "--no-sync")
    ds = stoker.open(path)
    assert ds.schema["data"] == ("float32[*,*]" if is_ragged else "float32[3,5]")
    for sample, expected in zip(ds, arrays):
        assert sample["data"].dtype == np.float32
        np.testing.assert_array_equal(sample["data"], expected)
        assert not sample["data"].flags.writeable
    if is_ragged:
        with pytest.raises(stoker.StokerError, match="is not one array: its values differ in length; take them one by one"):
            np.asarray(ds.fields["data"])
    else:
        np.testing.assert_array_equal(np.asarray(ds.fields["data"]), arrays)
    ds.verify()


def test_other_number_type(photos: Path, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    path = tmp_path / "p.arrow"
    stoker_command("pack", photos, "-o", path, "--type", "label=uint16", "--name", "data=image_data", "--rows-per-batch", 1)
    ds = stoker.open(path)
    assert ds.schema == {"key": "text", "data": "bytes", "label": "uint16"}
    assert ds.fields["label"].dtype == np.uint16


@pytest.mark.skipif("STOKER_RANDOM" not in os.environ, reason="needs containers of random schemas, which ./check makes")
def test_random_schemas() -> None:
    """Containers of random schemas; expected.json beside each has the canonical bytes of every value."""
    paths = sorted(Path(os.environ["STOKER_RANDOM"]).glob("*.json"))
    assert paths
    for file in paths:
        expected = json.loads(file.read_text("utf-8"))
        ds = stoker.open(file.with_suffix(""))
        assert ds.schema == dict(expected["schema"]), file
        assert {name: [r.start, r.stop] for name, r in ds.splits.items()} == expected["splits"], file
        assert len(ds) == len(expected["samples"])
        for i, values in enumerate(expected["samples"]):
            for name, value in zip(ds.schema, values):
                assert bytes(ds.view(i, name)).hex() == value["bytes"], (file, i, name)
                assert canonical(ds[i][name]).hex() == value["bytes"], (file, i, name)
                if "shape" in value:
                    assert list(ds[i][name].shape) == value["shape"], (file, i, name)
        assert [sorted(sample) for sample in ds] == [sorted(ds.schema)] * len(ds)
        ds.verify()


def canonical(value: Any) -> bytes:
    """A value's bytes as docs/format/index.md has them."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, list):
        texts = [text.encode() for text in value]
        ends: List[int] = []
        for text in texts:
            ends.append((ends[-1] if ends else 0) + len(text))
        return struct.pack(f"<I{len(ends)}I", len(ends), *ends) + b"".join(texts)
    return value if isinstance(value, bytes) else value.tobytes()
