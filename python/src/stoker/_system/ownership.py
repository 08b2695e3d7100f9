"""Whose a file or folder is. In a folder that everybody may write to, such as /tmp, another user may have put there what this
one is about to use: a link to a file of this user's, or a file of their own, which they could change later."""

from __future__ import annotations

import os
import stat
import tempfile

from .._errors import StokerError


def _is_public(path: str) -> bool:
    folder = os.path.dirname(os.path.abspath(path))
    return bool(os.stat(folder).st_mode & stat.S_IWOTH)


def _is_own(path: str, user: int) -> bool:
    """Whether what this process makes beside a path belongs to that user: some servers (NFS with all_squash, SMB) give all
    files of everybody the same one."""
    if user == os.getuid():
        return True
    try:
        file, made = tempfile.mkstemp(prefix=".stoker-", dir=os.path.dirname(os.path.abspath(path)))
        try:
            return os.fstat(file).st_uid == user
        finally:
            os.close(file)
            os.unlink(made)
    except OSError:
        return False


def require_own(path: str) -> None:
    """Refuses a file or folder that somebody else may have put where this user writes."""
    found = os.lstat(path)
    is_link = stat.S_ISLNK(found.st_mode)
    if is_link or (_is_public(path) and not _is_own(path, found.st_uid)):
        reason = "is a symbolic link" if is_link else f"belongs to user {found.st_uid}, in a world-writable folder"
        raise StokerError(f"[{path}] is not written to: it {reason}; delete it, or choose a folder of your own for the output")


def open_own(path: str, flags: int) -> int:
    """Opens a file that the user named to write into it, and makes it if need be; in a world-writable folder, what
    somebody else may have put there is refused."""
    if _is_public(path):
        flags |= os.O_NOFOLLOW
        if os.path.lexists(path):
            require_own(path)  # before it is opened too: a pipe would be waited for
    file = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        if flags & os.O_NOFOLLOW:
            require_own(path)
        return file
    except BaseException:
        os.close(file)
        raise


def may_describe(file: str, other: str) -> bool:
    """Whether a file tells of another one what only that one's owner, this user or root should tell."""
    return not _is_public(file) or may_describe_anywhere(file, other)


def may_describe_anywhere(file: str, other: str) -> bool:
    """The same for a file in a folder that may be anybody's."""
    return os.stat(file).st_uid in (0, os.getuid(), os.stat(other).st_uid)
