"""How a data set is used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

import numpy as np
import pytest
from conftest import Packed, make_photos

import stoker


def test_numbers_of_samples(packed: Packed) -> None:
    ds, samples = stoker.open(packed.path), packed.samples
    assert ds[-1] == samples[-1]
    assert ds[-len(ds)] == samples[0]
    assert ds[np.int64(4)] == samples[4]
    assert ds[2:9:3] == samples[2:9:3]
    assert ds[::-1] == samples[::-1]
    assert ds[100:] == []
    assert ds[[3, 1, -2]] == [samples[3], samples[1], samples[-2]]
    assert ds[np.array([3, 1])] == [samples[3], samples[1]]
    assert ds[range(2)] == samples[:2]


@pytest.mark.parametrize("i", [21, -22, 2**70, -(2**70)])
def test_number_out_of_range(stk: Packed, i: int) -> None:
    ds = stoker.open(stk.path)
    sentence = re.escape(f"[{stk.path}] there is no sample {i}: it has 21 samples, counted from 0") + "$"
    for use in (
        lambda: ds[i],
        lambda: ds[[i]],
        lambda: ds.view(i, "data"),
        lambda: ds.verify(i),
        lambda: ds.fields["data"][i],
    ):
        with pytest.raises(IndexError, match=sentence):
            use()


def test_a_mask_is_not_taken_for_numbers(stk: Packed) -> None:
    ds = stoker.open(stk.path)
    for mask in ([True, False], np.array([True, False])):
        with pytest.raises(TypeError, match=r"by their numbers, not by a mask; numpy.flatnonzero\(mask\) gives the numbers"):
            ds[mask]
    with pytest.raises(KeyError, match="has no sample with key 'data'"):
        ds["data"]
    with pytest.raises(TypeError):
        ds[1.0]


def test_fields(packed: Packed) -> None:
    ds = stoker.open(packed.path)
    label = ds.fields["label"]
    assert isinstance(label, np.ndarray)
    assert not label.flags.writeable
    assert label.tolist() == [sample["label"] for sample in packed.samples]
    data = ds.fields["data"]
    assert isinstance(data, stoker.Column)
    assert len(data) == len(ds)
    assert data.type == "bytes"
    assert data[-1] == packed.samples[-1]["data"]
    assert data[1:3] == [packed.samples[1]["data"], packed.samples[2]["data"]]
    assert data.lengths.tolist() == [len(sample["data"]) for sample in packed.samples]
    assert list(ds.fields["key"]) == [sample["key"] for sample in packed.samples]


def test_some_fields_in_their_order(stk: Packed) -> None:
    ds = stoker.open(str(stk.path), fields=("label", "data"))
    assert list(ds[0]) == list(ds.schema) == list(ds.fields) == ["label", "data"]


def test_wrong_names(stk: Packed) -> None:
    with pytest.raises(
        stoker.StokerError, match=re.escape(f"[{stk.path}] has no field 'image'; its fields are key, data, label") + "$"
    ):
        stoker.open(stk.path, fields=["image"])
    with pytest.raises(stoker.StokerError, match=r"fields should be a list of names, such as \['data'\]$"):
        stoker.open(stk.path, fields="data")
    with pytest.raises(stoker.StokerError, match=re.escape(f"[{stk.path}] has no split 'val'; its splits are none") + "$"):
        stoker.open(stk.path, split="val")


def test_splits(tmp_path: Path, stoker_command: Callable[..., str], seed: int) -> None:
    train, val = make_photos(tmp_path / "train", seed), make_photos(tmp_path / "val", seed + 1)
    path = tmp_path / "both.stk"
    stoker_command("pack", "--split", f"train={tmp_path / 'train'}", "--split", f"val={tmp_path / 'val'}", "-o", path)
    ds = stoker.open(path, split="val")
    assert ds.splits == {"train": range(0, 21), "val": range(21, 42)}
    assert list(ds) == val
    assert ds[-21] == val[0]
    assert ds.fields["label"].tolist() == [sample["label"] for sample in val]
    assert ds.fields["data"][0] == val[0]["data"]
    assert ds.fields["data"].lengths.tolist() == [len(sample["data"]) for sample in val]
    assert bytes(ds.view(0, "data")) == val[0]["data"]
    ds.verify(20)
    with pytest.raises(IndexError):
        ds[21]
    assert list(stoker.open(path)) == train + val
    with pytest.raises(stoker.StokerError, match="has no split 'test'; its splits are train, val$"):
        stoker.open(path, split="test")


def test_read_into(packed: Packed) -> None:
    ds = stoker.open(packed.path)
    buffer = bytearray(5000)
    for i, sample in enumerate(packed.samples):
        assert ds.read_into(i, "data", buffer) == len(sample["data"])
        assert buffer[: len(sample["data"])] == sample["data"]
    array = np.zeros((10, 125), np.float32)
    assert array.tobytes()[: ds.read_into(0, "data", array)] is not None
    assert array.tobytes().startswith(packed.samples[0]["data"])
    longest = int(np.argmax(ds.fields["data"].lengths))
    size = len(packed.samples[longest]["data"])
    with pytest.raises(
        stoker.StokerError, match=f"sample {longest}: field 'data' has {size} bytes but the buffer has room for 3$"
    ):
        ds.read_into(longest, "data", bytearray(3))


def test_a_view_outlives_its_data_set(stk: Packed) -> None:
    view = stoker.open(stk.path, views=True)[0]["data"]
    label = stoker.open(stk.path).fields["label"]
    assert view == stk.samples[0]["data"]
    assert label[-1] == 2


def test_relative_path(stk: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(stk.path.parent)
    ds = stoker.open(stk.path.name)
    monkeypatch.chdir(tmp_path)
    assert ds.path == str(stk.path)
    assert repr(ds) == f"<stoker.Dataset {stk.path}: 21 samples of key: text, data: bytes, label: int64>"
