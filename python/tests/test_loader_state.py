"""The loader: epochs, and where it goes on after a stop."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import pickle
import weakref
from pathlib import Path
from typing import Any, Callable

import map_functions as functions
import pytest
from batches import ctrl_c_while_waiting, keys
from conftest import Packed

import stoker
from stoker._java import protocol, reader_process
from stoker._java.connection import Connection

pytestmark = pytest.mark.usefixtures("keeper")


def test_resumes_at_every_step_with_any_world(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 3) as loader:
        whole = [keys(loader), keys(loader)]
    for stop in range(7):
        with stoker.Loader(stk.path, 4, True, 3) as loader:
            batches = iter(loader)
            first = [key for _ in range(stop) for key in next(batches, {"key": []})["key"]]
            state = json.loads(json.dumps(loader.state_dict()))
        for world in (1, 2):
            rest, after = [], []
            for rank in range(world):
                with stoker.Loader(stk.path, 5, True, 3, rank, world, tail="ragged") as loader:
                    loader.load_state_dict(state)
                    assert loader.state_dict() == state
                    if stop < 6:  # the rest of the epoch first
                        rest += keys(loader)
                    after += keys(loader)
            assert sorted(first + rest) == sorted(whole[0])
            assert sorted(after) == sorted(whole[1])
            if world == 1:
                assert first + rest == whole[0]


def test_epochs(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True, 5) as loader:
        assert loader.epoch == 0
        epochs = []
        while loader.epoch < 2:
            epochs += [loader.epoch, {loader.epoch for _ in loader}]
        assert epochs == [0, {0}, 1, {1}]
        loader.set_epoch(0)
        zero = keys(loader)
        assert loader.epoch == 1
        one = keys(loader)
        assert zero != one and sorted(zero) == sorted(one)
        loader.set_epoch(0)
        assert loader.epoch == 0
        assert keys(loader) == zero
        assert keys(loader) == one
        loader.set_epoch(1)
        assert list(next(iter(loader))["key"]) == one[:8]
        two = keys(loader)  # an epoch that was left early is over
        assert loader.state_dict()["epoch"] == 3
        loader.set_epoch(2)
        assert keys(loader) == two
        with pytest.raises(stoker.StokerError, match="an epoch should be at least 0 but is -1"):
            loader.set_epoch(-1)


def test_state_of_an_epoch_that_was_left_early(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True, 5) as loader:
        next(iter(loader))
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (0, 8)
        batches = iter(loader)
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (1, 0)
        next(batches)
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (1, 8)


def test_only_one_iteration_at_a_time(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8) as loader:
        first = iter(loader)
        next(first)
        second = iter(loader)
        next(second)
        with pytest.raises(stoker.StokerError, match="another iteration was begun"):
            next(first)
    with pytest.raises(stoker.StokerError, match="the loader was closed"):
        next(second)


def test_state_of_grain(stk: Packed) -> None:
    with stoker.Loader(stk.path, 8, True) as loader:
        batches = iter(loader)
        next(batches)
        state = batches.get_state()
        expected = [list(batch["key"]) for batch in batches]
        batches.set_state(state)
        assert [list(batch["key"]) for batch in batches] == expected


def test_interrupted_loop_goes_on(stk: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    with stoker.Loader(stk.path, 4, True) as loader:
        expected = keys(loader)
        loader.set_epoch(0)
        batches = iter(loader)
        first = [key for _ in range(2) for key in next(batches)["key"]]

        def interrupted(_: Any) -> Any:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Connection, "_receive", interrupted)
            next(batches)
        assert first + keys(loader) == expected


@pytest.mark.parametrize(
    "request_of",
    [
        lambda loader: loader.report(),
        lambda loader: loader.load_state_dict(loader.state_dict()),
        lambda loader: next(iter(loader)),
    ],
    ids=["report", "state", "epoch"],
)
def test_interrupted_request_leaves_the_loader_in_step(
    stk: Packed, monkeypatch: pytest.MonkeyPatch, request_of: Callable[[stoker.Loader], Any]
) -> None:
    with stoker.Loader(stk.path, 4, True) as whole:
        epochs = [keys(whole) for _ in range(3)]
    monkeypatch.setenv("STOKER_JOB", f"interrupted {os.getpid()}")
    with stoker.Loader(stk.path, 4, True) as loader:
        batches = iter(loader)
        for _ in range(2):
            next(batches)
        with ctrl_c_while_waiting(loader):
            request_of(loader)
        # What was not delivered comes next: the rest of the epoch, or the one whose beginning was interrupted.
        stands = loader.state_dict()
        assert keys(loader) == epochs[stands["epoch"]][stands["cursor"] :]
        assert (stands["epoch"], stands["cursor"]) in ((0, 8), (1, 0))
        assert keys(loader) == epochs[stands["epoch"] + 1]
        assert loader.report()["metrics"]


def test_a_request_that_is_interrupted_ends_its_connection(keeper: stoker.Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = reader_process.connect()

    def interrupted(_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Connection, "_receive", interrupted)
        connection.ask_json(protocol.HELLO, {}, protocol.WELCOME)
    with pytest.raises(stoker.StokerError, match="a request to the reader process .* was interrupted"):
        connection.ask_json(protocol.HELLO, {}, protocol.WELCOME)
    connection.close()


def test_state_that_is_refused_changes_nothing(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 1) as other:
        refused = other.state_dict()
    with stoker.Loader(stk.path, 4, True, 2) as loader:
        expected = [keys(loader), keys(loader)]
        loader.set_epoch(0)
        batches = iter(loader)
        first = list(next(batches)["key"])
        with pytest.raises(stoker.StokerError, match="seed should be 2 but is 1"):
            loader.load_state_dict(refused)
        assert first + [key for batch in batches for key in batch["key"]] == expected[0]
        with pytest.raises(stoker.StokerError, match="seed should be 2 but is 1"):
            loader.load_state_dict(refused)
        assert keys(loader) == expected[1]


def test_rank_without_samples_in_the_rest_of_an_epoch(stk: Packed) -> None:
    """Its iteration over that epoch is over at once, and leaves it at the beginning of the next."""
    with stoker.Loader(stk.path, 4, True, 1) as other:
        refused = other.state_dict()
    with stoker.Loader(stk.path, 20) as one:
        next(iter(one))
        state = one.state_dict()
    with stoker.Loader(stk.path, 20, rank=1, world=2, tail="ragged") as loader:
        loader.load_state_dict(state)
        assert keys(loader) == []
        assert (loader.state_dict()["epoch"], loader.state_dict()["cursor"]) == (1, 0)
        with pytest.raises(stoker.StokerError, match="should be"):
            loader.load_state_dict(refused)
        assert len(keys(loader)) == 10


def test_state_that_is_refused_when_it_connects_is_not_passed_over(stk: Packed) -> None:
    """A state of other data goes along when a loader is pickled, and is refused again and again."""
    with stoker.Loader(stk.path, 4, True, 1) as loader:
        next(iter(loader))
        restore, (options, *rest) = loader.__reduce__()
    again = restore(dataclasses.replace(options, seed=2), *rest)
    for _ in range(2):
        with pytest.raises(stoker.StokerError, match="seed should be 2 but is 1"):
            keys(again)


def test_file_that_was_replaced_is_read_anew(stk: Packed, tmp_path: Path) -> None:
    path = stk.copy(tmp_path)
    with stoker.Loader(path, 4, verify=True) as old:
        next(iter(old))
        (tmp_path / "new").mkdir()
        stk.copy(tmp_path / "new").rename(path)
        for _ in range(2):  # those that come later share the new one
            with stoker.Loader(path, 4) as new:
                assert keys(new) == [sample["key"] for sample in stk.samples]


def test_closed_loader(stk: Packed) -> None:
    loader = stoker.Loader(stk.path, 4)
    next(iter(loader))
    loader.close()
    loader.close()
    assert len(loader) == 6
    with pytest.raises(stoker.StokerError, match="the loader is closed"):
        list(loader)


def test_state_of_another_seed_is_refused(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 1) as one, stoker.Loader(stk.path, 4, True, 2) as two:
        with pytest.raises(stoker.StokerError, match=r"seed should be 2 but is 1"):
            two.load_state_dict(one.state_dict())
        with pytest.raises(stoker.StokerError, match="should be an object of format"):
            two.load_state_dict({"x": 1})
        two.load_state_dict(two.state_dict())
        assert len(keys(two)) == len(stk.samples)


def test_pickles_to_its_arguments_and_state(stk: Packed) -> None:
    with stoker.Loader(stk.path, 4, True, 3, rank=1, world=2) as loader:
        batches = iter(loader)
        next(batches)
        again = pickle.loads(pickle.dumps(loader))
        assert (again.rank, again.world, again.state_dict()) == (1, 2, loader.state_dict())
        assert keys(again) == [key for batch in batches for key in batch["key"]]
        again.close()


def _leave(path: Path, how: str) -> "weakref.ref[Any]":
    """A loader that nothing refers to when this returns."""
    loader = stoker.Loader(path, 4, map=functions.fail_at_five if how == "failed" else None, workers=0)
    batches = iter(loader)
    next(batches)
    if how != "begun":
        with contextlib.suppress(stoker.StokerError):
            keys(batches)
    return weakref.ref(loader._feed)


@pytest.mark.parametrize("how", ["begun", "finished", "failed"])
def test_closes_itself_without_the_garbage_collector(stk: Packed, how: str) -> None:
    gc.disable()
    try:
        assert _leave(stk.path, how)() is None
    finally:
        gc.enable()
