"""A connection to the reader process: requests and their answers."""

from __future__ import annotations

import array
import contextlib
import json
import os
import socket
import threading
import weakref
from typing import IO, Any, Dict, List, Optional, Tuple

from .._errors import StokerError
from . import protocol

_CHUNK = 1 << 16
_FDS = socket.CMSG_SPACE(4)
#: A start takes half a second, but the first one of all also makes Java's start-up cache, and nodes can be busy.
_START_SECONDS = "180"
#: More than this is no timeout for the system.
_MAX_SECONDS = 1e6


class ReaderEnded(StokerError):
    """The reader process is gone."""


class Connection:
    """One client's connection: every request has one answer. Safe for several threads."""

    def __init__(self, sock: socket.socket, log: Optional[IO[bytes]]) -> None:
        self._socket = sock
        self._log = log
        self._lock = threading.Lock()
        self.pid = 0
        self.has_vector = True
        #: Whether an answer was not waited for; then nothing more can be asked.
        self.is_interrupted = False
        #: What to do when the reader process is gone.
        self.advice = "state_dict() still works; a new Loader resumes from it"
        _OPEN.add(self)

    def greet(self) -> None:
        """Exchanges versions; raises ReaderEnded if nobody answers."""
        from .. import __version__

        hello = {"protocol": protocol.PROTOCOL, "version": __version__, "cores": sorted(os.sched_getaffinity(0))}
        seconds = start_seconds()
        self._socket.settimeout(seconds)
        try:
            welcome = self.ask_json(protocol.HELLO, hello, protocol.WELCOME)
        except socket.timeout:
            raise StokerError(
                f"the reader process did not answer in {seconds:g} s{output_of(self._log)}; set STOKER_START_SECONDS to "
                "give it more, or look whether the node has memory and cores left"
            ) from None
        self._socket.settimeout(None)
        self.pid = welcome["pid"]
        self.has_vector = welcome["vector"]

    def ask_json(self, kind: int, value: Dict[str, Any], expected: int) -> Dict[str, Any]:
        payload, _ = self.ask(protocol.encode_json(kind, value), expected)
        answer: Dict[str, Any] = json.loads(payload)
        return answer

    def ask(self, request: bytes, expected: int) -> Tuple[bytes, List[int]]:
        """Sends a request; returns the payload of the answer and the files that came with it, which are the caller's."""
        with self._lock:
            if self._socket.fileno() < 0 or self.is_interrupted:
                raise self._ended()
            try:
                with contextlib.suppress(BrokenPipeError):  # whoever closed it may have said why
                    self._socket.sendall(request)
                kind, payload, files = self._receive()
            except (BrokenPipeError, ConnectionResetError):
                raise self._ended() from None
            except StokerError:
                raise
            except BaseException:
                # Ctrl-C: the answer still comes, and would be taken for that to another request.
                self.is_interrupted = True
                raise
        if kind != expected:
            for file in files:
                os.close(file)
            if kind == protocol.ERROR:
                raise StokerError(payload.decode("utf-8", "replace"))
            raise StokerError(f"the reader process should answer with message {expected} but did with {kind}")
        return payload, files

    def tell(self, request: bytes) -> None:
        """Sends what has an answer only when it is refused. That comes later, and is raised by a later call of this or of
        :meth:`ask`."""
        with self._lock:
            if self._socket.fileno() < 0:
                raise self._ended()
            try:
                if self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                    _, payload, _ = self._receive()
                    raise StokerError(payload.decode("utf-8", "replace"))
                raise self._ended()
            except BlockingIOError:
                pass  # nothing was said
            except ConnectionResetError:
                raise self._ended() from None
            try:
                self._socket.sendall(request)
            except (BrokenPipeError, ConnectionResetError):
                raise self._ended() from None

    def leave(self, request: bytes) -> None:
        """Sends what has no answer, also after a request that was interrupted, and ends the connection."""
        with contextlib.suppress(OSError):
            self._socket.send(request, socket.MSG_DONTWAIT)
        self.close()

    def _receive(self) -> Tuple[int, bytes, List[int]]:
        # Nearly always one call: a message is small, and no other follows before the next request.
        data, ancillary, _, _ = self._socket.recvmsg(_CHUNK, _FDS, getattr(socket, "MSG_CMSG_CLOEXEC", 0))
        files = _files(ancillary)
        while len(data) < protocol.HEADER.size:
            data += self._more(protocol.HEADER.size - len(data), data)
        kind, size = protocol.HEADER.unpack_from(data)
        end = protocol.HEADER.size + size
        if len(data) < end:
            parts = [data]
            missing = end - len(data)
            while missing:
                parts.append(self._more(min(missing, _CHUNK), data))
                missing -= len(parts[-1])
            data = b"".join(parts)
        return kind, data[protocol.HEADER.size : end], files

    def _more(self, size: int, before: bytes) -> bytes:
        data = self._socket.recv(size)
        if not data:
            raise self._ended()
        return data

    def _ended(self) -> StokerError:
        self._socket.close()  # and not the log, in which whoever started the process looks for the reason
        process = f"the reader process{f' ({self.pid})' if self.pid else ''}"
        if self.is_interrupted:
            return StokerError(f"a request to {process} was interrupted, which ended the connection. {self.advice}")
        return ReaderEnded(
            f"{process} has ended: it was killed, or its node ran out of memory{output_of(self._log)}. {self.advice}"
        )

    def close(self) -> None:
        self._socket.close()
        if self._log is not None:
            self._log.close()


#: All connections of this process, for a forked one to let go of: its copy would keep the reader process alive.
_OPEN: "weakref.WeakSet[Connection]" = weakref.WeakSet()


def _close_copies() -> None:
    for connection in list(_OPEN):
        connection.close()


os.register_at_fork(after_in_child=_close_copies)


def _files(ancillary: List[Tuple[int, int, bytes]]) -> List[int]:
    files = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(data[: len(data) - len(data) % files.itemsize])
    return list(files)


def start_seconds() -> float:
    """How long to wait for a reader process that starts."""
    said = os.environ.get("STOKER_START_SECONDS") or _START_SECONDS
    try:
        seconds = float(said)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= _MAX_SECONDS:
        raise StokerError(
            f"STOKER_START_SECONDS should be a number of seconds, more than 0 and at most {_MAX_SECONDS:.0f}, but is '{said}'; "
            f"set it to one, or unset it for {_START_SECONDS}"
        )
    return seconds


def output_of(log: Optional[IO[bytes]]) -> str:
    """What the reader process said, if this process started it."""
    if log is None or log.closed:
        return ""
    log.seek(0)
    lines = log.read().decode("utf-8", "replace").splitlines()
    lines = [line for line in lines if line.strip() and "incubator modules" not in line]
    return f"; it said: {' / '.join(lines)[-2000:]}" if lines else ""
