"""Work for several threads that ends with the call. Unlike an executor's, it may still begin while the program ends."""

from __future__ import annotations

import threading
from typing import Callable, List, Sequence


def run_all(tasks: Sequence[Callable[[], object]], threads: int, name: str) -> None:
    """Runs all tasks, in this thread and others. After an error no more are begun, and it is raised."""
    left = iter(tasks)
    lock = threading.Lock()
    errors: List[BaseException] = []

    def work() -> None:
        while not errors:
            with lock:
                task = next(left, None)
            if task is None:
                return
            try:
                task()
            except BaseException as e:
                errors.append(e)

    helpers = [threading.Thread(target=work, name=name) for _ in range(min(threads, len(tasks)) - 1)]
    started = []
    try:
        for helper in helpers:
            helper.start()
            started.append(helper)
    except RuntimeError:
        pass  # no more threads are to be had: this one does it
    work()
    for helper in started:
        helper.join()
    if errors:
        raise errors[0]
