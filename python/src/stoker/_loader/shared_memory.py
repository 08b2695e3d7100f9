"""The shared memory of a loader, which the reader process fills with batches."""

from __future__ import annotations

import mmap
import os
from typing import Any, Dict, List, Optional

from .._errors import StokerError
from .._java.protocol import BatchMessage
from .._system.block_file import BlockFile
from .lease import HeldBatch, Leases


class SharedMemory:
    """The blocks that a loader has mapped: each once, when the first batch in it comes. A block that the reader process has
    freed is unmapped when no array is left on it.

    :param keeps_files: keep the blocks' files, for other processes
    """

    def __init__(self, leases: Leases, keeps_files: bool) -> None:
        self._leases = leases
        self._keeps_files = keeps_files
        self._maps: Dict[int, mmap.mmap] = {}
        self._files: Dict[int, BlockFile] = {}

    def update(self, message: BatchMessage, files: List[int]) -> List[HeldBatch]:
        """Maps and unmaps what a message says. Returns what the program holds of the blocks that were freed.

        :param files: the descriptors that came with it; they are this object's from here on
        """
        for number in message.freed:
            self._maps.pop(number, None)
            self._files.pop(number, None)
        for file in files:
            block = BlockFile(message.block, file, is_written=False)
            self._maps[message.block] = mmap.mmap(file, os.fstat(file).st_size)
            if self._keeps_files:
                self._files[message.block] = block
        if message.block and message.block not in self._maps:
            raise StokerError(
                "the memory of a batch did not come: this process may open no more files; raise the limit (ulimit -n)"
            )
        return self._leases.disown(message.freed)

    def of(self, message: BatchMessage) -> Any:
        """The memory of a message's batch, which is the batch's as long as anything refers to it."""
        return self._leases.grant(message.block, self._maps[message.block]) if message.block else b""

    def file_of(self, message: BatchMessage) -> Optional[BlockFile]:
        """The file of the block that a batch lies in, if files are kept."""
        return self._files.get(message.block)

    def clear(self) -> None:
        self._maps.clear()
        self._files.clear()

    def maps(self) -> List[mmap.mmap]:
        return list(self._maps.values())
