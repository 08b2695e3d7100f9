"""LMDB by python-lmdb, keys by number, as data sets in LMDB usually have them."""

import lmdb
import ways
from contest import read_file


class Peer(ways.MapStyle):
    packages = ["lmdb"]

    def __init__(self, task):
        super().__init__(task)
        self.path = task.place("data.lmdb")
        size = sum(len(read_file(path)) + 8192 for path, _ in task.items)
        env = lmdb.open(self.path, map_size=2 * size + (64 << 20), sync=False)
        with env.begin(write=True) as txn:
            for i, (path, _) in enumerate(task.items):
                txn.put(b"%09d" % i, read_file(path), append=True)
        env.close()

    def open(self):
        return lmdb.open(self.path, readonly=True, lock=False, readahead=False, meminit=False, max_readers=1024)

    def read(self, env, numbers):
        with env.begin() as txn:
            return [txn.get(b"%09d" % i) for i in numbers]

    def shut(self, env):
        env.close()
