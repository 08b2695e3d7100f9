"""Stoker's Python package by itself, without Java: map-style reading, `ds[i]`."""

import stoker
import ways
from stoker_loader import pack


class Peer(ways.MapStyle):
    def __init__(self, task):
        super().__init__(task)
        self.out = pack(task)

    def open(self):
        return stoker.open(self.out, fields=["data"])

    def read(self, data, numbers):
        return [data[i]["data"] for i in numbers]
