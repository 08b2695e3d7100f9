"""Where everything of a state goes, and who writes it: found by rank 0 from what all ranks have."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple

from .._errors import StokerError
from . import state_tree
from .safetensors import METADATA, TYPES, Layout, Shape, plan_layout
from .tensors import Leaf, digest

#: The member of the file's metadata that is ours, and the version of what is in it.
MEMBER = "stoker"
VERSION = 1
#: What several ranks have is written by all of them, in parts of this size.
_SHARE_BYTES = 64 << 20


class Held(NamedTuple):
    """A piece that a rank has."""

    rank: int
    leaf: int
    piece: int
    start: Shape
    shape: Shape
    digest: int


class Task(NamedTuple):
    """Bytes `low` to `high` of a piece of the rank's own, which belongs to the tensor whose bytes begin at `begin`."""

    leaf: int
    piece: int
    low: int
    high: int
    begin: int


class Tensor(NamedTuple):
    """A tensor that some ranks have, as the first of them told of it."""

    path: state_tree.Path
    rank: int
    framework: str
    dtype: str
    shape: Shape
    is_sharded: bool
    held: List[Held]


class Plan(NamedTuple):
    """:ivar is_coherent: whether all ranks may write into the same pages of the file"""

    layout: Layout
    tasks: List[List[Task]]
    is_coherent: bool

    def for_rank(self, rank: int) -> bytes:
        """What a rank must know to write its part."""
        return json.dumps([self.layout.size, self.is_coherent, self.tasks[rank]]).encode()


def describe(tree: Any, leaves: List[Leaf], loader: Optional[Mapping[str, Any]], world: int, is_coherent: bool) -> bytes:
    """What rank 0 must know of a rank's state."""
    told = [
        [
            leaf.framework,
            leaf.dtype,
            leaf.shape,
            leaf.is_sharded,
            [[piece.start, piece.shape, digest(piece.data) if world > 1 else 0] for piece in leaf.pieces],
        ]
        for leaf in leaves
    ]
    return json.dumps({"tree": json.dumps(tree), "leaves": told, "loader": loader, "coherent": is_coherent}).encode()


def plan(path: str, descriptions: List[bytes]) -> Plan:
    """Plans the file from what all ranks described."""
    told = [json.loads(description) for description in descriptions]
    trees = {one["tree"]: json.loads(one["tree"]) for one in told}
    tensors = _gather(told, trees)
    merged = _merge(told, trees)
    loader = told[0]["loader"]
    for rank, one in enumerate(told):
        if one["loader"] != loader:
            raise StokerError(
                f"[{path}] the loaders of rank 0 and rank {rank} are at different steps: {loader} and {one['loader']}; "
                "let all ranks save after the same batch"
            )
    names: Set[str] = {METADATA}
    stored: Dict[str, Tuple[str, Shape]] = {}
    placed: List[Tuple[str, Tensor]] = []
    for place, entry in state_tree.tensors_of(merged):
        tensor = tensors[place]
        name = _name(place, names)
        entry[state_tree.TENSOR] = name
        entry["of"] = tensor.framework
        if tensor.is_sharded:
            entry["dim"] = _cut_dimension(tensor)
        stored[name] = (tensor.dtype, tensor.shape)
        placed.append((name, tensor))
    about = {"version": VERSION, "world": len(descriptions), "tree": merged, "loader": loader}
    metadata = {MEMBER: json.dumps(about, separators=(",", ":"), allow_nan=False)}
    if any(tensor.framework == "torch" for tensor in tensors.values()):
        metadata["format"] = "pt"  # as other tools expect it
    layout = plan_layout(path, stored, metadata)
    tasks = _share([(layout.tensors[name].begin, tensor) for name, tensor in placed], len(descriptions))
    return Plan(layout, tasks, all(one["coherent"] for one in told))


def _gather(told: List[Any], trees: Mapping[str, Any]) -> Dict[state_tree.Path, Tensor]:
    """Every tensor with all ranks that have it, which must agree on it."""
    places = {text: [place for place, _ in state_tree.tensors_of(tree)] for text, tree in trees.items()}
    tensors: Dict[state_tree.Path, Tensor] = {}
    for rank, one in enumerate(told):
        for number, place in enumerate(places[one["tree"]]):
            framework, dtype, shape, is_sharded, pieces = one["leaves"][number]
            held = [Held(rank, number, i, tuple(s), tuple(n), d) for i, (s, n, d) in enumerate(pieces)]
            mine = Tensor(place, rank, framework, dtype, tuple(shape), is_sharded, held)
            theirs = tensors.setdefault(place, mine)
            if theirs is not mine:
                _require_same(theirs, mine)
                theirs.held.extend(held)
    for tensor in tensors.values():
        _require_whole(tensor)
    return tensors


def _merge(told: List[Any], trees: Mapping[str, Any]) -> Any:
    merged, done = trees[told[0]["tree"]], {told[0]["tree"]}
    for rank, one in enumerate(told):
        if one["tree"] not in done:
            done.add(one["tree"])
            merged = state_tree.merge(merged, trees[one["tree"]], (0, rank))
    return merged


def _name(place: state_tree.Path, taken: Set[str]) -> str:
    """As other tools call it: model.layers.0.weight. The tree says which name is which tensor."""
    base = name = ".".join(map(str, place))
    number = 2
    while name in taken:
        name, number = f"{base}~{number}", number + 1
    taken.add(name)
    return name


def _require_same(one: Tensor, other: Tensor) -> None:
    for what, mine, theirs in (
        ("of type", one.dtype, other.dtype),
        ("of shape", list(one.shape), list(other.shape)),
        ("", "sharded" if one.is_sharded else "whole", "sharded" if other.is_sharded else "whole"),
    ):
        if mine != theirs:
            raise StokerError(
                f"{state_tree.show(one.path)} is {what}{' ' if what else ''}{mine} on rank {one.rank} but {theirs} on rank "
                f"{other.rank}; "
                "it should be the same on all, or under names of their own"
            )


def _cut_dimension(tensor: Tensor) -> int:
    """The dimension along which it is spread, and along which loading cuts it."""
    for dim, length in enumerate(tensor.shape):
        if any(held.shape[dim] != length for held in tensor.held):
            return dim
    return 0


def _require_whole(tensor: Tensor) -> None:
    """The pieces must cover the tensor, without holes, and no two overlap unless they are the same."""
    if not tensor.is_sharded:
        return
    distinct = {(held.start, held.shape): held for held in tensor.held if math.prod(held.shape)}
    pieces = sorted(distinct.values())
    pieces.sort(key=lambda held: held.start)
    for i, one in enumerate(pieces):
        for other in pieces[i + 1 :]:
            if other.start[0] >= one.start[0] + one.shape[0]:
                break
            if all(a < b + m and b < a + n for a, n, b, m in zip(one.start, one.shape, other.start, other.shape)):
                raise StokerError(
                    f"{state_tree.show(tensor.path)}: the shards of rank {one.rank} ({_where(one)}) and rank {other.rank} "
                    f"({_where(other)}) overlap"
                )
    count, whole = sum(math.prod(held.shape) for held in pieces), math.prod(tensor.shape)
    if count < whole:
        shown = ", ".join(f"rank {held.rank} {_where(held)}" for held in pieces[:8]) + (", …" if len(pieces) > 8 else "")
        raise StokerError(
            f"{state_tree.show(tensor.path)} of shape {list(tensor.shape)}: {whole - count} of {whole} elements are on no "
            "rank; there "
            f"are: {shown or 'none'}"
        )


def _where(held: Held) -> str:
    return "[" + ", ".join(f"{at}:{at + n}" for at, n in zip(held.start, held.shape)) + "]"


def _share(tensors: List[Tuple[int, Tensor]], world: int) -> List[List[Task]]:
    """Gives every byte to one of the ranks that have it, such that all write about as many."""
    tasks: List[List[Task]] = [[] for _ in range(world)]
    load = [0] * world
    shared: List[Tuple[int, int, int, Dict[int, Held]]] = []
    for begin, tensor in tensors:
        for holders in _equal(tensor):
            size = math.prod(holders[0].shape) * TYPES[tensor.dtype][1]
            if len(holders) == 1:
                tasks[holders[0].rank].append(Task(holders[0].leaf, holders[0].piece, 0, size, begin))
                load[holders[0].rank] += size
                continue
            step = _SHARE_BYTES if len(list(runs(tensor.shape, holders[0], 1, 2))) == 1 else size
            by_rank = {held.rank: held for held in holders}
            shared += [(min(step, size - low), low, begin, by_rank) for low in range(0, size, max(1, step))]
    for length, low, begin, by_rank in sorted(shared, key=lambda part: -part[0]):
        rank = min(by_rank, key=lambda rank: (load[rank], rank))
        load[rank] += length
        tasks[rank].append(Task(by_rank[rank].leaf, by_rank[rank].piece, low, low + length, begin))
    return tasks


def _equal(tensor: Tensor) -> Iterator[List[Held]]:
    """For each distinct piece those who have it with the same values as the first of them."""
    pieces: Dict[Tuple[Shape, Shape], List[Held]] = {}
    for held in tensor.held:
        if math.prod(held.shape):
            pieces.setdefault((held.start, held.shape), []).append(held)
    for holders in pieces.values():
        other = next((held for held in holders if held.digest != holders[0].digest), None)
        if other is not None:
            ranks = f"rank {holders[0].rank} and rank {other.rank}"
            if tensor.is_sharded:
                raise StokerError(
                    f"{state_tree.show(tensor.path)}: {ranks} both have the shard {_where(other)}, with other values; each "
                    "needs a start "
                    "of its own"
                )
            warnings.warn(
                f"{state_tree.show(tensor.path)} differs between {ranks}, and that of rank {holders[0].rank} is saved; what "
                "each rank "
                "has for itself goes under a key of its own, as {rank: value}",
                stacklevel=2,
            )
        yield [held for held in holders if held.digest == holders[0].digest]


def runs(whole: Shape, piece: Any, width: int, limit: Optional[int] = None) -> Iterator[Tuple[int, int, int]]:
    """The runs of bytes that a piece is in a whole tensor: where in the tensor, where in the piece, how long.

    :param piece: something with a start and a shape
    :param limit: how many runs at most
    """
    if math.prod(piece.shape) == 0:
        return
    inner, dim = width, len(whole)
    strides = [width] * len(whole)
    for i in range(len(whole) - 2, -1, -1):
        strides[i] = strides[i + 1] * whole[i + 1]
    while dim > 0 and piece.shape[dim - 1] == whole[dim - 1]:
        dim -= 1
        inner *= whole[dim]
    if dim > 0:
        dim -= 1
        inner *= piece.shape[dim]
    base = sum(at * stride for at, stride in zip(piece.start, strides))
    count = math.prod(piece.shape[:dim])
    for number in range(count if limit is None else min(count, limit)):
        at, rest = base, number
        for i in range(dim - 1, -1, -1):
            rest, index = divmod(rest, piece.shape[i])
            at += index * strides[i]
        yield at, number * inner, inner
