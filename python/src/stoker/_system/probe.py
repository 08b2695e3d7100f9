"""Whether something is at a path. Where the storage fails, that is an error: os.path.exists and glob say no then, and a file
that exists is taken for missing."""

from __future__ import annotations

import errno
import fnmatch
import os
import stat
from typing import Iterator, List, Optional

from .._errors import StokerError

_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)


def exists(path: str) -> bool:
    return _mode(path) is not None


def is_file(path: str) -> bool:
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: str) -> bool:
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def names_in(folder: str) -> List[str]:
    """What a folder holds; nothing if there is no such folder."""
    try:
        return os.listdir(folder)
    except OSError as e:
        if e.errno in _NOWHERE:
            return []
        raise cannot_read(folder, e) from e


def matching(pattern: str) -> List[str]:
    """The paths that a pattern means, as glob.glob has it; all of them, or it fails."""
    folder, name = os.path.split(pattern)
    folders = matching(folder) if _is_pattern(folder) else [folder]
    if not _is_pattern(name):
        return [path for each in folders if exists(path := os.path.join(each, name))]
    found = []
    for each in folders:
        for entry in fnmatch.filter(names_in(each or os.curdir), name):
            if name.startswith(".") or not entry.startswith("."):
                found.append(os.path.join(each, entry))
    return found


def files_below(folder: str) -> Iterator[str]:
    """All files of a folder and of those in it; all of them, or it fails."""

    def fail(e: OSError) -> None:
        raise cannot_read(e.filename or folder, e) from e

    for place, _, names in os.walk(folder, onerror=fail):
        for name in names:
            yield os.path.join(place, name)


def cannot_read(path: str, e: OSError) -> StokerError:
    return StokerError(f"[{path}] cannot be read: {e.strerror or e}")


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[")


def _mode(path: str) -> Optional[int]:
    try:
        return os.stat(path).st_mode
    except OSError as e:
        if e.errno in _NOWHERE:
            return None
        raise cannot_read(path, e) from e
