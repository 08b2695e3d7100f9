"""The types of fields, as docs/format/index.md has them, and that of paths."""

from __future__ import annotations

import math
import os
from typing import NamedTuple, Optional, Tuple, Union

import numpy as np

from ._errors import StokerError

Path = Union[str, "os.PathLike[str]"]

NUMBERS = (
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bool",
)


class FieldType(NamedTuple):
    """The type of a field.

    `dtype` is None for bytes, text and text[]; `shape` is () for a number; `rank` is 0 unless each sample has a shape of
    its own; `width` is the number of bytes of a value, -1 where it varies.
    """

    label: str
    dtype: Optional[np.dtype] = None
    shape: Tuple[int, ...] = ()
    rank: int = 0
    width: int = -1


def parse_type(label: str) -> FieldType:
    """Reads `bytes`, `text`, `text[]`, `int64`, `float32[3,224,224]` or `float32[*,*]`."""
    if label in ("bytes", "text", "text[]"):
        return FieldType(label)
    name, bracket, rest = label.partition("[")
    if name not in NUMBERS or (bracket and not rest.endswith("]")):
        raise _unreadable(label)
    dtype = np.dtype(name)
    if not bracket:
        return FieldType(label, dtype, (), 0, dtype.itemsize)
    dimensions = rest[:-1].split(",")
    if all(d == "*" for d in dimensions):
        return FieldType(label, dtype, (), len(dimensions), -1)
    # No number of 20 digits is a dimension, and int() of millions of digits takes its time.
    if not all(d.isascii() and d.isdigit() and len(d) < 20 for d in dimensions):
        raise _unreadable(label)
    shape = tuple(int(d) for d in dimensions)
    return FieldType(label, dtype, shape, 0, math.prod(shape) * dtype.itemsize)


def _unreadable(label: str) -> StokerError:
    return StokerError(
        f"unknown field type '{label[:100]}'; valid are bytes, text, text[], a number type such as int64 or float32, and "
        "arrays of numbers such as float32[3,224,224] or float32[*,*]"
    )
