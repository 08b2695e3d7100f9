"""Containers from and for the `datasets` library of Hugging Face."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .._read.dataset import open as open_dataset
from .._types import NUMBERS, FieldType, Path, parse_type


def to_hf(path: Path, split: Optional[str] = None) -> Any:
    """A ``datasets.Dataset`` with the samples of a container; ``datasets`` copies them into its own cache.

    ::

        dataset = stoker.to_hf("train.stk", split="val")

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


def from_hf(dataset: Any, path: Path, force: bool = False, **options: Any) -> int:
    """Packs a ``datasets.Dataset`` into a container whose ending names the format: ``stoker.pack(dataset, path)``.

    ::

        stoker.from_hf(datasets.load_dataset("mnist", split="train"), "mnist.stk")

    The first column of pictures or sounds becomes field ``data`` with their encoded bytes, unless there is a column of that
    name; a column of class labels gives the classes; ``key`` is the number of the row where there is no such column.
    """
    from .._write.pack import pack

    if not is_hf(dataset):
        raise StokerError(f"from_hf packs a datasets.Dataset, not a {type(dataset).__name__}; see stoker.pack for others")
    return pack(dataset, path, force=force, **options)


def is_hf(samples: Any) -> bool:
    return type(samples).__module__.partition(".")[0] == "datasets" and hasattr(samples, "features")


def open_hf(dataset: Any) -> "HfRows":
    """The rows of a dataset with the names, types and values that a container has; without len() if it is streamed."""
    if dataset.features is None:
        raise StokerError("the features of this dataset are unknown; call .cast() first")
    return _NumberedRows(dataset) if hasattr(dataset, "__len__") else HfRows(dataset)


class HfRows:
    """A dataset whose rows come one after another."""

    def __init__(self, dataset: Any) -> None:
        features = dataset.features
        self._encoded = [name for name, feature in features.items() if type(feature).__name__ in ("Image", "Audio")]
        for name in self._encoded:
            dataset = dataset.cast_column(name, type(features[name])(decode=False))
        self._dataset = dataset
        self._names = {name: name for name in features}
        if self._encoded and "data" not in features:
            self._names[self._encoded[0]] = "data"
        self._types = {name: parse_type(_label(name, feature)) for name, feature in features.items()}
        self.schema = {self._names[name]: kind.label for name, kind in self._types.items()}
        self.classes: List[str] = next((f.names for f in features.values() if type(f).__name__ == "ClassLabel"), [])

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        for number, row in enumerate(self._dataset):
            yield self._sample(number, row)

    def _sample(self, number: int, row: Dict[str, Any]) -> Dict[str, Any]:
        sample, ending = {}, ""
        for name, value in row.items():
            kind = self._types[name]
            if name in self._encoded:
                value, its_ending = _file(name, value)
                ending = its_ending if name == self._encoded[0] else ending
            elif kind.dtype is not None and value is not None:
                value = np.asarray(value, kind.dtype)
            sample[self._names[name]] = value
        return sample if "key" in sample else {"key": f"{number:09}{ending}", **sample}


class _NumberedRows(HfRows):
    """A dataset whose rows can be had by number."""

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, number: int) -> Dict[str, Any]:
        return self._sample(number, self._dataset[number])


def _label(name: str, feature: Any) -> str:
    """The type that a container has for a column."""
    kind = type(feature).__name__
    if kind in ("Image", "Audio"):
        return "bytes"
    if kind == "ClassLabel":
        return "int64"
    lengths: List[int] = []
    while kind in ("Sequence", "List", "LargeList") or isinstance(feature, list):
        lengths.append(getattr(feature, "length", -1))
        feature = feature[0] if isinstance(feature, list) else feature.feature
        kind = type(feature).__name__
    if kind.startswith("Array") and not lengths:
        lengths = [-1 if length is None else length for length in feature.shape]
    dtype = getattr(feature, "dtype", "")
    if dtype in ("string", "large_string") and len(lengths) < 2:
        return "text[]" if lengths else "text"
    if dtype in ("binary", "large_binary") and not lengths:
        return "bytes"
    if dtype in NUMBERS:
        fixed = bool(lengths) and min(lengths) >= 0
        return dtype + (f"[{','.join(str(length) if fixed else '*' for length in lengths)}]" if lengths else "")
    raise StokerError(
        f"column '{name}' of type {feature} has no counterpart in a container; leave it out with remove_columns, or "
        "convert it with map"
    )


def _file(name: str, value: Any) -> Tuple[bytes, str]:
    """The bytes of a picture or sound, and the ending of its name."""
    if value is None:
        raise StokerError(f"column '{name}' has no value here; leave such rows out with filter")
    path = value.get("path") or ""
    data = value.get("bytes")
    if data is None:
        with open(path, "rb") as f:
            data = f.read()
    return data, os.path.splitext(path)[1]
