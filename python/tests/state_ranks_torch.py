"""What torchrun starts for test_state_torch.py: FSDP and DTensors of several ranks, saved and loaded.

torchrun --nproc-per-node N state_ranks_torch.py save|load FOLDER
"""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

import stoker

LAYOUTS = [
    [Shard(0), Shard(0)],
    [Shard(0), Shard(1)],
    [Shard(1), Replicate()],
    [Replicate(), Shard(2)],
    [Replicate(), Replicate()],
]


def whole(number: int) -> torch.Tensor:
    torch.manual_seed(number)
    return torch.randn(7, 10, 5).to([torch.float32, torch.bfloat16, torch.float64, torch.float16, torch.float32][number])


def make_model() -> torch.nn.Module:
    torch.manual_seed(7)
    model = torch.nn.Sequential(torch.nn.Linear(13, 17), torch.nn.BatchNorm1d(17), torch.nn.Linear(17, 3))
    fully_shard(model)
    return model


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for step in range(steps):
        torch.manual_seed(step)
        model(torch.randn(8, 13)).square().sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def full(state: object) -> object:
    """The state with whole tensors, to be compared."""
    if isinstance(state, dict):
        return {key: full(item) for key, item in state.items()}
    if isinstance(state, DTensor):
        return state.full_tensor()
    return state.clone() if isinstance(state, torch.Tensor) else state


def main(mode: str, folder: str) -> None:
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    model = make_model()
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    mesh = (
        init_device_mesh("cpu", (2, world // 2), mesh_dim_names=("a", "b"))
        if world % 2 == 0
        else init_device_mesh("cpu", (1, world))
    )
    if mode == "save":
        train(model, optimizer, 3)
    else:
        train(model, optimizer, 1)
    weights, moments = get_state_dict(model, optimizer)
    tensors = [distribute_tensor(whole(i) * (mode == "save"), mesh, layout) for i, layout in enumerate(LAYOUTS)]
    state = {"model": weights, "optimizer": moments, "tensors": tensors, "rng": {rank: torch.get_rng_state()}}
    if mode == "save":
        stoker.save(state, f"{folder}/step-3.safetensors", wait=False).result()
        expected = full({"model": weights, "optimizer": moments})
        if rank == 0:
            torch.save(expected, f"{folder}/expected.pt")
    else:
        del state["rng"]
        path = stoker.latest(folder)
        assert path is not None
        loaded = stoker.load(path, into=state)
        set_state_dict(model, optimizer, model_state_dict=loaded["model"], optim_state_dict=loaded["optimizer"])
        expected = torch.load(f"{folder}/expected.pt", weights_only=True)
        weights, moments = get_state_dict(model, optimizer)
        for what, found in (("model", weights), ("optimizer", moments["state"])):
            _compare(expected[what] if what == "model" else expected[what]["state"], full(found))
        for i, tensor in enumerate(tensors):
            assert torch.equal(tensor.full_tensor(), whole(i))
        parts = stoker.load(path)["tensors"]
        assert world == 1 or isinstance(parts[0], stoker.Shard)
    dist.destroy_process_group()


def _compare(one: object, other: object) -> None:
    if isinstance(one, dict):
        assert isinstance(other, dict) and set(one) == set(other), (one, other)
        for key in one:
            _compare(one[key], other[key])
    elif isinstance(one, torch.Tensor):
        assert isinstance(other, torch.Tensor) and one.dtype == other.dtype and torch.equal(one, other)
    else:
        assert one == other


if __name__ == "__main__":
    main(*sys.argv[1:])
