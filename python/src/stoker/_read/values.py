"""How the values of one field are found and read: the hot path. Each function here is made once for a field and then
called with sample numbers that are known to be in range."""

from __future__ import annotations

import math
import os
import stat
import struct
from typing import Any, Callable, List

import numpy as np

from .._errors import StokerError, damaged
from .blocks import Blocks
from .index import EXTENTS, SHAPES, VALUES, Field, Index

View = Callable[[int], memoryview]
Read = Callable[[int], Any]

#: Offset and length at once; two looks into a view cast to numbers take longer.
extent = struct.Struct("<QQ").unpack_from


def viewer(index: Index, field: Field, container: memoryview, path: str) -> View:
    """Gives the bytes of a value: where they lie, or read from their own file."""
    if field.place == "tree":
        return _tree_viewer(index, field, path)
    if field.place == "blocks":
        return _block_viewer(index, field, Blocks(index, container, path))
    place, file = (index.bytes, index.path) if field.place == "index" else (container, path)
    return _dense_viewer(index, field, container, path) if field.dense else _extent_viewer(index, field, place, file)


def dense_values(index: Index, field: Field, container: memoryview, path: str) -> memoryview:
    """All values of a dense field, one after another."""
    base, place, file = field.base, container, path
    if field.place == "blocks":
        return Blocks(index, container, path).read(base, index.count * field.type.width)
    if base < 0:
        base = index.section(VALUES, field.number).offset
    if field.base < 0 or field.place == "index":
        place, file = index.bytes, index.path
    end = base + index.count * field.type.width
    if end > len(place):
        raise damaged(
            file,
            f"{index.count} values of field '{field.name}' of {field.type.width} bytes each should lie inside the file's "
            f"{len(place)} bytes",
            offset=base,
        )
    return place[base:end]


def _dense_viewer(index: Index, field: Field, container: memoryview, path: str) -> View:
    values = dense_values(index, field, container, path)
    width = field.type.width

    def view(i: int) -> memoryview:
        return values[i * width : (i + 1) * width]

    return view


def _extent_viewer(index: Index, field: Field, place: memoryview, file: str) -> View:
    extents = index.section_bytes(index.section(EXTENTS, field.number))
    limit = len(place)

    def view(i: int) -> memoryview:
        start, end = extent(extents, 16 * i)
        end += start
        if end > limit:
            raise damaged(
                file,
                f"its value of {end - start} bytes in field '{field.name}' should lie inside the file's {limit} bytes; the "
                "Index is damaged or belongs to another file",
                i,
                start,
            )
        return place[start:end]

    return view


def _block_viewer(index: Index, field: Field, blocks: Blocks) -> View:
    if field.dense:
        base, width = field.base, field.type.width
        return lambda i: blocks.read(base + i * width, width)
    extents = index.section_bytes(index.section(EXTENTS, field.number))
    return lambda i: blocks.read(*extent(extents, 16 * i))


def _tree_viewer(index: Index, field: Field, path: str) -> View:
    extents = index.section_bytes(index.section(EXTENTS, field.number))
    key = next(f for f in index.fields if f.name == "key")
    key_view = viewer(index, key, memoryview(b""), path)
    root = os.fsencode(path)

    def view(i: int) -> memoryview:
        name = bytes(key_view(i))
        if not name or name.startswith(b"/") or b"\0" in name or b".." in name.split(b"/"):
            raise damaged(index.path, f"its key {name[:100]!r} should be a path below the folder {path}", i)
        start, length = extent(extents, 16 * i)
        return _read_part(os.path.join(root, name), start, length, i)

    return view


def _read_part(path: bytes, start: int, length: int, sample: int) -> memoryview:
    shown = os.fsdecode(path)
    try:
        # Not to wait for ever for the other end, should it be a pipe.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode) or start + length > found.st_size:
                raise damaged(
                    shown,
                    f"its value of {length} bytes should lie inside the file's {found.st_size} bytes; the folder was changed "
                    "since it was packed",
                    sample,
                    start,
                )
            parts: List[bytes] = []
            while length:
                part = os.pread(fd, length, start)
                if not part:
                    raise damaged(shown, f"the file ended while it was read; {length} bytes are missing", sample, start)
                parts.append(part)
                start += len(part)
                length -= len(part)
            return memoryview(parts[0] if len(parts) == 1 else b"".join(parts))
        finally:
            os.close(fd)
    except OSError as e:
        raise StokerError(f"[{shown}] sample {sample}: cannot be read: {e.strerror or e}") from e


def reader(index: Index, field: Field, view: View, views: bool) -> Read:
    """Gives a value as Python has it."""
    kind = field.type
    if kind.label == "bytes":
        return view if views else lambda i: bytes(view(i))
    if kind.label == "text":
        return _text_reader(index, field, view)
    if kind.label == "text[]":
        return _texts_reader(index, field, view)
    if kind.rank:
        return _array_reader(index, field, view)
    return _fixed_reader(index, field, view)


def _text_reader(index: Index, field: Field, view: View) -> Read:
    def read(i: int) -> str:
        try:
            return str(view(i), "utf-8")
        except UnicodeDecodeError as e:
            raise damaged(index.path, f"field '{field.name}' should be UTF-8: {e.reason} at its byte {e.start}", i) from e

    return read


def _texts_reader(index: Index, field: Field, view: View) -> Read:
    def read(i: int) -> List[str]:
        value = bytes(view(i))
        try:
            return decode_texts(value)
        except ValueError as e:
            raise damaged(index.path, f"field '{field.name}': {e}", i) from e

    return read


def decode_texts(value: bytes) -> List[str]:
    """The texts of a value of type text[]."""
    count = int.from_bytes(value[:4], "little")
    if len(value) < 4 + 4 * count:
        raise StokerError(f"a list of texts of {len(value)} bytes cannot hold {count} texts")
    texts, base, start = [], 4 + 4 * count, 0
    for number, end in enumerate(struct.unpack_from(f"<{count}I", value, 4)):
        if not start <= end <= len(value) - base:
            raise StokerError(
                f"text {number} of a list of {count} should end between {start} and {len(value) - base} but ends at {end}"
            )
        texts.append(value[base + start : base + end].decode("utf-8"))
        start = end
    return texts


def _array_reader(index: Index, field: Field, view: View) -> Read:
    shapes = index.words(SHAPES, field, "Q")
    rank, dtype = field.type.rank, field.type.dtype
    assert dtype is not None
    width = dtype.itemsize

    def read(i: int) -> np.ndarray:
        shape = shapes[i * rank : (i + 1) * rank].tolist()
        value = view(i)
        if math.prod(shape) * width != len(value):
            raise damaged(
                index.path,
                f"field '{field.name}' of shape {shape} should have {math.prod(shape) * width} bytes but has {len(value)}",
                i,
            )
        return new_array(index, field, shape, value)

    return read


def _fixed_reader(index: Index, field: Field, view: View) -> Read:
    width, shape = field.type.width, field.type.shape

    def read(i: int) -> Any:
        value = view(i)
        if len(value) != width:
            raise damaged(index.path, f"field '{field.name}' should have {width} bytes but has {len(value)}", i)
        # [()] makes a number of an array without dimensions.
        return new_array(index, field, shape, value)[()]

    return read


def new_array(index: Index, field: Field, shape: Any, data: memoryview) -> np.ndarray:
    """An array on memory that is known to have its size; a shape may still be one that NumPy cannot have."""
    try:
        array: np.ndarray = np.ndarray(shape, field.type.dtype, data)
        return array
    except (ValueError, TypeError, OverflowError) as e:
        raise damaged(index.path, f"field '{field.name}': NumPy has no array of shape {list(shape)}: {e}") from e
