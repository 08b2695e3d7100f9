"""What a function returns for a sample, as arrays: the fields of a batch, and how each sample's value fits in."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

#: Every field begins at a multiple of this.
_ALIGNMENT = 64


class OutputField(NamedTuple):
    """A field of what a function returns.

    Objects other than numbers and arrays (``dtype`` is None) are kept in a list.
    """

    name: str
    dtype: Optional[str]
    shape: Tuple[int, ...]
    #: The values are the bits of bfloat16, which NumPy does not have.
    is_bfloat16: bool = False

    def __str__(self) -> str:
        if self.dtype is None:
            return "a Python object"
        return f"{'bfloat16' if self.is_bfloat16 else np.dtype(self.dtype).name}{list(self.shape)}"

    @property
    def row_bytes(self) -> int:
        return 0 if self.dtype is None else int(np.dtype(self.dtype).itemsize * np.prod(self.shape, dtype=np.int64))


def to_array(value: Any) -> Tuple[Optional[np.ndarray], bool]:
    """A number, array, tensor or picture as an array, and whether it has the bits of bfloat16; None for anything else."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        if value.dtype == torch.bfloat16:
            return value.contiguous().view(torch.int16).numpy(), True
        return value.numpy(), False
    if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)) or hasattr(value, "__array_interface__"):
        array = np.asarray(value)
        return (None if array.dtype.hasobject else array), False
    return None, False


def describe(sample: Dict[str, Any]) -> List[OutputField]:
    """The fields of one sample."""
    fields = []
    for name, value in sample.items():
        array, is_bfloat16 = to_array(value)
        if array is None:
            fields.append(OutputField(name, None, ()))
        else:
            fields.append(OutputField(name, array.dtype.str, array.shape, is_bfloat16))
    return fields


class Layout:
    """Where the values of a batch lie: field by field, each value at its row.

    :param rows: how many samples there is room for
    """

    def __init__(self, fields: Sequence[OutputField], rows: int) -> None:
        self._fields = fields
        self._places = []
        end = 0
        for field in fields:
            self._places.append(end)
            end += -(-field.row_bytes * rows // _ALIGNMENT) * _ALIGNMENT
        self._rows = rows
        self.bytes = end

    def arrays(self, memory: Any) -> Dict[str, np.ndarray]:
        """The arrays of all fields that have some, on memory of at least this layout's size."""
        return {
            field.name: np.ndarray(
                (self._rows, *field.shape), field.dtype, memory if field.row_bytes and self._rows else None, at
            )
            for field, at in zip(self._fields, self._places)
            if field.dtype is not None
        }


class OddValue(Exception):
    """A sample doesn't match the others. The message says which field, what was expected and what was found."""


def store(sample: Dict[str, Any], fields: Sequence[OutputField], arrays: Dict[str, np.ndarray], row: int) -> Dict[str, Any]:
    """Puts the values of a sample into their rows; returns those that are objects."""
    if len(sample) != len(fields) or any(field.name not in sample for field in fields):
        raise OddValue(f"the fields {', '.join(sample) or 'none'}, but {{other}} has {', '.join(f.name for f in fields)}")
    objects = {}
    for field in fields:
        value = sample[field.name]
        array, is_bfloat16 = to_array(value)
        if array is None or field.dtype is None:
            if array is not None or field.dtype is not None:
                raise OddValue(_difference(field, value, array, is_bfloat16))
            objects[field.name] = value
            continue
        if array.shape != field.shape or array.dtype.str != field.dtype or is_bfloat16 != field.is_bfloat16:
            raise OddValue(_difference(field, value, array, is_bfloat16))
        arrays[field.name][row] = array
    return objects


def _difference(field: OutputField, value: Any, array: Optional[np.ndarray], is_bfloat16: bool) -> str:
    found = (
        f"an object ({type(value).__name__})"
        if array is None
        else str(OutputField(field.name, array.dtype.str, array.shape, is_bfloat16))
    )
    return f"field '{field.name}' as {found}, but {{other}} has it as {field}"
