"""LitData: chunks on the local disk, its own shuffle and loader."""

import litdata
import torch_photos
from contest import read_file


class Samples(litdata.StreamingDataset):
    decode = None

    def __getitem__(self, i):
        data, label = super().__getitem__(i)
        return (self.decode(data) if self.decode else bytes(data)), label  # what it gives is a view of a chunk


def sample(item):
    path, label = item
    return read_file(path), label


class Peer:
    packages = ["litdata", "torch"]

    def __init__(self, task):
        self.task = task
        self.folder = task.place("chunks")
        litdata.optimize(sample, task.items, self.folder, chunk_bytes="64MB", num_workers=task.workers, verbose=False)
        self.settings = torch_photos.settings(task)

    def use(self, setting):
        decode, workers, prefetch = setting
        samples = Samples(self.folder, shuffle=True, seed=self.task.seed)
        samples.decode = decode
        batches = torch_photos.loader(self.task, samples, workers, prefetch, litdata.StreamingDataLoader, shuffle=True)
        return lambda: batches
