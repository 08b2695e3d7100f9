"""What batches hold, for the tests of the loader."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

import stoker


def plain(batch: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The samples of a batch as the map-style data set gives them."""
    columns = {name: [_plain(value) for value in values] for name, values in batch.items()}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 1 else value


def keys(loader: stoker.Loader) -> List[str]:
    return [key for batch in loader for key in batch["key"]]
