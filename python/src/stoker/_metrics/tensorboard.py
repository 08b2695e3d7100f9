"""Files of scalars as TensorBoard reads them: records of TFRecord, each a protobuf message Event."""

from __future__ import annotations

import os
import socket
import struct
import time
from typing import Mapping

from .._crc32c import crc32c

_MASK = 0xA282EAD8


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _message(number: int, payload: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(payload)) + payload


def _masked(data: bytes) -> bytes:
    crc = crc32c(memoryview(data))
    return struct.pack("<I", ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF)


def _record(event: bytes) -> bytes:
    length = struct.pack("<Q", len(event))
    return length + _masked(length) + event + _masked(event)


def first_record(wall_time: float) -> bytes:
    """What a file begins with."""
    return _record(struct.pack("<Bd", 9, wall_time) + _message(3, b"brain.Event:2"))


def scalar_record(wall_time: float, step: int, scalars: Mapping[str, float]) -> bytes:
    """Scalars of one step."""
    summary = b"".join(
        _message(1, _message(1, tag.encode("utf-8")) + struct.pack("<Bf", 21, _single(value))) for tag, value in scalars.items()
    )
    return _record(struct.pack("<Bd", 9, wall_time) + b"\x10" + _varint(step) + _message(5, summary))


def _single(value: float) -> float:
    """A number that is too large for 32 bits is infinite there."""
    try:
        struct.pack("<f", value)
        return value
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class EventFile:
    """A new file in a folder, which is made if need be."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        now = time.time()
        name = f"events.out.tfevents.{int(now)}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns() % 10**9}"
        self.path = os.path.join(folder, name)
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        self._end = 0
        self.append(first_record(now))

    def append(self, records: bytes) -> None:
        """Records that were written in part, as on a full disk, are written over by the next ones."""
        done = 0
        while done < len(records):
            done += os.pwrite(self._file, records[done:], self._end + done)
        self._end += done

    def close(self) -> None:
        os.close(self._file)
