"""A batch where it lies in shared memory: NumPy arrays, and `Ragged` for values that differ in length."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from .._java.protocol import BatchMessage, FieldPlace
from .._types import FieldType
from .ragged import Ragged


def make_batch(fields: List[Tuple[str, FieldType]], message: BatchMessage, memory: Any) -> Dict[str, Any]:
    """The fields of a batch as arrays on its memory."""
    return {
        name: (_ragged if place.width < 0 else _dense)(kind, place, message.samples, memory)
        for (name, kind), place in zip(fields, message.places)
    }


#: What a field, or a whole batch, may take to be copied, in bytes: a copy takes no longer than making a lease.
SMALL = 16 << 10
#: A field is small only if the batch is at least this many times as large.
_PART = 8


def own_small_fields(batch: Dict[str, Any]) -> Dict[str, Any]:
    """A batch whose small fields have memory of their own: keeping the labels must not keep the pictures."""
    sizes = {name: value.nbytes if isinstance(value, (np.ndarray, Ragged)) else 0 for name, value in batch.items()}
    total = sum(sizes.values())
    most = total if total <= SMALL else min(SMALL, total // _PART)
    return {name: value.copy() if 0 < sizes[name] <= most else value for name, value in batch.items()}


def _array(shape: Any, dtype: Any, memory: Any, at: int) -> np.ndarray:
    return np.ndarray(shape, dtype, memory, at) if memory else np.empty(shape, dtype)


def _dense(kind: FieldType, place: FieldPlace, samples: int, memory: Any) -> np.ndarray:
    if kind.dtype is None:
        return _array((samples, place.width), np.uint8, memory, place.values_at)
    if kind.rank:  # padded arrays of one dimension
        return _array((samples, place.width // kind.dtype.itemsize), kind.dtype, memory, place.values_at)
    return _array((samples, *kind.shape), kind.dtype, memory, place.values_at)


def _ragged(kind: FieldType, place: FieldPlace, samples: int, memory: Any) -> Ragged:
    dtype = np.dtype(np.uint8) if kind.dtype is None else kind.dtype
    values = _array(place.size // dtype.itemsize, dtype, memory, place.values_at)
    offsets = _array(samples + 1, np.int64, memory, place.offsets_at) if memory else np.zeros(samples + 1, np.int64)
    if dtype.itemsize > 1:
        offsets = offsets // dtype.itemsize
    values = values[: offsets[-1]]  # a repeated sample may be left out at the end
    shapes = _array((samples, kind.rank), np.int64, memory, place.shapes_at) if kind.rank else None
    return Ragged(kind, values, offsets, shapes)
