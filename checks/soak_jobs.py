"""The jobs of checks/soak.py: what is started, and started again when it was killed."""

import collections
import json
import os
import signal
import subprocess
import sys
import time

SAMPLES = 4800
RANKS = 2
BATCH = 32
STANDSTILL_SECONDS = 60  # without any storage stall


class Failed(Exception):
    pass


class Job:
    """Ranks that train together, and are started again when they end."""

    def __init__(self, soak, name, container):
        self.soak, self.name = soak, name
        self.folder = f"{soak.work}/{name}"
        self.container = f"{soak.mount}/{container}"
        self.processes, self.beats = {}, {}
        os.mkdir(self.folder)

    def start(self, rank):
        names = {"STOKER_JOB": f"soak {os.getpid()} {self.name}", "PYTHONPATH": self.soak.python_path, "STOKER": self.soak.stoker}
        with open(f"{self.folder}/rank-{rank}.log", "a") as log:
            self.processes[rank] = subprocess.Popen(
                self.command(rank), env={**os.environ, **names}, stdout=log, stderr=log, preexec_fn=self.soak.squeeze.enter)
        self.beats[rank] = (None, time.monotonic())
        if os.path.exists(f"{self.folder}/rank-{rank}.beat"):
            os.remove(f"{self.folder}/rank-{rank}.beat")

    def command(self, rank):
        return [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "soak_rank.py"), self.folder, self.container, str(rank)]

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

    def committed(self, rank):
        with open(f"{self.folder}/rank-{rank}.json") as f:
            return json.load(f)

    def reader(self):
        words = (self.beat(0) or "").split()
        return int(words[0]) if words else None

    def kill(self, rank):
        """Kills a rank, unless it is the last that keeps the reader process: that has to live to the end in the steady job."""
        others = [other for other in range(RANKS) if other != rank]
        if self.name != "steady" or all(self.beats[other][0] and self.processes[other].poll() is None for other in others):
            self.processes[rank].kill()

    def end_all(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def check(self):
        """What the ledgers say: returns how many epochs are complete."""
        epochs = collections.defaultdict(list)
        finished = min(self.committed(rank)["epoch"] for rank in range(RANKS))
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

    def check(self):
        self.soak.run([self.soak.stoker, "ledger", "check", *self.ledgers()])
        for ledger in self.ledgers():
            for n in range(self.EPOCHS):
                os.path.exists(f"{ledger}.e{n}") and os.remove(f"{ledger}.e{n}")
        self.proven += self.EPOCHS
        return self.proven
