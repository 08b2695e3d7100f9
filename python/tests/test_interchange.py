"""To and from Hugging Face's datasets and Ray Data; the group python-frameworks of ./check has them."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, Iterator

import pytest
from conftest import CLASSES, Packed
from test_docs import SOURCE, png

import stoker


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "hf" / "datasets"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_to_hf(stk: Packed, rich: Packed) -> None:
    pytest.importorskip("datasets")
    dataset = stoker.to_hf(stk.path)
    assert list(dataset) == stk.samples
    assert dataset.features["label"].names == CLASSES
    again = stoker.to_hf(rich.path)
    assert [again[i]["captions"] for i in range(len(again))] == [sample["captions"] for sample in rich.samples]


@pytest.mark.parametrize("ending", ["stk", "arrow"])
def test_from_hf(tmp_path: Path, ending: str, seed: int) -> None:
    datasets = pytest.importorskip("datasets")
    chance = random.Random(seed)
    rows = {
        "image": [{"bytes": png(chance.randrange(256)), "path": f"x{i}.png"} for i in range(20)],
        "label": [i % 3 for i in range(20)],
        "caption": [f"Bild {i} 像" for i in range(20)],
    }
    features = datasets.Features(
        {"image": datasets.Image(), "label": datasets.ClassLabel(names=CLASSES), "caption": datasets.Value("string")}
    )
    dataset = datasets.Dataset.from_dict(rows, features=features)
    path = tmp_path / f"p.{ending}"
    stoker.from_hf(dataset, path)
    ds = stoker.open(path)
    assert ds.classes == CLASSES
    assert [sample["data"] for sample in ds] == [image["bytes"] for image in rows["image"]]
    assert [sample["label"] for sample in ds] == rows["label"]
    assert [sample["caption"] for sample in ds] == rows["caption"]
    assert ds[3]["key"] == "000000003.png"
    ds.verify()
    with pytest.raises(stoker.StokerError, match="already exists"):
        stoker.from_hf(dataset, path)
    stoker.from_hf(dataset.select(range(5)), path, force=True)
    assert len(stoker.open(path)) == 5


def test_from_hf_types(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    columns = {
        "flag": ("bool", [True, False], "bool"),
        "small": ("float32", [0.5, -1.0], "float32"),
        "raw": ("binary", [b"a", b""], "bytes"),
    }
    features = {name: datasets.Value(kind) for name, (kind, _, _) in columns.items()}
    rows = {name: values for name, (_, values, _) in columns.items()}
    features["tokens"] = datasets.Sequence(datasets.Value("int32"))
    features["box"] = datasets.Sequence(datasets.Value("float32"), length=4)
    features["captions"] = datasets.Sequence(datasets.Value("string"))
    features["grid"] = datasets.Array2D((2, 3), "uint8")
    rows["tokens"] = [[1, 2, 3], []]
    rows["box"] = [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]
    rows["captions"] = [["eins", "zwei"], []]
    rows["grid"] = [[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [7, 8, 9]]]
    dataset = datasets.Dataset.from_dict(rows, features=datasets.Features(features))
    assert stoker.pack(dataset, tmp_path / "out.stk", processes=2) == 2
    ds = stoker.open(tmp_path / "out.stk")
    assert ds.schema == {
        "key": "text",
        **{name: label for name, (_, _, label) in columns.items()},
        "tokens": "int32[*]",
        "box": "float32[4]",
        "captions": "text[]",
        "grid": "uint8[2,3]",
    }
    for i, sample in enumerate(ds):
        for name, values in rows.items():
            found = sample[name]
            assert (found.tolist() if hasattr(found, "tolist") else found) == values[i]
    stoker.pack(dataset, tmp_path / "mapped.stk", map=lambda row: {"sum": int(row["tokens"].sum())})
    assert stoker.open(tmp_path / "mapped.stk").fields["sum"].tolist() == [6, 0]
    stoker.from_hf(dataset.to_iterable_dataset(), tmp_path / "stream.stk")
    assert (tmp_path / "stream.stk").read_bytes() == (tmp_path / "out.stk").read_bytes()


def test_from_hf_refused(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    with pytest.raises(stoker.StokerError, match="not a list; see stoker.pack"):
        stoker.from_hf([{"x": 1}], tmp_path / "out.stk")
    nested = datasets.Dataset.from_dict({"x": [{"a": 1}]})
    with pytest.raises(stoker.StokerError, match="column 'x' of type .* has no counterpart in a container"):
        stoker.from_hf(nested, tmp_path / "out.stk")
    holes = datasets.Dataset.from_dict({"x": ["a", None]})
    with pytest.raises(stoker.StokerError, match="sample 1 .* field 'x' should be text but is NoneType"):
        stoker.from_hf(holes, tmp_path / "out.stk")
    with pytest.raises(stoker.StokerError, match="there is no sample to pack"):
        stoker.from_hf(holes.select([]), tmp_path / "out.stk")


def _as_dict(pair: Any) -> Any:
    return {"x": pair[0], "label": pair[1]}


def test_pack_torch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    dataset = torch.utils.data.TensorDataset(torch.arange(200.0).reshape(100, 2), torch.arange(100))
    schema = {"x": "float32[2]", "label": "int64"}
    stoker.pack(dataset, tmp_path / "out.stk", schema, map=_as_dict, processes=2)
    ds = stoker.open(tmp_path / "out.stk")
    assert ds.fields["label"].tolist() == list(range(100))
    assert ds.fields["x"].tolist() == torch.arange(200.0).reshape(100, 2).tolist()


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    started = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))  # for its workers
    started.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield started
    started.shutdown()


def test_ray(ray: Any, stk: Packed, tmp_path: Path) -> None:
    from stoker.ray import read, write

    rows = sorted(read(stk.path).take_all(), key=lambda row: row["key"])
    assert rows == sorted(stk.samples, key=lambda sample: sample["key"])

    ray.data.DataContext.get_current().execution_options.preserve_order = True
    for ending in ("stk", "arrow"):
        path = tmp_path / f"out.{ending}"
        write(read(stk.path).repartition(3), path, classes=CLASSES)
        ds = stoker.open(path)
        assert sorted(ds, key=lambda sample: sample["key"]) == rows
        assert ds.classes == CLASSES
        ds.verify()
        with pytest.raises(stoker.StokerError, match="already exists"):
            write(read(stk.path), path)

    numbers = ray.data.range(100, override_num_blocks=7).map_batches(lambda batch: {"x": batch["id"] * 2})
    write(numbers, tmp_path / "numbers.stk")
    ds = stoker.open(tmp_path / "numbers.stk")
    assert ds.fields["x"].tolist() == list(range(0, 200, 2))
    assert len({sample["key"] for sample in ds}) == 100
    left = [name for name in os.listdir(tmp_path) if "parts" in name or "partial" in name]
    assert left == []


def test_ray_failures(ray: Any, tmp_path: Path) -> None:
    from stoker.ray import write

    failed = tmp_path / "failed"

    def fail_once(batch: Any) -> Any:
        if 50 in batch["id"] and not failed.exists():
            failed.touch()
            os._exit(1)  # as a node that is lost
        return batch

    write(ray.data.range(100, override_num_blocks=5).map_batches(fail_once), tmp_path / "out.stk")
    assert sorted(stoker.open(tmp_path / "out.stk").fields["id"].tolist()) == list(range(100))
    with pytest.raises(Exception, match="the type of field 'x' cannot be told|should be a dict|no row to write"):
        write(ray.data.range(10).filter(lambda row: False), tmp_path / "none.stk")
    assert sorted(os.listdir(tmp_path)) == ["failed", "hf", "out.stk"] or sorted(os.listdir(tmp_path)) == ["failed", "out.stk"]
