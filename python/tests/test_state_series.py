"""Which states are kept, which is the latest, and what a failed save leaves."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from states import FIRST, names, same

import stoker
from stoker._state import partial_file


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
    other = partial_file.claim(str(tmp_path / "step-1.safetensors"), "a" * 16)
    job, killed = tmp_path / ".step-1.safetensors.stoker-save", tmp_path / ".step-2.safetensors.stoker-save"
    for folder in (job, killed):
        folder.mkdir()
        (folder / "rank-1").write_bytes(b"{}")
    os.utime(killed / "rank-1", (0, 0))
    stoker.save({}, tmp_path / "step-3.safetensors", keep=3)
    assert names(tmp_path) == [job.name, f"step-1.safetensors.{'a' * 16}.partial", "step-3.safetensors"]
    partial_file.close_partial(other)
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
    with pytest.warns(
        UserWarning, match=r"step-1.safetensors\] is older than keep=1 asks for, but cannot be deleted: Operation not"
    ):
        stoker.save({"step": 2}, tmp_path / "step-2.safetensors", keep=1)
    assert stoker.load(tmp_path / "step-2.safetensors") == {"step": 2}


def test_forked_processes_do_not_keep_a_file_that_is_being_saved(tmp_path: Path) -> None:
    file = partial_file.claim(str(tmp_path / "step-1.safetensors"), "a" * 16)
    child = os.fork()
    if child == 0:
        try:
            os.fstat(file)
            os._exit(1)
        except OSError:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    partial_file.close_partial(file)


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
    with pytest.warns(UserWarning, match=r"skipping the newest state, which cannot be used: .*e1-step-100.safetensors"):
        assert stoker.latest(tmp_path) == str(tmp_path / "e1-step-10.safetensors")
    stoker.save({}, tmp_path / "best-1.safetensors")
    with pytest.raises(stoker.StokerError, match="several kinds: best-#.safetensors, e#-step-#.safetensors"):
        stoker.latest(tmp_path)
    assert stoker.latest(tmp_path / "best-*.safetensors") == str(tmp_path / "best-1.safetensors")


@pytest.mark.parametrize("code", [errno.EIO, errno.ESTALE])
@pytest.mark.parametrize("call", ["listdir", "stat", "open"])
@pytest.mark.parametrize("pattern", ["", "step-*.safetensors"])
def test_a_state_that_the_storage_does_not_show_is_not_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str, pattern: str
) -> None:
    for step in (2, 3):
        stoker.save({"step": step}, tmp_path / f"step-{step}.safetensors")
    failing = str(tmp_path) if call == "listdir" else str(tmp_path / "step-3.safetensors")
    works = getattr(os, call)

    def fails(path: Any, *more: Any, **named: Any) -> Any:
        if path == failing:
            raise OSError(code, os.strerror(code), path)
        return works(path, *more, **named)

    monkeypatch.setattr(os, call, fails)
    with pytest.raises(stoker.StokerError, match=re.escape(f"[{failing}] cannot be read: {os.strerror(code)}")):
        stoker.latest(str(tmp_path / pattern) if pattern else str(tmp_path))


def test_patterns_of_states(tmp_path: Path) -> None:
    for run in ("run-1", "run-2", ".run-3"):
        (tmp_path / run).mkdir()
        stoker.save({}, tmp_path / run / f"step-{run[-1]}.safetensors")
    assert stoker.latest(tmp_path / "run-*" / "step-*.safetensors") == str(tmp_path / "run-2" / "step-2.safetensors")
    assert stoker.latest(tmp_path / "*" / "step-1.safetensors") == str(tmp_path / "run-1" / "step-1.safetensors")
    assert stoker.latest(tmp_path / "no-*" / "step-*.safetensors") is None


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
    with pytest.raises(
        stoker.StokerError, match="No space left on device; free some space: what was saved before is as it was"
    ):
        stoker.save({"x": np.ones(1000)}, tmp_path / "s.safetensors")
    assert names(tmp_path) == ["s.safetensors"] and same(stoker.load(tmp_path / "s.safetensors"), FIRST)


def test_another_process_that_saves_the_same_is_refused(tmp_path: Path) -> None:
    target = str(tmp_path / "s.safetensors")
    other = partial_file.claim(target, "a" * 16)
    with pytest.raises(stoker.StokerError, match="is being saved by another process"):
        stoker.save(FIRST, target)
    os.close(other)
    stoker.save(FIRST, target)


# ---- files that are not what they should be
