"""The shared memory of a loader, which the reader process fills with batches."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .._java.protocol import BatchMessage
from .._system.block_file import BlockFile
from .._system.memory_file import refuse_files
from .._system.shared_map import map_shared
from .batch import SMALL
from .lease import HeldBatch, Leases


class SharedMemory:
    """The blocks that a loader has mapped: each once, when the first batch in it comes. A block that the reader process has
    freed is unmapped when no array is left on it.

    :param keeps_files: keep the blocks' files, for other processes
    """

    def __init__(self, leases: Leases, keeps_files: bool) -> None:
        self._leases = leases
        self._keeps_files = keeps_files
        self._maps: Dict[int, Any] = {}
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
            self._maps[message.block] = map_shared(file)
            if self._keeps_files:
                self._files[message.block] = block
        if message.block and message.block not in self._maps:
            refuse_files("could not receive a batch's memory")
        return self._leases.disown(message.freed)

    def of(self, message: BatchMessage) -> Any:
        """The memory of a message's batch, which is the batch's as long as anything refers to it. That of a small one is a
        copy, unless workers get it."""
        if not message.block:
            return b""
        memory = self._maps[message.block]
        if len(memory) <= SMALL and not self._keeps_files:
            self._leases.give_back(message.block)
            return bytearray(memory)
        return self._leases.grant(message.block, memory)

    def file_of(self, message: BatchMessage) -> Optional[BlockFile]:
        """The file of the block that a batch lies in, if files are kept."""
        return self._files.get(message.block)

    def clear(self) -> None:
        self._maps.clear()
        self._files.clear()

    def maps(self) -> List[Any]:
        return list(self._maps.values())
