"""The loader: what it says when something is wrong."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator

import map_functions as functions
import pytest
from batches import keys
from conftest import Packed

import stoker
from stoker._java import command as java_command
from stoker._java import protocol, reader_process
from stoker._loader.cursor import Cursor

SOURCE = str(Path(stoker.__file__).parents[1])

pytestmark = pytest.mark.usefixtures("keeper")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fields": ["image"]}, "no field 'image'; the fields are key, data, label"),
        ({"fields": "data"}, r"fields should be a list of names, such as \['data'\]"),
        ({"pad": ["x"]}, "no field 'x'"),
        ({"tail": "wrap"}, "unknown tail 'wrap'; valid are even, drop, ragged"),
        ({"shuffle": "sometimes"}, "sometimes"),
        ({"transform": "Rezise(3)"}, "transform: .*Rezise"),
        ({"transform": len}, "transform should be text"),
        ({"batch_size": 0}, "at least 1 sample but has 0"),
        ({"rank": 2, "world": 2}, "rank is 2, world 2"),
        ({"rank": 2}, "give rank and world, or neither"),
        ({"framework": "mxnet"}, "unknown framework 'mxnet'; valid are numpy, torch, jax, tf"),
        ({"path_or_paths": "nowhere.stk"}, r"nowhere\.stk\]"),
    ],
)
def test_wrong_options(stk: Packed, options: Dict[str, Any], message: str) -> None:
    with pytest.raises(stoker.StokerError, match=message):
        stoker.Loader(**{"path_or_paths": stk.path, **options})


def test_bad_sample_is_named(stk: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    offset = path.read_bytes().index(stk.samples[5]["data"])
    with path.open("r+b") as f:
        f.seek(offset)
        f.write(bytes([stk.samples[5]["data"][0] ^ 1]))
    with stoker.Loader(path, 4, verify=True) as loader:
        batches = iter(loader)
        next(batches)
        with pytest.raises(stoker.StokerError, match=r"p\.stk\] sample 5, byte \d+: field 'data': checksum"):
            next(batches)
    with stoker.Loader(path, 4, bad="skip") as loader:
        assert keys(loader) == [sample["key"] for i, sample in enumerate(stk.samples) if i != 5]


def test_other_protocol_names_both_versions(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PROTOCOL", 99)
    with pytest.raises(
        stoker.StokerError, match=r"the Python package \(.+\) speaks protocol 99 but the reader process \(.+\) speaks 3"
    ):
        stoker.Loader(stk.path)


def test_no_command(stk: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STOKER_JOB", f"none {os.getpid()}")
    monkeypatch.delenv("STOKER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(java_command, "_PACKAGE", tmp_path / "python" / "src" / "stoker")
    with pytest.raises(
        stoker.StokerError, match=r"there is no command 'stoker'.*needs Java 25, or pip install 'stoker\[java\]'"
    ):
        stoker.Loader(stk.path)


def test_no_java(stk: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STOKER_JOB", f"no java {os.getpid()}")
    script = tmp_path / "stoker"
    script.write_text("#!/bin/sh\necho 'stoker: no JDK 25 or newer found' >&2\nexit 1\n")
    script.chmod(0o700)
    monkeypatch.setenv("STOKER", str(script))
    with pytest.raises(stoker.StokerError, match="could not be started; it said: stoker: no JDK 25 or newer found"):
        stoker.Loader(stk.path)


def _as_other_user(name: str, out: Any) -> None:
    os.setuid(65534)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(name)
        out.send(sock.recv(1000))


def _listen_as_other_user(name: str, out: Any) -> None:
    os.setuid(65534)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(name)
        sock.listen()
        out.send(b"ready")
        out.recv()


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become another user")
def test_other_users_are_refused(keeper: stoker.Loader, stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = multiprocessing.Pipe()
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=_as_other_user, args=(reader_process.socket_name(), there))
    process.start()
    assert here.poll(60)
    assert b"belongs to user 0 and serves no other, but user 65534 connected" in here.recv()
    process.join()

    monkeypatch.setenv("STOKER_JOB", f"taken {os.getpid()}")
    process = fork.Process(target=_listen_as_other_user, args=(reader_process.socket_name(), there))
    process.start()
    assert here.poll(60)
    with pytest.raises(stoker.StokerError, match="belongs to user 65534, not to 0"):
        stoker.Loader(stk.path)
    here.send(b"end")
    process.join()


def test_a_reader_without_room_refuses_and_keeps_the_others(
    stk: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each client takes an open file of the reader process, which may have few here."""
    command = java_command.find_command()
    assert command is not None
    script = tmp_path / "stoker"
    script.write_text(f'#!/bin/sh\nulimit -n 100\nexec {shlex.join(command)} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setenv("STOKER", str(script))
    monkeypatch.setenv("STOKER_JOB", f"few files {os.getpid()}")
    sentence = "the reader process of this node has no room for another client: Too many open files; raise the limit"
    with contextlib.closing(reader_process.connect()) as first, contextlib.ExitStack() as opened:
        pid = first.pid
        others = [opened.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(100)]
        for sock in others:
            sock.settimeout(60)
            sock.connect(reader_process.socket_name())
        assert sentence.encode() in others[-1].recv(1000)
        with pytest.raises(stoker.StokerError, match=sentence):
            stoker.Loader(stk.path)
        first.greet()
        assert first.pid == pid
        opened.close()
        with _once_there_is_room(stk) as loader:
            assert sorted(keys(loader)) == sorted(sample["key"] for sample in stk.samples)
        first.greet()
        assert first.pid == pid


def _once_there_is_room(stk: Packed) -> stoker.Loader:
    """The reader process takes a moment to notice that clients have left."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return stoker.Loader(stk.path, batch_size=2)
        except stoker.StokerError as e:
            if "Too many open files" not in str(e) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def name_taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The name of a job's socket, bound by somebody else. Who waits for it for ever is woken."""

    def wake(*_: Any) -> None:
        raise AssertionError("the loader hangs")

    monkeypatch.setenv("STOKER_JOB", f"squatted {os.getpid()}")
    monkeypatch.setenv("STOKER_START_SECONDS", "0.5")
    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(30)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(reader_process.socket_name())
            yield listener
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_name_taken_by_one_who_does_not_accept(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    with name_taken(monkeypatch) as listener, contextlib.ExitStack() as waiting:
        listener.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                sock = waiting.enter_context(socket.socket(socket.AF_UNIX))
                sock.setblocking(False)
                sock.connect(reader_process.socket_name())
        with pytest.raises(
            stoker.StokerError,
            match=r"the socket stoker-\S+ is taken by a process that accepted no connection in 0.5 s: .* Set STOKER_JOB",
        ):
            stoker.Loader(stk.path)


def test_name_taken_by_one_who_does_not_listen(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        name_taken(monkeypatch),
        pytest.raises(
            stoker.StokerError,
            match=r"the socket stoker-\S+ is taken by a process that did not listen in 0.5 s: .* Set STOKER_JOB",
        ),
    ):
        stoker.Loader(stk.path)


@pytest.mark.parametrize("value", ["ten", "-1", "0", "nan", "inf", "1e9"])
def test_seconds_that_are_none(stk: Packed, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("STOKER_START_SECONDS", value)
    subprocess.run([sys.executable, "-c", "import stoker"], check=True, env={**os.environ, "PYTHONPATH": SOURCE})
    with pytest.raises(
        stoker.StokerError, match=f"STOKER_START_SECONDS should be a number of seconds, more than 0 and .* but is '{value}'"
    ):
        stoker.Loader(stk.path)


OTHER_FILE = """
import subprocess, sys, stoker
path, other = sys.argv[1:]
subprocess.run(["mount", "--bind", other, path], check=True)
with stoker.Loader(path, 4) as loader:
    print(loader.reader_pid, sum(len(batch["key"]) for batch in loader), stoker.open(path)[0]["key"])
"""


@pytest.mark.skipif(
    os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0,
    reason="needs root, to have mounts of its own",
)
def test_other_mounts_have_another_reader(stk: Packed, tmp_path: Path, keeper: stoker.Loader) -> None:
    path, other = tmp_path / "p.stk", tmp_path / "other.stk"
    path.write_bytes(stk.path.read_bytes())
    stoker.pack(({"key": f"other {i}"} for i in range(5)), other)
    with stoker.Loader(path, 4) as loader:
        said = subprocess.run(
            ["unshare", "-m", sys.executable, "-c", OTHER_FILE, path, other],
            env={**os.environ, "PYTHONPATH": SOURCE},
            capture_output=True,
            text=True,
            check=False,
        )
        assert said.returncode == 0, said.stderr
        reader, samples, first = said.stdout.split(maxsplit=2)
        assert (samples, first) == ("5", "other 0\n") and int(reader) != keeper.reader_pid
        assert len(keys(loader)) == len(stk.samples)


def test_socket_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    name = reader_process.socket_name()

    def absent(_: str) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "readlink", absent)
    assert reader_process.socket_name() != name
    assert len(reader_process.socket_name()) == len(name)


@pytest.mark.parametrize("after", [False, True])
def test_ctrl_c_while_a_batch_is_handed_over_loses_none(stk: Packed, monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    advance = Cursor.advance
    calls = []

    def interrupted(self: Cursor, *arguments: Any) -> None:
        calls.append(self)
        if after:
            advance(self, *arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        if not after:
            advance(self, *arguments)

    with stoker.Loader(stk.path, 4) as loader:
        monkeypatch.setattr(Cursor, "advance", interrupted)
        found = []
        with pytest.raises(KeyboardInterrupt):
            for batch in loader:
                found += batch["key"]
        assert len(found) == 8 and loader.state_dict()["cursor"] == 8
        assert found + keys(loader) == [sample["key"] for sample in stk.samples]


def test_an_epoch_can_be_begun_again_after_its_first_batch_failed(
    stk: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STOKER_TEST_MARKER", str(tmp_path / "marker"))
    spawned: Dict[str, Any] = {"multiprocessing_context": "spawn"}
    for workers in (0, 1):
        (tmp_path / "marker").unlink(missing_ok=True)
        with stoker.Loader(stk.path, 4, map=functions.fail_without_marker, workers=workers, **spawned) as loader:
            with pytest.raises(stoker.StokerError, match="no marker"):
                keys(loader)
            (tmp_path / "marker").touch()
            loader.set_epoch(0)
            assert keys(loader) == [sample["key"] for sample in stk.samples]
