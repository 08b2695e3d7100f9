"""Order 1, as docs/format/order.md specifies it: the order in which every Stoker feed delivers samples."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import StokerError

_M = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MAX_SIZE = 2**48
_TABLE_SIZE = 256
_ROUNDS = 8


def order(n: int, seed: int, epoch: int = 0, positions: Optional[Any] = None) -> np.ndarray:
    """The shuffled order of n samples in an epoch: the samples at these positions, or at all of them.

    ::

        stoker.order(10, seed=7, epoch=1)           # all samples, in the order of epoch 1
        stoker.order(10**10, 7, 0, [5, 6])          # two positions of a large order

    It is the order in which the Java feed delivers them for the same seed and epoch. Each position is computed by itself,
    so a few positions of a large order cost little.
    """
    if not 1 <= n <= _MAX_SIZE:
        raise StokerError(f"an order has 1 to 2^48 samples, not {n}")
    places = np.arange(n, dtype=np.uint64) if positions is None else _checked(n, positions)
    key = _key_of(seed, epoch)
    return (_small(n, key)[places.astype(np.int64)] if n <= _TABLE_SIZE else _permute(n, key, places)).astype(np.int64)


def _checked(n: int, positions: Any) -> np.ndarray:
    places = np.asarray(positions)
    if places.size and not (places.min() >= 0 and places.max() < n):
        raise StokerError(f"positions should be from 0 to {n - 1} but are from {places.min()} to {places.max()}")
    return places.astype(np.uint64)


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _M
    return z ^ (z >> 31)


def _key_of(seed: int, epoch: int) -> int:
    return _mix((_mix((seed + _GOLDEN) & _M) + _GOLDEN * epoch) & _M)


def _small(n: int, key: int) -> np.ndarray:
    table = list(range(n))
    for i in range(n - 1, 0, -1):
        j = ((_mix((key + _GOLDEN * i) & _M) >> 24) * (i + 1)) >> 40
        table[i], table[j] = table[j], table[i]
    return np.array(table, np.uint64)


def _permute(n: int, key: int, places: np.ndarray) -> np.ndarray:
    k = (n - 1).bit_length() // 2
    bits, columns = np.uint64(k), np.uint64((n + 2**k - 1) >> k)
    result = places
    walking = np.ones(places.shape, bool)
    while walking.any():
        x = result[walking]
        high, low = x >> bits, x & np.uint64(2**k - 1)
        for r in range(0, _ROUNDS, 2):
            high = (high + (((_mixed(key, r, low) >> np.uint64(24)) * columns) >> np.uint64(40))) % columns
            low = low ^ _mixed(key, r + 1, high) >> np.uint64(64 - k)
        result = result.copy() if result is places else result
        result[walking] = high << bits | low
        walking &= result >= np.uint64(n)
    return result


def _mixed(key: int, r: int, part: np.ndarray) -> np.ndarray:
    """`_mix` of many; arithmetic of uint64 arrays is modulo 2^64 by itself."""
    z = part + np.uint64((key + _GOLDEN * r) & _M)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = z ^ z >> np.uint64(31)
    return mixed
