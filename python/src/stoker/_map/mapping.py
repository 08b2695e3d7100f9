"""Batches through a Python function: in the order of the feed, whatever workers do, and exactly once."""

from __future__ import annotations

import collections
from typing import Any, Callable, Deque, Dict, List, NamedTuple, Optional, Set, Tuple

import numpy as np

from .._errors import StokerError
from .._java.protocol import BatchMessage
from .._loader.batch import make_batch
from .._system.block_file import BlockFile
from .._types import FieldType
from .job import Job
from .output import OutputMemory
from .pool import Answer, Death, LocalPool, Order, Pool, WorkerPool
from .tasks import Functions, MapFunction, Result, SampleFailure, Setup, Task
from .values import Layout, OutputField

#: Tasks for each worker in a batch: more even out samples that take longer, and cost more messages.
_TASKS_PER_WORKER = 2
#: How many batches to have on their way at least, if memory allows: samples and what the program does take times that differ.
_AHEAD = 3
#: How often a sample, or several of them, are begun before they are to blame for the end of workers.
_TRIES = 3
_TRIES_TOGETHER = 2


class MapOptions(NamedTuple):
    """What is done with samples, and by whom."""

    map: Optional[MapFunction]
    map_batch: Optional[MapFunction]
    workers: int
    method: str
    timeout: float
    #: What becomes of samples for which the function fails: ``fail``, ``skip`` or ``substitute``.
    bad: str
    seed: int
    framework: str
    #: How many batches to have on their way; None if it was not said.
    ahead: Optional[int]
    #: How many bytes they may take, and how many the program may hold.
    memory: int
    is_debug: bool


class MappedBatch(NamedTuple):
    """The next batch: its fields as NumPy arrays and lists, and which of them have the bits of bfloat16."""

    message: BatchMessage
    #: None if nothing is left of it.
    fields: Optional[Dict[str, Any]]
    bfloat16: Set[str]
    #: Where the rows of the batch came from.
    rows: np.ndarray


class FunctionMapping:
    """Takes batches from a feed and gives them on, mapped, in the same order. Several are on their way at once.

    The position of the job is that of the batch that was given on last, not of those on their way.
    """

    def __init__(self, options: MapOptions, fields: List[Tuple[str, FieldType]]) -> None:
        self._options = options
        self._input_fields = fields
        setup = Setup(fields, options.framework, options.seed)
        functions = Functions(options.map, options.map_batch)
        self._pool: Pool = (
            WorkerPool(setup, functions, options.workers, options.method, options.timeout)
            if options.workers
            else LocalPool(setup, functions)
        )
        self.output = OutputMemory(options.memory // 2, options.is_debug)
        self._queue: Deque[Job] = collections.deque()
        self._by_task: Dict[int, Job] = {}
        #: The blocks of batches on their way that the reader process has freed.
        self._freed: Set[int] = set()
        self._next_task = 0
        self._is_ending = False
        self._failure: Optional[StokerError] = None
        #: What the function returns for a sample, and the sample by which that was found out.
        self._fields: Optional[List[OutputField]] = None
        self._reference = ""
        self._most_bytes = 0
        #: How many samples the function returned None for, and which ones it failed for.
        self.skipped = 0
        self.failed: List[Dict[str, Any]] = []

    def pids(self) -> List[int]:
        return self._pool.pids()

    # ---- from the feed to the workers

    def next(self, pull: Callable[[], Tuple[BatchMessage, Any, Optional[BlockFile]]]) -> MappedBatch:
        """The next batch. After a failure, every further call fails, too.

        :param pull: gives the next batch of the feed: its message, its memory, and the file of that
        """
        if self._failure is not None:
            raise _copy(self._failure)
        try:
            return self._next(pull)
        except StokerError as e:
            self._failure = _copy(e)
            raise

    def _next(self, pull: Callable[[], Tuple[BatchMessage, Any, Optional[BlockFile]]]) -> MappedBatch:
        while not self._is_ending and self._has_room():
            self._take(pull)
            self._receive(is_waiting=False)
        job = self._queue[0]
        while not job.is_done:
            self._receive(is_waiting=True)
        self._queue.popleft()
        self._forget_freed(job)
        if not self._queue:
            self._is_ending = False
        if job.failure is not None:
            raise job.failure
        for number in self.output.take_surplus():
            self._pool.forget(number)
        try:
            return self._finish(job)
        finally:
            self._give_back(job)

    def _has_room(self) -> bool:
        """Whether another batch should be on its way: enough that each worker has something to do while one is waited for, more
        as far as memory allows."""
        if not self._queue:
            return True
        if not self._options.workers:
            return False  # nobody would work on it meanwhile
        tasks = len(self._cuts(max(1, self._queue[-1].message.samples)))
        needed = 1 + -(-self._pool.size // tasks)
        if len(self._queue) < needed:
            return True
        wanted = 1 + -(-_TASKS_PER_WORKER * self._pool.size // tasks)
        sizes = [job.bytes for job in self._queue]
        is_within = sum(sizes) + max(sizes) <= self._options.memory // 2
        return is_within and len(self._queue) < max(wanted, self._options.ahead or _AHEAD)

    def _cuts(self, samples: int) -> List[Tuple[int, int]]:
        """The parts of a batch that are tasks of their own."""
        if self._options.map_batch is not None:
            return [(0, samples)]
        parts = min(samples, _TASKS_PER_WORKER * self._pool.size)
        return [(samples * part // parts, samples * (part + 1) // parts) for part in range(parts)]

    def _take(self, pull: Callable[[], Tuple[BatchMessage, Any, Optional[BlockFile]]]) -> None:
        try:
            message, memory, block = pull()
        except StokerError as e:
            # It belongs to the place where the batch would have been: those before it come first.
            self._queue.append(Job(_NO_BATCH, b"", None, e))
            self._is_ending = True
            return
        job = Job(message, memory, block, None)
        self._queue.append(job)
        self._is_ending = message.is_last
        for number in message.freed:
            self._pool.forget(number)
        self._freed.update(other.block.number for other in self._queue if other.block and other.block.number in message.freed)
        self._start(job)

    def _forget_freed(self, job: Job) -> None:
        """Workers may have got its block again after it was freed."""
        if job.block is not None and job.block.number in self._freed:
            self._freed.discard(job.block.number)
            self._pool.forget(job.block.number)

    def _start(self, job: Job) -> None:
        if job.message.is_end or not job.message.samples:
            job.is_started = True
        elif self._options.map_batch is not None:
            job.is_started = True
            job.output = self.output.take(self._most_bytes)
            self._submit(job, 0, job.message.samples, _TRIES)
        elif self._fields is not None:
            job.is_started = True
            job.fields = self._fields
            job.output = self.output.take(Layout(self._fields, job.message.samples).bytes)
            for cut in self._cuts(job.message.samples):
                for first, last in job.parts(*cut):
                    self._submit(job, first, last)
        elif not any(other.tasks for other in self._queue):
            self._submit(job, 0, job.message.samples)  # to find out what the function returns

    def _submit(self, job: Job, first: int, last: int, tries: int = 0) -> None:
        """Lets workers do some rows; unless it is said, several are not tried as often as a single one, which is to blame."""
        self._next_task += 1
        blocks = [block for block in (job.block, job.output and job.output.file) if block]
        rows = job.message.rows[first : last if self._options.map is not None else first + 1]  # type: ignore[index]
        output = job.output.number if job.output else 0
        task = Task(self._next_task, job.input(), first, last - first, rows, job.fields, output)
        self._by_task[task.number] = job
        job.tasks += 1
        job.tried = last
        self._pool.submit(Order(task, blocks, tries or (_TRIES if last - first == 1 else _TRIES_TOGETHER)))

    # ---- from the workers

    def _receive(self, is_waiting: bool) -> None:
        for answer in self._pool.answers(is_waiting):
            if isinstance(answer, Death):
                self._take_death(answer)
            else:
                self._take_answer(answer)

    def _take_death(self, death: Death) -> None:
        """Each worker that had some rows died. They are tried one by one then, to know which one it is."""
        task = death.task
        job = self._by_task.pop(task.number)
        job.tasks -= 1
        first = task.first_row
        if self._options.map_batch is not None:
            self._fail(job, -1, f"a worker process {death.how} each time it ran the function on this batch")
        elif task.row_count == 1:
            self._fail(job, first, f"a worker process {death.how} each time it ran the function on this sample")
        elif job.is_started:
            for row in range(first, first + task.row_count):
                self._submit(job, row, row + 1)
        else:
            self._submit(job, first, first + 1)

    def _fail(self, job: Job, row: int, reason: str) -> None:
        failure = SampleFailure(row, reason, "")
        result = Result(0, [], [failure], {})
        if job.is_started:
            job.results.append(result)
        else:
            job.deadly[row] = failure
            self._learn(job, result)

    def _take_answer(self, answer: Answer) -> None:
        result, memory = answer
        job = self._by_task.pop(result.number)
        job.tasks -= 1
        if self._options.map_batch is not None:
            self._most_bytes = max(self._most_bytes, result.bytes)
            if memory is not None:
                assert job.output is not None
                self.output.give_back(job.output)
                job.output = self.output.adopt(memory)
        elif not job.is_started:
            self._learn(job, result)
            return
        job.results.append(result)

    def _learn(self, job: Job, result: Result) -> None:
        """What the function returns was found out, or it returned nothing for the rows that were tried."""
        if result.fields is not None:
            self._fields = result.fields
            self._reference = self._name(job, result.found_row)
            # All rows are done again, but for those that end workers.
            job.results = [Result(0, [], list(job.deadly.values()), {})]
        else:
            job.results.append(result)
            if job.tried < job.message.samples:
                self._submit(job, job.tried, job.message.samples)
                return
            job.is_started = True
        for waiting in list(self._queue):
            if not waiting.is_started and waiting.failure is None:
                self._start(waiting)

    # ---- what is given on

    def _finish(self, job: Job) -> MappedBatch:
        rows = job.message.rows if job.message.rows is not None else _NO_ROWS
        skipped = {row for result in job.results for row in result.skipped}
        failures = sorted((failure for result in job.results for failure in result.failures), key=lambda each: each.row)
        if failures:
            self._blame(job, failures)
        self.skipped += len(skipped)
        bad = {failure.row for failure in failures}
        if self._options.map_batch is not None:
            if job.message.is_end or not any(result.fields for result in job.results):
                return MappedBatch(job.message, None, set(), rows[:0])
            return MappedBatch(job.message, *self._whole(job), rows)
        left = [row for row in range(job.message.samples) if row not in skipped and row not in bad]
        if job.message.is_end or not left or job.fields is None:
            return MappedBatch(job.message, None, set(), rows[:0])
        replaced = bad if self._options.bad == "substitute" else set()
        # The next sample that is good takes the place of one that is not.
        source = [
            row if row not in replaced else min((other for other in left if other > row), default=left[0])
            for row in sorted([*left, *replaced])
        ]
        return MappedBatch(job.message, *self._rows(job, source), rows[source])

    def _give_back(self, job: Job) -> None:
        """The block of a batch of which nothing was given on."""
        if job.output is not None:
            self.output.give_back(job.output)
            job.output = None

    def _grant(self, job: Job) -> Any:
        """The memory of a batch, which is the program's from here on."""
        assert job.output is not None
        memory = self.output.grant(job.output)
        job.output = None
        return memory

    def _rows(self, job: Job, source: List[int]) -> Tuple[Dict[str, Any], Set[str]]:
        assert job.fields is not None
        arrays = Layout(job.fields, job.message.samples).arrays(self._grant(job))
        objects: Dict[str, Dict[int, Any]] = {field.name: {} for field in job.fields if field.dtype is None}
        for result in job.results:
            for name, values in result.objects.items():
                objects[name].update(values)
        is_whole = source == list(range(job.message.samples))
        fields = {
            field.name: (
                [objects[field.name][row] for row in source]
                if field.dtype is None
                else arrays[field.name]
                if is_whole
                else arrays[field.name][source]
            )
            for field in job.fields
        }
        return fields, {field.name for field in job.fields if field.is_bfloat16}

    def _whole(self, job: Job) -> Tuple[Dict[str, Any], Set[str]]:
        (result,) = job.results
        assert result.fields is not None and result.places is not None
        memory = self._grant(job)
        fields = {}
        for field, place in zip(result.fields, result.places):
            if field.dtype is None:
                fields[field.name] = result.objects[field.name][0]
            else:
                has_bytes = bool(np.prod(field.shape))
                fields[field.name] = np.ndarray(field.shape, field.dtype, memory if has_bytes else None, place)
        return fields, {field.name for field in result.fields if field.is_bfloat16}

    def _blame(self, job: Job, failures: List[SampleFailure]) -> None:
        """Samples for which the function failed: raises, or notes them, as the policy says."""
        first = failures[0]
        reason = self._reason(job, first)
        where = "the function of map_batch" if first.row < 0 else self._name(job, max(0, first.row))
        if self._options.bad == "fail":
            advice = '. bad="skip" leaves out samples for which the function fails'
            inner = f"\n\nIn the worker:\n{first.traceback}" if first.traceback else ""
            raise StokerError(f"{where}: {reason}{advice}{inner}")
        for failure in failures:
            rows = range(job.message.samples) if failure.row < 0 else [failure.row]
            for row in rows:
                sample, dataset = job.sample(row)
                self.failed.append({"sample": sample, "dataset": dataset, "reason": self._reason(job, failure)})

    def _reason(self, job: Job, failure: SampleFailure) -> str:
        other = self._reference if failure.other is None else self._name(job, failure.other)
        return failure.reason.replace("{other}", other)

    def _name(self, job: Job, row: int) -> str:
        """How a message names a sample."""
        name = f"sample {job.sample(row)[0]}"
        if any(field == "key" for field, _ in self._input_fields):
            key = make_batch(self._input_fields, job.message, job.memory)["key"][row]
            name += f" ({key})"
        return name

    # ---- ends

    def reset(self) -> None:
        """Forgets what is on its way: the feed begins somewhere else."""
        if self._queue:
            self._pool.drain()
        for job in self._queue:
            self._give_back(job)  # nobody writes to it any more
            self._forget_freed(job)
        self._queue.clear()
        self._by_task.clear()
        self._is_ending = False
        self._failure = None

    def close(self) -> None:
        self._queue.clear()
        self._pool.close()


def _copy(error: StokerError) -> StokerError:
    """An error without the calls that it was raised in, which would keep what they refer to, such as this object."""
    return type(error)(*error.args)


_NO_ROWS = np.zeros(0, [("sample", "<i8"), ("dataset", "<u4"), ("repeat", "<u4")])
_NO_BATCH = BatchMessage(0, True, 0, 0, (), [], b"{}", is_end=True)
