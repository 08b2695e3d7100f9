"""Stoker's loader in Python: batches in shared memory, by a reader process. The variant `restart` packs photos with restart markers,
which changes no pixel."""

import subprocess

import stoker

CHAIN = "RandomResizedCrop(224),RandomHorizontalFlip"


def pack(task):
    """Packs the files and returns the container."""
    out = task.place("data.stk")
    more = ["--restart-interval", "8"] if task.variant == "restart" else []
    subprocess.run([task.stoker, "pack", task.root, "--manifest", task.manifest, "-o", out, "--no-sync", *more], check=True)
    return out


class Peer:
    def __init__(self, task):
        self.task = task
        self.out = pack(task)
        self.settings = {f"{task.workers} threads": task.workers}

    def use(self, threads):
        task = self.task
        photos = task.job == "photos"
        self.loader = stoker.Loader(
            self.out, task.batch, True, task.seed, 0, 1, CHAIN if photos else None, threads=threads,
            fields=["data", "label"] if photos else ["data"])
        if photos:
            return lambda: ((batch["data"], batch["label"]) for batch in self.loader)
        return lambda: (batch["data"] for batch in self.loader)

    def others(self):
        return [self.loader.reader_pid]

    def close(self):
        self.loader.close()
