#!/usr/bin/env python3
"""Random reading by the Python package, and by pyarrow and h5py, of the same files.

    python3 bench/python/map_read.py PHOTOS [--work DIR] [--rounds 15] [--json]

PHOTOS is a folder of files, which is packed to an Arrow file with one sample in each batch, and to HDF5 with variable length. Every
sample is copied, in one shuffled order, into one buffer. 'limit' is the same copy from a mapped file. Rounds take turns, and
processor time is counted, so that the ratios hold on a machine that others use too. The packages come from tools/python-env.
"""

import argparse
import random
import statistics
import time

import measure

try:
    import h5py
    import numpy as np
    import pyarrow as pa
    import stoker
except ImportError:
    measure.run_in_env("requirements.txt")


def pyarrow_reader(path, order, take):
    reader = pa.ipc.open_file(pa.memory_map(path))

    def read():
        for i in order:
            batch = reader.get_batch(i)
            take(batch["data"][0].as_buffer())
            batch["label"][0].as_py()

    return read


def h5py_reader(path, order, take):
    split = h5py.File(path)["train"]
    images, targets = split["images"], split["targets"]

    def read():
        for i in order:
            images[i], targets[i]  # a read copies

    return read


def ways(path, peer):
    """The jobs, by name; each reads every sample once."""
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

    theirs = {"pyarrow": pyarrow_reader, "h5py": h5py_reader}[peer](path, order, take)
    jobs = {peer: theirs, "ds[i], bytes": bytes_read, "ds[i], views, copied": views_read, "ds.read_into": read_into, "limit": limit}
    return jobs, len(order)


def compare(path, peer, rounds):
    jobs, count = ways(path, peer)
    rates = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            rates[name].append(count / (time.process_time() - start))
    base = statistics.median(rates[peer])
    for name, found in rates.items():
        if name != peer:
            rate = statistics.median(found)
            measure.row(f"random reads in Python, {name} / {peer}", f"{rate:,.0f} and {base:,.0f} samples/s", rate / base)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("photos")
    measure.options(args)
    args.add_argument("--rounds", type=int, default=15)
    a = args.parse_args()
    with measure.folder(a.work) as work:
        for peer, name, more in (("pyarrow", "rows.arrow", ("--rows-per-batch", "1")), ("h5py", "vlen.h5", ())):
            measure.pack(a.photos, f"{work}/{name}", *more)
            compare(f"{work}/{name}", peer, a.rounds)
    measure.finish()


if __name__ == "__main__":
    main()
