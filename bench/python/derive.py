#!/usr/bin/env python3
"""How long it takes to derive the Index of a zip and of SquashFS images with 100,000 files each: less than 2 seconds.

    python3 derive.py [--files 100000] [--work DIR] [--stoker COMMAND]

The seconds are those that `stoker index --json` tells, without the start of the JVM; the best of five, since other programs may
run beside it.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import zipfile

args = argparse.ArgumentParser()
args.add_argument("--files", type=int, default=100000)
args.add_argument("--work")
args.add_argument("--stoker", default="stoker", help="the command")
a = args.parse_args()
work = a.work or tempfile.mkdtemp(prefix="stoker-bench-")
tree = f"{work}/tree"
for n in range(a.files):
    os.makedirs(f"{tree}/{n % 1000:03d}", exist_ok=True)
    with open(f"{tree}/{n % 1000:03d}/{n:06d}.txt", "w") as f:
        f.write(f"text {n} " * (1 + n % 50))


def stoker(*more):
    return json.loads(subprocess.run([a.stoker, *more, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def deflated(place):
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for folder in sorted(os.listdir(tree)):
            for name in sorted(os.listdir(f"{tree}/{folder}")):
                z.write(f"{tree}/{folder}/{name}", f"{folder}/{name}")


def squash(place, *how):
    subprocess.run(["mksquashfs", tree, place, "-quiet", "-no-progress", "-noappend", *how], check=True)


makers = {
    "ours.zip": lambda place: stoker("pack", tree, "-o", place, "--force"),
    "deflated.zip": deflated,
    "ours.sqsh": lambda place: stoker("pack", tree, "-o", place, "--force"),
    "stored.sqsh": lambda place: squash(place, "-noD", "-noF"),
    "zstd.sqsh": lambda place: squash(place, "-comp", "zstd"),
}
try:
    for name, make in makers.items():
        make(f"{work}/{name}")
        best = min(stoker("index", "--force", f"{work}/{name}")["seconds"] for _ in range(5))
        print(f"{name:14s} {a.files:,} files: {best:.2f} s  {'reached' if best < 2 else 'NOT reached'} (less than 2)", flush=True)
finally:
    if not a.work:
        shutil.rmtree(work, ignore_errors=True)
