"""The options of a loader, and the request that the reader process takes for them."""

from __future__ import annotations

import dataclasses
import math
import operator
import os
import re
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .._errors import StokerError
from .._job.ranks import Ranks, cores_of_rank
from .._map.mapping import MapOptions
from .._map.tasks import MapFunction
from .._metrics.destinations import Destinations, join_destinations, parse_destinations
from .._types import Path
from .subset import Choice, Condition, Subset

#: The default of the reader process.
_MEMORY = 256 << 20


@dataclasses.dataclass(frozen=True, eq=False)
class LoaderOptions:
    """The arguments of :class:`stoker.Loader`, which documents them and has their defaults."""

    path_or_paths: Union[Path, Sequence[Path]]
    batch_size: int
    shuffle: Union[bool, str]
    seed: int
    rank: Optional[int]
    world: Optional[int]
    transform: Optional[str]
    tail: Optional[str]
    threads: Optional[int]
    framework: str
    weights: Optional[Sequence[float]]
    fields: Optional[Sequence[str]]
    drop_last: bool
    pad: Union[None, Sequence[str], Mapping[str, Optional[int]]]
    layout: str
    dtype: str
    fast_scale: bool
    bad: str
    verify: Optional[bool]
    read: str
    memory: Union[None, int, str]
    ahead: Optional[int]
    metrics: Destinations
    verbose: bool
    debug: Optional[bool]
    ledger: Optional[Path]
    map: Optional[MapFunction]
    map_batch: Optional[MapFunction]
    workers: Optional[int]
    worker_timeout: float
    multiprocessing_context: str
    mask: Optional[str]
    subset: Optional[Subset]
    keys: Optional[Sequence[str]]
    where: Optional[Condition]
    decode: Optional[str]

    @property
    def is_bfloat16(self) -> bool:
        """Whether the decoded field has the bits of bfloat16 numbers."""
        return self.transform is not None and self.dtype == "bfloat16"

    @property
    def is_debug(self) -> bool:
        """Whether to note where batches are asked for; what the environment says counts when it is asked."""
        return os.environ.get("STOKER_DEBUG_BATCHES", "") not in ("", "0") if self.debug is None else self.debug

    @property
    def has_map(self) -> bool:
        return self.map is not None or self.map_batch is not None

    @property
    def tail_policy(self) -> str:
        """Repeats do no harm in training, and would count twice in an evaluation."""
        return self.tail or ("even" if self.shuffle else "once")

    @property
    def leaves_out_repeats(self) -> bool:
        return self.tail_policy == "once"

    def map_options(self, ranks: Ranks) -> MapOptions:
        """What is done with samples, by how many workers: by default one for each core of this rank."""
        workers = cores_of_rank(ranks.local_world) if self.workers is None else operator.index(self.workers)
        if workers < 0:
            raise StokerError(f"workers should be at least 0 but is {workers}")
        if not self.worker_timeout > 0:
            raise StokerError(f"worker_timeout should be a number of seconds, more than 0, but is {self.worker_timeout}")
        valid = ("forkserver", "spawn", "fork")
        if self.multiprocessing_context not in valid:
            raise StokerError(f"unknown multiprocessing_context '{self.multiprocessing_context}'; valid are {', '.join(valid)}")
        return MapOptions(
            self.map,
            self.map_batch,
            workers,
            self.multiprocessing_context,
            self.worker_timeout,
            self.bad,
            operator.index(self.seed),
            self.framework,
            self.ahead,
            size_in_bytes(self.memory),
            self.is_debug,
        )

    def request(self) -> Dict[str, Any]:
        """What an OPEN message says, but for the rank. docs/format/batch-exchange.md specifies it."""
        paths = _paths(self.path_or_paths)
        return {
            "paths": paths,
            "weights": None if self.weights is None else whole_numbers(self.weights),
            "fields": _names("fields", self.fields),
            "batch": operator.index(self.batch_size),
            "last_batch": "drop" if self.drop_last else "keep",
            "order": self.shuffle if isinstance(self.shuffle, str) else "shuffled" if self.shuffle else "sequential",
            "seed": operator.index(self.seed),
            "pad": dict(self.pad) if isinstance(self.pad, Mapping) else dict.fromkeys(_names("pad", self.pad) or ()),
            "metrics": join_destinations(parse_destinations(self.metrics)),
            "decode": self._decode(),
            "ledger": None if self.ledger is None else os.path.abspath(os.fspath(self.ledger)),
            "tail": "even" if self.leaves_out_repeats else self.tail_policy,
            "threads": self.threads,
            "memory": self.memory,
            "ahead": self.ahead,
            "read": self.read,
            "bad": self.bad,
            "verify": self.verify,
            # What has a function is read before it is wanted, and only then delivered.
            "defer_ledger": self.has_map and self.ledger is not None,
            "subset": Choice(paths, self.subset, self.keys, self.where).encode(),
            "rows": self.has_map or self.leaves_out_repeats or self.mask is not None,
        }

    def _decode(self) -> Optional[Dict[str, Any]]:
        if self.transform is None:
            if self.decode is not None:
                raise StokerError(f"decode='{self.decode}' needs transform=, such as 'Resize(256),CenterCrop(224)'")
            return None
        if not isinstance(self.transform, str):
            raise StokerError(
                "transform should be text such as 'RandomResizedCrop(224),RandomHorizontalFlip', which the reader process "
                "runs; give a Python function as map= or map_batch="
            )
        return {
            "field": self.decode,
            "transform": self.transform,
            "layout": self.layout,
            "dtype": self.dtype,
            "fast_scale": self.fast_scale,
        }


def _paths(path_or_paths: Union[Path, Sequence[Path]]) -> List[str]:
    paths = [path_or_paths] if isinstance(path_or_paths, (str, os.PathLike)) else path_or_paths
    return [os.path.abspath(os.fspath(path)) for path in paths]


def whole_numbers(weights: Sequence[float]) -> List[int]:
    """Weights as the smallest whole numbers in the same proportion."""
    try:
        exact = [Fraction(str(weight)) for weight in weights]  # of 0.3 as it is written, not as it is stored
    except ValueError:
        raise StokerError(f"weights should be numbers such as [3, 1] or [0.75, 0.25] but are {weights}") from None
    if not exact or min(exact) <= 0:
        raise StokerError(f"weights should be larger than 0, one for each data set, but are {weights}")
    whole = [int(weight * math.lcm(*(other.denominator for other in exact))) for weight in exact]
    return [number // math.gcd(*whole) for number in whole]


def size_in_bytes(memory: Union[None, int, str]) -> int:
    """What the reader process understands by a size that it has accepted."""
    if not isinstance(memory, str):
        return _MEMORY if memory is None else memory
    number, unit = re.fullmatch(r"(\d+)\s*([kmgt]?)(?:i?b)?", memory.strip().lower()).groups()  # type: ignore[union-attr]
    return int(number) << 10 * " kmgt".index(unit or " ")


def _names(what: str, names: Optional[Sequence[str]]) -> Optional[List[str]]:
    if isinstance(names, str):
        raise StokerError(f"{what} should be a list of names, such as ['{names}']")
    return None if names is None else list(names)
