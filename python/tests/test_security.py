"""What others on the node, and hostile data sets, must not be able to do. docs/security.md tells what each test stands for."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Callable, Iterator, Tuple

import numpy as np
import pytest
from conftest import Packed

import stoker
from stoker._read.container import _in_cache
from stoker._system import ownership

SOURCES = sorted((Path(__file__).parent.parent / "src" / "stoker").glob("**/*.py"))
#: What runs code that stands in data, or a shell that words of data could reach.
MODULES = {"pickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "yaml", "runpy", "code"}
CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "torch.load", "np.load", "numpy.load"}

is_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


def _forbidden(tree: ast.AST) -> Iterator[Tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and str(node.module).split(".")[0] in MODULES:
            yield node.lineno, str(node.module)
        elif isinstance(node, ast.Call):
            if ast.unparse(node.func) in CALLS:
                yield node.lineno, ast.unparse(node.func)
            for option in node.keywords:
                is_on = not (isinstance(option.value, ast.Constant) and option.value.value is False)
                if option.arg in ("shell", "allow_pickle") and is_on:
                    yield node.lineno, str(option.arg)


#: What passes between a loader and the workers that it started, which run its code.
ALLOWED = {"_map/channel.py": ["pickle", "cloudpickle"]}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_in_data_is_run(source: Path) -> None:
    found = [what for _, what in _forbidden(ast.parse(source.read_text()))]
    assert found == ALLOWED.get(f"{source.parent.name}/{source.name}", [])


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from dill import loads",
        "eval(x)",
        "np.load(f)",
        "torch.load(f)",
        "run(x, shell=True)",
        "f(allow_pickle=y)",
    ],
)
def test_what_runs_data_would_be_found(line: str) -> None:
    assert list(_forbidden(ast.parse(line)))


def test_errors_give_no_orders_to_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(stoker.StokerError) as caught:
        stoker.open(tmp_path / "a\x1b[2J\x9b\u202e.stk")
    assert "a\\x1b[2J\\x9b\\u202e.stk" in str(caught.value)


def test_a_state_is_not_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    (tmp_path / "state.safetensors.partial").symlink_to(precious)
    with pytest.raises(stoker.StokerError, match=r"state\.safetensors\.partial\] cannot be written"):
        stoker.save({"w": np.zeros(3)}, tmp_path / "state.safetensors", rank=0, world=1)
    assert precious.read_bytes() == b"precious"


def test_lines_are_not_written_through_a_link_where_everybody_writes(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    (shared / "log.jsonl").symlink_to(precious)
    shared.chmod(0o777)
    with pytest.raises(stoker.StokerError, match="it is a symbolic link"):
        ownership.open_own(str(shared / "log.jsonl"), os.O_WRONLY | os.O_APPEND)
    assert precious.read_bytes() == b"precious"
    shared.chmod(0o755)
    os.close(ownership.open_own(str(shared / "log.jsonl"), os.O_WRONLY | os.O_APPEND))


def _given_away(path: Path) -> Path:
    os.chown(path, 12345, 12345)
    path.parent.chmod(0o1777)
    return path


@is_root
def test_what_another_user_put_there_is_not_used(tmp_path: Path) -> None:
    partial = tmp_path / "state.safetensors.partial"
    partial.write_bytes(b"theirs")
    _given_away(partial)
    with pytest.raises(stoker.StokerError, match="it belongs to user 12345, in a world-writable folder"):
        stoker.save({"w": np.zeros(3)}, tmp_path / "state.safetensors", rank=0, world=1)
    folder = tmp_path / ".x.stoker-save"
    folder.mkdir()
    with pytest.raises(stoker.StokerError, match="it belongs to user 12345"):
        ownership.require_own(str(_given_away(folder)))


@is_root
def test_an_index_by_another_user_is_not_believed(packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STOKER", "/nonexistent")
    path = packed.copy(tmp_path)
    sidecar = Path(f"{path}.stkx")
    if not sidecar.exists() or path.is_dir():
        pytest.skip("its Index is its own")
    stoker.open(path)
    _given_away(sidecar)
    with pytest.raises((stoker.StokerError, OSError)):
        stoker.open(path)
    tmp_path.chmod(0o755)
    stoker.open(path)
    cached = Path(_in_cache(str(path)))
    cached.parent.mkdir(parents=True)
    sidecar.rename(cached)
    with pytest.raises((stoker.StokerError, OSError)):
        stoker.open(path)
    os.chown(cached, os.getuid(), -1)
    stoker.open(path)


@is_root
def test_an_index_of_a_folder_by_another_user_is_not_believed(packed: Packed, tmp_path: Path) -> None:
    path = packed.copy(tmp_path)
    if not path.is_dir():
        pytest.skip("it is a file")
    stoker.open(path)
    _given_away(Path(f"{path}.stkx"))
    with pytest.raises(stoker.StokerError, match="is a folder without an Index"):
        stoker.open(path)
    tmp_path.chmod(0o755)
    stoker.open(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "x.stk"
    os.mkfifo(pipe)
    with pytest.raises(stoker.StokerError, match="it is no regular file"):
        stoker.open(pipe)


def test_a_pipe_is_not_waited_for_as_a_state(tmp_path: Path) -> None:
    stoker.save({"step": 1}, tmp_path / "step-1.safetensors")
    pipe = tmp_path / "step-2.safetensors"
    os.mkfifo(pipe)
    assert stoker.latest(tmp_path) == str(tmp_path / "step-1.safetensors")
    with pytest.raises(stoker.StokerError, match=r"step-2.safetensors\] cannot be read: it is no regular file"):
        stoker.load(pipe)


def test_links_out_of_a_zarr_folder_are_not_followed(tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.bin").write_bytes(b"content")
    container = tmp_path / "photos.zarr"
    stoker_command("pack", source, "-o", container, "--no-sync")
    assert stoker.open(container)[0]["data"] == b"content"
    [shard] = [path for path in container.glob("**/c/0") if b"content" in path.read_bytes()]
    shard.rename(tmp_path / "outside")
    shard.symlink_to(tmp_path / "outside")
    with pytest.raises(stoker.StokerError, match="a link leads out of it"):
        stoker.open(container)[0]
