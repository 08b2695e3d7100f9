"""The randomness of a sample: a function of seed, epoch and sample, so that it depends on no number of workers."""

from __future__ import annotations

import contextlib
import contextvars
import importlib.abc
import importlib.util
import random
import sys
from typing import Any, Iterator, Optional

import numpy as np

from .._errors import StokerError

_MASK = (1 << 64) - 1
_CURRENT: "contextvars.ContextVar[Optional[int]]" = contextvars.ContextVar("stoker_sample_seed", default=None)


def sample_seed() -> int:
    """The seed of the sample (or batch) that a Loader's ``map`` (or ``map_batch``) gets now: 64 bits that depend on the
    Loader's seed, the epoch and the sample alone. For libraries with generators of their own::

        def augment(sample):
            chain.set_random_seed(stoker.sample_seed())     # albumentations
            generator = np.random.default_rng(stoker.sample_seed())

    The generators of ``random``, NumPy and torch are seeded with it before the function is called.
    """
    seed = _CURRENT.get()
    if seed is None:
        raise StokerError("sample_seed() has a value only while map= or map_batch= of a Loader runs; call it in that function")
    return seed


def seed_of(seed: int, epoch: int, dataset: int, sample: int) -> int:
    """64 bits for one sample of one epoch."""
    mixed = seed & _MASK
    for part in (epoch, dataset, sample):
        mixed = _mix((mixed ^ part) & _MASK)
    return mixed


def _mix(value: int) -> int:
    """SplitMix64."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def seed_all(seed: int) -> None:
    """Sets the generators that functions use: those of Python, NumPy and, if it is used, torch."""
    _CURRENT.set(seed)
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.manual_seed(seed)


class _SeedsTorch(importlib.abc.MetaPathFinder):
    """Seeds torch when it is imported: a function that imports it itself would get other numbers for each worker's first
    sample, whichever that is."""

    def __init__(self) -> None:
        self._is_finding = False
        #: That of torch's generator as it was imported.
        self.state: Any = None

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != "torch" or self._is_finding:
            return None
        self._is_finding = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._is_finding = False
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_seed(module: Any) -> None:
            execute(module)
            sys.meta_path.remove(self)
            self.state = module.default_generator.get_state()
            seed = _CURRENT.get()
            if seed is not None:
                module.default_generator.manual_seed(seed)

        spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec


_SEEDS_TORCH = _SeedsTorch()


def seed_torch_when_imported() -> None:
    if "torch" not in sys.modules and _SEEDS_TORCH not in sys.meta_path:
        sys.meta_path.insert(0, _SEEDS_TORCH)


@contextlib.contextmanager
def keeping_generators() -> Iterator[None]:
    """Leaves the generators of this process as they were before: those of samples are not the program's."""
    torch = sys.modules.get("torch")
    python, numpy = random.getstate(), np.random.get_state()
    state = None if torch is None else torch.default_generator.get_state()
    try:
        yield
    finally:
        _CURRENT.set(None)
        random.setstate(python)
        np.random.set_state(numpy)
        if torch is not None:
            torch.default_generator.set_state(state)
        elif _SEEDS_TORCH.state is not None:
            sys.modules["torch"].default_generator.set_state(_SEEDS_TORCH.state)
