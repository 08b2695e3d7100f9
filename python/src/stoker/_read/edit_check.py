"""Whether a container was edited since its Index was made. What an Index copies, such as labels, would be the old values."""

from __future__ import annotations

import contextlib
import os
import shlex
import stat
import subprocess
from typing import Callable, Iterator, List

from .._errors import StokerError
from .._java.command import command_environment, find_command
from .._system.ownership import may_describe_anywhere
from .._system.probe import files_below
from .index import Index

_SECONDS = 3600
_NANOS = 10**9


def require_unedited(path: str, index: Index, note: Callable[[], str]) -> None:
    """Refuses a container that says something else than its Index.

    Where the two are tied by their times (docs/format/index.md), nothing is read. Otherwise, as after copying a pair without
    its times, the command compares them, once.

    :param note: gives where the command notes that they agree, if it cannot tie them
    """
    if index.is_container or not _has_copies(index) or _is_known(path, index, note):
        return
    command = find_command()
    if command is not None:
        with alone(index.path):
            if not _is_known(path, index, note):
                _compare(path, command)
    elif os.stat(index.path).st_mtime_ns < _written(path):
        raise StokerError(
            f"[{path}] was written after its Index [{index.path}], so it may have been edited; and there is no command "
            "'stoker' "
            "that could compare them. If both were copied together, say that they belong together with: touch "
            f"{shlex.quote(index.path)}; and copy with times from now on (cp -p, rsync -a, tar)"
        )


def _has_copies(index: Index) -> bool:
    """What was derived and has no checksums is made again instead, and in a folder of samples nothing but the files is read."""
    is_precious = index.is_packed or any(field.checksums for field in index.fields)
    return is_precious and all(field.place != "tree" for field in index.fields)


@contextlib.contextmanager
def alone(path: str) -> Iterator[None]:
    """Where many processes open a container that the command has to look at, one lets it and the others wait."""
    import fcntl

    with open(path, "rb") as f:
        # Some network filesystems have no locks: then each process does the same.
        with contextlib.suppress(OSError):
            fcntl.flock(f, fcntl.LOCK_EX)
        yield


def _is_known(path: str, index: Index, note: Callable[[], str]) -> bool:
    written = _written(path)
    return _is_tied(index, written) or _is_noted(path, index, note, written)


def _written(path: str) -> int:
    """When a container was written: of a folder, the newest of its files."""
    found = os.stat(path)
    if not stat.S_ISDIR(found.st_mode):
        return found.st_mtime_ns
    return max((os.lstat(file).st_mtime_ns for file in files_below(path)), default=0)


def _is_tied(index: Index, written: int) -> bool:
    return os.stat(index.path).st_mtime_ns == written - (1 + index.header_crc % _SECONDS) * _NANOS


def _is_noted(path: str, index: Index, note: Callable[[], str], written: int) -> bool:
    found = os.stat(index.path)
    expected = f"{written} {found.st_mtime_ns} {found.st_size} {index.identity[1].hex()}\n"
    place = note()
    with contextlib.suppress(OSError), open(place, encoding="ascii", errors="replace") as f:
        return may_describe_anywhere(place, path) and f.read(1000) == expected
    return False


def _compare(path: str, command: List[str]) -> None:
    try:
        ended = subprocess.run(
            [*command, "inspect", path],
            env=command_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as e:
        raise StokerError(
            f"[{path}] cannot be compared with its Index: '{shlex.join(command)}' cannot be run: {e.strerror}"
        ) from None
    if ended.returncode:
        said = ended.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise StokerError(said.removeprefix("stoker: "))
