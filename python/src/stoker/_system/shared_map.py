"""Mapping shared memory. Python's own mmap keeps a descriptor for each mapping (until 3.13 always), and a program that holds
many batches would run out of them."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any

from .._errors import StokerError

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ssize_t]
_LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_READ, _WRITE = 1, 2
_SHARED = 1
_FAILED = ctypes.c_void_p(-1).value


def map_shared(file: int, is_written: bool = True) -> Any:
    """Maps a whole file of memory; it may be closed then. The buffer stays mapped while anything refers to it.

    :param is_written: whether it may be written to through this buffer
    """
    size = os.fstat(file).st_size
    address = _LIBC.mmap(None, size, _READ | (_WRITE if is_written else 0), _SHARED, file, 0)
    if address == _FAILED:
        raise StokerError(
            f"no memory of {size} bytes can be mapped for a batch: {os.strerror(ctypes.get_errno())}. Hold fewer batches, copy "
            "what you keep of them, or raise the limits (ulimit -v, sysctl vm.max_map_count)"
        )
    memory = (ctypes.c_char * size).from_address(address)
    weakref.finalize(memory, _LIBC.munmap, address, size).atexit = False
    return memory if is_written else memoryview(memory).toreadonly()
