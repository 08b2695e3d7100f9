#!/usr/bin/env python3
"""Measures a Python function for each sample: stoker.Loader(map=...) beside PyTorch's DataLoader with the same function.

    pip install ./python torch torchvision
    python3 bench/python/map.py PHOTOS [--work DIR] [--rounds 7] [--workers 2] [--json]

PHOTOS is a folder of some thousand pictures. All contestants take turns within one run, epoch by epoch, and medians are compared.
DataLoader reads the same container through stoker.open, with each number of workers, and the best of them counts. The overhead
is that of a function that returns 80,000 bytes of a sample, for each sample of one worker.
"""

import argparse
import io
import os
import statistics
import time

import numpy as np
import stoker
from measure import finish, folder, options, pack, row

BATCH = 64


def augment(sample):
    """torchvision's chain for training, on the picture as it was packed."""
    from PIL import Image
    from torchvision.transforms import v2

    picture = Image.open(io.BytesIO(sample["data"])).convert("RGB")
    chain = v2.Compose([v2.PILToTensor(), v2.RandomResizedCrop(224, antialias=True), v2.RandomHorizontalFlip()])
    return {"image": chain(picture), "label": int(sample["label"])}


def flip(sample):
    """What is left to do where the reader process decodes and crops."""
    import torch

    image = sample["data"]
    return {"image": image.flip(2) if torch.rand(()) < 0.5 else image, "label": int(sample["label"])}


def pass_on(sample):
    return {"data": np.resize(np.frombuffer(sample["data"], np.uint8), 80_000), "label": sample["label"]}


class Mapped:
    """A map-style dataset that calls the function, as programs for PyTorch have it."""

    def __init__(self, path):
        self.dataset = stoker.open(path)

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, i):
        return augment(self.dataset[i])


def dataloader(path, workers):
    from torch.utils.data import DataLoader

    return DataLoader(Mapped(path), BATCH, shuffle=True, num_workers=workers, persistent_workers=workers > 0)


def rate(batches):
    start = time.perf_counter()
    return sum(len(batch["label"]) for batch in batches) / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    options(parser)
    args = parser.parse_args()
    with folder(args.work) as work:
        path = os.path.join(work, "photos.stk")
        pack(args.photos, path)
        options_of_all = {"shuffle": True, "seed": 7, "framework": "torch"}
        chain = "RandomResizedCrop(224)"
        contestants = {
            "map": stoker.Loader(path, BATCH, map=augment, workers=args.workers, **options_of_all),
            "map after Java": stoker.Loader(path, BATCH, transform=chain, map=flip, workers=args.workers, **options_of_all),
            **{f"DataLoader {n}": dataloader(path, n) for n in range(1, args.workers + 2)},
        }
        rates = {name: [] for name in contestants}
        for _ in range(args.rounds + 1):
            for name, batches in contestants.items():
                rates[name].append(rate(batches))
        median = {name: statistics.median(each[1:]) for name, each in rates.items()}
        peer = max(value for name, value in median.items() if name.startswith("DataLoader"))
        figure = ", ".join(f"{name} {value:.0f}" for name, value in median.items())
        row("map of torchvision's chain, to the best DataLoader", figure, median["map"] / peer, 0.95)
        row("decoding in Java, then map, to the best DataLoader", figure, median["map after Java"] / peer, 2)
        each = [1e6 / rate(stoker.Loader(path, BATCH, map=pass_on, workers=1)) for _ in range(args.rounds)]
        row("microseconds for each sample that a function passes on", f"{len(each)} epochs", statistics.median(each), 60, "at most")
    finish()


if __name__ == "__main__":
    main()
