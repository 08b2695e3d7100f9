"""Files in memory."""

from __future__ import annotations

import os
import tempfile


def memory_file(name: str) -> int:
    """The descriptor of a new file that has no name and that no child process inherits by itself. Pythons that were built for
    old systems have no memfd_create, whatever the kernel can."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    file, path = tempfile.mkstemp(prefix=name, dir=folder)
    os.unlink(path)
    return file
