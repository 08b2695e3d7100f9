"""Making an Index that is missing, and finding the command that does so."""

from __future__ import annotations

import multiprocessing
import os
import shlex
import shutil
import stat
import sys
import time
from pathlib import Path
from typing import List

import pytest
from conftest import Packed

import stoker
from stoker._java import command as java_command
from stoker._java.command import find_command

pytestmark = pytest.mark.parametrize("packed", ["tar"], indirect=True)


@pytest.fixture
def tar(packed: Packed, tmp_path: Path) -> Path:
    """A tar without its Index."""
    path = tmp_path / "alone.tar"
    shutil.copy(packed.path, path)
    return path


def test_missing_index_is_made_once(tar: Path, packed: Packed) -> None:
    assert list(stoker.open(tar)) == packed.samples
    made = Path(f"{tar}.stkx").stat()
    assert list(stoker.open(tar)) == packed.samples
    assert Path(f"{tar}.stkx").stat().st_mtime_ns == made.st_mtime_ns


def test_one_process_makes_the_index_and_the_others_wait(
    tar: Path, packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = find_command()
    assert command is not None
    script, log = tmp_path / "logged", tmp_path / "log"
    script.write_text(f'#!/bin/sh\necho "$@" >>{log}\nexec {shlex.join(command)} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setenv("STOKER", str(script))
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.map(number_of_samples, [tar] * 4, chunksize=1) == [len(packed.samples)] * 4
    assert log.read_text() == f"index --force {tar}\n"


def number_of_samples(path: Path) -> int:
    return len(stoker.open(path))


def test_stale_index_is_made_anew(tar: Path, packed: Packed) -> None:
    stoker.open(tar)
    with tar.open("ab") as f:
        f.write(bytes(10240))
    assert list(stoker.open(tar)) == packed.samples


def test_index_older_than_its_container_is_made_anew(tar: Path, packed: Packed) -> None:
    stoker.open(tar)
    index = Path(f"{tar}.stkx")
    os.utime(index, (1, 1))
    assert list(stoker.open(tar)) == packed.samples
    assert index.stat().st_mtime_ns > tar.stat().st_mtime_ns


def test_container_from_the_future_is_looked_through_once(
    tar: Path, packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.time() + 86_400
    os.utime(tar, (later, later))
    assert list(stoker.open(tar)) == packed.samples
    without_any_command(monkeypatch, tmp_path)
    assert list(stoker.open(tar)) == packed.samples


def test_older_index_without_a_command(tar: Path, packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stoker.open(tar)
    index = Path(f"{tar}.stkx")
    os.utime(index, (1, 1))
    without_any_command(monkeypatch, tmp_path)
    with pytest.raises(
        stoker.StokerError, match=r"was written after its Index \[.*\], which may be .* confirm with: touch .*stkx$"
    ):
        stoker.open(tar)
    index.touch()
    assert list(stoker.open(tar)) == packed.samples


def test_command_that_is_not_there(tar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOKER", "/nonexistent/stoker")
    with pytest.raises(stoker.StokerError, match=r"has no Index, and '/nonexistent/stoker' cannot be run: No such file"):
        stoker.open(tar)


def test_index_in_the_cache_of_a_folder_that_cannot_be_written(
    tar: Path, packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # A folder in the way stops everyone, root too.
    (tmp_path / "alone.tar.stkx").mkdir()
    assert list(stoker.open(tar)) == packed.samples
    assert [p.name.startswith("alone.tar-") for p in (tmp_path / "cache" / "stoker").iterdir() if p.suffix == ".stkx"] == [True]


def without_any_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STOKER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(java_command, "_PACKAGE", tmp_path / "python" / "src" / "stoker")


def test_no_command(tar: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_any_command(monkeypatch, tmp_path)
    assert find_command() is None
    with pytest.raises(stoker.StokerError) as caught:
        stoker.open(tar)
    assert str(caught.value) == (
        f"[{tar}] has no Index (alone.tar.stkx) beside it, and there is no command 'stoker' that could make one. Copy "
        "the Index from where the container was packed, or install Stoker (a wheel that has it is built by python/build-wheel; "
        "it needs Java 25, or pip install 'stoker[java]'), or set STOKER to the path of the command"
    )


def test_command_that_fails(packed: Packed, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"nothing that Stoker knows")
    with pytest.raises(
        stoker.StokerError,
        match=r"^\[.*x.bin\] has no Index, and '.*stoker.* index' could not make one: .*is in no format that Stoker knows",
    ):
        stoker.open(path)


def test_where_the_command_is_found(packed: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_any_command(monkeypatch, tmp_path)

    def script(path: Path, text: str = "#!/bin/sh\n") -> List[str]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return [str(path)]

    script(tmp_path / "stoker", f"#!{sys.executable}\nfrom stoker._java.command import main\n")
    assert find_command() is None
    on_path = script(tmp_path / "bin" / "stoker")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{tmp_path / 'bin'}")
    assert find_command() == on_path
    own = script(tmp_path / "python" / "src" / "stoker" / "dist" / "bin" / "stoker")
    assert find_command() == ["sh", *own]
    monkeypatch.setenv("STOKER", "/somewhere/stoker")
    assert find_command() == ["/somewhere/stoker"]


def test_a_checkout_is_used_as_it_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: Packed) -> None:
    monkeypatch.delenv("STOKER", raising=False)
    monkeypatch.setattr(java_command, "_PACKAGE", tmp_path / "python" / "src" / "stoker")
    for name in ("stoker", "tools/find-java.sh", "build/dist/bin/stoker"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find_command() == [str(tmp_path / "build/dist/bin/stoker")]
    (tmp_path / "build/dist/bin/stoker").unlink()
    assert find_command() == [str(tmp_path / "stoker")]
