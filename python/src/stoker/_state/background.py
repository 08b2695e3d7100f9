"""A save that runs while the program does: it copies the state first, and writes the copy in a thread."""

from __future__ import annotations

import atexit
import concurrent.futures
import functools
import os
import sys
import threading
from typing import Any, Callable, List, Optional, Protocol

import numpy as np

from .._system.threads import run_all
from .tensors import copy_into, flat_bytes, is_plain_memory

#: Copies are cut into such parts, so that threads share them.
_COPY_BYTES = 16 << 20
_ALIGNMENT = 64


class Save(Protocol):
    """What runs in the background."""

    def detach(self, buffer: "CopyBuffer") -> None: ...

    def run(self) -> str: ...


class CopyBuffer:
    """Memory for the copy of a state, which is used again by the next one: new memory costs more than the copying."""

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)

    def copy(self, sources: List[Any], sizes: List[int], threads: int) -> List[Any]:
        places, end = [], 0
        for size in sizes:
            places.append(end)
            end += -(-size // _ALIGNMENT) * _ALIGNMENT
        if end > self._bytes.size:
            self._bytes = np.empty(0, np.uint8)  # the old one is free before the new one is had
            self._bytes = np.empty(end, np.uint8)
        copies: List[Any] = []
        tasks: List[Callable[[], None]] = []
        for source, begin, size in zip(sources, places, sizes):
            memory = self._bytes[begin : begin + size]
            if size <= _COPY_BYTES or not is_plain_memory(source):
                copies.append(copy_into(memory, source))
                continue
            flat = np.frombuffer(flat_bytes(source), np.uint8)
            for low in range(0, size, _COPY_BYTES):
                part = slice(low, min(low + _COPY_BYTES, size))
                tasks.append(functools.partial(np.copyto, memory[part], flat[part]))
            copies.append(_same_kind(memory, source))
        run_all(tasks, threads, "stoker-copy")
        return copies


def _same_kind(memory: np.ndarray, source: Any) -> Any:
    if isinstance(source, np.ndarray):
        return memory.view(source.dtype).reshape(source.shape)
    return sys.modules["torch"].from_numpy(memory).view(source.dtype).reshape(source.shape)


class BackgroundSave:
    """The one save of this process that goes on while the program does."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._buffer = CopyBuffer()
        self._future: Optional["concurrent.futures.Future[str]"] = None

    def finish(self) -> None:
        """Waits for the save before, and raises its error, once."""
        if self._pid != os.getpid():
            self.__init__()  # type: ignore[misc]  # forked: what goes on is the parent's
        with self._lock:
            self._finish()

    def _finish(self) -> None:
        # The thread that saves never takes the lock, so it may be waited for by who has it.
        if self._future is not None:
            error = self._future.exception()
            self._future = None
            if error is not None:
                raise error

    def start(self, saving: Save) -> "concurrent.futures.Future[str]":
        with self._lock:
            self._finish()  # another thread may have started one meanwhile, which writes from the same memory
            saving.detach(self._buffer)
            future: "concurrent.futures.Future[str]" = concurrent.futures.Future()
            future.set_running_or_notify_cancel()  # so that nobody can cancel it: it would be over while it still writes

            def run() -> None:
                try:
                    future.set_result(saving.run())
                except BaseException as e:
                    future.set_exception(e)

            # Not a daemon: the interpreter waits for it when the program ends.
            threading.Thread(target=run, name="stoker-save").start()
            self._future = future
            return future

    def report(self) -> None:
        """The last save of a program has no other place to say that it failed."""
        if self._pid == os.getpid() and self._future is not None and self._future.done():
            error = self._future.exception()
            if error is not None:
                print(f"stoker: the last state was not saved: {error}", file=sys.stderr)


background = BackgroundSave()
atexit.register(background.report)
