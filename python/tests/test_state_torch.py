"""States of real PyTorch; the group python-frameworks of ./check has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

import stoker

SCRIPT = Path(__file__).parent / "state_ranks_torch.py"


def torchrun(ranks: int, *arguments: Any) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), str(SCRIPT)]
    ended = subprocess.run(
        [*command, *map(str, arguments)], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 0, ended.stderr[-5000:]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model and its optimizer under FSDP, and DTensors of many layouts, by four ranks."""
    folder = tmp_path_factory.mktemp("fsdp")
    torchrun(4, "save", folder)
    return folder


@pytest.mark.parametrize("ranks", [1, 2, 3, 8])
def test_fsdp_and_dtensors_go_on_with_any_number(saved: Path, ranks: int) -> None:
    torchrun(ranks, "load", saved)


def test_fsdp_without_ranks(saved: Path) -> None:
    path = saved / "step-3.safetensors"
    expected = torch.load(saved / "expected.pt", weights_only=True)
    state = stoker.load(path, 0, 1)
    model = torch.nn.Sequential(torch.nn.Linear(13, 17), torch.nn.BatchNorm1d(17), torch.nn.Linear(17, 3))
    model.load_state_dict(state["model"])
    assert all(torch.equal(tensor, expected["model"][name]) for name, tensor in model.state_dict().items())
    assert sorted(state["rng"]) == [0, 1, 2, 3] and state["rng"][0].dtype == torch.uint8
    others = safetensors.torch.load_file(path)
    assert all(torch.equal(others[f"model.{name}"], tensor) for name, tensor in expected["model"].items())


DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "float8_e4m3fn",
    "float8_e5m2",
]


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("wait", [True, False])
def test_types(tmp_path: Path, name: str, wait: bool) -> None:
    dtype = getattr(torch, name)
    torch.manual_seed(7)
    state = {
        "x": (torch.randn(5, 6) * 10).to(dtype),
        "zero": torch.ones((), dtype=dtype),
        "none": torch.ones((3, 0), dtype=dtype),
    }
    state["turned"] = state["x"].t()
    stoker.save(state, tmp_path / "s.safetensors", wait=wait).result(60)
    for loaded in (
        stoker.load(tmp_path / "s.safetensors"),
        stoker.load(tmp_path / "s.safetensors", mmap=True),
        stoker.load(tmp_path / "s.safetensors", map_location="cpu"),
        safetensors.torch.load_file(tmp_path / "s.safetensors"),
    ):
        for key, tensor in state.items():
            assert loaded[key].dtype == dtype and loaded[key].shape == tensor.shape
            assert loaded[key].reshape(-1).view(torch.uint8).equal(tensor.reshape(-1).view(torch.uint8))


@pytest.mark.parametrize("wait", [True, False])
def test_a_model_and_its_optimizer(tmp_path: Path, wait: bool) -> None:
    torch.manual_seed(7)
    model = torch.nn.Linear(300, 500)
    model.tied = model.weight
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    model(torch.randn(2, 300)).sum().backward()
    optimizer.step()
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "rng": torch.get_rng_state()}
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    future = stoker.save(state, tmp_path / "s.safetensors", wait=wait)
    optimizer.step()
    future.result(60)
    loaded = stoker.load(tmp_path / "s.safetensors")
    assert all(torch.equal(loaded["model"][name], before[name]) for name in before)
    assert list(loaded["optimizer"]["state"]) == [0, 1] and loaded["optimizer"]["param_groups"][0]["betas"] == (0.9, 0.999)
    optimizer.load_state_dict(loaded["optimizer"])
    model.load_state_dict(loaded["model"])
    torch.set_rng_state(loaded["rng"])


def test_into_parameters(tmp_path: Path) -> None:
    source, target = torch.nn.Linear(30, 50), torch.nn.Linear(30, 50)
    stoker.save({"model": source.state_dict()}, tmp_path / "s.safetensors")
    stoker.load(tmp_path / "s.safetensors", into={"model": dict(target.named_parameters())})
    assert torch.equal(source.weight, target.weight) and target.weight.requires_grad


@pytest.mark.parametrize(
    "value, text",
    [
        (torch.eye(3).to_sparse(), r"\['x'\]: a tensor should be dense"),
        (torch.empty(3, device="meta"), "without memory"),
        (torch.ones(3, dtype=torch.complex128), "type is complex128"),
        (torch.float32, r"\['x'\] is of type torch.dtype, which is not saved"),
    ],
)
def test_what_is_not_saved(tmp_path: Path, value: Any, text: str) -> None:
    with pytest.raises(stoker.StokerError, match=text):
        stoker.save({"x": value}, tmp_path / "s.safetensors")


@pytest.mark.parametrize("tensor", [torch.arange(4.0)[2::4], torch.ones(1, 3)[:, 0], torch.tensor(7.0).expand(1, 1)])
def test_one_element_with_a_stride(tmp_path: Path, tensor: torch.Tensor) -> None:
    stoker.save({"x": tensor}, tmp_path / "s.safetensors")
    assert torch.equal(stoker.load(tmp_path / "s.safetensors")["x"], tensor)
    into = torch.zeros(8)[5::8].reshape(tensor.shape)
    stoker.load(tmp_path / "s.safetensors", into={"x": into})
    assert torch.equal(into, tensor)


def test_conjugated(tmp_path: Path) -> None:
    tensor = torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex64).conj()
    for wait in (True, False):
        stoker.save({"x": tensor, "imag": tensor.imag}, tmp_path / "s.safetensors", wait=wait).result(60)
        loaded = stoker.load(tmp_path / "s.safetensors")
        assert torch.equal(loaded["x"], tensor) and torch.equal(loaded["imag"], tensor.imag)


def test_map_location(tmp_path: Path) -> None:
    stoker.save({"x": torch.ones(3)}, tmp_path / "s.safetensors")
    assert stoker.load(tmp_path / "s.safetensors", map_location="meta")["x"].device.type == "meta"
    with pytest.raises(stoker.StokerError, match="should be a device"):
        stoker.load(tmp_path / "s.safetensors", map_location={"cuda:0": "cpu"})


def test_torch_is_not_imported(tmp_path: Path) -> None:
    stoker.save({"x": torch.ones(3), "b": torch.ones(2, dtype=torch.bfloat16)}, tmp_path / "s.safetensors")
    program = (
        "import sys, stoker\n"
        "try:\n    stoker.load(sys.argv[1])\nexcept stoker.StokerError as e:\n    print(e)\n"
        "stoker.save({'y': 1}, sys.argv[1])\n"
        "assert 'torch' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    command = [sys.executable, "-c", program, str(tmp_path / "s.safetensors")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "NumPy has no type bfloat16; import torch" in ended.stdout
