"""Damaged and hostile files: one clear sentence, never a crash, never wrong bytes."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import struct
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import Packed

import stoker
from stoker._crc32c import crc32c
from stoker._read import edit_check
from stoker._read.index import META, NO_FIELD, Index


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the package notices itself: the command would compare a container with its Index."""
    monkeypatch.setattr(edit_check, "find_command", lambda: None)


def error_of(path: Path, use: Callable[[stoker.Dataset], Any] = list) -> str:
    with pytest.raises(stoker.StokerError) as caught:
        use(stoker.open(path))
    return str(caught.value)


def crc(data: bytes) -> bytes:
    return struct.pack("<I", crc32c(memoryview(data)))


def sealed(data: bytearray) -> bytes:
    """With checksums that fit whatever was changed in META, the section table and the header."""
    table, count = struct.unpack_from("<QI", data, 32)
    for at in range(table, table + 32 * count, 32):
        kind, _, offset, length = struct.unpack_from("<IIQQ", data, at)
        if kind == META:
            data[at + 24 : at + 28] = crc(bytes(data[offset : offset + length]))
    data[44:48] = crc(bytes(data[table : table + 32 * count]))
    data[124:128] = crc(bytes(data[:124]))
    return bytes(data)


def rot(file: Path, data: bytes) -> None:
    """Changes a file as a failing disk does, which tells no time."""
    times = file.stat()
    file.write_bytes(data)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def index_file(path: Path) -> Path:
    return path if path.suffix == ".stk" else Path(f"{path}.stkx")


def with_meta(path: Path, change: Callable[[Any], None]) -> None:
    """Puts another META at the end of the file."""
    file = index_file(path)
    section = Index(str(file)).section(META, NO_FIELD)
    data = bytearray(file.read_bytes())
    data += bytes(-len(data) % 8)
    meta = json.loads(data[section.offset : section.offset + section.length])
    change(meta)
    text = json.dumps(meta, ensure_ascii=False, separators=(",", ":")).encode()
    (table,) = struct.unpack_from("<Q", data, 32)
    assert struct.unpack_from("<I", data, table) == (META,)
    struct.pack_into("<QQ", data, table + 8, len(data), len(text))
    data += text
    struct.pack_into("<Q", data, 16, len(data))
    file.write_bytes(sealed(data))


def test_not_there(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.stk") == f"[{tmp_path}/none.stk] cannot be read: No such file or directory"


def test_folder_without_index(tmp_path: Path) -> None:
    assert (
        error_of(tmp_path) == f"[{tmp_path}] is a folder without an Index ({tmp_path.name}.stkx); pack it, or give a container"
    )


def test_truncated(stk: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    size = path.stat().st_size
    os.truncate(path, size - 1)
    assert (
        error_of(path) == f"[{path}] byte 16: the file should have {size} bytes but has {size - 1}; it is truncated or damaged"
    )
    os.truncate(path, 100)
    assert error_of(path).startswith(f"[{path}] byte 0: the Index should begin with its magic number")


def test_other_version(stk: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    data = bytearray(path.read_bytes())
    data[8] = 2
    path.write_bytes(sealed(data))
    assert error_of(path) == f"[{path}] is an Index of version 2, but this package reads version 1; use a newer one"


@pytest.mark.parametrize("packed", ["arrow", "tar", "folder"], indirect=True)
def test_sidecar_opened_as_container(packed: Packed) -> None:
    path = Path(f"{packed.path}.stkx")
    assert error_of(path) == f"[{path}] is an Index that belongs to another file; open that file instead"


@pytest.mark.parametrize(
    "at, what",
    [
        (20, "the header's checksum does not match; the file is damaged"),
        (135, "the section table's checksum does not match"),
    ],
)
def test_flipped_bit(stk: Packed, tmp_path: Path, at: int, what: str) -> None:
    path = stk.copy(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)
    assert error_of(path) == f"[{path}] byte {0 if at < 128 else 128}: {what}"


def test_changed_value(packed: Packed, tmp_path: Path) -> None:
    """Reading gives the bytes as they are; `verify` tells that they are others."""
    path = packed.copy(tmp_path)
    sample = 9
    needle = packed.samples[sample]["data"]
    file = path / packed.samples[sample]["key"] if path.is_dir() else path
    data = bytearray(file.read_bytes())
    at = data.index(needle) + len(needle) // 2
    data[at] ^= 1
    rot(file, data)
    if path.stat().st_size <= 2 * 65536 and path.suffix in (".arrow", ".tar"):
        # Such a small file is hashed as a whole.
        assert "does not match its Index" in error_of(path)
        return
    ds = stoker.open(path)
    for i in range(len(ds)):
        if i == sample:
            with pytest.raises(stoker.StokerError) as caught:
                ds.verify(i)
            assert re.fullmatch(
                re.escape(f"[{path}] sample {i}: field 'data' should have the checksum ")
                + "[0-9a-f]{8} but has [0-9a-f]{8}; its bytes "
                "were changed since they were packed: copy the container again, or pack it again",
                str(caught.value),
            )
        else:
            ds.verify(i)
    assert "field 'data' should have the checksum" in error_of(path, stoker.Dataset.verify)


@pytest.mark.parametrize("packed", ["arrow", "tar"], indirect=True)
def test_replaced_container(packed: Packed, tmp_path: Path) -> None:
    path = packed.copy(tmp_path)
    size = path.stat().st_size
    with path.open("ab") as f:
        f.write(b"more")
    found = error_of(path)
    assert re.fullmatch(
        re.escape(
            f"[{path}] does not match its Index {path.name}.stkx, which holds checksums from packing: it should have {size} "
            "bytes and hash "
        )
        + "[0-9a-f]{12}"
        + re.escape(f" but has {size + 4} bytes and hash ")
        + "[0-9a-f]{12}"
        + re.escape(
            f". The container was changed or replaced; if that was intended, make a new Index with: stoker index --force {path}"
        ),
        found,
    )


def test_extent_outside(packed: Packed, tmp_path: Path) -> None:
    path = packed.copy(tmp_path)
    file = index_file(path)
    index = Index(str(file))
    field = next(f for f in index.fields if f.name == "data")
    at = index.section(3, field.number).offset + 16 * 2
    for offset, length in [(2**64 - 1, 2**64 - 1), (0, 2**40), (2**40, 0), (2**63, 8)]:
        data = bytearray(file.read_bytes())
        struct.pack_into("<QQ", data, at, offset, length)
        rot(file, data)
        ds = stoker.open(path)
        assert ds[1] == packed.samples[1]
        with pytest.raises(
            stoker.StokerError,
            match=rf"sample 2, byte {offset}: its value of {length} bytes .*should lie inside the file's",
        ):
            ds[2]
        with pytest.raises(stoker.StokerError):
            ds.read_into(2, "data", bytearray(8))


@pytest.mark.parametrize(
    "change, said",
    [
        (
            lambda m: m["fields"][1].update(type="bytez"),
            "section META: unknown field type 'bytez'; valid are bytes, text, text[], ",
        ),
        (
            lambda m: m["fields"][2].update(type="int8[9]"),
            "should have 9 bytes for each of 21 samples but has 168 bytes in total",
        ),
        (
            lambda m: m["fields"][0].update(name="data"),
            "section META: the names of the fields should be there and differ but are ['data', ",
        ),
        (
            lambda m: m["fields"][1].update(place="tree"),
            "it is a file, so its Index should not place field 'data' in a folder",
        ),
        (lambda m: m["fields"][0].pop("dense"), "section META: 'dense' should be of type bool but is None"),
        (
            lambda m: m.update(classes=[], splits=[{"name": "a", "first": 0, "count": 3}]),
            "section META: the splits hold 3 samples but there are 21",
        ),
        (
            lambda m: m.update(classes=[], splits=[{"name": "a", "first": 1, "count": 9}]),
            "should begin at sample 0 but begins at 1 with 9 samples",
        ),
        (lambda m: m.update(fields=[], classes=[], splits=[]), "section META: the names of the fields should be there"),
    ],
)
def test_hostile_meta(stk: Packed, tmp_path: Path, change: Callable[[Any], None], said: str) -> None:
    path = stk.copy(tmp_path)
    with_meta(path, change)
    assert said in error_of(path)
    assert error_of(path).startswith(f"[{path}] ")


@pytest.mark.parametrize("key", ["../../../x", "/etc/passw", "a/../../bc", "a\0b"])
def test_keys_that_leave_their_folder(photos: Path, tmp_path: Path, stoker_command: Callable[..., str], key: str) -> None:
    path = tmp_path / "p"
    stoker_command("pack", photos, "-o", path, "--format", "folder")
    sidecar = Path(f"{path}.stkx")
    data = sidecar.read_bytes()
    assert b"cat/001.jpg" in data
    sidecar.write_bytes(data.replace(b"cat/001.jpg", key.encode().ljust(11, b"x")))
    ds = stoker.open(path)
    ds[0]
    with pytest.raises(stoker.StokerError, match=r"sample 1: its key b'.*' should be a path below the folder"):
        ds[1]


def test_files_of_a_folder_that_changed(photos: Path, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    path = tmp_path / "p"
    stoker_command("pack", photos, "-o", path, "--format", "folder")
    ds = stoker.open(path)
    (path / "cat/001.jpg").unlink()
    os.truncate(path / "cat/002.jpg", 0)
    (path / "cat/000.jpg").unlink()
    os.mkfifo(path / "cat/000.jpg")
    with pytest.raises(stoker.StokerError) as caught:
        ds[1]
    assert str(caught.value) == f"[{path}/cat/001.jpg] sample 1: cannot be read: No such file or directory"
    for i in (0, 2):
        with pytest.raises(
            stoker.StokerError,
            match=f"sample {i}, byte 0: its value of .* should lie inside the file's 0 bytes; the folder was changed",
        ):
            ds[i]


def use_everything(path: Path) -> None:
    for views in (False, True):
        ds = stoker.open(path, views=views)
        for name, column in ds.fields.items():
            list(column[:50])
            for i in range(min(len(ds), 50)):
                ds.view(i, name)
        ds[:50]
        ds.classes, ds.splits, repr(ds)


def test_random_damage(packed: Packed, seed: int, tmp_path: Path) -> None:
    assert_only_stoker_errors(packed, seed, tmp_path)


def test_random_damage_of_more_types(rich: Packed, seed: int, tmp_path: Path) -> None:
    assert_only_stoker_errors(rich, seed, tmp_path)


def assert_only_stoker_errors(packed: Packed, seed: int, folder: Path) -> None:
    """Changes random bytes of the Index and makes its checksums fit."""
    chance = random.Random(seed)
    path = packed.copy(folder)
    file = index_file(path)
    original = file.read_bytes()
    refused = 0
    for _ in range(200):
        data = bytearray(original)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(8, chance.choice([128, 600, min(len(original), 20_000)]))
            data[at] = chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])
        with contextlib.suppress(struct.error, OverflowError):  # where the section table lies outside now
            data = bytearray(sealed(data))
        file.write_bytes(data)
        try:
            use_everything(path)
        except stoker.StokerError as e:
            refused += 1
            assert str(e).startswith("["), (seed, e)
    assert refused > 20, seed
