"""State files that are damaged, cut off or hostile."""

from __future__ import annotations

import contextlib
import json
import random
import struct
from pathlib import Path
from typing import Any, Dict, Iterator

import numpy as np
import pytest
from states import FIRST

import stoker


def write_raw(path: Path, header: Any, data: bytes = b"") -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def one(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> Dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def ours(tree: Any, **more: Any) -> Dict[str, Any]:
    about = {"version": 1, "world": 1, "tree": tree, "loader": None, **more}
    return {"__metadata__": {"stoker": json.dumps(about)}, "a": one()}


def damages() -> Iterator[Any]:
    data = b"1234"
    yield b"[]", data, "should be an object"
    yield b"{", data, "should be JSON"
    yield b'{"a": NaN}', data, "NaN is not JSON"
    yield b"[" * 100_000, data, "should be JSON"
    yield b'{"a":' + json.dumps(one()).encode() + b',"a":' + json.dumps(one()).encode() + b"}", data, "'a' is there twice"
    yield {"__metadata__": {"a": 1}}, b"", "one of texts"
    yield {"a": one(offsets=(0, 5))}, data + b"5", "should have 4 bytes"
    yield {"a": one(offsets=(1, 5))}, data + b"5", "have a gap"
    yield {"a": one(), "b": one(offsets=(3, 7))}, data + b"567", "overlap"
    yield {"a": one(), "b": one(offsets=(5, 9))}, data + b"56789", "gap"
    yield {"a": one()}, data + b"5", "something was appended"
    yield {"a": one()}, data[:3], "it is cut off"
    yield {"a": one(offsets=(-4, 0))}, b"", "should be two places"
    yield {"a": one(offsets=(0, 4.0))}, data, "should be two places"
    yield {"a": one(shape=(True, 4))}, data, "list of sizes"
    yield {"a": one(shape=(2**62, 2**62, 4))}, data, "should have"
    yield {"a": one("F4")}, data, "has the type F4; known are"
    yield {"a": one(["U8"])}, data, "has the type"
    yield {"a": {**one(), "more": 1}}, data, "should have dtype, shape and data_offsets"
    yield ours({}, version=2), data, "is a state of version 2, but known is 1"
    yield ours({"x": {"$tensor": "b"}}), data, r"\['x'\]: \$tensor cannot be read"
    yield ours({"x": {"$tensor": ["a"]}}), data, "cannot be read"
    yield ours({"x": {"$tensor": "a"}, "y": {"$tensor": "a"}}), data, r"\['y'\]: tensor 'a' should have one place but has two"
    yield ours({"x": {"$tensor": "a", "dim": 5}}), data, "dim"
    yield ours({"x": {"$float": "1"}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[{"$tuple": [[]]}, 1]]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [1]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[1, 2, 3]]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[{"$tensor": "a"}, 1]]}}), data, r"\['x'\]: a key should be text, .* but is a tensor"
    yield ours({"x": {"$bytes": "?"}}), data, "cannot be read"
    yield ours({"x": {"$complex": ["a"]}}), data, "cannot be read"
    yield ours({"x": {"$new": 1}}), data, "unknown; the file is damaged, or from a newer"
    yield ours([]), data, "should be a dict"
    yield {"__metadata__": {"stoker": "{NaN}"}}, b"", "should be JSON"


@pytest.mark.parametrize("header, data, text", list(damages()))
def test_damaged(tmp_path: Path, header: Any, data: bytes, text: str) -> None:
    path = write_raw(tmp_path / "s-1.safetensors", header, data)
    with pytest.raises(stoker.StokerError, match=text):
        stoker.load(path, 1, 2)


@pytest.mark.parametrize("size", [0, 7, 8, 20])
def test_cut_off(tmp_path: Path, size: int) -> None:
    stoker.save(FIRST, tmp_path / "s.safetensors")
    path = tmp_path / "s.safetensors"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(stoker.StokerError, match="s.safetensors"):
        stoker.load(path)
    path.write_bytes(struct.pack("<Q", 2**63) + bytes(100))
    with pytest.raises(stoker.StokerError, match="does not fit into 108"):
        stoker.load(path)


def test_random_damage_never_crashes(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "s.safetensors"
    stoker.save({**FIRST, "t": (1, 2.5, None), 3: np.ones(3, np.int8)}, path)
    good = path.read_bytes()
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        path.write_bytes(bad)
        with contextlib.suppress(stoker.StokerError):
            stoker.load(path, chance.randrange(2), 2, mmap=chance.random() < 0.5)
