"""How one of several ranks writes a file: only pages that it fills alone. What it writes into pages that others write too goes
to rank 0.

A client of NFS, and of other filesystems without coherent caches, may write back a whole page of which a part was written, with
whatever it last saw of the rest: two nodes that each write their part of a page so destroy each other's.
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from typing import BinaryIO, Dict, List, Tuple, Union

from .._errors import StokerError

#: The largest page of the machines that clusters have (arm64), so that it holds for all clients of a file.
PAGE = 1 << 16
#: So many pages that are not full are kept in memory; they may still become full.
_KEPT = 1024
_PIECE = struct.Struct("<IQ")
_SUM = struct.Struct("<I")
_COPY_BYTES = 1 << 20

#: Filesystems that keep the caches of all nodes coherent, or are of one node alone: there every byte can be written as it is.
_COHERENT = frozenset(["ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "tmpfs", "ramfs", "overlay", "lustre", "gpfs", "ceph"])


class _Page:
    def __init__(self) -> None:
        self.data = bytearray(PAGE)
        self.pieces: List[Tuple[int, int]] = []  # no byte comes twice


class WholePages:
    """Writes whole pages of a file of a planned size. Any number of threads may."""

    def __init__(self, fd: int, size: int, edges: BinaryIO) -> None:
        self._fd, self._size, self._edges = fd, size, edges
        self._lock = threading.Lock()
        self._pages: Dict[int, _Page] = {}
        self._sum = 0

    def write(self, data: memoryview, offset: int) -> None:
        end = offset + len(data)
        low = min(end, -(-offset // PAGE) * PAGE)
        high = end if end == self._size else max(low, end // PAGE * PAGE)
        if offset < low:
            self._keep(data[: low - offset], offset)
        if low < high:
            write_all(self._fd, data[low - offset : high - offset], low)
        if high < end:
            self._keep(data[high - offset :], high)

    def _keep(self, part: memoryview, offset: int) -> None:
        """Keeps a part of a page until the rest of it comes."""
        number, at = divmod(offset, PAGE)
        whole = min(PAGE, self._size - number * PAGE)
        with self._lock:
            page = self._pages.setdefault(number, _Page())
            page.data[at : at + len(part)] = part
            page.pieces.append((at, len(part)))
            if sum(length for _, length in page.pieces) < whole:
                if len(self._pages) > _KEPT:
                    self._leave(next(iter(self._pages)))
                return
            del self._pages[number]
        write_all(self._fd, memoryview(page.data)[:whole], number * PAGE)

    def _leave(self, number: int) -> None:
        page = self._pages.pop(number)
        for at, length in page.pieces:
            self._append(_PIECE.pack(length, number * PAGE + at))
            self._append(page.data[at : at + length])

    def _append(self, data: Union[bytes, bytearray]) -> None:
        self._edges.write(data)
        self._sum = zlib.crc32(data, self._sum)

    def finish(self) -> None:
        """Nothing more comes."""
        for number in list(self._pages):
            self._leave(number)
        self._append(_PIECE.pack(0, 0))
        self._edges.write(_SUM.pack(self._sum))
        self._edges.flush()


def write_all(fd: int, data: memoryview, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(fd, data[done : done + _WRITE_BYTES], offset + done)


#: One write; large enough that its call costs nothing.
_WRITE_BYTES = 32 << 20


def apply_edges(name: str, fd: int, size: int) -> None:
    """Writes what a rank left to its places."""
    with open(name, "rb") as edges:
        _require_whole(name, edges)
        while True:
            length, offset = _PIECE.unpack(edges.read(_PIECE.size))
            if length == 0:
                return
            if length > PAGE or offset + length > size:
                raise StokerError(f"[{name}] has {length} bytes for byte {offset} of a file of {size}; save again")
            write_all(fd, memoryview(edges.read(length)), offset)


def _require_whole(name: str, edges: BinaryIO) -> None:
    left = os.fstat(edges.fileno()).st_size - _SUM.size
    total = 0
    while left > 0 and (data := edges.read(min(left, _COPY_BYTES))):
        total = zlib.crc32(data, total)
        left -= len(data)
    if left != 0 or edges.read() != _SUM.pack(total):
        raise StokerError(
            f"[{name}] is not what a rank wrote, which are its bytes in pages that it shares with other ranks; save again"
        )
    edges.seek(0)


def is_coherent(folder: str) -> bool:
    """Whether what several nodes write into one page of a file in a folder stays."""
    return _filesystem_type(folder) in _COHERENT


def _filesystem_type(folder: str) -> str:
    """As the kernel calls it; empty if it does not say."""
    device = os.stat(folder).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as mounts:
            for line in mounts:
                before, _, after = line.partition(" - ")
                if before.split(" ")[2] == wanted:
                    return after.split(" ")[0]
    except OSError:
        pass
    return ""
