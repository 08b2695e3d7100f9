"""The loader: what it delivers, where it goes on, what it says when something is wrong."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

import kills
import numpy as np
import pytest
from conftest import CLASSES, Packed

import stoker
from stoker import _command, _reader, _wire

pytestmark = pytest.mark.usefixtures("keeper")


def plain(batch: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The samples of a batch as the map-style data set gives them."""
    columns = {name: [_plain(value) for value in values] for name, values in batch.items()}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 1 else value


def keys(loader: stoker.Loader) -> List[str]:
    return [key for batch in loader for key in batch["key"]]


def test_delivers_what_was_packed(packed: Packed) -> None:
    with stoker.Loader(packed.path, 4) as loader:
        assert len(loader) == 6
        assert loader.schema == {"key": "text", "data": "bytes", "label": "int64"}
        assert loader.classes == CLASSES
        assert loader.samples == len(packed.samples)
        batches = [plain(batch) for batch in loader]
    assert [len(batch) for batch in batches] == [4, 4, 4, 4, 4, 1]
    assert sum(batches, []) == packed.samples


def test_numbers_texts_and_lists(rich: Packed) -> None:
    with stoker.Loader(rich.path, 7, fields=list(rich.samples[0])) as loader:
        assert sum((plain(batch) for batch in loader), []) == rich.samples


@pytest.mark.skipif("STOKER_RANDOM" not in os.environ, reason="containers of random schemas are made by the Maven build")
def test_random_schemas() -> None:
    for described in sorted(Path(os.environ["STOKER_RANDOM"]).glob("*.json")):
        path = described.with_suffix("")
        dataset = stoker.open(path)
        with stoker.Loader(path, 5, copy=True) as loader:
            assert loader.schema == dataset.schema
            delivered = [sample for batch in loader for sample in _rows(batch)]
        assert len(delivered) == len(dataset)
        for found, expected in zip(delivered, dataset):
            for name, kind in dataset.schema.items():
                if kind == "bytes":
                    assert found[name].tobytes() == expected[name]
                elif kind.startswith("text"):
                    assert found[name] == expected[name]
                else:
                    assert found[name].dtype == expected[name].dtype
                    np.testing.assert_array_equal(found[name], expected[name], strict=True)


def _rows(batch: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [{name: values[i] for name, values in batch.items()} for i in range(len(next(iter(batch.values()))))]


def test_arrays_lie_in_shared_memory_and_may_be_written(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4) as loader:
        batch = next(iter(loader))
        assert not batch["label"].flags.owndata
        assert batch["label"].flags.writeable
        assert batch["label"].ctypes.data % 64 == 0
        values, offsets = batch["data"].values, batch["data"].offsets
        assert values.dtype == np.uint8 and offsets.dtype == np.int64
        assert values[offsets[1] : offsets[2]].tobytes() == stk.samples[1]["data"]
        assert batch["data"].lengths.tolist() == [len(sample["data"]) for sample in stk.samples[:4]]
        assert batch["data"][-1].tobytes() == stk.samples[3]["data"]
        with pytest.raises(IndexError, match="there is no value 4"):
            batch["data"][4]


@pytest.mark.parametrize("world", [1, 3])
def test_order_is_that_of_the_specification(stk: Packed, world: int) -> None:
    n = len(stk.samples)
    for rank in range(world):
        with stoker.Loader(stk.path, 2, True, 7, rank, world, tail="ragged") as loader:
            for epoch in range(3):
                expected = stoker.order(n, 7, epoch, range(rank, n, world)).tolist()
                assert keys(loader) == [stk.samples[i]["key"] for i in expected]


def test_tails(stk: Packed) -> None:
    def count(**options: Any) -> List[int]:
        found = []
        for rank in range(4):
            with stoker.Loader(stk.path, 3, rank=rank, world=4, **options) as loader:
                batches = [len(batch["label"]) for batch in loader]
                assert len(batches) == len(loader)
                found.append(sum(batches))
        return found

    assert count(tail="even") == [6, 6, 6, 6]
    assert count(tail="drop") == [5, 5, 5, 5]
    assert count(tail="ragged") == [6, 5, 5, 5]
    assert count(tail="ragged", drop_last=True) == [6, 3, 3, 3]


def test_a_rank_without_samples(stk: Packed) -> None:
    with stoker.Loader(stk.path, rank=25, world=30, tail="ragged") as loader:
        assert len(loader) == 0
        assert list(loader) == []
        assert list(loader) == []


def test_resumes_at_every_step_with_any_world(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 3) as loader:
        whole = [keys(loader), keys(loader)]
    for stop in range(7):
        with stoker.Loader(stk.path, 4, True, 3) as loader:
            batches = iter(loader)
            first = [key for _ in range(stop) for key in next(batches, {"key": []})["key"]]
            state = json.loads(json.dumps(loader.state_dict()))
        for world in (1, 2):
            rest, after = [], []
            for rank in range(world):
                with stoker.Loader(stk.path, 5, True, 3, rank, world, tail="ragged") as loader:
                    loader.load_state_dict(state)
                    assert loader.state_dict() == state
                    if stop < 6:  # the rest of the epoch first
                        rest += keys(loader)
                    after += keys(loader)
            assert sorted(first + rest) == sorted(whole[0])
            assert sorted(after) == sorted(whole[1])
            if world == 1:
                assert first + rest == whole[0]


def test_epochs(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True, 5) as loader:
        assert loader.epoch == 0
        zero = keys(loader)
        one = keys(loader)
        assert zero != one and sorted(zero) == sorted(one)
        loader.set_epoch(0)
        assert loader.epoch == 0
        assert keys(loader) == zero
        assert keys(loader) == one
        loader.set_epoch(1)
        assert list(next(iter(loader))["key"]) == one[:8]
        two = keys(loader)  # an epoch that was left early is over
        assert loader.state_dict()["epoch"] == 3
        loader.set_epoch(2)
        assert keys(loader) == two
        with pytest.raises(stoker.StokerError, match="an epoch should be at least 0 but is -1"):
            loader.set_epoch(-1)


def test_state_of_an_epoch_that_was_left_early(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True, 5) as loader:
        next(iter(loader))
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (0, 8)
        batches = iter(loader)
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (1, 0)
        next(batches)
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (1, 8)


def test_only_one_iteration_at_a_time(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8) as loader:
        first = iter(loader)
        next(first)
        second = iter(loader)
        next(second)
        with pytest.raises(stoker.StokerError, match="another iteration was begun"):
            next(first)
    with pytest.raises(stoker.StokerError, match="the loader was closed"):
        next(second)


def test_state_of_grain(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True) as loader:
        batches = iter(loader)
        next(batches)
        state = batches.get_state()
        expected = [list(batch["key"]) for batch in batches]
        batches.set_state(state)
        assert [list(batch["key"]) for batch in batches] == expected


def test_interrupted_loop_goes_on(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    with stoker.Loader(stk.path, 4, True) as loader:
        expected = keys(loader)
        loader.set_epoch(0)
        batches = iter(loader)
        first = [key for _ in range(2) for key in next(batches)["key"]]

        def interrupted(_: Any) -> Any:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(_reader.Connection, "_receive", interrupted)
            next(batches)
        assert first + keys(loader) == expected


def test_closed_loader(stk: Packed) -> None:
    loader = stoker.Loader(stk.path, 4)
    next(iter(loader))
    loader.close()
    loader.close()
    assert len(loader) == 6
    with pytest.raises(stoker.StokerError, match="the loader is closed"):
        list(loader)


def test_padding(stk: Packed) -> None:
    data = [sample["data"] for sample in stk.samples[:4]]
    with stoker.Loader(stk.path, 4, pad=["data"], fields=["data"]) as loader:
        batch = next(iter(loader))
    longest = max(map(len, data))
    assert batch["data"].shape == (4, longest)
    assert [row.tobytes() for row in batch["data"]] == [value.ljust(longest, b"\0") for value in data]
    with stoker.Loader(stk.path, 4, pad={"data": 6000}) as loader:
        assert next(iter(loader))["data"].shape == (4, 6000)


def test_several_files_and_splits(stk: Packed, photos: Path, tmp_path: Path, stoker_command: Any) -> None:
    with stoker.Loader([stk.path, str(stk.path)], 50) as loader:
        assert keys(loader) == [sample["key"] for sample in stk.samples] * 2
    stoker_command("pack", "--split", f"train={photos}", "--split", f"val={photos}", "-o", tmp_path / "both.stk", "--no-sync")
    with stoker.Loader(f"{tmp_path / 'both.stk'}:val") as loader:
        assert keys(loader) == [sample["key"] for sample in stk.samples]


def test_pictures(stk: Packed, tmp_path: Path, stoker_command: Any) -> None:
    from test_docs import png

    (tmp_path / "pictures" / "a").mkdir(parents=True)
    for i in range(4):
        (tmp_path / "pictures" / "a" / f"{i}.png").write_bytes(png(10 * i))
    stoker_command("pack", tmp_path / "pictures", "-o", tmp_path / "p.stk", "--no-sync")
    with stoker.Loader(tmp_path / "p.stk", transform="Resize((4,6))", layout="hwc") as loader:
        assert loader.schema["data"] == "uint8[4,6,3]"
        assert next(iter(loader))["data"][:, 0, 0, 0].tolist() == [0, 10, 20, 30]
    with stoker.Loader(tmp_path / "p.stk", transform="Resize((4,6))", dtype="float32") as loader:
        batch = next(iter(loader))
        assert batch["data"].shape == (4, 3, 4, 6) and batch["data"].dtype == np.float32
    with stoker.Loader(stk.path, transform="Resize((4,6))") as loader, pytest.raises(stoker.StokerError, match=r"p\.stk\]"):
        next(iter(loader))


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


def test_state_of_another_seed_is_refused(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 1) as one, stoker.Loader(stk.path, 4, True, 2) as two:
        with pytest.raises(stoker.StokerError, match=r"seed should be 2 but is 1"):
            two.load_state_dict(one.state_dict())
        with pytest.raises(stoker.StokerError, match="should be an object of format"):
            two.load_state_dict({"x": 1})
        two.load_state_dict(two.state_dict())
        assert len(keys(two)) == len(stk.samples)


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


def test_copies_stay(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, copy=True) as loader:
        batches = list(loader)
    assert sum((plain(batch) for batch in batches), []) == stk.samples
    assert sum((plain(batch) for batch in pickle.loads(pickle.dumps(batches))), []) == stk.samples


def test_pickles_to_its_arguments_and_state(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 3, rank=1, world=2) as loader:
        next(iter(loader))
        again = pickle.loads(pickle.dumps(loader))
        assert (again.rank, again.world, again.state_dict()) == (1, 2, loader.state_dict())
        assert keys(again) == [key for batch in loader._iteration for key in batch["key"]]
        again.close()


def _read_in_fork(loader: stoker.Loader, out: Any) -> None:
    out.send(keys(loader))


def test_forked_process_has_its_own_connection(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4) as loader:
        batches = iter(loader)
        first = list(next(batches)["key"])
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=_read_in_fork, args=(loader, there))
        process.start()
        assert here.poll(60)
        expected = [sample["key"] for sample in stk.samples]
        assert sorted(here.recv()) == sorted(expected)
        process.join()
        assert first + [key for batch in batches for key in batch["key"]] == expected


RANK = """
import os, sys, stoker
os.sched_setaffinity(0, {int(sys.argv[2])})
with stoker.Loader(sys.argv[1], 4) as loader:
    print(loader.reader_pid, sum(len(batch["label"]) for batch in loader), loader.rank, loader.world, flush=True)
    sys.stdin.read()
"""


def test_ranks_share_one_reader_with_all_their_cores_that_ends_with_them(stk: Packed) -> None:
    cores = sorted(os.sched_getaffinity(0))[:2]
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(stoker.__file__).parents[1]),
        "STOKER_JOB": f"ranks {os.getpid()}",
        "WORLD_SIZE": "2",
    }
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", RANK, str(stk.path), str(cores[rank % len(cores)])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment, "RANK": str(rank)},
            text=True,
        )
        for rank in range(2)
    ]
    said = [rank.stdout.readline().split() for rank in ranks]
    reader = int(said[0][0])
    assert said == [[str(reader), "11", "0", "2"], [str(reader), "11", "1", "2"]]
    assert os.sched_getaffinity(reader) == set(cores)
    ranks[0].kill()
    ranks[0].wait()
    assert is_running(reader)
    ranks[1].communicate()
    deadline = time.monotonic() + 10
    while is_running(reader) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(reader)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_kills(stk: Packed, seed: int) -> None:
    job = os.environ["STOKER_JOB"]
    try:
        assert sum(kills.campaign(str(stk.path), 5, seed).values()) == 5
    finally:
        os.environ["STOKER_JOB"] = job


def test_killed_reader_raises_once_and_state_remains(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOKER_JOB", f"killed {os.getpid()}")
    with stoker.Loader(stk.path, 4) as loader:
        batches = iter(loader)
        next(batches)
        kills._kill(loader.reader_pid)
        with pytest.raises(stoker.StokerError, match=rf"the reader process \({loader.reader_pid}\) has ended"):
            for _ in range(3):
                next(batches)
        state = loader.state_dict()
    with stoker.Loader(stk.path, 4) as loader:
        loader.load_state_dict(state)
        assert keys(loader) == [sample["key"] for sample in stk.samples[state["cursor"] :]]


# ---- connecting


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
