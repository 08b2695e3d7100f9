"""Messages between a loader and its workers: objects, and open files that go with them.

They are pickled: a worker runs its loader's code anyway, and nobody else has an end of the socket pair between them.
"""

from __future__ import annotations

import os
import pickle
import socket
import struct
import weakref
from typing import Any, List, Sequence, Tuple

from .._errors import StokerError

_HEADER = struct.Struct("<QI")
#: What the system passes on at once.
_MOST_FILES = 200


def functions_to_bytes(functions: Sequence[Any]) -> bytes:
    """Functions as a worker gets them: by their names, which it imports; with cloudpickle, by their code."""
    try:
        return pickle.dumps(tuple(functions))
    except Exception as e:
        reason = e
    try:
        import cloudpickle  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise StokerError(
            f"the function cannot be sent to worker processes: {reason}. Define it with def at the top of a module instead of "
            "as a lambda or inside another function (functools.partial gives it arguments), pip install cloudpickle, or give "
            "workers=0"
        ) from reason
    data: bytes = cloudpickle.dumps(tuple(functions))
    return data


def from_bytes(data: bytes) -> Any:
    return pickle.loads(data)


class ChannelEnded(Exception):
    """The other end is gone."""


class Channel:
    """One end of a connection between a loader and a worker."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        _OPEN.add(self)

    @staticmethod
    def pair() -> Tuple["Channel", socket.socket]:
        """An end for this process, and one for another."""
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        return Channel(own), other

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, value: Any, files: Sequence[int] = ()) -> None:
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        if len(files) > _MOST_FILES:
            raise ValueError(f"{len(files)} files cannot go with one message")
        try:
            header = _HEADER.pack(len(data), len(files))
            if files:
                socket.send_fds(self._socket, [header], list(files))
                self._socket.sendall(data)
            else:
                self._socket.sendall(header + data)
        except (BrokenPipeError, ConnectionResetError):
            raise ChannelEnded from None

    def receive(self) -> Tuple[Any, List[int]]:
        """The next message, and the files that came with it, which are the caller's."""
        files: List[int] = []
        header = self._read(_HEADER.size, files)
        size, count = _HEADER.unpack(header)
        data = self._read(size, files)
        if len(files) != count:
            for file in files:
                os.close(file)
            raise ChannelEnded  # this process may open no more files
        return pickle.loads(data), files

    def _read(self, size: int, files: List[int]) -> bytearray:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            try:
                if size == _HEADER.size:
                    part, more, _, _ = socket.recv_fds(self._socket, len(view), _MOST_FILES)
                    files.extend(more)
                    view[: len(part)] = part
                    read = len(part)
                else:
                    read = self._socket.recv_into(view)
            except ConnectionResetError:
                raise ChannelEnded from None
            if not read:
                raise ChannelEnded
            view = view[read:]
        return data

    def close(self) -> None:
        self._socket.close()


#: All channels of this process, for a forked one to let go of: a worker ends when nobody has the other end.
_OPEN: "weakref.WeakSet[Channel]" = weakref.WeakSet()


def _close_copies() -> None:
    for channel in list(_OPEN):
        channel.close()


os.register_at_fork(after_in_child=_close_copies)
