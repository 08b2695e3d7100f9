"""The worker processes of a loader: started, given tasks, and replaced when they die or hang."""

from __future__ import annotations

import collections
import contextlib
import multiprocessing
import os
import signal
import time
from multiprocessing import connection
from typing import Any, Deque, Dict, List, NamedTuple, Optional, Union

from .._errors import StokerError
from .._system.block_file import BlockFile
from .channel import Channel, ChannelEnded, functions_to_bytes
from .seeds import keeping_generators
from .tasks import Functions, Result, Setup, Task
from .worker import Worker, run_worker

#: How many tasks a worker has, so that it can begin the next one at once.
_QUEUED = 2
#: How often a task is begun before its samples are blamed.
_TRIES = 3
#: What a worker may take to start: it imports what the function needs.
_START_SECONDS = 300.0
_END_SECONDS = 2.0


class Order(NamedTuple):
    """A task, and the memory that it needs."""

    task: Task
    blocks: List[BlockFile]


class Answer(NamedTuple):
    """A result, and a file of memory if one came with it."""

    result: Result
    memory: Optional[int]


class WorkerDied(Exception):
    """A worker died with the same task again and again, or could not do it in time. The message says how."""

    def __init__(self, task: Task, how: str) -> None:
        super().__init__(how)
        self.task = task
        self.how = how


class _EndedEarly(StokerError):
    """A worker process ended before it was ready."""


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
        self._failed_starts = 0
        self._workers: List[_WorkerProcess] = []
        try:
            for _ in range(workers):
                self._workers.append(self._start())
            for worker in self._workers:
                worker.wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _start(self) -> "_WorkerProcess":
        return _WorkerProcess(self._context, *self._arguments)

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

    def answers(self, is_waiting: bool) -> List[Answer]:
        """What has come since the last call.

        :param is_waiting: wait until there is something
        """
        found: List[Answer] = []
        while self._busy():
            ends = {worker.channel.fileno(): worker for worker in self._workers}
            deaths = {worker.sentinel: worker for worker in self._workers}
            wait = self._seconds_left() if is_waiting and not found else 0.0
            ready = connection.wait([*ends, *deaths], wait)
            for each in ready:
                if each in ends:
                    found.extend(self._receive(ends[each]))
            # Only now: what a worker said before it died counts.
            for each in ready:
                if each in deaths and deaths[each] in self._workers:
                    self._replace(deaths[each], "died")
            if not ready and is_waiting:
                self._replace_hanging()
            self._hand_out()
            if found or not is_waiting:
                break
        return found

    def _busy(self) -> bool:
        return bool(self._pending) or any(worker.orders for worker in self._workers)

    def _receive(self, worker: "_WorkerProcess") -> List[Answer]:
        try:
            result, files = worker.channel.receive()
        except (ChannelEnded, OSError):
            self._replace(worker, "died")
            return []
        worker.finish(result.number)
        self._tries.pop(result.number, None)
        return [Answer(result, files[0] if files else None)]

    def _hand_out(self) -> None:
        while self._pending:
            worker = min(self._workers, key=lambda each: len(each.orders))
            if len(worker.orders) >= _QUEUED:
                return
            order = self._pending.popleft()
            try:
                worker.send(order)
                self._failed_starts = 0
            except _EndedEarly:
                self._pending.appendleft(order)
                self._failed_starts += 1
                if self._failed_starts >= _TRIES:
                    raise
                self._replace(worker, "died")
            except (ChannelEnded, OSError):
                self._pending.appendleft(order)
                self._replace(worker, "died")

    def _seconds_left(self) -> float:
        begun = [worker.begun for worker in self._workers if worker.orders]
        return max(0.0, min(begun) + self._timeout - time.monotonic()) if begun else self._timeout

    def _replace_hanging(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.orders and now - worker.begun >= self._timeout:
                self._replace(worker, f"took longer than {self._timeout:g} s")

    def _replace(self, worker: "_WorkerProcess", how: str) -> None:
        """Replaces a worker that died or hangs; what it had to do is done again."""
        code = worker.kill()
        if how == "died":
            how = _how_it_died(code)
        again = list(worker.orders.values())
        self._workers[self._workers.index(worker)] = self._start()
        if again:
            # It takes one after another: the others were not begun.
            guilty = again[0].task
            self._tries[guilty.number] = self._tries.get(guilty.number, 0) + 1
            if self._tries[guilty.number] >= _TRIES:
                raise WorkerDied(guilty, how)
        self._pending.extendleft(reversed(again))

    def drain(self) -> None:
        """Waits until nothing is under way, whatever comes of it."""
        self._pending.clear()
        while self._busy():
            try:
                for answer in self.answers(is_waiting=True):
                    if answer.memory is not None:
                        os.close(answer.memory)
            except WorkerDied:
                pass
            self._pending.clear()

    def close(self) -> None:
        for worker in self._workers:
            worker.channel.close()
        deadline = time.monotonic() + _END_SECONDS
        for worker in self._workers:
            worker.end(max(0.0, deadline - time.monotonic()))
        self._workers = []


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

    def answers(self, is_waiting: bool) -> List[Answer]:
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


class _WorkerProcess:
    """One worker process, and what it has to do."""

    def __init__(self, context: Any, setup: Setup, functions: bytes) -> None:
        self.channel, other = Channel.pair()
        self.orders: Dict[int, Order] = {}
        #: When it began with the first of them.
        self.begun = 0.0
        self._known: Dict[int, None] = {}
        self._forgotten: List[int] = []
        self._is_ready = False
        self._process = context.Process(target=run_worker, args=(other, setup, functions), name="stoker-worker", daemon=True)
        try:
            self._process.start()
        except (EOFError, ConnectionError) as e:
            raise StokerError(f"worker processes could not be started. {_START_ADVICE}") from e
        except AssertionError as e:
            raise StokerError(
                "a Loader with map= starts worker processes, which a worker of a DataLoader may not. Iterate over the Loader "
                "itself, without a DataLoader, or give it workers=0"
            ) from e
        finally:
            other.close()

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    @property
    def sentinel(self) -> int:
        return int(self._process.sentinel)

    def wait_until_ready(self) -> None:
        """Until it has imported what the function needs."""
        if self._is_ready:
            return
        ready = connection.wait([self.channel.fileno(), self.sentinel], _START_SECONDS)
        if not ready:
            raise StokerError(
                f"a worker process was not ready in {_START_SECONDS:g} s: what the function imports takes too long"
            )
        try:
            failure, _ = self.channel.receive()
        except ChannelEnded:
            self._process.join(_END_SECONDS)
            raise _EndedEarly(
                f"a worker process ended while it started ({_how_it_died(self._process.exitcode)}). {_START_ADVICE}"
            ) from None
        if failure is not None:
            raise failure
        self._is_ready = True

    def send(self, order: Order) -> None:
        self.wait_until_ready()
        new = [block for block in order.blocks if block.number not in self._known]
        task = order.task._replace(forgotten=tuple(self._forgotten))
        self._forgotten = []
        self._known.update(dict.fromkeys(block.number for block in new))
        blocks = [(block.number, block.is_written) for block in new]
        self.channel.send((task, blocks), [block.file for block in new])
        if not self.orders:
            self.begun = time.monotonic()
        self.orders[task.number] = order

    def finish(self, task: int) -> None:
        self.orders.pop(task, None)
        self.begun = time.monotonic()

    def forget(self, block: int) -> None:
        if block in self._known:
            del self._known[block]
            self._forgotten.append(block)

    def kill(self) -> Optional[int]:
        """Ends it at once, and returns how it ended."""
        self.channel.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._process.is_alive():
                os.kill(self.pid, signal.SIGKILL)
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            raise StokerError(
                f"the worker process {self.pid} does not end although it was killed: it waits for storage that does not answer"
            )
        return self._process.exitcode if isinstance(self._process.exitcode, int) else None

    def end(self, seconds: float) -> None:
        """Lets it end by itself, but not for long."""
        self._process.join(seconds)
        if self._process.is_alive():
            self.kill()


_START_ADVICE = (
    "Python starts them by importing your script again: put what it does under `if __name__ == '__main__':`, and define the "
    "function outside of it"
)


def _how_it_died(code: Optional[int]) -> str:
    if code is None or code >= 0:
        return f"ended with exit code {code}" if code is not None else "died"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    memory = ", perhaps since the node ran out of memory" if code == -signal.SIGKILL else ""
    return f"was killed by {name}{memory}"


Pool = Union[WorkerPool, LocalPool]
