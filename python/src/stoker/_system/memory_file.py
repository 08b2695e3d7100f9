"""Files in memory."""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from typing import NoReturn

from .._errors import StokerError


def memory_file(name: str) -> int:
    """The descriptor of a new file that has no name and that no child process inherits by itself. Pythons that were built for
    old systems have no memfd_create, whatever the kernel can."""
    try:
        if hasattr(os, "memfd_create"):
            return os.memfd_create(name)
        folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        file, path = tempfile.mkstemp(prefix=name, dir=folder)
        os.unlink(path)
        return file
    except OSError as e:
        if e.errno in (errno.EMFILE, errno.ENFILE):
            refuse_files("no shared memory could be made")
        raise StokerError(f"no shared memory could be made: {e.strerror}") from e


def grow(file: int, size: int) -> None:
    """Gives a file in memory its size."""
    try:
        os.ftruncate(file, size)
    except OSError as e:
        raise StokerError(f"{size} bytes of shared memory are not available: {e.strerror}; hold fewer batches") from e


def refuse_files(what: str) -> NoReturn:
    """Raises the error of a process that may open no more files."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    raise StokerError(
        f"{what}: this process may open no more than {limit} files; raise the limit (ulimit -n), or close some of its files"
    )
