#!/usr/bin/env python3
"""Random reading by the Python package, and by pyarrow, of one Arrow file that `stoker pack --rows-per-batch 1` wrote.

    pip install ./python pyarrow
    python3 map_read.py FILE.arrow

Every sample is copied, in one shuffled order, into one buffer. 'limit' is the same copy from a mapped file. Rounds take
turns, and processor time is counted, so that the ratios hold on a machine that others use too.
"""

import random
import statistics
import sys
import time

import numpy as np
import pyarrow as pa

import stoker

ROUNDS = 15

path = sys.argv[1]
plain = stoker.open(path, fields=["data", "label"])
views = stoker.open(path, fields=["data", "label"], views=True)
reader = pa.ipc.open_file(pa.memory_map(path))
order = stoker.order(len(plain), 0).tolist()
buffer = memoryview(bytearray(int(plain.fields["data"].lengths.max())))
mapped = memoryview(np.memmap(path, np.uint8, "r"))
length = int(plain.fields["data"].lengths.mean())
starts = [random.Random(i).randrange(0, len(mapped) - length) for i in order]


def take(data):
    data = memoryview(data).cast("B")
    buffer[: data.nbytes] = data


def pyarrow_read():
    for i in order:
        batch = reader.get_batch(i)
        take(batch["data"][0].as_buffer())
        batch["label"][0].as_py()


def bytes_read():
    for i in order:
        plain[i]


def views_read():
    for i in order:
        take(views[i]["data"])


def read_into():
    for i in order:
        plain.read_into(i, "data", buffer)


def limit():
    for start in starts:
        buffer[:length] = mapped[start : start + length]


jobs = {
    "pyarrow get_batch, copied": pyarrow_read,
    "ds[i], bytes": bytes_read,
    "ds[i], views, copied": views_read,
    "ds.read_into": read_into,
    "limit": limit,
}
rates = {name: [] for name in jobs}
for _ in range(ROUNDS):
    for name, job in jobs.items():
        start = time.process_time()
        job()
        rates[name].append(len(order) / (time.process_time() - start))
base = statistics.median(rates["pyarrow get_batch, copied"])
for name, found in rates.items():
    median = statistics.median(found)
    print(f"{name:28s} {median:9.0f} samples/s  {median / base:5.2f} of pyarrow")
