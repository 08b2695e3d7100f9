"""Copies to a GPU, with a runtime that only notes what it is told."""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any, Dict, Iterator, Set

import map_functions as functions
import numpy as np
import pytest
from conftest import Packed

import stoker


class Tensor:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def to(self, device: Any, non_blocking: bool) -> "Tensor":
        return Tensor(self.array.copy())


class Event:
    def record(self, stream: Any) -> None:
        pass

    def query(self) -> bool:
        return True


class Runtime:
    """The runtime of a GPU. Memory may be registered once at a time, and has to be mapped then."""

    def __init__(self) -> None:
        self.registered: Set[int] = set()
        self.all = 0

    def cudaHostRegister(self, address: int, size: int, flags: int) -> None:  # noqa: N802
        assert address not in self.registered
        self.registered.add(address)
        self.all += 1

    def cudaHostUnregister(self, address: int) -> None:  # noqa: N802
        self.registered.remove(address)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    found = Runtime()
    stream = types.SimpleNamespace(wait_event=lambda event: None, synchronize=lambda: None)
    torch: Any = types.ModuleType("torch")
    torch.Tensor, torch.from_numpy = Tensor, Tensor
    torch.device = lambda name: types.SimpleNamespace(type=name)
    torch.default_generator = types.SimpleNamespace(manual_seed=lambda seed: None)
    torch.cuda = types.SimpleNamespace(
        Stream=lambda device: stream,
        stream=lambda stream: contextlib.nullcontext(),
        Event=Event,
        current_stream=lambda device: stream,
        cudart=lambda: found,
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    yield found


@pytest.mark.parametrize("options", [{}, {"map": functions.measure_much, "workers": 1}])
@pytest.mark.parametrize("is_left", [False, True])
def test_nothing_stays_registered_after_an_epoch(stk: Packed, runtime: Runtime, options: Dict[str, Any], is_left: bool) -> None:
    with stoker.Loader(stk.path, 4, **options) as loader:
        for _ in range(3):
            for batch in stoker.to_device(loader, "cuda"):
                assert isinstance(batch["key"], (list, stoker.Ragged))
                if options:
                    assert isinstance(batch["much"], Tensor)
                    assert len(runtime.registered) >= 2  # where it came from, and where the function put it
                if is_left:
                    break
            assert not runtime.registered
    assert runtime.all > 0
