#!/usr/bin/env python3
"""Measures what stoker.Loader adds to the Java feed, and the memory of its ranks beside those of PyTorch's DataLoader.

    pip install ./python torch
    python3 bench/python/loader.py PHOTOS [--work DIR] [--rounds 9] [--only overhead,memory] [--json]

PHOTOS is a folder of some thousand JPEG files of about 80 KB. All of a section's contestants take turns within one run, epoch by
epoch, and medians are compared, so that the ratios hold on a machine that others use too. Warm cache; and each contestant has
WARM_SECONDS before its first turn counts, since a JVM compiles what is busy while it runs. How fast the loader is beside others
`stoker bench peers` measures.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import stoker
from measure import HERE, STOKER, finish, folder, in_turn, options, pack, row

BATCH = 64
WARM_SECONDS = 3


def warm_up(jobs):
    for job in jobs.values():
        start = time.perf_counter()
        while time.perf_counter() - start < WARM_SECONDS:
            job()


def count(batches):
    return sum(len(batch["label"]) for batch in batches)


def rate(batches):
    start = time.perf_counter()
    return count(batches) / (time.perf_counter() - start)


def java(path, *more):
    """The Java feed alone, in a process of its own: the median samples per second of the later half of its epochs."""
    said = subprocess.run(
        [STOKER, "feed", path, "--batch", str(BATCH), "--no-limit", "--json", *more], check=True, stdout=subprocess.PIPE
    )
    rates = json.loads(said.stdout)["epochs"]
    return float(statistics.median(rates[len(rates) // 2 :]))


# ---- what others do


def files_of(folder):
    return sorted(str(path) for path in Path(folder).rglob("*.JPEG"))


class Loose:
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        with open(self.files[i], "rb") as f:
            return f.read()


def torch_loader(dataset, workers):
    from torch.utils.data import DataLoader

    # Bytes of different lengths are not stacked.
    return DataLoader(dataset, BATCH, shuffle=True, num_workers=workers, collate_fn=list, persistent_workers=workers > 0)


# ---- the sections


def overhead(args, packed):
    """Of batches that have next to no bytes, so that nothing but the handing over counts."""
    with stoker.Loader(packed, BATCH, True, 7, fields=["label"]) as loader:
        jobs = {
            "loader": lambda: rate(batch for _ in range(5) for batch in loader),
            "Java feed": lambda: java(packed, "--fields", "label", "--seed", "7", "--epochs", "60"),
        }
        warm_up(jobs)
        rates = in_turn(args.rounds, jobs, between=lambda: None)
    each = {name: 1e6 * BATCH / rate for name, rate in rates.items()}
    figure = ", ".join(f"{name} {time_each:.0f} us/batch" for name, time_each in each.items())
    row(
        "overhead: microseconds for each batch more than the Java feed",
        figure,
        each["loader"] - each["Java feed"],
        150,
        "at most",
    )


RANK = {
    "idle": "import numpy, json",
    "loader": f"""
import stoker
loader = stoker.Loader(sys.argv[1], {BATCH}, True, 7, rank=int(sys.argv[2]), world=8)
for batch in loader:
    batch["label"].sum()
print(loader.reader_pid)
""",
    "torch": """
import loader as bench
batches = bench.torch_loader(bench.Loose(bench.files_of(sys.argv[1])[int(sys.argv[2])::8]), 2)
for batch in batches:
    pass
""",
}


def memory(args, packed):
    """Proportional set size: memory that n processes share counts as one n-th in each."""

    def measure(kind, what, number):
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", f"import sys\n{RANK[kind]}\nprint('ready', flush=True)\nsys.stdin.read()", what, str(i)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={
                    **os.environ,
                    "STOKER_JOB": f"memory {os.getpid()}",
                    "PYTHONPATH": os.pathsep.join([*sys.path, HERE]),
                },
            )
            for i in range(number)
        ]
        said = []
        for process in processes:
            for line in process.stdout:
                if line.strip() == "ready":
                    break
                said.append(int(line))
        own = [megabytes(process.pid) for process in processes]
        family = sum(megabytes(pid) for process in processes for pid in descendants(process.pid)) + sum(
            map(megabytes, set(said))
        )
        for process in processes:
            process.communicate()
        return own, family

    idle, _ = measure("idle", "", 8)
    ranks, reader = measure("loader", packed, 8)
    torch_ranks, workers = measure("torch", str(args.photos), 8)
    more = max(ranks) - statistics.median(idle)
    row(
        "memory: MB of a rank more than an idle Python with NumPy",
        f"8 ranks {sum(ranks):.0f} MB + reader process {reader:.0f} MB; DataLoader with 2 workers: 8 ranks {sum(torch_ranks):.0f} MB"
        f" + workers {workers:.0f} MB; 8 idle {sum(idle):.0f} MB",
        more,
        60,
        "at most",
    )


def descendants(pid):
    children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    return children + [each for child in children for each in descendants(child)]


def megabytes(pid):
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    options(parser)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="overhead,memory")
    args = parser.parse_args()
    os.environ["STOKER"] = STOKER
    with folder(args.work) as work:
        packed = f"{work}/photos.stk"
        pack(args.photos, packed)
        for section in args.only.split(","):
            {"overhead": overhead, "memory": memory}[section](args, packed)
    finish()


if __name__ == "__main__":
    main()
