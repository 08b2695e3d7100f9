"""A function for each sample, or batch, in worker processes: what it delivers, and what it does when something goes wrong."""

from __future__ import annotations

import json
import os
import random
import signal
from pathlib import Path
from typing import Any, Dict, List

import map_functions as functions
import numpy as np
import pytest
from conftest import Packed
from test_held_batches import numbers  # noqa: F401

import stoker

pytestmark = pytest.mark.usefixtures("keeper")

WORKERS = (0, 1, 3)


def rows(batches: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """What batches hold, sample by sample."""
    found = []
    for batch in batches:
        columns = {name: value.tolist() if isinstance(value, np.ndarray) else list(value) for name, value in batch.items()}
        size = len(next(iter(columns.values())))
        assert all(len(column) == size for column in columns.values())
        found += [{name: column[i] for name, column in columns.items()} for i in range(size)]
    return found


def deliver(path: Path, **options: Any) -> List[Dict[str, Any]]:
    with stoker.Loader(path, **{"batch_size": 5, "shuffle": True, "seed": 3, **options}) as loader:
        return rows(list(loader))


def test_results_are_those_of_the_function_in_the_order_of_the_loader(stk: Packed) -> None:
    order = stoker.order(len(stk.samples), 3, 0, range(len(stk.samples))).tolist()
    for workers in WORKERS:
        found = deliver(stk.path, map=functions.measure, workers=workers)
        expected = [stk.samples[i] for i in order]
        assert [row["key"] for row in found] == [sample["key"] for sample in expected]
        assert [row["size"] for row in found] == [len(sample["data"]) for sample in expected]
        assert [row["sum"] for row in found] == [[float(sum(s["data"])), float(len(s["data"]))] for s in expected]


def test_arrays_lie_in_shared_memory_and_stay(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, map=functions.measure_much, workers=2) as loader:
        held = [batch for _ in range(3) for batch in loader]
        assert held[0]["sum"].dtype == np.float32 and held[0]["sum"].shape == (4, 2)
        assert held[0]["size"].dtype == np.int64 and not held[0]["much"].flags.owndata
        assert loader.report()["held"]["batches"] == len(held)
    assert all((batch["much"] == batch["size"][:, None]).all() for batch in held)
    sizes = [len(sample["data"]) for sample in stk.samples]
    assert np.concatenate([batch["size"] for batch in held]).tolist() == sizes * 3


def test_randomness_depends_on_seed_epoch_and_sample_alone(stk: Packed) -> None:
    def chances(workers: int, batch_size: int, seed: int, epoch: int = 0) -> Dict[str, Any]:
        with stoker.Loader(stk.path, batch_size, True, seed, map=functions.measure, workers=workers) as loader:
            loader.set_epoch(epoch)
            return {row["key"]: row["chance"] for row in rows(list(loader))}

    first = chances(0, 5, 3)
    assert first == chances(1, 5, 3) == chances(3, 2, 3)
    assert len({str(chance) for chance in first.values()}) == len(first)
    assert not set(map(str, first.values())) & set(map(str, chances(1, 5, 4).values()))
    assert not set(map(str, first.values())) & set(map(str, chances(1, 5, 3, epoch=1).values()))


def test_in_place_changes_do_no_harm(numbers: Path) -> None:  # noqa: F811
    with stoker.Loader(numbers, 16, fields=["number", "dense"], map=functions.change_in_place, workers=2) as loader:
        for _ in range(2):
            for batch in loader:
                assert (batch["dense"] == batch["number"][:, None] + 1).all()


def test_none_leaves_a_sample_out(stk: Packed) -> None:
    expected = [sample["key"] for sample in stk.samples if sample["label"] != 0]
    for workers in WORKERS:
        with stoker.Loader(stk.path, 4, map=functions.skip_cats, workers=workers) as loader:
            assert [row["key"] for row in rows(list(loader))] == expected
            assert loader.report()["map"]["skipped"] == len(stk.samples) - len(expected)
            assert loader.state_dict()["epoch"] == 1
        assert deliver(stk.path, map=functions.skip_all, workers=workers) == []


def test_a_whole_batch(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4) as loader:
        expected = [functions.pad_batch(batch) for batch in loader]
    seen = []
    for workers in WORKERS:
        with stoker.Loader(stk.path, 4, map_batch=functions.pad_batch, workers=workers) as loader:
            found = list(loader)
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            np.testing.assert_array_equal(one["data"], other["data"], strict=True)
            np.testing.assert_array_equal(one["label"], other["label"])
            assert one["keys"] == other["keys"]
        seen.append([float(batch["chance"]) for batch in found])
    assert seen[0] == seen[1] == seen[2] and len(set(seen[0])) == len(seen[0])


def test_both_functions(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, map=functions.skip_cats, map_batch=functions.count, workers=2) as loader:
        counts = [int(batch["count"]) for batch in loader]
    assert sum(counts) == sum(sample["label"] != 0 for sample in stk.samples)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_failure_names_the_sample_and_stays(stk: Packed, workers: int) -> None:
    with stoker.Loader(stk.path, 4, map=functions.fail_at_five, workers=workers) as loader:
        batches, good = iter(loader), []
        with pytest.raises(stoker.StokerError) as failed:
            for batch in batches:
                good += batch["key"]
        bad = next(i for i, sample in enumerate(stk.samples) if "5" in sample["key"])
        assert f"sample {bad} ({stk.samples[bad]['key']}): ValueError: five" in str(failed.value)
        assert "in fail_at_five" in str(failed.value) and 'bad="skip"' in str(failed.value)
        assert good == [sample["key"] for sample in stk.samples[: bad // 4 * 4]]
        with pytest.raises(stoker.StokerError, match="five"):
            next(batches)
        assert loader.state_dict()["cursor"] == bad // 4 * 4


def test_bad_samples_are_skipped_or_replaced(stk: Packed) -> None:
    good = [sample["key"] for sample in stk.samples if "5" not in sample["key"]]
    with stoker.Loader(stk.path, 5, map=functions.fail_at_five, workers=2, bad="skip") as loader:
        assert [row["key"] for row in rows(list(loader))] == good
        failed = loader.report()["map"]["failed"]
    assert [each["sample"] for each in failed] == [i for i, s in enumerate(stk.samples) if "5" in s["key"]]
    assert failed[0]["reason"] == "ValueError: five"
    with stoker.Loader(stk.path, 5, map=functions.fail_at_five, workers=2, bad="substitute") as loader:
        replaced = [row["key"] for row in rows(list(loader))]
    assert len(replaced) == len(stk.samples) and set(replaced) == set(good)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (functions.other_shape, r"returned field 'x' as float32\[3\], but sample 0 \(.+\) has it as float32\[2\]"),
        (functions.other_type, r"returned field 'x' as int16\[2\], but sample 0 \(.+\) has it as float32\[2\]"),
        (functions.other_keys, r"returned the fields x, y, but sample 0 \(.+\) has x"),
        (functions.no_dict, r"should return a dict of fields, or None to skip, but returned int64"),
    ],
)
def test_what_does_not_fit_names_both_samples(stk: Packed, function: Any, says: str) -> None:
    with stoker.Loader(stk.path, 4, map=function, workers=1) as loader, pytest.raises(stoker.StokerError, match=says):
        list(loader)


def test_a_lambda_is_refused_with_advice(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cloudpickle", None)
    with pytest.raises(stoker.StokerError, match=r"Define it with def at the top of a module"):
        stoker.Loader(stk.path, map=lambda sample: sample)


@pytest.mark.parametrize("function", [functions.die_once, functions.hang_once])
def test_workers_that_die_or_hang_are_replaced(
    stk: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: Any
) -> None:
    monkeypatch.setenv("STOKER_TEST_MARKER", str(tmp_path / "marker"))
    options = {"map": function, "workers": 2, "worker_timeout": 3, "multiprocessing_context": "spawn"}
    with stoker.Loader(stk.path, 4, **options) as loader:
        before = loader.worker_pids
        assert [row["key"] for row in rows(list(loader))] == [sample["key"] for sample in stk.samples]
        assert len(set(before) & set(loader.worker_pids)) == 1
    assert (tmp_path / "marker").exists()


def test_a_sample_that_kills_every_worker_is_named(stk: Packed) -> None:
    bad = next(i for i, sample in enumerate(stk.samples) if "5" in sample["key"])
    says = rf"sample {bad} \(.*: a worker process was killed by SIGKILL.* each time it ran the function on this sample"
    for batch_size in (1, 21):
        with (
            stoker.Loader(stk.path, batch_size, map=functions.die_always, workers=1) as loader,
            pytest.raises(stoker.StokerError, match=says),
        ):
            list(loader)


def test_kills_at_random_moments(stk: Packed, seed: int) -> None:
    chance = random.Random(seed)
    with stoker.Loader(stk.path, 2, True, 1, map=functions.slow, workers=2) as loader:
        for epoch in range(6):
            order = stoker.order(len(stk.samples), 1, epoch, range(len(stk.samples))).tolist()
            found = []
            for batch in loader:
                found += batch["key"]
                if chance.random() < 0.2:
                    os.kill(chance.choice(loader.worker_pids), signal.SIGKILL)
            assert found == [stk.samples[i]["key"] for i in order]


def test_resumes_at_every_batch_with_other_workers(stk: Packed) -> None:
    for taken in (0, 1, 3, 5):
        with stoker.Loader(stk.path, 4, True, 5, map=functions.measure, workers=2) as loader:
            batches = iter(loader)
            first = [next(batches) for _ in range(taken)]
            state = loader.state_dict()
            rest = list(batches)
        for workers in (0, 3):
            with stoker.Loader(stk.path, 4, True, 5, map=functions.measure, workers=workers) as loader:
                loader.load_state_dict(state)
                assert rows(list(loader)) == rows(rest)
        assert len(rows(first + rest)) == len(stk.samples)


def test_leaving_an_epoch_early(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 5, map=functions.measure, workers=2) as loader:
        epochs = []
        for _ in range(3):
            epochs.append(next(iter(loader))["key"])
        loader.set_epoch(1)
        assert next(iter(loader))["key"] == epochs[1]


def test_the_ledger_has_what_was_delivered(stk: Packed, tmp_path: Path, stoker_command: Any) -> None:
    """And not what was on its way; a job with another number of ranks resumes from it."""
    options: Dict[str, Any] = {"batch_size": 2, "shuffle": True, "seed": 5, "map": functions.slow}
    seen: List[str] = []
    for rank in range(2):
        ledger = tmp_path / f"{rank}.ledger"
        with stoker.Loader(stk.path, rank=rank, world=2, workers=2, ledger=ledger, **options) as loader:
            for step, batch in enumerate(loader):
                seen += batch["key"]
                if step == rank:
                    break
    stoker_command("ledger", "state", *sorted(tmp_path.glob("*.ledger")), "-o", tmp_path / "state")

    with stoker.Loader(stk.path, rank=0, world=1, workers=1, ledger=tmp_path / "2.ledger", **options) as loader:
        loader.load_state_dict(json.loads((tmp_path / "state").read_text()))
        seen += [key for batch in loader for key in batch["key"]]
    assert sorted(seen) == sorted(sample["key"] for sample in stk.samples)
    stoker_command("ledger", "check", *sorted(tmp_path.glob("*.ledger")))


def test_options_are_checked(stk: Packed) -> None:
    for options, says in (
        ({"workers": -1}, "workers should be at least 0 but is -1"),
        ({"worker_timeout": 0}, "worker_timeout should be a number of seconds, more than 0, but is 0"),
        ({"multiprocessing_context": "thread"}, "unknown multiprocessing_context 'thread'; valid are forkserver, spawn, fork"),
    ):
        with pytest.raises(stoker.StokerError, match=says):
            stoker.Loader(stk.path, map=functions.slow, **options)
