"""Several data sets mixed by weights."""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

import pytest

import stoker
from stoker._loader.options import whole_numbers

pytestmark = pytest.mark.usefixtures("keeper")


@pytest.fixture
def two(tmp_path: Path) -> Any:
    for name, count in (("a", 30), ("b", 10)):
        stoker.pack([{"key": f"{name}{i}", "label": i} for i in range(count)], tmp_path / f"{name}.stk", no_sync=True)
    return [tmp_path / "a.stk", tmp_path / "b.stk"]


def test_each_has_its_share(two: Any) -> None:
    with stoker.Loader(two, 8, shuffle=True, seed=3, weights=[0.25, 0.75]) as loader:
        assert loader.samples == 40
        epochs = [[key for batch in loader for key in batch["key"]] for _ in range(3)]
        assert len(loader) == 5
    assert [len(epoch) for epoch in epochs] == [40, 40, 40]
    counts = collections.Counter(key for epoch in epochs for key in epoch)
    # Of 120 samples 30 are of a, each once, and 90 of b, each nine times.
    assert sum(count for key, count in counts.items() if key.startswith("a")) == 30
    assert set(counts.values()) == {1, 9}


def test_ranks_and_state(two: Any) -> None:
    arguments: Any = dict(shuffle=True, seed=3, weights=[3, 1])
    with stoker.Loader(two, 4, **arguments) as loader:
        whole = [key for batch in loader for key in batch["key"]]
        state = None
    shares = []
    for rank in range(2):
        with stoker.Loader(two, 2, rank=rank, world=2, **arguments) as loader:
            shares.append([key for batch in loader for key in batch["key"]])
    assert [key for pair in zip(*shares) for key in pair] == whole
    with stoker.Loader(two, 4, **arguments) as loader:
        for number, _ in enumerate(loader):
            if number == 3:
                break
        state = loader.state_dict()
    with stoker.Loader(two, 5, **arguments) as loader:
        loader.load_state_dict(state)
        assert [key for batch in loader for key in batch["key"]] == whole[16:]
    with stoker.Loader(two, 5, shuffle=True, seed=3) as loader, pytest.raises(stoker.StokerError, match="should be"):
        loader.load_state_dict(state)


def test_wrong_weights(two: Any, tmp_path: Path) -> None:
    with pytest.raises(stoker.StokerError, match="there are 3 weights but 2 datasets are mixed"):
        stoker.Loader(two, 4, weights=[1, 2, 3])
    for weights in ([0, 1], [-1, 1], []):
        with pytest.raises(stoker.StokerError, match="weights should be larger than 0"):
            stoker.Loader(two, 4, weights=weights)
    with pytest.raises(stoker.StokerError, match="weights should be numbers"):
        stoker.Loader(two, 4, weights=["a", "b"])  # type: ignore[list-item]
    stoker.pack([{"key": "c", "other": 1}], tmp_path / "c.stk")
    with pytest.raises(stoker.StokerError, match="has no field 'other', which others of the mix have"):
        stoker.Loader([*two, tmp_path / "c.stk"], 4, weights=[1, 1, 1])
    with stoker.Loader([*two, tmp_path / "c.stk"], 4, weights=[1, 1, 1], fields=["key"]) as loader:
        assert loader.samples == 41


def testwhole_numbers() -> None:
    assert whole_numbers([0.1, 0.2, 0.3]) == [1, 2, 3]
    assert whole_numbers([4, 2]) == [2, 1]
    assert whole_numbers([1e-3, 1]) == [1, 1000]
