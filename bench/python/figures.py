"""Runs the scripts that measure, and finds figures among what they say: for ./bench-check and readme.py."""

import json
import os
import shlex
import shutil
import subprocess
import sys

from measure import HERE, ROOT, STOKER


class NotMeasured(Exception):
    """A command failed, or something that it needs is not there."""


def run(command, places):
    """The rows of a command, as name and ratio: a script of this folder, maybe with its interpreter before it, `stoker bench peers`, or
    checks/ranks.sh.

    `places` are put, as words, where the command has {photos}, {work} and the like. Rows count whether they reach what was wanted or not.
    """
    words = shlex.split(command.format(**{name: shlex.join(value) for name, value in places.items()}))
    if words[0] == "stoker":
        return peers(said([STOKER, *words[1:], "--json"]))
    if words[0].endswith(".sh"):
        return ranks(said([f"{ROOT}/{words[0]}", *words[1:]], is_json=False))
    if words[0].endswith(".py"):
        words.insert(0, sys.executable)
    rows = said([words[0], f"{HERE}/{words[1]}", *words[2:], "--json"])
    return {row["what"]: row["ratio"] for row in rows}


def said(words, is_json=True):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [f"{ROOT}/python/src", os.environ.get("PYTHONPATH")]))}
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        return json.loads(done.stdout) if is_json else done.stdout
    except json.JSONDecodeError:
        raise NotMeasured(f"exit code {done.returncode} of {shlex.join(words)}") from None


def peers(found):
    """How many times as fast Stoker's contestants are as each peer; who was left out is missing."""
    rows = {}
    for job in found["jobs"]:
        rates = {each["name"]: each["samples_per_s"] for each in job["contestants"]}
        for ours in ("stoker-feed", "stoker-loader"):
            if ours in rates:
                rows.update({f"{job['job']}: {ours} / {name}": rates[ours] / rate for name, rate in rates.items()})
    return rows


def ranks(text):
    """Of `checks/ranks.sh scaling`, which says "1 rank 4000 ms, 4 ranks 1000 ms, …"."""
    for line in text.splitlines():
        if line.startswith("1 rank "):
            words = line.split()
            return {"4 ranks / 1 rank": float(words[2]) / float(words[6])}
    raise NotMeasured("it did not come to measuring")


def missing(needs):
    """The first of some programs, or paths below the root, that is not there; or None."""
    return next((each for each in needs if not (os.path.exists(f"{ROOT}/{each}") if "/" in each else shutil.which(each))), None)
