"""Kills ranks and reader processes at random moments, and looks at what becomes of the others.

    python kills.py CONTAINER ROUNDS [SEED]

In every round three ranks share a reader process, and one of the four is killed (-9), or two. In half of the rounds, ranks run
a function in worker processes, one of which may be killed, too: that no rank may notice. The survivors must continue, or raise
one clear error within 5 s. Afterwards no process, no socket and no shared memory may be left. Then all are killed,
another number of ranks resumes from the ledgers, and these must say that every sample of every epoch was delivered exactly
once. What the ranks saw is compared with that: no sample twice, and none missing but of the batches that were under way when a
rank died, one for each rank. What the function returned for each sample is what it returns where nobody is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

import stoker
from stoker._java.command import find_command
from stoker._java.connection import ReaderEnded
from stoker._java.reader_process import socket_name

RANKS = 3
BATCH = 4
SEED = 1
SECONDS = 5.0
#: How long a busy machine may take to start a JVM; starting is not what is measured.
START_SECONDS = 180.0


def measure(sample: Dict[str, Any]) -> Dict[str, Any]:
    """A function for samples: what it returns depends on the bytes, and on randomness."""
    return {"key": sample["key"], "value": f"{zlib.crc32(sample['data']):08x}{random.random():.12f}"}


#: Ranks are forked, so their workers are, too.
MAP = {"map": measure, "multiprocessing_context": "fork"}


class Rank:
    """A process that iterates over a loader forever and tells of each batch.

    :param workers: how many run the function; -1 if there is none
    """

    def __init__(self, container: str, rank: int, tail: str, ledger: Path, workers: int) -> None:
        self.out, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.out)
            _iterate(container, rank, tail, ledger, workers, write)
        os.close(write)
        self.reader: Optional[int] = None
        self.workers: List[int] = []
        self.batches = 0
        #: The epoch and the key of every sample that it saw, and what the function made of it.
        self.seen: Dict[Tuple[int, str], str] = {}
        self.twice: List[Tuple[int, str]] = []
        self.error: Optional[str] = None
        self.ended_at: Optional[float] = None
        self._text = b""

    def listen(self) -> None:
        data = os.read(self.out, 1 << 16)
        if not data:
            self.ended_at = time.monotonic()
            return
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode().partition(" ")
            if word == "reader":
                self.reader = int(rest)
            elif word == "batch":
                self.batches += 1
                epoch, workers, *samples = rest.split()
                self.workers = [int(pid) for pid in workers.split(",") if pid]
                self.twice += note(self.seen, int(epoch), [tuple(sample.split("=")) for sample in samples])
            else:
                self.error = rest


def note(seen: Dict[Tuple[int, str], str], epoch: int, samples: List[Any]) -> List[Tuple[int, str]]:
    """Notes samples; returns those that were seen before."""
    twice = [(epoch, key) for key, _ in samples if (epoch, key) in seen]
    seen.update(((epoch, key), value) for key, value in samples)
    return twice


def samples_of(batch: Dict[str, Any]) -> List[Tuple[str, str]]:
    """The keys, and what the function made of each sample, or nothing."""
    return list(zip(batch["key"], batch.get("value", [""] * len(batch["key"]))))


def _iterate(container: str, rank: int, tail: str, ledger: Path, workers: int, out: int) -> None:
    code = 1
    try:
        options = {} if workers < 0 else {**MAP, "workers": workers}
        loader = stoker.Loader(container, BATCH, True, SEED, rank, RANKS, tail=tail, ledger=ledger, **options)
        os.write(out, b"reader %d\n" % loader.reader_pid)
        while True:
            for batch in loader:
                for data in batch.get("data", ()):
                    data.sum()
                pids = ",".join(map(str, loader.worker_pids))
                said = " ".join(f"{key}={value}" for key, value in samples_of(batch))
                os.write(out, f"batch {loader.epoch} {pids or ','} {said}\n".encode())
                time.sleep(0.002)
    except ReaderEnded as e:
        os.write(out, b"error " + str(e).encode() + b"\n")
        code = 3
    except BaseException as e:
        os.write(out, b"unexpected " + repr(e).encode() + b"\n")
    finally:
        os._exit(code)


class Round:
    """One killing, and what must be seen afterwards."""

    def __init__(self, container: str, number: int, seed: int, folder: str) -> None:
        self._container = container
        self._folder = Path(folder)
        self._chance = random.Random(f"{seed} {number}")
        os.environ["STOKER_JOB"] = f"kills {os.getpid()} {number} {seed}"
        self._socket = socket_name()[1:]
        self._tail = self._chance.choice(("ragged", "drop"))
        self._has_map = self._chance.random() < 0.5
        workers = self._chance.randrange(1, 4) if self._has_map else -1
        self.ranks = [Rank(container, rank, self._tail, self._ledger(rank), workers) for rank in range(RANKS)]
        self.killed: Set[int] = set()

    def run(self) -> str:
        try:
            return self._run()
        finally:
            for rank in self.ranks:
                _kill(rank.pid)
                os.waitpid(rank.pid, 0)
                os.close(rank.out)

    def _run(self) -> str:
        # Some kills fall into the start, most into the iterating.
        is_early = self._chance.random() < 0.3
        if is_early:
            self._wait(self._chance.random() * 1.5, lambda: False)
        else:
            assert self._wait(START_SECONDS, lambda: all(rank.batches or rank.error for rank in self.ranks)), "no batch came"
            errors = [rank.error for rank in self.ranks if rank.error]
            assert not errors, f"before anything was killed: {errors}"
            self._wait(self._chance.random() * 0.3, lambda: False)
        readers = {rank.reader for rank in self.ranks if rank.reader}
        possible = [*self.ranks, "reader", *(["worker", "worker"] if self._has_map and not is_early else [])]
        victims = self._chance.sample(possible, self._chance.choice((1, 1, 2)))
        for victim in victims:
            if victim == "reader":
                for pid in readers or _readers(self._socket):
                    _kill(pid)
            elif victim == "worker":
                _kill(self._chance.choice([pid for rank in self.ranks for pid in rank.workers]))
            else:
                self.killed.add(victim.pid)
                _kill(victim.pid)
        self._require_survivors_go_on("reader" in victims and not is_early, is_early)
        names = [victim if isinstance(victim, str) else "rank" for victim in victims]
        outcomes = ["killed" if rank.pid in self.killed else "raised" if rank.error else "went on" for rank in self.ranks]
        self._require_nothing_left()
        self._require_exactly_once()
        self._require_nothing_left()
        how = f"{' while starting' if is_early else ''}{' with a function' if self._has_map else ''}"
        return f"killed {'+'.join(sorted(names))}{how}: {', '.join(outcomes)}"

    def _require_survivors_go_on(self, must_raise: bool, is_early: bool) -> None:
        survivors = [rank for rank in self.ranks if rank.pid not in self.killed]
        before = {rank.pid: rank.batches for rank in survivors}

        def settled() -> bool:
            return all(rank.error or (not must_raise and rank.batches > before[rank.pid] + 3) for rank in survivors)

        # In the start, a rank may start another reader process.
        assert self._wait(START_SECONDS if is_early else SECONDS, settled), (
            f"after {SECONDS} s a survivor neither went on nor raised"
        )
        for rank in survivors:
            if rank.error:
                assert "has ended" in rank.error or (is_early and "could not be started" in rank.error), rank.error
                assert self._wait(SECONDS, lambda rank=rank: rank.ended_at is not None), "a rank that raised did not end"

    def _require_nothing_left(self) -> None:
        for rank in self.ranks:
            _kill(rank.pid)
        deadline = time.monotonic() + SECONDS
        workers = [pid for rank in self.ranks for pid in rank.workers]
        while (left := _readers(self._socket) or _sockets(self._socket) or _running(workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, f"left after {SECONDS} s: {left}"

    def _ledger(self, rank: int) -> Path:
        return self._folder / f"rank{rank}.ledger"

    def _require_exactly_once(self) -> None:
        self._wait(SECONDS, lambda: all(rank.ended_at is not None for rank in self.ranks))
        seen: Dict[Tuple[int, str], str] = {}
        twice = [sample for rank in self.ranks for sample in rank.twice]
        for rank in self.ranks:
            twice += [sample for sample in rank.seen if sample in seen]
            seen.update(rank.seen)
        if not any(file.stat().st_size for file in self._folder.iterdir()):
            assert not seen, "the ledgers have nothing, but batches were delivered"
            return  # killed before anything was delivered
        last = self._check()["epochs"][-1]["epoch"]
        state = self._folder / "job.json"
        _stoker("ledger", "state", *self._ledgers(), "-o", state)
        twice += self._resume(json.loads(state.read_text()), last, seen)
        said = self._check()
        assert said["exactly_once"], f"after the resume the ledgers say {said}"
        assert [epoch["epoch"] for epoch in said["epochs"]] == list(range(last + 1)), said
        assert not twice, f"delivered more than once: {twice}"
        lost = sum(epoch["delivered"] for epoch in said["epochs"]) - len(seen)
        assert 0 <= lost <= RANKS * BATCH, f"{lost} samples are in the ledgers, but nobody saw them"
        if self._has_map:
            self._require_undisturbed(seen)

    def _require_undisturbed(self, seen: Dict[Tuple[int, str], str]) -> None:
        expected: Dict[Tuple[int, str], str] = {}
        with stoker.Loader(self._container, 64, True, SEED, 0, 1, workers=0, **MAP) as loader:
            for epoch in sorted({epoch for epoch, _ in seen}):
                loader.set_epoch(epoch)
                for batch in loader:
                    note(expected, epoch, samples_of(batch))
        wrong = [sample for sample, value in seen.items() if expected[sample] != value]
        assert not wrong, f"the function returned something else for {wrong[:5]}"

    def _resume(self, state: Dict[str, Any], last: int, seen: Dict[Tuple[int, str], str]) -> List[Tuple[int, str]]:
        """Another number of ranks, with another number of workers, completes all epochs that were begun; returns what it saw
        again."""
        world = self._chance.randrange(1, 5)
        twice = []
        for rank in range(world):
            size = self._chance.randrange(1, 40)
            options = {**MAP, "workers": self._chance.randrange(3)} if self._has_map else {}
            with stoker.Loader(
                self._container, size, True, SEED, rank, world, tail=self._tail, ledger=self._ledger(rank), **options
            ) as loader:
                loader.load_state_dict(state)
                for epoch in range(state["epoch"], last + 1):
                    for batch in loader:
                        twice += note(seen, epoch, samples_of(batch))
        return twice

    def _ledgers(self) -> List[Path]:
        return sorted(self._folder.glob("rank*.ledger"))

    def _check(self) -> Dict[str, Any]:
        said: Dict[str, Any] = json.loads(_stoker("ledger", "check", "--json", *self._ledgers()))
        return said

    def _wait(self, seconds: float, is_done) -> bool:  # type: ignore[no-untyped-def]
        deadline = time.monotonic() + seconds
        while not is_done():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return False
            open_ones = [rank for rank in self.ranks if rank.ended_at is None]
            ready, _, _ = select.select([rank.out for rank in open_ones], [], [], min(remaining, 0.05))
            for rank in open_ones:
                if rank.out in ready:
                    rank.listen()
        return True


def _stoker(*arguments: Any) -> str:
    """What the command prints; it fails where the ledgers do not have every sample once, which its answer says too."""
    command = find_command()
    assert command is not None
    ended = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert ended.returncode == 0 or "check" in arguments, ended.stderr
    return ended.stdout


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _running(pids: List[int]) -> List[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def _sockets(name: str) -> List[str]:
    return [line for line in Path("/proc/net/unix").read_text().splitlines() if line.endswith("@" + name)]


def _readers(name: str) -> List[int]:
    """Processes other than this one and the ranks that were started for this job: their environment tells."""
    job = f"STOKER_JOB={os.environ['STOKER_JOB']}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if job in (entry / "environ").read_bytes().split(b"\0") and (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def campaign(container: str, rounds: int, seed: int) -> Dict[str, int]:
    """Runs the rounds; returns how often each thing was seen. The first failure is raised, with its round and seed."""
    before = _shared_memory()
    seen: Dict[str, int] = {}
    for number in range(rounds):
        try:
            with tempfile.TemporaryDirectory(prefix="stoker-kills.") as folder:
                outcome = Round(container, number, seed, folder).run()
        except AssertionError as e:
            raise AssertionError(f"round {number} of seed {seed}: {e}") from e
        seen[outcome] = seen.get(outcome, 0) + 1
    assert not {name for name in _shared_memory() if "stoker" in name} - before
    return seen


def _shared_memory() -> Set[str]:
    """The names of shared memory. Folders there are scratch space of somebody."""
    return {entry.name for entry in os.scandir("/dev/shm") if not entry.is_dir()}


if __name__ == "__main__":
    container, rounds = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(2**32)
    print(f"{rounds} rounds, seed {seed}", flush=True)
    for outcome, count in sorted(campaign(container, rounds, seed).items()):
        print(f"{count:5} {outcome}")
