"""Loaders of some of the samples, by number, key or column; fields to decode; and samples that are bad."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batches import keys
from conftest import Packed

import stoker

pytestmark = pytest.mark.usefixtures("keeper")


@pytest.mark.parametrize(
    "subset",
    [
        [3, 4, 5, 17, 0],
        np.array([17, 0, 3, 4, 5, 3]),
        [i in (0, 3, 4, 5, 17) for i in range(21)],
    ],
)
def test_numbers_and_masks(stk: Packed, subset: Any) -> None:
    with stoker.Loader(stk.path, 2, subset=subset) as loader:
        assert loader.samples == 5 and len(loader) == 3
        assert keys(loader) == [stk.samples[i]["key"] for i in (0, 3, 4, 5, 17)]
    with stoker.Loader(stk.path, 2, shuffle=True, seed=1, subset=subset) as loader:
        assert sorted(keys(loader)) == sorted(stk.samples[i]["key"] for i in (0, 3, 4, 5, 17))


def test_slices(stk: Packed) -> None:
    for chosen in (slice(2, 20, 3), slice(0, 4), range(5, 6)):
        with stoker.Loader(stk.path, 4, subset=chosen) as loader:
            numbers = chosen if isinstance(chosen, range) else range(21)[chosen]
            assert keys(loader) == [stk.samples[i]["key"] for i in numbers]


def test_columns_and_keys(stk: Packed) -> None:
    dogs = [sample["key"] for sample in stk.samples if sample["label"] == 1]
    with stoker.Loader(stk.path, 4, where=lambda columns: columns["label"] == 1) as loader:
        assert keys(loader) == dogs
    with stoker.Loader(stk.path, 4, keys=[dogs[3], dogs[1]]) as loader:
        assert keys(loader) == [dogs[1], dogs[3]]
    with stoker.Loader([stk.path, stk.path], 4, where=lambda columns: columns["label"] == 1, subset=range(30)) as loader:
        both = [sample for sample in [*stk.samples, *stk.samples][:30] if sample["label"] == 1]
        assert keys(loader) == [sample["key"] for sample in both]


def test_a_subset_resumes_and_another_one_is_refused(stk: Packed) -> None:
    options: Any = {"shuffle": True, "seed": 2, "subset": range(3, 18)}
    with stoker.Loader(stk.path, 4, **options) as loader:
        batches = iter(loader)
        seen = list(next(batches)["key"])
        state = loader.state_dict()
    with stoker.Loader(stk.path, 2, **options) as loader:
        loader.load_state_dict(state)
        seen += keys(loader)
    assert sorted(seen) == sorted(sample["key"] for sample in stk.samples[3:18])
    other = {**options, "subset": range(4, 19)}
    with stoker.Loader(stk.path, 2, **other) as loader, pytest.raises(stoker.StokerError, match="order should be"):
        loader.load_state_dict(state)


def test_what_is_wrong_with_a_choice_is_said(stk: Packed) -> None:
    for options, says in (
        ({"subset": [0, 21]}, "the subset has sample 21, but the dataset has 21"),
        ({"subset": [-1]}, "numbers of at least 0 but has -1"),
        ({"subset": [True, False]}, "a mask for subset should have 21 values but has 2"),
        ({"subset": [0.5]}, "the numbers of samples, or a mask"),
        ({"subset": []}, "no sample is chosen"),
        ({"keys": ["nobody"]}, "no sample with key 'nobody'"),
        ({"where": lambda columns: columns["label"]}, r"a mask of 21 bools but returned int64\[21\]"),
        ({"decode": "data"}, "needs transform="),
    ):
        with pytest.raises(stoker.StokerError, match=says):
            stoker.Loader(stk.path, **options)
    with pytest.raises(stoker.StokerError, match="have to be named one by one"):
        stoker.Loader(f"{stk.path.parent}/*.stk", keys=["x"])


def test_samples_by_key(stk: Packed) -> None:
    dataset = stoker.open(stk.path)
    key = stk.samples[4]["key"]
    assert dataset[key] == stk.samples[4] and dataset.find(key) == 4
    assert pickle.loads(pickle.dumps(dataset))[key] == stk.samples[4]
    with pytest.raises(KeyError, match=f"has no sample with key '{key}x'; did you mean '{key}'"):
        dataset[key + "x"]


def test_pictures_in_a_field_of_any_name(tmp_path: Path) -> None:
    from test_docs import png

    samples = [{"image": png(10 * i), "other": b"", "label": i} for i in range(3)]
    stoker.pack(({"image": s["image"], "label": s["label"]} for s in samples), tmp_path / "one.stk", sync=False)
    with stoker.Loader(tmp_path / "one.stk", transform="Resize((2,2))", layout="hwc") as loader:
        assert next(iter(loader))["image"][:, 0, 0, 0].tolist() == [0, 10, 20]
    stoker.pack(samples, tmp_path / "two.stk", sync=False)
    with pytest.raises(stoker.StokerError, match="several fields that could be decoded; name one with decode=: image, other"):
        stoker.Loader(tmp_path / "two.stk", transform="Resize((2,2))")
    with stoker.Loader(tmp_path / "two.stk", transform="Resize((2,2))", decode="image", layout="hwc") as loader:
        assert next(iter(loader))["image"][:, 0, 0, 0].tolist() == [0, 10, 20]


def test_bad_samples_are_named_once_and_listed(stk: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    data = path.read_bytes()
    with path.open("r+b") as file:
        for i in (5, 9):
            file.seek(data.index(stk.samples[i]["data"]))
            file.write(bytes([stk.samples[i]["data"][0] ^ 1]))
    with warnings.catch_warnings(record=True) as caught, stoker.Loader(path, 4, bad="skip") as loader:
        warnings.simplefilter("always")
        assert keys(loader) == [sample["key"] for i, sample in enumerate(stk.samples) if i not in (5, 9)]
        bad = loader.report()["bad"]
    assert [each["sample"] for each in bad] == [5, 9]
    assert "checksum" in bad[0]["reason"] and stk.samples[5]["key"] in bad[0]["place"]
    (said,) = [str(warning.message) for warning in caught if "left out" in str(warning.message)]
    assert stk.samples[5]["key"] in said or stk.samples[9]["key"] in said
