"""What batches hold, for the tests of the loader."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import numpy as np
import pytest

import stoker


def plain(batch: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The samples of a batch as the map-style data set gives them."""
    columns = {name: [_plain(value) for value in values] for name, values in batch.items()}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 1 else value


def keys(loader: stoker.Loader) -> List[str]:
    return [key for batch in loader for key in batch["key"]]


@contextlib.contextmanager
def ctrl_c_while_waiting(loader: stoker.Loader) -> Iterator[None]:
    """The reader process answers only after Ctrl-C."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    reader = loader.reader_pid
    before = signal.signal(signal.SIGALRM, interrupt)
    stop(reader)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # an alarm that is still to come would kill these tests
        os.kill(reader, signal.SIGCONT)
        signal.signal(signal.SIGALRM, before)


def stop(process: int) -> None:
    """Stops a process, and returns when all of its threads stand: until then it may still answer."""
    os.kill(process, signal.SIGSTOP)
    tasks = Path("/proc", str(process), "task")
    while any(_state(task) not in "Tt" for task in tasks.iterdir()):
        time.sleep(0.001)


def _state(task: Path) -> str:
    with contextlib.suppress(OSError):  # a thread that has ended meanwhile
        return (task / "stat").read_text().rpartition(") ")[2][0]
    return "T"
