"""Values in compressed blocks."""

from __future__ import annotations

import gzip
import importlib.util
import io
import warnings
import zipfile
from pathlib import Path
from typing import Callable, List

import numpy as np
import pytest

import stoker
from stoker._read.blocks import Blocks
from stoker._read.codecs import decode


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory, seed: int) -> Path:
    """Files that get smaller when they are compressed, one of them empty."""
    chance = np.random.default_rng(seed)
    folder = tmp_path_factory.mktemp("texts") / "source"
    folder.mkdir()
    for i in range(60):
        words = chance.choice(["stoker", "feeds", "the", "fire", "slowly"], 0 if i == 7 else int(chance.integers(1, 900)))
        (folder / f"{i:03}.txt").write_text(" ".join(words))
    return folder


def contents(folder: Path) -> List[bytes]:
    return [file.read_bytes() for file in sorted(folder.iterdir())]


@pytest.mark.parametrize("block", ["2k", "100MiB"])
def test_what_was_compressed_is_read(block: str, texts: Path, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    path = tmp_path / "t.stk"
    stoker_command("pack", texts, "-o", path, "--labels", "none", "--compression", "zlib", "--block", block, "--no-sync")
    assert path.stat().st_size < sum(map(len, contents(texts))) / 2
    ds = stoker.open(path)
    assert [sample["data"] for sample in ds] == contents(texts)
    assert [ds[i]["data"] for i in (-1, 7, 30, 7)] == [contents(texts)[i] for i in (-1, 7, 30, 7)]
    ds.verify()


def test_members_of_a_zip(texts: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(texts.iterdir()):
            archive.write(file, file.name)
    assert [sample["data"] for sample in stoker.open(path)] == contents(texts)


def test_a_codec_that_is_missing_is_named(texts: Path, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    path = tmp_path / "t.arrow"
    stoker_command("pack", texts, "-o", path, "--labels", "none", "--compression", "zstd", "--no-sync")
    ds = stoker.open(path)
    if importlib.util.find_spec("zstandard"):
        assert [sample["data"] for sample in ds] == contents(texts)
    else:
        with pytest.raises(stoker.StokerError, match="need the package 'zstandard': pip install zstandard"):
            ds[0]


def test_a_damaged_block_is_an_error_for_its_samples_alone(
    texts: Path, tmp_path: Path, stoker_command: Callable[..., str]
) -> None:
    path = tmp_path / "t.stk"
    stoker_command("pack", texts, "-o", path, "--labels", "none", "--compression", "zlib", "--block", "2k", "--no-sync")
    damaged = bytearray(path.read_bytes())
    damaged[-20:] = bytes(20)
    path.write_bytes(damaged)
    ds = stoker.open(path)
    assert ds[0]["data"] == contents(texts)[0]
    with pytest.raises(stoker.StokerError, match="zlib.*cannot be decoded"):
        ds[-1]


def test_steps_follow_each_other() -> None:
    numbers = np.arange(100, dtype="<u4")
    shuffled = numbers.view(np.uint8).reshape(-1, 4).T.tobytes()
    stored = io.BytesIO()
    with gzip.GzipFile(fileobj=stored, mode="wb") as out:
        out.write(shuffled)
    found = decode([("gzip", []), ("shuffle", [4])], memoryview(stored.getvalue()), numbers.nbytes)
    np.testing.assert_array_equal(np.frombuffer(found, "<u4"), numbers)
    with pytest.raises(ValueError, match="should inflate to 399 bytes, no more and no less"):
        decode([("gzip", [])], memoryview(stored.getvalue()), 399)


def test_opening_decodes_no_block_of_a_wide_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compressed array of one shape may be far larger than memory when it is decoded."""
    images, labels = np.arange(60 * 28 * 28, dtype=np.uint32).reshape(60, 28, 28), np.arange(60)
    path = tmp_path / "digits.npz"
    np.savez_compressed(path, x_train=images, y_train=labels, x_test=images[:9], y_test=labels[:9])
    decoded: List[int] = []
    decode_block = Blocks._decode
    monkeypatch.setattr(Blocks, "_decode", lambda self, number: decoded.append(number) or decode_block(self, number))
    ds = stoker.open(path, split="test", fields=["x"])
    column = ds.fields["x"]
    assert not decoded
    assert len(ds) == 9 and ds.splits == {"train": range(60), "test": range(60, 69)}
    assert all(np.array_equal(ds[i]["x"], images[i]) for i in range(9))
    assert decoded == [1]
    assert np.array_equal(np.asarray(column), images[:9]) and set(column.lengths.tolist()) == {28 * 28 * 4}
    assert stoker.open(path).fields["y"].tolist() == [*range(60), *range(9)]


def test_what_is_left_out_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    np.savez(path, x=np.ones((60, 3)), names=np.array(["a", "b"]), mean=np.ones(5, "<f4"))
    for _ in range(2):
        with pytest.warns(UserWarning, match=r"odd\.npz\] left out or replaced: names .*; mean \(5 rows of type float32\): "):
            ds = stoker.open(path)
        assert [line.split(" ")[0] for line in ds.omissions] == ["names", "mean"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stoker.open(path, fields=["x"])


def test_a_zarr_folder_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "zarr.json").write_text("{}")
    with pytest.raises(stoker.StokerError, match="is a Zarr folder without an Index.*stoker convert .* -o NAME.stk"):
        stoker.open(tmp_path)


def test_the_loader_tells_what_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    np.savez(path, x=np.ones((60, 3), "f4"), mean=np.ones(5, "<f4"))
    told = pytest.warns(UserWarning, match=r"left out or replaced: mean \(5 rows of type float32\): the samples are the 60 row")
    with told, stoker.Loader(path, 20) as loader:
        assert [batch["x"].shape for batch in loader] == [(20, 3)] * 3
