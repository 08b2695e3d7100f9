"""A batch on its way through a function."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from .._errors import StokerError
from .._java.protocol import BatchMessage
from .._system.block_file import BlockFile
from .output import OutputBlock
from .tasks import InputBatch, Result, SampleFailure
from .values import OutputField


class Job:
    """A batch on its way."""

    def __init__(self, message: BatchMessage, memory: Any, block: Optional[BlockFile], failure: Optional[StokerError]) -> None:
        self.message = message
        self.memory = memory  # as long as workers read it
        self.block = block
        #: Why the reader process could not deliver it.
        self.failure = failure
        self.output: Optional[OutputBlock] = None
        self.fields: Optional[Sequence[OutputField]] = None
        self.is_started = False
        #: How many tasks are under way.
        self.tasks = 0
        self.results: List[Result] = []
        #: While it is found out what the function returns: the rows that were tried.
        self.tried = 0
        #: The failures of samples that end each worker, by row.
        self.deadly: Dict[int, SampleFailure] = {}

    @property
    def bytes(self) -> int:
        return len(self.memory) + (0 if self.output is None else len(self.output.memory))

    @property
    def is_done(self) -> bool:
        return self.failure is not None or (self.is_started and self.tasks == 0)

    def sample(self, row: int) -> Tuple[int, int]:
        """The number of a sample in its data set, and that of the data set."""
        which = self.message.rows[row]  # type: ignore[index]
        return int(which["sample"]), int(which["dataset"])

    def input(self) -> InputBatch:
        message = self.message
        return InputBatch(message.block, message.samples, message.epoch, message.places)

    def parts(self, first: int, last: int) -> List[Tuple[int, int]]:
        """What is left of a range of rows without those that end each worker."""
        ends = [row for row in sorted(self.deadly) if first <= row < last]
        parts = zip([first, *(row + 1 for row in ends)], [*ends, last])
        return [(begin, end) for begin, end in parts if begin < end]
