"""One field of all samples."""

from __future__ import annotations

import operator
from typing import Any, Callable, Iterator, Optional

import numpy as np

from .._errors import StokerError
from .container import Container
from .index import EXTENTS, Field
from .values import dense_values, new_array

#: Bytes of the widest values that are decoded all at once: labels and other numbers, which take little room.
NARROW = 16


def is_array(field: Field) -> bool:
    """Whether all values of a field are one array: wide ones in compressed blocks would be decoded as a whole for that."""
    return field.dense and (field.place != "blocks" or field.type.width <= NARROW)


def dense_column(container: Container, field: Field) -> np.ndarray:
    """The values of a field that lie one after another, as one array on the mapped file."""
    index = container.index
    shape = (index.count, *field.type.shape)
    return new_array(index, field, shape, dense_values(index, field, container.bytes, container.path))


class Column:
    """The values of one field, read when they are asked for: ``column[i]``, ``len(column)``, iteration.

    ::

        captions = stoker.open("train.stk").fields["caption"]
        captions[17], captions[:3], len(captions), captions.lengths.max()

    ``column.lengths`` is one array with the number of bytes of each value. Values of one shape become one array by
    ``numpy.asarray(column)``.
    """

    def __init__(self, container: Container, field: Field, read: Callable[[int], Any], samples: range) -> None:
        self._container = container
        self._field = field
        self._read = read
        self._samples = samples

    def __len__(self) -> int:
        return len(self._samples)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self._read(sample) for sample in self._samples[i]]
        try:
            return self._read(self._samples[operator.index(i)])
        except IndexError:
            raise IndexError(
                f"[{self._container.path}] there is no sample {i}: it has {len(self)} samples, counted from 0"
            ) from None

    def __iter__(self) -> Iterator[Any]:
        return map(self._read, self._samples)

    @property
    def type(self) -> str:
        """The type of its values, such as ``text`` or ``float32[*,*]``."""
        return self._field.type.label

    @property
    def lengths(self) -> np.ndarray:
        """The number of bytes of each value, as one array on the mapped Index."""
        if self._field.dense:
            return np.full(len(self), self._field.type.width, np.uint64)
        extents = np.frombuffer(self._container.index.words(EXTENTS, self._field, "Q"), np.uint64).reshape(-1, 2)
        return extents[self._samples.start : self._samples.stop, 1]

    def __array__(self, dtype: Optional[np.dtype] = None, copy: Optional[bool] = None) -> np.ndarray:
        if self._field.type.width < 0:
            raise StokerError(
                f"[{self._container.path}] field '{self._field.name}' of type {self.type} is not one array: its values "
                "differ in length; take them one by one"
            )
        if copy is False:
            raise ValueError("the values are not contiguous in the file, so an array of them is a copy; use copy=True")
        values = np.empty((len(self), *self._field.type.shape), self._field.type.dtype)
        for place, value in enumerate(self):
            values[place] = value
        return values if dtype is None else values.astype(dtype, copy=False)
