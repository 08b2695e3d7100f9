"""Hugging Face datasets: an Arrow table on the local disk, samples by their numbers through a shuffling sampler, a batch at once."""

import datasets
import torch_photos
from contest import read_file


def rows(items):
    for path, label in items:
        yield {"data": read_file(path), "label": label}


class Decoded:
    def __init__(self, decode):
        self.decode = decode

    def __call__(self, samples):
        """Of the samples of a batch, as lists of dicts."""
        return [((self.decode(sample["data"]) if self.decode else sample["data"]), sample["label"]) for sample in samples]


class ByNumber:
    """The decoder is applied to what `__getitems__` gives, which reads a batch at once."""

    def __init__(self, table, decode):
        self.table, self.decoded = table, Decoded(decode)

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        return self.decoded([self.table[i]])[0]

    def __getitems__(self, numbers):
        return self.decoded(self.table.__getitems__(numbers))


class Peer:
    packages = ["datasets", "pyarrow"]

    def __init__(self, task):
        self.task = task
        features = datasets.Features({"data": datasets.Value("binary"), "label": datasets.Value("int64")})
        made = datasets.Dataset.from_generator(
            rows, features=features, cache_dir=task.place("cache"), gen_kwargs={"items": task.items})
        made.save_to_disk(task.place("table"))
        self.settings = torch_photos.settings(task)

    def use(self, setting):
        decode, workers, prefetch = setting
        table = datasets.load_from_disk(self.task.place("table"))
        batches = torch_photos.loader(self.task, ByNumber(table, decode), workers, prefetch, shuffle=True)
        return lambda: batches
