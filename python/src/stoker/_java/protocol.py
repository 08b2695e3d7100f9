"""The messages between a loader and the reader process, as docs/format/batch-exchange.md has them."""

from __future__ import annotations

import json
import struct
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .._errors import StokerError

PROTOCOL = 3

HELLO, OPEN, START, NEXT, COLLECT, APPEND, FLUSH, DONE, SEAL, REPORT, WITHDRAW, HANDED_ON = range(1, 13)
WELCOME, OPENED, STARTED, BATCH, ERROR, COLLECTING, FLUSHED, SEALED, REPORTED, RECORDED = range(65, 75)

HEADER = struct.Struct("<II")
_BATCH = struct.Struct("<IIqIIII")
_PLACE = struct.Struct("<qqqqq")
_LAST_OF_EPOCH = 1
_WARNED = 2
_END = 4
_HAS_ROWS = 8
_ROW = np.dtype([("sample", "<i8"), ("dataset", "<u4"), ("repeat", "<u4")])


class FieldPlace(NamedTuple):
    """Where a field of a batch lies, in bytes from the beginning of its block; -1 is none."""

    values_at: int
    size: int
    width: int
    offsets_at: int
    shapes_at: int


class BatchMessage(NamedTuple):
    """Where a batch lies, and where the job stands after it (JSON, as a saved position)."""

    samples: int
    is_last: bool
    epoch: int
    block: int
    freed: Tuple[int, ...]
    places: List[FieldPlace]
    position: bytes
    #: Whether the reader process has something to tell: REPORT asks for it.
    is_warned: bool = False
    #: Whether there is no batch: this rank has nothing more to deliver of the epoch.
    is_end: bool = False
    #: Which samples they are (``sample``, ``dataset``, ``repeat``), if that was asked for.
    rows: Optional[np.ndarray] = None


def encode(kind: int, payload: bytes = b"") -> bytes:
    """A message as it goes over the socket."""
    return HEADER.pack(kind, len(payload)) + payload


def encode_json(kind: int, value: Dict[str, Any]) -> bytes:
    return encode(kind, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


_NEXT = encode(NEXT)


def encode_next(given_back: Sequence[int]) -> bytes:
    """The request for a batch.

    :param given_back: the blocks that nothing refers to any more
    """
    return encode(NEXT, struct.pack(f"<{len(given_back)}I", *given_back)) if given_back else _NEXT


def decode_batch(payload: bytes) -> BatchMessage:
    """Reads the payload of a BATCH."""
    try:
        samples, flags, epoch, block, freed_count, fields, position_size = _BATCH.unpack_from(payload)
        freed_at = _BATCH.size + _PLACE.size * fields
        rows_at = freed_at + 4 * freed_count
        row_count = samples if flags & _HAS_ROWS else 0
        position_at = rows_at + _ROW.itemsize * row_count
        if len(payload) != position_at + position_size:
            raise StokerError(f"a batch message should have {position_at + position_size} bytes but has {len(payload)}")
        places = [FieldPlace._make(place) for place in _PLACE.iter_unpack(payload[_BATCH.size : freed_at])]
        freed = struct.unpack_from(f"<{freed_count}I", payload, freed_at)
    except struct.error as e:
        raise StokerError(f"a batch message of {len(payload)} bytes is too short: {e}") from e
    is_last, is_warned, is_end = bool(flags & _LAST_OF_EPOCH), bool(flags & _WARNED), bool(flags & _END)
    rows = np.frombuffer(payload, _ROW, row_count, rows_at) if flags & _HAS_ROWS else None
    return BatchMessage(samples, is_last, epoch, block, freed, places, payload[position_at:], is_warned, is_end, rows)
