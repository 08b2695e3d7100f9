"""A state as JSON: nested dicts, lists and tuples of numbers, text and tensors, such that it comes back as it was.

What JSON has stands for itself. The rest is an object with one name that begins with $:

    {"$tensor": NAME, ...}        a tensor of the file
    {"$float": "nan"}             also inf and -inf
    {"$tuple": [...]}
    {"$dict": [[KEY, VALUE]]}     a dict with keys that are no text, or begin with $
    {"$bytes": BASE64}, {"$complex": [RE, IM]}
"""

from __future__ import annotations

import base64
import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .._errors import StokerError
from .tensors import Leaf, leaf_of

Path = Tuple[Any, ...]

TENSOR = "$tensor"
#: Python turns 4,300 digits into a number, and no more.
_MAX_INT_BITS = 14_284
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def show(path: Path) -> str:
    """A place in a state for messages: ['optimizer'][0]['step']."""
    return "".join(f"[{key!r}]" for key in path) or "the state itself"


class Encoder:
    """Takes a state apart: `tree` is the JSON value, in which tensors are numbered in the order in which they come."""

    def __init__(self, state: Mapping[Any, Any]) -> None:
        self.leaves: List[Leaf] = []
        if not isinstance(state, Mapping):
            raise StokerError(f"a state should be a dict but is {type(state).__name__}")
        try:
            self.tree = self._encode(state, ())
        except RecursionError:
            raise StokerError("the state is nested too deeply, or holds itself") from None

    def _encode(self, value: Any, path: Path) -> Any:
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return _number(value, path)
        if kind is str:
            return _text(value, path)
        if kind is float:
            return value if math.isfinite(value) else {"$float": repr(value)}
        try:
            leaf = leaf_of(value)
        except StokerError as e:
            raise StokerError(f"{show(path)}: {e}") from None
        if leaf is not None:
            self.leaves.append(leaf)
            return {TENSOR: len(self.leaves) - 1}
        if isinstance(value, Mapping):
            return self._encode_dict(value, path)
        if isinstance(value, (list, tuple)):
            items = [self._encode(item, (*path, i)) for i, item in enumerate(value)]
            return items if isinstance(value, list) else {"$tuple": items}
        if isinstance(value, (bytes, bytearray)):
            return {"$bytes": base64.b64encode(value).decode()}
        if kind is complex:
            return {"$complex": [self._encode(value.real, path), self._encode(value.imag, path)]}
        raise StokerError(
            f"{show(path)} is of type {kind.__module__}.{kind.__qualname__}, which is not saved; saved are dict, list, tuple, "
            "numbers, str, bytes, bool, None, NumPy arrays and torch tensors (nothing is pickled): turn it into these"
        )

    def _encode_dict(self, value: Mapping[Any, Any], path: Path) -> Any:
        if all(type(key) is str and not key.startswith("$") for key in value):
            return {_text(key, path): self._encode(item, (*path, key)) for key, item in value.items()}
        return {"$dict": [[self._key(key, path), self._encode(item, (*path, key))] for key, item in value.items()]}

    def _key(self, key: Any, path: Path) -> Any:
        if not _is_key(key):
            raise StokerError(f"{show(path)} has a key of type {type(key).__name__}; keys are text, numbers and tuples of them")
        return self._encode(key, (*path, "a key"))


def _is_key(key: Any) -> bool:
    return key is None or type(key) in (str, int, bool, float) or (type(key) is tuple and all(map(_is_key, key)))


def _number(value: int, path: Path) -> int:
    if value.bit_length() > _MAX_INT_BITS:
        raise StokerError(
            f"{show(path)} is a whole number of {value.bit_length()} bits, but one may have {_MAX_INT_BITS}, as Python reads "
            "no longer ones from text; save it as bytes, by value.to_bytes"
        )
    return value


def _text(text: str, path: Path) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise StokerError(f"{show(path)} has text that is not Unicode: {text!r}") from None
    return text


def decode(tree: Any, tensor: Callable[[Mapping[str, Any], Path], Any], path: Path = ()) -> Any:
    """Makes the state that was encoded; `tensor` gives the tensor for its entry in the tree."""
    if isinstance(tree, list):
        return [decode(item, tensor, (*path, i)) for i, item in enumerate(tree)]
    if not isinstance(tree, dict):
        return tree
    mark = next((name for name in tree if name.startswith("$")), None)
    if mark is None:
        return {name: decode(item, tensor, (*path, name)) for name, item in tree.items()}
    value = tree[mark]
    try:
        if mark == TENSOR:
            return tensor(tree, path)
        if mark == "$float":
            return _FLOATS[value]
        if mark == "$tuple" and isinstance(value, list):
            return tuple(decode(value, tensor, path))
        if mark == "$dict":
            pairs = [(_decode_key(key, path), item) for key, item in value]
            return {key: decode(item, tensor, (*path, key)) for key, item in pairs}
        if mark == "$bytes":
            return base64.b64decode(value, validate=True)
        if mark == "$complex":
            return complex(*decode(value, tensor, path))
    except (KeyError, TypeError, ValueError) as e:
        if isinstance(e, StokerError):
            raise
        raise StokerError(f"{show(path)}: {mark} cannot be read: {e!r}; the file is damaged") from None
    raise StokerError(f"{show(path)}: {mark} is unknown; the file is damaged, or from a newer version")


def _decode_key(tree: Any, path: Path) -> Any:
    def refuse(*_: Any) -> Any:
        raise StokerError(f"{show(path)}: a key should be text, a number or a tuple but is a tensor; the file is damaged")

    return decode(tree, refuse, path)


def tensors_of(tree: Any, path: Path = ()) -> List[Tuple[Path, Dict[str, Any]]]:
    """The entries of all tensors in a tree, in their order, with their places."""
    if isinstance(tree, list):
        return [found for i, item in enumerate(tree) for found in tensors_of(item, (*path, i))]
    if not isinstance(tree, dict):
        return []
    if TENSOR in tree:
        return [(path, tree)]
    if "$dict" in tree:
        return [found for key, item in tree["$dict"] for found in tensors_of(item, (*path, _decode_key(key, path)))]
    if "$tuple" in tree:
        return tensors_of(tree["$tuple"], path)
    return [found for name, item in tree.items() for found in tensors_of(item, (*path, name))]


def merge(mine: Any, theirs: Any, ranks: Tuple[int, int], path: Path = ()) -> Any:
    """One tree of those of two ranks: what only one has is added, what both have must be equal."""
    pairs, more = _pairs(mine), _pairs(theirs)
    if pairs is not None and more is not None:
        merged = _merge_pairs(pairs, more, ranks, path)
        return {"$dict": merged} if "$dict" in mine or "$dict" in theirs else dict(merged)
    if isinstance(mine, dict) and isinstance(theirs, dict) and list(mine)[0] == list(theirs)[0]:
        if TENSOR in mine:
            return mine
        if "$tuple" in mine:
            return {"$tuple": merge(mine["$tuple"], theirs["$tuple"], ranks, path)}
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [merge(one, other, ranks, (*path, i)) for i, (one, other) in enumerate(zip(mine, theirs))]
    if mine != theirs or type(mine) is not type(theirs):
        raise StokerError(
            f"{show(path)} differs between the ranks: rank {ranks[0]} has {_brief(mine)}, but rank {ranks[1]} has "
            f"{_brief(theirs)}; what each rank has for itself goes under a key of its own, as {{rank: value}}"
        )
    return mine


def _pairs(tree: Any) -> Optional[List[Any]]:
    """Keys and values of a dict; None if the tree is something else."""
    if not isinstance(tree, dict):
        return None
    if "$dict" in tree:
        pairs: List[Any] = tree["$dict"]
        return pairs
    return None if any(name.startswith("$") for name in tree) else [list(pair) for pair in tree.items()]


def _merge_pairs(mine: List[Any], theirs: List[Any], ranks: Tuple[int, int], path: Path) -> List[Any]:
    # By their text: 1, 1.0 and true are one key for Python, but not in a file.
    places = {repr(key): i for i, (key, _) in enumerate(mine)}
    merged = [list(pair) for pair in mine]
    for key, item in theirs:
        at = places.get(repr(key))
        if at is None:
            merged.append([key, item])
        else:
            merged[at][1] = merge(mine[at][1], item, ranks, (*path, _decode_key(key, path)))
    return merged


def _brief(tree: Any) -> str:
    if isinstance(tree, dict):
        return "a tensor" if TENSOR in tree else "a dict" if not any(name.startswith("$") for name in tree) else str(tree)[:60]
    return f"a list of {len(tree)}" if isinstance(tree, list) else repr(tree)[:60]
