"""What the scripts that measure have in common: the command, contestants that take turns, and rows, each a ratio with what was wanted.

A script calls `row` for each figure and ends with `finish`. People see a table on standard output; with --json they see it on standard
error, and standard output is one list of rows, which readme.py and ./bench-check read.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STOKER = os.environ.get("STOKER") or os.path.join(ROOT, "build", "dist", "bin", "stoker")
rows = []


def options(parser):
    """Adds those that every script has."""
    parser.add_argument("--work", metavar="DIR", help="where files are made (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def say(line):
    print(line, file=sys.stderr if "--json" in sys.argv else sys.stdout, flush=True)


def row(what, figure, ratio, target=None, better="at least"):
    """A figure that was found; `figure` is what it was made of."""
    good = target is None or (ratio >= target if better == "at least" else ratio <= target)
    wanted = "" if target is None else f"{better} {target}"
    rows.append({"what": what, "figure": figure, "ratio": round(ratio, 3), "target": wanted, "reached": good})
    verdict = "" if target is None else "reached" if good else "NOT reached"
    say(f"{what:66s} {ratio:8.2f}  {wanted:13s} {verdict:11s} {figure}")


def finish():
    """Ends the program: with 0 if all that was wanted was reached."""
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=2))
    sys.exit(0 if all(r["reached"] for r in rows) else 1)


@contextmanager
def folder(named):
    """A folder to work in: the named one, which stays, or one that is deleted."""
    work = named or tempfile.mkdtemp(prefix="stoker-bench-")
    os.makedirs(work, exist_ok=True)
    try:
        yield work
    finally:
        if not named:
            shutil.rmtree(work, ignore_errors=True)


def stoker(*args):
    """What a command says with --json."""
    return json.loads(subprocess.run([STOKER, *map(str, args), "--json"], check=True, stdout=subprocess.PIPE).stdout)


def run(*command, env=None, **more):
    """The seconds of a command."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **(env or {})}, **more)
    return time.perf_counter() - start


def pack(source, out, *more, command=STOKER):
    """The seconds of packing, the start of Java among them."""
    for leftover in (out, out + ".stkx"):
        if os.path.isdir(leftover):
            shutil.rmtree(leftover)
        elif os.path.exists(leftover):
            os.remove(leftover)
    return run(command, "pack", source, "-o", out, "--no-sync", *more)


def in_turn(repeats, jobs, between=os.sync):
    """Runs jobs in turn, whose order alternates, and gives the median of what each returns.

    By default what an earlier job left to be written is written before the next, which it must not slow.
    """
    found = {name: [] for name in jobs}
    for r in range(repeats):
        for name in list(jobs) if r % 2 == 0 else reversed(list(jobs)):
            between()
            found[name].append(jobs[name]())
    return {name: statistics.median(each) for name, each in found.items()}


def python_env(requirements):
    """The interpreter of the virtual environment that tools/python-env makes."""
    made = subprocess.run([f"{ROOT}/tools/python-env", f"{HERE}/{requirements}"], check=True, stdout=subprocess.PIPE, text=True)
    return made.stdout.strip()


def run_in_env(requirements):
    """Goes on in that environment, where the package stoker can be imported too."""
    python, source = python_env(requirements), f"{ROOT}/python/src"
    if os.path.abspath(sys.executable) != os.path.abspath(python):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
        os.execv(python, [python, *sys.argv])
