"""Values that differ in length, as a batch holds them."""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from .._read.values import decode_texts
from .._types import FieldType


class Ragged:
    """The values of a field that differ in length, one after another in one piece of memory.

    ::

        for batch in stoker.Loader("train.stk", 64):
            texts = batch["caption"]                # a Ragged
            texts[0], len(texts), texts.lengths.max()

    As a sequence it has one item for each sample: ``str`` for text, a list of ``str`` for lists of text, an array of ``uint8``
    for bytes, an array with its shape for arrays. ``values`` is the flat memory and ``offsets`` says where each value begins
    and, at the end, where the last one ends: ``values[offsets[i]:offsets[i + 1]]`` is value i. ``shapes`` has one row for each
    value if the field is of arrays.
    """

    __slots__ = ("_convert", "_offsets", "_shapes", "_type", "_values")

    def __init__(
        self,
        kind: FieldType,
        values: np.ndarray,
        offsets: np.ndarray,
        shapes: Optional[np.ndarray] = None,
    ) -> None:
        self._type = kind
        self._values = values
        self._offsets = offsets
        self._shapes = shapes
        self._convert: Any = None

    def converted(self, convert: Any) -> "Ragged":
        """The same with arrays of another framework, which ``convert`` makes of NumPy's."""
        other = Ragged(self._type, self._values, self._offsets, self._shapes)
        other._convert = convert
        return other

    def copy(self) -> "Ragged":
        """The same in memory of its own."""
        shapes = None if self._shapes is None else self._shapes.copy()
        other = Ragged(self._type, self._values.copy(), self._offsets.copy(), shapes)
        other._convert = self._convert
        return other

    @property
    def nbytes(self) -> int:
        """How many bytes the values take, and what says where they are."""
        return self._values.nbytes + self._offsets.nbytes + (0 if self._shapes is None else self._shapes.nbytes)

    def _out(self, array: np.ndarray) -> Any:
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
