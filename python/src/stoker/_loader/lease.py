"""Until when a batch is valid, and the debug mode that finds out who uses one too late."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from .._errors import StokerError
from .._java.protocol import BatchMessage


class Lease:
    """Until when a batch is valid."""

    __slots__ = ("alive",)

    def __init__(self) -> None:
        self.alive = True

    def check(self) -> None:
        if not self.alive:
            raise StokerError(
                "this batch was valid until the next one was asked for, and its memory holds another one now. Copy what is "
                "needed longer, or give the Loader copy=True"
            )


class Guarded(np.ndarray):
    """An array of the debug mode: using it after its batch is over raises."""

    _lease: Optional[Lease] = None

    def __array_finalize__(self, parent: Any) -> None:
        self._lease = getattr(parent, "_lease", None)

    def __getitem__(self, key: Any) -> Any:
        return super(Guarded, _checked(self)).__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        super(Guarded, _checked(self)).__setitem__(key, _plain(value))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*_plain(inputs), **_plain(options))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return function(*_plain(args), **_plain(options))

    def __repr__(self) -> str:
        return repr(_plain(self))

    __str__ = __repr__

    def copy(self, order: Any = "C") -> Any:
        return _plain(self).copy(order)

    def astype(self, *args: Any, **options: Any) -> Any:
        return _plain(self).astype(*args, **options)

    def tolist(self) -> Any:
        return _plain(self).tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        data: bytes = _plain(self).tobytes(order)
        return data


def _checked(array: Guarded) -> Guarded:
    if array._lease is not None:
        array._lease.check()
    return array


def _plain(value: Any) -> Any:
    """The arrays themselves, once it is sure that they are still valid."""
    if isinstance(value, Guarded):
        return _checked(value).view(np.ndarray)
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(each) for each in value)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def poison(memory: Any, message: BatchMessage) -> None:
    """Overwrites the values of a batch that is over: -1, or not a number."""
    for place in message.places:
        size = place.size if place.width < 0 else math.prod((message.samples, place.width))
        if memory and size:
            memory[place.values_at : place.values_at + size] = b"\xff" * size
