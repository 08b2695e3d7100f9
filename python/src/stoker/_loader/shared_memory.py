"""The shared memory of a loader, which the reader process fills with batches."""

from __future__ import annotations

import mmap
import os
from typing import Any, Dict, List

from .._errors import StokerError
from .._java.protocol import BatchMessage


class SharedMemory:
    """The blocks that a loader has mapped: each once, when the first batch in it comes. A block that the reader process gave
    back is unmapped when no array is left on it."""

    def __init__(self) -> None:
        self._maps: Dict[int, mmap.mmap] = {}

    def update(self, message: BatchMessage, files: List[int]) -> Any:
        """Maps and unmaps what a message says, and returns the memory of its batch.

        :param files: the descriptors that came with it; they are closed
        """
        for number in message.freed:
            self._maps.pop(number, None)
        for file in files:
            try:
                self._maps[message.block] = mmap.mmap(file, os.fstat(file).st_size)
            finally:
                os.close(file)
        if message.block and message.block not in self._maps:
            raise StokerError(
                "the memory of a batch did not come: this process may open no more files; raise the limit (ulimit -n)"
            )
        return self._maps[message.block] if message.block else b""

    def clear(self) -> None:
        self._maps.clear()

    def maps(self) -> List[mmap.mmap]:
        return list(self._maps.values())
