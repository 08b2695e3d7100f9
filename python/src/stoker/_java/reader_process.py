"""Reaching the reader process of this node, which is started by whoever needs it first."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import socket
import struct
import subprocess
import time
from typing import IO, List, Optional

from .._errors import StokerError
from .._job.ranks import job_name
from .._system.memory_file import memory_file
from .command import command_environment, find_command
from .connection import Connection, ReaderEnded, output_of, start_seconds


def socket_name() -> str:
    """The reader's address. It is in no folder, and gone with the last process that has it open."""
    name = f"{job_name()}\n{_view_of_files()}"
    return f"\0stoker-{os.getuid()}-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}"


def _view_of_files() -> str:
    """What decides which file a path means: the mounts and the root. A reader process in another container has other files."""
    try:
        mounts = os.readlink("/proc/self/ns/mnt")
    except OSError:
        mounts = ""
    root = os.stat("/")
    return f"{mounts} {root.st_dev}:{root.st_ino}"


def connect() -> Connection:
    """Connects to the reader process of this job, and starts it if there is none."""
    name = socket_name()
    seconds = start_seconds()
    deadline = time.monotonic() + seconds
    log: Optional[IO[bytes]] = None
    while True:
        try:
            return _connect(name, log)
        except BlockingIOError:
            fault = f"the socket {name[1:]} is taken by a process that accepted no connection in {seconds:g} s: {_TAKEN}"
        except (ConnectionRefusedError, ReaderEnded) as e:
            # There is none; or it was just about to end, or whoever started it could not.
            if log is not None:
                said = output_of(log) or "; it exited without output, as when it is killed or the node runs out of memory"
                raise StokerError(f"the reader process could not be started{said}") from None
            log = _start(name)
            if log is not None:
                continue
            fault = f"no reader process could be reached in {seconds:g} s: each ended at once"
            if isinstance(e, ConnectionRefusedError):
                fault = f"the socket {name[1:]} is taken by a process that did not listen in {seconds:g} s: {_TAKEN}"
        if time.monotonic() > deadline:
            raise StokerError(fault)
        time.sleep(0.01)


_TAKEN = "it hangs, or another user took this job's name. Set STOKER_JOB to a name of your own"


def _connect(name: str, log: Optional[IO[bytes]]) -> Connection:
    """Raises BlockingIOError if so many wait to be accepted that there is no room for one more."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)  # nobody knows how long whoever listens lets others wait
        sock.connect(name)
        _require_own(sock)
        connection = Connection(sock, log)
        connection.greet()
        return connection
    except BaseException:
        sock.close()
        raise


def _require_own(sock: socket.socket) -> None:
    _, user, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    if user != os.getuid():
        raise StokerError(
            f"the socket {socket_name()[1:]} belongs to user {user}, not to {os.getuid()}: another user took this job's name. "
            "Set STOKER_JOB to a name of your own"
        )


def _start(name: str) -> Optional[IO[bytes]]:
    """Starts the reader process with a listening socket, and returns what it says; None if another process has the name.

    Whoever binds the name first starts it. Others can connect at once, since the socket exists before the process does.
    """
    command = find_command()
    if command is None:
        raise StokerError(
            "there is no command 'stoker', which reads for a Loader. Install Stoker (a wheel that has it is built by "
            "python/build-wheel; it needs Java 25, or pip install 'stoker[java]'), or set STOKER to the path of the command"
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            listener.bind(name)
        except OSError as e:
            if e.errno != errno.EADDRINUSE:
                raise StokerError(f"the socket {name[1:]} of the reader process cannot be bound: {e.strerror}") from None
            return None
        listener.listen(1024)
        log = os.fdopen(memory_file("stoker-log"), "rb")
        environment = command_environment()
        # It limits this rank alone; the reader process has the cores of all ranks.
        environment.pop("SLURM_CPUS_PER_TASK", None)
        # Started by a shell that ends at once, it is nobody's child: it outlives this rank, and leaves no zombie. In a session
        # of its own, Ctrl-C does not reach it.
        with contextlib.suppress(OSError):
            subprocess.run(
                ["sh", "-c", 'exec 3<&0; "$@" <&3 3<&- &', "sh", *_absolute(command), "serve"],
                stdin=listener.fileno(),
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,
                check=False,
            )
        return log


def _absolute(command: List[str]) -> List[str]:
    """It is started in another folder."""
    first = command[0] if os.path.dirname(command[0]) else shutil.which(command[0]) or command[0]
    return [os.path.abspath(first) if os.path.dirname(first) else first, *command[1:]]
