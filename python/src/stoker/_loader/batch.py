"""A batch where it lies in shared memory: NumPy arrays, and `Ragged` for values that differ in length."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .._java.protocol import BatchMessage, FieldPlace
from .._types import FieldType
from .lease import Guarded, Lease, poison
from .ragged import Ragged


class CurrentBatch:
    """The batch that a loader delivered last. It is valid until the next one is asked for.

    :param is_checked: the debug mode: using it later raises
    """

    def __init__(self, is_checked: bool) -> None:
        self._is_checked = is_checked
        self._lease: Optional[Lease] = None
        self._memory: Any = b""
        self._message: Optional[BatchMessage] = None

    def replace(self, fields: List[Tuple[str, FieldType]], message: BatchMessage, memory: Any) -> Dict[str, Any]:
        """The fields of the next batch, as arrays on its memory; none at the end of an epoch."""
        self._memory, self._message = memory, message
        if message.is_end:
            return {}
        if self._is_checked:
            self._lease = Lease()
        return _make_batch(fields, message, memory, self._lease)

    def expire(self) -> None:
        """From here on the batch is not valid."""
        if self._lease is not None:
            self._lease.alive = False
            self._lease = None
            if self._message is not None:
                poison(self._memory, self._message)
        self._memory, self._message = b"", None


def _make_batch(
    fields: List[Tuple[str, FieldType]], message: BatchMessage, memory: Any, lease: Optional[Lease]
) -> Dict[str, Any]:
    """The fields of a batch as arrays on its memory; with a lease, as arrays that check it."""
    batch: Dict[str, Any] = {}
    for (name, kind), place in zip(fields, message.places):
        if place.width < 0:
            batch[name] = _ragged(kind, place, message.samples, memory, lease)
        else:
            array = _dense(kind, place, message.samples, memory)
            if lease is not None:
                array = array.view(Guarded)
                array._lease = lease  # type: ignore[attr-defined]
            batch[name] = array
    return batch


def _array(shape: Any, dtype: Any, memory: Any, at: int) -> np.ndarray:
    return np.ndarray(shape, dtype, memory, at) if memory else np.empty(shape, dtype)


def _dense(kind: FieldType, place: FieldPlace, samples: int, memory: Any) -> np.ndarray:
    if kind.dtype is None:
        return _array((samples, place.width), np.uint8, memory, place.values_at)
    if kind.rank:  # padded arrays of one dimension
        return _array((samples, place.width // kind.dtype.itemsize), kind.dtype, memory, place.values_at)
    return _array((samples, *kind.shape), kind.dtype, memory, place.values_at)


def _ragged(kind: FieldType, place: FieldPlace, samples: int, memory: Any, lease: Optional[Lease]) -> Ragged:
    dtype = np.dtype(np.uint8) if kind.dtype is None else kind.dtype
    values = _array(place.size // dtype.itemsize, dtype, memory, place.values_at)
    offsets = _array(samples + 1, np.int64, memory, place.offsets_at) if memory else np.zeros(samples + 1, np.int64)
    if dtype.itemsize > 1:
        offsets = offsets // dtype.itemsize
    shapes = _array((samples, kind.rank), np.int64, memory, place.shapes_at) if kind.rank else None
    return Ragged(kind, values, offsets, shapes, lease)
