"""The memory that workers put batches into."""

from __future__ import annotations

import mmap
import os
from typing import Any, Dict, List

from .._loader.lease import Leases
from .._system.block_file import BlockFile
from .._system.memory_file import memory_file

#: Sizes are rounded up, so that batches that differ a little fit.
_STEP = 1 << 16


class OutputBlock:
    """A block of memory for one batch at a time. Its number is negative: those of the reader process are positive."""

    def __init__(self, number: int, file: int) -> None:
        self.number = number
        self.memory = mmap.mmap(file, os.fstat(file).st_size)
        self.file = BlockFile(number, file, is_written=True)


class OutputMemory:
    """Blocks that are used again when nothing refers to their batch any more.

    :param spare: how many unused ones to keep
    """

    def __init__(self, spare: int) -> None:
        self._leases = Leases(False)
        self._spare = spare
        self._granted: Dict[int, OutputBlock] = {}
        self._free: List[OutputBlock] = []
        self._last = 0

    def take(self, size: int) -> OutputBlock:
        """A block of at least this size, in bytes."""
        self._collect()
        fitting = [block for block in self._free if len(block.memory) >= size]
        if fitting:
            best = min(fitting, key=lambda block: len(block.memory))
            self._free.remove(best)
            return best
        file = memory_file("stoker-batch")
        os.ftruncate(file, max(1, -(-size // _STEP)) * _STEP)
        return self.adopt(file)

    def adopt(self, file: int) -> OutputBlock:
        """A block of memory that a worker made; the file is this block's from here on."""
        self._last -= 1
        return OutputBlock(self._last, file)

    def give_back(self, block: OutputBlock) -> None:
        """Nothing was put into it that anyone refers to."""
        self._free.append(block)

    def grant(self, block: OutputBlock) -> Any:
        """The memory of a block, for the arrays of one batch to refer to."""
        self._granted[block.number] = block
        return self._leases.grant(block.number, block.memory)

    def _collect(self) -> None:
        for number in self._leases.take_given_back():
            block = self._granted.pop(number, None)
            if block is not None:
                self._free.append(block)

    def take_surplus(self) -> List[int]:
        """Lets go of unused blocks beyond those that are kept, the smallest first; returns their numbers."""
        self._collect()
        # What was held during a fork is never given back.
        held = self._leases.numbers()
        gone = [number for number in self._granted if number not in held]
        for number in gone:
            del self._granted[number]
        self._free.sort(key=lambda block: len(block.memory))
        surplus = self._free[: max(0, len(self._free) - self._spare)]
        del self._free[: len(surplus)]
        return [*gone, *(block.number for block in surplus)]
