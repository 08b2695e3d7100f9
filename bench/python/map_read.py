#!/usr/bin/env python3
"""Random reading by the Python package, and by pyarrow or h5py, of one file that `stoker pack` wrote.

    pip install ./python pyarrow h5py
    python3 map_read.py FILE.arrow        # of pack --rows-per-batch 1
    python3 map_read.py FILE.h5           # of variable length, without splits

Every sample is copied, in one shuffled order, into one buffer. 'limit' is the same copy from a mapped file. Rounds take
turns, and processor time is counted, so that the ratios hold on a machine that others use too.
"""

import random
import statistics
import sys
import time

import numpy as np

import stoker

ROUNDS = 15

path = sys.argv[1]
plain = stoker.open(path, fields=["data", "label"])
views = stoker.open(path, fields=["data", "label"], views=True)
order = stoker.order(len(plain), 0).tolist()
buffer = memoryview(bytearray(int(plain.fields["data"].lengths.max())))
mapped = memoryview(np.memmap(path, np.uint8, "r"))
length = int(plain.fields["data"].lengths.mean())
starts = [random.Random(i).randrange(0, len(mapped) - length) for i in order]


def take(data):
    data = memoryview(data).cast("B")
    buffer[: data.nbytes] = data


def pyarrow_reader():
    import pyarrow as pa

    reader = pa.ipc.open_file(pa.memory_map(path))

    def read():
        for i in order:
            batch = reader.get_batch(i)
            take(batch["data"][0].as_buffer())
            batch["label"][0].as_py()

    return read


def h5py_reader():
    import h5py

    split = h5py.File(path)["train"]
    images, targets = split["images"], split["targets"]

    def read():
        for i in order:
            images[i], targets[i]  # a read copies

    return read


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


peer, peer_reader = ("h5py", h5py_reader) if path.endswith((".h5", ".hdf5")) else ("pyarrow get_batch, copied", pyarrow_reader)
jobs = {
    peer: peer_reader(),
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
base = statistics.median(rates[peer])
for name, found in rates.items():
    median = statistics.median(found)
    print(f"{name:28s} {median:9.0f} samples/s  {median / base:5.2f} of {peer.split()[0]}")
