"""Which samples of a data set a loader delivers."""

from __future__ import annotations

import base64
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from .._errors import StokerError
from .._read.column import Column
from .._read.dataset import Dataset, open
from .._types import Path

#: Samples by number, as a mask, or as a range.
Subset = Union[Sequence[int], np.ndarray, range, slice]
#: Gets the columns of a container, and returns a mask.
Condition = Callable[[Dict[str, Union[np.ndarray, Column]]], Any]

_MOST = 1 << 32


class Choice:
    """The samples that a loader's arguments choose; together they choose what all of them do.

    :param paths: the containers, one after another; ``keys`` and ``where`` open them
    """

    def __init__(
        self, paths: Sequence[Path], subset: Optional[Subset], keys: Optional[Sequence[str]], where: Optional[Condition]
    ) -> None:
        self._paths = paths
        self._subset = subset
        self._keys = keys
        self._where = where

    def encode(self) -> Optional[str]:
        """As docs/format/batch-exchange.md has it; None if all samples are chosen."""
        chosen = [numbers for numbers in (self._of_subset(), self._of_keys(), self._of_condition()) if numbers is not None]
        if not chosen:
            return None
        numbers = chosen[0]
        for others in chosen[1:]:
            numbers = np.intersect1d(numbers, others, assume_unique=True)
        if not len(numbers):
            raise StokerError(f"[{self._paths[0]}] no sample is chosen by subset=, keys= and where=")
        return _encode(numbers)

    def _of_subset(self) -> Optional[np.ndarray]:
        subset = self._subset
        if subset is None:
            return None
        if isinstance(subset, slice):
            if subset.stop is None or min(subset.start or 0, subset.stop) < 0:
                raise StokerError(f"a slice for subset should have a start and a stop of at least 0 but is {subset}")
            subset = range(subset.start or 0, subset.stop, subset.step or 1)
        numbers = np.asarray(subset)
        if numbers.dtype == bool:
            count = sum(len(dataset) for dataset in self._open())
            if numbers.shape != (count,):
                raise StokerError(f"[{self._paths[0]}] a mask for subset should have {count} values but has {numbers.size}")
            return np.flatnonzero(numbers)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise StokerError("subset should be the numbers of samples, or a mask with True for those that are wanted")
        if numbers.size and int(numbers.min()) < 0:
            raise StokerError(f"subset should have numbers of at least 0 but has {int(numbers.min())}")
        return np.unique(numbers.astype(np.int64))

    def _of_keys(self) -> Optional[np.ndarray]:
        if self._keys is None:
            return None
        if isinstance(self._keys, str):
            raise StokerError(f"keys should be a list of keys, such as ['{self._keys}']")
        missing, wanted, found, first = set(self._keys), set(self._keys), [], 0
        for dataset in self._open():
            for i, key in enumerate(dataset.fields["key"], first):
                if key in wanted:
                    found.append(i)
                    missing.discard(key)
            first += len(dataset)
        if missing:
            more = f", and {len(missing) - 1} more of keys= are missing" if len(missing) > 1 else ""
            raise StokerError(f"[{self._paths[0]}] has no sample with key '{min(missing)}'{more}")
        return np.array(found, np.int64)

    def _of_condition(self) -> Optional[np.ndarray]:
        if self._where is None:
            return None
        masks: List[np.ndarray] = []
        for dataset in self._open():
            mask = np.asarray(self._where(dict(dataset.fields)))
            if mask.dtype != bool or mask.shape != (len(dataset),):
                raise StokerError(
                    f"[{dataset.path}] the function of where= should return a mask of {len(dataset)} bools but returned "
                    f"{mask.dtype}{list(mask.shape)}"
                )
            masks.append(mask)
        return np.flatnonzero(np.concatenate(masks))

    def _open(self) -> List[Dataset]:
        return [_open(os.fspath(path)) for path in self._paths]


def _open(path: str) -> Dataset:
    """Opens ``FILE`` or ``FILE:SPLIT``."""
    if not os.path.exists(path):
        file, colon, split = path.rpartition(":")
        if colon and os.path.exists(file):
            return open(file, split)
        if any(mark in path for mark in "*?[{"):
            raise StokerError(f"[{path}] masks, keys= and where= look into containers, which have to be named one by one")
    return open(path)


def _encode(numbers: np.ndarray) -> str:
    """Ascending numbers as pairs of how many are skipped, and how many are taken."""
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    starts = numbers[np.concatenate([[0], breaks])]
    ends = numbers[np.concatenate([breaks - 1, [len(numbers) - 1]])] + 1
    pairs = np.stack([starts - np.concatenate([[0], ends[:-1]]), ends - starts], axis=1)
    if int(pairs.max()) >= _MOST:
        raise StokerError(f"a subset should have no gap or range of {_MOST} samples or more")
    return base64.b64encode(pairs.astype("<u4").tobytes()).decode("ascii")
