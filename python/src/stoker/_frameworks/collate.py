"""Making a batch of samples."""

from __future__ import annotations

import numbers
import sys
from typing import Any, Dict, List, Sequence

import numpy as np


def collate(samples: Sequence[Dict[str, Any]]) -> Dict[str, Any]:
    """Makes a batch: a dict with, for each field, one tensor where all samples have numbers or arrays of one shape, else a
    list with each sample's value (``bytes``, ``str``, lists, arrays that differ in shape).

    ::

        loader = torch.utils.data.DataLoader(stoker.open(path), batch_size=64, collate_fn=stoker.collate)

    Where torch is not imported, tensors are NumPy arrays. A ``memoryview`` becomes ``bytes``, which a worker can send to
    another process.
    """
    return {name: _join([sample[name] for sample in samples]) for name in samples[0]}


def _join(values: List[Any]) -> Any:
    first = values[0]
    torch = sys.modules.get("torch")
    if isinstance(first, memoryview):
        return [bytes(value) for value in values]
    if torch is not None and isinstance(first, torch.Tensor):
        return torch.stack(values) if all(value.shape == first.shape for value in values) else values
    if isinstance(first, np.ndarray):
        # A list's arrays are copies too: torch wants memory that may be written.
        is_one = all(value.shape == first.shape for value in values)
        return _tensor(np.stack(values)) if is_one else [_tensor(value.copy()) for value in values]
    if isinstance(first, (numbers.Number, np.generic)):
        return _tensor(np.array(values))
    return values


def _tensor(array: np.ndarray) -> Any:
    torch = sys.modules.get("torch")
    return array if torch is None else torch.from_numpy(array)
