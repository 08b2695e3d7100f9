#!/usr/bin/env python3
"""Measures what the core promises, each as a ratio within one run, in turn, medians. Prints a table; --json for programs.

    python3 bench/python/core.py PHOTOS [--work DIR] [--only read,pyarrow,tar,before,verify,slow,million,open,help] [--slowfs BINARY]

PHOTOS is a folder of some thousand JPEG files. --work (default: a temporary folder) wants 12 GB free. `slow` needs the binary
of a FUSE passthrough with added latency; without it that row is left out. pyarrow and NumPy come from the virtual environment
that tools/python-env makes. Warm cache, both sides without a sync.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time

from measure import HERE, ROOT, STOKER, finish, folder, in_turn, options, pack, python_env, row, run, stoker

VERIFIED = ("stk", "arrow", "tar", "h5", "parquet", "zip", "sqsh")
# Those of the first line of the README's table, and of its second.
FORMATS = ("stk", "arrow", "tar", "h5", "parquet", "zip", "sqsh", "tfrecord", "lmdb")


def read(work, photos, a):
    for ending in FORMATS:
        out = f"{work}/photos.{ending}"
        pack(photos, out)
        found = stoker("bench", "read", out)
        row(f"random reads, .{ending}, 1 thread / bare copy", f"{found['samples_per_s']:,.0f} samples/s", found["ratio"], 0.85)


def pyarrow(work, photos, a):
    out = f"{work}/course.arrow"
    pack(photos, out, "--name", "data=image_data", "--type", "label=uint16", "--rows-per-batch", "1")
    python = python_env("requirements.txt")
    ours, theirs = [], []
    for _ in range(5):
        ours.append(stoker("bench", "read", out, "--repeat", "3")["samples_per_s"])
        peer = subprocess.run([python, f"{HERE}/pyarrow_read.py", out], check=True, stdout=subprocess.PIPE, text=True)
        theirs.append(float(peer.stdout))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    row("random reads, .arrow / pyarrow get_batch, same file", f"{ours:,.0f} and {theirs:,.0f} samples/s", ours / theirs, 2)


def loose(work, photos, count):
    """Copies photos until there are so many files."""
    made = f"{work}/loose-{count}"
    if not os.path.exists(made):
        files = sorted(os.path.join(d, f) for d, _, names in os.walk(photos) for f in names if f.lower().endswith((".jpg", ".jpeg")))
        for n in range(count):
            os.makedirs(f"{made}/c{n % 200:03d}", exist_ok=True)
            shutil.copyfile(files[n % len(files)], f"{made}/c{n % 200:03d}/{n:06d}.jpg")
    return made


def tar(work, photos, a):
    files = loose(work, photos, a.files)
    run("tar", "cf", f"{work}/gnu.tar", "-C", files, ".")

    def gnu():
        os.remove(f"{work}/gnu.tar")
        return run("tar", "cf", f"{work}/gnu.tar", "-C", files, ".")

    # A tar with labels has a second member for each file (NAME.cls); without them it holds what GNU tar's does.
    ways = {"arrow": (), "stk": (), "tar": (), "tar, no labels": ("--labels", "none")}
    jobs = {way: lambda w=way: pack(files, f"{work}/many.{w.split(',')[0]}", *ways[w]) for way in ways}
    seconds = in_turn(a.repeat, {"GNU": gnu, **jobs})
    for way in ways:
        row(f"pack {a.files:,} files to .{way} / GNU tar cf, seconds", f"{seconds[way]:.2f} s and {seconds['GNU']:.2f} s",
            seconds[way] / seconds["GNU"], 1.0, "at most")
    for name in ("gnu.tar", "many.arrow", "many.stk", "many.tar"):
        os.remove(f"{work}/{name}")


def before(work, photos, a):
    """The same packs by this build and by an older one, in turn."""
    if not a.before:
        print("before: left out, --before was not given", file=sys.stderr)
        return
    files = loose(work, photos, a.files)
    for ending in ("stk", "arrow", "h5"):
        out, builds = f"{work}/build.{ending}", {"now": STOKER, "before": a.before}
        seconds = in_turn(a.repeat, {name: lambda b=build: pack(files, out, command=b) for name, build in builds.items()})
        row(f"pack {a.files:,} files to .{ending} / the older build, seconds", f"{seconds['now']:.2f} s and {seconds['before']:.2f} s",
            seconds["now"] / seconds["before"], 1.03, "at most")


def verify(work, photos, a):
    """Index, frame and every value are checked; beside it the file is read, by as many threads, and nothing is done with it."""
    for ending in VERIFIED:
        out = f"{work}/photos.{ending}"
        pack(photos, out)
        for cache, words in (("cold", ["--cold"]), ("warm", [])):
            found = stoker("bench", "verify", out, *words)
            speeds = " and ".join(f"{found['bytes'] / found[key] / 1e9:.1f} GB/s" for key in ("verify_seconds", "bare_seconds"))
            row(f"verify .{ending}, {cache} / bare read", speeds, found["ratio"], 0.7)


def slow(work, photos, a):
    if not a.slowfs:
        print("slow: left out, --slowfs was not given", file=sys.stderr)
        return
    files, mount, control = loose(work, photos, 6000), f"{work}/slow", f"{work}/slow.ctl"
    os.makedirs(mount, exist_ok=True)
    with open(control, "w") as f:
        f.write("lookup_us 1000\nopen_us 1000\nread_us 300\n")
    server = subprocess.Popen([a.slowfs, files, control, mount, "-f"], env={**os.environ, "SLOWFS_TIMEOUT": "1"})
    try:
        while not os.path.ismount(mount):
            time.sleep(0.05)
        script = f"{HERE}/sequential_pack.py"
        seconds = in_turn(1, {"script": lambda: run(sys.executable, script, mount, f"{work}/script.tar"),
                              "stoker": lambda: pack(mount, f"{work}/slow.tar")})
    finally:
        subprocess.run(["fusermount3", "-u", "-z", mount], check=False)
        server.wait(10)
    ours, theirs = seconds["stoker"], seconds["script"]
    row("pack 6,000 files, emulated latency / sequential script", f"{ours:.2f} s and {theirs:.2f} s", theirs / ours, 6)


def million(work, photos, a):
    """The first of the figures is seconds."""
    made, count = f"{work}/million-{a.million}", a.million
    if not os.path.exists(made):
        data = os.urandom(1 << 20)
        for n in range(count):
            if n % 1000 == 0:
                os.makedirs(f"{made}/{n // 1000:04d}")
            with open(f"{made}/{n // 1000:04d}/{n:07d}.bin", "wb") as f:
                f.write(data[n % 1_000_000 : n % 1_000_000 + 1024])
    seconds = run(STOKER, "pack", made, "-o", f"{work}/million.stk", "--force", env={"STOKER_JAVA_OPTS": "-Xmx512m"})
    found = stoker("inspect", f"{work}/million.stk")["samples"]
    row(f"{count:,} files of 1 KB packed with -Xmx512m, seconds", f"{found:,} samples", seconds)
    row(f"{count:,} files of 1 KB packed with -Xmx512m (1 = all there)", "", found / count, 1)


def open_time(work, photos, a):
    out = f"{work}/ten-million.stk"
    subprocess.run([STOKER, "bench", "open", out, "--samples", str(10 * a.million), "--make"], check=True, stdout=subprocess.DEVNULL)
    found = stoker("bench", "open", out)
    row(f".stk of {10 * a.million:,} samples opens, milliseconds", f"{found['milliseconds']:.2f} ms", found["milliseconds"], 50, "at most")
    os.remove(out)


def help_time(work, photos, a):
    java = subprocess.run(["sh", "-c", f". {ROOT}/tools/find-java.sh; find_java java && echo $java_home"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    quiet = {"stderr": subprocess.DEVNULL}
    run(STOKER, "--help")
    seconds = in_turn(21, {"java": lambda: run(f"{java}/bin/java", "-version", **quiet), "stoker": lambda: run(STOKER, "--help")},
                      between=lambda: None)
    ours, bare = seconds["stoker"], seconds["java"]
    row("stoker --help / java -version, seconds", f"{ours * 1e3:.0f} ms and {bare * 1e3:.0f} ms", ours / bare, 4, "at most")


JOBS = {"read": read, "pyarrow": pyarrow, "tar": tar, "before": before, "verify": verify, "slow": slow, "million": million,
        "open": open_time, "help": help_time}


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("photos")
    options(args)
    args.add_argument("--only", default=",".join(JOBS))
    args.add_argument("--slowfs", metavar="BINARY")
    args.add_argument("--before", metavar="COMMAND", help="the stoker of an older build, which packs in turn with this one")
    args.add_argument("--files", type=int, default=20000, help="that tar packs")
    args.add_argument("--repeat", type=int, default=7, help="of tar")
    args.add_argument("--million", type=int, default=1_000_000, help="another number, to try it out")
    a = args.parse_args()
    with folder(a.work) as work:
        for name in a.only.split(","):
            JOBS[name](work, a.photos, a)
    finish()


if __name__ == "__main__":
    main()
