"""Saving the state of a program: all ranks into one file, at once or in the background."""

from __future__ import annotations

import concurrent.futures
import functools
import json
import os
import secrets
import shutil
from typing import Any, Dict, List, Mapping, Optional

from .._errors import StokerError
from .._job.peer import FILLED, PREPARED, SEALED
from .._job.rank_folder import job_folder, refuse_java_job
from .._job.rank_group import RankGroup
from .._job.ranks import Ranks, cores_of_rank, find_ranks
from .._system import probe
from .._types import Path
from . import partial_file as files
from .background import CopyBuffer, background
from .plan import Plan, Task, describe, plan
from .safetensors import bytes_of
from .series import ENDING, delete_older, require_series
from .state_tree import Encoder
from .tensors import Leaf
from .whole_pages import WholePages, apply_edges, is_coherent, write_all

#: More threads than this fill no file faster.
_MAX_THREADS = 8


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

    ::

        saved = stoker.save({"model": model.state_dict(), "step": 7}, "run/step-7.safetensors", wait=False, keep=3)
        ...                                         # train on; the next save waits for this one
        saved.result()

    All ranks call it with the same path. A tensor that several have is written once; of one that is spread over them (DTensor,
    FSDP's sharded state dicts, :class:`stoker.Shard`) each writes its part, and the file has the whole. Until all is written,
    the file is called ``PATH.NUMBER.partial``; what was at the path is replaced in one moment, or stays as it is if anything
    fails.

    :param state: dicts, lists and tuples of NumPy arrays, torch tensors, numbers, text, bytes, bool and None
    :param path: the file, which ends in ``.safetensors``; for :func:`stoker.latest` its name has a number
    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has
    :param wait: False: copy the state, return, and write meanwhile; the next save waits for this one, and raises its error
    :param keep: how many of the newest files with the same name but another number to keep; older ones are deleted when this
        one is complete. The name must have exactly one number, so that it is clear which one counts
    :param loader: a :class:`stoker.Loader`, whose position is saved too
    :param sync: wait for the disk, so that the file survives the node; False: it survives the process
    :param timeout: seconds to wait for the other ranks
    :return: a future of the path; it is done if ``wait`` is True
    """
    ranks = find_ranks(rank, world)
    target = os.path.abspath(path)
    if not target.endswith(ENDING):
        raise StokerError(f"[{target}] a state is a safetensors file: let its name end in {ENDING}")
    if keep is not None:
        require_series(target, keep)
    background.finish()
    saving = _Saving(target, ranks, keep, sync, timeout)
    saving.encode(state, loader)
    if wait:
        saving.run()
        done: "concurrent.futures.Future[str]" = concurrent.futures.Future()
        done.set_result(target)
        return done
    return background.start(saving)


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
            group = RankGroup(self.path, self._rank, self._world, self._timeout)
            with group.joined(b"{}" if self._failure else self._describe()):
                if self._failure is not None:
                    raise self._failure
                if self._rank == 0:
                    self._lead(plan(self.path, self._descriptions(group)), group)
                else:
                    self._follow(group)
        return self.path

    def _describe(self) -> bytes:
        return describe(self._tree, self.leaves, self._position, self._world, is_coherent(os.path.dirname(self.path)))

    def _descriptions(self, group: RankGroup) -> List[bytes]:
        descriptions = [self._describe()]
        for rank in range(1, self._world):
            description = group.description_of(rank)
            if description == b"{}":
                group.wait_for(PREPARED)  # raises: that rank says why it gives up
            descriptions.append(description)
        return descriptions

    def _lead(self, planned: Plan, group: Optional[RankGroup]) -> None:
        refuse_java_job(self.path)
        nonce = secrets.token_hex(8) if group is None else group.leader_nonce
        with files.prepared(self.path, nonce, planned.layout) as fd:
            if group is not None:
                for rank in range(1, self._world):
                    group.give_to(rank, "tasks", planned.for_rank(rank))
                group.tell(PREPARED)
            files.fill(self.path, functools.partial(write_all, fd), self.leaves, planned.tasks[0], self.threads)
            if group is not None:
                group.wait_for(FILLED)
                if not planned.is_coherent:
                    self._apply_edges(nonce, planned.layout.size, group)
                group.require_no_duplicates()
            files.seal(self.path, nonce, fd, self._sync)
        if group is not None:
            group.tell(SEALED)
        if self._keep is not None:
            delete_older(self.path, self._keep)

    def _follow(self, group: RankGroup) -> None:
        group.wait_for(PREPARED)
        size, is_shared, numbers = json.loads(group.take("tasks"))
        tasks = [Task(*task) for task in numbers]
        name = files.partial(self.path, group.leader_nonce)
        try:
            with files.naming(self.path):
                self._fill_as_follower(name, tasks, group, None if is_shared else size)
        except StokerError as e:
            # Rank 0 deletes the file when it gives up, and the next save does after a kill: then that is the reason.
            if not probe.exists(name):
                group.raise_end(e)
            raise
        group.tell(FILLED)
        group.wait_for(SEALED)

    def _fill_as_follower(self, name: str, tasks: List[Task], group: RankGroup, whole_pages_of: Optional[int]) -> None:
        group.await_file(name)
        fd = files.open_partial(name)
        try:
            if whole_pages_of is None:
                files.fill(self.path, functools.partial(write_all, fd), self.leaves, tasks, self.threads)
            else:
                self._fill_whole_pages(fd, whole_pages_of, tasks, group)
            if self._sync:
                os.fsync(fd)
            os.stat(name)  # or else it was written where nobody will read it
        finally:
            files.close_partial(fd)

    def _fill_whole_pages(self, fd: int, size: int, tasks: List[Task], group: RankGroup) -> None:
        with open(group.edges_of(self._rank), "xb") as edges:
            pages = WholePages(fd, size, edges)
            files.fill(self.path, pages.write, self.leaves, tasks, self.threads)
            pages.finish()

    def _apply_edges(self, nonce: str, size: int, group: RankGroup) -> None:
        # What others wrote is seen for certain only by who opens the file after them.
        with files.naming(self.path):
            fd = files.open_partial(files.partial(self.path, nonce))
            try:
                for rank in range(1, self._world):
                    group.await_file(group.edges_of(rank))
                    apply_edges(group.edges_of(rank), fd, size)
            finally:
                files.close_partial(fd)

    def detach(self, buffer: CopyBuffer) -> None:
        """Copies all tensors, so that the program may change them."""
        pieces = [piece for leaf in self.leaves for piece in leaf.pieces]
        sizes = [bytes_of(leaf.dtype, piece.shape) for leaf in self.leaves for piece in leaf.pieces]
        copies = iter(buffer.copy([piece.data for piece in pieces], sizes, self.threads))
        self.leaves = [
            leaf._replace(pieces=[piece._replace(data=next(copies)) for piece in leaf.pieces]) for leaf in self.leaves
        ]
