"""Messages between a loader and its workers: objects, and open files that go with them."""

from __future__ import annotations

import os
import pickle
import socket
import struct
import weakref
from typing import Any, List, Sequence, Tuple

_HEADER = struct.Struct("<QI")
#: What the system passes on at once.
_MOST_FILES = 200


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
