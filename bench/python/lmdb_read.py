#!/usr/bin/env python3
"""Random reading of one LMDB environment by Stoker in Java, by the Python package, and by python-lmdb with buffers=True.

    pip install ./python lmdb
    stoker pack PHOTOS -o photos.lmdb
    python3 lmdb_read.py photos.lmdb [--stoker COMMAND]

Every sample is copied, in one shuffled order, into one buffer. Rounds take turns. In Python processor time is counted, so that
the ratios hold on a machine that others use too; `stoker bench read` gives the rate of each round by the clock, so the clock
is used for python-lmdb there as well.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

import lmdb

import stoker

ROUNDS = 9

args = argparse.ArgumentParser()
args.add_argument("path")
args.add_argument("--stoker", default="stoker", help="the command")
a = args.parse_args()

views = stoker.open(a.path, fields=["data"], views=True)
order = stoker.order(len(views), 0).tolist()
keys = [b"%09d" % i for i in order]
buffer = memoryview(bytearray(int(views.fields["data"].lengths.max())))
env = lmdb.open(a.path, subdir=os.path.isdir(a.path), readonly=True, lock=False, readahead=False, meminit=False)


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
    "lmdb, buffers, copied": lmdb_read,
    "stoker ds[i], views, copied": views_read,
    "stoker ds.read_into": read_into,
    "lmdb, buffers, not touched": lmdb_slices,
    "stoker ds[i]['data'], not touched": slices,
}
rates = {name: [] for name in jobs}
java, beside = [], []
for _ in range(ROUNDS):
    for name, job in jobs.items():
        rates[name].append(rate(job, time.process_time))
    beside.append(rate(lmdb_read, time.perf_counter))
    found = subprocess.run([a.stoker, "bench", "read", a.path, "--repeat", "3", "--json"], check=True, stdout=subprocess.PIPE)
    java.append(json.loads(found.stdout)["samples_per_s"])

for name, found in rates.items():
    base = rates["lmdb, buffers, not touched" if "not touched" in name else "lmdb, buffers, copied"]
    ratio = statistics.median(found) / statistics.median(base)
    print(f"{name:30s} {statistics.median(found):10,.0f} samples/s of processor time  {ratio:5.2f} of lmdb")
ratio = statistics.median(java) / statistics.median(beside)
print(f"{'stoker bench read (Java)':30s} {statistics.median(java):10,.0f} samples/s by the clock       {ratio:5.2f} of lmdb")
