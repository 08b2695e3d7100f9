"""To and from Hugging Face's datasets and Ray Data; the group python-frameworks of ./check has them."""

from __future__ import annotations

import random
from pathlib import Path

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
    with pytest.raises(stoker.StokerError, match="is there already"):
        stoker.from_hf(dataset, path)
    stoker.from_hf(dataset.select(range(5)), path, force=True)
    assert len(stoker.open(path)) == 5


def test_ray(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    from stoker.ray import read

    monkeypatch.setenv("PYTHONPATH", str(SOURCE))  # for its workers
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        rows = sorted(read(stk.path).take_all(), key=lambda row: row["key"])
        assert rows == sorted(stk.samples, key=lambda sample: sample["key"])
    finally:
        ray.shutdown()
