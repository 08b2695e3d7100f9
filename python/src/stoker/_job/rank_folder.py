"""The folder through which the ranks of a job coordinate: its name, and who may still use it. See `rank_group` for its
files."""

from __future__ import annotations

import contextlib
import os
import shutil

from .._errors import StokerError

#: Who was there and gave no sign of life for so long is dead; filesystems may show files late.
SILENCE_SECONDS = 30.0
FOLDER_ENDING = ".stoker-save"
_JAVA_ENDING = ".stoker-job"


def job_folder(output: str) -> str:
    return _beside(output, FOLDER_ENDING)


def _beside(output: str, ending: str) -> str:
    return os.path.join(os.path.dirname(output), f".{os.path.basename(output)}{ending}")


def refuse_java_job(output: str) -> None:
    """Refuses an output that ranks of Java write or left: the two kinds of ranks do not understand each other."""
    folder = _beside(output, _JAVA_ENDING)
    if os.path.lexists(folder):
        raise StokerError(
            f"[{folder}] belongs to a job of Java processes that write, or were killed while they wrote, {output}; wait for "
            "it, or "
            "delete the folder if none of them is running"
        )


def delete_abandoned_job(output: str, now: float) -> None:
    """Deletes the folder of ranks that were killed. Those that live write into it every second.

    :param now: by the clock of the filesystem, which need not be that of this machine
    """
    with contextlib.suppress(OSError), os.scandir(job_folder(output)) as entries:
        if all(now - entry.stat().st_mtime > SILENCE_SECONDS for entry in entries):
            shutil.rmtree(job_folder(output), ignore_errors=True)
