"""Kills (-9) processes at random moments while they save states, and looks at what is left.

    python state_kills.py FOLDER ROUNDS [SEED]

In every round one process, or three ranks, save step after step, waiting or not, and all are killed. Then stoker.latest must give
the last state that was complete, and it must load with every number as it was saved.
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
from stoker import _team

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


def campaign(folder: str, rounds: int, seed: int) -> Dict[str, int]:
    step, seen = -1, {"rounds": rounds, "states saved": 0, "kills before a state was complete": 0}
    for number in range(rounds):
        try:
            now = one_round(folder, step, random.Random(f"{seed} {number}"))
        except AssertionError as e:
            raise AssertionError(f"round {number} of seed {seed}: {e}") from e
        seen["states saved"] += now - step
        seen["kills before a state was complete"] += now == step
        step = now
    _team.SILENCE_SECONDS = 0  # all ranks are dead, and need not be waited for
    stoker.save({"step": step + 1}, f"{folder}/step-{step + 1}.safetensors", 0, 1, keep=1)
    left = os.listdir(folder)
    assert left == [f"step-{step + 1}.safetensors"], f"the next save left {left}"
    return seen


if __name__ == "__main__":
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(2**32)
    print(f"{sys.argv[2]} rounds, seed {seed}", flush=True)
    for what, count in campaign(sys.argv[1], int(sys.argv[2]), seed).items():
        print(f"{count:5} {what}")
