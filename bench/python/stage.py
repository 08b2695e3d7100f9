#!/usr/bin/env python3
"""Mounted and staged data against what one would do by hand.

    python3 bench/python/stage.py mount [--files DIR] [--threads 4] [--rounds 7] [--format arrow] [--json]
    python3 bench/python/stage.py run   [--files DIR] [--delays 1000,1000,300] [--rounds 3] [--workers 0] [--python PYTHON] [--json]

mount: every file of a folder is read once in a random order by some threads (open, read, close), through `stoker mount` of a container
and through `squashfuse_ll` of an uncompressed image of the same files. Both are mounted anew in each round, so that the kernel
remembers nothing of either, and take turns; medians of files per second by the clock. The container's and the image's own pages are
warm.

run: a script as its users have it, torchvision's ImageFolder and PyTorch's DataLoader over two epochs, on a folder that answers late
(emulated latency, checks/cluster/latency.c; microseconds for lookup, open, read), and the same script unchanged by
`stoker run --via shm` of a tar and `--via mount` of a container that lie on the same slow filesystem. The ways take turns; medians of
the seconds of everything, staging, the JVM's and Python's start included. --python names an interpreter that has torchvision.

Without --files, mount makes --count (20,000) files of 4 to 100 KB, and run as many small pictures. Needs fuse3; squashfuse and squashfs-tools for mount; gcc, libfuse3-dev and
pkg-config for run.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time

from measure import HERE, STOKER, finish, folder, options, row, say

SCRIPT = """
import os, sys, torch
from torchvision import datasets, transforms
data = datasets.ImageFolder(os.environ.get("STOKER_DATA") or sys.argv[2], transforms.ToTensor())
loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True, num_workers=int(sys.argv[1]))
pictures = total = 0
for epoch in range(2):
    for images, labels in loader:
        pictures += len(images)
        total += int(labels.sum())
print(pictures, total)
"""

PICTURES = """
import os, random, sys
from PIL import Image
chance = random.Random(1)
for n in range(int(sys.argv[2])):
    folder = f"{sys.argv[1]}/c{n % 100:03d}"
    os.makedirs(folder, exist_ok=True)
    small = Image.frombytes("RGB", (8, 8), chance.randbytes(192))
    small.resize((64, 64), Image.BICUBIC).save(f"{folder}/{n:06d}.jpg")
"""

args = argparse.ArgumentParser()
args.add_argument("what", choices=["mount", "run"])
args.add_argument("--files", help="a folder of files")
args.add_argument("--count", type=int, default=20000, help="of the files that are made")
args.add_argument("--threads", type=int, default=4)
args.add_argument("--rounds", type=int, help="7 for mount, 3 for run")
args.add_argument("--format", default="arrow", help="of the container that is mounted")
args.add_argument("--delays", default="1000,1000,300")
args.add_argument("--workers", type=int, default=0, help="processes of the DataLoader; 0 is its own default")
args.add_argument("--python", default=sys.executable, help="an interpreter that has torchvision")
options(args)
a = args.parse_args()


def make_files(folder):
    chance = random.Random(1)
    for n in range(a.count):
        os.makedirs(f"{folder}/c{n % 100:03d}", exist_ok=True)
        with open(f"{folder}/c{n % 100:03d}/{n:06d}.bin", "wb") as f:
            f.write(chance.randbytes(chance.randint(4000, 100000)))
    return folder


def read_all(root, names, threads):
    def some(names):
        for name in names:
            file = os.open(f"{root}/{name}", os.O_RDONLY)
            while os.read(file, 1 << 20):
                pass
            os.close(file)

    workers = [threading.Thread(target=some, args=(names[k::threads],)) for k in range(threads)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return len(names) / (time.perf_counter() - start)


def bench_mount(work, files):
    container, image, point = f"{work}/x.{a.format}", f"{work}/x.sqsh", f"{work}/point"
    subprocess.run([STOKER, "pack", files, "-o", container, "--no-sync"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["mksquashfs", files, image, "-noI", "-noD", "-noF", "-noX", "-quiet", "-no-progress"], check=True)
    os.mkdir(point)
    names = [os.path.relpath(os.path.join(d, f), files) for d, _, all in os.walk(files) for f in all]
    mounts = {"stoker mount": [STOKER, "mount", container, point], "squashfuse_ll": ["squashfuse_ll", image, point]}
    rates = {name: [] for name in mounts}
    for n in range((a.rounds or 7) + 1):
        random.Random(n).shuffle(names)
        for name, command in mounts.items():
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            rate = read_all(point, names, a.threads)
            subprocess.run(["fusermount3", "-u", point], check=True)
            if n > 0:  # the first warms the pages of both
                rates[name].append(rate)
    for name, found in rates.items():
        say(f"{name:15} {statistics.median(found):8.0f} files/s   {' '.join(f'{r:.0f}' for r in found)}")
    ours, theirs = statistics.median(rates["stoker mount"]), statistics.median(rates["squashfuse_ll"])
    row(f"mount, .{a.format} / squashfuse_ll", f"{ours:,.0f} and {theirs:,.0f} files/s", ours / theirs)


def bench_run(work, files):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], check=True, capture_output=True, text=True).stdout
    latency, source, slow = f"{work}/latency", f"{work}/source", f"{work}/slow"
    subprocess.run(["gcc", "-O2", f"{HERE}/../../checks/cluster/latency.c", *flags.split(), "-o", latency], check=True)
    os.mkdir(source)
    os.mkdir(slow)
    shutil.copytree(files, f"{source}/files")
    subprocess.run(["tar", "cf", f"{source}/x.tar", "-C", files, "."], check=True)
    subprocess.run([STOKER, "pack", files, "-o", f"{source}/x.arrow", "--no-sync"], check=True, stdout=subprocess.DEVNULL)
    script = f"{work}/script.py"
    with open(script, "w") as f:
        f.write(SCRIPT)
    server = subprocess.Popen([latency, source, *a.delays.split(","), slow])
    try:
        while not os.path.ismount(slow):
            time.sleep(0.1)
        python = [a.python, script, str(a.workers)]
        ways = {
            "the folder itself": [*python, f"{slow}/files"],
            "run --via shm, tar": [STOKER, "run", "--data", f"{slow}/x.tar", "--via", "shm", "--", *python],
            "run --via mount": [STOKER, "run", "--data", f"{slow}/x.arrow", "--via", "mount", "--", *python],
        }
        seconds = {name: [] for name in ways}
        seen = set()
        for _ in range(a.rounds or 3):
            for name, command in ways.items():
                start = time.perf_counter()
                seen.add(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
                seconds[name].append(time.perf_counter() - start)
        base = statistics.median(seconds["the folder itself"])
        for name, found in seconds.items():
            middle = statistics.median(found)
            say(f"{name:20} {middle:7.1f} s   {' '.join(f'{s:.1f}' for s in found)}")
            if name.startswith("run"):
                row(f"{name}, {a.workers} workers / the folder itself", f"{middle:.1f} and {base:.1f} s, emulated latency", base / middle)
        say(f"pictures and the sum of their labels: {' '.join(seen)}")
        if len(seen) != 1:
            sys.exit("the ways gave different data")
    finally:
        subprocess.run(["fusermount3", "-u", "-z", slow])
        server.wait()


with folder(a.work) as place:
    if a.files:
        given = os.path.abspath(a.files)
    elif a.what == "mount":
        given = make_files(f"{place}/made")
    else:
        given = f"{place}/made"
        subprocess.run([a.python, "-c", PICTURES, given, str(a.count)], check=True)
    (bench_mount if a.what == "mount" else bench_run)(place, given)
finish()
