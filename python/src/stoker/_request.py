"""The arguments of a loader as the reader process takes them."""

from __future__ import annotations

import math
import operator
import os
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import StokerError
from ._places import Places, join_places, parse_places


def request_options(
    path_or_paths: Any,
    batch_size: int,
    shuffle: Union[bool, str],
    seed: int,
    transform: Optional[str],
    weights: Optional[Sequence[float]],
    fields: Optional[Sequence[str]],
    drop_last: bool,
    pad: Any,
    layout: str,
    dtype: str,
    fast_scale: bool,
    metrics: Places,
    ledger: Any,
    **others: Any,
) -> Dict[str, Any]:
    """The arguments as the reader process takes them."""
    if transform is not None and not isinstance(transform, str):
        raise StokerError(
            "transform should be text such as 'RandomResizedCrop(224),RandomHorizontalFlip', which the reader process runs; "
            "apply a Python function to the batches instead"
        )
    decode = {"field": "data", "transform": transform, "layout": layout, "dtype": dtype, "fast_scale": fast_scale}
    return {
        "paths": _paths(path_or_paths),
        "weights": None if weights is None else _whole_numbers(weights),
        "fields": _names("fields", fields),
        "batch": operator.index(batch_size),
        "last_batch": "drop" if drop_last else "keep",
        "order": shuffle if isinstance(shuffle, str) else "shuffled" if shuffle else "sequential",
        "seed": operator.index(seed),
        "pad": dict(pad) if isinstance(pad, Mapping) else dict.fromkeys(_names("pad", pad) or ()),
        "metrics": join_places(parse_places(metrics)),
        "decode": None if transform is None else decode,
        "ledger": None if ledger is None else os.path.abspath(os.fspath(ledger)),
        **{name: others[name] for name in ("tail", "threads", "memory", "ahead", "read", "bad", "verify")},
    }


def _paths(path_or_paths: Any) -> List[str]:
    if isinstance(path_or_paths, (str, os.PathLike)):
        path_or_paths = [path_or_paths]
    return [os.path.abspath(os.fspath(path)) for path in path_or_paths]


def _whole_numbers(weights: Sequence[float]) -> List[int]:
    """Weights as the smallest whole numbers in the same proportion."""
    try:
        exact = [Fraction(str(weight)) for weight in weights]  # of 0.3 as it is written, not as it is stored
    except ValueError:
        raise StokerError(f"weights should be numbers such as [3, 1] or [0.75, 0.25] but are {weights}") from None
    if not exact or min(exact) <= 0:
        raise StokerError(f"weights should be larger than 0, one for each data set, but are {weights}")
    whole = [int(weight * math.lcm(*(other.denominator for other in exact))) for weight in exact]
    return [number // math.gcd(*whole) for number in whole]


def _names(what: str, names: Any) -> Optional[List[str]]:
    if isinstance(names, str):
        raise StokerError(f"{what} should be a list of names, such as ['{names}']")
    return None if names is None else list(names)
