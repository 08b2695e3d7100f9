#!/usr/bin/env python3
"""Ranks on several nodes write one file, each through a client with a cache of its own (checks/cluster/client.c): no byte may be wrong.

    python3 checks/cluster.py --stoker COMMAND --client PROGRAM [--seeds N] [--first SEED] [--jobs N] [--only WORD ...]

Each seed picks what is written (a pack of some format, collected samples, a state saved by Python), how many nodes and ranks there are,
and what happens:

  well      nothing
  kill      a rank is killed at a random moment; the others end, and another number of ranks resumes
  survivor  a rank other than 0 is stopped, the others are killed, and another number of ranks resumes; the stopped one is continued at a
            random moment of that
  salvage   of what is collected: a rank is stopped, perhaps the others are killed, and the file is sealed with --salvage on some node;
            then the stopped one is continued

A pack must be as one process writes it, byte for byte; of what was collected, every flushed sample must be there, once; a state must have
the values of the ranks that ended well, and of no others. A line for each seed that fails; at the end the numbers.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_SECONDS = 120
EVENTS = ["well", "well", "kill", "survivor"]

args = argparse.ArgumentParser()
args.add_argument("--stoker", required=True, help="the command")
args.add_argument("--client", required=True, help="checks/cluster/client.c, compiled")
args.add_argument("--seeds", type=int, default=100)
args.add_argument("--first", type=int, default=1)
args.add_argument("--jobs", type=int, default=os.cpu_count(), help="stories at once")
args.add_argument("--only", nargs="*", default=[], help="words that a story must have, such as: pack arrow kill")
args.add_argument("--show", action="store_true", help="say for each seed what was done")
a = args.parse_args()
work = tempfile.mkdtemp(prefix="stoker-cluster-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
STOKER = os.path.abspath(a.stoker)
LIBRARIES = os.path.join(os.path.dirname(STOKER), "..", "lib", "*")
JAVA_BIN = os.path.join(os.environ["JAVA_HOME"], "bin") if "JAVA_HOME" in os.environ else ""
COLLECT = [os.path.join(JAVA_BIN, "java"), "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
           "-cp", f"{LIBRARIES}:{work}", "Collect"]
HERE = os.path.dirname(os.path.abspath(__file__))

Case = collections.namedtuple("Case", "command format")
End = collections.namedtuple("End", "code told said")


class Failed(Exception):
    pass


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def make_source(folder):
    """Runs of 4 MiB are cut from this, so it has some of them; sizes are such that no boundary is at a page's."""
    chance = random.Random(1)
    for n in range(500):
        os.makedirs(f"{folder}/files/c{n % 5}", exist_ok=True)
        with open(f"{folder}/files/c{n % 5}/{n:04d}.bin", "wb") as f:
            f.write(chance.randbytes(chance.choice([chance.randint(0, 9000), chance.randint(0, 120_000)])))
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (25, 41), }".ljust(117) + b"\n"
    os.makedirs(f"{folder}/arrays")
    for n in range(3000):
        with open(f"{folder}/arrays/{n:04d}.npy", "wb") as f:
            f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + chance.randbytes(4100))


class Cluster:
    """A folder, and the nodes that have it mounted."""

    def __init__(self, nodes, seed):
        self.folder = tempfile.mkdtemp(dir=work)
        self.server = f"{self.folder}/server"
        os.mkdir(self.server)
        self.nodes, self.clients = [], []
        for node in range(nodes):
            path = f"{self.folder}/node{node}"
            os.mkdir(path)
            self.clients.append(subprocess.Popen([a.client, self.server, path, str(seed + node)], stderr=subprocess.DEVNULL))
            self.nodes.append(path)
        for path in self.nodes:
            for _ in range(1000):
                if os.path.ismount(path):
                    break
                time.sleep(0.01)
            else:
                raise Failed("a node did not start")

    def close(self):
        for path, client in zip(self.nodes, self.clients):
            subprocess.run(["fusermount3", "-u", "-z", path], capture_output=True)
            try:
                client.wait(20)
            except subprocess.TimeoutExpired:
                client.kill()
                client.wait()

    def delete(self):
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def command_of(case, node, rank, world, resume, chance):
    if case.command == "pack":
        source = "arrays" if case.format in ("npy", "npz") else "files"
        return [STOKER, "pack", f"{work}/source/{source}", "-o", f"{node}/x.{case.format}", "--format", case.format, "--rank", str(rank),
                "--world", str(world), "--rank-timeout", "60" if resume else "15", "--workers", str(chance.randint(1, 3)),
                *(["--resume"] if resume else [])]
    if case.command == "collect":
        return [*COLLECT, f"{node}/x.{case.format}", str(rank), str(world)]
    value = 2 if resume else 1
    return [sys.executable, os.path.join(HERE, "cluster_state.py"), "save", f"{node}/x.safetensors", str(rank), str(world), str(value)]


class Ranks:
    """The ranks of one job, one node after the other."""

    def __init__(self, case, cluster, world, resume, chance):
        self.running = []
        first = chance.randrange(len(cluster.nodes))
        for rank in range(world):
            node = cluster.nodes[(first + rank) % len(cluster.nodes)]
            command = command_of(case, node, rank, world, resume, chance)
            self.running.append(
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            )

    def signal(self, rank, which):
        if self.running[rank].poll() is None:
            os.killpg(self.running[rank].pid, which)

    def ends(self):
        deadline = time.monotonic() + LIMIT_SECONDS
        found = []
        for process in self.running:
            try:
                told, said = process.communicate(timeout=max(1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise Failed(f"hangs: not done after {LIMIT_SECONDS} seconds") from None
            found.append(End(process.returncode, told, said))
        return found

    def kill(self):
        for rank in range(len(self.running)):
            self.signal(rank, signal.SIGKILL)
            self.running[rank].communicate()


def tree(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(at, name), "rb") as f:
                found[os.path.relpath(os.path.join(at, name), folder)] = hashlib.sha256(f.read()).hexdigest()
    return found


lock = threading.Lock()


@functools.cache
def packed_alone(kind):
    place = tempfile.mkdtemp(dir=work)
    source = "arrays" if kind in ("npy", "npz") else "files"
    run([STOKER, "pack", f"{work}/source/{source}", "-o", f"{place}/x.{kind}", "--format", kind])
    return tree(place)


def alone(kind):
    with lock:
        return packed_alone(kind)


def require_well(ends):
    for rank, end in enumerate(ends):
        if end.code != 0:
            raise Failed(f"rank {rank} ended with {end.code}: {end.said.strip()[-600:]}")


def check_end(case, cluster, ends, salvaged):
    """What is there when all ended well.

    :param salvaged: whether what was collected has been sealed
    """
    if case.command == "pack":
        found, expected = tree(cluster.server), alone(case.format)
        names = [n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n)]
        if names:
            raise Failed("wrong: " + ", ".join(n + (" is missing" if n not in found else "") for n in names[:5]))
    elif case.command == "state":
        run([sys.executable, os.path.join(HERE, "cluster_state.py"), "check", f"{cluster.server}/x.safetensors", "2"])
        if os.listdir(cluster.server) != ["x.safetensors"]:
            raise Failed(f"left behind: {os.listdir(cluster.server)}")
    else:
        check_collected(case, cluster, ends, salvaged)


def salvage(path):
    return subprocess.run([STOKER, "seal", path, "--salvage"], capture_output=True, text=True, timeout=LIMIT_SECONDS)


def check_collected(case, cluster, ends, salvaged):
    flushed = [int((end.told.split() or ["0"])[-1]) for end in ends]
    out = f"{cluster.server}/x.{case.format}"
    there = [out] if salvaged else []
    if os.path.exists(f"{out}.partial"):
        if salvaged:
            # Ranks that began just then, on a node where the sealed file was not seen yet, have a file of their own.
            there = [f"{cluster.server}/first.{case.format}"]
            os.rename(out, there[0])
        done = salvage(out)
        if done.returncode == 0:
            there.append(out)
        elif "no rank has begun" not in done.stderr:
            raise Failed(f"sealing ended with {done.returncode}: {done.stderr.strip()}")
    found = [0] * len(flushed)
    for path in there:
        counts = map(int, run([*COLLECT, path, "check", str(len(flushed))]).split())
        found = [one + other for one, other in zip(found, counts)]
        run([STOKER, "verify", path])
    for rank, (count, least) in enumerate(zip(found, flushed)):
        if count < least:
            raise Failed(f"rank {rank} has {count} samples, but {least} were flushed; files: {os.listdir(cluster.server)}")


@functools.cache
def usual_seconds(case):
    """How long ranks take that nothing happens to, for moments in the middle of that."""
    cluster = Cluster(2, 1)
    try:
        begin = time.monotonic()
        require_well(Ranks(case, cluster, 2, True, random.Random(1)).ends())
        return time.monotonic() - begin
    finally:
        cluster.delete()


def happen(case, event, chance):
    """One story. Says what was done."""
    with lock:
        usual = usual_seconds(case)
    salvaged = False
    nodes, world = chance.randint(2, 3), chance.randint(2, 5)
    moment = chance.random() * usual
    cluster = Cluster(nodes, chance.randrange(1 << 30))
    jobs = []
    try:
        jobs.append(Ranks(case, cluster, world, event == "well", chance))
        victim = chance.randrange(world) if event == "kill" else chance.randrange(1, world)
        if event == "well":
            ends = jobs[0].ends()
            require_well(ends)
        elif event == "kill":
            time.sleep(moment)
            jobs[0].signal(victim, signal.SIGKILL)
            ends = jobs[0].ends()
        else:
            time.sleep(moment)
            jobs[0].signal(victim, signal.SIGSTOP)
            if event == "survivor" or chance.random() < 0.5:
                for rank in range(world):
                    if rank != victim:
                        jobs[0].signal(rank, signal.SIGKILL)
        if event == "salvage":
            # Refused while others write; nothing is there yet, perhaps.
            salvaged = salvage(f"{chance.choice(cluster.nodes)}/x.{case.format}").returncode == 0
        elif event != "well" and case.command != "collect":
            jobs.append(Ranks(case, cluster, chance.randint(1, 4), True, chance))
            if event == "survivor":
                time.sleep(chance.random() * 1.5 * usual)
                jobs[0].signal(victim, signal.SIGCONT)
            ends = jobs[1].ends()
            if event == "survivor" and any("there twice" in end.said for end in ends):
                # It was taken for a rank of the new job, which refuses to guess; when it has ended, the same command works.
                jobs[0].signal(victim, signal.SIGCONT)
                jobs[0].ends()
                jobs.append(Ranks(case, cluster, chance.randint(1, 4), True, chance))
                ends = jobs[2].ends()
            require_well(ends)
        if event in ("survivor", "salvage"):
            jobs[0].signal(victim, signal.SIGCONT)
            old = jobs[0].ends()
            ends = old if case.command == "collect" else ends
        for node in cluster.nodes:
            os.listdir(node)
        cluster.close()
        check_end(case, cluster, ends, salvaged)
        return f"{world} ranks on {nodes} nodes, moment {moment:.2f} s, victim {victim}"
    finally:
        for job in jobs:
            job.kill()
        cluster.delete()


def story(seed, possible):
    chance = random.Random(seed)
    case, event = chance.choice(possible)
    name = f"seed {seed}: {case.command} {case.format}, {event}"
    try:
        done = happen(case, event, chance)
        if a.show:
            print(f"{name}: {done}", flush=True)
        return event, None
    except Failed as e:
        return event, f"FAILED {name}: {e}"
    except OSError as e:
        return event, f"FAILED {name}: this check itself: {e}"


def main():
    make_source(f"{work}/source")
    run([os.path.join(JAVA_BIN, "javac"), "-cp", LIBRARIES, "-d", work, os.path.join(HERE, "cluster", "Collect.java")])
    formats = json.loads(run([STOKER, "formats", "--json"]))
    listed = formats["formats"] if isinstance(formats, dict) else formats
    cases = [Case("pack", each["name"]) for each in listed if each["abilities"]["write"] and each["abilities"]["parallel_fill"]]
    cases += 3 * [Case("state", "safetensors")] + 2 * [Case("collect", "stk"), Case("collect", "arrow")]
    possible = [(case, event) for case in cases for event in EVENTS + (["salvage"] if case.command == "collect" else [])]
    possible = [p for p in possible if all(word in (*p[0], p[1]) for word in a.only)]
    if not possible:
        print(f"no story has all of {a.only}")
        return 2
    counts, failures = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for done, (event, failure) in enumerate(pool.map(lambda s: story(s, possible), range(a.first, a.first + a.seeds)), 1):
            counts[event] += 1
            if failure:
                failures += 1
                print(failure, flush=True)
            if done % 50 == 0:
                print(f"{done} of {a.seeds} stories, {failures} failed", flush=True)
    print(", ".join(f"{count} {event}" for event, count in sorted(counts.items())) + f": {failures} failed")
    return 1 if failures else 0


try:
    code = main()
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(code)
