"""MosaicML Streaming: MDS shards on the local disk, its own shuffle, PyTorch's DataLoader."""

import streaming
import torch_photos
from contest import read_file


class Samples(streaming.StreamingDataset):
    decode = None

    def __getitem__(self, i):
        sample = super().__getitem__(i)
        return (self.decode(sample["data"]) if self.decode else sample["data"]), sample["label"]


class Peer:
    packages = ["mosaicml-streaming", "torch"]

    def __init__(self, task):
        self.task = task
        self.folder = task.place("mds")
        with streaming.MDSWriter(out=self.folder, columns={"data": "bytes", "label": "int"}) as writer:
            for path, label in task.items:
                writer.write({"data": read_file(path), "label": label})
        self.settings = torch_photos.settings(task)

    def use(self, setting):
        decode, workers, prefetch = setting
        streaming.base.util.clean_stale_shared_memory()
        samples = Samples(local=self.folder, shuffle=True, shuffle_seed=self.task.seed, batch_size=self.task.batch)
        samples.decode = decode
        batches = torch_photos.loader(self.task, samples, workers, prefetch)
        return lambda: batches
