"""Saves states into a folder until its filesystem is full: python state_full.py FOLDER. Run by checks/state.sh on 8 MB."""

from __future__ import annotations

import os
import sys

import numpy as np
from states import run_ranks

import stoker


def save(rank: int, world: int, step: int, wait: bool) -> str:
    state = {
        "x": stoker.Shard(np.full(250_000 // world, step), (250_000 // world * world,), 250_000 // world * rank),
        "step": step,
    }
    return stoker.save(state, f"{sys.argv[1]}/step-{step}.safetensors", rank, world, wait).result()


def main() -> None:
    step = 0
    for world in (1, 3):
        for wait in (True, False):
            first = step
            for step in range(first, first + 10):
                results = run_ranks(world, lambda rank, world, step=step, wait=wait: save(rank, world, step, wait))  # type: ignore[misc]
                if results[0].startswith("StokerError"):
                    break
            print(results[0])
            assert all("No space left on device" in result for result in results), results
            names = sorted(os.listdir(sys.argv[1]))
            assert names and all(name.endswith(".safetensors") for name in names), names
            latest = stoker.latest(sys.argv[1])
            assert latest is not None and latest.endswith(f"step-{step - 1}.safetensors"), latest
            assert (stoker.load(latest, 0, 1)["x"] == step - 1).all()
            os.unlink(latest)
            step -= 1


if __name__ == "__main__":
    main()
