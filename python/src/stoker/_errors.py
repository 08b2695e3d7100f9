"""The one exception of this package."""

from __future__ import annotations

from typing import Optional


class StokerError(ValueError):
    """Something is wrong with a container, its Index, or how they are used. Its text names the file, the place, what was
    expected, what was found, and what to do."""


def damaged(file: str, reason: str, sample: Optional[int] = None, offset: Optional[int] = None) -> StokerError:
    """The error of a file whose bytes are not what they should be."""
    where = []
    if sample is not None:
        where.append(f"sample {sample}")
    if offset is not None:
        where.append(f"byte {offset}")
    return StokerError(f"[{file}] {', '.join(where)}{': ' if where else ''}{reason}")
