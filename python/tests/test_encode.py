"""Values as containers hold them, and what is refused."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import stoker
from stoker._read.values import decode_texts
from stoker._types import NUMBERS, parse_type
from stoker._write.sample_encoder import SampleEncoder, encoder, infer_schema


def encode(label: str, value: Any) -> Any:
    return encoder("x", parse_type(label))(value)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_come_back(name: str, seed: int) -> None:
    chance = random.Random(seed)
    dtype = np.dtype(name)
    for shape in ((), (3,), (2, 0, 4), (2, 3, 4)):
        array = np.frombuffer(chance.randbytes(dtype.itemsize * int(np.prod(shape))), "u1")
        array = (array % 2 if name == "bool" else array).view(dtype).reshape(shape)
        stars = ",".join("*" * array.ndim)
        assert encode(f"{name}[{stars}]" if shape else name, array) == (array.tobytes(), shape)
        fixed = ",".join(map(str, shape))
        # The transposed memory and the other byte order have the same values.
        turned = array.astype(dtype.newbyteorder(">"), order="F")
        assert encode(f"{name}[{fixed}]" if shape else name, turned) == (array.tobytes(), ())
        assert infer_schema({"x": array}) == {"x": f"{name}[{stars}]" if shape else name}


def test_texts_and_bytes() -> None:
    assert encode("text", "数") == ("数".encode(), ())
    for texts in ([], ["", "é", "abc"]):
        assert decode_texts(bytes(encode("text[]", texts)[0])) == texts
    for value in (b"ab", bytearray(b"ab"), memoryview(b"ab"), memoryview(np.array([0x6261], "<u2"))):
        assert bytes(encode("bytes", value)[0]) == b"ab"


def test_python_numbers_fit() -> None:
    assert encode("float32", 0.1) == (np.float32(0.1).tobytes(), ())
    assert encode("uint8", 255) == (b"\xff", ())
    assert encode("uint64", 2**64 - 1) == (b"\xff" * 8, ())
    assert encode("float16[*]", [1, 2]) == (np.array([1, 2], "f2").tobytes(), (2,))
    assert encode("float32", float("nan"))[0] == np.float32("nan").tobytes()
    assert encode("float32[*]", []) == (b"", (0,))


@pytest.mark.parametrize(
    ("label", "value", "message"),
    [
        ("bytes", "text", "field 'x' should be bytes but is str 'text'"),
        ("text", b"abc", "should be text but is bytes"),
        ("text", "\ud800", "has no UTF-8 form"),
        ("text[]", "abc", r"should be text\[\] but is str 'abc'"),
        ("text[]", ["a", 1], "but is int64 1"),
        ("uint8", 256, "should be uint8 but is int64 256, which uint8 does not hold"),
        ("uint8", -1, "which uint8 does not hold"),
        ("int64", 2**63, "which int64 does not hold"),
        ("uint64", -1, "which uint64 does not hold"),
        ("int64", 1.0, "should be int64 but is float64 1.0"),
        ("int64", True, "is bool True"),
        ("bool", 1, "should be bool but is int64 1"),
        ("float32", 1e300, "which float32 does not hold"),
        ("float32", 2**24 + 1, "which float32 does not hold"),
        ("float32", None, "is NoneType 'None'"),
        ("float32[2]", np.zeros(3, "f4"), r"should be float32\[2\] but is float32\[3\]"),
        ("float32[*,*]", np.zeros(3, "f4"), r"should be float32\[\*,\*\] but is float32\[3\]"),
        ("float32", np.zeros(1, "f4"), r"should be float32 but is float32\[1\]"),
        ("float32[*]", [[1], [2, 3]], "is list"),
        ("float32[*]", np.array([1 + 2j]), "is ndarray"),
        ("int64[*]", np.ma.masked_equal([1, 2], 2), r"should be int64\[\*\] but is MaskedArray '\[1 --\]'"),
    ],
)
def test_what_does_not_fit(label: str, value: Any, message: str) -> None:
    with pytest.raises(stoker.StokerError, match=message):
        encode(label, value)


def test_inferred_types() -> None:
    sample = {"a": b"", "b": "", "c": ["x"], "d": 1, "e": 1.5, "f": True, "g": np.float16(1), "h": [[1.5]]}
    sample["i"] = np.zeros((), "u2")
    assert infer_schema(sample) == {
        "a": "bytes",
        "b": "text",
        "c": "text[]",
        "d": "int64",
        "e": "float64",
        "f": "bool",
        "g": "float16",
        "h": "float64[*,*]",
        "i": "uint16",
    }


@pytest.mark.parametrize("value", [None, [], {}, object(), [["a"]], 1j])
def test_what_has_no_type(value: Any) -> None:
    with pytest.raises(stoker.StokerError, match="the type of field 'x' cannot be told from"):
        infer_schema({"x": value})


def test_fields_of_a_sample() -> None:
    samples = SampleEncoder({"a": "int8", "b": "text"})
    assert samples.encode({"b": "é", "a": 3}, 7) == bytes.fromhex("0700000000000000 0100000000000000 0200000000000000 03 c3a9")
    with pytest.raises(stoker.StokerError, match="should have the fields a, b but lacks b and has c"):
        samples.encode({"a": 1, "c": 2}, 0)
    with pytest.raises(stoker.StokerError, match="but has c"):
        samples.encode({"a": 1, "b": "", "c": 2}, 0)
    with pytest.raises(stoker.StokerError, match="should be a dict of names and values but is a tuple"):
        samples.encode((1, ""), 0)
    with pytest.raises(stoker.StokerError, match="unknown field type 'int'"):
        SampleEncoder({"a": "int"})
    with pytest.raises(stoker.StokerError, match="at least one field"):
        SampleEncoder({})
