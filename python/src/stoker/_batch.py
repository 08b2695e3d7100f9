"""A batch where it lies in shared memory: NumPy arrays, and `Ragged` for values that differ in length."""

from __future__ import annotations

import math
import mmap
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ._errors import StokerError
from ._types import FieldType
from ._values import decode_texts
from ._wire import BatchMessage, Place


class Lease:
    """Until when a batch is valid."""

    __slots__ = ("alive",)

    def __init__(self) -> None:
        self.alive = True

    def check(self) -> None:
        if not self.alive:
            raise StokerError(
                "this batch was valid until the next one was asked for, and its memory holds another one now. Copy what is "
                "needed longer, or give the Loader copy=True"
            )


class Guarded(np.ndarray):
    """An array of the debug mode: using it after its batch is over raises."""

    _lease: Optional[Lease] = None

    def __array_finalize__(self, parent: Any) -> None:
        self._lease = getattr(parent, "_lease", None)

    def __getitem__(self, key: Any) -> Any:
        return super(Guarded, _checked(self)).__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        super(Guarded, _checked(self)).__setitem__(key, _plain(value))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*_plain(inputs), **_plain(options))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return function(*_plain(args), **_plain(options))

    def __repr__(self) -> str:
        return repr(_plain(self))

    __str__ = __repr__

    def copy(self, order: Any = "C") -> Any:
        return _plain(self).copy(order)

    def astype(self, *args: Any, **options: Any) -> Any:
        return _plain(self).astype(*args, **options)

    def tolist(self) -> Any:
        return _plain(self).tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        data: bytes = _plain(self).tobytes(order)
        return data


def _checked(array: Guarded) -> Guarded:
    if array._lease is not None:
        array._lease.check()
    return array


def _plain(value: Any) -> Any:
    """The arrays themselves, once it is sure that they are still valid."""
    if isinstance(value, Guarded):
        return _checked(value).view(np.ndarray)
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(each) for each in value)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


class Ragged:
    """The values of a field that differ in length, one after another in one piece of memory.

    As a sequence it has one item for each sample: ``str`` for text, a list of ``str`` for lists of text, an array of ``uint8``
    for bytes, an array with its shape for arrays. ``values`` is the flat memory and ``offsets`` says where each value begins
    and, at the end, where the last one ends: ``values[offsets[i]:offsets[i + 1]]`` is value i. ``shapes`` has one row for each
    value if the field is of arrays.
    """

    __slots__ = ("_convert", "_lease", "_offsets", "_shapes", "_type", "_values")

    def __init__(
        self,
        kind: FieldType,
        values: np.ndarray,
        offsets: np.ndarray,
        shapes: Optional[np.ndarray] = None,
        lease: Optional[Lease] = None,
    ) -> None:
        self._type = kind
        self._values = values
        self._offsets = offsets
        self._shapes = shapes
        self._lease = lease
        self._convert: Any = None

    def converted(self, convert: Any) -> "Ragged":
        """The same with arrays of another framework, which ``convert`` makes of NumPy's."""
        other = Ragged(self._type, self._values, self._offsets, self._shapes, self._lease)
        other._convert = convert
        return other

    def copy(self) -> "Ragged":
        """The same in memory of its own, which stays valid."""
        shapes = None if self._shapes is None else self._shapes.copy()
        other = Ragged(self._type, self._values.copy(), self._offsets.copy(), shapes)
        other._convert = self._convert
        return other

    def _out(self, array: np.ndarray) -> Any:
        if self._lease is not None:
            self._lease.check()
        return array if self._convert is None else self._convert(array)

    @property
    def values(self) -> Any:
        return self._out(self._values)

    @property
    def offsets(self) -> Any:
        return self._out(self._offsets)

    @property
    def shapes(self) -> Any:
        return None if self._shapes is None else self._out(self._shapes)

    @property
    def lengths(self) -> Any:
        """How long each value is: in bytes, or in numbers if the field is of arrays."""
        return self._out(np.diff(self._offsets))

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(f"there is no value {i}: the batch has {len(self)} samples")
        i %= len(self)
        if self._lease is not None:
            self._lease.check()
        value = self._values[self._offsets[i] : self._offsets[i + 1]]
        if self._type.label == "text":
            return str(value.data, "utf-8")
        if self._type.label == "text[]":
            return decode_texts(value.tobytes())
        if self._shapes is not None:
            value = value.reshape(self._shapes[i].tolist())
        return self._out(value)

    def __iter__(self) -> Iterator[Any]:
        for i in range(len(self)):
            yield self[i]

    def __repr__(self) -> str:
        return f"<stoker.Ragged of {len(self)} {self._type.label}, {self._values.size} in all>"


class Blocks:
    """The shared memory of a loader: each block is mapped once, when the first batch in it comes. A block that the reader
    process gave back is unmapped when no array is left on it."""

    def __init__(self) -> None:
        self._maps: Dict[int, mmap.mmap] = {}

    def update(self, message: BatchMessage, files: List[int]) -> Any:
        """The memory of a batch."""
        for number in message.freed:
            self._maps.pop(number, None)
        for file in files:
            try:
                self._maps[message.block] = mmap.mmap(file, os.fstat(file).st_size)
            finally:
                os.close(file)
        if message.block and message.block not in self._maps:
            raise StokerError(
                "the memory of a batch did not come: this process may open no more files; raise the limit (ulimit -n)"
            )
        return self._maps[message.block] if message.block else b""

    def clear(self) -> None:
        self._maps.clear()

    def maps(self) -> List[mmap.mmap]:
        return list(self._maps.values())


def make_batch(
    fields: Sequence[Tuple[str, FieldType]], message: BatchMessage, memory: Any, lease: Optional[Lease]
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


def _dense(kind: FieldType, place: Place, samples: int, memory: Any) -> np.ndarray:
    if kind.dtype is None:
        return _array((samples, place.width), np.uint8, memory, place.values_at)
    if kind.rank:  # padded arrays of one dimension
        return _array((samples, place.width // kind.dtype.itemsize), kind.dtype, memory, place.values_at)
    return _array((samples, *kind.shape), kind.dtype, memory, place.values_at)


def _ragged(kind: FieldType, place: Place, samples: int, memory: Any, lease: Optional[Lease]) -> Ragged:
    dtype = np.dtype(np.uint8) if kind.dtype is None else kind.dtype
    values = _array(place.size // dtype.itemsize, dtype, memory, place.values_at)
    offsets = _array(samples + 1, np.int64, memory, place.offsets_at) if memory else np.zeros(samples + 1, np.int64)
    if dtype.itemsize > 1:
        offsets = offsets // dtype.itemsize
    shapes = _array((samples, kind.rank), np.int64, memory, place.shapes_at) if kind.rank else None
    return Ragged(kind, values, offsets, shapes, lease)


def poison(memory: Any, message: BatchMessage) -> None:
    """Overwrites the values of a batch that is over: -1, or not a number."""
    for place in message.places:
        size = place.size if place.width < 0 else math.prod((message.samples, place.width))
        if memory and size:
            memory[place.values_at : place.values_at + size] = b"\xff" * size
