"""What a loader tells its workers, and what they answer."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .._java.protocol import FieldPlace
from .._types import FieldType
from .values import OutputField

#: Gets a sample, or a batch, and returns what it becomes; None leaves it out.
MapFunction = Callable[[Dict[str, Any]], Optional[Dict[str, Any]]]


class Functions(NamedTuple):
    """What a worker runs."""

    map: Optional[MapFunction]
    map_batch: Optional[MapFunction]


class Setup(NamedTuple):
    """What a worker has to know before its first task."""

    fields: List[Tuple[str, FieldType]]
    framework: str
    seed: int


class InputBatch(NamedTuple):
    """Where the samples lie."""

    #: The number of the block of memory; 0 if they have no bytes.
    block: int
    samples: int
    epoch: int
    places: List[FieldPlace]


class Task(NamedTuple):
    """Some samples of a batch, or a whole batch, for one worker."""

    number: int
    batch: InputBatch
    first_row: int
    row_count: int
    #: Which samples they are (``sample``, ``dataset``); of a whole batch without a function for each, only the first.
    rows: np.ndarray
    #: What the function is known to return for a sample; None to find out by the first of the rows.
    fields: Optional[Sequence[OutputField]]
    #: The block that the results go into; 0 if there is none.
    output: int
    #: Blocks that are used no more.
    forgotten: Tuple[int, ...] = ()


class SampleFailure(NamedTuple):
    """The function failed for a sample."""

    #: -1 for a whole batch.
    row: int
    #: The exception in a line, and its traceback.
    reason: str
    traceback: str
    #: The row that it does not fit to, ``{other}`` in the reason; None if that is the sample of another batch.
    other: Optional[int] = None


class Result(NamedTuple):
    """What became of a task."""

    number: int
    #: The rows for which the function returned None.
    skipped: List[int]
    failures: List[SampleFailure]
    #: The values that are objects, by field and row.
    objects: Dict[str, Dict[int, Any]]
    #: What the function returns: found out by a task without fields.
    fields: Optional[List[OutputField]] = None
    #: The row by which it was found out.
    found_row: int = 0
    #: Of a whole batch: where its arrays lie in the output, or in memory of the worker's own that came with the result.
    places: Optional[List[int]] = None
    #: How many bytes the arrays of a whole batch take.
    bytes: int = 0
    has_memory: bool = False
