"""Packing what Python gives: the samples of any iterable or data set into a container of any format."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import tempfile
import traceback
from multiprocessing.connection import wait
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .._errors import StokerError
from .._frameworks.huggingface import HfRows, is_hf, open_hf
from .._read.dataset import Dataset
from .._types import Path
from .convert import convert
from .sample_encoder import infer_schema, require_mapping
from .writer import Writer, seal

_BLOCK = 64
#: Unused parts of a chunk take no place on the disk, so it is as large as the largest sample may be.
_CHUNK = 1 << 30
_LOOK_SECONDS = 1.0

#: The number of the first sample of a block, and what makes its samples: numbers of a data set, or what an iterable gave.
_Block = Tuple[int, Sequence[Any]]


class _Job(NamedTuple):
    """What every process that packs knows."""

    source: Any
    function: Optional[Callable[[Any], Any]]
    is_numbered: bool
    path: str
    schema: Mapping[str, str]
    classes: Sequence[str]
    processes: int

    def sample(self, number: int, item: Any) -> Mapping[str, Any]:
        given = self.source[item] if self.is_numbered else item
        sample = require_mapping(given if self.function is None else self.function(given))
        return sample if "key" in sample else {"key": f"{number:09}", **sample}

    def write(self, writer: Writer, block: _Block) -> None:
        for number, item in enumerate(block[1], block[0]):
            try:
                writer.append(self.sample(number, item), number)
            except Exception as e:
                raise StokerError(f"sample {number} of what is packed: {_said(e)}") from e


def pack(
    samples: Iterable[Any],
    path: Path,
    schema: Optional[Mapping[str, str]] = None,
    *,
    classes: Optional[Sequence[str]] = None,
    map: Optional[Callable[[Any], Mapping[str, Any]]] = None,
    processes: Optional[int] = None,
    force: bool = False,
    **options: Any,
) -> int:
    """Packs samples, dicts of names and values, into a container whose ending names the format; returns their number.

    ::

        stoker.pack(({"x": i} for i in range(1000)), "numbers.arrow")
        stoker.pack(torch_dataset, "train.stk", map=lambda s: {"data": s[0], "label": s[1]}, processes=8)

    Samples keep the source's order, and the output is byte-identical for any number of processes. Where a sample has no
    ``key`` it is its number, as ``000000042``.

    :param samples: a data set with ``len()`` and ``[i]`` (a list, one of torch or Hugging Face, ``stoker.open``), whose samples
        several processes fetch; or any iterable or generator, which this process goes through
    :param path: the container
    :param schema: the type of each field, as :class:`stoker.Writer` takes it; by default that of the first sample, with arrays
        of any length. Data sets of Hugging Face and ``stoker.open`` have their own
    :param classes: the names of the labels
    :param map: makes the sample of what the source gives, such as ``lambda s: {"image": s[0], "label": s[1]}``; run by all
        processes
    :param processes: by default as many as there are cores
    :param force: overwrite an existing container
    :param options: those of ``stoker convert``, such as ``compression="zstd"``, ``rows_per_batch=1``, ``no_sync=True``
    """
    path = os.path.abspath(path)
    if os.path.exists(path) and not force:
        raise StokerError(f"[{path}] already exists; choose another output, or pass force=True")
    if isinstance(samples, Mapping):
        raise StokerError(f"samples should be a sequence or iterable but are a {type(samples).__name__}; give one of its parts")
    if is_hf(samples):
        samples = open_hf(samples)
    if isinstance(samples, (Dataset, HfRows)):
        classes = samples.classes if classes is None else classes
        schema = samples.schema if schema is None and map is None else schema
    count = len(samples) if hasattr(samples, "__len__") and hasattr(samples, "__getitem__") else None  # type: ignore[arg-type]
    items: Iterator[Any] = iter(samples) if count is None else iter(range(count))
    folder = os.path.dirname(path)
    with tempfile.TemporaryDirectory(prefix=f".{os.path.basename(path)}.stoker-pack-", dir=folder) as scratch:
        between = os.path.join(scratch, "samples.stk")
        job = _Job(samples, map, count is not None, between, schema or {}, list(classes or ()), 1)
        try:
            first = next(items)
        except StopIteration:
            raise StokerError(f"[{path}] there is no sample to pack") from None
        if not schema:
            job = job._replace(schema=infer_schema(job.sample(0, first)))
        elif "key" not in schema:
            job = job._replace(schema={"key": "text", **schema})
        # Without a map an iterable has done all the work when it gives a sample.
        most = processes or len(os.sched_getaffinity(0)) if count is not None or map is not None else 1
        job = job._replace(processes=most if count is None else min(most, -(-count // _BLOCK)))
        _collect(job, _blocks(itertools.chain([first], items)))
        sealed = seal(between, order="index")
        convert([between], path, force, options)
    return sealed.samples


def _blocks(items: Iterator[Any]) -> Iterator[_Block]:
    for first in itertools.count(0, _BLOCK):
        block = list(itertools.islice(items, _BLOCK))
        if not block:
            return
        yield first, block


def _collect(job: _Job, blocks: Iterator[_Block]) -> None:
    if job.processes == 1:
        with _writer(job, 0) as writer:
            for block in blocks:
                job.write(writer, block)
        return
    context = multiprocessing.get_context()
    workers: Dict[Any, Any] = {}
    try:
        for rank in range(job.processes):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(job, rank, there), name=f"stoker-pack-{rank}", daemon=True)
            process.start()
            # Closed before the next is forked, which would keep it open: so its end shows that the process has ended.
            there.close()
            workers[here] = process
        _hand_out(blocks, dict(workers))
    finally:
        for connection, process in workers.items():
            connection.close()
            if process.is_alive():
                process.terminate()
            process.join()


def _writer(job: _Job, rank: int) -> Writer:
    return Writer(job.path, job.schema, rank, job.processes, classes=job.classes, chunk=_CHUNK)


def _hand_out(blocks: Iterator[_Block], workers: Dict[Any, Any]) -> None:
    """Gives every process that asks a block, and at the end None; returns when all have closed their writers."""
    while workers:
        ready: List[Any] = wait(list(workers))
        for connection in ready:
            block = None
            try:
                failure = connection.recv()
                if failure is not None:
                    raise StokerError(failure[0]) from _InProcess(failure[1])
                block = next(blocks, None)
                connection.send(block)
            except (EOFError, BrokenPipeError, ConnectionResetError):
                process = workers.pop(connection)
                process.join()
                if process.exitcode or block is not None:
                    raise StokerError(
                        f"process {process.name} ended with {process.exitcode}: it was killed, or the node ran out of memory"
                    ) from None


class _InProcess(Exception):
    """Where a process failed, as text."""


def _work(job: _Job, rank: int, connection: Any) -> None:
    """What each process does: ask, write, until there is nothing left."""
    parent = multiprocessing.parent_process()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it too, and ends this
    try:
        with _writer(job, rank) as writer:
            while True:
                connection.send(None)
                while not connection.poll(_LOOK_SECONDS):
                    if parent is not None and not parent.is_alive():
                        raise SystemExit(1)  # nobody waits for this any more
                block = connection.recv()
                if block is None:
                    return
                job.write(writer, block)
    except Exception as e:
        connection.send((_said(e), "\n" + traceback.format_exc()))


def _said(e: BaseException) -> str:
    return str(e) if isinstance(e, StokerError) else f"{type(e).__name__}: {e}"
