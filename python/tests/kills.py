"""Kills ranks and reader processes at random moments, and looks at what becomes of the others.

    python kills.py CONTAINER ROUNDS [SEED]

In every round three ranks share a reader process, and one of the four is killed (-9), or two. The survivors must go on, or
raise one clear error within 5 s. Afterwards no process, no socket and no shared memory may be left.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import signal
import sys
import time
from pathlib import Path
from typing import Dict, List, Optional, Set

import stoker
from stoker._reader import ReaderEnded, socket_name

RANKS = 3
SECONDS = 5.0
#: How long a busy machine may take to start a JVM; starting is not what is measured.
START_SECONDS = 180.0


class Rank:
    """A process that iterates over a loader for ever and tells of each batch."""

    def __init__(self, container: str, rank: int) -> None:
        self.out, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.out)
            _iterate(container, rank, write)
        os.close(write)
        self.reader: Optional[int] = None
        self.batches = 0
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
            else:
                self.error = rest


def _iterate(container: str, rank: int, out: int) -> None:
    code = 1
    try:
        loader = stoker.Loader(container, 4, shuffle=True, seed=1, rank=rank, world=RANKS)
        os.write(out, b"reader %d\n" % loader.reader_pid)
        while True:
            for batch in loader:
                for data in batch["data"]:
                    data.sum()
                os.write(out, b"batch\n")
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

    def __init__(self, container: str, number: int, seed: int) -> None:
        self._chance = random.Random(f"{seed} {number}")
        os.environ["STOKER_JOB"] = f"kills {os.getpid()} {number} {seed}"
        self._socket = socket_name()[1:]
        self.ranks = [Rank(container, rank) for rank in range(RANKS)]
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
        victims = self._chance.sample([*self.ranks, "reader"], self._chance.choice((1, 1, 2)))
        for victim in victims:
            if victim == "reader":
                for pid in readers or _readers(self._socket):
                    _kill(pid)
            else:
                self.killed.add(victim.pid)
                _kill(victim.pid)
        self._require_survivors_go_on("reader" in victims and not is_early, is_early)
        names = ["reader" if victim == "reader" else "rank" for victim in victims]
        outcomes = ["killed" if rank.pid in self.killed else "raised" if rank.error else "went on" for rank in self.ranks]
        self._require_nothing_left()
        return f"killed {'+'.join(names)}{' while starting' if is_early else ''}: {', '.join(outcomes)}"

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
        while (left := _readers(self._socket) or _sockets(self._socket)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, f"left after {SECONDS} s: {left}"

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


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


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
            outcome = Round(container, number, seed).run()
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
