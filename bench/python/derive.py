#!/usr/bin/env python3
"""How long it takes to derive the Index of a zip and of SquashFS images with 100,000 files each: less than 2 seconds.

    python3 bench/python/derive.py [--files 100000] [--work DIR] [--json]

The seconds are those that `stoker index --json` tells, without the start of the JVM; the best of five, since other programs may
run beside it.
"""

import argparse
import os
import subprocess
import zipfile

from measure import finish, folder, options, row, stoker

args = argparse.ArgumentParser()
args.add_argument("--files", type=int, default=100000)
options(args)
a = args.parse_args()


def write(tree):
    for n in range(a.files):
        os.makedirs(f"{tree}/{n % 1000:03d}", exist_ok=True)
        with open(f"{tree}/{n % 1000:03d}/{n:06d}.txt", "w") as f:
            f.write(f"text {n} " * (1 + n % 50))


def deflated(tree, place):
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for folder in sorted(os.listdir(tree)):
            for name in sorted(os.listdir(f"{tree}/{folder}")):
                z.write(f"{tree}/{folder}/{name}", f"{folder}/{name}")


def squash(tree, place, *how):
    subprocess.run(["mksquashfs", tree, place, "-quiet", "-no-progress", "-noappend", *how], check=True)


makers = {
    "ours.zip": lambda tree, place: stoker("pack", tree, "-o", place, "--force"),
    "deflated.zip": deflated,
    "ours.sqsh": lambda tree, place: stoker("pack", tree, "-o", place, "--force"),
    "stored.sqsh": lambda tree, place: squash(tree, place, "-noD", "-noF"),
    "zstd.sqsh": lambda tree, place: squash(tree, place, "-comp", "zstd"),
}
with folder(a.work) as work:
    write(f"{work}/tree")
    for name, make in makers.items():
        make(f"{work}/tree", f"{work}/{name}")
        best = min(stoker("index", "--force", f"{work}/{name}")["seconds"] for _ in range(5))
        row(f"the Index of {name}, seconds", f"{a.files:,} files", best, 2, "at most")
finish()
