"""The writer: samples that come while a job runs, from all its ranks, into one file."""

from __future__ import annotations

import contextlib
import operator
import os
import threading
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from .._errors import StokerError
from .._java import protocol
from .._java.connection import Connection
from .._java.reader_process import connect
from .._job.ranks import find_ranks
from .._types import Path
from .sample_encoder import SampleEncoder, infer_schema

_FLUSH = protocol.encode(protocol.FLUSH)
_DONE = protocol.encode(protocol.DONE)
_NO_INDEX = -1
#: What the file may have around a sample and each of its values, at the most: the heads of its batch, of an Arrow record batch,
#: and padding.
_FRAME_BYTES = 4096
_FRAME_BYTES_OF_VALUE = 256


class Sealed(NamedTuple):
    """What :func:`stoker.seal` closed: the number of samples, the bytes of the file, a line for all that is missing.

    ::

        sealed = stoker.seal("predictions.arrow", salvage=True)
        print(sealed.samples, sealed.bytes, *sealed.missing, sep="\n")
    """

    samples: int
    bytes: int
    missing: List[str]


class Writer:
    """Adds samples to one ``.stk`` or ``.arrow`` file that all ranks of a job write at once, such as predictions.

    ::

        with stoker.Writer("predictions.arrow", {"key": "text", "scores": "float32[1000]"}) as writer:
            writer.append({"key": key, "scores": scores})

    and when all ranks are done, one of them: ``stoker.seal("predictions.arrow")``. Until then the file is called
    ``predictions.arrow.partial``. No rank waits for another. A rank that is killed loses the last ``flush_seconds`` at the
    most, and nothing that was appended before a :meth:`flush`. Leaving the ``with`` block by an exception keeps what was
    appended, but the rank does not count as done.

    Any number of threads may append. The writing is done by the reader process of the node (see :class:`stoker.Loader`).

    :param path: the file; its ending names the format
    :param schema: the type of each field, as ``bytes``, ``text``, ``text[]``, ``int64``, ``float32[3,224,224]``,
        ``float32[*]``; by default that of the first sample, with arrays of any length. All ranks need the same
    :param rank: which process of the job this is; by default from ``torch.distributed`` or the launcher
    :param world: how many processes the job has
    :param classes: the names of the labels
    :param chunk: bytes that a rank writes before the next rank's turn in the file, a multiple of 65536; no sample may be larger
    :param flush_seconds: how long a sample may wait until it is written
    :param sync: let every write wait for the disk, so that it survives the node, not only the process
    """

    def __init__(
        self,
        path: Path,
        schema: Optional[Mapping[str, str]] = None,
        rank: Optional[int] = None,
        world: Optional[int] = None,
        *,
        classes: Sequence[str] = (),
        chunk: int = 4 << 20,
        flush_seconds: float = 5.0,
        sync: bool = False,
    ) -> None:
        ranks = find_ranks(rank, world)
        self.rank, self.world = ranks.rank, ranks.world
        self.path = os.path.abspath(path)
        self._chunk = operator.index(chunk)
        self._request = {
            "path": self.path,
            "classes": list(classes),
            "rank": self.rank,
            "world": self.world,
            "chunk": self._chunk,
            "flush_millis": round(1000 * flush_seconds),
            "sync": sync,
        }
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._connection: Optional[Connection] = None
        self._encoder: Optional[SampleEncoder] = None
        self._is_over = False
        if schema is not None:
            self._open(schema)

    def _open(self, schema: Mapping[str, str]) -> None:
        encoder = SampleEncoder(schema)
        connection = connect()
        connection.advice = "What was flushed is in the file; stoker.seal(path, salvage=True) closes it with that"
        try:
            request = {**self._request, "fields": list(encoder.schema.items())}
            connection.ask_json(protocol.COLLECT, request, protocol.COLLECTING)
        except BaseException:
            connection.close()
            raise
        self._encoder, self._connection = encoder, connection

    @property
    def schema(self) -> Optional[Dict[str, str]]:
        """The type of each field; None before the first sample, if none was given."""
        return None if self._encoder is None else dict(self._encoder.schema)

    def append(self, sample: Mapping[str, Any], index: Optional[int] = None) -> None:
        """Adds a sample: a value for each field. One that is refused is not added, and others may follow.

        :param index: what ``stoker.seal(path, order="index")`` orders by, such as the number of the sample in the data set
        """
        with self._lock:
            self._require_open()
            self._send([self._message(sample, index)])

    def append_batch(self, batch: Mapping[str, Any], indices: Optional[Sequence[int]] = None) -> None:
        """Adds a sample for each row of a batch: for each field an array, a tensor, a list or a :class:`stoker.Ragged`, all of
        one length. If a row is refused, none is added.

        ::

            writer.append_batch({"key": batch["key"], "scores": model(batch["data"]).cpu().numpy()})

        :param indices: what ``stoker.seal(path, order="index")`` orders by, one for each row
        """
        lengths = {name: len(values) for name, values in batch.items()}
        if indices is not None:
            lengths["indices"] = len(indices)
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            raise StokerError(f"[{self.path}] all fields of a batch must have the same number of rows, but {said}")
        # Iterating is faster than asking each for every row.
        rows = zip(*batch.values())
        with self._lock:
            self._require_open()
            messages = []
            for number, row in enumerate(rows):
                try:
                    messages.append(self._message(dict(zip(batch, row)), None if indices is None else indices[number]))
                except StokerError as e:
                    raise StokerError(f"row {number} of the batch: {e}") from e
            self._send(messages)

    def _message(self, sample: Mapping[str, Any], index: Optional[int]) -> bytes:
        number = _NO_INDEX if index is None else operator.index(index)
        if not -(2**63) <= number < 2**63:
            needed = number.bit_length() + 1
            raise StokerError(f"[{self.path}] an index should fit into 64 bits but needs {needed}; give a smaller one")
        if self._encoder is None:
            self._open(infer_schema(sample))
        assert self._encoder is not None
        payload = self._encoder.encode(sample, number)
        # What does not fit is refused here, where it can be left out; the file would be over.
        if len(payload) > self._chunk - _FRAME_BYTES - _FRAME_BYTES_OF_VALUE * len(self._encoder.schema):
            raise StokerError(
                f"[{self.path}] a sample has {len(payload)} bytes but a chunk holds {self._chunk}; set a larger chunk, up to 1 "
                "GiB, on all ranks"
            )
        return protocol.encode(protocol.APPEND, payload)

    def _send(self, messages: List[bytes]) -> None:
        if messages:
            with self._over_if_it_fails() as connection:
                connection.tell(b"".join(messages))

    def flush(self) -> None:
        """Returns when the system has everything that was appended: it survives this process and the reader process."""
        with self._lock:
            self._require_open()
            if self._connection is not None:
                with self._over_if_it_fails() as connection:
                    connection.ask(_FLUSH, protocol.FLUSHED)

    def close(self) -> None:
        """Writes the rest, and says that this rank is done."""
        with self._lock:
            if self._is_over:
                return
            self._require_open()
            try:
                if self._connection is None:
                    raise StokerError(
                        f"[{self.path}] rank {self.rank} has appended nothing that the schema could be taken from, so it "
                        "cannot be closed; give a schema where a rank may have no samples"
                    )
                self._connection.ask(_DONE, protocol.FLUSHED)
            finally:
                self._abandon()

    def _abandon(self) -> None:
        """The reader process writes what it was given, and leaves the rank as one that was interrupted."""
        self._is_over = True
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _require_open(self) -> None:
        if self._pid != os.getpid():
            raise StokerError(
                f"[{self.path}] this writer belongs to process {self._pid}, from which this one was forked; open one in each "
                "process, with a rank of its own"
            )
        if self._is_over:
            raise StokerError(f"[{self.path}] the writer is closed")

    @contextlib.contextmanager
    def _over_if_it_fails(self) -> Iterator[Connection]:
        """After a failure, or Ctrl-C in the middle of a message, nobody knows what the reader process takes the next for."""
        assert self._connection is not None
        try:
            yield self._connection
        except BaseException:
            self._abandon()
            raise

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._abandon()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self._abandon()

    def __reduce__(self) -> Any:
        raise TypeError("a stoker.Writer cannot go to another process; open one there, with a rank of its own")

    def __repr__(self) -> str:
        return f"<stoker.Writer {self.path}: rank {self.rank} of {self.world}>"


def seal(path: Path, order: str = "rank", salvage: bool = False) -> Sealed:
    """Closes a file that the ranks of a job wrote with :class:`stoker.Writer`; once, when all are done.

    ::

        stoker.seal("predictions.arrow")

    :param order: ``rank``: by rank, and as each gave them; ``index``: by the index that each was given with (``.stk``)
    :param salvage: seal it with the existing samples, although ranks were killed; :attr:`Sealed.missing` says what is not
    """
    connection = connect()
    try:
        request = {"path": os.path.abspath(path), "order": order, "salvage": salvage}
        return Sealed(**connection.ask_json(protocol.SEAL, request, protocol.SEALED))
    finally:
        connection.close()
