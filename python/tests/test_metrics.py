"""Metrics of the loader's reader process, and the user's own scalars."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import re
import socket
import struct
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
import pytest
from conftest import Packed

import stoker
from stoker._crc32c import crc32c
from stoker._metrics.destinations import parse_destinations
from stoker._metrics.log import Log
from stoker._metrics.tensorboard import scalar_record

SOURCE = Path(__file__).parents[1] / "src"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    monkeypatch.delenv("STOKER_METRICS", raising=False)
    made = Log()
    yield made
    made.flush()
    made._close()


@pytest.fixture
def own_job(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A reader process of this test alone, which writes every second."""
    monkeypatch.setenv("STOKER_JOB", f"metrics {os.getpid()} {time.monotonic_ns()}")
    monkeypatch.setenv("STOKER_METRICS_EVERY", "1")
    yield


def refuse(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def lines(path: Path) -> List[Dict[str, Any]]:
    return [json.loads(line, parse_constant=refuse) for line in path.read_text("utf-8").splitlines()]


def events(folder: Path) -> List[bytes]:
    """The messages of the only event file in a folder; their checksums are right."""
    (file,) = folder.iterdir()
    assert file.name.startswith("events.out.tfevents.")
    data, found = file.read_bytes(), []
    while data:
        (length,) = struct.unpack_from("<Q", data)
        for part, at in ((data[:8], 8), (data[12 : 12 + length], 12 + length)):
            crc = crc32c(memoryview(part))
            assert struct.unpack_from("<I", data, at)[0] == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
        found.append(data[12 : 12 + length])
        data = data[16 + length :]
    return found


# ---- scalars


def test_scalars_go_to_all_places(log: Log, tmp_path: Path) -> None:
    log.to(f"jsonl:{tmp_path / 'a.jsonl'}", f"tensorboard:{tmp_path / 'runs'}")
    log(1, loss=0.5, lr=np.float32(0.25))
    log(2, {"train/loss": np.array([3.0])}, best=True)
    log.flush()
    first, second = lines(tmp_path / "a.jsonl")
    assert abs(first.pop("time") - time.time()) < 600
    assert first == {"source": "log", "rank": 0, "step": 1, "loss": 0.5, "lr": 0.25}
    assert (second["train/loss"], second["best"], second["step"]) == (3.0, 1.0, 2)
    version, one, two = events(tmp_path / "runs" / "rank0")
    assert version.endswith(b"\x1a\x0dbrain.Event:2")
    assert b"\x0a\x04loss\x15" + struct.pack("<f", 0.5) in one
    assert b"\x10\x02" in two and b"train/loss" in two
    assert log.lost == 0


def test_what_json_has_no_word_for(log: Log, tmp_path: Path) -> None:
    log.to(f"jsonl:{tmp_path / 'a.jsonl'}", f"tensorboard:{tmp_path / 'runs'}")
    log(0, a=math.nan, b=math.inf, c=-math.inf, d=1e300)
    log.flush()
    (line,) = lines(tmp_path / "a.jsonl")
    assert (line["a"], line["b"], line["c"], line["d"]) == ("NaN", "Infinity", "-Infinity", 1e300)
    event = events(tmp_path / "runs" / "rank0")[1]
    assert struct.pack("<f", math.inf) in event and struct.pack("<f", -math.inf) in event
    # The name stands before each value; a bare tag would be found in the time as well.
    values = {name: struct.unpack("<f", value)[0] for name, value in re.findall(b"\x0a\x01(.)\x15(.{4})", event, re.DOTALL)}
    assert math.isnan(values[b"a"]) and values[b"d"] == math.inf, "1e300 is too large for 32 bits"


def test_a_record_as_the_format_has_it() -> None:
    record = scalar_record(2.0, 300, {"a": 1.0})
    assert record[12:-4].hex() == "090000000000000040" + "10ac02" + "2a0a" + "0a08" + "0a0161" + "150000803f"
    assert scalar_record(0, -1, {})[12:-4].hex()[18:] == "10" + "ff" * 9 + "01" + "2a00"


def test_wrong_scalars(log: Log, tmp_path: Path) -> None:
    log.to(f"jsonl:{tmp_path / 'a.jsonl'}")
    for scalars, message in (
        ({"loss": "high"}, "the scalar 'loss' should be one number but is 'high'"),
        ({"loss": np.zeros(2)}, "the scalar 'loss' should be one number"),
        ({"rank": 1}, "a scalar cannot be called 'rank'; time, source, rank, step are taken"),
        ({"": 1}, "a scalar cannot be called ''"),
    ):
        with pytest.raises(stoker.StokerError, match=re.escape(message)):
            log(1, scalars)
    with pytest.raises(TypeError):
        log(1.5, loss=1)  # type: ignore[arg-type]
    log.flush()
    assert lines(tmp_path / "a.jsonl") == []


def test_no_place(log: Log, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(stoker.StokerError, match="there is no place to log to: set STOKER_METRICS or call stoker.log.to"):
        log(1, loss=1)
    with pytest.raises(stoker.StokerError, match="Prometheus asks for the metrics of Stoker alone"):
        log.to("prometheus://:9400")
    with pytest.raises(stoker.StokerError, match=r"metrics cannot go to 'csv:x'; valid are prometheus://\[HOST\]:PORT, tensor"):
        log.to("csv:x")
    with pytest.raises(stoker.StokerError, match=r"none/a.jsonl\] cannot be written: No such file or directory"):
        log.to(f"jsonl:{tmp_path}/none/a.jsonl")
    (tmp_path / "file").write_text("")
    with pytest.raises(stoker.StokerError, match="cannot be written: "):
        log.to(f"tensorboard:{tmp_path}/file")
    assert [str(place) for place in parse_destinations("jsonl:/a,b,tensorboard:/c")] == ["jsonl:/a,b", "tensorboard:/c"]


def test_a_full_disk_does_not_stop_the_training(log: Log, tmp_path: Path) -> None:
    log.to("jsonl:/dev/full", f"jsonl:{tmp_path / 'a.jsonl'}")
    with pytest.warns(UserWarning, match=r"\[/dev/full\] cannot be written: No space left on device; the training goes on"):
        log(1, loss=1)
        log.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log(2, loss=2)
        log(3, loss=3)
        log.flush()
    assert log.lost == 3
    assert [line["step"] for line in lines(tmp_path / "a.jsonl")] == [1, 2, 3]


def test_a_torn_line_ends_before_the_next(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    log.to(f"jsonl:{path}")
    real, calls = os.write, []

    def full(file: int, data: bytes) -> int:
        calls.append(len(data))
        if len(calls) == 1:
            return real(file, data[:10])
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(file, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.warns(UserWarning, match="No space left"):
        log(1, loss=1)
        log.flush()
    log(2, loss=2)
    log.flush()
    torn, whole = path.read_text().splitlines()
    assert len(torn) == 10
    assert json.loads(whole)["step"] == 2


def _log_many(path: str, rank: int) -> None:
    os.environ.update({"RANK": str(rank), "WORLD_SIZE": "4", "STOKER_METRICS": f"jsonl:{path}"})
    for step in range(500):
        stoker.log(step, loss=rank + step / 1000, text_of_some_length=step)
        if step % 50 == 0:
            stoker.log.flush()
    stoker.log.flush()


def test_all_ranks_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_log_many, args=(str(path), rank)) for rank in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    found = lines(path)
    assert sorted((line["rank"], line["step"]) for line in found) == [(rank, step) for rank in range(4) for step in range(500)]


def test_the_end_of_a_program_writes_what_waits(tmp_path: Path) -> None:
    program = "import stoker\nfor i in range(10): stoker.log(i, loss=i)\n"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "STOKER_METRICS": f"jsonl:{tmp_path / 'a.jsonl'}"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=120)
    assert [line["step"] for line in lines(tmp_path / "a.jsonl")] == list(range(10))


# ---- the loader


def test_report(stk: Packed, own_job: None, capfd: pytest.CaptureFixture[str]) -> None:
    with stoker.Loader(stk.path, 2, rank=1, world=3, tail="ragged", verbose=True) as loader:
        for _ in range(3):
            held = [batch["label"].tolist() for batch in loader]
            report = loader.report()
        samples = 3 * sum(map(len, held))
        assert report["metrics"]["feed_samples_total"] == samples
        assert report["metrics"]["feed_batches_total"] == 3 * len(held)
        assert report["metrics"]["feed_wait_seconds_total"] >= report["metrics"]["feed_start_seconds_total"] > 0
        assert report["metrics"]["process_cores"] >= 1
        assert report["limited_by"] in report["bottleneck"] or "Limited by" in report["bottleneck"]
        batch = next(iter(loader))
        before = batch["label"].tolist()
        loader.report()
        assert batch["label"].tolist() == before, "a report leaves the batch as it is"
    said = capfd.readouterr().err
    assert said.startswith("stoker: <stoker.Loader ")
    assert "rank 1 of 3> Limited by " in said and said.count("\n") == 1


def _await_lines(path: Path, source: str) -> Dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = [line for line in lines(path) if line["source"] == source] if path.exists() else []
        if found and found[-1]["feed_samples_total"] > 0:
            return found[-1]
        time.sleep(0.05)
    raise AssertionError(f"{path} has no line of {source}")


def test_metrics_of_the_reader_process(stk: Packed, own_job: None, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    places = [f"jsonl:{path}", f"tensorboard:{tmp_path / 'runs'}"]
    with stoker.Loader(stk.path, 4, metrics=places) as loader, stoker.Loader(stk.path, 4, metrics=places):
        assert sum(len(batch["label"]) for batch in loader) == len(stk.samples)
        line = _await_lines(path, "feed")
    assert line["feed_samples_total"] == len(stk.samples)
    assert (line["rank"], line["data"], line["command"]) == ("0", "p.stk", "serve")
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name == f"reader-{socket.gethostname()}"
    assert events(run)


def test_the_variable_says_where(stk: Packed, own_job: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STOKER_METRICS", "jsonl:a.jsonl")
    with stoker.Loader(stk.path, 4) as loader:
        list(loader)
        _await_lines(path, "feed")


def test_prometheus_page(stk: Packed, own_job: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with stoker.Loader(stk.path, 4, metrics=f"prometheus://:{port}") as loader:
        list(loader)
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            page = b"".join(iter(lambda: client.recv(65536), b"")).decode()
    assert 'stoker_feed_samples_total{command="serve",rank="0",data="p.stk"} 21.0\n' in page


def test_places_that_cannot_work_are_refused_before_the_work(stk: Packed, own_job: None, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(stoker.StokerError, match=f"metrics: port {port} of 127.0.0.1 cannot be listened on"):
            stoker.Loader(stk.path, 4, metrics=f"prometheus://:{port}")
    with pytest.raises(stoker.StokerError, match=r"none/a.jsonl\] cannot be written: there is no such file or folder"):
        stoker.Loader(stk.path, 4, metrics=f"jsonl:{tmp_path}/none/a.jsonl")
    with pytest.raises(stoker.StokerError, match="a metrics port should be from 1 to 65535 but is 0"):
        stoker.Loader(stk.path, 4, metrics="prometheus://:0")


def test_a_full_disk_of_the_reader_process_is_told_once(stk: Packed, own_job: None) -> None:
    def batches(loader: stoker.Loader) -> Iterator[Tuple[int, float]]:
        while True:
            for batch in loader:
                yield len(batch["label"]), loader.report()["metrics"]["process_metrics_lost_total"]

    with stoker.Loader(stk.path, 4, metrics="jsonl:/dev/full") as loader:
        with pytest.warns(UserWarning, match=r"metrics cannot be written: \[/dev/full\] No space left on device") as told:
            for _, lost in batches(loader):
                if lost >= 3:
                    break
        assert len(told) == 1


def test_top_finds_the_reader_process(stk: Packed, own_job: None, stoker_command: Any) -> None:
    with stoker.Loader(stk.path, 4) as loader:
        next(iter(loader))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = {process["pid"]: process for process in json.loads(stoker_command("top", "--json"))["processes"]}
            if loader.reader_pid in found:
                break
        (feed,) = found[loader.reader_pid]["feeds"]
        assert (feed["rank"], feed["data"], feed["feed_batches_total"]) == ("0", "p.stk", 1)
        assert "loader  pid" in stoker_command("top", "--once")
