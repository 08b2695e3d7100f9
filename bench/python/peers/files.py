"""Loose files, read by many threads: what needs no library at all."""

import ways
from contest import read_file


class Peer(ways.MapStyle):
    def __init__(self, task):
        super().__init__(task)
        self.paths = [path for path, _ in task.items]
        del self.settings[f"{task.workers} processes"]
        # On storage that answers late more threads than cores help.
        for count in (4 * task.workers, 16 * task.workers):
            self.settings[f"{count} threads"] = ("threads", count)

    def open(self):
        return self.paths

    def read(self, paths, numbers):
        return [read_file(paths[i]) for i in numbers]
