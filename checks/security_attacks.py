"""The socket side of checks/security.sh.

    security_attacks.py victim CONTAINER READY     holds a loader, writes the reader's process number to READY, ends when READY is gone
    security_attacks.py squatted CONTAINER         tries to get a loader while another user has the name
    security_attacks.py squat USER READY           takes the name that a job of USER has; ends when READY is gone
    security_attacks.py visit USER                 connects to the reader process of USER and asks for something
    security_attacks.py flood USER PID SECONDS     connects again and again; says how long the reader process PID lived on
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
import time

import stoker
from stoker._java import protocol, reader_process


def name_of(user: str) -> str:
    own = reader_process.socket_name()
    return own.replace(f"-{os.getuid()}-", f"-{user}-")


def wait_while_there(file: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and os.path.exists(file):
        time.sleep(0.05)


def victim(container: str, ready: str) -> None:
    with stoker.Loader(container, 4) as loader:
        batches = iter(loader)
        next(batches)
        with open(ready + ".new", "w") as file:
            file.write(str(loader.reader_pid))
        os.rename(ready + ".new", ready)
        wait_while_there(ready)
        print(sum(1 for _ in batches))


def squatted(container: str) -> None:
    try:
        stoker.Loader(container, 4)
    except stoker.StokerError as e:
        print(e)
    else:
        sys.exit("a loader trusted another user's socket")


def squat(user: str, ready: str) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name_of(user))
        listener.listen()
        open(ready, "w").close()
        wait_while_there(ready)


def visit(user: str) -> None:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(name_of(user))
        with contextlib.suppress(BrokenPipeError):  # refused before a word is read
            sock.sendall(protocol.encode_json(protocol.HELLO, {"protocol": protocol.PROTOCOL, "version": "0", "cores": []}))
        said = b""
        try:
            while part := sock.recv(4096):
                said += part
        except ConnectionResetError:
            pass
        kind, _ = struct.unpack_from("<II", said)
        assert kind == protocol.ERROR, kind
        print(said[8:].decode())


def flood(user: str, reader: str, seconds: str, ready: str) -> None:
    begin = time.monotonic()
    held = []
    connected = 0
    while time.monotonic() - begin < float(seconds) and os.path.exists(f"/proc/{reader}"):
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.connect(name_of(user))
            connected += 1
            held = [*held[-200:], sock]
        except OSError:
            sock.close()
            time.sleep(0.01)
        if connected % 100 == 0:
            time.sleep(0.01)
        if connected == 100:
            open(ready, "w").close()
    print(f"{connected} connections; the reader process {'lives' if os.path.exists(f'/proc/{reader}') else 'ended'}")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
