"""A container and its Index: finding them, checking that they belong together, making an Index that is missing."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import uuid
from typing import Dict, Optional, Tuple

from .._crc32c import crc32c
from .._errors import StokerError, damaged
from .._java.command import command_environment, find_command
from .._system import probe
from .._system.files import map_file
from .._system.ownership import may_describe, may_describe_anywhere
from .edit_check import alone, require_unedited
from .index import CHECKSUMS, MAGIC, Field, Index
from .values import View, viewer

EDGE = 65536
ENDING = ".stkx"


class Container:
    """An open container of any format: bytes plus an Index."""

    def __init__(self, path: str) -> None:
        # LMDB keeps its samples in a file of a folder.
        if probe.is_file(os.path.join(path, "data.mdb")):
            path = os.path.join(path, "data.mdb")
        self.path = path
        if probe.is_folder(path):
            self.index, self.bytes = _folder_index(path), memoryview(b"")
            wrong = "file"
        else:
            self.bytes = map_file(path)
            self.index = _own_index(path, self.bytes) if self.bytes[:8] == MAGIC else _sidecar(path, self.bytes)
            wrong = "tree"
        require_unedited(path, self.index, lambda: _in_cache(path, ".agrees"))
        for field in self.index.fields:
            if field.place == wrong:
                kinds = ("folder", "file") if wrong == "file" else ("file", "folder")
                raise damaged(path, f"it is a {kinds[0]}, so its Index should not place field '{field.name}' in a {kinds[1]}")
        self._views: Dict[int, View] = {}

    def field(self, name: str) -> Field:
        for field in self.index.fields:
            if field.name == name:
                return field
        names = ", ".join(field.name for field in self.index.fields)
        raise StokerError(f"[{self.path}] has no field '{name}'; its fields are {names}")

    def view(self, field: Field) -> View:
        if field.number not in self._views:
            self._views[field.number] = viewer(self.index, field, self.bytes, self.path)
        return self._views[field.number]

    def verify(self, field: Field, sample: int) -> None:
        """Compares a value with its checksum, if it has one."""
        if not field.checksums:
            return
        expected = self.index.words(CHECKSUMS, field, "I")[sample]
        found = crc32c(self.view(field)(sample))
        if found != expected:
            raise damaged(
                self.path,
                f"field '{field.name}' should have the checksum {expected:08x} but has {found:08x}; its bytes were changed "
                "since they were packed: copy the container again, or pack it again",
                sample,
            )


def _own_index(path: str, data: memoryview) -> Index:
    index = Index(path, data)
    if not index.is_container:
        raise StokerError(f"[{path}] is an Index that belongs to another file; open that file instead")
    return index


def _folder_index(path: str) -> Index:
    if not (probe.exists(path + ENDING) and may_describe(path + ENDING, path)):
        if any(probe.exists(os.path.join(path, name)) for name in ("zarr.json", ".zgroup", ".zarray")):
            raise StokerError(
                f"[{path}] is a Zarr folder without an Index, which is kept for files alone; read it with stoker.Loader, or "
                f"convert it: stoker convert {shlex.quote(path)} -o NAME.stk"
            )
        name = os.path.basename(path) + ENDING
        raise StokerError(f"[{path}] is a folder without an Index ({name}); pack it, or give a container")
    return Index(path + ENDING)


def identity(data: memoryview) -> Tuple[int, bytes]:
    """The size and hash by which a sidecar knows its container."""
    edges = bytes(data) if len(data) <= 2 * EDGE else bytes(data[:EDGE]) + bytes(data[-EDGE:])
    return len(data), hashlib.sha256(edges).digest()


def _sidecar(path: str, data: memoryview) -> Index:
    found = identity(data)
    index = _fitting(path, found)
    if index is None:
        with alone(path):
            index = _fitting(path, found)
            if index is None:
                _make_index(path, _fitting(path, found, or_older=True))
                index = _fitting(path, found)
    if index is None:
        raise StokerError(f"[{path}] has no Index beside it although 'stoker index' made one; was the file changed meanwhile?")
    return index


def _fitting(path: str, found: Tuple[int, bytes], or_older: bool = False) -> Optional[Index]:
    for place, believed in ((path + ENDING, may_describe), (_in_cache(path), may_describe_anywhere)):
        if probe.is_file(place) and believed(place, path):
            try:
                index = Index(place)
            except StokerError as e:
                raise StokerError(
                    f"{e}. It is the Index of [{path}]; if it holds no checksums that you need, recreate it with: "
                    f"stoker index --force {shlex.quote(path)}"
                ) from e
            fits = index.identity == found and not index.is_container
            is_precious = index.is_packed or any(field.checksums for field in index.fields)
            if fits and (is_precious or or_older or not _is_older(place, path)):
                return index
            if is_precious:
                raise _does_not_fit(path, index, found)
    return None


def _is_older(place: str, path: str) -> bool:
    """Whether a container was written after its Index was derived, so that it may hold something else between its edges."""
    return os.stat(place).st_mtime_ns < os.stat(path).st_mtime_ns


def _does_not_fit(path: str, index: Index, found: Tuple[int, bytes]) -> StokerError:
    expected, origin = index.identity, " from packing" if index.is_packed else ""
    return StokerError(
        f"[{path}] does not match its Index {os.path.basename(index.path)}, which holds checksums{origin}: it should have "
        f"{expected[0]} bytes and hash {expected[1].hex()[:12]} but has {found[0]} bytes and hash {found[1].hex()[:12]}. "
        "The container was changed or replaced; if that was intended, make a new Index with: "
        f"stoker index --force {shlex.quote(path)}"
    )


def _in_cache(path: str, ending: str = ENDING) -> str:
    """Where the command keeps the Index of a container whose folder cannot be written."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    tag = uuid.UUID(bytes=hashlib.md5(os.fsencode(path), usedforsecurity=False).digest(), version=3)
    return os.path.join(os.path.abspath(root), "stoker", f"{os.path.basename(path)}-{tag}{ending}")


def _make_index(path: str, older: Optional[Index]) -> None:
    """Runs `stoker index`. A stale Index in the way holds no checksums, or it would have been reported.

    :param older: an Index that is of this container, or of one before it with the same head and tail
    """
    command = find_command()
    if command is None and older is not None:
        raise StokerError(
            f"[{path}] was written after its Index [{older.path}], which may be that of another one with the same size, head "
            "and tail. Install the command 'stoker' to recreate it; or, if both were copied together, confirm with: "
            f"touch {shlex.quote(older.path)}"
        )
    if command is None:
        raise StokerError(
            f"[{path}] has no Index ({os.path.basename(path)}{ENDING}) beside it, and there is no command 'stoker' that could "
            "make one. Copy the Index from where the container was packed, or install Stoker (a wheel that has it is built by "
            "python/build-wheel; it needs Java 25, or pip install 'stoker[java]'), or set STOKER to the path of the command"
        )
    try:
        ended = subprocess.run(
            [*command, "index", "--force", path],
            env=command_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as e:
        raise StokerError(f"[{path}] has no Index, and '{shlex.join(command)}' cannot be run: {e.strerror}") from None
    if ended.returncode:
        said = ended.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise StokerError(f"[{path}] has no Index, and '{shlex.join(command)} index' could not make one: {said}")
