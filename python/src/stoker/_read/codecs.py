"""The steps by which the bytes of a block are decoded. docs/format/index.md specifies them."""

from __future__ import annotations

import importlib
import zlib
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from .._crc32c import crc32c

Step = Tuple[str, List[int]]


class CodecMissing(Exception):
    """A block needs a step of decoding, or a package for one, that is not here. It does not say which file the block is in."""


def decode(steps: List[Step], stored: memoryview, size: int) -> memoryview:
    """Takes all steps, one after another."""
    data = stored
    for name, numbers in steps:
        if name not in _CODECS:
            raise CodecMissing(
                f"a block needs the step '{name}', which this package does not have; read it with the Loader, or make a "
                "container that it can read: stoker convert IN -o OUT.stk"
            )
        data = memoryview(_CODECS[name](data, numbers, size))
    return data


def _package(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as e:
        raise CodecMissing(
            f"blocks that are compressed with {package} need the package '{package}': pip install {package}"
        ) from e


def _inflate(data: memoryview, bits: int, size: int) -> bytes:
    unpacker = zlib.decompressobj(bits)
    made = unpacker.decompress(data, size + 1)
    if len(made) != size or not unpacker.eof:
        raise ValueError(f"it should inflate to {size} bytes, no more and no less")
    return made


def _zstd(data: memoryview, _: List[int], size: int) -> bytes:
    made: bytes = _package("zstandard", "zstandard").ZstdDecompressor().decompress(data, max_output_size=size)
    return made


def _unshuffle(data: memoryview, numbers: List[int], _: int) -> bytes:
    width = numbers[0]
    count = len(data) // width
    bytes_ = np.frombuffer(data, np.uint8)
    turned = bytes_[: count * width].reshape(width, count).T
    return turned.tobytes() + bytes_[count * width :].tobytes()


def _swap(data: memoryview, numbers: List[int], _: int) -> bytes:
    return np.frombuffer(data, np.uint8).reshape(-1, numbers[0])[:, ::-1].tobytes()


def _check_crc32c(data: memoryview, _: List[int], __: int) -> memoryview:
    if crc32c(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError("its crc32c does not fit")
    return data[:-4]


def _check_fletcher32(data: memoryview, _: List[int], __: int) -> memoryview:
    content = bytes(data[:-4]) + b"\0" * (len(data) % 2)
    sums = [0, 0]
    for word in np.frombuffer(content, ">u2").tolist():
        sums[0] += word
        sums[0] -= 0xFFFF if sums[0] > 0xFFFF else 0
        sums[1] += sums[0]
        sums[1] -= 0xFFFF if sums[1] > 0xFFFF else 0
    if sums[1] << 16 | sums[0] != int.from_bytes(data[-4:], "little"):
        raise ValueError("its fletcher32 does not fit")
    return data[:-4]


_CODECS: Dict[str, Callable[[memoryview, List[int], int], Any]] = {
    "zlib": lambda data, _, size: _inflate(data, 15, size),
    "gzip": lambda data, _, size: _inflate(data, 31, size),
    "deflate": lambda data, _, size: _inflate(data, -15, size),
    "zstd": _zstd,
    "lz4": lambda data, _, size: _package("lz4.block", "lz4").decompress(data, uncompressed_size=size),
    "lz4-frame": lambda data, _, size: _package("lz4.frame", "lz4").decompress(data),
    "snappy": lambda data, _, size: _package("cramjam", "cramjam").snappy.decompress_raw(data),
    "zeros": lambda data, _, size: bytes(size),
    "shuffle": _unshuffle,
    "swap": _swap,
    "crc32c": _check_crc32c,
    "fletcher32": _check_fletcher32,
}
