"""WebDataset: tars of some hundred samples, shuffled by tar and in a buffer, as its documentation shows."""

import contextlib
import io
import tarfile

import webdataset as wds
from contest import read_file

TARS_EACH = 8  # for each worker
BUFFER = 1000


class Peer:
    packages = ["webdataset"]

    def __init__(self, task):
        self.task = task
        self.tars = [task.place(f"{n:04d}.tar") for n in range(TARS_EACH * task.workers)]
        for n, path in enumerate(self.tars):
            with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
                for i, (file, label) in list(enumerate(task.items))[n :: len(self.tars)]:
                    add(tar, f"{i:09d}.jpg", read_file(file))
                    add(tar, f"{i:09d}.cls", str(label).encode())
        self.settings = {"no workers": (None, 0, None)}
        with contextlib.suppress(ImportError):  # PyTorch brings the workers
            import torch_photos

            self.settings = torch_photos.settings(task)

    def use(self, setting):
        decode, workers, prefetch = setting
        samples = wds.WebDataset(self.tars, shardshuffle=len(self.tars), empty_check=False).shuffle(BUFFER)
        samples = samples.map(Sample(decode))
        if self.task.job == "raw" and workers == 0:
            return lambda: samples.batched(self.task.batch, collation_fn=firsts)
        import torch_photos

        batches = torch_photos.loader(self.task, samples, workers, prefetch, wds.WebLoader)
        return lambda: batches


class Sample:
    def __init__(self, decode):
        self.decode = decode

    def __call__(self, sample):
        data = sample["jpg"]
        return (self.decode(data) if self.decode else data), int(sample["cls"])


def firsts(samples):
    return [sample[0] for sample in samples]


def add(tar, name, data):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    tar.addfile(entry, io.BytesIO(data))
