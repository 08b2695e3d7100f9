"""Ways to read samples by their numbers, for libraries that have no loader of their own: in the process itself, by threads, by
processes. Each is a setting, and the best one counts."""

import collections
import concurrent.futures
import multiprocessing
import random

AHEAD = 2  # batches for each worker that are read before they are asked for

_reader = None  # in a worker process


class MapStyle:
    """A peer that reads any sample by its number. It has `open()`, a reader for one process, `read(reader, numbers)`, the bytes of
    some samples, and maybe `shut(reader)`."""

    def __init__(self, task):
        self.task = task
        self.chance = random.Random(task.seed)
        self.pool = self.reader = None
        workers = task.workers
        self.settings = {
            "one thread": ("one", 1),
            f"{workers} threads": ("threads", workers),
            f"{workers} processes": ("processes", workers),
        }

    def use(self, setting):
        way, count = setting
        if way == "processes":
            self.pool = concurrent.futures.ProcessPoolExecutor(
                count, multiprocessing.get_context("fork"), initializer=_open, initargs=(self,))
            return lambda: ahead(self.pool, _read, self.batches(), count, self)
        reader = self.reader = self.open()
        if way == "threads":
            self.pool = concurrent.futures.ThreadPoolExecutor(count)
            return lambda: ahead(self.pool, lambda _, numbers: self.read(reader, numbers), self.batches(), count, self)
        return lambda: (self.read(reader, numbers) for numbers in self.batches())

    def close(self):
        if self.pool:
            self.pool.shutdown()
        if self.reader is not None:
            self.shut(self.reader)
        self.pool = self.reader = None

    def shut(self, reader):
        """For libraries that refuse to open a file again."""

    def batches(self):
        order = list(range(len(self.task.items)))
        self.chance.shuffle(order)
        return [order[at : at + self.task.batch] for at in range(0, len(order), self.task.batch)]

    def __getstate__(self):  # for worker processes
        return {name: value for name, value in self.__dict__.items() if name not in ("pool", "reader")}


def ahead(pool, read, batches, workers, peer):
    """What the pool reads of the batches, in their order, with some read ahead."""
    # A process has its own copy of the peer; pickling it with each batch would be a cost that nobody has.
    peer = None if isinstance(pool, concurrent.futures.ProcessPoolExecutor) else peer
    waiting = collections.deque()
    for numbers in batches:
        waiting.append(pool.submit(read, peer, numbers))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _open(peer):
    global _reader
    _reader = (peer, peer.open())


def _read(_, numbers):
    peer, reader = _reader
    return peer.read(reader, numbers)
