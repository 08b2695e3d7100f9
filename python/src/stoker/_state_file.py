"""A state file while it is written: planned, filled by all ranks, sealed by a rename."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import math
import os
from typing import Iterator, List, Set

from ._errors import StokerError
from ._own import require_own
from ._parallel import run_all
from ._safetensors import TYPES, Layout
from ._state_plan import Task, runs
from ._tensors import Leaf, flat_bytes, is_plain_memory

#: What this process is writing. Forked workers would keep its space and its lock for as long as they live.
_OPEN: Set[int] = set()


def _close_copies() -> None:
    for fd in _OPEN:
        os.close(fd)
    _OPEN.clear()


os.register_at_fork(after_in_child=_close_copies)

#: One write; large enough that its call costs nothing, small enough that threads share the work.
_WRITE_BYTES = 32 << 20


def partial(path: str) -> str:
    return f"{path}.partial"


@contextlib.contextmanager
def prepared(path: str, layout: Layout) -> Iterator[int]:
    """The file until it is sealed, for rank 0: with its header and size. It is deleted if anything fails."""
    fd = _claim(path)
    try:
        with naming(path):
            if os.fstat(fd).st_size > 0:  # not for nothing: ext4 writes out all of a file that was emptied when it is closed
                os.ftruncate(fd, 0)
            os.ftruncate(fd, layout.size)
            write_all(fd, memoryview(layout.head), 0)
        yield fd
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial(path))
        raise
    finally:
        close_partial(fd)


def _claim(path: str) -> int:
    """Opens the file as this process's own. What a killed one left is taken over, what a living one writes is refused."""
    while True:
        with naming(path):
            fd = open_partial(path, os.O_CREAT)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            close_partial(fd)
            raise StokerError(f"[{path}] is being saved by another process; wait for it, or choose another path") from None
        except OSError:
            return fd  # no locks on this filesystem
        if _is_partial(path, fd):
            return fd
        close_partial(fd)  # sealed or deleted by another one between opening and locking


def _is_partial(path: str, fd: int) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(partial(path)))
    except FileNotFoundError:
        return False


def delete_abandoned(path: str) -> None:
    """Deletes what a killed save left. What a living process writes stays, as does what cannot be told from it: that of
    somebody else, or on a filesystem without locks."""
    with contextlib.suppress(OSError, StokerError):
        fd = open_partial(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_partial(path, fd):
                os.unlink(partial(path))
        finally:
            close_partial(fd)


def open_partial(path: str, flags: int = 0) -> int:
    """Opens the file for writing, until :func:`close_partial`; what somebody else may have put there is refused."""
    fd = os.open(partial(path), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o666)
    _OPEN.add(fd)
    try:
        require_own(partial(path))  # only now: what was looked at before could be another one by the time that it is opened
    except FileNotFoundError:
        pass  # another process has just sealed or deleted it
    except BaseException:
        close_partial(fd)
        raise
    return fd


def close_partial(fd: int) -> None:
    _OPEN.discard(fd)
    os.close(fd)


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Lets errors of the system name the file, and what to do."""
    try:
        yield
    except OSError as e:
        full = e.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "; free some space: what was saved before is as it was" if full else ""
        raise StokerError(f"[{e.filename or path}] cannot be written: {e.strerror}{advice}") from e


def write_all(fd: int, data: memoryview, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(fd, data[done : done + _WRITE_BYTES], offset + done)


def fill(path: str, fd: int, leaves: List[Leaf], tasks: List[Task], threads: int) -> None:
    """Writes what the plan gave to this rank."""
    parts = [functools.partial(_write, fd, leaves[task.leaf], task) for task in _cut(leaves, tasks)]
    with naming(path):
        run_all(parts, threads, "stoker-fill")


def _cut(leaves: List[Leaf], tasks: List[Task]) -> Iterator[Task]:
    for task in tasks:
        leaf = leaves[task.leaf]
        piece = leaf.pieces[task.piece]
        # What must be copied first, or lies in many places, is written by one.
        is_cut = is_plain_memory(piece.data) and len(list(runs(leaf.shape, piece, 1, 2))) == 1
        step = _WRITE_BYTES if is_cut else max(1, task.high - task.low)
        for low in range(task.low, task.high, step):
            yield task._replace(low=low, high=min(low + step, task.high))


def _write(fd: int, leaf: Leaf, task: Task) -> None:
    piece = leaf.pieces[task.piece]
    data = flat_bytes(piece.data)
    width = TYPES[leaf.dtype][1]
    if len(data) != width * math.prod(piece.shape):
        raise StokerError(f"a tensor has {len(data)} bytes but had {width * math.prod(piece.shape)} when its place was planned")
    for at, begin, length in runs(leaf.shape, piece, width):
        low, high = max(begin, task.low), min(begin + length, task.high)
        if low < high:
            write_all(fd, data[low:high], task.begin + at + low - begin)


def seal(path: str, fd: int, sync: bool) -> None:
    """Gives the file its name, when all ranks have filled it."""
    with naming(path):
        if sync:
            os.fsync(fd)
        os.replace(partial(path), path)
        if sync:
            sync_folder(os.path.dirname(path))


def sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
