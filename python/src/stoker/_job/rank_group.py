"""Ranks that do one thing together through a folder that all of them see, without locks, messages or clocks.

The folder of the output OUT is .OUT.stoker-save beside it, and holds

    rank-R.NONCE        what rank R says of itself, as JSON: who it is, whom it heard, how far it is, and a number that grows
    NAME-R.NONCE        what rank R, or rank 0 for rank R, gives
    room-R.NONCE.part   room for the last word of rank R, which a full disk must not keep from the others

Every file is written under another name and renamed, so whoever sees it sees all of it. Each rank draws a random nonce. Rank 0
repeats the nonces that it reads, and a rank that finds its own among them knows that this rank 0 lives, and repeats that one's:
so files that an earlier job left are never taken for those of this one. Rank 0 watches all others, they watch rank 0. No file
has two writers: a rank that outlived its job writes beside the files of the next one.

The folder is not that of Java's dev.stoker.job, .OUT.stoker-job, whose ranks speak otherwise.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple

from .._errors import StokerError
from .._system.ownership import require_own
from . import rank_folder
from .peer import LEFT, SEALED, Member, Peer
from .rank_folder import job_folder
from .ranks import launch_name

_BEAT_SECONDS = 1.0
_PART = ".part"
_LONGEST_REASON = 1000


class RankGroup:
    """The ranks of a job, as one of several sees them. All that waits raises when another rank failed or is gone, and names
    it."""

    def __init__(self, output: str, rank: int, world: int, timeout: float) -> None:
        self._output = output
        self._folder = job_folder(output)
        self._timeout = timeout
        self.rank, self.world = rank, world
        self._nonce = secrets.token_hex(8)
        self._mine: Dict[str, Any] = {
            "rank": rank,
            "world": world,
            "who": f"process {os.getpid()} on {os.uname().nodename}",
            "launch": launch_name(),
            "nonce": self._nonce,
            "heard": [],
            "beat": 0,
            "step": "joined",
            "failure": None,
        }
        self._description = b""
        self._lock = threading.Lock()
        self._others: Dict[int, Peer] = {}
        #: Those that ask to be a rank of this job, and did not answer its rank 0: dead, or one too many.
        self._unanswered: Dict[Member, Peer] = {}
        self._have_met = False
        self._stop = threading.Event()
        self._heartbeat = threading.Thread(target=self._send_heartbeats, name="stoker-heartbeat", daemon=True)

    @contextlib.contextmanager
    def joined(self, description: bytes) -> Iterator[None]:
        """Takes part, with what all others are to know; and leaves: well, or with the reason, so that all others end too."""
        self._description = description
        try:
            self._say()
            self._heartbeat.start()
            self._meet()
            self._reserve()
            yield
            self._stop_heartbeat()
            self._say(step=LEFT)
        except BaseException as e:
            self._stop_heartbeat()
            with contextlib.suppress(OSError, StokerError):
                self._say_last(str(e) if isinstance(e, (StokerError, OSError)) else repr(e))
            raise
        finally:
            if self.rank == 0:
                self._clear()
            elif not self._others:
                self._withdraw()

    def _stop_heartbeat(self) -> None:
        """Before the last word: after that rank 0 deletes the folder, into which nothing may come any more."""
        self._stop.set()
        if self._heartbeat.is_alive():
            self._heartbeat.join()

    @property
    def leader_nonce(self) -> str:
        """Names this try: no other one has the same."""
        return self._nonce if self.rank == 0 else self._others[0].nonce

    # ---- what this rank says

    def _say(self, **what: Any) -> None:
        with self._lock:
            self._mine.update(what, beat=self._mine["beat"] + 1)
            self._put(f"rank-{self.rank}.{self._nonce}", json.dumps(self._mine).encode())

    @property
    def _reserved(self) -> str:
        return os.path.join(self._folder, f"room-{self.rank}.{self._nonce}{_PART}")

    def _reserve(self) -> None:
        """Takes the room for the last word while there is some."""
        reason = "\uffff" * _LONGEST_REASON  # what takes most in JSON
        with open(self._reserved, "wb") as file:
            file.write(json.dumps({**self._mine, "failure": reason}).encode())

    def _say_last(self, failure: str) -> None:
        """Says why this rank gave up, in the room that was kept, if it came so far."""
        if not os.path.exists(self._reserved):
            self._say(failure=failure)
            return
        with self._lock, open(self._reserved, "r+b") as file:
            self._mine.update(failure=failure[:_LONGEST_REASON], beat=self._mine["beat"] + 1)
            file.write(json.dumps(self._mine).encode().ljust(os.fstat(file.fileno()).st_size))
        os.replace(self._reserved, os.path.join(self._folder, f"rank-{self.rank}.{self._nonce}"))

    def _put(self, name: str, data: bytes) -> None:
        part = os.path.join(self._folder, f"{name}.{self._nonce}{_PART}")
        for attempt in range(100):
            try:
                if not self._have_met:
                    os.makedirs(self._folder, exist_ok=True)
                require_own(self._folder)
                with open(part, "wb") as file:
                    file.write(data)
                os.replace(part, os.path.join(self._folder, name))
                return
            except FileNotFoundError:
                # Rank 0 of the save before was just deleting the folder.
                if attempt == 99:
                    if self._have_met:
                        raise self.over() from None
                    raise
                time.sleep(0.01)

    def over(self) -> StokerError:
        """What a rank raises that the others no longer wait for."""
        return StokerError(
            f"[{self._output}] the save that rank {self.rank} of {self.world} took part in has ended without it: rank 0 was "
            "killed or "
            "gave up, or this process stood still for too long; end this process, and resume from the newest state"
        )

    def _send_heartbeats(self) -> None:
        # While others are missing, what they wait for may be deleted as the rest of an earlier job: it is said again soon.
        while not self._stop.wait(_BEAT_SECONDS if len(self._others) == self._watched() else _BEAT_SECONDS / 10):
            with contextlib.suppress(OSError, StokerError):
                self._say()

    def _watched(self) -> int:
        return self.world - 1 if self.rank == 0 else 1

    def tell(self, step: str) -> None:
        self._say(step=step)

    def _give(self, name: str, rank: int, nonce: str, data: bytes) -> None:
        self._put(f"{name}-{rank}.{nonce}", data)

    def give_to(self, rank: int, name: str, data: bytes) -> None:
        """Rank 0 leaves something for a rank."""
        self._give(name, rank, self._others[rank].nonce, data)

    def take(self, name: str) -> bytes:
        """Takes what rank 0 left for this rank."""
        return self._taken(name, self.rank, self._nonce)

    def edges_of(self, rank: int) -> str:
        """The file of what a rank writes into pages that it shares with others."""
        nonce = self._nonce if rank == self.rank else self._others[rank].nonce
        return os.path.join(self._folder, f"edges-{rank}.{nonce}")

    def description_of(self, rank: int) -> bytes:
        """What a rank joined with."""
        return self._taken("description", rank, self._others[rank].nonce)

    def _taken(self, name: str, rank: int, nonce: str) -> bytes:
        file = os.path.join(self._folder, f"{name}-{rank}.{nonce}")
        self.await_file(file)
        with open(file, "rb") as opened:
            return opened.read()

    def await_file(self, file: str) -> None:
        """Until a file that another rank has made is seen here too."""
        self._wait(
            lambda: os.path.exists(file), lambda: f"[{file}] was not seen within {self._timeout:g} s, though it was made"
        )

    # ---- what others say

    def _read(self, member: Member) -> Optional[Dict[str, Any]]:
        try:
            with open(os.path.join(self._folder, f"rank-{member.rank}.{member.nonce}"), "rb") as file:
                state: Dict[str, Any] = json.loads(file.read())
            return state
        except (OSError, ValueError):
            return None

    def _names(self) -> List[str]:
        try:
            return os.listdir(self._folder)
        except FileNotFoundError:
            return []  # rank 0 of the save before was just deleting it

    def _asking(self, leaders: bool) -> Iterator[Tuple[Member, Dict[str, Any]]]:
        """The processes of this launch in the folder that are not known yet: those that say they are rank 0, or the others.
        Some may be dead."""
        for name in self._names():
            rank, _, nonce = name[len("rank-") :].partition(".")
            if name.startswith("rank-") and not name.endswith(_PART) and rank.isdigit() and (rank == "0") == leaders:
                known = self._others.get(int(rank))
                member = Member(int(rank), nonce)
                state = None if known is not None and known.nonce == nonce else self._read(member)
                if state is not None and state["launch"] == self._mine["launch"]:
                    yield member, state

    def _meet(self) -> None:
        """Returns when all whom this rank watches have answered it."""
        if self.rank == 0:
            self._wait(self._have_all_come, self._missing)
        else:
            self._wait(self._has_leader_come, self._missing)
        self._have_met = True

    def _missing(self) -> str:
        missing = [rank for rank in range(1, self.world) if rank not in self._others] if self.rank == 0 else [0]
        names = ", ".join(map(str, missing[:10])) + (", …" if len(missing) > 10 else "")
        return (
            f"rank{'s' if len(missing) > 1 else ''} {names} of {self.world} did not come within {self._timeout:g} s; let "
            "all ranks "
            "save the same path, or give rank=0, world=1 for a process on its own"
        )

    def _have_all_come(self) -> bool:
        heard = list(self._mine["heard"])
        for member, state in self._asking(leaders=False):
            if self._nonce in state["heard"]:
                self._welcome(member, state)
            elif not state["heard"]:  # else it follows another rank 0, which may be dead
                self._unanswered.setdefault(member, Peer(state))
                if member.nonce not in heard:
                    heard.append(member.nonce)
        if heard != self._mine["heard"]:
            self._say(heard=heard)
        return len(self._others) == self.world - 1

    def _welcome(self, member: Member, state: Dict[str, Any]) -> None:
        known = self._others.get(member.rank)
        if known is not None:
            raise self._twice(known.state, state)
        self._unanswered.pop(member, None)
        self._others[member.rank] = Peer(state)
        self._require_well(state)
        self._require_same_world(self.world, member.rank, state["world"])

    def _twice(self, one: Dict[str, Any], other: Dict[str, Any]) -> StokerError:
        return StokerError(
            f"rank {one['rank']} is there twice: {one['who']}, and {other['who']}; each process needs a rank of its own, "
            "and a job "
            "that was killed must have ended with all its processes"
        )

    def _require_same_world(self, of_leader: int, rank: int, of_rank: int) -> None:
        if of_leader != of_rank:
            raise StokerError(f"rank 0 counts {of_leader} ranks, but rank {rank} counts {of_rank}; give all the same")

    def _has_leader_come(self) -> bool:
        for member, state in self._asking(leaders=True):
            if self._nonce in state["heard"]:
                self._others[0] = Peer(state)
                # Rank 0 deletes the folder at the end of a save; what was given to the next one before that may be gone.
                self._give("description", self.rank, self._nonce, self._description)
                self._say(heard=[member.nonce])
                self._require_same_world(state["world"], self.rank, self.world)
                return True
        return False

    def require_no_duplicates(self) -> None:
        """Raises if a living process asks to be a rank that another one already is: one of them belongs to a job that was
        thought dead, and its values must not get into this state."""
        for member, state in self._asking(leaders=False):
            if self._is_asking(state):
                self._unanswered.setdefault(member, Peer(state))
        self._wait(lambda: all(map(self._is_dead, self._unanswered.items())))

    def _is_asking(self, state: Dict[str, Any]) -> bool:
        """Whether a process wants to be in this try. Who has heard another rank 0 belongs to another one."""
        return not state["heard"] or self._nonce in state["heard"]

    def _is_dead(self, asking: Tuple[Member, "Peer"]) -> bool:
        """Whether a process that waits for an answer, and so has a quick beat, has none."""
        member, before = asking
        state = self._read(member)
        if state is not None and self._is_asking(state) and state["beat"] != before.state["beat"]:
            known = self._others.get(member.rank)
            raise self._twice(known.state if known else self._mine, state)
        return before.silent_seconds() > _BEAT_SECONDS

    def _require_well(self, state: Dict[str, Any]) -> None:
        if state["failure"] is not None:
            raise StokerError(f"rank {state['rank']} ({state['who']}) gave up: {state['failure']}")

    def require_going(self) -> None:
        """Raises if another rank failed or is gone."""
        for rank, other in self._others.items():
            # For a moment it may not be seen; but nobody deletes the folder of ranks that are alive.
            state = self._read(Member(rank, other.nonce)) or other.state
            other.see(state)
            self._require_well(state)
            if self._have_met and not other.has_reached(SEALED) and not os.path.exists(self._folder):
                raise self.over()
            if not other.has_reached(LEFT) and other.silent_seconds() > rank_folder.SILENCE_SECONDS:
                raise StokerError(
                    f"rank {rank} ({state['who']}) has not been heard of for {rank_folder.SILENCE_SECONDS:g} s: it died, or "
                    "its node cannot "
                    f"reach {self._folder}"
                )

    def raise_end(self, cause: BaseException) -> NoReturn:
        """Raises why the save has ended: what rank 0 says, if it says so soon."""
        deadline = time.monotonic() + 3 * _BEAT_SECONDS
        while time.monotonic() < deadline:
            self.require_going()
            time.sleep(0.05)
        raise self.over() from cause

    def wait_for(self, step: str) -> None:
        """Until all whom this rank watches came so far."""
        self._wait(lambda: self._have_reached(step))

    def _have_reached(self, step: str) -> bool:
        self.require_going()
        return all(other.has_reached(step) for other in self._others.values())

    def _wait(self, is_there: Callable[[], bool], missing: Optional[Callable[[], str]] = None) -> None:
        begin = last = time.monotonic()
        pause, longest = 0.001, max(0.05, self.world / 5000)  # a thousand ranks that look are a load for a server
        while not is_there():
            time.sleep(pause)
            pause = min(1.3 * pause, longest)
            now = time.monotonic()
            if now - last > _BEAT_SECONDS:
                last = now
                self.require_going()
            if missing is not None and now - begin > self._timeout:
                raise StokerError(missing())

    def _clear(self) -> None:
        """Deletes the folder, once those who came have seen how it ended, or are dead."""
        others = dict(self._others)
        while others:
            for rank, other in list(others.items()):
                state = self._read(Member(rank, other.nonce)) or other.state
                other.see(state)
                is_over = state["failure"] is not None or state["step"] == LEFT
                if is_over or other.silent_seconds() > rank_folder.SILENCE_SECONDS:
                    del others[rank]
            time.sleep(0.002)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _withdraw(self) -> None:
        """Takes away what a rank said that nobody has heard."""
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self._folder, f"rank-{self.rank}.{self._nonce}"))
            os.rmdir(self._folder)
