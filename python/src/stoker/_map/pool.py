"""The worker processes of a loader: started, given tasks, and replaced when they die or hang."""

from __future__ import annotations

import collections
import contextlib
import multiprocessing
import os
import selectors
import time
from typing import Any, Deque, Dict, List, NamedTuple, Optional, Union

from .._errors import StokerError
from .._system.block_file import BlockFile
from .channel import ChannelEnded, functions_to_bytes
from .process import WorkerProcess, start_error
from .seeds import keeping_generators
from .tasks import Functions, Result, Setup, Task
from .worker import Worker

#: How many tasks a worker has, so that it can begin the next one at once.
_QUEUED = 2
#: How often in a row workers may fail to start before no further ones are started: when none works, and while others do.
_STARTS = 3
_STARTS_BESIDE_OTHERS = 30
#: What a worker may take to start: it imports what the function needs.
_START_SECONDS = 300.0
_END_SECONDS = 2.0


class Order(NamedTuple):
    """A task, the memory that it needs, and how often it is begun before it is given up."""

    task: Task
    blocks: List[BlockFile]
    tries: int


class Answer(NamedTuple):
    """A result, and a file of memory if one came with it."""

    result: Result
    memory: Optional[int]


class Death(NamedTuple):
    """Each worker that had this task died, or could not do it in time."""

    task: Task
    how: str


class WorkerPool:
    """Runs tasks in worker processes, in any order.

    :param method: how processes are started: ``forkserver``, ``spawn`` or ``fork``
    :param timeout: how many seconds a task may take before its worker is killed
    """

    def __init__(self, setup: Setup, functions: Functions, workers: int, method: str, timeout: float) -> None:
        self._arguments = setup, functions_to_bytes(functions)
        self._context: Any = multiprocessing.get_context(method)
        self._timeout = timeout
        self._pending: Deque[Order] = collections.deque()
        self._tries: Dict[int, int] = {}
        self._deaths: List[Death] = []
        self._failed_starts = 0
        self._workers: List[WorkerProcess] = []
        try:
            for _ in range(workers):
                self._workers.append(self._start())
            for worker in self._workers:
                worker.wait_until_ready(_START_SECONDS)
        except BaseException:
            self.close()
            raise

    def _start(self) -> WorkerProcess:
        return WorkerProcess(self._context, *self._arguments)

    @property
    def size(self) -> int:
        return len(self._workers)

    def pids(self) -> List[int]:
        return [worker.pid for worker in self._workers]

    def submit(self, order: Order) -> None:
        self._pending.append(order)
        self._hand_out()

    def forget(self, block: int) -> None:
        """No task needs this block any more."""
        for worker in self._workers:
            worker.forget(block)

    def answers(self, is_waiting: bool) -> List[Union[Answer, Death]]:
        """What has come since the last call.

        :param is_waiting: wait until there is something
        """
        found: List[Union[Answer, Death]] = []
        while self._is_busy():
            ready = self._wait(self._seconds_left() if is_waiting and not found else 0.0)
            for worker in ready.channels:
                found.extend(self._serve(worker))
            # Only now: what a worker said before it died counts.
            for worker in ready.ended:
                if worker in self._workers:
                    self._replace(worker, None)
            if is_waiting and not ready.channels and not ready.ended:
                self._replace_hanging()
            self._hand_out()
            found.extend(self._deaths)
            self._deaths = []
            if found or not is_waiting:
                break
        return found

    def _is_busy(self) -> bool:
        return bool(self._pending or self._deaths) or any(worker.orders for worker in self._workers)

    def _wait(self, seconds: float) -> "_Ready":
        ready = _Ready([], [])
        with selectors.PollSelector() as selector:
            for worker in self._workers:
                writing = selectors.EVENT_WRITE if worker.channel.is_waiting else 0
                selector.register(worker.channel, selectors.EVENT_READ | writing, (ready.channels, worker))
                selector.register(worker.sentinel, selectors.EVENT_READ, (ready.ended, worker))
            for key, _ in selector.select(0.0 if self._deaths else seconds):
                group, worker = key.data
                group.append(worker)
        return ready

    def _serve(self, worker: WorkerProcess) -> List[Answer]:
        """Sends to a worker what waits for that, and receives what it says."""
        try:
            worker.channel.flush()
            if not worker.channel.is_readable():
                return []
            if not worker.is_ready:
                worker.take_ready()
                self._failed_starts = 0
                return []
            result, files = worker.receive()
        except (ChannelEnded, OSError):
            self._replace(worker, None)
            return []
        self._tries.pop(result.number, None)
        return [Answer(result, files[0] if files else None)]

    def _hand_out(self) -> None:
        while self._pending:
            ready = [worker for worker in self._workers if worker.is_ready]
            worker = min(ready, key=lambda each: len(each.orders), default=None)
            if worker is None or len(worker.orders) >= _QUEUED:
                return
            worker.send(self._pending.popleft())

    def _seconds_left(self) -> float:
        ends = [worker.begun + self._limit(worker) for worker in self._workers if worker.orders or not worker.is_ready]
        return max(0.0, min(ends) - time.monotonic()) if ends else self._timeout

    def _limit(self, worker: WorkerProcess) -> float:
        return self._timeout if worker.is_ready else _START_SECONDS

    def _replace_hanging(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            if (worker.orders or not worker.is_ready) and now - worker.begun >= self._limit(worker):
                worker.require_ready()
                self._replace(worker, f"took longer than {self._timeout:g} s")

    def _replace(self, worker: WorkerProcess, how: Optional[str]) -> None:
        """Replaces a worker that hangs or, if nothing is said, died; what it had to do is done again."""
        if how is None:
            how = worker.find_end()
        else:
            worker.kill()
        if not worker.is_ready:
            self._failed_starts += 1
            others_work = any(other.is_ready for other in self._workers)
            if self._failed_starts >= (_STARTS_BESIDE_OTHERS if others_work else _STARTS):
                self._failed_starts = 0
                raise start_error(how)
        again = list(worker.orders.values())
        self._workers[self._workers.index(worker)] = self._start()
        if again:
            # It takes one after another: the others were not begun.
            guilty = again[0]
            number = guilty.task.number
            self._tries[number] = self._tries.get(number, 0) + 1
            if self._tries[number] >= guilty.tries:
                del self._tries[number]
                self._deaths.append(Death(guilty.task, how))
                del again[0]
        self._pending.extendleft(reversed(again))

    def drain(self) -> None:
        """Waits until nothing is under way, whatever comes of it."""
        self._pending.clear()
        while self._is_busy():
            with contextlib.suppress(StokerError):
                for answer in self.answers(is_waiting=True):
                    if isinstance(answer, Answer) and answer.memory is not None:
                        os.close(answer.memory)
            self._pending.clear()

    def close(self) -> None:
        for worker in self._workers:
            worker.channel.close()
        deadline = time.monotonic() + _END_SECONDS
        for worker in self._workers:
            worker.end(max(0.0, deadline - time.monotonic()))
        self._workers = []


class _Ready(NamedTuple):
    """The workers that said something or can be sent something, and those that have ended."""

    channels: List[WorkerProcess]
    ended: List[WorkerProcess]


class LocalPool:
    """Runs tasks in this process, when they are asked for."""

    size = 1

    def __init__(self, setup: Setup, functions: Functions) -> None:
        self._worker = Worker(setup, functions, shares_cores=False)
        self._pending: Deque[Order] = collections.deque()

    def pids(self) -> List[int]:
        return []

    def submit(self, order: Order) -> None:
        self._pending.append(order)

    def forget(self, block: int) -> None:
        self._worker.map_blocks([], [], (block,))

    def answers(self, is_waiting: bool) -> List[Union[Answer, Death]]:
        if not is_waiting or not self._pending:
            return []
        order = self._pending.popleft()
        new = [block for block in order.blocks if not self._worker.has(block.number)]
        self._worker.map_blocks([(block.number, block.is_written) for block in new], [os.dup(block.file) for block in new], ())
        with keeping_generators():
            result, memory = self._worker.run(order.task)
        return [Answer(result, memory)]

    def drain(self) -> None:
        self._pending.clear()

    def close(self) -> None:
        self._pending.clear()


Pool = Union[WorkerPool, LocalPool]
