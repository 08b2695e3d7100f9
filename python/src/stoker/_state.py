"""Saving the state of a program: all ranks into one file, at once or behind its back."""

from __future__ import annotations

import atexit
import concurrent.futures
import contextlib
import functools
import glob
import json
import os
import re
import secrets
import shutil
import sys
import threading
import warnings
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from . import _state_file as files
from ._errors import StokerError
from ._index import open_regular
from ._pages import WholePages, apply_edges, is_coherent, write_all
from ._parallel import run_all
from ._ranks import Ranks, cores_of_rank, find_ranks
from ._safetensors import bytes_of, read_layout
from ._state_plan import Plan, Task, describe, plan
from ._team import FILLED, FOLDER_ENDING, PREPARED, SEALED, Team, delete_abandoned_job, job_folder, refuse_java_job
from ._tensors import Leaf, copy_into, flat_bytes, is_plain_memory
from ._tree import Encoder
from ._types import Path

ENDING = ".safetensors"
#: More threads than this fill no file faster.
_MAX_THREADS = 8
#: Copies are cut into such parts, so that threads share them.
_COPY_BYTES = 16 << 20
_ALIGNMENT = 64


def save(
    state: Mapping[Any, Any],
    path: Path,
    rank: Optional[int] = None,
    world: Optional[int] = None,
    wait: bool = True,
    keep: Optional[int] = None,
    loader: Any = None,
    *,
    sync: bool = True,
    timeout: float = 120.0,
) -> "concurrent.futures.Future[str]":
    """Saves a state, such as ``{"model": model.state_dict(), "step": 7}``, into one safetensors file, written by all ranks.

    All ranks call it with the same path. A tensor that several have is written once; of one that is spread over them (DTensor,
    FSDP's sharded state dicts, :class:`stoker.Shard`) each writes its part, and the file has the whole. Until all is written,
    the file is called ``PATH.NUMBER.partial``; what was at the path is replaced in one moment, or stays as it is if anything fails.

    :param state: dicts, lists and tuples of NumPy arrays, torch tensors, numbers, text, bytes, bool and None
    :param path: the file, which ends in ``.safetensors``; for :func:`stoker.latest` its name has a number
    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has
    :param wait: False: copy the state, return, and write meanwhile; the next save waits for this one, and raises its error
    :param keep: so many of the newest files with the same name but another number are kept, and older ones deleted when this
        one is complete; the name has exactly one number, so that it is clear which one counts
    :param loader: a :class:`stoker.Loader`, whose position is saved too
    :param sync: wait for the disk, so that the file survives the node; False: it survives the process
    :param timeout: seconds to wait for ranks that have not come
    :return: a future of the path; it is done if ``wait`` is True
    """
    ranks = find_ranks(rank, world)
    target = os.path.abspath(path)
    if not target.endswith(ENDING):
        raise StokerError(f"[{target}] a state is a safetensors file: let its name end in {ENDING}")
    if keep is not None:
        _require_series(target, keep)
    _background.finish()
    saving = _Saving(target, ranks, keep, sync, timeout)
    saving.encode(state, loader)
    if wait:
        saving.run()
        done: "concurrent.futures.Future[str]" = concurrent.futures.Future()
        done.set_result(target)
        return done
    return _background.start(saving)


class _Saving:
    """One save."""

    def __init__(self, path: str, ranks: Ranks, keep: Optional[int], sync: bool, timeout: float) -> None:
        self.path = path
        self._rank, self._world = ranks.rank, ranks.world
        self._keep, self._sync, self._timeout = keep, sync, timeout
        self.threads = max(1, min(_MAX_THREADS, cores_of_rank(ranks.local_world)))
        self.leaves: List[Leaf] = []
        self._tree: Any = None
        self._position: Optional[Dict[str, Any]] = None
        self._failure: Optional[BaseException] = None

    def encode(self, state: Mapping[Any, Any], loader: Any) -> None:
        """Looks at what is to be saved. If a rank of several cannot save it, it says so to the others first."""
        try:
            encoder = Encoder(state)
            self.leaves, self._tree = encoder.leaves, encoder.tree
            self._position = None if loader is None else dict(loader.state_dict())
        except Exception as e:
            if self._world == 1:
                raise
            self._failure = e

    def run(self) -> str:
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        if self._world == 1:
            self._lead(plan(self.path, [self._describe()]), None)
            shutil.rmtree(job_folder(self.path), ignore_errors=True)  # of several ranks that were killed here
        else:
            team = Team(self.path, self._rank, self._world, self._timeout)
            with team.joined(b"{}" if self._failure else self._describe()):
                if self._failure is not None:
                    raise self._failure
                if self._rank == 0:
                    self._lead(plan(self.path, self._gifts(team)), team)
                else:
                    self._follow(team)
        return self.path

    def _describe(self) -> bytes:
        return describe(self._tree, self.leaves, self._position, self._world, is_coherent(os.path.dirname(self.path)))

    def _gifts(self, team: Team) -> List[bytes]:
        gifts = [self._describe()]
        for rank in range(1, self._world):
            gift = team.gift_of(rank)
            if gift == b"{}":
                team.wait_for(PREPARED)  # raises: that rank says why it gives up
            gifts.append(gift)
        return gifts

    def _lead(self, planned: Plan, team: Optional[Team]) -> None:
        refuse_java_job(self.path)
        nonce = secrets.token_hex(8) if team is None else team.leader_nonce
        with files.prepared(self.path, nonce, planned.layout) as fd:
            if team is not None:
                for rank in range(1, self._world):
                    team.give_to(rank, "tasks", planned.for_rank(rank))
                team.tell(PREPARED)
            files.fill(self.path, functools.partial(write_all, fd), self.leaves, planned.tasks[0], self.threads)
            if team is not None:
                team.wait_for(FILLED)
                if not planned.is_coherent:
                    self._apply_edges(nonce, planned.layout.size, team)
                team.require_no_twins()
            files.seal(self.path, nonce, fd, self._sync)
        if team is not None:
            team.tell(SEALED)
        if self._keep is not None:
            _rotate(self.path, self._keep)

    def _follow(self, team: Team) -> None:
        team.wait_for(PREPARED)
        size, is_shared, numbers = json.loads(team.take("tasks"))
        tasks = [Task(*task) for task in numbers]
        name = files.partial(self.path, team.leader_nonce)
        try:
            with files.naming(self.path):
                self._fill_as_follower(name, tasks, team, None if is_shared else size)
        except StokerError as e:
            # Rank 0 deletes the file when it gives up, and the next save does after a kill: then that is the reason.
            if not os.path.exists(name):
                team.raise_end(e)
            raise
        team.tell(FILLED)
        team.wait_for(SEALED)

    def _fill_as_follower(self, name: str, tasks: List[Task], team: Team, whole_pages_of: Optional[int]) -> None:
        team.await_file(name)
        fd = files.open_partial(name)
        try:
            if whole_pages_of is None:
                files.fill(self.path, functools.partial(write_all, fd), self.leaves, tasks, self.threads)
            else:
                self._fill_whole_pages(fd, whole_pages_of, tasks, team)
            if self._sync:
                os.fsync(fd)
            os.stat(name)  # or else it was written where nobody will read it
        finally:
            files.close_partial(fd)

    def _fill_whole_pages(self, fd: int, size: int, tasks: List[Task], team: Team) -> None:
        with open(team.edges_of(self._rank), "xb") as edges:
            pages = WholePages(fd, size, edges)
            files.fill(self.path, pages.write, self.leaves, tasks, self.threads)
            pages.finish()

    def _apply_edges(self, nonce: str, size: int, team: Team) -> None:
        # What others wrote is seen for certain only by who opens the file after them.
        with files.naming(self.path):
            fd = files.open_partial(files.partial(self.path, nonce))
            try:
                for rank in range(1, self._world):
                    team.await_file(team.edges_of(rank))
                    apply_edges(team.edges_of(rank), fd, size)
            finally:
                files.close_partial(fd)

    def detach(self, memory: "_Memory") -> None:
        """Copies all tensors, so that the program may change them."""
        pieces = [piece for leaf in self.leaves for piece in leaf.pieces]
        sizes = [bytes_of(leaf.dtype, piece.shape) for leaf in self.leaves for piece in leaf.pieces]
        copies = iter(memory.copy([piece.data for piece in pieces], sizes, self.threads))
        self.leaves = [
            leaf._replace(pieces=[piece._replace(data=next(copies)) for piece in leaf.pieces]) for leaf in self.leaves
        ]


class _Memory:
    """Memory for the copy of a state, which is used again by the next one: new memory costs more than the copying."""

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)

    def copy(self, sources: List[Any], sizes: List[int], threads: int) -> List[Any]:
        places, end = [], 0
        for size in sizes:
            places.append(end)
            end += -(-size // _ALIGNMENT) * _ALIGNMENT
        if end > self._bytes.size:
            self._bytes = np.empty(0, np.uint8)  # the old one is free before the new one is had
            self._bytes = np.empty(end, np.uint8)
        copies: List[Any] = []
        tasks: List[Callable[[], None]] = []
        for source, begin, size in zip(sources, places, sizes):
            memory = self._bytes[begin : begin + size]
            if size <= _COPY_BYTES or not is_plain_memory(source):
                copies.append(copy_into(memory, source))
                continue
            flat = np.frombuffer(flat_bytes(source), np.uint8)
            for low in range(0, size, _COPY_BYTES):
                part = slice(low, min(low + _COPY_BYTES, size))
                tasks.append(functools.partial(np.copyto, memory[part], flat[part]))
            copies.append(_same_kind(memory, source))
        run_all(tasks, threads, "stoker-copy")
        return copies


def _same_kind(memory: np.ndarray, source: Any) -> Any:
    if isinstance(source, np.ndarray):
        return memory.view(source.dtype).reshape(source.shape)
    return sys.modules["torch"].from_numpy(memory).view(source.dtype).reshape(source.shape)


class _Background:
    """The one save of this process that goes on while the program does."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._memory = _Memory()
        self._future: Optional["concurrent.futures.Future[str]"] = None

    def finish(self) -> None:
        """Waits for the save before, and raises its error, once."""
        if self._pid != os.getpid():
            self.__init__()  # type: ignore[misc]  # forked: what goes on is the parent's
        with self._lock:
            self._finish()

    def _finish(self) -> None:
        # The thread that saves never takes the lock, so it may be waited for by who has it.
        if self._future is not None:
            error = self._future.exception()
            self._future = None
            if error is not None:
                raise error

    def start(self, saving: _Saving) -> "concurrent.futures.Future[str]":
        with self._lock:
            self._finish()  # another thread may have started one meanwhile, which writes from the same memory
            saving.detach(self._memory)
            future: "concurrent.futures.Future[str]" = concurrent.futures.Future()
            future.set_running_or_notify_cancel()  # so that nobody can cancel it: it would be over while it still writes

            def run() -> None:
                try:
                    future.set_result(saving.run())
                except BaseException as e:
                    future.set_exception(e)

            # Not a daemon: the interpreter waits for it when the program ends.
            threading.Thread(target=run, name="stoker-save").start()
            self._future = future
            return future

    def report(self) -> None:
        """The last save of a program has no other place to say that it failed."""
        if self._pid == os.getpid() and self._future is not None and self._future.done():
            error = self._future.exception()
            if error is not None:
                print(f"stoker: the last state was not saved: {error}", file=sys.stderr)


_background = _Background()
atexit.register(_background.report)


class _Numbered(NamedTuple):
    series: str
    numbers: Tuple[int, ...]


def _numbers(path: str) -> Optional[_Numbered]:
    """What tells files of one series apart: step-10 and step-9 are numbers 10 and 9 of step-#."""
    name = os.path.basename(path)
    numbers = tuple(int(digits) for digits in re.findall(r"\d+", name))
    if not numbers or not name.endswith(ENDING):
        return None
    return _Numbered(re.sub(r"\d+", "#", name), numbers)


def _require_series(path: str, keep: int) -> None:
    """Of several numbers one may be that of a run or of a rank, whose files nobody may delete: so there must be one."""
    if keep < 1:
        raise StokerError(f"[{path}] keep={keep} should be at least 1, for the file itself")
    found = _numbers(path)
    count = 0 if found is None else len(found.numbers)
    if count != 1:
        raise StokerError(
            f"[{path}] keep={keep} needs a name with exactly one number, which tells older files from newer ones, but this one "
            f"has {count}; call it step-1000{ENDING}, and let other numbers stand in the name of its folder, as "
            f"run-2/step-1000{ENDING}"
        )


def _rotate(path: str, keep: int) -> None:
    """Deletes what is older than the newest, and what killed saves left. Files with higher numbers, from a run that went further
    before it was set back, stay."""
    mine = _numbers(path)
    assert mine is not None
    folder = os.path.dirname(path)
    now = os.stat(folder).st_mtime  # when the file got its name, by the clock of the filesystem
    older: List[Tuple[Tuple[int, ...], str]] = []
    names = os.listdir(folder)
    left = {files.belongs_to(name) for name in names if name.endswith(".partial")}
    for name in {_belongs_to(name) for name in names}:
        found, file = _numbers(name), os.path.join(folder, name)
        if found is None or found.series != mine.series or found.numbers >= mine.numbers:
            continue
        if name in left:
            files.delete_abandoned(file)
        delete_abandoned_job(file, now)
        if os.path.isfile(file):
            older.append((found.numbers, file))
    for _, file in sorted(older)[: max(0, len(older) - keep + 1)]:
        try:
            os.unlink(file)
        except FileNotFoundError:
            pass
        except OSError as e:  # the new one is saved: that an old one stays is no reason to end a training
            warnings.warn(f"[{file}] is older than keep={keep} asks for, but cannot be deleted: {e.strerror}", stacklevel=2)


def _belongs_to(name: str) -> str:
    """The file of a name in its folder, which may be that of what a save has beside it until it ends."""
    is_job = name.startswith(".") and name.endswith(FOLDER_ENDING)
    return name[1 : -len(FOLDER_ENDING)] if is_job else files.belongs_to(name)


def latest(folder: Path) -> Optional[str]:
    """The newest complete state of a folder; None if there is none. The newest is the one with the highest number in its name;
    of several numbers, as in ``epoch-2-step-100``, the first counts most.

    :param folder: the folder; or a pattern such as ``run/step-*.safetensors`` where it has states of several kinds
    """
    where = os.fspath(folder)
    pattern = where if "*" in where else os.path.join(glob.escape(where), f"*{ENDING}")
    numbered = [(found, path) for path in glob.glob(pattern) if (found := _numbers(path)) and os.path.isfile(path)]
    kinds = sorted({found.series for found, _ in numbered})
    if len(kinds) > 1:
        raise StokerError(
            f"[{where}] has states of several kinds: {', '.join(kinds[:5])}; name one, as {os.path.join(where, kinds[0].replace('#', '*'))}"
        )
    for _, path in sorted(numbered, reverse=True):
        # One that has its name was complete; a copy of it may be cut off, or may not be read.
        with contextlib.suppress(StokerError, FileNotFoundError, PermissionError):
            fd = open_regular(path)
            try:
                read_layout(path, fd)
            finally:
                os.close(fd)
            return path
    return None
