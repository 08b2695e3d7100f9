"""Whether this process is a worker of a torch DataLoader."""

from __future__ import annotations

import multiprocessing
import sys
from typing import NamedTuple, Optional


class Worker(NamedTuple):
    """A worker of a torch DataLoader."""

    number: int
    workers: int
    #: The same for all, and another one for each iteration that starts workers.
    seed: int
    #: The number of the process, among those that the main process started, less this worker's.
    first: int


def torch_worker() -> Optional[Worker]:
    """Which worker of a torch DataLoader this process is; None if it is none."""
    data = sys.modules.get("torch.utils.data")
    info = None if data is None else data.get_worker_info()
    if info is None:
        return None
    identity = multiprocessing.current_process()._identity or (0,)  # none where something else than torch started it
    return Worker(info.id, info.num_workers, info.seed - info.id, identity[-1] - info.id)
