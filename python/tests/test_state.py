"""States of one process: what comes back, what the file is, what is refused, what is kept."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from states import FIRST, random_array, random_state, same

import stoker

safetensors = pytest.importorskip("safetensors")
safetensors_numpy = pytest.importorskip("safetensors.numpy")


def test_comes_back_as_it_was(tmp_path: Path, seed: int) -> None:
    for number in range(150):
        chance = random.Random(f"{seed} {number}")
        state = {"x": random_state(chance), "y": random_state(chance)}
        stoker.save(state, tmp_path / "s.safetensors", sync=False)
        for mmap in (False, True):
            loaded = stoker.load(tmp_path / "s.safetensors", mmap=mmap)
            assert same(loaded, state), f"round {number} of seed {seed}: {state} came back as {loaded}"


def test_others_read_it(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    arrays = {f"layers.{i}.w": random_array(chance) for i in range(40)}
    stoker.save({**arrays, "step": 7}, tmp_path / "s.safetensors")
    # Its NumPy reader has no complex numbers.
    with safetensors.safe_open(tmp_path / "s.safetensors", "np") as file:
        assert set(file.keys()) == set(arrays)
        for name, array in arrays.items():
            if array.dtype != np.complex64:
                assert same(file.get_tensor(name), array)


def test_tensors_are_aligned(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    stoker.save({str(i): random_array(chance, (chance.randrange(1, 9),)) for i in range(50)}, tmp_path / "s.safetensors")
    for array in stoker.load(tmp_path / "s.safetensors", mmap=True).values():
        assert array.ctypes.data % array.dtype.itemsize == 0


def test_files_by_others_are_read(tmp_path: Path) -> None:
    arrays = {"b": np.ones((2, 3), np.float16), "$tensor": np.arange(3), "a.b": np.zeros((0, 2), np.int8)}
    safetensors_numpy.save_file(arrays, tmp_path / "s.safetensors", {"made": "elsewhere"})
    loaded = stoker.load(tmp_path / "s.safetensors")  # as torch tensors, if another test imported it
    assert set(loaded) == set(arrays)
    assert all(same(np.asarray(loaded[name]), array) for name, array in arrays.items())


def test_layouts_of_memory(tmp_path: Path) -> None:
    base = np.arange(24, dtype=np.float64).reshape(4, 6)
    shared = np.ones(3)
    state = {
        "transposed": base.T,
        "stepped": base[::2, ::-1],
        "big-endian": base.astype(">f8"),
        "fortran": np.asfortranarray(base),
        "number": np.float32(0.1),
        "one": shared,
        "same": shared,
    }
    stoker.save(state, tmp_path / "s.safetensors")
    loaded = stoker.load(tmp_path / "s.safetensors")
    for name, array in state.items():
        assert np.array_equal(loaded[name], array) and loaded[name].flags.c_contiguous
    assert loaded["big-endian"].dtype == np.dtype("<f8")
    loaded["one"][0] = 5
    assert loaded["same"][0] == 1


def test_mapped_tensors_change_without_the_file(tmp_path: Path) -> None:
    stoker.save(FIRST, tmp_path / "s.safetensors")
    loaded = stoker.load(tmp_path / "s.safetensors", mmap=True)
    loaded["model"]["w"] += 1
    assert same(stoker.load(tmp_path / "s.safetensors"), FIRST)


def test_loads_into_what_is_there(tmp_path: Path) -> None:
    stoker.save({**FIRST, "more": np.ones(2)}, tmp_path / "s.safetensors")
    whole, turned = np.zeros((3, 4), np.float32), np.zeros((4, 3), np.float32).T
    for target in (whole, turned):
        loaded = stoker.load(tmp_path / "s.safetensors", into={"model": {"w": target}})
        assert loaded["model"]["w"] is target and np.array_equal(target, FIRST["model"]["w"])
        assert loaded["step"] == 1 and loaded["more"].tolist() == [1, 1]
    shard = stoker.Shard(np.zeros((3, 2), np.float32), (3, 4), (0, 1))
    stoker.load(tmp_path / "s.safetensors", into={"model": {"w": shard}})
    assert np.array_equal(shard.tensor, FIRST["model"]["w"][:, 1:3])


@pytest.mark.parametrize("key", ["w", 7, None, 2.5, float("inf"), "$w", (1, "x"), ((), (None, -1.5))])
def test_loads_into_a_dict_with_any_key(tmp_path: Path, key: Any) -> None:
    stoker.save({"model": {key: np.arange(3)}}, tmp_path / "s.safetensors")
    target = np.zeros(3, np.int64)
    loaded = stoker.load(tmp_path / "s.safetensors", into={"model": {key: target}})
    assert loaded["model"][key] is target and target.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "into, text",
    [
        ({"model": {"w": np.zeros((3, 5), np.float32)}}, r"\['model'\]\['w'\] is F32 \[3, 4\] in the file, but F32 \[3, 5\]"),
        ({"model": {"w": np.zeros((3, 4))}}, "is F32 .* but F64"),
        ({"model": {"v": np.zeros(2)}}, r"does not have 1 of the tensors .*: \['model'\]\['v'\]"),
        ({"model": {"w": np.broadcast_to(np.float32(0), (3, 4))}}, "cannot be changed"),
    ],
)
def test_loading_into_what_does_not_fit_is_refused(tmp_path: Path, into: Any, text: str) -> None:
    stoker.save(FIRST, tmp_path / "s.safetensors")
    with pytest.raises(stoker.StokerError, match=text):
        stoker.load(tmp_path / "s.safetensors", into=into)


def test_numbers_as_long_as_python_reads_them(tmp_path: Path) -> None:
    state = {"x": 2**14_284 - 1, "y": -(2**14_283)}
    stoker.save(state, tmp_path / "s.safetensors")
    assert stoker.load(tmp_path / "s.safetensors") == state


class Thing:
    pass


@pytest.mark.parametrize(
    "state, text",
    [
        ({"a": {"b": [Thing()]}}, r"\['a'\]\['b'\]\[0\] is of type .*Thing, which is not saved"),
        ({"a": {1, 2}}, r"\['a'\] is of type builtins.set"),
        ({"a": np.zeros(2, np.complex128)}, r"\['a'\]: a tensor's type is complex128"),
        ({"a": np.array(["x"])}, r"\['a'\]: a tensor's type is str"),
        ({"a": np.array([None])}, r"\['a'\]: a tensor's type is object"),
        ({"a": np.ma.masked_equal([1, 2], 2)}, r"\['a'\]: a masked array would lose its mask; save value.filled\(\)"),
        ({"a": "\ud800"}, "not Unicode"),
        ({"a": [10**4300]}, r"\['a'\]\[0\] is a whole number of 14285 bits, but one may have 14284"),
        ({"a": {-(10**5000): 1}}, r"\['a'\]\['a key'\] is a whole number of 16610 bits"),
        ({frozenset(): 1}, "has a key of type frozenset"),
        ([1], "should be a dict but is list"),
    ],
)
def test_what_is_not_saved_is_named(tmp_path: Path, state: Any, text: str) -> None:
    with pytest.raises(stoker.StokerError, match=text):
        stoker.save(state, tmp_path / "s.safetensors")
    assert os.listdir(tmp_path) == []


def test_a_state_that_holds_itself_is_refused(tmp_path: Path) -> None:
    state: Dict[str, Any] = {}
    state["self"] = state
    with pytest.raises(stoker.StokerError, match="nested too deeply, or holds itself"):
        stoker.save(state, tmp_path / "s.safetensors")


@pytest.mark.parametrize(
    "shape, start, text",
    [((4, 4), (2, 0), "does not lie in"), ((4, 4), (0,), "as many dimensions"), ((4, 4), -1, "does not lie in")],
)
def test_shards_that_do_not_fit_are_refused(shape: Any, start: Any, text: str) -> None:
    with pytest.raises(stoker.StokerError, match=text):
        stoker.Shard(np.zeros((3, 4)), shape, start)


def test_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(stoker.StokerError, match="end in .safetensors"):
        stoker.save(FIRST, tmp_path / "s.pt")
    with pytest.raises(stoker.StokerError, match="exactly one number, .* but this one has 0"):
        stoker.save(FIRST, tmp_path / "last.safetensors", keep=3)
    with pytest.raises(stoker.StokerError, match="keep=0 should be at least 1"):
        stoker.save(FIRST, tmp_path / "step-1.safetensors", keep=0)
    with pytest.raises(stoker.StokerError, match="cannot be read: No such file"):
        stoker.load(tmp_path / "none.safetensors")
    stoker.save(FIRST, tmp_path / "s.safetensors")
    with pytest.raises(stoker.StokerError, match="no position of a loader"):
        stoker.load(tmp_path / "s.safetensors", loader=object())


class Position:
    """As a loader is to a state."""

    def __init__(self) -> None:
        self.at: Any = {"seed": 7, "cursor": 0}

    def state_dict(self) -> Any:
        return self.at

    def load_state_dict(self, state: Any) -> None:
        self.at = state


def test_the_position_of_a_loader(tmp_path: Path) -> None:
    loader = Position()
    loader.at = {"seed": 7, "cursor": 2**60, "name": "ä"}
    stoker.save(FIRST, tmp_path / "s.safetensors", loader=loader)
    other = Position()
    assert same(stoker.load(tmp_path / "s.safetensors", loader=other), FIRST)
    assert other.at == loader.at


# ---- while the program goes on
