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

SAMPLES = 4800
RANKS = 2
BATCH = 32
COMMIT_EVERY = 8  # batches
STANDSTILL_SECONDS = 60  # without any storage stall
GROWTH = 1.15


class Failed(Exception):
    pass


def write_whole(path, text):
    """A reader sees the old text or the new one."""
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)


def read_json(path, otherwise=None):
    try:
        with open(path) as f:
            return json.load(f)
    except FileNotFoundError:
        return otherwise


# A training rank, in a process of its own ------------------------------------------------------------------------------------

def train(folder, container, rank):
    import stoker

    own = f"{folder}/rank-{rank}"
    with open(f"{folder}/../expected.json") as f:
        expected = json.load(f)
    done = read_json(f"{own}.json", {"state": None, "epoch": 0, "length": 0})
    ledger = open(f"{own}.ledger", "a")
    ledger.truncate(done["length"])  # What came after the last commit counts as never trained.
    loader = stoker.Loader(container, BATCH, shuffle=True, seed=11, rank=rank, world=RANKS, fields=["key", "data"])
    if done["state"]:
        loader.load_state_dict(done["state"])
    epoch, beats, lines = done["epoch"], 0, []

    def commit():
        ledger.writelines(lines)
        ledger.flush()
        lines.clear()
        write_whole(f"{own}.json", json.dumps({"state": loader.state_dict(), "epoch": epoch, "length": ledger.tell()}))

    while not os.path.exists(f"{folder}/../stop"):
        for batch in loader:
            for key, data in zip(batch["key"], batch["data"]):
                if zlib.crc32(data) != expected[key]:
                    write_whole(f"{own}.wrong", f"epoch {epoch}, sample {key}: {len(data)} bytes with another checksum than the file had")
                    sys.exit(4)
            lines.append(f"{epoch} {' '.join(batch['key'])}\n")
            beats += 1
            write_whole(f"{own}.beat", f"{loader.reader_pid} {beats}")
            if beats % COMMIT_EVERY == 0:
                commit()
            if os.path.exists(f"{folder}/../stop"):
                commit()
                return
            dawdle = read_json(f"{own}.dawdle")
            if dawdle:
                os.remove(f"{own}.dawdle")
            time.sleep(dawdle or 0.02)
        epoch += 1
        commit()


# Who starts, disturbs and watches ----------------------------------------------------------------------------------------------

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
                    f.write(str(4 << 30))
                return
            except OSError:
                self.limit = None

    def enter(self):
        if self.limit:
            with open(f"{self.folder}/cgroup.procs", "w") as f:
                f.write(str(os.getpid()))

    def tighten(self):
        """Leaves room for what programs hold, and almost none for the page cache."""
        with open(f"{self.folder}/memory.stat") as f:
            stat = dict(line.split() for line in f)
        held = sum(int(stat.get(name, 0)) for name in ("rss", "anon", "shmem"))
        self._set(held + (48 << 20))

    def loosen(self):
        self._set(4 << 30)

    def _set(self, size):
        try:
            with open(self.limit, "w") as f:
                f.write(str(size))
        except OSError:
            pass  # The kernel did not get that much back; it has tried.

    def close(self):
        if self.limit:
            os.rmdir(self.folder)


class Job:
    """Ranks that train together, and are started again when they end."""

    def __init__(self, soak, name, container):
        self.soak, self.name = soak, name
        self.folder = f"{soak.work}/{name}"
        self.container = f"{soak.mount}/{container}"
        self.processes, self.beats = {}, {}
        os.mkdir(self.folder)

    def start(self, rank):
        environment = dict(os.environ, STOKER_JOB=f"soak {os.getpid()} {self.name}", PYTHONPATH=self.soak.python_path, STOKER=self.soak.stoker)
        with open(f"{self.folder}/rank-{rank}.log", "a") as log:
            self.processes[rank] = subprocess.Popen(self.command(rank), env=environment, stdout=log, stderr=log, preexec_fn=self.soak.squeeze.enter)
        self.beats[rank] = (None, time.monotonic())

    def command(self, rank):
        return [sys.executable, os.path.abspath(__file__), "--train", self.folder, self.container, str(rank)]

    def look(self):
        """Starts what has ended, and fails if a rank stands still."""
        for rank in range(RANKS):
            process = self.processes.get(rank)
            if process is None or process.poll() is not None:
                self.require_known_end(rank, process)
                self.start(rank)
                self.soak.seen[f"{self.name}: starts"] += 1
            beat = self.beat(rank)
            if beat != self.beats[rank][0]:
                self.beats[rank] = (beat, time.monotonic())
            still = time.monotonic() - self.beats[rank][1]
            self.soak.longest[self.name] = max(self.soak.longest[self.name], still)
            if still > STANDSTILL_SECONDS + self.soak.stalled_lately():
                raise Failed(f"{self.name}: rank {rank} has stood still for {still:.0f} s; see {self.folder}/rank-{rank}.log")

    def require_known_end(self, rank, process):
        wrong = f"{self.folder}/rank-{rank}.wrong"
        if os.path.exists(wrong):
            raise Failed(f"{self.name}: WRONG BYTES: {open(wrong).read()}")
        if process and process.returncode not in (0, -signal.SIGKILL):
            with open(f"{self.folder}/rank-{rank}.log") as f:
                said = f.read()[-2000:]
            # A reader process that was killed is the one error that its ranks may raise.
            if "ReaderEnded" not in said or self.name != "blocks":
                raise Failed(f"{self.name}: rank {rank} ended with {process.returncode}: {said}")

    def beat(self, rank):
        try:
            with open(f"{self.folder}/rank-{rank}.beat") as f:
                return f.read()
        except FileNotFoundError:
            return None

    def reader(self):
        words = (self.beat(0) or "").split()
        return int(words[0]) if words else None

    def kill(self, rank):
        self.processes[rank].kill()

    def check(self):
        """What the ledgers say: returns how many epochs are complete."""
        epochs = collections.defaultdict(list)
        finished = min(read_json(f"{self.folder}/rank-{rank}.json")["epoch"] for rank in range(RANKS))
        for rank in range(RANKS):
            with open(f"{self.folder}/rank-{rank}.ledger") as f:
                for line in f:
                    epoch, *keys = line.split()
                    epochs[int(epoch)] += keys
        for epoch, keys in sorted(epochs.items()):
            doubled = len(keys) - len(set(keys))
            missing = SAMPLES - len(set(keys)) if epoch < finished else 0
            if doubled or missing:
                raise Failed(f"{self.name}: epoch {epoch} has {missing} samples missing and {doubled} doubled")
        return finished


class FeedJob(Job):
    """Ranks of the command: one training after the other. As under Slurm, all ranks end when one is killed."""

    EPOCHS = 60

    def __init__(self, soak, name, container):
        super().__init__(soak, name, container)
        self.training, self.proven = 0, 0

    def ledgers(self):
        return [f"{self.folder}/{self.training}-rank-{rank}.ledger" for rank in range(RANKS)]

    def command(self, rank):
        state = f"{self.folder}/{self.training}.state"
        return [self.soak.stoker, "feed", self.container, "--batch", str(BATCH), "--epochs", str(self.EPOCHS), "--seed", str(self.training),
                "--rank", str(rank), "--world", str(RANKS), "--verify", "--no-limit", "--read", "pread",
                "--ledger", self.ledgers()[rank], *(["--state", state] if os.path.exists(state) else [])]

    def look(self):
        ends = [process.poll() for process in self.processes.values()]
        for rank, process in self.processes.items():
            self.require_known_end(rank, process if process.poll() is not None else None)
        if not ends or all(end == 0 for end in ends):
            if ends:
                self.check()
                self.training += 1
            self.start_all()
        elif -signal.SIGKILL in ends:
            self.end_all()
            if any(os.path.exists(ledger) for ledger in self.ledgers()):
                found = [ledger for ledger in self.ledgers() if os.path.exists(ledger)]
                self.soak.run([self.soak.stoker, "ledger", "state", *found, "-o", f"{self.folder}/{self.training}.state"])
            self.start_all()
        took = time.monotonic() - self.began
        if took > 5 * STANDSTILL_SECONDS + self.soak.stalled_lately():
            raise Failed(f"{self.name}: training {self.training} is not done after {took:.0f} s")

    def start_all(self):
        self.began = time.monotonic()
        self.soak.seen[f"{self.name}: starts"] += RANKS
        for rank in range(RANKS):
            self.start(rank)

    def end_all(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def check(self):
        self.soak.run([self.soak.stoker, "ledger", "check", *self.ledgers()])
        for ledger in self.ledgers():
            for n in range(self.EPOCHS):
                os.path.exists(f"{ledger}.e{n}") and os.remove(f"{ledger}.e{n}")
        self.proven += self.EPOCHS
        return self.proven


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
        write_whole(f"{self.work}/expected.json", json.dumps(expected))
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
            write_whole(f"{job.folder}/rank-{rank}.dawdle", f"{self.chance.random() * 6:.1f}")
        elif what == "stall":
            long = self.chance.random() * 8
            self.storage.send_signal(signal.SIGSTOP)
            self.stalls.append((time.monotonic(), long))
            time.sleep(long)
            self.storage.send_signal(signal.SIGCONT)
        elif what == "squeeze" and self.squeeze.limit:
            self.squeeze.tighten()
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
            if self.tight_until and now > self.tight_until:
                self.squeeze.loosen()
                self.tight_until = 0
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
        if self.squeeze.limit:
            self.squeeze.loosen()
        self.jobs[2].end_all()
        write_whole(f"{self.work}/stop", "")
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
            job.end_all() if isinstance(job, FeedJob) else [process.kill() or process.wait() for process in job.processes.values()]
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
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
