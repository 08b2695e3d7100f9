#!/usr/bin/env python3
"""Measures what HDF5 promises, each as a ratio within one run, in turn, medians. Prints a table; --json for programs.

    python3 bench/python/hdf5.py PHOTOS [--work DIR] [--only read,pack,index] [--repeat 5]

PHOTOS is a folder of some thousand JPEG files. --work (default: a temporary folder) wants 2 GB free. The command comes from
build/dist (`./stoker --version` builds it), h5py from the virtual environment that tools/python-env makes. Warm cache, both
sides without a sync. h5py packs in two ways: by the script that a course shows, line by line, which makes a Python list of each
photo's bytes (--repeat 5 then takes minutes, so it runs once in each second round); and without that detour, as fast as it goes.
Both keep the file open in a process that runs already, while Stoker's figure has the start of its JVM in it; Stoker writes the keys
and an Index with a checksum of every value too.
"""
import argparse
import os
import statistics
import time

from measure import finish, folder, options, pack as stoker_pack, row, run_in_env, stoker

try:
    import h5py
    import numpy as np
except ImportError:
    run_in_env("requirements.txt")


def seconds(job):
    os.sync()  # what an earlier job left to be written must not slow the next one
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def remove(*paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


def as_the_course_shows(content):
    return np.array(list(content), dtype=np.uint8)


def at_once(content):
    return np.frombuffer(content, np.uint8)


def h5py_pack(photos, out, made):
    remove(out, out + ".stkx")
    classes = sorted(os.listdir(photos))
    files = [(os.path.join(folder, name), label) for label, top in enumerate(classes)
             for folder, _, names in os.walk(os.path.join(photos, top)) for name in names]
    with h5py.File(out, "w") as f:
        group = f.create_group("train")
        images = group.create_dataset("images", (len(files),), dtype=h5py.vlen_dtype(np.dtype("uint8")))
        targets = group.create_dataset("targets", (len(files),), dtype="int16")
        for i, (path, label) in enumerate(files):
            with open(path, "rb") as photo:
                images[i] = made(photo.read())
            targets[i] = label


def h5py_read(path):
    """Samples per second: every image in a shuffled order, copied into one buffer."""
    with h5py.File(path, "r") as f:
        images = f["train/images"]
        order = np.random.default_rng(1).permutation(len(images)).tolist()
        buffer = np.empty(max(len(image) for image in images[:]), np.uint8)
        start = time.perf_counter()
        for i in order:
            image = images[i]
            buffer[: len(image)] = image
        return len(order) / (time.perf_counter() - start)


def read(work, photos, repeat):
    out = f"{work}/photos.h5"
    stoker_pack(photos, out)
    ours, theirs, limits = [], [], []
    for _ in range(repeat):
        found = stoker("bench", "read", out, "--repeat", "3")
        ours.append(found["samples_per_s"])
        limits.append(found["ratio"])
        theirs.append(h5py_read(out))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    row("random reads, vlen .h5, 1 thread / bare copy", f"{ours:,.0f} samples/s", statistics.median(limits), 0.85)
    row("random reads, vlen .h5 / h5py, same file", f"{ours:,.0f} and {theirs:,.0f} samples/s", ours / theirs, 10)


def pack(work, photos, repeat):
    ours, course, fastest = [], [], []
    for r in range(repeat):
        ours.append(seconds(lambda: stoker_pack(photos, f"{work}/ours.h5")))
        fastest.append(seconds(lambda: h5py_pack(photos, f"{work}/theirs.h5", at_once)))
        if r % 2 == 0:
            course.append(seconds(lambda: h5py_pack(photos, f"{work}/theirs.h5", as_the_course_shows)))
    ours, course, fastest = (statistics.median(figures) for figures in (ours, course, fastest))
    row("pack photos to vlen .h5 / the course's script", f"{ours:.2f} s and {course:.2f} s", course / ours, 5)
    row("pack photos to vlen .h5 / h5py at its fastest", f"{ours:.2f} s and {fastest:.2f} s", fastest / ours, 0)


def index(work, photos, repeat):
    count = 100_000
    path = f"{work}/many.h5"
    with h5py.File(path, "w") as f:
        images = f.create_dataset("train/images", (count,), dtype=h5py.vlen_dtype(np.dtype("uint8")))
        images[...] = [np.full(i % 300, i % 251, np.uint8) for i in range(count)]
        f["train/targets"] = np.arange(count).astype("int16")
    first, again = [], []
    for _ in range(repeat):
        first.append(seconds(lambda: stoker("index", path, "--force")))
        made = os.stat(path + ".stkx").st_mtime_ns
        again.append(seconds(lambda: stoker("inspect", path)))
        assert os.stat(path + ".stkx").st_mtime_ns == made, "the Index was made twice"
    figure = f"and {statistics.median(again):.2f} s when it is there; the start of Java included"
    row(f"seconds: Index of {count:,} vlen samples by h5py", figure, statistics.median(first), 3, "at most")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("photos")
options(parser)
parser.add_argument("--only", default="read,pack,index")
parser.add_argument("--repeat", type=int, default=5)
given = parser.parse_args()
with folder(given.work) as work:
    for name in given.only.split(","):
        {"read": read, "pack": pack, "index": index}[name](work, given.photos, given.repeat)
finish()
