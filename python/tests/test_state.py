"""States of one process: what comes back, what the file is, what is refused, what is kept."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import numpy as np
import pytest
from states import random_array, random_state, same

import stoker
from stoker import _state_file

safetensors = pytest.importorskip("safetensors")
import safetensors.numpy  # noqa: E402

FIRST = {"model": {"w": np.arange(12, dtype=np.float32).reshape(3, 4)}, "step": 1}


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
    safetensors.numpy.save_file(arrays, tmp_path / "s.safetensors", {"made": "elsewhere"})
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


def test_without_waiting(tmp_path: Path) -> None:
    array = np.arange(9_000_000, dtype=np.int32)
    state = {"big": array, "turned": array[:10_000].reshape(100, 100).T, "small": np.ones(3)}
    for step in range(3):
        array[0] = step
        future = stoker.save(state, tmp_path / f"step-{step}.safetensors", wait=False)
        array[0] = -1
        assert future.result(60) == str(tmp_path / f"step-{step}.safetensors")
        loaded = stoker.load(tmp_path / f"step-{step}.safetensors")
        assert loaded["big"][0] == step and np.array_equal(loaded["big"][1:], array[1:])
        assert np.array_equal(loaded["turned"][1:], state["turned"][1:])


def test_never_two_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, fill, running = threading.Event(), _state_file.fill, []

    def slow(*arguments: Any) -> None:
        running.append(threading.current_thread().name)
        assert gate.wait(60)
        fill(*arguments)

    monkeypatch.setattr(_state_file, "fill", slow)
    first = stoker.save(FIRST, tmp_path / "step-1.safetensors", wait=False)
    threading.Timer(0.3, gate.set).start()
    assert not first.done() and stoker.latest(tmp_path) is None
    stoker.save(FIRST, tmp_path / "step-2.safetensors")
    assert first.done() and running == ["stoker-save", "MainThread"]


def test_threads_that_save_at_once_do_not_mix_their_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill, together = _state_file.fill, threading.Barrier(2)

    def slow(*arguments: Any) -> None:
        time.sleep(0.2)
        fill(*arguments)

    class Meeting:
        """A loader that is asked for its position when its thread has waited for the save before."""

        def state_dict(self) -> Any:
            together.wait(60)
            return {}

    def save(value: int) -> None:
        stoker.save({"x": np.full(1000, value)}, tmp_path / f"{value}.safetensors", wait=False, loader=Meeting())

    monkeypatch.setattr(_state_file, "fill", slow)
    threads = [threading.Thread(target=save, args=(value,)) for value in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stoker.save({}, tmp_path / "last.safetensors")  # waits
    for value in (1, 2):
        assert (stoker.load(tmp_path / f"{value}.safetensors")["x"] == value).all()


def test_a_save_that_goes_on_cannot_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, fill = threading.Event(), _state_file.fill
    monkeypatch.setattr(_state_file, "fill", lambda *arguments: gate.wait(60) and fill(*arguments))
    future = stoker.save(FIRST, tmp_path / "s.safetensors", wait=False)
    is_cancelled = future.cancel()
    gate.set()
    assert not is_cancelled and future.result(60) and same(stoker.load(tmp_path / "s.safetensors"), FIRST)


def test_an_error_is_raised_by_the_next_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise stoker.StokerError("the disk is on fire")

    with monkeypatch.context() as patched:
        patched.setattr(_state_file, "fill", fail)
        assert stoker.save(FIRST, tmp_path / "s.safetensors", wait=False).exception(60) is not None
    with pytest.raises(stoker.StokerError, match="on fire"):
        stoker.save(FIRST, tmp_path / "s.safetensors")
    assert os.listdir(tmp_path) == []
    stoker.save(FIRST, tmp_path / "s.safetensors")


PROGRAM = """
import sys, numpy, stoker
stoker.save({"x": numpy.ones(1000000)}, sys.argv[1], wait=False)
"""


def run_program(target: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    ended = subprocess.run([sys.executable, "-c", PROGRAM, str(target)], env=environment, capture_output=True, text=True, check=True)
    return ended.stderr


def test_a_program_ends_when_its_state_is_saved(tmp_path: Path) -> None:
    assert run_program(tmp_path / "s.safetensors") == ""
    assert stoker.load(tmp_path / "s.safetensors")["x"].sum() == 1_000_000
    (tmp_path / "file").write_text("no folder")
    assert "the last state was not saved" in run_program(tmp_path / "file" / "s.safetensors")


# ---- complete or not


def names(folder: Path) -> List[str]:
    return sorted(os.listdir(folder))


def test_rotates(tmp_path: Path) -> None:
    for step in (8, 9, 10, 11):
        stoker.save({"step": step}, tmp_path / f"step-{step}.safetensors", keep=2)
    assert names(tmp_path) == ["step-10.safetensors", "step-11.safetensors"]
    stoker.save({"best": 1}, tmp_path / "best-3.safetensors", keep=1)
    # What a run that was set back wrote further on is not its business; what a kill left is.
    (tmp_path / "step-7.safetensors.partial").write_bytes(b"x")
    (tmp_path / "step-6.safetensors.0123456789abcdef.partial").write_bytes(b"x")
    (tmp_path / ".step-7.safetensors.stoker-save").mkdir()
    stoker.save({"step": 10}, tmp_path / "step-10.safetensors", keep=1)
    assert names(tmp_path) == ["best-3.safetensors", "step-10.safetensors", "step-11.safetensors"]


@pytest.mark.parametrize("name", ["run2-step-10", "step-10-rank-3", "epoch-1-step-10"])
def test_keep_refuses_to_guess_which_number_counts(tmp_path: Path, name: str) -> None:
    (tmp_path / "run1-step-10.safetensors").write_bytes(b"of another run")
    (tmp_path / "step-10-rank-0.safetensors").write_bytes(b"of another rank")
    before = names(tmp_path)
    with pytest.raises(stoker.StokerError, match="keep=1 needs a name with exactly one number, .* but this one has 2"):
        stoker.save({}, tmp_path / f"{name}.safetensors", keep=1)
    assert names(tmp_path) == before


def test_what_is_being_saved_is_not_deleted(tmp_path: Path) -> None:
    other = _state_file.claim(str(tmp_path / "step-1.safetensors"), "a" * 16)
    job, killed = tmp_path / ".step-1.safetensors.stoker-save", tmp_path / ".step-2.safetensors.stoker-save"
    for folder in (job, killed):
        folder.mkdir()
        (folder / "rank-1").write_bytes(b"{}")
    os.utime(killed / "rank-1", (0, 0))
    stoker.save({}, tmp_path / "step-3.safetensors", keep=3)
    assert names(tmp_path) == [job.name, f"step-1.safetensors.{'a' * 16}.partial", "step-3.safetensors"]
    _state_file.close_partial(other)
    stoker.save({}, tmp_path / "step-4.safetensors", keep=3)
    assert names(tmp_path) == [job.name, "step-3.safetensors", "step-4.safetensors"]


def test_an_old_state_that_cannot_be_deleted_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stoker.save({"step": 1}, tmp_path / "step-1.safetensors")
    unlink = os.unlink

    def refusing(path: Any, **options: Any) -> None:
        if str(path).endswith("step-1.safetensors"):
            raise PermissionError(1, "Operation not permitted", path)
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", refusing)
    with pytest.warns(UserWarning, match=r"step-1.safetensors\] is older than keep=1 asks for, but cannot be deleted: Operation not"):
        stoker.save({"step": 2}, tmp_path / "step-2.safetensors", keep=1)
    assert stoker.load(tmp_path / "step-2.safetensors") == {"step": 2}


def test_forked_processes_do_not_keep_a_file_that_is_being_saved(tmp_path: Path) -> None:
    file = _state_file.claim(str(tmp_path / "step-1.safetensors"), "a" * 16)
    child = os.fork()
    if child == 0:
        try:
            os.fstat(file)
            os._exit(1)
        except OSError:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    _state_file.close_partial(file)


def test_folders_do_not_count_as_states(tmp_path: Path) -> None:
    (tmp_path / "step-1.safetensors").mkdir()
    for step in (2, 3, 4):
        stoker.save({}, tmp_path / f"step-{step}.safetensors", keep=2)
    assert names(tmp_path) == [f"step-{step}.safetensors" for step in (1, 3, 4)]


def test_the_latest(tmp_path: Path) -> None:
    assert stoker.latest(tmp_path) is None and stoker.latest(tmp_path / "none") is None
    for name in ("e1-step-9", "e1-step-10", "e1-step-100", "last"):
        stoker.save({"name": name}, tmp_path / f"{name}.safetensors")
    newest = tmp_path / "e1-step-100.safetensors"
    assert stoker.latest(tmp_path) == str(newest)
    newest.write_bytes(newest.read_bytes()[:-1] + b"")  # a copy that was cut off
    (tmp_path / "e1-step-200.safetensors.partial").write_bytes(b"x")
    assert stoker.latest(tmp_path) == str(tmp_path / "e1-step-10.safetensors")
    stoker.save({}, tmp_path / "best-1.safetensors")
    with pytest.raises(stoker.StokerError, match="several kinds: best-#.safetensors, e#-step-#.safetensors"):
        stoker.latest(tmp_path)
    assert stoker.latest(tmp_path / "best-*.safetensors") == str(tmp_path / "best-1.safetensors")


def test_a_folder_is_no_state(tmp_path: Path) -> None:
    stoker.save({"step": 2}, tmp_path / "step-2.safetensors")
    folder = tmp_path / "step-3.safetensors"
    folder.mkdir()
    assert stoker.latest(tmp_path) == str(tmp_path / "step-2.safetensors")
    with pytest.raises(stoker.StokerError, match=r"step-3.safetensors\] cannot be read: it is no regular file"):
        stoker.load(folder)


def test_a_failed_save_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stoker.save(FIRST, tmp_path / "s.safetensors")
    pwrite = os.pwrite

    def full(fd: int, data: Any, offset: int) -> int:
        if offset > 100:
            raise OSError(28, "No space left on device")
        return pwrite(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(stoker.StokerError, match="No space left on device; free some space: what was saved before is as it was"):
        stoker.save({"x": np.ones(1000)}, tmp_path / "s.safetensors")
    assert names(tmp_path) == ["s.safetensors"] and same(stoker.load(tmp_path / "s.safetensors"), FIRST)


def test_another_process_that_saves_the_same_is_refused(tmp_path: Path) -> None:
    target = str(tmp_path / "s.safetensors")
    other = _state_file.claim(target, "a" * 16)
    with pytest.raises(stoker.StokerError, match="is being saved by another process"):
        stoker.save(FIRST, target)
    os.close(other)
    stoker.save(FIRST, target)


# ---- files that are not what they should be


def write_raw(path: Path, header: Any, data: bytes = b"") -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def one(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> Dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def ours(tree: Any, **more: Any) -> Dict[str, Any]:
    about = {"version": 1, "world": 1, "tree": tree, "loader": None, **more}
    return {"__metadata__": {"stoker": json.dumps(about)}, "a": one()}


def damages() -> Iterator[Any]:
    data = b"1234"
    yield b"[]", data, "should be an object"
    yield b"{", data, "should be JSON"
    yield b'{"a": NaN}', data, "NaN is not JSON"
    yield b"[" * 100_000, data, "should be JSON"
    yield b'{"a":' + json.dumps(one()).encode() + b',"a":' + json.dumps(one()).encode() + b"}", data, "'a' is there twice"
    yield {"__metadata__": {"a": 1}}, b"", "one of texts"
    yield {"a": one(offsets=(0, 5))}, data + b"5", "should have 4 bytes"
    yield {"a": one(offsets=(1, 5))}, data + b"5", "have a gap"
    yield {"a": one(), "b": one(offsets=(3, 7))}, data + b"567", "overlap"
    yield {"a": one(), "b": one(offsets=(5, 9))}, data + b"56789", "gap"
    yield {"a": one()}, data + b"5", "something was appended"
    yield {"a": one()}, data[:3], "it is cut off"
    yield {"a": one(offsets=(-4, 0))}, b"", "should be two places"
    yield {"a": one(offsets=(0, 4.0))}, data, "should be two places"
    yield {"a": one(shape=(True, 4))}, data, "list of sizes"
    yield {"a": one(shape=(2**62, 2**62, 4))}, data, "should have"
    yield {"a": one("F4")}, data, "has the type F4; known are"
    yield {"a": one(["U8"])}, data, "has the type"
    yield {"a": {**one(), "more": 1}}, data, "should have dtype, shape and data_offsets"
    yield ours({}, version=2), data, "is a state of version 2, but known is 1"
    yield ours({"x": {"$tensor": "b"}}), data, r"\['x'\]: \$tensor cannot be read"
    yield ours({"x": {"$tensor": ["a"]}}), data, "cannot be read"
    yield ours({"x": {"$tensor": "a"}, "y": {"$tensor": "a"}}), data, r"\['y'\]: tensor 'a' should have one place but has two"
    yield ours({"x": {"$tensor": "a", "dim": 5}}), data, "dim"
    yield ours({"x": {"$float": "1"}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[{"$tuple": [[]]}, 1]]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [1]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[1, 2, 3]]}}), data, "cannot be read"
    yield ours({"x": {"$dict": [[{"$tensor": "a"}, 1]]}}), data, r"\['x'\]: a key should be text, .* but is a tensor"
    yield ours({"x": {"$bytes": "?"}}), data, "cannot be read"
    yield ours({"x": {"$complex": ["a"]}}), data, "cannot be read"
    yield ours({"x": {"$new": 1}}), data, "unknown; the file is damaged, or from a newer"
    yield ours([]), data, "should be a dict"
    yield {"__metadata__": {"stoker": "{NaN}"}}, b"", "should be JSON"


@pytest.mark.parametrize("header, data, text", list(damages()))
def test_damaged(tmp_path: Path, header: Any, data: bytes, text: str) -> None:
    path = write_raw(tmp_path / "s-1.safetensors", header, data)
    with pytest.raises(stoker.StokerError, match=text):
        stoker.load(path, 1, 2)


@pytest.mark.parametrize("size", [0, 7, 8, 20])
def test_cut_off(tmp_path: Path, size: int) -> None:
    stoker.save(FIRST, tmp_path / "s.safetensors")
    path = tmp_path / "s.safetensors"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(stoker.StokerError, match="s.safetensors"):
        stoker.load(path)
    path.write_bytes(struct.pack("<Q", 2**63) + bytes(100))
    with pytest.raises(stoker.StokerError, match="does not fit into 108"):
        stoker.load(path)


def test_random_damage_never_crashes(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "s.safetensors"
    stoker.save({**FIRST, "t": (1, 2.5, None), 3: np.ones(3, np.int8)}, path)
    good = path.read_bytes()
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        path.write_bytes(bad)
        try:
            stoker.load(path, chance.randrange(2), 2, mmap=chance.random() < 0.5)
        except stoker.StokerError:
            pass
