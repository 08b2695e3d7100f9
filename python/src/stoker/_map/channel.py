"""Messages between a loader and its workers: objects, and open files that go with them.

They are pickled: a worker runs its loader's code anyway, and nobody else has an end of the socket pair between them.
"""

from __future__ import annotations

import array
import collections
import os
import pickle
import socket
import struct
import weakref
from multiprocessing import connection
from typing import Any, Deque, List, Sequence, Tuple

from .._errors import StokerError
from .._system.block_file import BlockFile
from .._system.memory_file import refuse_files

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
            f"the function cannot be sent to worker processes: {reason}. Define it with def at the top of a module, not as a "
            "lambda or inside another function; functools.partial gives it arguments. Or pip install cloudpickle. Or set "
            "workers=0"
        ) from reason
    data: bytes = cloudpickle.dumps(tuple(functions))
    return data


def from_bytes(data: bytes) -> Any:
    return pickle.loads(data)


class ChannelEnded(Exception):
    """The other end is gone."""


def encode(value: Any) -> bytes:
    """A message as bytes; raises what pickling it does."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


class Channel:
    """One end of a connection between a loader and a worker."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        #: What is not yet sent, and the files that go with it.
        self._waiting: Deque[Tuple[memoryview, List[BlockFile]]] = collections.deque()
        _OPEN.add(self)

    @staticmethod
    def pair() -> Tuple["Channel", socket.socket]:
        """An end for this process, and one for another."""
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        return Channel(own), other

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, data: bytes, files: Sequence[int] = ()) -> None:
        """Sends an encoded message, and waits until the other end takes it."""
        try:
            header = _HEADER.pack(len(data), len(files))
            if files:
                socket.send_fds(self._socket, [header], list(files))
                self._socket.sendall(data)
            else:
                self._socket.sendall(header + data)
        except (BrokenPipeError, ConnectionResetError):
            raise ChannelEnded from None

    def post(self, value: Any, blocks: List[BlockFile]) -> None:
        """Lets :meth:`flush` send a message. Waiting here would never end if the other end waits to send something itself."""
        if len(blocks) > _MOST_FILES:
            raise ValueError(f"{len(blocks)} files cannot go with one message")
        data = encode(value)
        self._waiting.append((memoryview(_HEADER.pack(len(data), len(blocks)) + data), blocks))

    def flush(self) -> None:
        """Sends what goes without waiting. If the other end is gone, :meth:`receive` tells, after what was said last."""
        while self._waiting:
            data, blocks = self._waiting[0]
            files = array.array("i", [block.file for block in blocks])
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)] if files else []
            try:
                sent = self._socket.sendmsg([data], ancillary, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except (BrokenPipeError, ConnectionResetError):
                self._waiting.clear()
                return
            if sent == len(data):
                self._waiting.popleft()
            else:
                self._waiting[0] = data[sent:], []

    @property
    def is_waiting(self) -> bool:
        """Whether :meth:`flush` has something to send."""
        return bool(self._waiting)

    def is_readable(self) -> bool:
        """Whether :meth:`receive` has something to read, be it the end."""
        return bool(connection.wait([self._socket], 0.0))

    def receive(self) -> Tuple[Any, List[int]]:
        """The next message, and the files that came with it, which are the caller's."""
        files: List[int] = []
        header = self._read(_HEADER.size, files)
        size, count = _HEADER.unpack(header)
        data = self._read(size, files)
        if len(files) != count:
            for file in files:
                os.close(file)
            refuse_files("could not receive a batch's memory")
        try:
            return pickle.loads(data), files
        except Exception as e:
            raise StokerError(
                f"what the function returned cannot be read in this process: {type(e).__name__}: {e}. Return arrays, numbers "
                "or text"
            ) from e

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
