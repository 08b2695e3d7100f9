"""States of one series, such as step-1000 and step-2000: which is the newest, and which are too old to keep."""

from __future__ import annotations

import os
import re
import warnings
from typing import List, NamedTuple, Optional, Tuple

from .._errors import StokerError
from .._job.rank_folder import FOLDER_ENDING, delete_abandoned_job
from .._system import probe
from .._system.files import open_regular
from .._types import Path
from . import partial_file as files
from .safetensors import read_layout

ENDING = ".safetensors"


class _Numbered(NamedTuple):
    series: str
    numbers: Tuple[int, ...]


def _numbers(path: str) -> Optional[_Numbered]:
    """What tells files of one series apart: step-10 and step-9 are numbers 10 and 9 of step-#."""
    name = os.path.basename(path)
    numbers = tuple(int(digits) for digits in re.findall(r"\d+", name))
    if not numbers or not name.endswith(ENDING):
        return None
    return _Numbered(re.sub(r"\d+", "#", name), numbers)


def require_series(path: str, keep: int) -> None:
    """Of several numbers one may be that of a run or of a rank, whose files nobody may delete: so there must be one."""
    if keep < 1:
        raise StokerError(f"[{path}] keep={keep} should be at least 1, for the file itself")
    found = _numbers(path)
    count = 0 if found is None else len(found.numbers)
    if count != 1:
        raise StokerError(
            f"[{path}] keep={keep} needs a name with exactly one number, which tells older files from newer ones, but this one "
            f"has {count}; call it step-1000{ENDING}, and let other numbers stand in the name of its folder, as "
            f"run-2/step-1000{ENDING}"
        )


def delete_older(path: str, keep: int) -> None:
    """Deletes what is older than the newest, and what killed saves left. Files with higher numbers, from a run that went
    further before it was set back, stay."""
    mine = _numbers(path)
    assert mine is not None
    folder = os.path.dirname(path)
    now = os.stat(folder).st_mtime  # when the file got its name, by the clock of the filesystem
    older: List[Tuple[Tuple[int, ...], str]] = []
    names = os.listdir(folder)
    left = {files.belongs_to(name) for name in names if name.endswith(".partial")}
    for name in {_belongs_to(name) for name in names}:
        found, file = _numbers(name), os.path.join(folder, name)
        if found is None or found.series != mine.series or found.numbers >= mine.numbers:
            continue
        if name in left:
            files.delete_abandoned(file)
        delete_abandoned_job(file, now)
        if probe.is_file(file):
            older.append((found.numbers, file))
    for _, file in sorted(older)[: max(0, len(older) - keep + 1)]:
        try:
            os.unlink(file)
        except FileNotFoundError:
            pass
        except OSError as e:  # the new one is saved: that an old one stays is no reason to end a training
            warnings.warn(f"[{file}] is older than keep={keep} asks for, but cannot be deleted: {e.strerror}", stacklevel=2)


def _belongs_to(name: str) -> str:
    """The file of a name in its folder, which may be that of what a save has beside it until it ends."""
    is_job = name.startswith(".") and name.endswith(FOLDER_ENDING)
    return name[1 : -len(FOLDER_ENDING)] if is_job else files.belongs_to(name)


def latest(folder: Path) -> Optional[str]:
    """The newest complete state of a folder; None if there is none. The newest is the one with the highest number in its name;
    of several numbers, as in ``epoch-2-step-100``, the first counts most.

    ::

        path = stoker.latest("run")
        state = stoker.load(path) if path else {}

    A damaged state, such as a truncated copy, is skipped with a warning. Storage that fails is an error, so that training never
    starts over because a folder could not be read.

    :param folder: the folder; or a pattern such as ``run/step-*.safetensors`` where it has states of several kinds
    """
    where = os.fspath(folder)
    if "*" in where:
        paths = probe.matching(where)
    else:
        paths = [os.path.join(where, name) for name in probe.names_in(where) if not name.startswith(".")]
    numbered = [(found, path) for path in paths if (found := _numbers(path)) and probe.is_file(path)]
    kinds = sorted({found.series for found, _ in numbered})
    if len(kinds) > 1:
        raise StokerError(
            f"[{where}] has states of several kinds: {', '.join(kinds[:5])}; name one, as "
            f"{os.path.join(where, kinds[0].replace('#', '*'))}"
        )
    for _, path in sorted(numbered, reverse=True):
        try:
            fd = open_regular(path)
            try:
                read_layout(path, fd)
            finally:
                os.close(fd)
            return path
        except FileNotFoundError:
            continue  # deleted meanwhile
        except (StokerError, PermissionError) as e:
            # One that has its name was complete; a copy of it may be truncated.
            warnings.warn(f"skipping the newest state, which cannot be used: {_reason(path, e)}", stacklevel=2)
        except OSError as e:
            raise probe.cannot_read(path, e) from e
    return None


def _reason(path: str, e: Exception) -> str:
    return str(probe.cannot_read(path, e) if isinstance(e, OSError) else e)
