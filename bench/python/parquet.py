#!/usr/bin/env python3
"""Measures what Parquet promises, each as a ratio within one run, in turn, medians. Prints a table; --json for programs.

    python3 bench/python/parquet.py PHOTOS [--work DIR] [--repeat 5] [--json]

PHOTOS is a folder of some thousand JPEG files. `pack` compares `stoker pack` with two scripts for pyarrow (parquet_pack.py): as its
users write it, one table and the default settings, which compress with snappy and try dictionaries; and at its fastest, without
both and in batches of 100 rows. The same work on both sides: start the program, list the folder, read every file, write columns
key, data and label to one file. Stoker's cores count as they come, pyarrow's too; Stoker also writes an Index with a checksum
of every value, which pyarrow does not, and pyarrow's default compresses, which Stoker does not. By wall clock and by processor
time. `read` compares random reads with a bare copy of the same bytes, as `stoker bench read` does, and with pyarrow reading a
row of the same file. Warm cache, no sync.
"""
import argparse
import os
import resource
import statistics
import subprocess
import time

import measure
from measure import HERE, finish, folder, options, python_env, row, run, stoker


def measured(job):
    """Wall clock and processor seconds of a job's processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    job()
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pack(work, photos, repeat):
    script, interpreter = f"{HERE}/parquet_pack.py", python_env("requirements.txt")
    jobs = [lambda: measure.pack(photos, f"{work}/photos.parquet"),
            lambda: run(interpreter, script, "default", photos, f"{work}/pyarrow.parquet"),
            lambda: run(interpreter, script, "fastest", photos, f"{work}/pyarrow.parquet")]
    figures = [[] for _ in jobs]
    for r in range(repeat + 1):
        for n in range(len(jobs)) if r % 2 == 0 else reversed(range(len(jobs))):
            os.sync()
            figure = measured(jobs[n])
            if r > 0:  # the first round warms the cache
                figures[n].append(figure)
    for kind, name in enumerate(("seconds", "processor seconds")):
        ours, *theirs = (statistics.median(f[kind] for f in side) for side in figures)
        for way, their in zip(("its defaults", "its fastest"), theirs):
            row(f"pack to .parquet / pyarrow, {way}, {name}", f"{ours:.2f} s and {their:.2f} s", their / ours, 0 if kind else 3)


def read(work, photos):
    found = stoker("bench", "read", f"{work}/photos.parquet")
    row("random reads, .parquet, 1 thread / bare copy", f"{found['samples_per_s']:,.0f} samples/s", found["ratio"], 0.85)
    peer = subprocess.run([python_env("requirements.txt"), f"{HERE}/parquet_read.py", f"{work}/photos.parquet"], check=True,
                          stdout=subprocess.PIPE, text=True)
    theirs = float(peer.stdout)
    row("random reads, .parquet / pyarrow, the same file", f"{found['samples_per_s']:,.0f} and {theirs:,.1f} samples/s",
             found["samples_per_s"] / theirs, 10)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("photos")
    options(args)
    args.add_argument("--repeat", type=int, default=5)
    a = args.parse_args()
    with folder(a.work) as work:
        pack(work, a.photos, a.repeat)
        read(work, a.photos)
    finish()


if __name__ == "__main__":
    main()
