"""The loader with real PyTorch, JAX, TensorFlow, Lightning and Accelerate; the group python-frameworks of ./check has them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest
from conftest import Packed

import stoker
from stoker._frameworks.torch_worker import Worker
from stoker._loader import worker_epochs
from stoker._loader.device import DeviceLoader

SOURCE = str(Path(stoker.__file__).parents[1])

pytestmark = pytest.mark.usefixtures("keeper")


def expected_keys(stk: Packed) -> List[str]:
    return [sample["key"] for sample in stk.samples]


# ---- PyTorch


def test_torch_tensors_lie_in_the_shared_memory(stk: Packed) -> None:
    torch = pytest.importorskip("torch")
    with stoker.Loader(stk.path, 4, framework="torch") as loader:
        assert isinstance(loader, torch.utils.data.IterableDataset)
        assert isinstance(loader, stoker.Loader)
        batches = iter(loader)
        batch = next(batches)
        assert batch["label"].dtype == torch.int64
        assert batch["label"].tolist() == [sample["label"] for sample in stk.samples[:4]]
        assert batch["data"].values.dtype == torch.uint8
        assert batch["data"][1].numpy().tobytes() == stk.samples[1]["data"]
        assert list(batch["key"]) == expected_keys(stk)[:4]


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("workers", [0, 1, 2])
def test_torch_data_loader(stk: Packed, workers: int, method: str) -> None:
    data = pytest.importorskip("torch.utils.data")
    context = {"multiprocessing_context": method} if workers else {}
    with stoker.Loader(stk.path, 4, framework="torch", tail="ragged") as loader:
        batches = list(data.DataLoader(loader, batch_size=None, num_workers=workers, **context))
        if workers:  # their batches are copies
            keys = [key for batch in batches for key in batch["key"]]
            assert sorted(keys) == sorted(expected_keys(stk))
        assert sum(len(batch["label"]) for batch in batches) == len(stk.samples)


WORKERS = 2


def in_workers(loader: stoker.Loader, **options: Any) -> Any:
    from torch.utils.data import DataLoader

    return DataLoader(loader, batch_size=None, num_workers=WORKERS, **options)


def shuffled(stk: Packed, **options: Any) -> stoker.Loader:
    return stoker.Loader(stk.path, 4, True, 5, framework="torch", tail="ragged", **options)


def batches_of(loader: Any) -> List[List[str]]:
    return sorted(list(batch["key"]) for batch in loader)


def by_ranks(stk: Packed, epoch: int, state: Any = None) -> List[List[str]]:
    """What workers should deliver of an epoch, by as many ranks; with a state what is left of it."""
    batches = []
    for rank in range(WORKERS):
        with shuffled(stk, rank=rank, world=WORKERS) as loader:
            loader.set_epoch(epoch)
            if state is not None:
                loader.load_state_dict(state)
            batches += batches_of(loader)
    return sorted(batches)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_torch_workers_go_on_with_the_next_epoch(stk: Packed, method: str) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        next(iter(loader))
        state = loader.state_dict()
        loader.load_state_dict(state)
        data = in_workers(loader, multiprocessing_context=method)
        assert batches_of(data) == by_ranks(stk, 0, state)
        assert batches_of(data) == by_ranks(stk, 1)


def test_torch_workers_and_the_process_that_has_them(stk: Packed) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        next(iter(loader))
        state = loader.state_dict()
        loader.set_epoch(1)
        data = in_workers(loader)
        assert batches_of(data) == by_ranks(stk, 1)
        assert batches_of(in_workers(loader)) == by_ranks(stk, 2)  # another one goes on, too
        assert loader.epoch == 3
        with pytest.raises(stoker.StokerError, match=r"this loader's position is unknown: .* or use torchdata's Stateful"):
            loader.state_dict()
        again = pickle.loads(pickle.dumps(loader))
        assert again.epoch == 3 and again.state_dict()["cursor"] == 0
        again.close()
        batches = iter(loader)  # and so does the loader itself
        next(batches)
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (3, 4)
        loader.set_epoch(1)
        assert batches_of(data) == by_ranks(stk, 1)
        assert batches_of(data) == by_ranks(stk, 2)
        loader.load_state_dict(state)
        assert loader.state_dict() == state
        assert batches_of(data) == by_ranks(stk, 0, state)


def test_torch_workers_that_persist_go_on_with_the_next_epoch(stk: Packed) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        data = in_workers(loader, persistent_workers=True)
        for epoch in range(3):
            assert batches_of(data) == by_ranks(stk, epoch)
        assert batches_of(in_workers(loader)) == by_ranks(stk, 3)


def test_torch_workers_of_an_epoch_that_was_left_early(stk: Packed) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        data = in_workers(loader)
        next(iter(data))
        assert batches_of(data) == by_ranks(stk, 1)


def test_torch_workers_with_the_same_seed_in_each_epoch(stk: Packed) -> None:
    torch = pytest.importorskip("torch")
    with shuffled(stk) as loader:
        for epoch in range(3):
            torch.manual_seed(0)
            assert batches_of(in_workers(loader)) == by_ranks(stk, epoch)


def test_torch_workers_with_the_same_seed_and_more_of_them(stk: Packed) -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    with shuffled(stk) as loader:
        for workers in (1, 2, 3):
            torch.manual_seed(0)
            keys = [key for batch in DataLoader(loader, batch_size=None, num_workers=workers) for key in batch["key"]]
            assert sorted(keys) == sorted(expected_keys(stk))


@pytest.mark.parametrize("later", [Worker(1, 2, 7, 3), Worker(1, 4, 7, 1), Worker(1, 2, 8, 1)])
def test_workers_of_another_round_begin_the_next_epoch(later: Worker) -> None:
    """Of the first round one worker never came: it was ended before it began."""
    rounds: List[Dict[str, Any]] = []
    assert worker_epochs._join(rounds, Worker(0, 2, 7, 1), None, 0) == 0
    assert worker_epochs._join(rounds, later, 1, 0) == 1
    assert worker_epochs._join(rounds, Worker(1, 2, 7, 1), 2, 0) == 0


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_torch_workers_after_a_loop_that_was_left_early(stk: Packed, method: str) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        next(iter(loader))
        assert batches_of(in_workers(loader, multiprocessing_context=method)) == by_ranks(stk, 1)


def test_loader_without_memfd(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create")
    with stoker.Loader(stk.path, 4) as loader:
        assert [key for batch in loader for key in batch["key"]] == expected_keys(stk)


def test_torch_workers_of_data_loaders_at_once(stk: Packed) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        one, other = zip(*zip(in_workers(loader), in_workers(loader)))
        assert sorted([batches_of(one), batches_of(other)]) == sorted([by_ranks(stk, 0), by_ranks(stk, 1)])


def _two_epochs(loader: stoker.Loader, out: Any) -> None:
    import torch

    torch.manual_seed(0)
    out.put([batches_of(in_workers(loader)) for _ in range(2)])


def test_torch_workers_of_other_ranks_do_not_count(stk: Packed) -> None:
    pytest.importorskip("torch")
    context = multiprocessing.get_context("fork")
    out = context.Queue()
    with shuffled(stk) as loader:
        ranks = [context.Process(target=_two_epochs, args=(loader, out)) for _ in range(2)]
        for rank in ranks:
            rank.start()
        found = [out.get(timeout=60) for _ in ranks]
        for rank in ranks:
            rank.join()
        assert loader.state_dict()["epoch"] == 0
    assert found == [[by_ranks(stk, 0), by_ranks(stk, 1)]] * 2


def _begin_at_epoch_7(_: int) -> None:
    from torch.utils.data import get_worker_info

    get_worker_info().dataset.set_epoch(7)


def test_torch_workers_that_say_where_they_begin(stk: Packed) -> None:
    pytest.importorskip("torch")
    with shuffled(stk) as loader:
        data = in_workers(loader, worker_init_fn=_begin_at_epoch_7)
        for _ in range(2):
            assert batches_of(data) == by_ranks(stk, 7)
        assert batches_of(in_workers(loader)) == by_ranks(stk, 8)


TORCHRUN = """
import sys, torch, stoker
import torch.distributed as dist
dist.init_process_group("gloo")
with stoker.Loader(sys.argv[1], 4, True, 3, framework="torch", tail="ragged") as loader:
    assert (loader.rank, loader.world) == (dist.get_rank(), dist.get_world_size())
    for epoch in range(3):
        mine = [key for batch in loader for key in batch["key"]]
        everyone = [None] * dist.get_world_size()
        dist.all_gather_object(everyone, (loader.reader_pid, mine))
        assert len({pid for pid, _ in everyone}) == 1
        keys = sorted(key for _, keys in everyone for key in keys)
        if dist.get_rank() == 0:
            print("EPOCH", len(keys), len(set(keys)), flush=True)
dist.destroy_process_group()
"""


@pytest.mark.parametrize("ranks", [2, 4])
def test_torchrun(stk: Packed, tmp_path: Path, ranks: int) -> None:
    pytest.importorskip("torch")
    script = tmp_path / "train.py"
    script.write_text(TORCHRUN)
    environment = {name: value for name, value in os.environ.items() if name != "STOKER_JOB"}
    ended = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), script, stk.path],
        env={**environment, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stdout.splitlines() if line.startswith("EPOCH")] == ["EPOCH 21 21"] * 3


ACCELERATE = """
import os, sys, stoker
import torch.multiprocessing as mp
from accelerate import Accelerator

def main(rank, path):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", LOCAL_WORLD_SIZE="2",
                      MASTER_ADDR="127.0.0.1", MASTER_PORT=sys.argv[2])
    accelerator = Accelerator(cpu=True)
    loader = accelerator.prepare(stoker.Loader(path, 4, framework="torch", tail="ragged"))
    keys = [key for batch in loader for key in batch["key"]]
    print("RANK", accelerator.process_index, accelerator.num_processes, len(keys), flush=True)

if __name__ == "__main__":
    mp.spawn(main, args=(sys.argv[1],), nprocs=2)
"""


def test_accelerate_does_not_shard_twice(stk: Packed, tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    script = tmp_path / "train.py"
    script.write_text(ACCELERATE)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ended = subprocess.run(
        [sys.executable, script, stk.path, str(port)],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert sorted(line for line in ended.stdout.splitlines() if line.startswith("RANK")) == ["RANK 0 2 11", "RANK 1 2 10"]


def test_lightning(stk: Packed, tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning.pytorch")
    import torch

    from stoker.lightning import DataModule

    seen: List[List[str]] = []

    class Model(lightning.LightningModule):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 3)

        def training_step(self, batch: Dict[str, Any], _: int) -> Any:
            seen.append(list(batch["key"]))
            return torch.nn.functional.cross_entropy(self.layer(batch["label"][:, None].float()), batch["label"])

        def validation_step(self, batch: Dict[str, Any], _: int) -> None:
            pass

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    trainer.fit(Model(), datamodule=DataModule(stk.path, stk.path, batch_size=4))
    keys = [key for batch in seen for key in batch]
    assert len(keys) == 2 * len(stk.samples)
    assert sorted(keys[: len(keys) // 2]) == sorted(expected_keys(stk)) == sorted(keys[len(keys) // 2 :])
    assert keys[: len(keys) // 2] != keys[len(keys) // 2 :]


# ---- to a device


def test_to_device_without_gpu(stk: Packed) -> None:
    pytest.importorskip("torch")
    with stoker.Loader(stk.path, 4, framework="torch") as loader:
        batches = stoker.to_device(loader, "cpu")
        assert len(batches) == len(loader)
        assert [key for batch in batches for key in batch["key"]] == expected_keys(stk)


class Copier:
    """A device that is slow: it copies when a batch is handed over, long after the loader went on."""

    def __init__(self) -> None:
        self.pending: List[Any] = []

    def copy(self, batch: Dict[str, Any]) -> Any:
        target = np.zeros_like(np.asarray(batch["label"]))
        self.pending.append((batch["label"], target))
        return {"label": target}, None

    def hand_over(self, batch: Dict[str, Any], done: Any) -> None:
        for source, target in self.pending:
            target[...] = source
        self.pending.clear()

    def close(self) -> None:
        pass


def test_to_device_copies_while_the_loader_goes_on(stk: Packed) -> None:
    pytest.importorskip("torch")
    for ahead in (1, 2, 5):
        with stoker.Loader(stk.path, 4) as loader:
            on_device = DeviceLoader(loader, "cpu", ahead)
            labels, cursors = [], []
            for batch in on_device._on_gpu(iter(loader), Copier()):  # type: ignore[arg-type]
                labels += batch["label"].tolist()
                cursors.append(on_device.state_dict()["cursor"])
        assert labels == [sample["label"] for sample in stk.samples]
        assert cursors == [4, 8, 12, 16, 20, 0]


def test_to_device_goes_on_after_what_was_given(stk: Packed) -> None:
    pytest.importorskip("torch")

    class Interrupted(Copier):
        copies = 0

        def copy(self, batch: Dict[str, Any]) -> Any:
            self.copies += 1
            if self.copies == 5:
                raise KeyboardInterrupt
            return super().copy(batch)

    labels = []
    with stoker.Loader(stk.path, 4) as loader:
        on_device = DeviceLoader(loader, "cpu", 2)
        with pytest.raises(KeyboardInterrupt):
            for batch in on_device._on_gpu(iter(loader), Interrupted()):  # type: ignore[arg-type]
                labels += batch["label"].tolist()
        assert on_device.state_dict()["cursor"] == len(labels) > 0
        for batch in on_device:
            labels += batch["label"].tolist()
    assert labels == [sample["label"] for sample in stk.samples]


# ---- JAX


def test_jax_arrays_never_change(stk: Packed) -> None:
    jax = pytest.importorskip("jax")
    with stoker.Loader(stk.path, 4, framework="jax", fields=["label", "key", "data"]) as loader:
        batches = list(loader)
    assert all(isinstance(batch["label"], jax.Array) for batch in batches)
    assert [label for batch in batches for label in batch["label"].tolist()] == [s["label"] for s in stk.samples]
