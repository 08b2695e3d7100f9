"""Each section of docs/how-to/migrate.md, its commands and programs one after another."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import List, Tuple

import pytest
from test_docs import SOURCE, png

from stoker._java.command import find_command

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "migrate.md"


def sections() -> List[Tuple[str, List[Tuple[str, str]]]]:
    found = []
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
        found.append((section.splitlines()[0], blocks))
    assert len(found) == 4
    return found


def prepare(folder: Path) -> None:
    """What a user has before."""
    for name in ("cat", "dog"):
        (folder / "photos" / "train" / name).mkdir(parents=True)
        for i in range(5):
            (folder / "photos" / "train" / name / f"{i}.png").write_bytes(png(10 * i))
    (folder / "shards").mkdir()
    for shard in range(2):
        with tarfile.open(folder / "shards" / f"train-{shard:04}.tar", "w") as tar:
            for i in range(4):
                for ending, data in (("png", png(i)), ("cls", b"%d" % (i % 2))):
                    member = tarfile.TarInfo(f"{shard}{i:05}.{ending}")
                    member.size = len(data)
                    tar.addfile(member, io.BytesIO(data))


def prepare_hdf5(folder: Path) -> None:
    import h5py
    import numpy as np

    with h5py.File(folder / "old.h5", "w") as f:
        for split in ("train", "val"):
            group = f.create_group(split)
            images = group.create_dataset("images", (6,), h5py.vlen_dtype(np.uint8))
            for i in range(6):
                images[i] = np.frombuffer(png(i), np.uint8)
            group.create_dataset("targets", data=np.arange(6) % 2)


@pytest.mark.parametrize(("title", "blocks"), sections(), ids=lambda value: value if isinstance(value, str) else "")
def test_section(title: str, blocks: List[Tuple[str, str]], tmp_path: Path) -> None:
    for needed in ("h5py", "datasets"):
        if needed in title.lower() and importlib.util.find_spec(needed) is None:
            pytest.skip(f"needs {needed}; the group python-frameworks of ./check has it")
    prepare(tmp_path)
    if "h5py" in title:
        prepare_hdf5(tmp_path)
    command = find_command()
    assert command is not None
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "stoker").write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    (commands / "stoker").chmod(0o700)
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "HF_HOME": str(tmp_path / "hf"),
        "STOKER_JOB": f"migrate {os.getpid()}",
    }
    for language, text in blocks:
        run = ["sh", "-euc", text] if language == "sh" else [sys.executable, "-c", text]
        ended = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
