"""Where metrics go, as a user writes it: prometheus://[HOST]:PORT, tensorboard:DIR, jsonl:FILE."""

from __future__ import annotations

import os
import re
from typing import List, NamedTuple, Optional, Sequence, Union

from .._errors import StokerError

_FORMS = "prometheus://[HOST]:PORT, tensorboard:DIR and jsonl:FILE"
#: A comma before one of the words; others belong to the name of a file.
_SEPARATOR = re.compile(r",(?=prometheus:|tensorboard:|jsonl:)")

Destinations = Union[None, str, Sequence[str]]


class Destination(NamedTuple):
    #: prometheus, tensorboard or jsonl
    kind: str
    #: The address, or the path, which is absolute.
    where: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.where}"


def parse_destinations(words: Destinations) -> List[Destination]:
    """What is given, or else what the variable STOKER_METRICS says. An empty text is nowhere."""
    if words is None:
        words = os.environ.get("STOKER_METRICS", "")
    if isinstance(words, str):
        words = _SEPARATOR.split(words)
    return [_parse(word.strip()) for word in words if word.strip()]


def _parse(word: str) -> Destination:
    kind, _, where = word.partition(":")
    if kind == "prometheus" and where.startswith("//"):
        return Destination(kind, where)
    if kind in ("tensorboard", "jsonl") and where:
        return Destination(kind, os.path.abspath(where))
    raise StokerError(f"metrics cannot go to '{word}'; valid are {_FORMS}")


def join_destinations(destinations: Sequence[Destination]) -> Optional[str]:
    """As the reader process takes them."""
    return ",".join(map(str, destinations)) or None
