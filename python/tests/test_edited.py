"""Who edits a packed container with another library gets the new values or a refusal, never the old ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np
import pytest

import stoker
from stoker._java.command import find_command
from stoker._read import edit_check

COUNT = 30_000
OLD, NEW = 3, 7
#: Between the head and tail by which a sidecar knows its container.
EDITED = slice(14_900, 15_100)


def _labels(path: Path) -> List[int]:
    return [int(sample["label"]) for sample in stoker.open(path)]


def _expected(new: int) -> List[int]:
    labels = np.full(COUNT, OLD)
    labels[EDITED] = new
    return labels.tolist()


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("originals")
    for ending in EDITS:
        samples = ({"key": f"{i:05}", "data": bytes([i % 251]) * 20, "label": np.int64(OLD)} for i in range(COUNT))
        stoker.pack(samples, folder / f"set.{ending}")
    return folder


def _copy(path: Path, to: Path, copy: Callable[..., Any] = shutil.copy2) -> Path:
    """A pair at another place, with its times or without."""
    if path.is_dir():
        shutil.copytree(path, to, copy_function=copy)
    else:
        copy(path, to)
    copy(f"{path}.stkx", f"{to}.stkx")
    return to


def _edit_hdf5(path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "r+") as f:
        f["train/targets"][EDITED] = NEW


def _edit_arrow(path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    with pa.memory_map(str(path), "r+") as f:
        whole = f.read_buffer(f.size())
        table = pa.ipc.open_file(pa.BufferReader(whole)).read_all()
        places = [
            chunk.buffers()[1].address - whole.address + 8 * (chunk.offset + i)
            for chunk in table["label"].chunks
            for i in range(len(chunk))
        ]
        for place in places[EDITED]:
            f.seek(place)
            f.write(np.int64(NEW).tobytes())


def _edit_zarr(path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    zarr.open_group(str(path), mode="r+")["train/targets"][EDITED] = NEW


EDITS: Dict[str, Callable[[Path], None]] = {"h5": _edit_hdf5, "arrow": _edit_arrow, "zarr": _edit_zarr}


@pytest.fixture(params=sorted(EDITS))
def edited(request: pytest.FixtureRequest, originals: Path, tmp_path: Path) -> Path:
    path = _copy(originals / f"set.{request.param}", tmp_path / f"set.{request.param}")
    assert _labels(path) == _expected(OLD)
    EDITS[request.param](path)
    return path


def _read(path: Path, **options: Any) -> List[int]:
    with stoker.Loader(str(path), batch_size=1000, rank=0, world=1, **options) as loader:
        return [int(label) for batch in loader for label in batch["label"]]


def _assert_new(read: Callable[[], List[int]]) -> None:
    try:
        found = read()
    except stoker.StokerError as e:
        assert "does not agree with its Index" in str(e) or "does not match its Index" in str(e), e
    else:
        assert found == _expected(NEW)


def test_open_gives_no_old_labels(edited: Path) -> None:
    _assert_new(lambda: _labels(edited))


@pytest.mark.parametrize("verify", [False, True])
def test_a_loader_gives_no_old_labels(edited: Path, verify: bool) -> None:
    _assert_new(lambda: _read(edited, verify=verify))


@pytest.mark.parametrize("words", [["feed"], ["feed", "--verify"], ["inspect"], ["cat", "15000"], ["convert"], ["export"]])
def test_no_command_passes_old_labels_on(edited: Path, words: List[str], tmp_path: Path) -> None:
    command = find_command()
    assert command is not None
    target = {"convert": ["-o", str(tmp_path / "out.stk")], "export": ["-o", str(tmp_path / "out")]}.get(words[0], [])
    ended = subprocess.run([*command, words[0], str(edited), *words[1:], *target], capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stdout
    assert "does not agree with its Index" in ended.stderr or "does not match its Index" in ended.stderr


def test_an_edit_is_not_hidden_by_copying(edited: Path, tmp_path: Path) -> None:
    copy = _copy(edited, tmp_path / f"copy{edited.suffix}", shutil.copyfile)
    _assert_new(lambda: _labels(copy))


def test_a_new_index_gives_the_new_labels(originals: Path, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    path = _copy(originals / "set.h5", tmp_path / "set.h5")
    _edit_hdf5(path)
    stoker_command("index", "--force", path)
    assert _labels(path) == _expected(NEW)


@pytest.mark.parametrize("ending", sorted(EDITS))
def test_an_unedited_pair_opens_without_the_command(
    originals: Path, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = originals / f"set.{ending}"
    copy = _copy(path, tmp_path / f"copy.{ending}")
    monkeypatch.setattr(edit_check, "find_command", lambda: pytest.fail("the command was looked for"))
    assert _labels(path) == _expected(OLD)
    assert _labels(copy) == _expected(OLD)


def test_a_copy_without_times_is_compared_once(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _copy(originals / "set.h5", tmp_path / "set.h5")
    for file in (path, f"{path}.stkx"):
        os.utime(file)
    assert _labels(path) == _expected(OLD)
    monkeypatch.setattr(edit_check, "find_command", lambda: pytest.fail("the command was looked for"))
    assert _labels(path) == _expected(OLD)


def test_without_the_command_a_later_container_is_refused(
    originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _copy(originals / "set.h5", tmp_path / "set.h5")
    monkeypatch.setattr(edit_check, "find_command", lambda: None)
    os.utime(path)
    with pytest.raises(stoker.StokerError, match=r"was written after its Index .* may have been edited"):
        stoker.open(path)
    os.utime(f"{path}.stkx")
    assert _labels(path) == _expected(OLD)
