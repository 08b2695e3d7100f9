"""The bytes of a state file, which is plain safetensors: u64 length of the header, the header as JSON, the tensors without
gaps.

Tensors come by the size of their type, the largest first, then by name, and the header is padded with blanks to a multiple of
8: so every tensor is aligned for its type in a mapped file, although the format allows no gaps.
"""

from __future__ import annotations

import json
import math
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Set, Tuple

from .._errors import StokerError, damaged

#: The name of each type, as NumPy and torch call it, and its bytes.
TYPES: Dict[str, Tuple[str, int]] = {
    "C64": ("complex64", 8),
    "F64": ("float64", 8),
    "I64": ("int64", 8),
    "U64": ("uint64", 8),
    "F32": ("float32", 4),
    "I32": ("int32", 4),
    "U32": ("uint32", 4),
    "BF16": ("bfloat16", 2),
    "F16": ("float16", 2),
    "I16": ("int16", 2),
    "U16": ("uint16", 2),
    "BOOL": ("bool", 1),
    "F8_E4M3": ("float8_e4m3fn", 1),
    "F8_E5M2": ("float8_e5m2", 1),
    "I8": ("int8", 1),
    "U8": ("uint8", 1),
}
METADATA = "__metadata__"
#: What the format's own library reads at most.
MAX_HEADER_BYTES = 100_000_000
_LENGTH_BYTES = 8

Shape = Tuple[int, ...]


class Stored(NamedTuple):
    """A tensor in a file: `begin` and `end` are counted from the beginning of the file."""

    dtype: str
    shape: Shape
    begin: int
    end: int


class Layout(NamedTuple):
    """The places of all tensors; `head` is what stands before them."""

    head: bytes
    tensors: Dict[str, Stored]
    size: int


def bytes_of(dtype: str, shape: Shape) -> int:
    return math.prod(shape) * TYPES[dtype][1]


def plan_layout(path: str, tensors: Mapping[str, Tuple[str, Shape]], metadata: Mapping[str, str]) -> Layout:
    """Finds the place of each tensor; a pure function of names, types and shapes."""
    header: Dict[str, Any] = {METADATA: dict(metadata)} if metadata else {}
    end = 0
    for name in sorted(tensors, key=lambda name: (-TYPES[tensors[name][0]][1], name)):
        dtype, shape = tensors[name]
        begin, end = end, end + bytes_of(dtype, shape)
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > MAX_HEADER_BYTES:
        raise StokerError(
            f"[{path}] names and values that are no tensors take {len(text)} bytes but may take {MAX_HEADER_BYTES}; keep large "
            "lists of numbers as arrays"
        )
    head = len(text).to_bytes(_LENGTH_BYTES, "little") + text
    places = {name: _stored(one, len(head)) for name, one in header.items() if name != METADATA}
    return Layout(head, places, len(head) + end)


def _stored(one: Mapping[str, Any], start: int) -> Stored:
    begin, end = one["data_offsets"]
    return Stored(one["dtype"], tuple(one["shape"]), start + begin, start + end)


def read_layout(path: str, fd: int) -> Tuple[Dict[str, Stored], Dict[str, str]]:
    """Reads the header of a file by anybody: tensors and metadata. Every place is checked, so that none lies outside the file,
    none overlaps another, and none is missing."""
    size = os.fstat(fd).st_size
    head = os.pread(fd, _LENGTH_BYTES, 0)
    length = int.from_bytes(head, "little")
    if len(head) < _LENGTH_BYTES or length > size - _LENGTH_BYTES:
        raise damaged(
            path, f"a header of {length} bytes does not fit into {size}; the file is cut off, or not safetensors", None, 0
        )
    if length > MAX_HEADER_BYTES:
        raise damaged(
            path, f"the header has {length} bytes but may have {MAX_HEADER_BYTES}; the file is not safetensors", None, 0
        )
    text = bytearray()
    while len(text) < length:
        part = os.pread(fd, length - len(text), _LENGTH_BYTES + len(text))
        if not part:
            raise damaged(path, "the file became shorter while it was read", None, _LENGTH_BYTES + len(text))
        text += part
    header = parse_json(path, bytes(text))
    metadata = header.pop(METADATA, {}) if isinstance(header, dict) else None
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise damaged(path, f"the header should be an object, and its {METADATA} one of texts, but is not", None, _LENGTH_BYTES)
    start = _LENGTH_BYTES + length
    tensors = {name: _stored(_checked(path, name, one), start) for name, one in header.items()}
    _require_no_gaps(path, tensors, start, size)
    return tensors, metadata


def parse_json(path: str, text: Any) -> Any:
    """Strict: no NaN, no name twice in an object."""

    def once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: Set[str] = set()
            twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise ValueError(f"'{twice[:100]}' is there twice")
        return found

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError) as e:
        raise damaged(path, f"the header should be JSON but is not: {e}", None, _LENGTH_BYTES) from None


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _checked(path: str, name: str, one: Any) -> Mapping[str, Any]:
    shown = name[:200]
    if not isinstance(one, dict) or set(one) != {"dtype", "shape", "data_offsets"}:
        raise damaged(path, f"tensor '{shown}' should have dtype, shape and data_offsets but does not", None, _LENGTH_BYTES)
    dtype, shape, offsets = one["dtype"], one["shape"], one["data_offsets"]
    if not isinstance(shape, list) or not all(map(_is_size, shape)):
        raise damaged(path, f"tensor '{shown}': its shape should be a list of sizes", None, _LENGTH_BYTES)
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_size, offsets)):
        raise damaged(path, f"tensor '{shown}': data_offsets should be two places", None, _LENGTH_BYTES)
    if not isinstance(dtype, str) or dtype not in TYPES:
        raise StokerError(f"[{path}] tensor '{shown}' has the type {str(dtype)[:50]}; known are {', '.join(TYPES)}")
    if offsets[1] - offsets[0] != bytes_of(dtype, tuple(shape)):
        raise damaged(
            path,
            f"tensor '{shown}', {dtype} {shape}, should have {bytes_of(dtype, tuple(shape))} bytes but its data_offsets are "
            f"{offsets}",
            None,
            _LENGTH_BYTES,
        )
    return one


def _require_no_gaps(path: str, tensors: Mapping[str, Stored], start: int, size: int) -> None:
    end, before = start, "the header"
    for name, one in sorted(tensors.items(), key=lambda item: (item[1].begin, item[1].end)):
        if one.begin != end:
            what = "overlap" if one.begin < end else "have a gap between them"
            raise damaged(
                path, f"{before} and tensor '{name[:200]}' {what}: one ends at {end}, the other begins at {one.begin}"
            )
        end, before = one.end, f"tensor '{name[:200]}'"
    if end != size:
        raise damaged(path, f"the file has {size} bytes but its tensors end at {end}; it is cut off, or something was appended")
