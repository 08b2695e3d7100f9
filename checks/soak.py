#!/usr/bin/env python3
"""A long training, disturbed all the time: nothing lost, nothing doubled, nothing wrong, nothing that grows.

    python3 checks/soak.py --stoker COMMAND --latency PROGRAM [--minutes 60] [--seed S]

Three jobs of two ranks each read containers through a FUSE filesystem (checks/cluster/latency.c):

  steady   stoker.Loader on a .stk; its reader process lives to the end, so that what it holds can be compared over time
  blocks   stoker.Loader on a compressed .parquet; its reader process is killed now and then
  feed     the command stoker feed; goes on after a kill from what its ledgers say

At seeded moments ranks are killed (-9), ranks dawdle, the storage stands still (SIGSTOP), and the memory of all is squeezed until the page
cache is gone (a memory cgroup, where this user may make one). Every delivered value is compared with its checksum from before it was packed.
At the end: each sample once in every epoch that all ranks finished and at most once in the last one, no rank that stood still for longer
than its limit, no process and no shared memory left, and of the reader process no more memory, handles and threads than at first.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

from soak_jobs import RANKS, SAMPLES, STANDSTILL_SECONDS, Failed, FeedJob, Job

GROWTH = 1.15


class Squeeze:
    """A memory cgroup for everything that is started, where that may be made."""

    def __init__(self):
        name = f"stoker-soak-{os.getpid()}"
        self.limit = None
        for folder, limit in [(f"/sys/fs/cgroup/memory/{name}", "memory.limit_in_bytes"), (f"/sys/fs/cgroup/{name}", "memory.max")]:
            try:
                os.mkdir(folder)
                self.folder, self.limit = folder, os.path.join(folder, limit)
                with open(self.limit, "w") as f:
                    f.write(str(3 << 30))
                return
            except OSError:
                self.limit = None

    def enter(self):
        if self.limit:
            with open(f"{self.folder}/cgroup.procs", "w") as f:
                f.write(str(os.getpid()))

    def tighten(self):
        """Has the kernel take back whatever it can: the page cache, and with it all mapped pages."""
        request = next((r for r in ["memory.force_empty", "memory.reclaim"] if os.path.exists(f"{self.folder}/{r}")), None)
        try:
            with open(f"{self.folder}/{request}", "w") as f:
                f.write("0" if request == "memory.force_empty" else str(1 << 30))
        except OSError:
            pass  # The kernel did not get that much back; it has tried.

    def close(self):
        if self.limit:
            os.rmdir(self.folder)


class Soak:
    def __init__(self, a):
        self.a = a
        self.chance = random.Random(a.seed)
        self.stoker = os.path.abspath(a.stoker)
        self.python_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "src")
        self.work = tempfile.mkdtemp(prefix="stoker-soak-")
        self.mount = f"{self.work}/storage"
        self.squeeze = Squeeze()
        self.seen, self.longest = collections.Counter(), collections.Counter()
        self.stalls = []  # when each began and how long it is
        self.tight_until = 0
        self.held = []  # of the steady reader process: seconds, bytes, handles, threads
        self.jobs = []

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stdout[-500:]} {done.stderr[-2000:]}")
        return done.stdout

    def make(self):
        """The containers, and what their samples' checksums are."""
        expected = {}
        for n in range(SAMPLES):
            name = f"c{n % 7}/{n:06d}.bin"
            data = self.chance.randbytes(self.chance.randint(1, 16_000)) + bytes(self.chance.randint(0, 8_000))
            os.makedirs(f"{self.work}/files/c{n % 7}", exist_ok=True)
            with open(f"{self.work}/files/{name}", "wb") as f:
                f.write(data)
            expected[name] = zlib.crc32(data)
        with open(f"{self.work}/expected.json", "w") as f:
            json.dump(expected, f)
        os.mkdir(f"{self.work}/containers")
        for name, options in [("a.stk", []), ("b.parquet", ["--compression", "zstd"]), ("c.h5", [])]:
            self.run([self.stoker, "pack", f"{self.work}/files", "-o", f"{self.work}/containers/{name}", "--no-sync", *options])
        shutil.rmtree(f"{self.work}/files")
        os.mkdir(self.mount)
        self.storage = subprocess.Popen([self.a.latency, f"{self.work}/containers", "100", "100", "200", self.mount])
        while not os.path.ismount(self.mount):
            if self.storage.poll() is not None:
                raise Failed("the storage did not start")
            time.sleep(0.05)

    def stalled_lately(self):
        """How long the storage stood still in the last minutes."""
        return sum(long for began, long in self.stalls if time.monotonic() - began < 6 * STANDSTILL_SECONDS)

    def disturb(self):
        """Something, about every four seconds."""
        what = self.chance.choices(["kill", "dawdle", "stall", "squeeze", "reader"], [6, 4, 2, 2, 1])[0]
        job = self.chance.choice(self.jobs)
        rank = self.chance.randrange(RANKS)
        if what == "kill":
            job.kill(rank)
        elif what == "dawdle" and job.name != "feed":
            with open(f"{self.work}/dawdle", "w") as f:
                f.write(f"{self.chance.random() * 6:.1f}")
            os.replace(f"{self.work}/dawdle", f"{job.folder}/rank-{rank}.dawdle")
        elif what == "stall":
            long = self.chance.random() * 8
            self.storage.send_signal(signal.SIGSTOP)
            self.stalls.append((time.monotonic(), long))
            time.sleep(long)
            self.storage.send_signal(signal.SIGCONT)
        elif what == "squeeze" and self.squeeze.limit:
            self.tight_until = time.monotonic() + 10
        elif what == "reader" and self.jobs[1].reader():
            try:
                os.kill(self.jobs[1].reader(), signal.SIGKILL)
            except ProcessLookupError:
                return
        else:
            return
        self.seen[what] += 1

    def watch(self, since):
        reader = self.jobs[0].reader()
        try:
            with open(f"/proc/{reader}/status") as f:
                status = dict(line.split(":", 1) for line in f)
            held = sum(int(status[name].split()[0]) for name in ("RssAnon", "RssShmem")) << 10
            self.held.append((time.monotonic() - since, reader, held, len(os.listdir(f"/proc/{reader}/fd")), int(status["Threads"])))
        except (OSError, KeyError):
            pass

    def go(self):
        self.make()
        self.jobs = [Job(self, "steady", "a.stk"), Job(self, "blocks", "b.parquet"), FeedJob(self, "feed", "c.h5")]
        start = time.monotonic()
        until, next_disturbance, next_watch, next_line = start + 60 * self.a.minutes, start + 20, start + 5, start + 60
        while time.monotonic() < until:
            for job in self.jobs:
                job.look()
            now = time.monotonic()
            if now < self.tight_until:
                self.squeeze.tighten()
            if now > next_disturbance:
                self.disturb()
                next_disturbance = time.monotonic() + self.chance.random() * 8
            if now > next_watch:
                self.watch(start)
                next_watch = now + 5
            if now > next_line:
                print(f"{(now - start) / 60:5.0f} min: {self.told()}", flush=True)
                next_line = now + 300
            time.sleep(0.2)
        self.end()

    def told(self):
        held = self.held[-1] if self.held else (0, 0, 0, 0, 0)
        counts = ", ".join(f"{count} {what}" for what, count in sorted(self.seen.items()))
        return f"{counts}; the steady reader holds {held[2] >> 20} MiB, {held[3]} handles, {held[4]} threads"

    def end(self):
        self.jobs[2].end_all()
        open(f"{self.work}/stop", "w").close()
        for job in self.jobs[:2]:
            for rank, process in job.processes.items():
                try:
                    process.wait(STANDSTILL_SECONDS)
                except subprocess.TimeoutExpired:
                    raise Failed(f"{job.name}: rank {rank} does not end")
                job.require_known_end(rank, process)
        for job in self.jobs[:2]:
            print(f"{job.name}: {job.check()} epochs of {SAMPLES} samples, each sample once; longest standstill {self.longest[job.name]:.0f} s")
        feed = self.jobs[2]
        print(f"{feed.name}: {feed.proven} epochs of {SAMPLES} samples, each once by their ledgers, in {feed.training} trainings")
        self.require_nothing_left()
        self.require_flat()
        print(self.told())

    def require_nothing_left(self):
        deadline = time.monotonic() + 30
        while True:
            left = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.is_ours(pid)]
            if not left:
                return
            if time.monotonic() > deadline:
                raise Failed(f"processes {left} are left")
            time.sleep(0.2)

    def is_ours(self, pid):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                return f"STOKER_JOB=soak {os.getpid()} ".encode() in f.read()
        except OSError:
            return False

    def require_flat(self):
        readers = {held[1] for held in self.held}
        if len(readers) != 1:
            raise Failed(f"the steady job had the reader processes {sorted(readers)}, not one")
        quarter = len(self.held) // 4
        if quarter < 6:
            print("too short to say whether memory is flat")
            return
        for name, place, room in [("bytes", 2, 8 << 20), ("handles", 3, 4), ("threads", 4, 4)]:
            early = statistics.median(held[place] for held in self.held[quarter:2 * quarter])
            late = statistics.median(held[place] for held in self.held[-quarter:])
            print(f"{name} of the steady reader: {early:.0f} in the second quarter, {late:.0f} in the last")
            if late > GROWTH * early + room:
                raise Failed(f"the steady reader's {name} grow: {early:.0f} in the second quarter, {late:.0f} in the last")

    def close(self, keep):
        for job in self.jobs:
            job.end_all()
        if hasattr(self, "storage"):
            self.storage.send_signal(signal.SIGCONT)
            subprocess.run(["fusermount3", "-u", "-z", self.mount])
            self.storage.wait()
        for _ in range(100):
            try:
                self.squeeze.close()
                break
            except OSError:
                time.sleep(0.1)
        if not keep:
            shutil.rmtree(self.work, ignore_errors=True)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--stoker", required=True, help="the command")
    args.add_argument("--latency", required=True, help="checks/cluster/latency.c, compiled")
    args.add_argument("--minutes", type=float, default=60)
    args.add_argument("--seed", type=int, default=1)
    soak = Soak(args.parse_args())
    squeezed = "" if soak.squeeze.limit else "; no memory cgroup can be made here, so memory is not squeezed"
    print(f"{soak.a.minutes:.0f} minutes, seed {soak.a.seed}{squeezed}", flush=True)
    failure = None
    try:
        soak.go()
    except Failed as e:
        failure = e
    finally:
        soak.close(keep=failure is not None)
    if failure:
        sys.exit(f"FAILED: {failure}\nEverything is kept in {soak.work}")


if __name__ == "__main__":
    main()
