"""The loader: batches that the reader process of the node puts into shared memory."""

from __future__ import annotations

import functools
from typing import Any, Dict, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from .._errors import StokerError
from .._map.tasks import MapFunction
from .._metrics.destinations import Destinations
from .._metrics.log import log
from .._types import Path
from .cursor import Start, State
from .epoch import Epoch
from .feed import BatchFeed
from .options import LoaderOptions
from .subset import Condition, Subset
from .worker_epochs import WorkerEpochs


class Loader:
    """Batches of one rank's samples, which one process reads, shuffles and decodes for all ranks of the node.

    ::

        with stoker.Loader("train.stk", 64, shuffle=True, seed=1) as loader:
            for epoch in range(10):
                for batch in loader:
                    batch["data"], batch["label"]

    Each ``for batch in loader`` is one epoch. A batch is a dict: a NumPy array (or tensor) for each field whose values have one
    size, a :class:`stoker.Ragged` for others. It lies in memory that is shared with the reader process, without a copy, and is
    yours for as long as you hold any part of it: keep batches in a list, in a queue or in other threads as you like.

    :param path_or_paths: containers of one schema, patterns such as ``train-{0000..0146}.tar``, ``FILE:SPLIT``, or folders of
        loose files
    :param batch_size: the number of samples in a batch
    :param shuffle: True, False, or the name of an order such as ``"blocks:256:32"``
    :param seed: the seed of the order and of random transforms
    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has
    :param transform: decodes pictures (see ``decode``), such as ``"RandomResizedCrop(224),RandomHorizontalFlip"``
    :param tail: what ranks without a sample do at the end of an epoch, when samples do not divide evenly: ``even`` (repeat one:
        the default if samples are shuffled), ``once`` (every sample once, and as many batches on all ranks, of which the last
        may have a sample less, or none: the default otherwise), ``drop`` or ``ragged`` (ranks may differ by a batch)
    :param threads: how many threads read for this rank; by default its share of the cores
    :param framework: what the arrays belong to: ``numpy``, ``torch``, ``jax`` or ``tf``
    :param weights: makes each of the paths a data set of its own, mixed by these weights, such as ``[0.7, 0.3]``
    :param fields: only these fields, in this order
    :param drop_last: leave out a last batch that is not full
    :param pad: makes fields dense by padding with zeros: a list of fields (to the longest of each batch), or a dict with the
        number of bytes for each
    :param layout: the layout of decoded pictures: ``chw`` or ``hwc``
    :param dtype: the type of decoded pictures: ``uint8``, ``float16``, ``bfloat16`` or ``float32``
    :param fast_scale: shrink large JPEGs while decoding: faster, but not the same pixels
    :param bad: what to do with a sample that cannot be read: ``fail``, ``skip`` or ``substitute``
    :param verify: compare every value with its checksum
    :param read: ``map``, ``pread``, ``direct`` (past the page cache) or ``auto``
    :param memory: how much memory the batches that are read ahead and the current one may take: bytes, or text with a unit
        such as ``"512M"``. Batches that you keep longer may take half as much again; further ones get memory of their own
    :param ahead: the most batches to read ahead
    :param metrics: where the reader process sends its metrics: ``prometheus://:9400``, ``tensorboard:DIR``, ``jsonl:FILE``, or
        a list of them; by default what the variable STOKER_METRICS says. :func:`stoker.log` writes to the same place
    :param verbose: when the loader is closed, print a sentence on what limited it and which setting to change
    :param debug: note where each batch was asked for, to tell what keeps too many of them; by default, what the variable
        STOKER_DEBUG_BATCHES says
    :param ledger: a file of this rank's own, such as ``f"rank{rank}.ledger"``, which records each batch before it is delivered;
        ``stoker ledger check rank*.ledger`` proves that every sample was delivered once
    :param map: a function that gets each sample as ``stoker.open(path)[i]`` gives it (after ``transform``, and with tensors if
        ``framework`` is ``torch``) and returns a dict of what the batch should have of it, or None to leave it out. It runs
        in worker processes. The generators of ``random``, NumPy and torch are seeded for each sample by seed, epoch and
        sample, so that results do not depend on the number of workers
    :param map_batch: the same for whole batches; with ``map``, for batches of what that returns
    :param workers: how many processes run ``map`` and ``map_batch``; by default as many as this rank has cores; 0: this one
    :param worker_timeout: how many seconds a worker may take for a part of a batch before it is replaced
    :param multiprocessing_context: how worker processes are started: ``forkserver``, ``spawn`` or ``fork``
    :param subset: only these samples: numbers, a mask, or a slice
    :param keys: only the samples with these keys
    :param where: only the samples for which a function of the columns (``stoker.open(path).fields``) gives True, such
        as ``lambda columns: columns["label"] == 3``
    :param decode: the field with the pictures for ``transform``; by default ``data``, or the only field of bytes
    :param mask: adds a field of this name to batches: False for samples that are only there because of ``tail="even"``
    """

    def __init__(
        self,
        path_or_paths: Union[Path, Sequence[Path]],
        batch_size: int = 64,
        shuffle: Union[bool, str] = False,
        seed: int = 0,
        rank: Optional[int] = None,
        world: Optional[int] = None,
        transform: Optional[str] = None,
        tail: Optional[str] = None,
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
        metrics: Destinations = None,
        verbose: bool = False,
        debug: Optional[bool] = None,
        ledger: Optional[Path] = None,
        map: Optional[MapFunction] = None,
        map_batch: Optional[MapFunction] = None,
        workers: Optional[int] = None,
        worker_timeout: float = 300,
        multiprocessing_context: str = "forkserver",
        mask: Optional[str] = None,
        subset: Optional[Subset] = None,
        keys: Optional[Sequence[str]] = None,
        where: Optional[Condition] = None,
        decode: Optional[str] = None,
    ) -> None:
        options = LoaderOptions(
            path_or_paths=path_or_paths,
            batch_size=batch_size,
            shuffle=shuffle,
            seed=seed,
            rank=rank,
            world=world,
            transform=transform,
            tail=tail,
            threads=threads,
            framework=framework,
            weights=weights,
            fields=fields,
            drop_last=drop_last,
            pad=pad,
            layout=layout,
            dtype=dtype,
            fast_scale=fast_scale,
            bad=bad,
            verify=verify,
            read=read,
            memory=memory,
            ahead=ahead,
            metrics=metrics,
            verbose=verbose,
            debug=debug,
            ledger=ledger,
            map=map,
            map_batch=map_batch,
            workers=workers,
            worker_timeout=worker_timeout,
            multiprocessing_context=multiprocessing_context,
            mask=mask,
            subset=subset,
            keys=keys,
            where=where,
            decode=decode,
        )
        self._feed = BatchFeed(options, 0, WorkerEpochs())
        self._become_dataset_of(framework)
        self._feed.info()
        log.suggest(metrics)

    def _become_dataset_of(self, framework: str) -> None:
        """torch's DataLoader takes what is an IterableDataset, which is a class of torch: so a loader can be one only where
        torch is used."""
        if framework == "torch" and type(self) is Loader:
            self.__class__ = _torch_loader()

    def __len__(self) -> int:
        """The number of batches in a whole epoch."""
        return self._feed.info().batches

    @property
    def schema(self) -> Dict[str, str]:
        """The type of each field, as batches have it."""
        return {name: kind.label for name, kind in self._feed.info().fields}

    @property
    def classes(self) -> List[str]:
        """The names of the labels."""
        return list(self._feed.info().classes)

    @property
    def samples(self) -> int:
        """The number of samples over all ranks."""
        return self._feed.info().samples

    @property
    def rank(self) -> int:
        """Which process of the job this is."""
        return self._feed.ranks.rank

    @property
    def world(self) -> int:
        """How many processes the job has."""
        return self._feed.ranks.world

    @property
    def epoch(self) -> int:
        """The epoch that you iterate over; when it is over, the epoch of the next iteration. So
        ``while loader.epoch < 90: for batch in loader: …`` trains 90 epochs, also after :meth:`load_state_dict`."""
        return self._feed.epoch()

    @property
    def reader_pid(self) -> int:
        """The process ID of the reader process."""
        return self._feed.reader_pid()

    @property
    def worker_pids(self) -> List[int]:
        """The process IDs of the workers that run ``map`` and ``map_batch``."""
        return self._feed.worker_pids()

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Begins the next epoch, even if the last one was left early; after :meth:`load_state_dict` it resumes there."""
        return Epoch(self._feed, self._feed.begin())

    def __getitem__(self, _: Any) -> NoReturn:
        """A loader has no samples by number: :func:`stoker.open` does."""
        raise StokerError(
            "a Loader delivers batches in its own order, not samples by number. In PyTorch's DataLoader, use "
            "Loader(..., framework='torch') with batch_size=None; for samples by number, use stoker.open(path)[i]"
        )

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration this epoch: from its beginning, or, after :meth:`load_state_dict` of a state in this epoch,
        from there. So ``for epoch in range(loader.epoch, 90): loader.set_epoch(epoch)`` resumes in the middle of an epoch."""
        self._feed.set_epoch(epoch)

    def state_dict(self) -> State:
        """Where the job stands after the batch that was delivered last, if all ranks have delivered as many: a small dict of
        numbers and text. The state of any rank is the state of the job; another number of ranks can resume from it."""
        return self._feed.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Makes the next iteration resume from a saved state. A state of other data, order or seed is refused."""
        self._feed.load_state_dict(state)

    def report(self) -> Dict[str, Any]:
        """What the loader has done so far: ``metrics``, a dict of what docs/how-to/metrics.md lists; and what limited it,
        ``limited_by`` in a word and ``bottleneck`` in a sentence that names the setting to change; ``held``, how many batches
        the program still has a part of, and how many bytes they take; ``bad``, the samples that were left out or replaced, with
        the reason (of many, the first); with ``map``, how many samples it left out, and for which ones it failed."""
        return self._feed.report()

    def close(self) -> None:
        """Closes the connection. The reader process ends with the last loader of the job. Batches that you hold stay yours."""
        self._feed.close()

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, self._feed.to_pickle()

    def __repr__(self) -> str:
        return repr(self._feed)


def _restore(options: LoaderOptions, start: Start, worker_epochs: WorkerEpochs) -> Loader:
    """A loader that another process pickled; it connects when it is used, so that it may be sent on."""
    loader = Loader.__new__(Loader)
    loader._feed = BatchFeed(options, start, worker_epochs)
    loader._become_dataset_of(options.framework)
    return loader


@functools.lru_cache(maxsize=None)
def _torch_loader() -> Any:
    """The loader as torch's DataLoader knows it: a class that is also an IterableDataset."""
    from torch.utils.data import IterableDataset  # type: ignore[import-not-found,unused-ignore]

    return type("Loader", (Loader, IterableDataset), {"__doc__": Loader.__doc__, "__module__": Loader.__module__})
