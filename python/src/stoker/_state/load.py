"""Loading a state: whole, or the part of one rank of any number."""

from __future__ import annotations

import functools
import mmap as mapping
import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Set, Tuple

import numpy as np

from .._errors import StokerError, damaged
from .._job.ranks import cores_of_rank, find_ranks
from .._system.files import open_regular
from .._system.threads import run_all
from .._types import Path
from . import state_tree
from .plan import MEMBER, VERSION, runs
from .safetensors import TYPES, Shape, Stored, parse_json, read_layout
from .tensors import Leaf, Shard, as_tensor, empty, leaf_of, loaded_torch, own_memory, part_of

_READ_BYTES = 16 << 20
_MAX_THREADS = 8


def load(
    path: Path,
    rank: Optional[int] = None,
    world: Optional[int] = None,
    map_location: Any = None,
    *,
    into: Optional[Mapping[Any, Any]] = None,
    loader: Any = None,
    mmap: bool = False,
) -> Dict[Any, Any]:
    """Loads a state that :func:`stoker.save` saved, with any number of ranks; or any other safetensors file, as a dict by name.

    ::

        state = stoker.load("run/step-1000.safetensors", loader=loader)
        model.load_state_dict(state["model"])

    It comes back as it was saved. Tensors come as torch tensors if they were and the program has imported torch, else as NumPy
    arrays. Of a tensor that was spread over ranks each of several gets its part, as a :class:`stoker.Shard`; only that is read.

    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has; 1 gives whole tensors
    :param map_location: the device of torch tensors, such as ``"cuda"``; by default the CPU
    :param into: a state whose arrays, tensors, DTensors and shards are filled in place, and returned where the file has them;
        all that it has must be in the file, with the same types and shapes
    :param loader: a :class:`stoker.Loader`, which resumes from the saved position
    :param mmap: give tensors on the mapped file instead of reading it: a page is read when it is used, and copied when it is
        changed; the file does not change
    """
    ranks = find_ranks(rank, world)
    name = os.fspath(path)
    fd = _open(name)
    try:
        tensors, metadata = read_layout(name, fd)
        about = _about(name, tensors, metadata)
        reading = _Reading(name, fd, tensors, ranks.rank, ranks.world, _device(map_location), mmap, into)
        try:
            state = state_tree.decode(about["tree"], reading.tensor)
        except (StokerError, RecursionError) as e:
            raise StokerError(f"[{name}] {e}") from e
        reading.require_all_found()
        reading.run(max(1, min(_MAX_THREADS, cores_of_rank(ranks.local_world))))
    finally:
        os.close(fd)
    if not isinstance(state, dict):
        raise damaged(name, "the state should be a dict but is not")
    if loader is not None:
        if about["loader"] is None:
            raise StokerError(f"[{name}] has no position of a loader; save with loader=…, or load without")
        loader.load_state_dict(about["loader"])
    return state


def _open(name: str) -> int:
    try:
        return open_regular(name)
    except OSError as e:
        raise StokerError(f"[{name}] cannot be read: {e.strerror}") from e


def _about(name: str, tensors: Mapping[str, Stored], metadata: Mapping[str, str]) -> Dict[str, Any]:
    """What :func:`stoker.save` wrote beside the tensors; for a file written by other tools, a flat dict of all of them."""
    if MEMBER not in metadata:
        return {"tree": {"$dict": [[tensor, {state_tree.TENSOR: tensor}] for tensor in tensors]}, "loader": None}
    about = parse_json(name, metadata[MEMBER])
    version = about.get("version") if isinstance(about, dict) else None
    if version != VERSION:
        raise StokerError(f"[{name}] is a state of version {version!r:.50}, but known is {VERSION}; use a newer stoker")
    if not {"tree", "loader"} <= set(about):
        raise damaged(name, f"the member {MEMBER} of the metadata should have tree and loader but does not")
    return dict(about)


def _device(map_location: Any) -> Any:
    if map_location is None:
        return None
    torch = loaded_torch()
    if torch is None:
        raise StokerError("map_location is for torch tensors; import torch before the state is loaded")
    if callable(map_location) or isinstance(map_location, Mapping):
        raise StokerError(f"map_location should be a device, such as 'cuda:0', but is a {type(map_location).__name__}")
    return torch.device(map_location)


class _Part(NamedTuple):
    start: Shape
    shape: Shape


class _Reading:
    """Finds the tensors of a state, and reads all of them at once when they are known."""

    def __init__(
        self,
        name: str,
        fd: int,
        tensors: Mapping[str, Stored],
        rank: int,
        world: int,
        device: Any,
        mmap: bool,
        into: Optional[Mapping[Any, Any]],
    ) -> None:
        self._name, self._fd, self._tensors = name, fd, tensors
        self._rank, self._world, self._device = rank, world, device
        self._is_mapped = mmap
        self._mapped: Optional[mapping.mmap] = None
        self._targets = {} if into is None else dict(_targets(into))
        self._found: Set[str] = set()
        self._tasks: List[Callable[[], None]] = []
        self._afterwards: List[Tuple[Any, Any]] = []

    def tensor(self, entry: Mapping[str, Any], path: state_tree.Path) -> Any:
        """The tensor at a place of the state, to be read by :meth:`run`."""
        name = entry[state_tree.TENSOR]
        stored = self._tensors[name]
        if name in self._found:
            # Saving never does that, and each place would get a copy: a small file could take all memory.
            raise StokerError(
                f"{state_tree.show(path)}: tensor '{name[:200]}' should have one place but has two; the file is damaged"
            )
        self._found.add(name)
        target = self._targets.pop(path, None)
        if target is not None:
            return self._fill(stored, target, path)
        torch = loaded_torch()
        framework = "numpy" if torch is None or entry.get("of") == "numpy" else "torch"
        dim = entry.get("dim")
        if self._world == 1 or dim is None:
            return self._new(framework, stored, _Part((0,) * len(stored.shape), stored.shape))
        if type(dim) is not int or not 0 <= dim < len(stored.shape):
            raise StokerError(
                f"{state_tree.show(path)}: a tensor of {list(stored.shape)} is sharded along dim {dim!r:.20}; the file is "
                "damaged"
            )
        low, high = part_of(stored.shape[dim], self._rank, self._world)
        start = tuple(low if i == dim else 0 for i in range(len(stored.shape)))
        shape = tuple(high - low if i == dim else n for i, n in enumerate(stored.shape))
        return Shard(self._new(framework, stored, _Part(start, shape)), stored.shape, start)

    def _new(self, framework: str, stored: Stored, part: _Part) -> Any:
        if self._is_mapped:
            whole = as_tensor(framework, stored.dtype, stored.shape, self._map(stored))
            tensor = whole[tuple(slice(at, at + n) for at, n in zip(part.start, part.shape))] if part.shape else whole
        else:
            tensor, memory = empty(framework, stored.dtype, part.shape)
            self._read(stored, part, memory)
        if framework == "torch" and self._device is not None and self._device != tensor.device:
            moved = loaded_torch().empty_like(tensor, device=self._device)
            self._afterwards.append((moved, tensor))
            return moved
        return tensor

    def _fill(self, stored: Stored, target: Tuple[Any, Leaf], path: state_tree.Path) -> Any:
        value, leaf = target
        if leaf.dtype != stored.dtype or leaf.shape != stored.shape:
            raise StokerError(
                f"{state_tree.show(path)} is {stored.dtype} {list(stored.shape)} in the file, but {leaf.dtype} "
                f"{list(leaf.shape)} in the "
                "state that it should be loaded into"
            )
        for piece in leaf.pieces:
            part = _Part(piece.start, piece.shape)
            memory = own_memory(piece.data)
            if memory is None:
                if isinstance(piece.data, np.generic) or (
                    isinstance(piece.data, np.ndarray) and not piece.data.flags.writeable
                ):
                    raise StokerError(f"{state_tree.show(path)} of the state that it should be loaded into cannot be changed")
                staged, memory = empty(leaf.framework, stored.dtype, part.shape)
                self._afterwards.append((piece.data, staged))
            self._read(stored, part, memory)
        return value

    def _read(self, stored: Stored, part: _Part, memory: memoryview) -> None:
        width = TYPES[stored.dtype][1]
        found = list(runs(stored.shape, part, width, 2))
        if len(found) == 1:
            at = stored.begin + found[0][0]
            for low in range(0, len(memory), _READ_BYTES):
                self._tasks.append(functools.partial(self._read_range, at + low, memory[low : low + _READ_BYTES]))
        elif found:
            self._tasks.append(functools.partial(self._read_strided, stored, part, memory))

    def _read_range(self, at: int, memory: memoryview) -> None:
        done = 0
        while done < len(memory):
            try:
                count = os.preadv(self._fd, [memory[done:]], at + done)
            except OSError as e:
                raise damaged(self._name, f"cannot be read: {e.strerror}", None, at + done) from e
            if count == 0:
                raise damaged(self._name, "the file became shorter while it was read", None, at + done)
            done += count

    def _read_strided(self, stored: Stored, part: _Part, memory: memoryview) -> None:
        """A part that lies in many places, out of the mapped file."""
        unit = np.dtype(f"u{TYPES[stored.dtype][1]}")
        whole = self._map(stored).view(unit).reshape(stored.shape)
        slices = tuple(slice(at, at + n) for at, n in zip(part.start, part.shape))
        np.copyto(np.frombuffer(memory, unit).reshape(part.shape), whole[slices])

    def _map(self, stored: Stored) -> np.ndarray:
        if self._mapped is None:
            # A private mapping: who writes to a tensor gets a copy of that page.
            self._mapped = mapping.mmap(self._fd, 0, access=mapping.ACCESS_COPY)
        return np.frombuffer(self._mapped, np.uint8, stored.end - stored.begin, stored.begin)

    def require_all_found(self) -> None:
        if self._targets:
            missing = ", ".join(state_tree.show(path) for path in list(self._targets)[:5]) + (
                ", …" if len(self._targets) > 5 else ""
            )
            raise StokerError(
                f"[{self._name}] does not have {len(self._targets)} of the tensors that it should be loaded into: {missing}"
            )

    def run(self, threads: int) -> None:
        run_all(self._tasks, threads, "stoker-load")
        for target, staged in self._afterwards:
            if isinstance(target, np.ndarray):
                np.copyto(target, staged)
            else:
                target.detach().copy_(staged)


def _targets(state: Any, path: state_tree.Path = ()) -> List[Tuple[state_tree.Path, Tuple[Any, Leaf]]]:
    """All tensors of a state with their places."""
    if isinstance(state, Mapping):
        return [found for key, item in state.items() for found in _targets(item, (*path, key))]
    if isinstance(state, (list, tuple)):
        return [found for i, item in enumerate(state) for found in _targets(item, (*path, i))]
    leaf = leaf_of(state)
    return [] if leaf is None else [(path, (state, leaf))]
