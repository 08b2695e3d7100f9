"""With real PyTorch; the group python-frameworks of ./check has it."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np
import pytest
import torch
from conftest import Packed
from torch.utils.data import DataLoader, DistributedSampler, random_split

import stoker


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("views", [False, True])
def test_data_loader(packed: Packed, method: str, workers: int, views: bool) -> None:
    context: Any = {"multiprocessing_context": multiprocessing.get_context(method)} if workers else {}
    loader = DataLoader(
        stoker.open(packed.path, views=views), batch_size=4, num_workers=workers, collate_fn=stoker.collate, **context
    )
    batches = list(loader)
    assert torch.cat([batch["label"] for batch in batches]).tolist() == [sample["label"] for sample in packed.samples]
    assert batches[0]["label"].dtype == torch.int64
    assert [data for batch in batches for data in batch["data"]] == [sample["data"] for sample in packed.samples]


def test_default_collate_works_too(packed: Packed) -> None:
    batches = list(DataLoader(stoker.open(packed.path), batch_size=4, num_workers=2))
    assert [key for batch in batches for key in batch["key"]] == [sample["key"] for sample in packed.samples]
    assert [data for batch in batches for data in batch["data"]] == [sample["data"] for sample in packed.samples]


def test_distributed_sampler_sees_every_sample_once(packed: Packed) -> None:
    ds = stoker.open(packed.path, fields=["key"])
    seen = []
    for rank in range(3):
        sampler = DistributedSampler(ds, num_replicas=3, rank=rank, shuffle=True, seed=5)
        seen += [
            key for batch in DataLoader(ds, batch_size=2, sampler=sampler, collate_fn=stoker.collate) for key in batch["key"]
        ]
    assert sorted(seen) == sorted(sample["key"] for sample in packed.samples)


def test_random_split(packed: Packed) -> None:
    parts = random_split(stoker.open(packed.path), [10, 11])
    batches = [batch for part in parts for batch in DataLoader(part, batch_size=5, collate_fn=stoker.collate)]
    assert sorted(key for batch in batches for key in batch["key"]) == sorted(sample["key"] for sample in packed.samples)


def test_collate_makes_tensors_that_may_be_written() -> None:
    array = np.zeros((2, 2), np.float32)
    array.flags.writeable = False
    batch = stoker.collate([{"a": array, "b": array[:1]}, {"a": array, "b": array}])
    assert batch["a"].shape == (2, 2, 2)
    batch["a"] += 1
    batch["b"][0] += 1
    assert array.sum() == 0
