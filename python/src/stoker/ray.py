"""Containers in Ray Data; needs ``ray[data]``."""

from __future__ import annotations

import os
import shutil
import uuid
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._errors import StokerError
from ._read.dataset import Dataset
from ._read.dataset import open as open_dataset
from ._types import Path
from ._write.convert import convert
from ._write.writer import Writer, seal


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
    """A ``ray.data.Dataset`` of the samples of a container, read by many tasks, each its part.

    ::

        rows = stoker.ray.read("train.stk").map_batches(predict)
    """
    import ray.data  # type: ignore[import-not-found,unused-ignore]

    samples = open_dataset(path, split, fields)
    return ray.data.range(len(samples)).map_batches(_Read(samples), batch_size=batch_size)


def write(
    dataset: Any,
    path: Path,
    schema: Optional[Mapping[str, str]] = None,
    *,
    classes: Sequence[str] = (),
    force: bool = False,
    **options: Any,
) -> None:
    """Writes a ``ray.data.Dataset`` into one container whose ending names the format.

    ::

        stoker.ray.write(rows, "predictions.arrow", compression="zstd")

    Every task writes the rows that it has to a file of its own in a folder beside the container, so that one which fails and
    is run again does no harm; at the end they become the container, in the order of the tasks. That is the order of the rows
    if Ray keeps it (``DataContext.execution_options.preserve_order``). All nodes need to see the folder. Where there is no
    column ``key`` it is the numbers of task and row.

    :param schema: the type of each field, as :class:`stoker.Writer` takes it; by default that of the first row of each task
    :param options: those of ``stoker convert``, such as ``compression="zstd"``
    """
    path = os.path.abspath(path)
    if os.path.exists(path) and not force:
        raise StokerError(f"[{path}] already exists; choose another output, or pass force=True")
    folder = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.stoker-parts-{uuid.uuid4().hex[:8]}")
    os.mkdir(folder)
    try:
        dataset.write_datasink(_sink(folder, path, schema, list(classes), force, options))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sink(folder: str, path: str, schema: Any, classes: Sequence[str], force: bool, options: Mapping[str, Any]) -> Any:
    from ray.data import Datasink

    class Sink(Datasink):  # type: ignore[misc,type-arg,unused-ignore]
        def write(self, blocks: Iterable[Any], ctx: Any) -> Optional[Tuple[int, str]]:
            return _write_part(folder, ctx.task_idx, _rows(blocks), schema, classes)

        def on_write_complete(self, write_result: Any) -> None:
            parts = sorted(part for part in write_result.write_returns if part is not None)
            if not parts:
                raise StokerError(f"[{path}] there is no row to write")
            convert([part for _, part in parts], path, force, options)

        def get_name(self) -> str:
            return "stoker"

    return Sink()


def _rows(blocks: Iterable[Any]) -> Iterator[Dict[str, Any]]:
    from ray.data.block import BlockAccessor  # type: ignore[import-not-found,unused-ignore]

    for block in blocks:
        columns: Any = BlockAccessor.for_block(block).to_numpy()
        names = list(columns)
        for values in zip(*columns.values()):
            yield dict(zip(names, values))


def _write_part(
    folder: str, task: int, rows: Iterator[Dict[str, Any]], schema: Any, classes: Sequence[str]
) -> Optional[Tuple[int, str]]:
    """The samples of one task; None if it has none."""
    part = os.path.join(folder, f"{task:09}-{uuid.uuid4().hex[:8]}.stk")
    if schema is not None and "key" not in schema:
        schema = {"key": "text", **schema}
    writer = Writer(part, schema, 0, 1, classes=classes)
    number = -1
    for number, row in enumerate(rows):
        writer.append(row if "key" in row else {"key": f"{task:06}/{number:09}", **row})
    if number < 0:
        return None
    writer.close()
    seal(part)
    return task, part
