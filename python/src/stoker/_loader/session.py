"""A loader's session with the reader process: the connection, and the shared memory that batches lie in."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .._java import protocol
from .._java.reader_process import connect
from .._job.ranks import Ranks, cores_of_rank
from .._system.block_file import BlockFile
from .._types import FieldType, parse_type
from .cursor import State
from .lease import HeldBatch, Leases
from .shared_memory import SharedMemory


class DataInfo(NamedTuple):
    """What the reader process said about the data when it opened them."""

    fields: List[Tuple[str, FieldType]]
    classes: List[str]
    samples: int
    batches: int
    #: The position at the beginning of the first epoch.
    beginning: State
    #: The field that is decoded, if one is.
    decoded: Optional[str]


class Session:
    """One loader's connection to the reader process, from OPEN until it is closed."""

    def __init__(self, is_debug: bool, keeps_files: bool) -> None:
        self._connection = connect()
        self._leases = Leases(is_debug)
        self._memory = SharedMemory(self._leases, keeps_files)
        #: Workers get the batches then, and not the program.
        self._keeps_files = keeps_files
        #: Whether a batch came that could not be taken: the next one would be the one after it.
        self.has_lost = False
        #: Whether the feed was started, which frees the memory of the one before.
        self._is_new = True

    def open(self, request: Dict[str, Any], ranks: Ranks, worker: int, workers: int) -> DataInfo:
        """Opens the data for one rank; of a rank with several workers, for one worker, which counts as a rank of its own."""
        share = {
            "rank": ranks.rank * workers + worker,
            "world": ranks.world * workers,
            "cores": cores_of_rank(ranks.local_world * workers),
        }
        answer = self._connection.ask_json(protocol.OPEN, {**request, **share}, protocol.OPENED)
        fields = [(name, parse_type(label)) for name, label in answer["fields"]]
        names = ("classes", "samples", "batches", "position", "decoded")
        return DataInfo(fields, *(answer[name] for name in names))

    def start_epoch(self, epoch: int) -> None:
        """Lets the next batch be the first one of an epoch."""
        self._connection.ask_json(protocol.START, {"epoch": epoch}, protocol.STARTED)
        self._is_new = True

    def start_at(self, state: State) -> None:
        """Lets the next batch be the first one after a saved state. One of other data, order or seed is refused."""
        self._connection.ask_json(protocol.START, {"position": state}, protocol.STARTED)
        self._is_new = True

    def next(self) -> Tuple[protocol.BatchMessage, Any, Optional[BlockFile]]:
        """The next batch: what it holds, its memory, and the file of that, if files are kept."""
        request = protocol.encode_next(self._leases.take_given_back())
        payload, files = self._connection.ask(request, protocol.BATCH)
        try:
            message = protocol.decode_batch(payload)
            own = self._memory.update(message, files)
            if not self._is_new and not self._keeps_files:
                self._leases.warn(own)
            self._is_new = False
            return message, self._memory.of(message), self._memory.file_of(message)
        except BaseException:
            self.has_lost = True
            raise

    def handed_on(self) -> None:
        """Lets the ledger have the oldest batch that it lacks."""
        self._connection.ask(protocol.encode(protocol.HANDED_ON), protocol.RECORDED)

    def held(self) -> List[HeldBatch]:
        """The batches of which the program still has an array."""
        return self._leases.held()

    def report(self) -> Dict[str, Any]:
        return self._connection.ask_json(protocol.REPORT, {}, protocol.REPORTED)

    def withdraw(self, state: State) -> None:
        """Tells that nothing after a state was delivered, and ends the connection: the ledger may have a batch already that
        did not get here."""
        self._connection.leave(protocol.encode_json(protocol.WITHDRAW, state))

    @property
    def is_interrupted(self) -> bool:
        """Whether an answer was not waited for, as after Ctrl-C; then nothing more can be asked."""
        return self._connection.is_interrupted

    @property
    def pid(self) -> int:
        """The number of the reader process."""
        return self._connection.pid

    @property
    def has_vector(self) -> bool:
        """Whether Java has its vector module there."""
        return self._connection.has_vector

    def maps(self) -> List[Any]:
        return self._memory.maps()

    def close(self) -> None:
        self._connection.close()
        self._memory.clear()
