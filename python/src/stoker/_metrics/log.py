"""The user's own scalars, on their way to TensorBoard or JSON Lines."""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import operator
import os
import queue
import threading
import time
import warnings
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from .._errors import StokerError
from .._job.ranks import find_ranks
from .._system.ownership import open_own
from .destinations import Destination, Destinations, parse_destinations
from .tensorboard import EventFile, scalar_record

#: How long a scalar may wait to be written.
_SECONDS = 1.0
#: More than so many wait only where nothing can be written for minutes; later ones are lost.
_MOST_WAITING = 100_000
_RESERVED = ("time", "source", "rank", "step")


class _Entry(NamedTuple):
    time: float
    step: int
    scalars: Dict[str, Any]


class _JsonLines:
    """Whole lines at the end of a file that other processes may write too."""

    def __init__(self, path: str, rank: int) -> None:
        self.path = path
        self._rank = rank
        self._is_torn = False
        self._file = open_own(path, os.O_WRONLY | os.O_APPEND)

    def write(self, entries: Sequence[_Entry]) -> None:
        lines = [
            json.dumps(
                {
                    "time": round(entry.time, 3),
                    "source": "log",
                    "rank": self._rank,
                    "step": entry.step,
                    **{name: _strict(value) for name, value in entry.scalars.items()},
                },
                ensure_ascii=False,
                allow_nan=False,
            )
            for entry in entries
        ]
        # What is written next should not stand in a line that a full disk has torn.
        data = ("\n" * self._is_torn + "\n".join(lines) + "\n").encode("utf-8")
        done = 0
        try:
            while done < len(data):
                done += os.write(self._file, data[done:])
            self._is_torn = False
        except OSError:
            self._is_torn = self._is_torn or done > 0
            raise

    def close(self) -> None:
        os.close(self._file)


def _strict(value: float) -> Union[float, str]:
    """JSON has no word for these three."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


class _TensorBoard:
    """A run of its own for each rank: of several files in one folder TensorBoard follows only the newest."""

    def __init__(self, folder: str, rank: int) -> None:
        self._file = EventFile(os.path.join(folder, f"rank{rank}"))
        self.path = self._file.path

    def write(self, entries: Sequence[_Entry]) -> None:
        self._file.append(b"".join(scalar_record(entry.time, entry.step, entry.scalars) for entry in entries))

    def close(self) -> None:
        self._file.close()


_Writer = Union[_JsonLines, _TensorBoard]


class Log:
    """Writes scalars of a training to where its metrics go: ``stoker.log(step, loss=0.3, lr=0.1)``.

    ::

        stoker.log.to("tensorboard:runs/1")
        for step, batch in enumerate(loader):
            stoker.log(step, loss=train(batch), lr=0.1)

    The place is what :meth:`to` says, or that of the ``Loader`` which was given one last, or the variable STOKER_METRICS.
    A call takes microseconds: a thread writes, at the latest after a second or at the end of the process. What cannot be
    written any more, as on a full disk, never stops the training: it is said once, and counted in :attr:`lost`.
    """

    def __init__(self) -> None:
        self._destinations: Optional[List[Destination]] = None
        self._reset()

    def _reset(self) -> None:
        """As in a process that has not logged yet; also in one that was forked, whose parent writes what waits here."""
        self._lock = threading.Lock()
        self._waiting: "queue.SimpleQueue[_Entry]" = queue.SimpleQueue()
        self._writers: Optional[List[_Writer]] = None
        self._wake = threading.Event()
        self._has_warned = False
        #: How many calls could not be written to one of the places.
        self.lost = 0

    def __call__(self, step: int, scalars: Optional[Mapping[str, Any]] = None, /, **more: Any) -> None:
        """Notes scalars of one step: by name, or as a dict where a name is no word, such as ``{"train/loss": 0.3}``. Numbers,
        and arrays or tensors of one number; one on a GPU is fetched later, so that nothing waits for it now."""
        if self._writers is None:
            self._open()
        entry = _Entry(time.time(), operator.index(step), {})
        for name, value in {**(scalars or {}), **more}.items():
            if not isinstance(name, str) or not name or name in _RESERVED:
                raise StokerError(f"a scalar cannot be called {name!r}; {', '.join(_RESERVED)} are taken")
            entry.scalars[name] = _held(name, value)
        if self._waiting.qsize() >= _MOST_WAITING:
            self.lost += 1
        else:
            self._waiting.put(entry)

    def to(self, *places: str) -> None:
        """Says where scalars go from here on: ``tensorboard:DIR``, ``jsonl:FILE``. What cannot be written is refused now."""
        self.flush()
        self._close()
        self._destinations = parse_destinations(places)
        self._open()

    def suggest(self, places: Destinations) -> None:
        """Where scalars go if nobody has said it: where a loader's metrics do."""
        if self._destinations is None and self._writers is None and places is not None:
            self._destinations = parse_destinations(places)

    def flush(self) -> None:
        """Returns when everything is written, or could not be."""
        if self._writers is not None:
            self._write()

    def _open(self) -> None:
        with self._lock:
            if self._writers is not None:
                return
            places = parse_destinations(None) if self._destinations is None else self._destinations
            kept = [place for place in places if place.kind != "prometheus"]
            if not kept:
                raise StokerError(
                    "there is no place to log to: set STOKER_METRICS or call stoker.log.to(...), with tensorboard:DIR or "
                    "jsonl:FILE" + ("; Prometheus asks for the metrics of Stoker alone" if places else "")
                )
            rank = find_ranks(None, None).rank
            writers: List[_Writer] = []
            for place in kept:
                try:
                    writers.append((_JsonLines if place.kind == "jsonl" else _TensorBoard)(place.where, rank))
                except OSError as e:
                    raise StokerError(f"[{place.where}] cannot be written: {e.strerror}") from e
            self._writers = writers
            threading.Thread(target=self._run, args=(self._wake,), name="stoker-log", daemon=True).start()

    def _run(self, wake: threading.Event) -> None:
        while not wake.wait(_SECONDS):
            self._write()

    def _write(self) -> None:
        with self._lock:
            entries = []
            with contextlib.suppress(queue.Empty):
                while True:
                    entries.append(self._waiting.get_nowait())
            if not entries:
                return
            entries = [entry for entry in map(self._fetched, entries) if entry is not None]
            for writer in self._writers or ():
                try:
                    writer.write(entries)
                except OSError as e:
                    self.lost += len(entries)
                    self._warn(f"[{writer.path}] cannot be written: {e.strerror}; the training goes on, stoker.log.lost counts")

    def _fetched(self, entry: _Entry) -> Optional[_Entry]:
        """With what was still to be computed on a device."""
        try:
            return entry._replace(scalars={name: float(value) for name, value in entry.scalars.items()})
        except Exception as e:  # whatever a device says: it is not this thread that should fail
            self.lost += 1
            self._warn(f"scalars of step {entry.step} could not be fetched: {e}")
            return None

    def _warn(self, sentence: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            with contextlib.suppress(Warning):  # where warnings are errors, this is not the thread to raise one in
                warnings.warn(sentence, stacklevel=2)

    def _close(self) -> None:
        with self._lock:
            self._wake.set()
            self._wake = threading.Event()
            for writer in self._writers or ():
                writer.close()
            self._writers = None


def _held(name: str, value: Any) -> Any:
    """A number; of one that still has to be computed on a device, a copy that nobody changes any more."""
    device = getattr(getattr(value, "device", None), "type", "cpu")
    if device != "cpu" and hasattr(value, "detach") and value.numel() == 1:
        return value.detach().clone()
    try:
        if not isinstance(value, (str, bytes)):
            return float(value.item() if hasattr(value, "item") else value)
    except (TypeError, ValueError, RuntimeError):
        pass
    raise StokerError(f"the scalar '{name}' should be one number but is {value!r}")


#: ``stoker.log``.
log = Log()

os.register_at_fork(after_in_child=log._reset)
atexit.register(log.flush)
