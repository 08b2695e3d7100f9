#!/usr/bin/env python3
"""A rank that saves a state, and the check of what came of it; for checks/cluster.py.

    cluster_state.py save FILE RANK WORLD VALUE
    cluster_state.py check FILE VALUE
"""

import sys

import numpy as np

import stoker


def values(value):
    """Of tensors that are cut along either dimension; no size is a multiple of a page's."""
    chance = np.random.default_rng(value)
    return {f"t{i}": chance.integers(0, 1 << 30, shape, np.int32) for i, shape in enumerate([(900, 77), (31, 4001), (5, 3), (2000, 53)])}


def cut(array, dim, rank, world):
    low, high = array.shape[dim] * rank // world, array.shape[dim] * (rank + 1) // world
    at = tuple(slice(low, high) if i == dim else slice(None) for i in range(array.ndim))
    return stoker.Shard(array[at], array.shape, tuple(low if i == dim else 0 for i in range(array.ndim)))


def save(path, rank, world, value):
    spread = {name: cut(array, i % 2, rank, world) for i, (name, array) in enumerate(values(value).items())}
    stoker.save({"spread": spread, "same": values(value + 100), "own": {rank: np.full(3, value)}}, path, rank, world, timeout=20.0)


def check(path, value):
    found = stoker.load(path)
    for name, array in values(value).items():
        assert (found["spread"][name] == array).all(), name
    for name, array in values(value + 100).items():
        assert (found["same"][name] == array).all(), name
    assert all((own == value).all() for own in found["own"].values())


try:
    if sys.argv[1] == "save":
        save(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        check(sys.argv[2], int(sys.argv[3]))
except stoker.StokerError as e:
    print(f"stoker: {e}", file=sys.stderr)
    sys.exit(1)
