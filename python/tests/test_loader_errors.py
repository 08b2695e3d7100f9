"""The loader: what it says when something is wrong."""

from __future__ import annotations

import multiprocessing
import os
import socket
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest
from batches import keys
from conftest import Packed

import stoker
from stoker import _command, _reader, _wire

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


def test_debug_mode_finds_late_use(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, debug=True) as loader:
        batches = iter(loader)
        batch = next(batches)
        labels, data, doubled, view = batch["label"], batch["data"], batch["label"] * 2, batch["label"][1:]
        own, plain_view = labels.copy(), labels.view(np.ndarray)
        assert labels.sum() == own.sum() and data[0].tobytes() == stk.samples[0]["data"]
        next(batches)
        for use in (
            lambda: labels[0],
            lambda: labels + 1,
            lambda: np.stack([labels, labels]),
            lambda: labels.sum(),
            lambda: view.tolist(),
            lambda: data[0],
            lambda: data.values,
        ):
            with pytest.raises(stoker.StokerError, match="was valid until the next one was asked for"):
                use()
        assert (doubled == own * 2).all()
        assert (plain_view == -1).all() or (plain_view != own).any()


def test_other_protocol_names_both_versions(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wire, "PROTOCOL", 99)
    with pytest.raises(
        stoker.StokerError, match=r"the Python package \(.+\) speaks protocol 99 but the reader process \(.+\) speaks 1"
    ):
        stoker.Loader(stk.path)


def test_no_command(stk: Packed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STOKER_JOB", f"none {os.getpid()}")
    monkeypatch.delenv("STOKER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_command, "_PACKAGE", tmp_path / "python" / "src" / "stoker")
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
    process = fork.Process(target=_as_other_user, args=(_reader.socket_name(), there))
    process.start()
    assert here.poll(60)
    assert b"belongs to user 0 and serves no other, but user 65534 connected" in here.recv()
    process.join()

    monkeypatch.setenv("STOKER_JOB", f"taken {os.getpid()}")
    process = fork.Process(target=_listen_as_other_user, args=(_reader.socket_name(), there))
    process.start()
    assert here.poll(60)
    with pytest.raises(stoker.StokerError, match="belongs to user 65534, not to 0"):
        stoker.Loader(stk.path)
    here.send(b"end")
    process.join()
