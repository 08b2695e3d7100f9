"""Opening and mapping files that somebody else may have put there."""

from __future__ import annotations

import mmap
import os
import stat
import sys

from .._errors import StokerError


def open_regular(path: str) -> int:
    """Opens a file to be read. A pipe in its place is refused, and not waited for, for ever."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise StokerError(f"[{path}] cannot be read: it is no regular file")


def map_file(path: str) -> memoryview:
    """Maps a whole file, to be read. The memory stays mapped while a view of it is in use."""
    if sys.byteorder != "little":
        raise StokerError(f"[{path}] cannot be read on this machine: Stoker's Python package needs a little-endian one")
    try:
        with open(open_regular(path), "rb") as f:
            size = os.fstat(f.fileno()).st_size
            # An empty file cannot be mapped.
            return memoryview(mmap.mmap(f.fileno(), size, access=mmap.ACCESS_READ)) if size else memoryview(b"")
    except OSError as e:
        raise StokerError(f"[{path}] cannot be read: {e.strerror or e}") from e
