"""Messages: the examples of docs/format/batch-exchange.txt, which the reader process is tested with too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest

import stoker
from stoker._java import protocol
from stoker._write.sample_encoder import SampleEncoder

EXAMPLES = Path(__file__).parents[2] / "docs" / "format" / "batch-exchange.txt"


def example(name: str) -> bytes:
    lines = dict(line.split(" ") for line in EXAMPLES.read_text("utf-8").splitlines())
    return bytes.fromhex(lines[name])


def parts(message: bytes) -> Tuple[int, bytes]:
    kind, size = protocol.HEADER.unpack_from(message)
    assert len(message) == 8 + size
    return kind, message[8:]


def test_requests() -> None:
    hello: Dict[str, Any] = {"protocol": protocol.PROTOCOL, "version": "0.1.0", "cores": [0, 1]}
    assert protocol.encode_json(protocol.HELLO, hello) == example("hello")
    assert protocol.encode_json(protocol.START, {"epoch": 5}) == example("start-epoch")
    assert protocol.encode_next([2, 5]) == example("next")
    assert protocol.encode_next([]) == protocol.encode(protocol.NEXT)
    assert protocol.encode(protocol.HANDED_ON) == example("handed-on")
    kind, payload = parts(example("open"))
    assert kind == protocol.OPEN
    assert protocol.encode_json(protocol.OPEN, json.loads(payload)) == example("open")


def test_requests_of_writers() -> None:
    schema = {"key": "text", "scores": "float32[*]", "label": "int64"}
    for name, kind in (("collect", protocol.COLLECT), ("seal", protocol.SEAL)):
        found, payload = parts(example(name))
        assert found == kind
        assert protocol.encode_json(kind, json.loads(payload)) == example(name)
    assert json.loads(parts(example("collect"))[1])["fields"] == [[name, label] for name, label in schema.items()]
    sample = {"key": "é", "scores": [0.5, -1.0], "label": 3}
    assert protocol.encode(protocol.APPEND, SampleEncoder(schema).encode(sample, 7)) == example("append")
    assert protocol.encode(protocol.FLUSH) == example("flush")
    assert protocol.encode(protocol.DONE) == example("done")


def test_answers() -> None:
    assert parts(example("flushed")) == (protocol.FLUSHED, b'{"samples":12}')
    kind, payload = parts(example("sealed"))
    assert kind == protocol.SEALED
    assert stoker.Sealed(**json.loads(payload)) == (12, 70000, ["rank 1: its samples 3 to 4"])
    assert parts(example("welcome"))[0] == protocol.WELCOME
    assert parts(example("started")) == (protocol.STARTED, b"{}")
    assert parts(example("error")) == (protocol.ERROR, b"no field 'image'; the fields are key, data, label")


def test_batch() -> None:
    kind, payload = parts(example("batch"))
    assert kind == protocol.BATCH
    batch = protocol.decode_batch(payload)
    assert batch[:5] == (3, True, 2, 5, (1, 3))
    assert batch.places == [(0, 24, 8, -1, -1), (128, 40, -1, 64, -1), (320, 96, -1, 256, 192)]
    assert json.loads(batch.position)["cursor"] == 128
    empty = protocol.decode_batch(parts(example("batch-empty"))[1])
    assert empty == (0, False, 0, 0, (), [(0, 0, -1, 0, -1)], b"{}", False, False, None)
    end = protocol.decode_batch(parts(example("batch-end"))[1])
    assert end == (0, True, 1, 0, (), [], b"{}", True, True, None)
    marked = protocol.decode_batch(parts(example("batch-rows"))[1])
    assert marked.freed == (2,) and marked.position == b"{}"
    assert marked.rows is not None
    assert marked.rows.tolist() == [(1 << 33, 1, 0), (7, 0, 1)]
    assert parts(example("recorded")) == (protocol.RECORDED, b"{}")


def test_batch_that_is_cut() -> None:
    for name in ("batch", "batch-rows"):
        payload = parts(example(name))[1]
        for size in range(len(payload)):
            with pytest.raises(stoker.StokerError, match="a batch message"):
                protocol.decode_batch(payload[:size])
