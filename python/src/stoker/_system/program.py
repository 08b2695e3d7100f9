"""Where the program that uses this package is."""

from __future__ import annotations

import os
import sys
from typing import Any, Optional

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def program_line() -> str:
    """The line of the program that is running, as file and number."""
    frame: Optional[Any] = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def calls_to_program() -> int:
    """How many calls the program's own line is away from who asks."""
    frame: Optional[Any] = sys._getframe(1)
    calls = 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        calls += 1
    return calls
