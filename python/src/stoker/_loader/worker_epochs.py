"""Which epoch the workers of a torch DataLoader deliver."""

from __future__ import annotations

import contextlib
import fcntl
import json
import multiprocessing
import os
from multiprocessing import context, reduction
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .._frameworks.torch_worker import Worker, torch_worker
from .._system.memory_file import memory_file
from .cursor import Start, epoch_of

#: DataLoaders that share a loader and whose workers begin at the same time.
_KEPT = 8


class WorkerEpochs:
    """What workers have begun. They end with their epoch, and those of the next one get the loader as the main process has it,
    which knows nothing of them. So it is noted in memory that all share, for each main process by itself.

    A round is an iteration over a DataLoader. Its workers have one seed in common, which torch draws anew for each.
    """

    def __init__(self, file: Optional[int] = None) -> None:
        self._file = memory_file("stoker-rounds") if file is None else file
        self._joined_in = 0

    def begin(self, worker: Worker, begin_at: Start) -> Start:
        """Where a worker begins its next iteration: the first one with the others of its round, later ones as it says."""
        with self._noted() as noted:
            if self._joined_in != os.getpid():
                begin_at = _join(noted.setdefault("rounds", []), worker, noted.get("next"), begin_at)
                self._joined_in = os.getpid()
            noted["next"] = max(noted.get("next", 0), epoch_of(begin_at) + 1)
        return begin_at

    def next_epoch(self) -> Optional[int]:
        """The epoch after all that workers have begun; None if there were none, or in a worker."""
        if torch_worker() is not None:
            return None
        with self._noted() as noted:
            return noted.get("next")

    def forget(self) -> None:
        """From here on it counts what this process says, not what workers did."""
        self._joined_in = os.getpid()
        if torch_worker() is None:
            with self._noted() as noted:
                noted.clear()

    @contextlib.contextmanager
    def _noted(self) -> Iterator[Dict[str, Any]]:
        """What is noted of the workers of one main process, to be changed."""
        parent = multiprocessing.parent_process()
        main = os.getpid() if parent is None or torch_worker() is None else parent.pid
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            # A line, since the rest may be left of a longer one.
            line = os.pread(self._file, os.fstat(self._file).st_size, 0).split(b"\n")[0]
            everything = json.loads(line or b"{}")
            yield everything.setdefault(str(main), {})
            os.pwrite(self._file, json.dumps(everything).encode("utf-8") + b"\n", 0)
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)

    def __reduce__(self) -> Tuple[Any, ...]:
        if context.get_spawning_popen() is None:
            return WorkerEpochs, ()  # only to a process that is being started can the memory go along
        return _received, (reduction.DupFd(self._file),)

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)


def _join(rounds: List[Dict[str, Any]], worker: Worker, following: Optional[int], begin_at: Start) -> Start:
    for known in rounds:
        # Whoever sets torch's seed before each epoch has the same one in all. But a worker begins each round once, and
        # processes are counted: those of one round follow each other, unless another thread starts some meanwhile.
        if (
            (known["seed"], known["of"]) == (worker.seed, worker.workers)
            and worker.number not in known["workers"]
            and abs(known["first"] - worker.first) < worker.workers
        ):
            break
    else:
        known = {
            "seed": worker.seed,
            "of": worker.workers,
            "first": worker.first,
            "workers": [],
            "begin_at": begin_at if following is None else following,
        }
        rounds.append(known)
        del rounds[:-_KEPT]
    known["workers"].append(worker.number)
    place: Start = known["begin_at"]
    return place


def _received(file: Any) -> WorkerEpochs:
    return WorkerEpochs(file.detach())
