"""The one exception of this package."""

from __future__ import annotations

import re
from typing import Optional

#: Control characters but line ends and tabs, and those that turn the direction of writing.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class StokerError(ValueError):
    """Something is wrong with a container, its Index, or how they are used. Its text names the file, the place, what was
    expected, what was found, and what to do.

    ::

        try:
            ds = stoker.open(path)
        except stoker.StokerError as e:
            sys.exit(f"cannot open the data: {e}")
    """

    def __str__(self) -> str:
        return _printable(super().__str__())


def _printable(text: str) -> str:
    """Names of files and classes are whatever a data set says they are, and a terminal obeys what it is shown: so what is
    no letter is shown by its number."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def damaged(file: str, reason: str, sample: Optional[int] = None, offset: Optional[int] = None) -> StokerError:
    """The error of a file whose bytes are not what they should be."""
    where = []
    if sample is not None:
        where.append(f"sample {sample}")
    if offset is not None:
        where.append(f"byte {offset}")
    return StokerError(f"[{file}] {', '.join(where)}{': ' if where else ''}{reason}")
