"""CRC32C with NumPy alone: about 100 MB/s. Where the package google-crc32c is installed, it is used: 100 times as fast."""
from __future__ import annotations

import functools
from typing import List

import numpy as np

try:
    import google_crc32c as _native
except ImportError:
    _native = None

_POLYNOMIAL = 0x82F63B78
_LANES = 1024
#: Shorter than this, one byte after another is faster than in lanes.
_SHORT = 2048


def _table() -> List[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (_POLYNOMIAL if n & 1 else 0)
        table.append(n)
    return table


_TABLE = _table()
_LOOKUP = np.array(_TABLE, np.uint32)
_BITS = np.uint32(1) << np.arange(32, dtype=np.uint32)


def crc32c(data: memoryview) -> int:
    """The CRC32C of a run of bytes."""
    if _native is not None:
        return int(_native.value(bytes(data)))
    if len(data) < _SHORT:
        return _bytewise(data)
    return _in_lanes(np.frombuffer(data, np.uint8))


def _bytewise(data: memoryview) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _in_lanes(data: np.ndarray) -> int:
    """Cuts the bytes into lanes that are computed side by side, then joins neighbours.

    It rests on two facts: a CRC's initial value is the same as its bits laid over the first four bytes, and leading
    zeros do not change a CRC that begins with 0.
    """
    steps = -(-len(data) // _LANES)
    padded = np.zeros(steps * _LANES, np.uint8)
    padded[-len(data):] = data
    first = len(padded) - len(data)
    padded[first:first + 4] ^= 255
    crcs = np.zeros(_LANES, np.uint32)
    for column in np.ascontiguousarray(padded.reshape(_LANES, steps).T):
        crcs = _LOOKUP[crcs.astype(np.uint8) ^ column] ^ crcs >> 8
    for shift in _shifts(steps):
        crcs = _apply(shift, crcs[::2]) ^ crcs[1::2]
    return int(crcs[0]) ^ 0xFFFFFFFF


@functools.lru_cache(maxsize=256)
def _shifts(steps: int) -> List[np.ndarray]:
    """What a lane's zero bytes make of a CRC, then two lanes', four lanes' ...: the images of its 32 bits, since CRCs are
    linear."""
    shift = _BITS
    power = _LOOKUP[_BITS & 255] ^ _BITS >> 8
    while steps:
        if steps & 1:
            shift = _apply(power, shift)
        power = _apply(power, power)
        steps >>= 1
    shifts = []
    for _ in range(_LANES.bit_length() - 1):
        shifts.append(shift)
        shift = _apply(shift, shift)
    return shifts


def _apply(images: np.ndarray, crcs: np.ndarray) -> np.ndarray:
    return np.bitwise_xor.reduce(np.where(crcs[:, None] & _BITS, images, np.uint32(0)), axis=1)
