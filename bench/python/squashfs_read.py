#!/usr/bin/env python3
"""Random reading of text samples in a zstd-compressed SquashFS image: Stoker's block cache against squashfuse_ll.

    python3 squashfs_read.py [--samples 20000] [--work DIR] [--stoker COMMAND]

Makes texts of 1 to 8 KB, an image with `mksquashfs -comp zstd`, and reads every sample once in a shuffled order: through the
mount with open, read, close, and by one epoch of `stoker feed`. Rounds take turns; medians of samples per second by the clock.
Neither side has anything decoded when a round begins: the image is mounted anew, and the feed is a new process. The feed has
`--threads` threads (default: 1), and the mount is read by one.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time

args = argparse.ArgumentParser()
args.add_argument("--samples", type=int, default=20000)
args.add_argument("--rounds", type=int, default=5)
args.add_argument("--threads", type=int, default=1, help="of the feed")
args.add_argument("--work", help="a folder that is empty or new")
args.add_argument("--stoker", default="stoker", help="the command")
a = args.parse_args()
work = a.work or tempfile.mkdtemp(prefix="stoker-bench-")
tree, image, mount = f"{work}/tree", f"{work}/texts.sqsh", f"{work}/mount"
chance = random.Random(1)
words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
names = []
for n in range(a.samples):
    names.append(f"{n % 100:02d}/{n:06d}.txt")
    os.makedirs(f"{tree}/{n % 100:02d}", exist_ok=True)
    with open(f"{tree}/{names[-1]}", "w") as f:
        f.write(" ".join(chance.choices(words, k=chance.randint(150, 1200))))
subprocess.run(["mksquashfs", tree, image, "-comp", "zstd", "-quiet", "-no-progress", "-noappend"], check=True)
os.makedirs(mount, exist_ok=True)


def mounted():
    subprocess.run(["squashfuse_ll", image, mount], check=True)
    try:
        chance.shuffle(names)
        start = time.perf_counter()
        for name in names:
            with open(f"{mount}/{name}", "rb", buffering=0) as f:
                f.read()
        return len(names) / (time.perf_counter() - start)
    finally:
        subprocess.run(["umount", mount], check=True)


def ours():
    command = [a.stoker, "feed", image, "--epochs", "1", "--threads", str(a.threads), "--json"]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    assert found["samples"] == len(names), found
    return found["samples_per_s"]


try:
    pairs = [(mounted(), ours()) for _ in range(a.rounds)]
    theirs, our = (statistics.median(side) for side in zip(*pairs))
    print(f"squashfuse_ll {theirs:,.0f} samples/s, stoker {our:,.0f} samples/s, ratio {our / theirs:.1f} (at least 3)")
finally:
    if not a.work:
        shutil.rmtree(work, ignore_errors=True)
