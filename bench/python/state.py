"""Saves and loads a state with stoker, torch.save and torch.distributed.checkpoint, in turns, and compares.

    python bench/python/state.py [--gigabytes 4] [--rounds 5] [--folders /dev/shm .] [--json]     (needs torch; about 4x the state in memory)

One process. In every round each contestant saves, then each loads, in an order that changes; figures are medians, ratios are of
medians. Files are deleted. Saving is measured without waiting for the disk by all three, and with (fsync) by all three. Loading
reads all bytes into new tensors (stoker.load, torch.load), or into tensors that are there (stoker.load(into=), which is what
torch.distributed.checkpoint does). `mapped` maps the file and reads nothing yet; it is no contestant. Files were just written,
so they lie in the page cache. Last, how long save(wait=False) keeps the program waiting, beside one copy of the same tensors
into memory that is there, by one thread (NumPy) and by torch's threads; the first such save, which needs new memory, is told
apart.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np
import torch
import torch.distributed.checkpoint as dcp

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "src"))
import measure  # noqa: E402
import stoker  # noqa: E402

warnings.filterwarnings("ignore", module="torch")
Results = Dict[str, List[float]]


def make_state(size: int) -> Dict[str, torch.Tensor]:
    """Layers as a transformer has them: large matrices and small vectors."""
    state, layer, left = {}, 0, size
    while left > 0:
        rows = max(1, min(4096, left // (4096 * 4)))
        state[f"layers.{layer}.weight"] = torch.randn(rows, 4096)
        state[f"layers.{layer}.bias"] = torch.randn(rows)
        left -= rows * 4097 * 4
        layer += 1
    return state


def timed(results: Results, name: str, work: Callable[[], Any]) -> Any:
    begin = time.perf_counter()
    result = work()
    results.setdefault(name, []).append(time.perf_counter() - begin)
    return result


def save_torch(state: Any, folder: Path, sync: bool) -> None:
    torch.save(state, folder / "state.pt")
    if sync:
        fd = os.open(folder / "state.pt", os.O_RDONLY)
        os.fsync(fd)
        os.close(fd)


def save_dcp(state: Any, folder: Path, sync: bool) -> None:
    dcp.save(state, storage_writer=dcp.FileSystemWriter(folder / "dcp", sync_files=sync), no_dist=True)


def savers(state: Any, folder: Path, sync: bool) -> Dict[str, Callable[[], Any]]:
    return {
        "stoker": lambda: stoker.save(state, folder / "s.safetensors", 0, 1, sync=sync),
        "torch": lambda: save_torch(state, folder, sync),
        "dcp": lambda: save_dcp(state, folder, sync),
    }


def loaders(target: Any, folder: Path) -> Dict[str, Callable[[], Any]]:
    return {
        "stoker": lambda: stoker.load(folder / "s.safetensors", 0, 1),
        "torch": lambda: torch.load(folder / "state.pt", weights_only=True),
        "stoker into": lambda: stoker.load(folder / "s.safetensors", 0, 1, into=target),
        "dcp": lambda: dcp.load(target, storage_reader=dcp.FileSystemReader(folder / "dcp"), no_dist=True),
        "mapped": lambda: stoker.load(folder / "s.safetensors", 0, 1, mmap=True),
    }


FILES = {"stoker": "s.safetensors", "torch": "state.pt", "dcp": "dcp"}


def delete(folder: Path, name: str) -> None:
    path = folder / FILES[name]
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def rotated(names: List[str], number: int) -> List[str]:
    return names[number % len(names) :] + names[: number % len(names)]


def measure_files(state: Any, place: str, folder: Path, rounds: int) -> None:
    size = sum(tensor.nbytes for tensor in state.values())
    saving: Results = {}
    synced: Results = {}
    loading: Results = {}
    target = {name: torch.zeros_like(tensor) for name, tensor in state.items()}
    for number in range(rounds + 1):
        saved, safe, read = (saving, synced, loading) if number else ({}, {}, {})  # the first round warms up
        for name in rotated(["stoker", "torch", "dcp"], number):
            for results, sync in ((safe, True), (saved, False)):
                delete(folder, name)
                timed(results, name, savers(state, folder, sync)[name])
            for reader in {"stoker": ["stoker", "stoker into", "mapped"]}.get(name, [name]):
                loaded = timed(read, reader, loaders(target, folder)[reader])
                check = target if loaded is None else loaded
                assert all(torch.equal(check[key][-1:], state[key][-1:]) for key in state)
                del loaded, check
            delete(folder, name)
    for title, results in (("save", saving), ("save+fsync", synced), ("load", loading)):
        tell(title, results, size)
    ratio(place, "save", saving, "torch", "stoker")
    ratio(place, "save", saving, "dcp", "stoker")
    ratio(place, "save+fsync", synced, "torch", "stoker")
    ratio(place, "save+fsync", synced, "dcp", "stoker")
    ratio(place, "load", loading, "torch", "stoker")
    ratio(place, "load", loading, "dcp", "stoker into")


def tell(title: str, results: Results, size: int) -> None:
    for name, seconds in results.items():
        median = statistics.median(seconds)
        measure.say(f"{title:11} {name:12} {median:8.3f} s  {size / median / 1e9:7.2f} GB/s   {' '.join(f'{s:.2f}' for s in seconds)}")


def ratio(place: str, title: str, results: Results, other: str, ours: str) -> None:
    mine, theirs = statistics.median(results[ours]), statistics.median(results[other])
    measure.row(f"{title} in {place}, {ours} / {other}", f"{mine:.2f} and {theirs:.2f} s", theirs / mine)


def measure_blocking(state: Any, folder: Path, rounds: int) -> None:
    size = sum(tensor.nbytes for tensor in state.values())
    results: Results = {}
    copies = {name: torch.zeros_like(tensor) for name, tensor in state.items()}
    for number in range(rounds + 1):
        name = "save(wait=False)" if number else "the first save(wait=False)"
        timed(results, name, lambda: stoker.save(state, folder / "s.safetensors", 0, 1, wait=False, sync=False)).result()
        timed(results, "copy, 1 thread", lambda: [np.copyto(copies[key].numpy(), state[key].numpy()) for key in state])
        timed(results, "copy, torch", lambda: [copies[key].copy_(state[key]) for key in state])
        delete(folder, "stoker")
    tell("blocked", results, size)
    ratio("memory", "blocked", results, "save(wait=False)", "copy, 1 thread")
    ratio("memory", "blocked", results, "save(wait=False)", "copy, torch")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folders", nargs="+", default=["/dev/shm", "."])
    measure.options(parser)
    arguments = parser.parse_args()
    state = make_state(int(arguments.gigabytes * 1e9))
    for place in arguments.folders:
        with tempfile.TemporaryDirectory(prefix="stoker-state-", dir=place) as folder:
            measure.say(f"== {place}: {sum(tensor.nbytes for tensor in state.values()) / 1e9:.1f} GB in {len(state)} tensors")
            measure_files(state, place, Path(folder), arguments.rounds)
    with tempfile.TemporaryDirectory(prefix="stoker-state-", dir=arguments.folders[0]) as folder:
        measure_blocking(state, Path(folder), arguments.rounds)
    measure.finish()


if __name__ == "__main__":
    main()
