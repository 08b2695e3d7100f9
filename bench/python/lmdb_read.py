#!/usr/bin/env python3
"""Random reading of one LMDB environment by Stoker in Java, by the Python package, and by python-lmdb with buffers=True.

    python3 bench/python/lmdb_read.py PHOTOS [--work DIR] [--rounds 9] [--json]

PHOTOS is a folder of files, which is packed. Every sample is copied, in one shuffled order, into one buffer. Rounds take turns. In
Python processor time is counted, so that the ratios hold on a machine that others use too; `stoker bench read` gives the rate of
each round by the clock, so the clock is used for python-lmdb there as well. The packages come from tools/python-env.
"""

import argparse
import os
import statistics
import time

import measure

try:
    import lmdb
    import stoker
except ImportError:
    measure.run_in_env("requirements.txt")

args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
args.add_argument("photos")
measure.options(args)
args.add_argument("--rounds", type=int, default=9)
a = args.parse_args()


def measure_all(path):
    views = stoker.open(path, fields=["data"], views=True)
    order = stoker.order(len(views), 0).tolist()
    keys = [b"%09d" % i for i in order]
    buffer = memoryview(bytearray(int(views.fields["data"].lengths.max())))
    env = lmdb.open(path, subdir=os.path.isdir(path), readonly=True, lock=False, readahead=False, meminit=False)

    def take(data):
        data = memoryview(data).cast("B")
        buffer[: data.nbytes] = data

    def lmdb_read():
        with env.begin(buffers=True) as txn:
            for key in keys:
                take(txn.get(key))

    def lmdb_slices():
        with env.begin(buffers=True) as txn:
            for key in keys:
                txn.get(key)

    def views_read():
        for i in order:
            take(views[i]["data"])

    def read_into():
        for i in order:
            views.read_into(i, "data", buffer)

    def slices():
        for i in order:
            views[i]["data"]

    def rate(job, clock):
        start = clock()
        job()
        return len(order) / (clock() - start)

    jobs = {
        "lmdb": lmdb_read,
        "ds[i], views, copied": views_read,
        "ds.read_into": read_into,
        "lmdb, not touched": lmdb_slices,
        "ds[i]['data'], not touched": slices,
    }
    rates = {name: [] for name in jobs}
    java, beside = [], []
    for _ in range(a.rounds):
        for name, job in jobs.items():
            rates[name].append(rate(job, time.process_time))
        beside.append(rate(lmdb_read, time.perf_counter))
        java.append(measure.stoker("bench", "read", path, "--repeat", "3")["samples_per_s"])
    found = {name: statistics.median(each) for name, each in rates.items()}
    for name in jobs:
        if not name.startswith("lmdb"):
            base = "lmdb, not touched" if "not touched" in name else "lmdb"
            measure.row(f"random reads of LMDB, {name} / python-lmdb, processor time",
                        f"{found[name]:,.0f} and {found[base]:,.0f} samples/s", found[name] / found[base])
    ours, theirs = statistics.median(java), statistics.median(beside)
    measure.row("random reads of LMDB, Java / python-lmdb", f"{ours:,.0f} and {theirs:,.0f} samples/s", ours / theirs)


with measure.folder(a.work) as work:
    packed = f"{work}/photos.lmdb"
    measure.pack(a.photos, packed)
    measure_all(packed)
measure.finish()
