"""The mapping of batches by a function without a reader process: batches of numbered samples, as it would send them."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from stoker._java.protocol import BatchMessage, FieldPlace
from stoker._map.mapping import FunctionMapping, MapOptions
from stoker._system.block_file import BlockFile
from stoker._system.memory_file import grow, memory_file
from stoker._system.shared_map import map_shared
from stoker._types import parse_type

ROW = np.dtype([("sample", "<i8"), ("dataset", "<u4"), ("repeat", "<u4")])


def mapping(map: Any = None, map_batch: Any = None, workers: int = 1, **options: Any) -> FunctionMapping:
    """Maps samples that have one field, `x`."""
    chosen = MapOptions(map, map_batch, workers, "spawn", 60.0, "fail", 0, "numpy", None, 256 << 20, False)
    return FunctionMapping(chosen._replace(**options), [("x", parse_type("int64"))])


def feed(samples: int, is_last: bool = False) -> Callable[[], Any]:
    """Gives one and the same batch again and again; `x` is the number of the sample."""
    rows = np.zeros(samples, ROW)
    rows["sample"] = np.arange(samples)
    places = [FieldPlace(0, 0, 8, -1, -1)]
    file = BlockFile(1, memory_file("test"), is_written=False)
    grow(file.file, 8 * samples)
    memory = map_shared(file.file)
    memoryview(memory).cast("B")[:] = np.arange(samples, dtype=np.int64).tobytes()
    return lambda: (BatchMessage(samples, is_last, 0, 1, (), places, b"{}", rows=rows), memory, file)
