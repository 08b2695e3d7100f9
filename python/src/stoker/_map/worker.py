"""A worker: runs a function on samples that lie in shared memory, and puts what it returns there."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .._frameworks.arrays import torch_array
from .._java.protocol import BatchMessage
from .._loader.batch import make_batch
from .._loader.ragged import Ragged
from .._system.memory_file import grow, memory_file
from .._system.shared_map import map_shared
from .channel import Channel, ChannelEnded, encode, from_bytes
from .seeds import seed_all, seed_of, seed_torch_when_imported
from .tasks import Functions, InputBatch, Result, SampleFailure, Setup, Task
from .values import Layout, OddValue, OutputField, describe, store, to_array

#: What a worker may take to end when its loader is gone.
_LAST_SECONDS = 5.0
#: A whole batch has randomness of its own.
_BATCH = 1 << 62


def run_worker(sock: socket.socket, setup: Setup, functions: bytes) -> None:
    """The life of a worker process: ends when the loader is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the loader's business
    _end_with(sock.fileno())
    channel = Channel(sock)
    try:
        try:
            worker = Worker(setup, Functions(*from_bytes(functions)), shares_cores=True)
        except BaseException as e:
            reason = f"a worker could not load the function: {describe_error(e)}\n{traceback.format_exc()}"
            channel.send(encode(StokerError(reason)))
            return
        channel.send(encode(None))
        while True:
            _work(channel, worker)
    except ChannelEnded:
        pass


def _work(channel: Channel, worker: "Worker") -> None:
    """Does the next task. An error that no sample caused ends the worker, after it has told the loader."""
    try:
        (task, blocks), files = channel.receive()
        worker.map_blocks(blocks, files, task.forgotten)
        result, memory = worker.run(task)
        message = _encode_result(result)
    except ChannelEnded:
        raise
    except StokerError as e:
        channel.send(encode(e))
        raise ChannelEnded from None
    except BaseException as e:
        channel.send(encode(StokerError(f"a worker failed: {describe_error(e)}\n{traceback.format_exc()}")))
        raise ChannelEnded from None
    channel.send(message, [] if memory is None else [memory])
    if memory is not None:
        os.close(memory)


def _end_with(file: int) -> None:
    """Ends this process soon after the other end of a socket is closed, even in the middle of a function that does not end."""

    def wait() -> None:
        poll = select.poll()
        poll.register(file, select.POLLRDHUP)
        poll.poll()
        time.sleep(_LAST_SECONDS)
        os._exit(1)

    threading.Thread(target=wait, name="stoker-end", daemon=True).start()


def _encode_result(result: Result) -> bytes:
    """A result as a message; objects that cannot be sent are failures of their samples."""
    try:
        return encode(result)
    except Exception:
        for name, values in result.objects.items():
            for row, value in list(values.items()):
                try:
                    encode(value)
                except Exception as e:
                    reason = f"field '{name}' cannot be sent to the program: {describe_error(e)}"
                    result.failures.append(SampleFailure(-1 if result.places is not None else row, reason, ""))
                    for others in result.objects.values():
                        others.pop(row, None)
        return encode(result if result.places is None else result._replace(fields=None, objects={}))


def describe_error(error: BaseException) -> str:
    """An exception in a line."""
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Worker:
    """Runs tasks. The loader runs them with one of these too, if it has no worker processes.

    :param shares_cores: whether there are others, so that libraries should not start a thread for each core
    """

    def __init__(self, setup: Setup, functions: Functions, shares_cores: bool) -> None:
        self._map, self._map_batch = functions
        self._setup = setup
        self._blocks: Dict[int, Any] = {}
        self._unlimited = ["torch", "cv2"] if shares_cores else []
        seed_torch_when_imported()

    def map_blocks(self, blocks: List[Tuple[int, bool]], files: List[int], forgotten: Tuple[int, ...]) -> None:
        """Maps the blocks whose files came with a task: each a number, and whether it is written to."""
        for number in forgotten:
            self._blocks.pop(number, None)
        for (number, is_written), file in zip(blocks, files):
            try:
                self._blocks[number] = map_shared(file, is_written)
            finally:
                os.close(file)

    def has(self, block: int) -> bool:
        return block in self._blocks

    def run(self, task: Task) -> Tuple[Result, Optional[int]]:
        """The result of a task, and memory that goes with it, a file that is the caller's."""
        self._limit_threads()
        inputs = self._inputs(task.batch)
        if self._map_batch is not None:
            return self._run_batch(task, inputs)
        return self._run_samples(task, inputs), None

    def _limit_threads(self) -> None:
        """Libraries, which a function may import late, would start a thread for each core in every worker."""
        for name in [name for name in self._unlimited if name in sys.modules]:
            self._unlimited.remove(name)
            library: Any = sys.modules[name]
            (library.set_num_threads if name == "torch" else library.setNumThreads)(1)

    def _inputs(self, batch: InputBatch) -> Dict[str, Any]:
        message = BatchMessage(batch.samples, False, batch.epoch, batch.block, (), batch.places, b"")
        return make_batch(self._setup.fields, message, self._blocks[batch.block] if batch.block else b"")

    # ---- a function for each sample

    def _run_samples(self, task: Task, inputs: Dict[str, Any]) -> Result:
        fields = task.fields
        result = Result(task.number, [], [], {})
        arrays: Dict[str, np.ndarray] = {}
        if fields is not None:
            memory = self._blocks[task.output] if task.output else b""
            arrays = Layout(fields, task.batch.samples).arrays(memory)
        for row, seed in self._seeds(task):
            with _failing(row, result):
                outcome = self._map_one(inputs, row, seed)
                if outcome is None:
                    result.skipped.append(row)
                elif fields is None:
                    return result._replace(fields=describe(outcome), found_row=row)
                else:
                    for name, value in store(outcome, fields, arrays, row).items():
                        result.objects.setdefault(name, {})[row] = value
        return result

    def _seeds(self, task: Task) -> Iterator[Tuple[int, int]]:
        """The rows of a task, and the seed of each."""
        samples, datasets = task.rows["sample"].tolist(), task.rows["dataset"].tolist()
        for row, (sample, dataset) in enumerate(zip(samples, datasets), task.first_row):
            yield row, seed_of(self._setup.seed, task.batch.epoch, dataset, sample)

    def _map_one(self, inputs: Dict[str, Any], row: int, seed: int) -> Optional[Dict[str, Any]]:
        """What the function returns for a sample."""
        assert self._map is not None
        seed_all(seed)
        return _require_dict(self._map(self._sample(inputs, row)))

    def _sample(self, inputs: Dict[str, Any], row: int) -> Dict[str, Any]:
        """A sample as ``stoker.open`` gives it, in memory that the function may write to."""
        return {name: self._value(inputs[name], kind.label, row) for name, kind in self._setup.fields}

    def _value(self, values: Any, label: str, row: int) -> Any:
        value = values[row]
        if label == "bytes":
            return value.tobytes()
        if not isinstance(value, np.ndarray):
            return value  # a number, text, texts
        return self._array(value.copy())

    def _array(self, array: np.ndarray) -> Any:
        return torch_array(array) if self._setup.framework == "torch" else array

    # ---- a function for each batch

    def _run_batch(self, task: Task, inputs: Dict[str, Any]) -> Tuple[Result, Optional[int]]:
        result = Result(task.number, [], [], {})
        batch = self._batch(task, inputs, result)
        assert self._map_batch is not None
        outcome: Optional[Dict[str, Any]] = None
        arrays: Dict[str, Tuple[Optional[np.ndarray], bool]] = {}
        if batch is not None:
            with _failing(-1, result):
                sample, dataset = int(task.rows["sample"][0]), int(task.rows["dataset"][0])
                seed_all(seed_of(self._setup.seed, task.batch.epoch, dataset, sample ^ _BATCH))
                outcome = _require_dict(self._map_batch(batch))
                if outcome is None:
                    result.skipped[:] = range(task.row_count)
                else:
                    arrays = {name: to_array(value) for name, value in outcome.items()}
        if outcome is None or len(arrays) < len(outcome):
            return result, None
        return self._put(outcome, arrays, result, task.output)

    def _batch(self, task: Task, inputs: Dict[str, Any], result: Result) -> Optional[Dict[str, Any]]:
        """What the function for batches gets: the samples, or what the function for samples returns for them."""
        if self._map is None:
            return {name: self._whole(inputs[name]) for name, _ in self._setup.fields}
        fields: Optional[List[OutputField]] = None
        found_row = 0
        arrays: Dict[str, np.ndarray] = {}
        kept: List[int] = []
        objects: Dict[str, List[Any]] = {}
        for row, seed in self._seeds(task):
            with _failing(row, result, found_row):
                outcome = self._map_one(inputs, row, seed)
                if outcome is None:
                    result.skipped.append(row)
                    continue
                if fields is None:
                    fields, found_row = describe(outcome), row
                    layout = [field for field in fields if field.dtype is not None]
                    arrays = {field.name: np.empty((task.row_count, *field.shape), field.dtype) for field in layout}
                    objects = {field.name: [] for field in fields if field.dtype is None}
                for name, value in store(outcome, fields, arrays, len(kept)).items():
                    objects[name].append(value)
                kept.append(row)
        if not kept or fields is None:
            return None
        return {
            field.name: self._array(arrays[field.name][: len(kept)]) if field.dtype is not None else objects[field.name]
            for field in fields
        }

    def _whole(self, values: Any) -> Any:
        if isinstance(values, Ragged):
            own = values.copy()
            return own.converted(torch_array) if self._setup.framework == "torch" else own
        return self._array(values.copy()) if isinstance(values, np.ndarray) else values

    def _put(
        self,
        batch: Dict[str, Any],
        found: Dict[str, Tuple[Optional[np.ndarray], bool]],
        result: Result,
        output: int,
    ) -> Tuple[Result, Optional[int]]:
        """Puts the arrays of a batch one after another into the output, or, if it is too small, into memory of its own."""
        fields, places, arrays, end = [], [], {}, 0
        for name, (array, is_bfloat16) in found.items():
            places.append(end)
            if array is None:
                fields.append(OutputField(name, None, ()))
                result.objects[name] = {0: batch[name]}
                continue
            fields.append(OutputField(name, array.dtype.str, array.shape, is_bfloat16))
            arrays[name] = array
            end += -(-array.nbytes // 64) * 64
        file = None
        memory: Any = self._blocks.get(output, b"")
        if len(memory) < end:
            file = memory_file("stoker-batch")
            grow(file, end + end // 8)
            memory = map_shared(file)
        for field, place in zip(fields, places):
            if field.dtype is not None and arrays[field.name].size:
                np.ndarray(field.shape, field.dtype, memory, place)[...] = arrays[field.name]
        return result._replace(fields=fields, places=places, bytes=end, has_memory=file is not None), file


@contextlib.contextmanager
def _failing(row: int, result: Result, other: Optional[int] = None) -> Iterator[None]:
    """Whatever is raised here is a failure of a sample, or of a batch: also sys.exit(), and what pictures raise that are read
    only now."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except OddValue as e:
        result.failures.append(SampleFailure(row, f"the function returned {e}", "", other))
    except BaseException as e:
        result.failures.append(SampleFailure(row, describe_error(e), _own_traceback(e)))


def _require_dict(outcome: Any) -> Optional[Dict[str, Any]]:
    if outcome is None:
        return None
    if not isinstance(outcome, dict) or not all(isinstance(name, str) for name in outcome):
        raise StokerError(
            f"the function should return a dict of fields, or None to skip, but returned {type(outcome).__name__}"
        )
    if not outcome:
        raise StokerError("the function returned a dict without fields; return None to skip a sample")
    return outcome


def _own_traceback(error: BaseException) -> str:
    """The calls below the worker's own."""
    inner = error.__traceback__
    while inner is not None and inner.tb_frame.f_code.co_filename == __file__:
        inner = inner.tb_next
    return "".join(traceback.format_exception(type(error), error, inner or error.__traceback__))
