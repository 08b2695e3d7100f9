"""A worker: runs a function on samples that lie in shared memory, and puts what it returns there."""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .._frameworks.arrays import torch_array
from .._java.protocol import BatchMessage
from .._loader.batch import make_batch
from .._loader.ragged import Ragged
from .._system.memory_file import grow, memory_file
from .._system.shared_map import map_shared
from .channel import Channel, ChannelEnded, from_bytes
from .seeds import seed_all, seed_of
from .tasks import Functions, InputBatch, Result, Row, SampleFailure, Setup, Task
from .values import Layout, OddValue, OutputField, describe, stack, store, to_array

#: A whole batch has randomness of its own.
_BATCH = 1 << 62


def run_worker(sock: socket.socket, setup: Setup, functions: bytes) -> None:
    """The life of a worker process: ends when the loader is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the loader's business
    channel = Channel(sock)
    try:
        try:
            worker = Worker(setup, Functions(*from_bytes(functions)), shares_cores=True)
        except BaseException as e:
            channel.send(StokerError(f"a worker could not load the function: {describe_error(e)}\n{traceback.format_exc()}"))
            return
        channel.send(None)
        while True:
            (task, blocks), files = channel.receive()
            worker.map_blocks(blocks, files, task.forgotten)
            result, memory = worker.run(task)
            channel.send(result, [] if memory is None else [memory])
            if memory is not None:
                os.close(memory)
    except ChannelEnded:
        pass


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
        for row, which in enumerate(task.rows, task.first_row):
            outcome = self._map_one(inputs, task.batch.epoch, row, which, result)
            if outcome is None:
                continue
            if fields is None:
                return result._replace(fields=describe(outcome))
            try:
                objects = store(outcome, fields, arrays, row)
            except OddValue as e:
                result.failures.append(SampleFailure(row, f"the function returned {e}", ""))
                continue
            for name, value in objects.items():
                result.objects.setdefault(name, {})[row] = value
        return result

    def _map_one(self, inputs: Dict[str, Any], epoch: int, row: int, which: Row, result: Result) -> Optional[Dict[str, Any]]:
        """What the function returns for a sample; None if there is nothing, which the result says."""
        assert self._map is not None
        seed_all(seed_of(self._setup.seed, epoch, which.dataset, which.sample))
        try:
            outcome = self._map(self._sample(inputs, row))
            if outcome is None:
                result.skipped.append(row)
                return None
            return _require_dict(outcome)
        except Exception as e:
            result.failures.append(SampleFailure(row, describe_error(e), _own_traceback(e)))
            return None

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
        outcome = self._map_whole(task, inputs, result)
        if outcome is None:
            return result, None
        return self._put(outcome, result, task.output)

    def _map_whole(self, task: Task, inputs: Dict[str, Any], result: Result) -> Optional[Dict[str, Any]]:
        epoch, first = task.batch.epoch, task.rows[0]
        if self._map is None:
            batch = {name: self._whole(inputs[name]) for name, _ in self._setup.fields}
        else:
            samples = []
            for row, which in enumerate(task.rows):
                sample = self._map_one(inputs, epoch, row, which, result)
                if sample is not None:
                    samples.append(sample)
            if not samples:
                return None
            try:
                batch = {name: self._whole(values) for name, values in stack(samples).items()}
            except OddValue as e:
                result.failures.append(SampleFailure(-1, f"the function returned {e}", ""))
                return None
        assert self._map_batch is not None
        seed_all(seed_of(self._setup.seed, epoch, first.dataset, first.sample ^ _BATCH))
        try:
            outcome = self._map_batch(batch)
            if outcome is None:
                result.skipped.extend(range(len(task.rows)))
                return None
            return _require_dict(outcome)
        except Exception as e:
            result.failures.append(SampleFailure(-1, describe_error(e), _own_traceback(e)))
            return None

    def _whole(self, values: Any) -> Any:
        if isinstance(values, Ragged):
            own = values.copy()
            return own.converted(torch_array) if self._setup.framework == "torch" else own
        return self._array(values.copy()) if isinstance(values, np.ndarray) else values

    def _put(self, batch: Dict[str, Any], result: Result, output: int) -> Tuple[Result, Optional[int]]:
        """Puts the arrays of a batch one after another into the output, or, if it is too small, into memory of its own."""
        fields, places, arrays, end = [], [], {}, 0
        for name, value in batch.items():
            array, is_bfloat16 = to_array(value)
            places.append(end)
            if array is None:
                fields.append(OutputField(name, None, ()))
                result.objects[name] = {0: value}
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


def _require_dict(outcome: Any) -> Dict[str, Any]:
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
