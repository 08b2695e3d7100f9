"""Checksums, order, collate."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import Packed

import stoker
from stoker import _crc32c


def test_crc32c_known_value() -> None:
    assert _crc32c.crc32c(memoryview(b"123456789")) == 0xE3069283


@pytest.mark.parametrize("length", [0, 1, 3, 4, 2047, 2048, 2049, 4096, 80_001])
def test_crc32c_in_lanes_is_that_of_bytes(length: int, seed: int) -> None:
    data = memoryview(random.Random(seed).randbytes(length))
    expected = _crc32c._bytewise(0, data)
    assert _crc32c.crc32c(data) == expected
    if length >= 4:
        assert _crc32c._in_lanes(0, data) == expected


def test_crc32c_of_several_chunks(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    data = memoryview(random.Random(seed).randbytes(20_000))
    expected = _crc32c._bytewise(0, data)
    monkeypatch.setattr(_crc32c, "_CHUNK", 3001)
    assert _crc32c.crc32c(data) == expected


def test_order_is_the_golden_one() -> None:
    text = (Path(__file__).parents[2] / "docs/format/order.md").read_text("utf-8")
    rows = re.findall(r"^\| shuffled \| (\d+) \| (-?\d+) \| (\d+) \| ([\d, ]+) \|$", text, re.MULTILINE)
    assert len(rows) > 8
    for n, seed, epoch, samples in ((int(n), int(s), int(e), [int(x) for x in row.split(",")]) for n, s, e, row in rows):
        assert stoker.order(n, seed, epoch, [0, 1, 2, 3, n - 1]).tolist() == samples


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 1000, 65_537])
def test_order_is_a_permutation(n: int, seed: int) -> None:
    whole = stoker.order(n, seed, 3)
    assert sorted(whole.tolist()) == list(range(n))
    assert stoker.order(n, seed, 3, n - 1) == whole[-1]


def test_order_refuses() -> None:
    with pytest.raises(stoker.StokerError, match=r"an order has 1 to 2\^48 samples, not 0$"):
        stoker.order(0, 1)
    with pytest.raises(stoker.StokerError, match="positions should be from 0 to 9 but are from -1 to 3$"):
        stoker.order(10, 1, 0, [-1, 3])


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)


@pytest.mark.usefixtures("without_torch")
def test_collate(rich: Packed) -> None:
    batch = stoker.collate(stoker.open(rich.path, views=True)[:4])
    assert batch["width"].tolist() == [sample["width"] for sample in rich.samples[:4]]
    assert batch["width"].dtype == np.int64
    assert batch["title"] == [sample["title"] for sample in rich.samples[:4]]
    assert batch["captions"] == [sample["captions"] for sample in rich.samples[:4]]
    assert batch["data"] == [sample["data"] for sample in rich.samples[:4]]
    assert {type(data) for data in batch["data"]} == {bytes}


@pytest.mark.usefixtures("without_torch")
def test_collate_arrays() -> None:
    one = np.arange(6, dtype=np.uint8).reshape(2, 3)
    same = stoker.collate([{"a": one, "n": np.float32(1)}, {"a": one + 1, "n": np.float32(2)}])
    assert same["a"].shape == (2, 2, 3)
    assert same["a"].dtype == np.uint8
    assert same["n"].dtype == np.float32
    differ = stoker.collate([{"a": one}, {"a": one[:1]}])
    assert [a.shape for a in differ["a"]] == [(2, 3), (1, 3)]
