"""Ranks that do one thing together through a folder that all of them see, without locks, messages or clocks.

The folder of the output OUT is .OUT.stoker-job beside it, and holds

    rank-R              what rank R says of itself, as JSON: who it is, whom it heard, how far it is, and a number that grows
    NAME-R.NONCE        what rank R, or rank 0 for rank R, gives

Every file is written under another name and renamed, so whoever sees it sees all of it. Each rank draws a random nonce. Rank 0
repeats the nonces that it reads, and a rank that finds its own among them knows that this rank 0 lives, and repeats that one's:
so files that an earlier job left are never taken for those of this one. Rank 0 watches all others, they watch rank 0.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional

from ._errors import StokerError
from ._own import require_own

_BEAT_SECONDS = 1.0
#: Who was there and gave no sign of life for so long is dead; filesystems may show files late.
SILENCE_SECONDS = 30.0
_PART = ".part"

PREPARED, FILLED, SEALED, LEFT = "prepared", "filled", "sealed", "left"
_STEPS = ("joined", PREPARED, FILLED, SEALED, LEFT)


def job_folder(output: str) -> str:
    return os.path.join(os.path.dirname(output), f".{os.path.basename(output)}.stoker-job")


def delete_abandoned_job(output: str, now: float) -> None:
    """Deletes the folder of ranks that were killed. Those that live write into it every second.

    :param now: by the clock of the filesystem, which need not be that of this machine
    """
    with contextlib.suppress(OSError), os.scandir(job_folder(output)) as entries:
        if all(now - entry.stat().st_mtime > SILENCE_SECONDS for entry in entries):
            shutil.rmtree(job_folder(output), ignore_errors=True)


class Team:
    """The ranks of a job, as one of several sees them. All that waits raises when another rank failed or is gone, and names it."""

    def __init__(self, output: str, rank: int, world: int, timeout: float) -> None:
        self._folder = job_folder(output)
        self._timeout = timeout
        self.rank, self.world = rank, world
        self._nonce = secrets.token_hex(8)
        self._mine: Dict[str, Any] = {
            "rank": rank,
            "world": world,
            "who": f"process {os.getpid()} on {os.uname().nodename}",
            "nonce": self._nonce,
            "heard": {},
            "beat": 0,
            "step": "joined",
            "failure": None,
        }
        self._gift = b""
        self._lock = threading.Lock()
        self._others: Dict[int, _Other] = {}
        self._stop = threading.Event()
        self._pulse = threading.Thread(target=self._beat, name="stoker-beat", daemon=True)

    @contextlib.contextmanager
    def joined(self, gift: bytes) -> Iterator[None]:
        """Takes part, with what all others are to know; and leaves: well, or with the reason, so that all others end too."""
        self._gift = gift
        try:
            self._say()
            self._pulse.start()
            self._meet()
            yield
            self._say(step=LEFT)
        except BaseException as e:
            with contextlib.suppress(OSError):
                self._say(failure=str(e) if isinstance(e, (StokerError, OSError)) else repr(e))
            raise
        finally:
            self._stop.set()
            if self._pulse.is_alive():
                self._pulse.join()
            if self.rank == 0:
                self._clear()

    # ---- what this rank says

    def _say(self, **what: Any) -> None:
        with self._lock:
            self._mine.update(what, beat=self._mine["beat"] + 1)
            self._put(f"rank-{self.rank}", json.dumps(self._mine).encode())

    def _put(self, name: str, data: bytes) -> None:
        part = os.path.join(self._folder, f"{name}.{self._nonce}{_PART}")
        for attempt in range(100):
            try:
                os.makedirs(self._folder, exist_ok=True)
                require_own(self._folder)
                with open(part, "wb") as file:
                    file.write(data)
                os.replace(part, os.path.join(self._folder, name))
                return
            except FileNotFoundError:
                # Rank 0 of the save before was just deleting the folder.
                if attempt == 99:
                    raise
                time.sleep(0.01)

    def _beat(self) -> None:
        # While others are missing, what they wait for may be deleted as the rest of an earlier job: it is said again soon.
        while not self._stop.wait(_BEAT_SECONDS if len(self._others) == self._watched() else _BEAT_SECONDS / 10):
            with contextlib.suppress(OSError):
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

    def gift_of(self, rank: int) -> bytes:
        """What a rank joined with."""
        return self._taken("gift", rank, self._others[rank].nonce)

    def _taken(self, name: str, rank: int, nonce: str) -> bytes:
        file = os.path.join(self._folder, f"{name}-{rank}.{nonce}")
        self._wait(lambda: os.path.exists(file), lambda: f"[{file}] was not seen within {self._timeout:g} s, though it is there")
        with open(file, "rb") as opened:
            return opened.read()

    # ---- what others say

    def _read(self, rank: int) -> Optional[Dict[str, Any]]:
        try:
            with open(os.path.join(self._folder, f"rank-{rank}"), "rb") as file:
                state: Dict[str, Any] = json.loads(file.read())
            return state
        except (OSError, ValueError):
            return None

    def _meet(self) -> None:
        """Returns when all whom this rank watches have answered it."""
        if self.rank == 0:
            self._wait(self._have_all_come, self._missing)
        else:
            self._wait(self._has_leader_come, self._missing)

    def _missing(self) -> str:
        missing = [rank for rank in range(1, self.world) if rank not in self._others] if self.rank == 0 else [0]
        names = ", ".join(map(str, missing[:10])) + (", …" if len(missing) > 10 else "")
        return (
            f"rank{'s' if len(missing) > 1 else ''} {names} of {self.world} did not come within {self._timeout:g} s; let all ranks "
            "save the same path, or give rank=0, world=1 for a process on its own"
        )

    def _have_all_come(self) -> bool:
        heard = dict(self._mine["heard"])
        for rank in self._ranks_in_folder():
            state = None if rank in self._others else self._read(rank)
            if state is None:
                continue
            if state["heard"].get("0") == self._nonce:
                self._others[rank] = _Other(state)
                self._require_well(state)
            else:
                heard[str(rank)] = state["nonce"]
        if heard != self._mine["heard"]:
            self._say(heard=heard)
        return len(self._others) == self.world - 1

    def _ranks_in_folder(self) -> List[int]:
        """Those that came; also ones that should not be there, which are told of the difference."""
        names = [name[5:] for name in os.listdir(self._folder) if name.startswith("rank-")]
        return sorted(int(name) for name in names if name.isdigit() and name != "0")

    def _has_leader_come(self) -> bool:
        state = self._read(0)
        if state is None or state["heard"].get(str(self.rank)) != self._nonce:
            return False
        self._others[0] = _Other(state)
        # Rank 0 deletes the folder at the end of a save; what was given to the next one before that may be gone.
        self._give("gift", self.rank, self._nonce, self._gift)
        self._say(heard={"0": state["nonce"]})
        if state["world"] != self.world:
            raise StokerError(f"rank 0 counts {state['world']} ranks, but rank {self.rank} counts {self.world}; give all the same")
        return True

    def _require_well(self, state: Dict[str, Any]) -> None:
        if state["failure"] is not None:
            raise StokerError(f"rank {state['rank']} ({state['who']}) gave up: {state['failure']}")

    def require_going(self) -> None:
        """Raises if another rank failed or is gone."""
        for rank, other in self._others.items():
            state = self._read(rank)
            if state is None or state["nonce"] != other.nonce:
                # For a moment it may not be seen; a rank that has left may have begun to save anew.
                if state is not None and not other.has_reached(SEALED):
                    raise StokerError(f"rank {rank} is there twice: {other.state['who']}, and {state['who']}; each needs its own")
                state = other.state
            other.see(state)
            self._require_well(state)
            if not other.has_reached(LEFT) and other.silent_seconds() > SILENCE_SECONDS:
                raise StokerError(
                    f"rank {rank} ({state['who']}) has not been heard of for {SILENCE_SECONDS:g} s: it died, or its node cannot "
                    f"reach {self._folder}"
                )

    def wait_for(self, step: str) -> None:
        """Until all whom this rank watches came so far."""
        self._wait(lambda: self._have_reached(step))

    def _have_reached(self, step: str) -> bool:
        self.require_going()
        return all(other.has_reached(step) for other in self._others.values())

    def _wait(self, is_there: Callable[[], bool], missing: Optional[Callable[[], str]] = None) -> None:
        begin = last = time.monotonic()
        pause = 0.001
        while not is_there():
            time.sleep(pause)
            pause = min(1.3 * pause, 0.05)
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
                state = self._read(rank) or other.state
                other.see(state)
                is_over = state["nonce"] != other.nonce or state["failure"] is not None or state["step"] == LEFT
                if is_over or other.silent_seconds() > SILENCE_SECONDS:
                    del others[rank]
            time.sleep(0.002)
        shutil.rmtree(self._folder, ignore_errors=True)


class _Other:
    """Another rank as it was seen last."""

    def __init__(self, state: Dict[str, Any]) -> None:
        self.state = state
        self.nonce: str = state["nonce"]
        self._changed = time.monotonic()

    def see(self, state: Dict[str, Any]) -> None:
        if state["beat"] != self.state["beat"]:
            self.state = state
            self._changed = time.monotonic()

    def silent_seconds(self) -> float:
        return time.monotonic() - self._changed

    def has_reached(self, step: str) -> bool:
        return _STEPS.index(self.state["step"]) >= _STEPS.index(step)
