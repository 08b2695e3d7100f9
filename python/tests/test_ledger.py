"""The ledger of a loader: `stoker ledger check` proves from it what was delivered."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable, ContextManager, Dict, Iterator, List

import pytest
from batches import ctrl_c_while_waiting, keys
from conftest import Packed

import stoker
from stoker._java.command import find_command
from stoker._loader import feed

pytestmark = pytest.mark.usefixtures("keeper")

SIZE = 21


def check(*ledgers: Path) -> List[Dict[str, Any]]:
    """What each epoch says; whether all was delivered once is in "exactly_once" of the last."""
    command = find_command()
    assert command is not None
    ended = subprocess.run(
        [*command, "ledger", "check", "--json", *map(str, ledgers)], capture_output=True, text=True, check=False
    )
    said = json.loads(ended.stdout)
    assert (ended.returncode == 0) == said["exactly_once"], ended.stderr
    epochs: List[Dict[str, Any]] = said["epochs"]
    epochs[-1]["exactly_once"] = said["exactly_once"]
    return epochs


def test_every_sample_of_every_rank_once(stk: Packed, tmp_path: Path) -> None:
    ledgers = [tmp_path / f"rank{rank}.ledger" for rank in range(2)]
    for rank, ledger in enumerate(ledgers):
        with stoker.Loader(stk.path, 4, True, 3, rank, 2, ledger=ledger) as loader:
            keys(loader)
            keys(loader)
    epochs = check(*ledgers)
    assert [(epoch["epoch"], epoch["delivered"], epoch["padded"]) for epoch in epochs] == [(0, SIZE, 1), (1, SIZE, 1)]
    assert epochs[-1]["exactly_once"]
    (tmp_path / "rank1.ledger").unlink()
    assert not check(ledgers[0])[-1]["exactly_once"]


def test_a_batch_is_in_the_ledger_when_it_is_delivered(stk: Packed, tmp_path: Path) -> None:
    ledger = tmp_path / "rank0.ledger"
    with stoker.Loader(stk.path, 4, True, 3, ledger=ledger) as loader:
        for number, _ in enumerate(loader):
            assert check(ledger)[-1]["delivered"] == min(SIZE, 4 * (number + 1))
            if number == 2:
                break


def test_resumes_after_a_stop(stk: Packed, tmp_path: Path) -> None:
    first, ledgers = tmp_path / "first.ledger", [tmp_path / f"rank{rank}.ledger" for rank in range(3)]
    with stoker.Loader(stk.path, 4, True, 3, ledger=first) as loader:
        for number, _ in enumerate(loader):
            if number == 1:
                break
        state = loader.state_dict()
    for rank, ledger in enumerate(ledgers):
        with stoker.Loader(stk.path, 5, True, 3, rank, 3, tail="ragged", ledger=ledger) as loader:
            loader.load_state_dict(state)
            keys(loader)
    epochs = check(first, *ledgers)
    assert [epoch["epoch"] for epoch in epochs] == [0] and epochs[-1]["exactly_once"]


def test_only_epochs_that_were_delivered_are_begun(stk: Packed, tmp_path: Path) -> None:
    """The loader connects, and stands at epoch 0, before it is told where to begin."""
    ledger = tmp_path / "rank0.ledger"
    with stoker.Loader(stk.path, 4, True, 3, ledger=ledger) as loader:
        loader.set_epoch(3)
        keys(loader)
    with stoker.Loader(stk.path, 4, True, 3, ledger=ledger):
        pass
    epochs = check(ledger)
    assert [epoch["epoch"] for epoch in epochs] == [3] and epochs[-1]["exactly_once"]


def test_what_is_left_out_is_told(stk: Packed, tmp_path: Path) -> None:
    ledger = tmp_path / "rank0.ledger"
    with stoker.Loader(stk.path, 4, True, 3, drop_last=True, ledger=ledger) as loader:
        keys(loader)
    epoch = check(ledger)[-1]
    assert (epoch["delivered"], epoch["dropped"], epoch["exactly_once"]) == (20, 1, True)


def test_rank_without_samples_in_the_rest_of_an_epoch(stk: Packed, tmp_path: Path) -> None:
    """It begins no epoch after the one that it was asked for, and its ledger says what was left out of that."""
    first, ledgers = tmp_path / "first.ledger", [tmp_path / f"rank{rank}.ledger" for rank in range(2)]
    with stoker.Loader(stk.path, 18, True, 3, ledger=first) as loader:
        next(iter(loader))
        state = loader.state_dict()
    for rank, ledger in enumerate(ledgers):
        with stoker.Loader(stk.path, 2, True, 3, rank, 2, tail="ragged", drop_last=True, ledger=ledger) as loader:
            loader.load_state_dict(state)
            assert len(keys(loader)) == 2 * (1 - rank)
            assert loader.state_dict()["epoch"] == 1
    epochs = check(first, *ledgers)
    assert [(epoch["epoch"], epoch["delivered"], epoch["dropped"]) for epoch in epochs] == [(0, SIZE - 1, 1)]
    assert epochs[-1]["exactly_once"]


def _stop(stk: Packed, ledger: Path, after: int, interrupt: Callable[[stoker.Loader], ContextManager[None]]) -> Dict[str, Any]:
    with stoker.Loader(stk.path, 4, True, 3, ledger=ledger) as loader:
        batches = iter(loader)
        for _ in range(after):
            next(batches)
        with interrupt(loader):
            next(batches)
        return loader.state_dict()


@contextlib.contextmanager
def _after_the_answer(_: stoker.Loader) -> Iterator[None]:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(feed, "make_batch", interrupted)
        yield


@pytest.mark.parametrize("interrupt", [ctrl_c_while_waiting, _after_the_answer], ids=["waiting", "answered"])
@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_batch_that_was_interrupted_is_not_in_the_ledger(
    stk: Packed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after: int,
    interrupt: Callable[[stoker.Loader], ContextManager[None]],
) -> None:
    """The reader process writes a batch down before it sends it; Ctrl-C may come in between."""
    monkeypatch.setenv("STOKER_JOB", f"ledger {os.getpid()} {after}")  # the process is stopped, which is nobody else's business
    ledger = tmp_path / "rank0.ledger"
    state = _stop(stk, ledger, after, interrupt)
    with stoker.Loader(stk.path, 4, True, 3, ledger=ledger) as loader:
        if after:
            assert check(ledger)[-1]["delivered"] == 4 * after
        loader.load_state_dict(state)
        assert len(keys(loader)) == SIZE - 4 * after
    assert check(ledger)[-1]["exactly_once"]


def test_workers_read_ahead_of_what_is_delivered(stk: Packed, tmp_path: Path) -> None:
    torch_data = pytest.importorskip("torch.utils.data")
    loader = stoker.Loader(stk.path, 4, framework="torch", ledger=tmp_path / "l")
    with pytest.raises(Exception, match="a ledger says what was delivered, but the workers of a DataLoader read ahead"):
        list(torch_data.DataLoader(loader, batch_size=None, num_workers=1))
    loader.close()


def test_every_rank_needs_its_own(stk: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with stoker.Loader(stk.path, 4, rank=0, world=2, ledger="own.ledger") as loader:
        next(iter(loader))
        assert (tmp_path / "own.ledger").stat().st_size > 0
        with pytest.raises(
            stoker.StokerError, match=r"own.ledger\] another process is writing this ledger; give every rank its own"
        ):
            stoker.Loader(stk.path, 4, rank=1, world=2, ledger="own.ledger")
    with pytest.raises(stoker.StokerError, match="seed"):
        stoker.Loader(stk.path, 4, seed=9, rank=0, world=2, ledger="own.ledger")


def test_state_of_a_crash(stk: Packed, tmp_path: Path, stoker_command: Callable[..., str]) -> None:
    """Ranks that stood at different steps resume from their ledgers."""
    ledgers = [tmp_path / f"rank{rank}.ledger" for rank in range(2)]
    for rank, ledger in enumerate(ledgers):
        child = os.fork()
        if child == 0:
            batches = iter(stoker.Loader(stk.path, 4, True, 3, rank, 2, tail="ragged", ledger=ledger))
            for _ in range(1 + rank):
                next(batches)
            os._exit(0)  # without a word to anybody
        assert os.waitpid(child, 0)[1] == 0
    stoker_command("ledger", "state", *ledgers, "-o", tmp_path / "job.json")
    state = json.loads((tmp_path / "job.json").read_text())
    for rank in range(2):
        with stoker.Loader(stk.path, 4, True, 3, rank, 2, tail="ragged", ledger=ledgers[rank]) as loader:
            loader.load_state_dict(state)
            keys(loader)
    assert check(*ledgers)[-1]["exactly_once"]
