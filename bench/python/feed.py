#!/usr/bin/env python3
"""Measures what the feed promises, as ratios of medians of runs that take turns. Prints a table; --json for programs.

    python3 bench/python/feed.py [warm] [cold] [slowfs] [scale] [--work DIR] [--repeats N] [--slowfs BINARY] ...

warm    `stoker feed`, shuffled, batches of 64, 2 threads, against a bare copy of the same values in the same run
cold    the page cache of the file is dropped before each run: `stoker feed` with --depth reads in flight, past the page cache,
        through it and as it chooses by itself, against fio with the same block size and depth past the cache and through it,
        and against fio reading a mapping without advice by 2 threads. Needs fio.
slowfs  the same on storage where every read takes --latency-ms (emulated), against depth / latency, where the latency is what
        a read takes there when it is the only one, and against fio there; and against a mapping without advice.
        Needs fio and, by --slowfs, the binary of a FUSE passthrough that is called as BINARY SOURCE CONTROL MOUNTPOINT and reads
        "read_us N" from the file CONTROL. The kernel sends a FUSE mount at most 12 reads of the page cache at a time: run as root,
        this raises max_background, and otherwise says so.
scale   `stoker bench feed`: memory over 1 TB, seek to the middle of epoch 1000 of 10^9 samples, a day's batches

--work (default: a temporary folder) wants --samples times 80 KB free on the disk to be measured. Everything else that runs
on the machine makes figures worse: the feed needs processor time to copy, fio's direct reads hardly any.
"""
import argparse
import io
import json
import os
import statistics
import subprocess
import tarfile
import time

from measure import ROOT, STOKER, finish, folder, options, row, say, stoker

BLOCK = 80 << 10
SMALL_BLOCK = 8 << 10
SLOW_READS = 4000


def make(work, name, samples, size):
    """A container of so many samples of random bytes, as it lies on a disk."""
    out = f"{work}/{name}-{samples}.stk"
    if not os.path.exists(out):
        tar = out + ".tar"
        with tarfile.open(tar, "w", format=tarfile.USTAR_FORMAT) as t:
            for n in range(samples):
                entry = tarfile.TarInfo(f"{n:07d}.bin")
                entry.size = size
                t.addfile(entry, io.BytesIO(os.urandom(size)))
        subprocess.run([STOKER, "convert", tar, "-o", out], check=True, stdout=subprocess.DEVNULL)
        os.remove(tar)
    return out


def drop(path):
    """Takes the file out of the page cache; what must be written first is."""
    with open(path, "rb") as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def fio(path, size, block, *how):
    """Random reads per second, each block once."""
    command = ["fio", "--name=r", f"--filename={path}", "--rw=randread", f"--bs={block}", "--readonly", "--invalidate=0",
               f"--size={size // block * block}", "--output-format=json", *how]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found["jobs"][0]["read"]["iops"]


def fio_direct(path, size, block, depth):
    return fio(path, size, block, "--ioengine=io_uring", f"--iodepth={depth}", "--direct=1")


def fio_threads(path, size, block, depth, engine, *how):
    """Each thread reads a part of its own, so that none finds what another one brought into the cache."""
    part = size // depth // block * block
    return fio(path, part, block, f"--ioengine={engine}", "--thread", f"--numjobs={depth}", "--group_reporting",
               f"--offset_increment={part}", *how)


def fio_cached(path, size, block, depth):
    return fio_threads(path, size, block, depth, "psync", "--fadvise_hint=random")


def feed(path, depth, mode, *more):
    threads = () if mode == "auto" else ("--threads", str(depth))
    return stoker("feed", path, "--read", mode, *threads, "--epochs", "1", "--no-limit", *more)["samples_per_s"]


def in_turn(path, repeats, jobs):
    """The rates of each job, each after the cache was dropped. The first round, which finds what is below cold too, is left out."""
    rates = {name: [] for name in jobs}
    for r in range(repeats + 1):
        for name in jobs if r % 2 else reversed(jobs):
            drop(path)
            rate = jobs[name]()
            if r:
                rates[name].append(rate)
    return {name: statistics.median(found) for name, found in rates.items()}


def warm(work, a):
    path = make(work, "warm", 4000, BLOCK)
    ratios = []
    for r in range(a.repeats):
        found = stoker("feed", path, "--batch", "64", "--seed", str(r), "--threads", "2", "--read", "map", "--epochs", "40")
        ratios.append(found["ratio"])
        first = statistics.median(found["epochs"][:6]) / found["limit_samples_per_s"]
        say(f"  run {r + 1}: {found['ratio']:.2f} of {found['limit_samples_per_s']:,.0f} samples/s; first 6 epochs {first:.2f}")
    row("warm, shuffled, 2 threads / bare copy", f"{a.repeats} runs, {min(ratios):.2f} to {max(ratios):.2f}",
        statistics.median(ratios), 0.85)


def cold(work, a):
    path = make(work, "cold", a.samples, BLOCK)
    size = a.samples * BLOCK
    found = in_turn(path, a.repeats, {
        "past": lambda: feed(path, a.depth, "direct"),
        "through": lambda: feed(path, a.depth, "pread"),
        "auto": lambda: feed(path, a.depth, "auto"),
        "direct": lambda: fio_direct(path, size, BLOCK, a.depth),
        "cached": lambda: fio_cached(path, size, BLOCK, a.depth),
        "mapped": lambda: fio_threads(path, min(size, 4000 * BLOCK), BLOCK, 2, "mmap", "--fadvise_hint=0"),
    })
    for ours, theirs, how in (("past", "direct", "past"), ("through", "cached", "through")):
        row(f"cold, depth {a.depth}, {how} the page cache / fio so", f"{found[ours]:,.0f} and {found[theirs]:,.0f} samples/s",
            found[ours] / found[theirs], 0.85)
    row("cold, as it chooses / the better of its own ways", f"{found['auto']:,.0f} samples/s",
        found["auto"] / max(found["past"], found["through"]))
    row("cold, past the page cache / a mapping without advice, 2 threads", f"{found['mapped']:,.0f} samples/s",
        found["past"] / found["mapped"])


def background(mount, limit):
    """Lets the kernel send the mount so many reads at a time; False if it cannot be set."""
    folder = f"/sys/fs/fuse/connections/{os.stat(mount).st_dev}"
    if not os.path.exists(folder):
        subprocess.run(["mount", "-t", "fusectl", "none", "/sys/fs/fuse/connections"], check=False, stderr=subprocess.DEVNULL)
    try:
        for name in ("max_background", "congestion_threshold"):
            with open(f"{folder}/{name}", "w") as f:
                f.write(str(limit))
        return True
    except OSError:
        return False


def slowfs(work, a):
    if not a.slowfs:
        say("slowfs: left out, --slowfs was not given")
        return
    source, mount, control = f"{work}/slow-source", f"{work}/slow-mount", f"{work}/slow-control"
    os.makedirs(source, exist_ok=True)
    os.makedirs(mount, exist_ok=True)
    samples = a.slow_samples
    path = os.path.join(mount, os.path.basename(make(source, "slow", samples, SMALL_BLOCK)))
    with open(control, "w") as f:
        f.write(f"read_us {round(1000 * a.latency_ms)}\n")
    server = subprocess.Popen([a.slowfs, source, control, mount, "-f", "-o", "max_threads=128"],
                              env={**os.environ, "SLOWFS_TIMEOUT": "1"})
    try:
        while not os.path.ismount(mount) and server.poll() is None:
            time.sleep(0.05)
        raised = background(mount, 256)
        if not raised:
            say("  max_background cannot be raised (not root): at most 12 reads are in flight")
        alone = in_turn(path, a.repeats, {
            "read": lambda: fio_cached(path, SLOW_READS * SMALL_BLOCK, SMALL_BLOCK, 1),
            "mapped": lambda: fio_threads(path, samples * SMALL_BLOCK, SMALL_BLOCK, 2, "mmap", "--fadvise_hint=0",
                                          f"--number_ios={SLOW_READS // 2}"),
        })
        latency_ms = 1000 / alone["read"]
        say(f"  a read that is the only one takes {latency_ms:.2f} ms; a mapping without advice gives 2 threads "
            f"{alone['mapped']:,.0f} reads/s")
        for depth in (4, 8, 16, 32):
            found = in_turn(path, a.repeats, {
                "feed": lambda d=depth: feed(path, d, "pread"),
                "fio": lambda d=depth: fio_cached(path, samples * SMALL_BLOCK, SMALL_BLOCK, d),
            })
            ideal = depth * 1000 / latency_ms
            ours, theirs = found["feed"], found["fio"]
            row(f"{latency_ms:.2f} ms a read (emulated), {depth} in flight / (depth / latency)",
                f"{ours:,.0f} of {ideal:,.0f} samples/s", ours / ideal, 0.9)
            row("  feed / fio there", f"{theirs:,.0f} reads/s", ours / theirs)
            if depth == a.depth:
                row("  feed / a mapping without advice, 2 threads", "", ours / alone["mapped"], 3)
    finally:
        subprocess.run(["fusermount3", "-u", "-z", mount], check=False)
        server.wait(10)


def scale(work, a):
    found = stoker("bench", "feed", "--work", work, "--batches", str(a.batches))
    row("to the middle of epoch 1000 of 10^9 samples, milliseconds", f"the first time {found['seek_first_ms']:.0f} ms",
        found["seek_ms"], 100, "at most")
    row("memory of a feed over 1 TB / what its buffers say", f"{found['buffer_bytes'] / 1e6:,.0f} MB of buffers",
        found["memory_ratio"], 1.1, "at most")
    early, late = found["early"], found["late"]
    row(f"file handles after {found['batches']:,} batches / after a tenth", f"{late['handles']}, in {found['seconds']:.0f} s",
        late["handles"] / early["handles"], 1, "at most")
    row("memory of the process then / after a tenth", f"{late['process_bytes'] / 1e6:,.0f} MB",
        late["process_bytes"] / early["process_bytes"], 1.1, "at most")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = {"warm": warm, "cold": cold, "slowfs": slowfs, "scale": scale}
    args.add_argument("jobs", nargs="*", metavar="JOB", help="warm, cold, slowfs, scale; all by default")
    args.add_argument("--repeats", type=int, default=5)
    args.add_argument("--samples", type=int, default=60000, help="of 80 KB, for cold")
    args.add_argument("--depth", type=int, default=16, help="reads in flight, for cold")
    args.add_argument("--slowfs", metavar="BINARY")
    args.add_argument("--slow-samples", type=int, default=60000, help="of 8 KB, for slowfs")
    args.add_argument("--latency-ms", type=float, default=1.0)
    args.add_argument("--batches", type=int, default=864000, help="for scale: a day of 10 a second")
    options(args)
    a = args.parse_args()
    unknown = [job for job in a.jobs if job not in jobs]
    if unknown:
        args.error(f"no job {unknown[0]}; there are {', '.join(jobs)}")
    subprocess.run([f"{ROOT}/stoker", "--version"], check=True, stdout=subprocess.DEVNULL)  # builds it
    with folder(a.work) as work:
        for name in a.jobs or jobs:
            jobs[name](work, a)
    finish()


if __name__ == "__main__":
    main()
