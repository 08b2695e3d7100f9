"""Containers from and for the `datasets` library of Hugging Face."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._command import command_environment, find_command
from ._dataset import open as open_dataset
from ._errors import StokerError
from ._loader import Path
from ._types import FieldType, parse_type

_ROWS = 256


def to_hf(path: Path, split: Optional[str] = None) -> Any:
    """A ``datasets.Dataset`` with the samples of a container; ``datasets`` copies them into its own cache.

    A field ``label`` with class names becomes a ``ClassLabel``.
    """
    import datasets  # type: ignore[import-not-found,import-untyped,unused-ignore]

    samples = open_dataset(path, split)
    kinds = {name: parse_type(label) for name, label in samples.schema.items()}
    features = datasets.Features({name: _feature(datasets, name, kind, samples.classes) for name, kind in kinds.items()})
    # What identifies the container is an argument, since datasets keeps what it made for the same arguments.
    arguments = {"path": os.path.abspath(path), "split": split, "header": samples._header}
    return datasets.Dataset.from_generator(_samples, features=features, gen_kwargs=arguments)


def _samples(path: str, split: Optional[str], header: int) -> Iterator[Dict[str, Any]]:
    for sample in open_dataset(path, split):
        yield {name: value.tolist() if isinstance(value, np.generic) else value for name, value in sample.items()}


def _feature(datasets: Any, name: str, kind: FieldType, classes: List[str]) -> Any:
    if kind.dtype is None:
        value = datasets.Value("binary" if kind.label == "bytes" else "string")
        return datasets.Sequence(value) if kind.label == "text[]" else value
    if name == "label" and classes and kind.width >= 0 and not kind.shape:
        return datasets.ClassLabel(names=classes)
    feature = datasets.Value(str(kind.dtype))
    for length in reversed(kind.shape or (-1,) * kind.rank):
        feature = datasets.Sequence(feature, length=length)
    return feature


def from_hf(dataset: Any, path: Path, force: bool = False) -> None:
    """Packs a ``datasets.Dataset`` into a container whose ending names the format.

    The first column of pictures or sounds becomes field ``data`` with their encoded bytes, unless there is a column of that
    name; a column of class labels gives the classes; ``key`` is the number of the row where there is no such column.
    """
    import pyarrow as pa  # type: ignore[import-untyped,import-not-found,unused-ignore]

    command = find_command()
    if command is None:
        raise StokerError("there is no command 'stoker', which packs; see docs/how-to/python.md for how to install it")
    path = os.path.abspath(path)
    with tempfile.TemporaryDirectory(prefix="stoker-", dir=os.path.dirname(path)) as folder:
        between = os.path.join(folder, "rows.arrow")
        _write(pa, dataset, between)
        said = subprocess.run(
            [*command, "convert", between, "-o", path, *(["--force"] if force else [])],
            env=command_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    if said.returncode:
        raise StokerError(said.stderr.decode("utf-8", "replace").strip()[-2000:].replace("stoker: ", "", 1))


def _write(pa: Any, dataset: Any, path: str) -> None:
    """The rows as an Arrow file, whose metadata names the classes as Stoker's do."""
    encoded = [name for name, feature in dataset.features.items() if type(feature).__name__ in ("Image", "Audio")]
    names = {name: name for name in dataset.features}
    if encoded and "data" not in names:
        names[encoded[0]] = "data"
    classes: List[str] = next((f.names for f in dataset.features.values() if type(f).__name__ == "ClassLabel"), [])
    metadata = {"stoker": json.dumps({"fields": [], "classes": classes})} if classes else None
    writer, row = None, 0
    with pa.OSFile(path, "wb") as out:
        for table in dataset.with_format("arrow").iter(_ROWS):
            columns = _columns(pa, table, names, encoded, row)
            batch = pa.table(columns).replace_schema_metadata(metadata)
            writer = writer or pa.ipc.new_file(out, batch.schema)
            writer.write_table(batch)
            row += len(table)
        if writer is None:
            raise StokerError("the dataset has no rows; there is nothing to pack")
        writer.close()


def _columns(pa: Any, table: Any, names: Dict[str, str], encoded: List[str], first_row: int) -> Dict[str, Any]:
    columns: Dict[str, Any] = {}
    endings = [""] * len(table)
    for name in names:
        column = table[name].combine_chunks()
        if name in encoded:
            files = [_file(value) for value in column.to_pylist()]
            endings = [ending for _, ending in files] if name == encoded[0] else endings
            column = pa.array([data for data, _ in files], pa.binary())
        columns[names[name]] = column
    if "key" not in columns:
        keys = [f"{first_row + i:09}{ending}" for i, ending in enumerate(endings)]
        columns = {"key": pa.array(keys), **columns}
    return columns


def _file(value: Dict[str, Any]) -> Tuple[bytes, str]:
    """The bytes of a picture or sound, and the ending of its name."""
    name = value.get("path") or ""
    data = value.get("bytes")
    if data is None:
        with open(name, "rb") as f:
            data = f.read()
    return data, os.path.splitext(name)[1]
