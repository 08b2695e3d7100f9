"""States that are saved while the program runs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from states import FIRST, same

import stoker
from stoker._state import partial_file


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
    gate, fill, running = threading.Event(), partial_file.fill, []

    def slow(*arguments: Any) -> None:
        running.append(threading.current_thread().name)
        assert gate.wait(60)
        fill(*arguments)

    monkeypatch.setattr(partial_file, "fill", slow)
    first = stoker.save(FIRST, tmp_path / "step-1.safetensors", wait=False)
    threading.Timer(0.3, gate.set).start()
    assert not first.done() and stoker.latest(tmp_path) is None
    stoker.save(FIRST, tmp_path / "step-2.safetensors")
    assert first.done() and running == ["stoker-save", "MainThread"]


def test_threads_that_save_at_once_do_not_mix_their_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill, together = partial_file.fill, threading.Barrier(2)

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

    monkeypatch.setattr(partial_file, "fill", slow)
    threads = [threading.Thread(target=save, args=(value,)) for value in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stoker.save({}, tmp_path / "last.safetensors")  # waits
    for value in (1, 2):
        assert (stoker.load(tmp_path / f"{value}.safetensors")["x"] == value).all()


def test_a_save_that_goes_on_cannot_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, fill = threading.Event(), partial_file.fill
    monkeypatch.setattr(partial_file, "fill", lambda *arguments: gate.wait(60) and fill(*arguments))
    future = stoker.save(FIRST, tmp_path / "s.safetensors", wait=False)
    is_cancelled = future.cancel()
    gate.set()
    assert not is_cancelled and future.result(60) and same(stoker.load(tmp_path / "s.safetensors"), FIRST)


def test_an_error_is_raised_by_the_next_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise stoker.StokerError("the disk is on fire")

    with monkeypatch.context() as patched:
        patched.setattr(partial_file, "fill", fail)
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
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(target)], env=environment, capture_output=True, text=True, check=True
    )
    return ended.stderr


def test_a_program_ends_when_its_state_is_saved(tmp_path: Path) -> None:
    assert run_program(tmp_path / "s.safetensors") == ""
    assert stoker.load(tmp_path / "s.safetensors")["x"].sum() == 1_000_000
    (tmp_path / "file").write_text("no folder")
    assert "the last state was not saved" in run_program(tmp_path / "file" / "s.safetensors")


# ---- complete or not
