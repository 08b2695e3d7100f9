"""Containers in Ray Data; needs ``ray[data]``."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

import numpy as np

from ._dataset import Dataset
from ._dataset import open as open_dataset
from ._loader import Path


class _Read:
    """Reads rows by their numbers. It goes to a task as its path, and maps the files there."""

    def __init__(self, samples: Dataset) -> None:
        self._samples = samples

    def __call__(self, batch: Dict[str, Any]) -> Dict[str, Any]:
        samples = self._samples[batch["id"]]
        return {name: _column([sample[name] for sample in samples]) for name in self._samples.schema}


def _column(values: Any) -> Any:
    if isinstance(values[0], np.generic):
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
    return column


def read(path: Path, split: Optional[str] = None, fields: Optional[Sequence[str]] = None, batch_size: int = 256) -> Any:
    """A ``ray.data.Dataset`` of the samples of a container, read by many tasks, each its part."""
    import ray.data  # type: ignore[import-not-found,unused-ignore]

    samples = open_dataset(path, split, fields)
    return ray.data.range(len(samples)).map_batches(_Read(samples), batch_size=batch_size)
