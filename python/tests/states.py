"""What the tests of states share: several ranks as processes, random states, and whether two are equal."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

SECONDS = 120.0

FIRST = {"model": {"w": np.arange(12, dtype=np.float32).reshape(3, 4)}, "step": 1}


def run_ranks(world: int, work: Callable[[int, int], Any]) -> List[Any]:
    """Runs work(rank, world) in so many processes; returns what each returned, or the text of its error."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def run(rank: int) -> None:
        try:
            queue.put((rank, work(rank, world)))
        except BaseException as e:
            if not isinstance(e, ValueError):
                traceback.print_exc()
            queue.put((rank, f"{type(e).__name__}: {e}"))

    processes = [context.Process(target=run, args=(rank,)) for rank in range(world)]
    for process in processes:
        process.start()
    results: Dict[int, Any] = dict(queue.get(timeout=SECONDS) for _ in processes)
    for process in processes:
        process.join(SECONDS)
        assert process.exitcode == 0
    return [results[rank] for rank in range(world)]


def random_array(chance: random.Random, shape: Tuple[int, ...] = ()) -> np.ndarray:
    names = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    dtype = np.dtype(chance.choice([*names, "float16", "float32", "float64", "complex64"]))
    shape = shape or tuple(chance.randrange(6) for _ in range(chance.randrange(4)))
    if dtype == np.dtype("bool"):
        return np.asarray(np.frombuffer(chance.randbytes(math.prod(shape)), np.uint8).reshape(shape) > 127)
    return np.frombuffer(chance.randbytes(math.prod(shape) * dtype.itemsize), dtype).reshape(shape).copy()


def random_state(chance: random.Random, depth: int = 4) -> Any:
    """Anything that can be saved."""
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(
            [
                lambda: random_array(chance),
                lambda: chance.choice([None, True, False]),
                lambda: chance.randrange(-(2 ** chance.choice([3, 40, 200])), 2**100),
                lambda: chance.choice([math.nan, math.inf, -math.inf, -0.0, 0.1, 5e-324, chance.random() * 1e300, 3.0]),
                lambda: "".join(chance.choice('a.$~"\\ä数🦊\n\0') for _ in range(chance.randrange(9))),
                lambda: chance.randbytes(chance.randrange(5)),
                lambda: complex(chance.choice([1.5, math.nan]), -2),
            ]
        )()
    items = [random_state(chance, depth - 1) for _ in range(chance.randrange(5))]
    kind = chance.randrange(4)
    if kind < 2:
        return items if kind == 0 else tuple(items)
    keys = ["a", "a.b", "b", "$tensor", "", "__metadata__", 0, 1, -7, None, 2.5, (1, "x"), "0"] if kind == 2 else list("abcde")
    return dict(zip(chance.sample(keys, len(items)), items))


def same(one: Any, other: Any) -> bool:
    """Equal in every type and bit."""
    if isinstance(one, np.ndarray):
        is_alike = isinstance(other, np.ndarray) and one.dtype == other.dtype and one.shape == other.shape
        return is_alike and one.tobytes() == other.tobytes()
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(type(k) is type(j) and same(one[k], other[k]) for k, j in zip(one, other))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return repr(one) == repr(other)


def names(folder: Path) -> List[str]:
    return sorted(os.listdir(folder))
