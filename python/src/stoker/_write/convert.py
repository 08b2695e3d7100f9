"""Making a container of others, by the command `stoker convert`."""

from __future__ import annotations

import subprocess
from typing import Any, List, Mapping

from .._errors import StokerError
from .._java.command import command_environment, find_command


def convert(parts: List[str], path: str, force: bool, options: Mapping[str, Any]) -> None:
    """Makes one container of several, one after another."""
    command = find_command()
    if command is None:
        raise StokerError("there is no command 'stoker', which packs; see docs/how-to/python.md for how to install it")
    # It is this process alone that converts, whatever its rank is in a job.
    arguments = ["-o", path, "--rank", "0", "--world", "1", *(["--force"] if force else [])]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is not None and value is not False:
            arguments += [option] if value is True else [option, str(value)]
    said = subprocess.run(
        [*command, "convert", *parts, *arguments],
        env=command_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if said.returncode:
        raise StokerError(said.stderr.decode("utf-8", "replace").strip()[-2000:].removeprefix("stoker: "))
