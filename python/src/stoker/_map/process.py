"""One worker process."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from multiprocessing import connection
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from .._errors import StokerError
from .channel import Channel, ChannelEnded
from .tasks import Result, Setup
from .worker import run_worker

if TYPE_CHECKING:
    from .pool import Order

#: What a worker may take to start: it imports what the function needs.
_START_SECONDS = 300.0
_END_SECONDS = 2.0
#: What a worker that has closed its connection may take to end.
_LAST_SECONDS = 0.5


class WorkerProcess:
    """One worker process, and what it has to do."""

    def __init__(self, context: Any, setup: Setup, functions: bytes) -> None:
        self.channel, other = Channel.pair()
        self.orders: Dict[int, Order] = {}
        #: When it began with the first of them, or was started.
        self.begun = time.monotonic()
        self.is_ready = False
        self._known: Dict[int, None] = {}
        self._forgotten: List[int] = []
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

    def wait_until_ready(self, seconds: float) -> None:
        """Until it has imported what the function needs."""
        connection.wait([self.channel.fileno(), self.sentinel], seconds)
        if not self.channel.is_readable() and self._process.is_alive():
            self.require_ready()
        try:
            self.take_ready()
        except ChannelEnded:
            raise start_error(self.find_end()) from None

    def take_ready(self) -> None:
        """Receives the first thing that it says: that it is ready, or why not."""
        failure, _ = self.channel.receive()
        if failure is not None:
            raise failure
        self.is_ready = True

    def require_ready(self) -> None:
        if not self.is_ready:
            raise StokerError(
                f"a worker process was not ready in {_START_SECONDS:g} s: what the function imports takes too long"
            )

    def send(self, order: Order) -> None:
        new = [block for block in order.blocks if block.number not in self._known]
        task = order.task._replace(forgotten=tuple(self._forgotten))
        self._forgotten = []
        self._known.update(dict.fromkeys(block.number for block in new))
        if not self.orders:
            self.begun = time.monotonic()
        self.orders[task.number] = order
        self.channel.post((task, [(block.number, block.is_written) for block in new]), new)
        self.channel.flush()

    def receive(self) -> Tuple[Result, List[int]]:
        """What became of a task, and the files that came with it. Tasks are done in the order in which they were sent."""
        try:
            answer, files = self.channel.receive()
        except StokerError:
            self._finish(next(iter(self.orders)))
            raise
        if isinstance(answer, StokerError):
            raise answer
        self._finish(answer.number)
        return answer, files

    def _finish(self, task: int) -> None:
        self.orders.pop(task, None)
        self.begun = time.monotonic()

    def forget(self, block: int) -> None:
        if block in self._known:
            del self._known[block]
            self._forgotten.append(block)

    def find_end(self) -> str:
        """How it ended, if it did by itself; else it is killed."""
        self.channel.close()
        self._process.join(_LAST_SECONDS)
        if self._process.is_alive():
            self.kill()
            return "closed its connection to the program"
        return _how_it_died(self._process.exitcode)

    def kill(self) -> None:
        """Ends it at once."""
        self.channel.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._process.is_alive():
                os.kill(self.pid, signal.SIGKILL)
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            raise StokerError(
                f"the worker process {self.pid} does not end although it was killed: it waits for storage that does not answer"
            )

    def end(self, seconds: float) -> None:
        """Lets it end by itself, but not for long."""
        self._process.join(seconds)
        if self._process.is_alive():
            self.kill()


_START_ADVICE = (
    "Python starts them by importing your script again: put what it does under `if __name__ == '__main__':`, and define the "
    "function outside of it"
)


def start_error(how: str) -> StokerError:
    return StokerError(f"a worker process ended while it started ({how}). {_START_ADVICE}")


def _how_it_died(code: Optional[int]) -> str:
    if code is None or code >= 0:
        return f"ended with exit code {code}" if code is not None else "died"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    memory = ", perhaps since the node ran out of memory" if code == -signal.SIGKILL else ""
    return f"was killed by {name}{memory}"
