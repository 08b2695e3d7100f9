"""Memory without a name, as a file that can be passed to other processes."""

from __future__ import annotations

import contextlib
import os


class BlockFile:
    """The open file of a block of shared memory, for workers that do not have it yet."""

    def __init__(self, number: int, file: int, is_written: bool) -> None:
        self.number = number
        self.file = file
        self.is_written = is_written

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.file)
