"""The writer: what ranks append is in one file, also when they are killed."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest
from conftest import Packed
from test_docs import SOURCE

import stoker

pytestmark = pytest.mark.usefixtures("keeper")

SCHEMA = {"key": "text", "scores": "float32[*]", "image": "uint8[2,3]", "tags": "text[]", "raw": "bytes", "number": "int64"}


def make(chance: random.Random, key: str) -> Dict[str, Any]:
    return {
        "key": key,
        "scores": np.array([chance.random() for _ in range(chance.randrange(5))], "f4"),
        "image": np.frombuffer(chance.randbytes(6), "u1").reshape(2, 3),
        "tags": [f"数{i}" for i in range(chance.randrange(3))],
        "raw": chance.randbytes(chance.randrange(2000)),
        "number": chance.randrange(-(2**63), 2**63),
    }


def plain(samples: Any) -> List[Any]:
    return [{name: value.tolist() if hasattr(value, "tolist") else value for name, value in one.items()} for one in samples]


@pytest.mark.parametrize("ending", ["stk", "arrow"])
def test_ranks_write_one_file(ending: str, tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / f"out.{ending}"
    given: List[List[Any]] = [[make(chance, f"{rank}/{i}") for i in range(100)] for rank in range(3)]
    # Small chunks, so that each rank has several.
    writers = [stoker.Writer(path, SCHEMA, rank, 3, chunk=1 << 16, classes=["a", "b"]) for rank in range(3)]
    for samples in zip(*given):
        for writer, sample in zip(writers, samples):
            writer.append(sample)
    assert not path.exists()
    with pytest.raises(stoker.StokerError, match="it was not closed"):
        stoker.seal(path)
    for writer in writers:
        writer.close()
    sealed = stoker.seal(path)
    assert sealed == (300, path.stat().st_size, [])
    ds = stoker.open(path)
    assert ds.schema == SCHEMA
    assert ds.classes == ["a", "b"]
    assert plain(ds) == plain(given[0] + given[1] + given[2])
    ds.verify()
    assert sorted(os.listdir(tmp_path)) in ([f"out.{ending}"], [f"out.{ending}", f"out.{ending}.stkx"])


def test_order_by_index(tmp_path: Path) -> None:
    for rank in range(2):
        with stoker.Writer(tmp_path / "out.stk", rank=rank, world=2) as writer:
            for i in reversed(range(rank, 20, 2)):
                writer.append({"i": i}, index=i)
    stoker.seal(tmp_path / "out.stk", order="index")
    assert stoker.open(tmp_path / "out.stk").fields["i"].tolist() == list(range(20))
    with pytest.raises(stoker.StokerError, match="unknown order 'size'; valid are rank, index"):
        stoker.seal(tmp_path / "out.stk", order="size")


def test_an_index_of_more_than_64_bits_is_refused(tmp_path: Path) -> None:
    with stoker.Writer(tmp_path / "out.stk", {"i": "int64"}) as writer:
        writer.append({"i": 1}, index=2**63 - 1)
        for index in (2**63, -(2**63) - 1, 10**5000):
            with pytest.raises(stoker.StokerError, match=r"out.stk\] an index should fit into 64 bits but needs"):
                writer.append({"i": 2}, index=index)
        writer.append({"i": 0}, index=-(2**63))
    assert stoker.seal(tmp_path / "out.stk", order="index").samples == 2
    assert stoker.open(tmp_path / "out.stk").fields["i"].tolist() == [0, 1]


def test_schema_of_the_first_sample(tmp_path: Path) -> None:
    with stoker.Writer(tmp_path / "out.stk") as writer:
        assert writer.schema is None
        writer.append({"scores": np.zeros(3, "f4"), "label": 1})
        assert writer.schema == {"scores": "float32[*]", "label": "int64"}
        writer.append({"scores": np.ones(5, "f4"), "label": 2})
        with pytest.raises(stoker.StokerError, match="lacks label"):
            writer.append({"scores": np.zeros(3, "f4")})
        with pytest.raises(stoker.StokerError, match="field 'label' should be int64 but is float64 0.5"):
            writer.append({"scores": np.zeros(3, "f4"), "label": 0.5})
    assert stoker.seal(tmp_path / "out.stk").samples == 2  # what was refused is not there, the rest is


def test_rank_of_the_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "4")
    with stoker.Writer(tmp_path / "out.stk", {"x": "int8"}) as writer:
        assert (writer.rank, writer.world) == (1, 4)
    with pytest.raises(stoker.StokerError, match="rank 0: anything after its first 0 samples"):
        stoker.seal(tmp_path / "out.stk")


def test_threads(tmp_path: Path) -> None:
    with stoker.Writer(tmp_path / "out.stk", {"x": "int64"}) as writer:

        def append(first: int) -> None:
            for i in range(100):
                writer.append({"x": first + i})

        threads = [threading.Thread(target=append, args=(100 * t,)) for t in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    stoker.seal(tmp_path / "out.stk")
    assert sorted(stoker.open(tmp_path / "out.stk").fields["x"].tolist()) == list(range(400))


def test_second_writer_of_a_rank(tmp_path: Path) -> None:
    path = tmp_path / "out.stk"
    with stoker.Writer(path, {"x": "int64"}, 0, 2):
        with pytest.raises(stoker.StokerError, match="already has a rank 0"):
            stoker.Writer(path, {"x": "int64"}, 0, 2)
        with pytest.raises(stoker.StokerError, match="start all ranks with the same arguments"):
            stoker.Writer(path, {"x": "int32"}, 1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "out.zip"}, "format zip can't be collected into"),
        ({"path": "no/out.stk"}, "no/out.stk.partial. cannot be written"),
        ({"schema": {"x": "int"}}, "unknown field type 'int'"),
        ({"schema": {}}, "at least one field"),
        ({"rank": 2, "world": 2}, "rank should be at least 0 and less than world"),
        ({"rank": 2}, "give rank and world, or neither"),
        ({"chunk": 100}, "a chunk has 65536 to"),
        ({"flush_seconds": 0}, "the time between two writes"),
    ],
)
def test_wrong_arguments(arguments: Dict[str, Any], message: str, tmp_path: Path) -> None:
    given = {"path": "out.stk", "schema": {"x": "int64"}, **arguments}
    with pytest.raises(stoker.StokerError, match=message):
        stoker.Writer(tmp_path / given.pop("path"), **given)


def test_sample_larger_than_a_chunk_is_left_out(tmp_path: Path) -> None:
    with stoker.Writer(tmp_path / "out.stk", {"x": "bytes"}, chunk=1 << 16) as writer:
        with pytest.raises(stoker.StokerError, match="a sample has 65552 bytes but a chunk holds 65536; set a larger chunk"):
            writer.append({"x": bytes(65536)})
        writer.append({"x": bytes(60_000)})
    assert stoker.seal(tmp_path / "out.stk").samples == 1


def test_closed_writer(tmp_path: Path) -> None:
    writer = stoker.Writer(tmp_path / "out.stk", {"x": "int64"})
    with pytest.raises(TypeError, match="cannot go to another process"):
        pickle.dumps(writer)
    writer.close()
    writer.close()
    with pytest.raises(stoker.StokerError, match="the writer is closed"):
        writer.append({"x": 1})
    with pytest.raises(stoker.StokerError, match="has appended nothing that the schema could be taken from"):
        stoker.Writer(tmp_path / "other.stk").close()
    with pytest.raises(stoker.StokerError, match="none.stk.partial. cannot be read"):
        stoker.seal(tmp_path / "none.stk")


def test_exception_leaves_the_rank_as_not_done(tmp_path: Path) -> None:
    path = tmp_path / "out.stk"
    with pytest.raises(ZeroDivisionError), stoker.Writer(path, {"x": "int64"}) as writer:
        writer.append({"x": 1})
        raise ZeroDivisionError
    deadline = time.monotonic() + 20
    while True:  # the reader process writes it when it sees that the connection has ended
        with pytest.raises(stoker.StokerError, match="it was not closed") as refused:
            stoker.seal(path)
        if "its first 1 samples" in str(refused.value):
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)
    sealed = stoker.seal(path, salvage=True)
    assert sealed.samples == 1
    assert sealed.missing == ["rank 0: anything after its first 1 samples; it was not closed"]


def test_forked_process_is_refused(tmp_path: Path) -> None:
    with stoker.Writer(tmp_path / "out.stk", {"x": "int64"}) as writer:
        pid = os.fork()
        if not pid:
            try:
                writer.append({"x": 1})
            except stoker.StokerError as e:
                os._exit(0 if "belongs to process" in str(e) else 1)
            os._exit(2)
        assert os.waitpid(pid, 0)[1] == 0
        writer.append({"x": 1})
    assert stoker.seal(tmp_path / "out.stk").samples == 1


def test_sealed_under_the_writer(tmp_path: Path) -> None:
    writer = stoker.Writer(tmp_path / "out.stk", {"x": "int64"})
    writer.append({"x": 1})
    writer.flush()
    assert stoker.seal(tmp_path / "out.stk", salvage=True).samples == 1
    writer.append({"x": 2})
    with pytest.raises(
        stoker.StokerError, match="is being sealed, or was sealed or moved, so rank 0 cannot add its last 1 samples"
    ):
        writer.flush()
    with pytest.raises(stoker.StokerError, match="the writer is closed"):
        writer.append({"x": 3})


KILLED = """
import sys, stoker
writer = stoker.Writer(sys.argv[1], {"x": "int64"}, int(sys.argv[2]), 3)
for i in range(10**9):
    writer.append({"x": i})
    if i % 50 == 49:
        writer.flush()
        print(i + 1, flush=True)
"""


@pytest.mark.parametrize("victim", ["rank", "reader"])
def test_kills(victim: str, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is killed, everything that was flushed is in the file, and nothing twice."""
    monkeypatch.setenv("STOKER_JOB", f"kills {os.getpid()}")  # a reader process of its own
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    chance, path = random.Random(seed), tmp_path / "out.arrow"
    keeper = stoker.Writer(tmp_path / "other.stk", {"x": "int8"})
    ranks = [
        subprocess.Popen([sys.executable, "-c", KILLED, str(path), str(rank)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for rank in range(3)
    ]
    for rank in ranks:
        assert rank.stdout is not None and rank.stdout.readline()
    time.sleep(chance.random())
    if victim == "reader":
        os.kill(keeper._connection.pid, signal.SIGKILL)  # type: ignore[union-attr]
    else:
        for rank in ranks:
            rank.kill()
    flushed = []
    for rank in ranks:
        out, err = rank.communicate(timeout=30)
        flushed.append(int(out.split()[-1]) if out else 50)
        if victim == "reader":
            assert rank.returncode == 1
            assert b"has ended: it was killed" in err and b"stoker.seal(path, salvage=True)" in err
    sealed = stoker.seal(path, salvage=True)
    assert len(sealed.missing) >= 3
    values = stoker.open(path).fields["x"].tolist()
    starts = [i for i, value in enumerate(values) if value == 0] + [len(values)]
    counts = [end - start for start, end in zip(starts, starts[1:])]
    assert values == [i for count in counts for i in range(count)]
    assert len(counts) == 3
    assert all(count >= least for count, least in zip(counts, flushed))


def test_batches_are_appended_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "p.arrow"
    scores = np.arange(12, dtype=np.float32).reshape(6, 2)
    keys = [f"k{i}" for i in range(6)]
    with stoker.Writer(path, {"key": "text", "scores": "float32[2]"}, rank=0, world=1) as writer:
        writer.append_batch({"key": keys[:4], "scores": scores[:4]})
        writer.append_batch({"key": [], "scores": scores[:0]})
        with pytest.raises(stoker.StokerError, match="must have the same number of rows, but key has 2, scores has 1"):
            writer.append_batch({"key": keys[4:], "scores": scores[4:5]})
        with pytest.raises(stoker.StokerError, match=r"row 1 of the batch: .*scores"):
            writer.append_batch({"key": keys[4:], "scores": [scores[4], "no numbers"]})
        writer.append_batch({"key": keys[4:], "scores": scores[4:]}, indices=[4, 5])
    assert stoker.seal(path).samples == 6
    dataset = stoker.open(path)
    assert [sample["key"] for sample in dataset] == keys
    np.testing.assert_array_equal([sample["scores"] for sample in dataset], scores)


def test_predictions_of_every_sample_once_on_any_number_of_ranks(stk: Packed, tmp_path: Path) -> None:
    for world in (1, 3, 4, 30):
        path = tmp_path / f"p{world}.stk"
        for rank in range(world):
            schema = {"key": "text", "label": "int64"}
            loader = stoker.Loader(stk.path, 4, rank=rank, world=world)
            with loader, stoker.Writer(path, schema, rank=rank, world=world) as writer:
                for batch in loader:
                    writer.append_batch({"key": batch["key"], "label": batch["label"]})
        assert stoker.seal(path).samples == len(stk.samples)
        found = {sample["key"]: sample["label"] for sample in stoker.open(path)}
        assert found == {sample["key"]: sample["label"] for sample in stk.samples}
