"""Kills (-9) processes at random moments while they save states, and looks at what is left.

    python state_kills.py FOLDER ROUNDS [SEED]

In every round one process, or three ranks, save step after step, waiting or not, and all are killed. Then stoker.latest must
give the last state that was complete, and it must load with every number as it was saved.

In other rounds one rank is stopped (SIGSTOP) in the middle of a save and the rest is killed. Then as many ranks, or another
number, save the same step with other values, and at a random moment the stopped one goes on (SIGCONT). The state must have the
values of the second save alone, and the survivor must end with one sentence.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from typing import Dict, List

import numpy as np

import stoker
from stoker._job import rank_folder

NUMBERS = 600_000
#: How long a busy machine may take for a first save.
START_SECONDS = 60.0


def save_for_ever(folder: str, first: int, rank: int, world: int, wait: bool, out: int) -> None:
    """Saves step after step, and tells of each that is complete."""
    step, part = first, NUMBERS // world
    try:
        while True:
            shard = stoker.Shard(np.full(part, step), (part * world,), part * rank)
            state = {"spread": shard, "same": np.full(NUMBERS // 4, step), "step": step}
            stoker.save(state, f"{folder}/step-{step}.safetensors", rank, world, wait, keep=2).result()
            os.write(out, b"%d\n" % step)
            step += 1
    finally:
        os._exit(1)


def told(pipe: int, seconds: float) -> List[int]:
    """The steps that are told of within some time."""
    deadline, text = time.monotonic() + seconds, b""
    while (left := deadline - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            data = os.read(pipe, 1 << 16)
            if not data:
                break
            text += data
    return [int(line) for line in text.split()]


def one_round(folder: str, before: int, chance: random.Random) -> int:
    """Returns the step that is the latest after the kill; `before` was it until then."""
    world, wait = chance.choice([1, 1, 1, 3]), chance.random() < 0.7
    pipe, out = os.pipe()
    pids = []
    for rank in range(world):
        pid = os.fork()
        if pid == 0:
            save_for_ever(folder, before + 1, rank, world, wait, out)
        pids.append(pid)
    os.close(out)
    steps = told(pipe, chance.random() * chance.choice([0.1, 0.3, 0.6]))
    for pid in chance.sample(pids, len(pids)):
        os.kill(pid, signal.SIGKILL)
    for pid in pids:
        assert os.waitpid(pid, 0)[1] == signal.SIGKILL, "a save failed before it was killed"
    steps += told(pipe, START_SECONDS)
    os.close(pipe)
    last = max(steps, default=before)
    path = stoker.latest(folder)
    assert path is not None or last < 0, "no state is left"
    if path is None:
        return before
    found = stoker.load(path, 0, 1)
    step = found["step"]
    # It may have been complete already, but killed before it could tell.
    assert last <= step <= last + 1, f"the latest is {step}, but {last} was complete"
    assert path.endswith(f"step-{step}.safetensors")
    assert (found["spread"] == step).all() and (found["same"] == step).all(), f"{path} is not what was saved"
    return int(step)


def save_once(path: str, value: int, rank: int, world: int, out: int, timeout: float, is_slow: bool = False) -> int:
    """Saves in a process of its own, and tells how it ended; returns its pid."""
    pid = os.fork()
    if pid:
        return pid
    pwrite = os.pwrite

    def slow(fd: int, data: bytes, offset: int) -> int:
        os.write(out, b"%d writes\n" % rank)
        time.sleep(0.05)
        return pwrite(fd, data, offset)

    try:
        if is_slow:
            os.pwrite = slow  # type: ignore[assignment]
        part = NUMBERS // world
        shard = stoker.Shard(np.full(part, value), (part * world,), part * rank)
        stoker.save({"spread": shard, "same": np.full(NUMBERS // 4, value), "value": value}, path, rank, world, timeout=timeout)
        os.write(out, b"%d saved\n" % rank)
    except stoker.StokerError as e:
        os.write(out, b"%d %s\n" % (rank, str(e).encode()))
    finally:
        os._exit(0)


def heard(pipe: int) -> List[str]:
    """What processes say until all have ended."""
    with os.fdopen(pipe, "rb") as said:
        return said.read().decode().splitlines()


#: How a rank ends that outlived its job, or a save that such a one disturbs.
SENTENCES = (
    "has ended without it",
    "has not been heard of",
    "did not come",
    "is there twice",
    "counts",
    "gave up",
    "being saved by",
)


def survivor_round(folder: str, chance: random.Random) -> str:
    """One rank outlives its job; returns what became of the second save."""
    path = os.path.join(folder, "survivors", "step-1.safetensors")
    os.makedirs(os.path.dirname(path))
    pipe, out = os.pipe()
    first = [save_once(path, 1, rank, 3, out, 5, is_slow=True) for rank in range(3)]
    os.close(out)
    # Most are stopped in the middle of their writing, some on the way there, some at the end.
    if chance.random() < 0.8:
        assert select.select([pipe], [], [], START_SECONDS)[0], "nobody wrote"
    time.sleep(chance.random() * 0.15)
    survivor = chance.choice([1, 2])
    os.kill(first[survivor], signal.SIGSTOP)
    for rank in {0, 1, 2} - {survivor}:
        os.kill(first[rank], signal.SIGKILL)
        os.waitpid(first[rank], 0)
    had = stoker.load(path, 0, 1) if os.path.exists(path) else None
    again, out = os.pipe()
    world = chance.choice([1, 2, 3, 4])
    second = [save_once(path, 2, rank, world, out, 10) for rank in range(world)]
    os.close(out)
    time.sleep(chance.random() * 0.2)
    if chance.random() < 0.5:
        for pid in second:
            os.waitpid(pid, 0)
        second = []
    os.kill(first[survivor], signal.SIGCONT)
    for pid in [*second, first[survivor]]:
        os.waitpid(pid, 0)
    said, ends = heard(pipe), heard(again)
    for line in [*said, *ends]:
        assert line.split(maxsplit=1)[1] in ("writes", "saved") or any(text in line for text in SENTENCES), line
    is_saved = sum(line.endswith(" saved") for line in ends) == world
    found = stoker.load(path, 0, 1) if os.path.exists(path) else None
    expected = 2 if is_saved else None if had is None else 1
    assert (found is None) == (expected is None), f"after {said} and {ends} there is {found and found['value']}"
    if found is not None:
        assert found["value"] == expected and (found["spread"] == expected).all() and (found["same"] == expected).all(), (
            f"the state should have the values of save {expected} alone, but has {np.unique(found['spread'])}; {said} {ends}"
        )
    stoker.save({}, path, 0, 1)
    left = os.listdir(os.path.dirname(path))
    assert left == ["step-1.safetensors"], f"the next save left {left}"
    os.unlink(path)
    os.rmdir(os.path.dirname(path))
    return f"second saves beside a survivor that {'were complete' if is_saved else 'it disturbed, with a sentence'}"


def campaign(folder: str, rounds: int, seed: int) -> Dict[str, int]:
    step, seen = -1, {"rounds": rounds, "states saved": 0, "kills before a state was complete": 0}
    for number in range(rounds):
        try:
            if number % 4 == 3:
                outcome = survivor_round(folder, random.Random(f"{seed} {number}"))
                seen[outcome] = seen.get(outcome, 0) + 1
                continue
            now = one_round(folder, step, random.Random(f"{seed} {number}"))
        except AssertionError as e:
            raise AssertionError(f"round {number} of seed {seed}: {e}") from e
        seen["states saved"] += now - step
        seen["kills before a state was complete"] += now == step
        step = now
    rank_folder.SILENCE_SECONDS = 0  # all ranks are dead, and need not be waited for
    stoker.save({"step": step + 1}, f"{folder}/step-{step + 1}.safetensors", 0, 1, keep=1)
    left = os.listdir(folder)
    assert left == [f"step-{step + 1}.safetensors"], f"the next save left {left}"
    return seen


if __name__ == "__main__":
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(2**32)
    print(f"{sys.argv[2]} rounds, seed {seed}", flush=True)
    for what, count in campaign(sys.argv[1], int(sys.argv[2]), seed).items():
        print(f"{count:5} {what}")
