#!/usr/bin/env python3
"""Measures the figures of docs/figures.md, some of which README.md has too, each by the script that its row names; prints the rows.

    python3 bench/python/readme.py --photos DIR [--only GROUP,…] [--small] [--write] [--list]
                                   [--slowfs BINARY] [--python PYTHON] [--venv DIR] [--disk DIR]

--photos DIR     some thousand JPEG files of about 80 KB, in a folder for each class
--only GROUP,…   only these groups (--list shows them); without it all, which takes some hours
--small          everything small, to see that it works: the figures mean nothing, and cannot be written
--write          put the rows into both pages, in the place of those with the same first cell
--slowfs BINARY  a FUSE passthrough that adds latency, for the groups slow and feed-slow
--python PYTHON  an interpreter that has torch and torchvision, for the groups stage-run and state
--venv DIR       as `stoker bench peers` takes it, for the groups raw and photos
--disk DIR       a folder on a disk, for states; by default the current one

A row whose command fails is left as it is, and listed with the reason at the end; the exit code is then 1. The machine should do nothing
else meanwhile.
"""

import argparse
import os
import re
import sys
import tempfile
from typing import NamedTuple

import figures
from core import VERIFIED
from measure import ROOT

PAGES = ["README.md", "docs/figures.md"]
RATIOS = "{:.2f}"
PEERS = "stoker bench peers --data {photos} --work {work}/peers {venv}"


class Row(NamedTuple):
    """A row of the table: its first cell; the names of the figures (patterns) in its second, and how they are written there; what the
    command is told with --small, and without."""

    group: str
    cell: str
    command: str
    names: list
    form: str
    small: str = ""
    full: str = ""


def listed(count):
    return ", ".join([RATIOS] * count)


def bare(*endings):
    return [rf"random reads, \.{ending}, 1 thread / bare copy" for ending in endings]


CORE = "core.py {photos} --work {work} --only "
ROWS = [
    Row("read", "Random reads through the Index, one thread, relative to a bare copy: `.stk`, `.arrow`, `.tar` (`stoker bench read FILE`)",
        CORE + "read", bare("stk", "arrow", "tar"), listed(3)),
    Row("read", "The same for variable-length `.h5`, `.parquet`, `.zip`, `.sqsh`, `.tfrecord` (`stoker bench read FILE`)",
        CORE + "read", bare("h5", "parquet", "zip", "sqsh", "tfrecord"), listed(5)),
    Row("hdf5", "Random reads of variable-length HDF5, compared with h5py on the same file (`bench/python/hdf5.py`)",
        "hdf5.py {photos} --work {work} --only read,pack", ["vlen .h5 / h5py"], "{:.0f}x faster", "--repeat 1"),
    Row("hdf5", "Packing to HDF5, compared with a typical h5py script, with h5py at its best (`bench/python/hdf5.py`)",
        "hdf5.py {photos} --work {work} --only read,pack", ["course's script", "h5py at its fastest"],
        "{:.0f}x and {:.1f}x faster", "--repeat 1"),
    Row("parquet", "Packing to Parquet, compared with pyarrow with its defaults, at its best (`bench/python/parquet.py`)",
        "parquet.py {photos} --work {work}", ["its defaults, seconds", "its fastest, seconds"],
        "{:.1f}x and {:.1f}x faster", "--repeat 1"),
    Row("lmdb", "Random reads of LMDB, relative to python-lmdb's buffers: in Java, in Python with `ds[i]`, with `read_into`"
        " (`bench/python/lmdb_read.py`)",
        "lmdb_read.py {photos} --work {work}", ["LMDB, Java", r"ds\[i\], views", "read_into"], listed(3), "--rounds 1"),
    Row("derive", "Deriving the Index of 100,000 files: in a zip, in a SquashFS image, in one compressed with zstd (`bench/python/derive.py`)",
        "derive.py --work {work}", ["ours.zip", "ours.sqsh", "zstd.sqsh"], listed(3) + " s", "--files 1000"),
    Row("feed", "The feed, shuffled batches of 64, two threads, relative to a bare copy into the same buffers (`bench/python/feed.py`)",
        "feed.py warm --work {work}", ["warm, shuffled"], RATIOS, "--repeats 1"),
    Row("feed-cold", "The feed on a cold disk, 16 reads in flight, relative to fio: through the page cache, bypassing it (`bench/python/feed.py`)",
        "feed.py cold --work {work}", ["through the page cache / fio", "past the page cache / fio"], listed(2),
        "--repeats 1 --samples 500"),
    Row("feed-slow", "The feed with an emulated 1.1 ms per read and 4, 8, 16, 32 reads in flight, relative to depth / latency (`bench/python/feed.py`)",
        "feed.py slowfs --slowfs {slowfs} --work {work}", [rf", {n} in flight / \(depth" for n in (4, 8, 16, 32)], listed(4),
        "--repeats 1 --slow-samples 5000"),
    Row("raw", "Raw batches in Python from `stoker.Loader`, compared with PyTorch's DataLoader on loose files at its best setting, with h5py"
        " (`stoker bench peers --job raw`)",
        PEERS + " --job raw --only stoker-loader,pytorch,h5py", ["raw: stoker-loader / pytorch", "raw: stoker-loader / h5py"],
        "{:.1f}x and {:.0f}x faster", "--samples 128 --repeat 1 --turn-seconds 0", "--samples 4000"),
    Row("photos", "Photos to batches (decoded, RandomResizedCrop(224), flipped), compared with FFCV, DALI on the CPU, torchvision, PyTorch"
        " with PIL (`stoker bench peers --job photos`)",
        PEERS + " --job photos --only stoker-feed,ffcv,dali,torchvision,pytorch-pil",
        [f"photos: stoker-feed / {peer}$" for peer in ("ffcv", "dali", "torchvision", "pytorch-pil")],
        "{:.1f}x, {:.1f}x, {:.1f}x and {:.1f}x faster", "--samples 128 --repeat 1 --turn-seconds 0", "--samples 4000"),
    Row("jpeg", "JPEG decoding on one core, time relative to libjpeg-turbo (lower is better): full image, crop only (`bench/python/jpeg.py`)",
        "jpeg.py {photos}", ["JPEG, full", "JPEG, crop"], listed(2), "--count 20 --rounds 1"),
    Row("pyarrow", "Random reads of an Arrow file, compared with pyarrow's mapped `get_batch` on the same file (`bench/python/core.py --only pyarrow`)",
        CORE + "pyarrow", ["get_batch"], "{:.1f}x faster"),
    Row("tar", "Packing 20,000 files, time relative to GNU `tar cf` (lower is better), JVM start included: `.arrow`, `.stk`, `.tar`"
        " (`bench/python/core.py --only tar`)",
        CORE + "tar", [r"files to \.arrow / GNU", r"files to \.stk / GNU", r"files to \.tar / GNU"], listed(3), "--files 500 --repeat 1"),
    Row("verify", "`stoker verify`, relative to just reading the same file, from disk: `.stk`, `.arrow`, `.tar`, `.h5`, `.parquet`, `.zip`,"
        " `.sqsh` (`stoker bench verify --cold FILE`)",
        CORE + "verify", [rf"verify \.{ending}, cold" for ending in VERIFIED], listed(len(VERIFIED))),
    Row("verify", "The same from the page cache (`stoker bench verify FILE`)",
        CORE + "verify", [rf"verify \.{ending}, warm" for ending in VERIFIED], listed(len(VERIFIED))),
    Row("slow", "Packing 6,000 files with emulated latency (1 ms lookup, 1 ms open, 0.3 ms read), compared with a sequential script"
        " (`bench/python/core.py --only slow`)",
        CORE + "slow --slowfs {slowfs}", ["sequential script"], "{:.1f}x faster"),
    Row("million", "Packing 1,000,000 files of 1 KB with `-Xmx512m` (`bench/python/core.py --only million`)", CORE + "million", ["Xmx512m, seconds"], "{:.0f} s", "--million 10000"),
    Row("million", "Opening a `.stk` of 10,000,000 samples (`bench/python/core.py --only open`)", CORE + "open", ["samples opens"], "{:.0f} ms", "--million 10000"),
    Row("ranks", "Packing with 4 ranks, compared with 1, four threads each, 2 ms of emulated latency (`checks/ranks.sh scaling`)",
        "checks/ranks.sh scaling", ["4 ranks"], "{:.1f}x faster"),
    Row("mount", "Random reads of small files by 4 threads in a mounted `.arrow`, compared with `squashfuse_ll` (`bench/python/stage.py mount`)",
        "stage.py mount --work {work}/arrow", ["squashfuse"], "{:.1f}x faster", "--count 500 --rounds 1"),
    Row("mount", "The same in a mounted `.h5` (`bench/python/stage.py mount --format h5`)", "stage.py mount --format h5 --work {work}/h5", ["squashfuse"], "{:.2f}x faster",
        "--count 500 --rounds 1"),
    Row("stage-run", "An ImageFolder script over 20,000 pictures on emulated slow storage, end to end: `run --via shm`, `run --via mount`"
        " (`bench/python/stage.py run`)",
        "stage.py run --work {work}/run0 --python {python}", ["via shm", "via mount"], "{:.0f}x and {:.1f}x faster",
        "--count 200 --rounds 1"),
    Row("stage-run", "The same with two DataLoader workers (`bench/python/stage.py run --workers 2`)", "stage.py run --workers 2 --work {work}/run2 --python {python}",
        ["via shm", "via mount"], "{:.1f}x and {:.1f}x faster", "--count 200 --rounds 1"),
    Row("s3", "Staging from an S3 server on the same machine, relative to `aws s3 cp`, to 8 bare connections without checks (`bench/python/s3.py`)",
        "s3.py", ["aws s3 cp", "8 bare"], listed(2), "32 1"),
    Row("state", "Saving and loading a state of 2 GB, compared with `torch.save` and `torch.load`: in memory; on a disk (`bench/python/state.py`)",
        "{python} state.py --gigabytes 2 --folders /dev/shm {disk}",
        ["^save in /dev/shm, stoker / torch", "^load in /dev/shm, stoker / torch", "^save in (?!/dev/shm|memory).*stoker / torch",
         "^load in (?!/dev/shm|memory).*stoker / torch"],
        "{:.1f}x and {:.1f}x faster; {:.1f}x and {:.1f}x faster", "--gigabytes 0.05 --rounds 1"),
    Row("help", "`stoker --help`, time relative to `java -version` (`bench/python/core.py --only help`)", CORE + "help", ["--help"], "{:.1f}"),
]


def picked(row, found):
    """The row's second cell."""
    values = []
    for name in row.names:
        ratio = next((found[what] for what in found if re.search(name, what)), None)
        if ratio is None:
            raise figures.NotMeasured(f"the command does not tell '{name}'")
        values.append(ratio)
    return row.form.format(*values)


def measured(rows, places, small):
    """The second cell of each row, or why there is none. Rows of one command share its run."""
    cells, reasons, runs = {}, {}, {}
    for row in rows:
        command = f"{row.command} {row.small if small else row.full}".strip()
        try:
            if command not in runs:
                print(f"… {command}", file=sys.stderr, flush=True)
                runs[command] = figures.run(command, places)
            cells[row.cell] = picked(row, runs[command])
        except (figures.NotMeasured, KeyError, OSError) as e:
            reasons[row.cell] = f"{type(e).__name__}: {e}"
    return cells, reasons


def write(cells):
    for page in PAGES:
        lines = content(page).split("\n")
        for n, line in enumerate(lines):
            first = line[2:].split(" | ")[0]
            if line.startswith("| ") and first in cells:
                lines[n] = f"| {first} | {cells[first]} |"
        with open(f"{ROOT}/{page}", "w", encoding="utf-8") as f:
            f.write("\n".join(lines))


def unknown():
    """Rows of the pages' tables that no row here makes, and rows here that no page has."""
    known = {row.cell for row in ROWS}
    there = set()
    for page in PAGES:
        table = content(page).split("| benchmark | result |")[1].split("\n\n")[0]
        there |= {line[2:].split(" | ")[0] for line in table.split("\n")[2:]}
    return sorted(there ^ known)


def content(page):
    with open(f"{ROOT}/{page}", encoding="utf-8") as f:
        return f.read()


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos")
    parser.add_argument("--only")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--slowfs")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--venv")
    parser.add_argument("--disk", default=".")
    a = parser.parse_args()
    groups = list(dict.fromkeys(row.group for row in ROWS))
    a.groups = a.only.split(",") if a.only else groups
    for group in a.groups:
        if group not in groups:
            parser.error(f"--only {group}: there are {', '.join(groups)}")
    if not a.photos and not a.list:
        parser.error("--photos DIR is needed")
    if a.small and a.write:
        parser.error("figures of --small mean nothing: they are not written")
    return a


def main():
    a = parsed()
    rows = [row for row in ROWS if row.group in a.groups]
    if a.list:
        for row in rows:
            print(f"{row.group:10s} {row.cell}")
        for line in unknown():
            print(f"not here and in docs/figures.md alike: {line}", file=sys.stderr)
        return 1 if unknown() else 0
    with tempfile.TemporaryDirectory(prefix="stoker-readme-") as work:
        places = {"photos": [os.path.abspath(a.photos)], "work": [work], "python": [a.python], "disk": [os.path.abspath(a.disk)],
                  "venv": ["--venv", os.path.abspath(a.venv)] if a.venv else []}
        if a.slowfs:
            places["slowfs"] = [os.path.abspath(a.slowfs)]
        cells, reasons = measured(rows, places, a.small)
    for cell, figure in cells.items():
        print(f"| {cell} | {figure} |")
    for cell, reason in reasons.items():
        print(f"NOT MEASURED: {cell}: {reason}", file=sys.stderr)
    if a.write:
        write(cells)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
