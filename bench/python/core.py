#!/usr/bin/env python3
"""Measures what the core promises, each as a ratio within one run, in turn, medians. Prints a table; --json for programs.

    python3 bench/python/core.py PHOTOS [--work DIR] [--only read,pyarrow,tar,slow,million,open,help] [--slowfs BINARY]

PHOTOS is a folder of some thousand JPEG files. --work (default: a temporary folder) wants 12 GB free. `slow` needs the binary
of a FUSE passthrough with added latency; without it that row is left out. pyarrow and NumPy come from the virtual environment
that tools/python-env makes. Warm cache, both sides without a sync.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STOKER = os.path.join(ROOT, "build", "dist", "bin", "stoker")
rows = []


def row(what, figure, ratio, target, better="at least"):
    good = ratio >= target if better == "at least" else ratio <= target
    rows.append({"what": what, "figure": figure, "ratio": round(ratio, 3), "target": f"{better} {target}", "reached": good})
    print(f"{what:58s} {ratio:8.2f}  {better} {target:<6} {'reached' if good else 'NOT reached'}   {figure}", flush=True)


def run(*command, env=None, **kwargs):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **(env or {})}, **kwargs)
    return time.perf_counter() - start


def stoker(*args):
    return json.loads(subprocess.run([STOKER, *args, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def in_turn(repeats, *jobs):
    """Runs the jobs in turn, whose order alternates, and gives the median seconds of each."""
    seconds = [[] for _ in jobs]
    for r in range(repeats):
        numbers = range(len(jobs)) if r % 2 == 0 else reversed(range(len(jobs)))
        for n in numbers:
            os.sync()  # what an earlier job left to be written must not slow the next one
            seconds[n].append(jobs[n]())
    return [statistics.median(s) for s in seconds]


def pack(source, out, *more):
    for leftover in (out, out + ".stkx"):
        if os.path.exists(leftover):
            os.remove(leftover)
    return run(STOKER, "pack", source, "-o", out, "--no-sync", *more)


def read(work, photos):
    for ending in ("stk", "arrow", "tar"):
        out = f"{work}/photos.{ending}"
        pack(photos, out)
        found = stoker("bench", "read", out)
        row(f"random reads, .{ending}, 1 thread / bare copy", f"{found['samples_per_s']:,.0f} samples/s", found["ratio"], 0.85)


def pyarrow(work, photos):
    out = f"{work}/course.arrow"
    pack(photos, out, "--name", "data=image_data", "--type", "label=uint16", "--rows-per-batch", "1")
    python = subprocess.run([f"{ROOT}/tools/python-env", "bench/python/requirements.txt"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    ours, theirs = [], []
    for _ in range(5):
        ours.append(stoker("bench", "read", out, "--repeat", "3")["samples_per_s"])
        peer = subprocess.run([python, f"{HERE}/pyarrow_read.py", out], check=True, stdout=subprocess.PIPE, text=True)
        theirs.append(float(peer.stdout))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    row("random reads, .arrow / pyarrow get_batch, same file", f"{ours:,.0f} and {theirs:,.0f} samples/s", ours / theirs, 2)


def loose(work, photos, count):
    """Copies photos until there are so many files."""
    folder = f"{work}/loose-{count}"
    if not os.path.exists(folder):
        files = [os.path.join(d, f) for d, _, names in os.walk(photos) for f in names if f.lower().endswith((".jpg", ".jpeg"))]
        for n in range(count):
            os.makedirs(f"{folder}/c{n % 200:03d}", exist_ok=True)
            shutil.copyfile(files[n % len(files)], f"{folder}/c{n % 200:03d}/{n:06d}.jpg")
    return folder


def tar(work, photos):
    folder = loose(work, photos, 20000)
    run("tar", "cf", f"{work}/gnu.tar", "-C", folder, ".")

    def gnu():
        os.remove(f"{work}/gnu.tar")
        return run("tar", "cf", f"{work}/gnu.tar", "-C", folder, ".")

    # A tar with labels has a second member for each file (NAME.cls); without them it holds what GNU tar's does.
    ways = {"arrow": (), "stk": (), "tar": (), "tar, no labels": ("--labels", "none")}
    seconds = in_turn(7, gnu, *(lambda w=w: pack(folder, f"{work}/many.{w.split(',')[0]}", *ways[w]) for w in ways))
    for way, ours in zip(ways, seconds[1:]):
        row(f"pack 20,000 files to .{way} / GNU tar cf, seconds", f"{ours:.2f} s and {seconds[0]:.2f} s", ours / seconds[0], 1.0,
            "at most")
    for name in ("arrow", "stk", "tar"):
        os.remove(f"{work}/many.{name}")
    os.remove(f"{work}/gnu.tar")


def slow(work, photos, binary):
    folder, mount, control = loose(work, photos, 6000), f"{work}/slow", f"{work}/slow.ctl"
    os.makedirs(mount, exist_ok=True)
    with open(control, "w") as f:
        f.write("lookup_us 1000\nopen_us 1000\nread_us 300\n")
    server = subprocess.Popen([binary, folder, control, mount, "-f"], env={**os.environ, "SLOWFS_TIMEOUT": "1"})
    try:
        while not os.path.ismount(mount):
            time.sleep(0.05)
        script = f"{HERE}/sequential_pack.py"
        theirs, ours = in_turn(1, lambda: run(sys.executable, script, mount, f"{work}/script.tar"),
                               lambda: pack(mount, f"{work}/slow.tar"))
    finally:
        subprocess.run(["fusermount3", "-u", "-z", mount], check=False)
        server.wait(10)
    row("pack 6,000 files, emulated latency / sequential script", f"{ours:.2f} s and {theirs:.2f} s", theirs / ours, 6)


def million(work, _):
    folder = f"{work}/million"
    if not os.path.exists(folder):
        data = os.urandom(1 << 20)
        for n in range(1_000_000):
            if n % 1000 == 0:
                os.makedirs(f"{folder}/{n // 1000:04d}")
            with open(f"{folder}/{n // 1000:04d}/{n:07d}.bin", "wb") as f:
                f.write(data[n:n + 1024])
    start = time.perf_counter()
    run(STOKER, "pack", folder, "-o", f"{work}/million.stk", "--force", env={"STOKER_JAVA_OPTS": "-Xmx512m"})
    seconds = time.perf_counter() - start
    found = stoker("inspect", f"{work}/million.stk")["samples"]
    row("1,000,000 files of 1 KB packed with -Xmx512m (1 = all there)", f"{seconds:.0f} s", found / 1_000_000, 1)


def open_time(work, _):
    out = f"{work}/ten-million.stk"
    subprocess.run([STOKER, "bench", "open", out, "--samples", "10000000", "--make"], check=True, stdout=subprocess.DEVNULL)
    found = stoker("bench", "open", out)
    row(".stk of 10,000,000 samples opens, milliseconds", f"{found['milliseconds']:.2f} ms", found["milliseconds"], 50, "at most")
    os.remove(out)


def help_time(*_):
    java = subprocess.run(["sh", "-c", f". {ROOT}/tools/find-java.sh; find_java java && echo $java_home"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    quiet = {"stderr": subprocess.DEVNULL}
    run(STOKER, "--help")
    bare, ours = in_turn(21, lambda: run(f"{java}/bin/java", "-version", **quiet), lambda: run(STOKER, "--help"))
    row("stoker --help / java -version, seconds", f"{ours * 1e3:.0f} ms and {bare * 1e3:.0f} ms", ours / bare, 4, "at most")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("photos")
    args.add_argument("--work")
    args.add_argument("--only", default="read,pyarrow,tar,slow,million,open,help")
    args.add_argument("--slowfs")
    args.add_argument("--json", action="store_true")
    a = args.parse_args()
    work = a.work or tempfile.mkdtemp(prefix="stoker-bench-")
    os.makedirs(work, exist_ok=True)
    jobs = {"read": read, "pyarrow": pyarrow, "tar": tar, "million": million, "open": open_time, "help": help_time,
            "slow": lambda w, p: slow(w, p, a.slowfs) if a.slowfs else print("slow: left out, --slowfs was not given")}
    try:
        for name in a.only.split(","):
            jobs[name](work, a.photos)
    finally:
        if not a.work:
            shutil.rmtree(work, ignore_errors=True)
    if a.json:
        print(json.dumps(rows, indent=2))
    return 0 if all(r["reached"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
