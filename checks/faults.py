#!/usr/bin/env python3
"""Commands that write are disturbed, and then run again: the result is the undisturbed one, byte for byte, or there is none.

    python3 checks/faults.py --stoker COMMAND --faulty PROGRAM [--seeds N] [--first SEED] [--jobs N] [--only WORD ...]

Each seed picks a command (pack, pack or convert over an older container, convert, also from a tar with its Index beside it, several
ranks, stage, collect, index, verify), a format and a fault:

  kill    SIGKILL at a random moment
  error   one call of open, create, read, write, sync, rename or stat fails with EIO, or a listing does half-way
  path    from some moment on, nothing can be asked of one file or folder any more: EIO or ESTALE
  full    from some write on, all fail with ENOSPC
  inodes  from some file on, none can be made
  locks   the filesystem has none: what is packed or collected is made all the same, what is staged is refused
  change  a source is written anew while it is read: what comes of it is of the old one or of the new one alone, or it is refused
  power   the power is cut: of what was written but not synced, some is there and some is not; of renames and new files that no
          sync of their folder followed, the last ones are lost

All but the first go through a FUSE filesystem (checks/cluster/faulty.c). After the fault, this must hold: a file that has its final
name is whole; a command that did not end with 0 says in one sentence why, and names a file or a rank. Then the same command goes on with
--resume, without faults, and everything must be as if nothing had happened. While a container is being replaced, the old one or the new
one is there, whole. What was collected is sealed instead, and every sample that
was flushed must be there. The sources are what they were. A line for each seed that fails, with what to run to see it again; at the end the numbers.

Verify writes nothing: with an error it says which value, or which file, cannot be read, or finds everything intact.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from faults_power import cut_power, read_log

LIMIT_SECONDS = 120
FAULTS = ["kill", "error", "path", "full", "inodes", "locks", "power", "change"]
OPERATIONS = ["open", "create", "read", "write", "sync", "rename", "stat", "list"]
REPLACING = ("replace", "reconvert")

args = argparse.ArgumentParser()
args.add_argument("--stoker", required=True, help="the command")
args.add_argument("--faulty", required=True, help="checks/cluster/faulty.c, compiled")
args.add_argument("--seeds", type=int, default=200)
args.add_argument("--first", type=int, default=1)
args.add_argument("--jobs", type=int, default=3 * os.cpu_count(), help="stories at once; most of them wait most of the time")
args.add_argument("--only", nargs="*", default=[], help="words that a case must have, such as: pack arrow power")
args.add_argument("--show", action="store_true", help="say for each seed what was done")
a = args.parse_args()
work = tempfile.mkdtemp(prefix="stoker-faults-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
STOKER = os.path.abspath(a.stoker)
os.environ["XDG_CACHE_HOME"] = f"{work}/cache"  # of each user, and not on the storage that fails
LIBRARIES = os.path.join(os.path.dirname(STOKER), "..", "lib", "*")
JAVA_BIN = os.path.join(os.environ["JAVA_HOME"], "bin") if "JAVA_HOME" in os.environ else ""
COLLECT = [os.path.join(JAVA_BIN, "java"), "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
           "-cp", f"{LIBRARIES}:{work}", "Collect"]


class Failed(Exception):
    pass


Case = collections.namedtuple("Case", "command format")
Known = collections.namedtuple("Known", "files seconds calls log place")  # of a case that was not disturbed


def make_source(folder, count, seed):
    chance = random.Random(seed)
    for n in range(count):
        os.makedirs(f"{folder}/files/c{n % 5}", exist_ok=True)
        with open(f"{folder}/files/c{n % 5}/{n:04d}.bin", "wb") as f:
            f.write(chance.randbytes(1_500_000 if n % 40 == 39 else chance.randint(0, 9000)))
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (25, 40), }".ljust(117) + b"\n"
    os.makedirs(f"{folder}/arrays")
    for n in range(count // 3):
        with open(f"{folder}/arrays/{n:04d}.npy", "wb") as f:
            f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + chance.randbytes(4000))


def make_changed(folder):
    """The same as the sources, with other bytes in one file; all sizes are the same."""
    shutil.copytree(f"{work}/source", folder, ignore=shutil.ignore_patterns("*.stk", "*.tar", "*.stkx"))
    for name in ("files/c4/0039.bin", "arrays/0010.npy"):
        with open(f"{folder}/{name}", "r+b") as f:
            f.seek(128)
            changed = bytes(255 - b for b in f.read())
            f.seek(128)
            f.write(changed)


def rewrite(target, source):
    """Writes a file anew, in place, as a program does that knows nothing of its readers."""
    with open(source, "rb") as f, open(target, "r+b") as to:
        while part := f.read(100_000):
            to.write(part)
            to.flush()


def make_containers(folder):
    for name, kind in [("files", "stk"), ("arrays", "stk"), ("files", "tar")]:
        run([STOKER, "pack", f"{folder}/{name}", "-o", f"{folder}/{name}.{kind}"])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def source_for(kind):
    return "arrays" if kind in ("npy", "npz") else "files"


@functools.cache
def older(case):
    """A folder with the container that is replaced; None if none is."""
    folder = f"{work}/older/{case.command}-{case.format}"
    if case.command == "index":
        os.makedirs(folder)
        shutil.copy2(f"{work}/source/files.{case.format}", f"{folder}/x.{case.format}")
        return folder
    if case.command not in REPLACING:
        return None
    os.makedirs(folder)
    run([STOKER, "pack", f"{work}/older-source/{source_for(case.format)}", "-o", f"{folder}/x.{case.format}", "--format", case.format])
    return folder


def commands(case, place, resume):
    """The processes of a case, which work together; what is collected has to be sealed after that."""
    source = source_for(case.format)
    out = ["-o", f"{place}/out/x.{case.format}", "--format", case.format] + (["--resume"] if resume else [])
    if case.command == "pack":
        return [[STOKER, "pack", f"{place}/in/{source}", *out]]
    if case.command == "replace":
        return [[STOKER, "pack", f"{place}/in/{source}", *out, "--force"]]
    if case.command == "convert":
        return [[STOKER, "convert", f"{place}/in/{source}.stk", *out]]
    if case.command == "from-tar":
        return [[STOKER, "convert", f"{place}/in/files.tar", *out]]
    if case.command == "reconvert":
        return [[STOKER, "convert", f"{place}/in/{source}.stk", *out, "--force"]]
    if case.command == "index":
        return [[STOKER, "index", f"{place}/out/x.{case.format}", "--checksums", *(["--force"] if resume else [])]]
    if case.command == "ranks":
        # A rank that was killed is waited for; without a fault all come, late on a busy machine.
        ranks = ["--world", "2", "--rank-timeout", "60" if resume else "10"]
        return [[STOKER, "pack", f"{place}/in/{source}", *out, *ranks, "--rank", str(r)] for r in range(2)]
    if case.command == "verify":
        return [[STOKER, "verify", f"{place}/in/files.{case.format}"]]
    if case.command == "collect":
        return [[*COLLECT, f"{place}/out/x.{case.format}", str(r), "2"] for r in range(2)]
    return [[STOKER, "stage", f"{place}/in/files.{case.format}", "--to", f"{place}/out", "--keep"]]


def tree(folder):
    """
    What is below a folder. The names of staged folders are random, and what they hold besides the data is their own; of those that are not
    complete, or were before a power cut, nobody uses the data.
    """
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            short = os.path.relpath(path, folder)
            staged = re.fullmatch(r"stoker-[^/]+/(.*)", short)
            if staged and not (staged[1].startswith("data/") and is_complete(f"{folder}/{short.split('/')[0]}")):
                continue
            with open(path, "rb") as f:
                found[staged[1] if staged else short] = hashlib.sha256(f.read()).hexdigest()
    return found


def is_complete(staged):
    try:
        with open(f"{staged}/complete", "rb") as mark, open("/proc/sys/kernel/random/boot_id", "rb") as boot:
            return mark.read() == boot.read()
    except FileNotFoundError:
        return False


def different(found, expected):
    names = [n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n)]
    return [n + (" is missing" if n not in found else " should not be there" if n not in expected else " differs") for n in names]


class Storage:
    """A place to work in: in/ has the sources, out/ gets the results. Its path leads through the faulty filesystem.

    :param before: a folder with what is in out/ from the beginning; None if nothing is
    """

    def __init__(self, before, *faulty, source="source"):
        self.folder = tempfile.mkdtemp(dir=work)
        self.below = f"{self.folder}/below"
        self.path = f"{self.folder}/at"
        os.mkdir(self.path)
        shutil.copytree(f"{work}/{source}", f"{self.below}/in", copy_function=shutil.copy2)
        os.mkdir(f"{self.below}/out", 0o700)
        if before is not None:
            shutil.copytree(before, f"{self.below}/out", dirs_exist_ok=True)
        self.open(*faulty)

    def open(self, log="-", operation="none", first=0, count=0, error=0):
        words = [a.faulty, self.below, self.path, log, operation, str(first), str(count), str(error)]
        self.server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        for _ in range(1000):
            if os.path.ismount(self.path):
                return
            time.sleep(0.01)
        raise Failed("the faulty filesystem did not start")

    def close(self):
        subprocess.run(["fusermount3", "-u", "-z", self.path], capture_output=True)
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def delete(self):
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


End = collections.namedtuple("End", "code told said")  # of a process: exit code, standard output and error


def execute(case, place, resume=False, kill_after=None, chance=None):
    """Runs the processes of a case; returns how they ended."""
    ends = together(commands(case, place, resume), kill_after, chance)
    if case.command == "collect" and all(end.code == 0 for end in ends):
        ends += together([seal(case, place)], kill_after, chance)
    return ends


def seal(case, place):
    return [STOKER, "seal", f"{place}/out/x.{case.format}"]


def together(commands, kill_after=None, chance=None):
    running = []
    for command in commands:
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True))
    try:
        if kill_after is not None:
            time.sleep(kill_after)
            os.killpg(chance.choice(running).pid, signal.SIGKILL)
        ends = []
        deadline = time.monotonic() + LIMIT_SECONDS
        for process in running:
            told, said = process.communicate(timeout=max(1, deadline - time.monotonic()))
            ends.append(End(process.returncode, told, said))
        return ends
    except subprocess.TimeoutExpired:
        raise Failed(f"hangs: not done after {LIMIT_SECONDS} seconds")
    finally:
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


lock = threading.Lock()
cases = {}


@functools.cache
def undisturbed(case):
    log = f"{work}/{case.command}-{case.format}.log"
    storage = Storage(older(case), log)
    try:
        start = time.monotonic()
        for end in execute(case, storage.path):
            if end.code != 0:
                raise Failed(f"without a fault, {case} ended with {end.code}: {end.said.strip()}")
        seconds = time.monotonic() - start
        storage.close()
        files = tree(f"{storage.below}/out")
        with open(log, "rb") as f:
            last = f.read().rstrip(b"\n").rsplit(b"\n", 1)[-1].decode()
        calls = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", last)}
        return Known(files, seconds, calls, log, storage.path)
    finally:
        storage.delete()


def known(case):
    with lock:
        one = cases.setdefault(case, threading.Lock())
    with one:
        return undisturbed(case)


def check_refusal(end):
    """A sentence that names a file or a rank, and nothing of Java's. What verify finds is its result, not an error."""
    said = end.said or end.told
    if end.code != 1:
        raise Failed(f"ended with {end.code}: {said.strip()[-500:]!r}")
    if not re.search(r"^(stoker|damaged): .*(\[.+\]|rank \d)", said, re.M):
        raise Failed(f"the error names no file or rank: {said.strip()!r}")
    if re.search(r"^\s+at |Exception|Error:|internal", said):
        raise Failed(f"the error is not for people: {said.strip()!r}")


def check_final_names(case, below, expected):
    """What has its final name is whole."""
    if case.command in ("stage", "collect"):
        return  # a staged folder that is being filled is found by its note, not by a name; what is collected is no planned bytes
    if case.command == "index":
        whole = tree(f"{below}/out")
        whole.setdefault(f"x.{case.format}.stkx", expected[f"x.{case.format}.stkx"])
        wrong = [each for each in different(whole, expected) if "should not be there" not in each]
        if wrong:
            raise Failed(f"has its final name, but {', '.join(wrong)}")
        return
    if case.command in REPLACING:
        check_replacing(case, below, expected)
        return
    whole = {name: value for name, value in tree(f"{below}/out").items() if ".partial" not in name and "stoker-job" not in name}
    if all(name.endswith(".stkx") for name in whole):
        return  # the Index gets its name before the container does
    wrong = different(whole, expected)
    if wrong:
        raise Failed(f"has its final name, but {', '.join(wrong[:5])}")


def check_replacing(case, below, expected):
    """The new container is there, or the old one is, perhaps under another name; nothing has the final name that is neither."""
    there = tree(f"{below}/out")
    if not different({name: there[name] for name in expected if name in there}, expected):
        return
    old = tree(older(case))
    lost = [name for name, content in old.items() if content not in there.values()]
    if lost:
        raise Failed(f"neither the new container is there nor the old one, of which is lost: {', '.join(lost[:5])}")
    # An Index gets its name before its container does.
    named = {name: content for name, content in there.items() if ".partial" not in name and not name.endswith(".stkx")}
    wrong = different(named, {name: content for name, content in old.items() if not name.endswith(".stkx")}) if named else []
    if wrong:
        raise Failed(f"has its final name, but is neither the new container nor the old one: {', '.join(wrong[:5])}")


def check_collected(case, storage, ends):
    """Every flushed sample is there, however it ended."""
    least = [int((end.told.split() or ["0"])[-1]) for end in ends[:2]] or [0, 0]
    out = f"{storage.below}/out/x.{case.format}"
    storage.open()
    if not os.path.exists(out):
        (end,) = together([[*seal(case, storage.path), "--salvage"]])
        if end.code != 0:
            if max(least) == 0 and re.search("is empty: no rank|no such file|does not exist", end.said):
                return
            raise Failed(f"sealing ended with {end.code}: {end.said.strip()}")
    found = [int(count) for count in run([*COLLECT, out, "check", "2"]).split()]
    if any(count < flushed for count, flushed in zip(found, least)):
        raise Failed(f"the ranks have {found} samples, but {least} were flushed")
    run([STOKER, "verify", out])
    storage.close()


def require_well(what, ends):
    if any(end.code != 0 for end in ends):
        said = "; ".join(f"{end.code}: {end.said.strip()}" for end in ends)
        raise Failed(f"{what} ended with {said}")


def check_rerun(case, storage, expected, ends=()):
    if case.command == "collect":
        check_collected(case, storage, ends)
        return
    storage.open()
    require_well("going on", execute(case, storage.path, resume=True))
    storage.close()
    wrong = different(tree(f"{storage.below}/out"), expected)
    if wrong:
        raise Failed(f"after going on: {', '.join(wrong[:5])}")


@functools.cache
def after_change(case):
    """What the command makes of the changed sources."""
    storage = Storage(changed_before(case), source="changed")
    try:
        for end in execute(case, storage.path):
            if end.code != 0:
                raise Failed(f"of changed sources, {case} ended with {end.code}: {end.said.strip()}")
        storage.close()
        return tree(f"{storage.below}/out")
    finally:
        storage.delete()


def changed_before(case):
    if case.command != "index":
        return older(case)
    folder = f"{work}/older/changed-{case.format}"
    os.makedirs(folder, exist_ok=True)
    shutil.copy2(f"{work}/changed/files.{case.format}", f"{folder}/x.{case.format}")
    return folder


def changed_file(case):
    """What the command reads, and is written anew: from the folder of its place, and from that of the changed sources."""
    source = source_for(case.format)
    if case.command == "index":
        return f"out/x.{case.format}", f"files.{case.format}"
    if case.command == "stage":
        return f"in/files.{case.format}", f"files.{case.format}"
    name = f"{source}.stk" if case.command == "convert" else "arrays/0010.npy" if source == "arrays" else "files/c4/0039.bin"
    return f"in/{name}", name


def change(case, chance):
    """A source is written anew while it is read. The result is that of the old one or of the new one."""
    expected = known(case)
    with lock:
        new = after_change(case)
    target, source = changed_file(case)
    storage = Storage(older(case))
    moment = chance.random() * expected.seconds
    try:
        timer = threading.Timer(moment, rewrite, (f"{storage.path}/{target}", f"{work}/changed/{source}"))
        timer.start()
        ends = execute(case, storage.path)
        timer.join()
        for end in ends:
            if end.code != 0:
                check_refusal(end)
        found = without_dates(case, tree(f"{storage.below}/out"))
        old, new = without_dates(case, expected.files), without_dates(case, new)
        if all(end.code == 0 for end in ends):
            # An Index of the old content beside a container that was changed since is found to be too old when it is used.
            if different(found, old) and different(found, new) and case.command != "index":
                raise Failed(f"ended with 0 but is of neither: {', '.join(different(found, new)[:3])}")
        elif case.command != "stage":
            require_well("the same command after the change", execute(case, storage.path, resume=True))
            if wrong := different(without_dates(case, tree(f"{storage.below}/out")), new):
                raise Failed(f"after the change: {', '.join(wrong[:3])}")
        return f"{target} changed after {moment:.2f} s: ends {[end.code for end in ends]}"
    finally:
        storage.delete()


def without_dates(case, files):
    """Of an Index of a file that was written by hand, the date of that is in it."""
    return {name: content for name, content in files.items() if case.command != "index" or not name.endswith(".stkx")}


@functools.cache
def sources():
    return tree(f"{work}/source")


def is_elsewhere(case, ends):
    """Whether an Index could not be kept beside its container, and it was said where it is."""
    return case.command == "index" and re.search(r"\] .*; saved in .+/x\.tar-.*\.stkx for your use only", ends[0].told)


def disturb(case, fault, chance):
    """One story. Says what was done."""
    if fault == "change":
        return change(case, chance)
    expected = known(case)
    if fault == "power":
        storage = Storage(None)
        storage.close()
        try:
            cut_power(read_log(expected.log), chance, older(case)).put(storage.below, {expected.place.encode(): storage.path.encode()})
            check_final_names(case, storage.below, expected.files)
            check_rerun(case, storage, expected.files)
            return "power cut"
        finally:
            storage.delete()
    operation, first, count, error, kill_after = "none", 0, 0, 0, None
    if fault == "kill":
        parts = 2 if case.command == "collect" else 1  # collecting and sealing, of which each gets this time
        kill_after = chance.random() * expected.seconds / parts
    elif fault == "locks":
        operation, first, count, error = "lock", 1, 1 << 40, 38
    elif fault == "error":
        operation = chance.choice([o for o in OPERATIONS if expected.calls[o]])
        first, count, error = chance.randint(1, expected.calls[operation]), 1, 5
    elif fault == "path":
        operation, first, count, error = "path", chance.randint(1, expected.calls["stat"]), 1, chance.choice([5, 116])
    else:
        operation = "write" if fault == "full" else "create"
        first, count, error = chance.randint(1, max(1, expected.calls[operation])), 1 << 40, 28
    storage = Storage(older(case), "-", operation, first, count, error)
    try:
        ends = execute(case, storage.path, kill_after=kill_after, chance=chance)
        storage.close()
        for end in ends:
            if end.code not in (0, -signal.SIGKILL):
                check_refusal(end)
        is_done = all(end.code == 0 for end in ends)
        if fault == "locks" and is_done == (case.command == "stage"):
            raise Failed(f"{'does without' if is_done else 'needs'} locks: {[end.said.strip() for end in ends]}")
        if is_done and not is_elsewhere(case, ends):
            wrong = [] if case.command == "collect" else different(tree(f"{storage.below}/out"), expected.files)
            if wrong:
                raise Failed(f"ended with 0, but {', '.join(wrong[:5])}")
        check_final_names(case, storage.below, expected.files)
        if wrong := different(tree(f"{storage.below}/in"), sources()):
            raise Failed(f"of the sources, {', '.join(wrong[:5])}")
        check_rerun(case, storage, expected.files, ends)
        return f"{fault} {operation} {first}: ends {[end.code for end in ends]}" + (f" after {kill_after:.2f} s" if kill_after else "")
    finally:
        storage.delete()


def all_cases():
    formats = json.loads(run([STOKER, "formats", "--json"]))
    listed = formats["formats"] if isinstance(formats, dict) else formats
    found = []
    for each in listed:
        if each["abilities"]["write"]:
            found += [Case(command, each["name"]) for command in ("pack", "convert", "replace")]
            found += [Case("ranks", each["name"])] if each["abilities"]["parallel_fill"] else []
    found += [Case("reconvert", name) for name in ("stk", "arrow", "hdf5", "zarr", "folder")]
    found += [Case("from-tar", name) for name in ("stk", "arrow", "folder")]
    found += 2 * [Case("index", "tar")]
    return found + 3 * [Case("stage", "stk"), Case("stage", "tar"), Case("collect", "stk"), Case("collect", "arrow")]


def fits(case, fault):
    if fault == "power" and case.command == "from-tar":
        return False  # writes what convert writes
    return fault != "change" or case.command in ("pack", "convert", "ranks", "stage", "index")


def story(seed, possible):
    chance = random.Random(seed)
    case, fault = chance.choice(possible)
    name = f"seed {seed}: {case.command} {case.format}, {fault}"
    try:
        done = disturb(case, fault, chance)
        if a.show:
            print(f"{name}: {done}", flush=True)
        return fault, None
    except Failed as e:
        return fault, f"FAILED {name}: {e}"
    except OSError as e:
        return fault, f"FAILED {name}: this check itself: {e}"


def main():
    os.mkdir(f"{work}/source")
    collect = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cluster", "Collect.java")
    run([os.path.join(JAVA_BIN, "javac"), "-cp", LIBRARIES, "-d", work, collect])
    make_source(f"{work}/source", 300, 1)
    make_containers(f"{work}/source")
    make_changed(f"{work}/changed")
    make_containers(f"{work}/changed")
    make_source(f"{work}/older-source", 60, 2)
    # Seeds have a meaning of their own for each --only.
    cases_and_faults = [(c, f) for c in all_cases() for f in FAULTS if fits(c, f)]
    # Verify writes nothing, so only errors can disturb it.
    cases_and_faults += [(Case("verify", name), fault) for name in ("stk", "tar") for fault in ("error", "path")]
    possible = [(c, f) for c, f in cases_and_faults if set(a.only) <= {c.command, c.format, f}]
    if not possible:
        sys.exit(f"no case has all of {a.only}")
    print(f"{len(possible)} kinds of stories, seeds {a.first} to {a.first + a.seeds - 1}", flush=True)
    told, failures = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for fault, failure in pool.map(lambda seed: story(seed, possible), range(a.first, a.first + a.seeds)):
            told[fault] += 1
            if failure:
                failures += 1
                print(failure, flush=True)
            if told.total() % 200 == 0:
                print(f"    {told.total()} done, {failures} failed", flush=True)
    print(", ".join(f"{told[f]} {f}" for f in FAULTS) + f": {failures} failed")
    return 1 if failures else 0


try:
    code = main()
finally:
    for line in open("/proc/mounts"):
        point = line.split()[1]
        if point.startswith(work):
            subprocess.run(["fusermount3", "-u", "-z", point])
    shutil.rmtree(work, ignore_errors=True)
sys.exit(code)
