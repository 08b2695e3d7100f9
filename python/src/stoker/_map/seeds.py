"""The randomness of a sample: a function of seed, epoch and sample, so that it depends on no number of workers."""

from __future__ import annotations

import random
import sys

import numpy as np

_MASK = (1 << 64) - 1


def sample_seed(seed: int, epoch: int, dataset: int, sample: int) -> int:
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
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.manual_seed(seed)
