"""Divides a dataset among processes: one element in turn, first by number and then as a stream.

With four processes, process 0 gets elements 0, 4, 8, …, process 1 gets 1, 5, 9, … Stoker's loader does the same: place p
of the order belongs to rank p mod world.

run: python3 exercises/shard.py photos.stk
prints:
    by number: ranks have 50, 50, 50, 50 of 200
    as a stream: the same
    by the loader: the same
"""

import itertools
import sys

import stoker

WORLD = 4
samples = stoker.open(sys.argv[1])


def by_number(rank):
    """A map-style dataset: the numbers of a rank are known at once."""
    return [samples[i]["key"] for i in range(rank, len(samples), WORLD)]


def as_stream(rank):
    """An iterable: every process sees the whole stream, and keeps its own elements."""
    return [sample["key"] for sample in itertools.islice(samples, rank, None, WORLD)]


def by_loader(rank):
    """Under srun or torchrun, rank and world are found; here they are given."""
    with stoker.Loader(sys.argv[1], 16, rank=rank, world=WORLD, fields=["key"]) as loader:
        return [key for batch in loader for key in list(batch["key"])]


expected = [by_number(rank) for rank in range(WORLD)]
print(f"by number: ranks have {', '.join(str(len(keys)) for keys in expected)} of {len(samples)}")
for name, divide in (("as a stream", as_stream), ("by the loader", by_loader)):
    print(f"{name}: {'the same' if [divide(rank) for rank in range(WORLD)] == expected else 'DIFFERENT'}")
