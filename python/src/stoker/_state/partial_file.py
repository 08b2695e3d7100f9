"""A state file while it is written: planned, filled by all ranks, sealed by a rename."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import math
import os
import re
from typing import Callable, Iterator, List, Optional, Set

from .._errors import StokerError
from .._system.ownership import require_own
from .._system.threads import run_all
from .plan import Task, runs
from .safetensors import TYPES, Layout
from .tensors import Leaf, flat_bytes, is_plain_memory
from .whole_pages import write_all

#: What this process is writing. Forked workers would keep its space and its lock for as long as they live.
_OPEN: Set[int] = set()


def _close_copies() -> None:
    for fd in _OPEN:
        os.close(fd)
    _OPEN.clear()


os.register_at_fork(after_in_child=_close_copies)

#: Writes bytes to a place of the file.
Write = Callable[[memoryview, int], None]

#: What a thread writes at a time; small enough that threads share the work.
_WRITE_BYTES = 32 << 20


#: Without locks nobody knows whether somebody still writes a file; one that did not change for so long is a leftover.
_ABANDONED_SECONDS = 3600.0
_TRY = re.compile(r"\.[0-9a-f]{16}\.partial$")


def partial(path: str, nonce: str) -> str:
    """The file of one try to save, until it is sealed. Each try has one of its own: a process that outlives its try may still
    have that open, and write into it."""
    return f"{path}.{nonce}.partial"


def belongs_to(name: str) -> str:
    """The name of the state that a file is, or is a try of."""
    return _TRY.sub("", name).removesuffix(".partial")


@contextlib.contextmanager
def prepared(path: str, nonce: str, layout: Layout) -> Iterator[int]:
    """The file of a try, for rank 0: with its header and size. It is deleted if anything fails."""
    fd = claim(path, nonce)
    try:
        with naming(path):
            os.ftruncate(fd, layout.size)
            write_all(fd, memoryview(layout.head), 0)
        yield fd
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial(path, nonce))
        raise
    finally:
        close_partial(fd)


def claim(path: str, nonce: str) -> int:
    """Makes the file of a try, and locks it for as long as this process has it open. What killed tries left is deleted; a path
    that a living process saves is refused."""
    with _entry_lock(path):
        _delete_leftovers(path)
        with naming(path):
            fd = open_partial(partial(path, nonce), os.O_CREAT | os.O_EXCL)
        _lock(fd)
        return fd


@contextlib.contextmanager
def _entry_lock(path: str) -> Iterator[None]:
    """Lets one process at a time begin to save a path: so that of two one finds the other. It is a file without content."""
    lock = f"{path}.partial"
    while True:
        with naming(path):
            fd = open_partial(lock, os.O_CREAT)
        try:
            if _lock(fd) is False:
                raise _in_use(path)
            if not _is_named(lock, fd):
                continue  # another one went through it between opening and locking
            try:
                yield
                return
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(lock)
        finally:
            close_partial(fd)


def _in_use(path: str) -> StokerError:
    return StokerError(f"[{path}] is being saved by another process; wait for it, or choose another path")


def _lock(fd: int) -> Optional[bool]:
    """False if another process has the lock; None if the filesystem has no locks."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return None


def _is_named(name: str, fd: int) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(name, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _delete_leftovers(path: str) -> None:
    """Deletes the files of killed tries. Ranks that outlived them write where nobody reads, and find out."""
    for name in _tries(path):
        with naming(path):
            try:
                fd = open_partial(name)
            except FileNotFoundError:
                continue  # sealed or given up just now
        try:
            locked = _lock(fd)
            if locked is False and _is_named(name, fd):
                raise _in_use(path)
            if locked or (locked is None and _is_old(path, fd)):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)
        finally:
            close_partial(fd)


def _tries(path: str) -> List[str]:
    folder, name = os.path.split(path)
    with naming(path):
        found = os.listdir(folder)
    return [os.path.join(folder, other) for other in found if _TRY.search(other) and belongs_to(other) == name]


def _is_old(path: str, fd: int) -> bool:
    os.utime(f"{path}.partial")
    now = os.stat(f"{path}.partial").st_mtime  # by the clock of the filesystem, which need not be that of this machine
    return now - os.fstat(fd).st_mtime > _ABANDONED_SECONDS


def delete_abandoned(path: str) -> None:
    """Deletes what killed saves left. What a living process writes stays, as does what cannot be told from it: that of
    somebody else, or what is not old on a filesystem without locks."""
    with contextlib.suppress(OSError, StokerError), _entry_lock(path):
        _delete_leftovers(path)


def open_partial(name: str, flags: int = 0) -> int:
    """Opens a file for writing, until :func:`close_partial`; what somebody else may have put there is refused."""
    fd = os.open(name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o666)
    _OPEN.add(fd)
    try:
        require_own(name)  # only now: what was looked at before could be another one by the time that it is opened
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


def fill(path: str, write: Write, leaves: List[Leaf], tasks: List[Task], threads: int) -> None:
    """Writes what the plan gave to this rank."""
    parts = [functools.partial(_write, write, leaves[task.leaf], task) for task in _cut(leaves, tasks)]
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


def _write(write: Write, leaf: Leaf, task: Task) -> None:
    piece = leaf.pieces[task.piece]
    data = flat_bytes(piece.data)
    width = TYPES[leaf.dtype][1]
    if len(data) != width * math.prod(piece.shape):
        raise StokerError(f"a tensor has {len(data)} bytes but had {width * math.prod(piece.shape)} when its place was planned")
    for at, begin, length in runs(leaf.shape, piece, width):
        low, high = max(begin, task.low), min(begin + length, task.high)
        if low < high:
            write(data[low:high], task.begin + at + low - begin)


def seal(path: str, nonce: str, fd: int, sync: bool) -> None:
    """Gives the file its name, when all ranks have filled it."""
    with naming(path):
        if sync:
            os.fsync(fd)
        os.replace(partial(path, nonce), path)
        if sync:
            sync_folder(os.path.dirname(path))


def sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
