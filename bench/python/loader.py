#!/usr/bin/env python3
"""Measures stoker.Loader against PyTorch's DataLoader on loose files and on h5py, and against the Java feed alone.

    pip install ./python torch h5py
    python3 bench/python/loader.py PHOTOS [--work DIR] [--rounds 9] [--only raw,overhead,images,memory] [--json]

PHOTOS is a folder of some thousand JPEG files of about 80 KB. All of a section's contestants take turns within one run, epoch by
epoch, and medians are compared, so that the ratios hold on a machine that others use too. Warm cache; and each contestant has
WARM_SECONDS before its first turn counts, since a JVM compiles what is busy while it runs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import stoker

ROOT = Path(__file__).resolve().parents[2]
STOKER = os.environ.get("STOKER") or str(ROOT / "build" / "dist" / "bin" / "stoker")
BATCH = 64
TRANSFORM = "RandomResizedCrop(224),RandomHorizontalFlip"
WARM_SECONDS = 3
rows = []


def row(what, figure, ratio, target, better="at least"):
    good = ratio >= target if better == "at least" else ratio <= target
    rows.append({"what": what, "figure": figure, "ratio": round(ratio, 3), "target": f"{better} {target}", "reached": good})
    print(f"{what:66s} {ratio:8.2f}  {better} {target:<6} {'reached' if good else 'NOT reached'}   {figure}", flush=True)


def in_turn(rounds, jobs):
    """Runs the jobs in turn, whose order alternates, and gives the median samples per second of each."""
    rates = {name: [] for name in jobs}
    for job in jobs.values():
        start = time.perf_counter()
        while time.perf_counter() - start < WARM_SECONDS:
            job()
    for r in range(rounds):
        for name in list(jobs) if r % 2 == 0 else reversed(list(jobs)):
            start = time.perf_counter()
            samples = jobs[name]()
            rates[name].append(samples if isinstance(samples, float) else samples / (time.perf_counter() - start))
    return {name: statistics.median(found) for name, found in rates.items()}


def count(batches):
    return sum(len(batch["label"]) for batch in batches)


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


def read_file(path):
    with open(path, "rb") as f:
        return np.frombuffer(f.read(), np.uint8)


class Loose:
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return read_file(self.files[i])


class InHdf5:
    def __init__(self, path):
        self.path, self.file = path, None
        import h5py

        with h5py.File(path) as f:
            self.count = len(f["data"])

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        if self.file is None:
            import h5py

            self.file = h5py.File(self.path)
        return self.file["data"][i]


def arrays(samples):
    """A batch of arrays; they differ in length, and so are not stacked."""
    return {"data": samples, "label": samples}


def torch_loader(dataset, workers):
    from torch.utils.data import DataLoader

    return DataLoader(dataset, BATCH, shuffle=True, num_workers=workers, collate_fn=arrays, persistent_workers=workers > 0)


# ---- the sections


def raw(args, packed, files):
    import h5py

    hdf5 = str(args.work / "vlen.h5")
    with h5py.File(hdf5, "w") as f:
        data = f.create_dataset("data", (len(files),), h5py.vlen_dtype(np.uint8))
        for i, path in enumerate(files):
            data[i] = read_file(path)
    with stoker.Loader(packed, BATCH, True, 7) as loader:
        rates = in_turn(
            args.rounds,
            {
                # As long a turn as the others have.
                "loader": lambda: count(batch for _ in range(10) for batch in loader),
                "loose, 0 workers": lambda batches=torch_loader(Loose(files), 0): count(batches),
                "loose, 2 workers": lambda batches=torch_loader(Loose(files), 2): count(batches),
                "h5py": lambda batches=torch_loader(InHdf5(hdf5), 0): count(batches),
                "Java feed": lambda: java(packed, "--seed", "7", "--epochs", "60"),
            },
        )
    figure = ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()) + " samples/s"
    best = max(rates["loose, 0 workers"], rates["loose, 2 workers"])
    row("raw: Loader / best DataLoader on loose files", figure, rates["loader"] / best, 2)
    row("raw: Loader / h5py", "", rates["loader"] / rates["h5py"], 10)
    microseconds = 1e6 * BATCH * (1 / rates["loader"] - 1 / rates["Java feed"])
    row("raw: microseconds for each batch more than the Java feed", "", microseconds, 150, "at most")


def overhead(args, packed, files):
    """Of batches that have next to no bytes, so that nothing but the handing over counts."""
    with stoker.Loader(packed, BATCH, True, 7, fields=["label"]) as loader:
        rates = in_turn(
            args.rounds,
            {
                "loader": lambda: count(batch for _ in range(5) for batch in loader),
                "Java feed": lambda: java(packed, "--fields", "label", "--seed", "7", "--epochs", "60"),
            },
        )
    each = {name: 1e6 * BATCH / rate for name, rate in rates.items()}
    figure = ", ".join(f"{name} {time_each:.0f} us/batch" for name, time_each in each.items())
    row(
        "overhead: microseconds for each batch more than the Java feed",
        figure,
        each["loader"] - each["Java feed"],
        150,
        "at most",
    )


def images(args, packed, files):
    with stoker.Loader(packed, BATCH, True, 7, transform=TRANSFORM) as loader:
        rates = in_turn(
            max(3, args.rounds // 3),
            {
                # As long a turn as the others have.
                "loader": lambda: count(batch for _ in range(10) for batch in loader),
                "Java feed": lambda: java(
                    packed, "--seed", "7", "--decode", "image", "--transform", TRANSFORM, "--epochs", "2"
                ),
            },
        )
    figure = ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()) + " images/s"
    row("images: Loader / Java feed", figure, rates["loader"] / rates["Java feed"], 0.93)


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


def memory(args, packed, files):
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
                    "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT / "bench/python")]),
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
    parser.add_argument("photos", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="raw,overhead,images,memory")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    os.environ["STOKER"] = STOKER
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        args.work = Path(work)
        packed = str(args.work / "photos.stk")
        subprocess.run([STOKER, "pack", args.photos, "-o", packed, "--no-sync"], check=True, stdout=subprocess.DEVNULL)
        files = files_of(args.photos)
        for section in args.only.split(","):
            {"raw": raw, "overhead": overhead, "images": images, "memory": memory}[section](args, packed, files)
    if args.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
