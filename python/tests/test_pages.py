"""Ranks on different nodes write no page of a file that another one writes, see stoker._state.whole_pages."""

from __future__ import annotations

import io
import os
import random
from pathlib import Path
from typing import List, Tuple

import numpy as np
import pytest
from states import random_array, run_ranks, same
from test_state_ranks import cut

import stoker
from stoker._errors import StokerError
from stoker._state import save as saving
from stoker._state import whole_pages
from stoker._state.whole_pages import PAGE, WholePages, apply_edges

UNTOUCHED = 0xEE


def deal(chance: random.Random, size: int, ranks: int) -> List[List[Tuple[int, int]]]:
    dealt: List[List[Tuple[int, int]]] = [[] for _ in range(ranks)]
    at = rank = 0
    while at < size:
        length = min(size - at, chance.randint(1, chance.choice([300, 2 * PAGE])))
        dealt[rank].append((at, length))
        at += length
        if chance.randrange(3) == 0:
            rank = chance.randrange(ranks)
    return dealt


@pytest.mark.parametrize("kept", [0, 3, 1024])
def test_only_pages_that_were_filled(tmp_path: Path, seed: int, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rank sees a file of its own, as a node does that has its own cache."""
    monkeypatch.setattr(whole_pages, "_KEPT", kept)
    chance = random.Random(seed)
    data = bytes(chance.choices(range(100), k=chance.randint(1, 9 * PAGE)))
    joined = bytearray(len(data))
    for rank, pieces in enumerate(deal(chance, len(data), 3)):
        own = tmp_path / f"own{rank}"
        own.write_bytes(bytes([UNTOUCHED]) * len(data))
        fd = os.open(own, os.O_RDWR)
        with open(tmp_path / f"edges{rank}", "xb") as edges:
            pages = WholePages(fd, len(data), edges)
            chance.shuffle(pieces)
            for at, length in pieces:
                pages.write(memoryview(data)[at : at + length], at)
            pages.finish()
        os.close(fd)
        written = own.read_bytes()
        for low in range(0, len(data), PAGE):
            page = written[low : low + PAGE]
            if page != bytes([UNTOUCHED]) * len(page):
                assert page == data[low : low + PAGE] and not any(joined[low : low + PAGE])
                joined[low : low + PAGE] = page
    (tmp_path / "out").write_bytes(joined)
    fd = os.open(tmp_path / "out", os.O_RDWR)
    for rank in range(3):
        apply_edges(str(tmp_path / f"edges{rank}"), fd, len(data))
    os.close(fd)
    assert (tmp_path / "out").read_bytes() == data


def test_damaged_edges_are_refused(tmp_path: Path) -> None:
    edges = io.BytesIO()
    pages = WholePages(-1, 1000, edges)
    pages.write(memoryview(b"abc" * 10), 7)
    pages.finish()
    right, name = edges.getvalue(), tmp_path / "edges"
    for wrong in [b"", right[:-1], right + b"x"] + [
        right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :] for at in range(len(right))
    ]:
        name.write_bytes(wrong)
        with pytest.raises(StokerError, match="is not what a rank wrote"):
            apply_edges(str(name), -1, 1000)


@pytest.mark.parametrize("incoherent", [0, 1, 2])
def test_one_node_without_coherent_caches_is_enough(
    tmp_path: Path, seed: int, incoherent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    arrays = {f"t{i}": random_array(chance, (chance.randrange(1, 300), chance.randrange(1, 300))) for i in range(8)}
    world, path = 3, tmp_path / "s.safetensors"

    def save(rank: int, world: int) -> int:
        monkeypatch.setattr(saving, "is_coherent", lambda folder: rank != incoherent)
        used = []
        monkeypatch.setattr(saving, "WholePages", lambda *args: used.append(1) or WholePages(*args))
        spread = {name: cut(array, i % 2, rank, world) for i, (name, array) in enumerate(arrays.items())}
        stoker.save({"spread": spread, "own": {rank: np.full(3, rank)}}, path, rank, world)
        return len(used)

    assert run_ranks(world, save) == [0, 1, 1]
    assert os.listdir(tmp_path) == ["s.safetensors"]
    got = stoker.load(path)
    assert same(got["spread"], arrays) and [own.tolist() for own in got["own"].values()] == [[r] * 3 for r in range(world)]
