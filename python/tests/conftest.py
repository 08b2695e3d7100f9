"""Data sets made with the command `stoker`, and what is in them."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import numpy as np
import pytest

import stoker
from stoker._java.command import find_command

collect_ignore = [] if importlib.util.find_spec("torch") else ["test_torch.py", "test_state_torch.py"]

FORMATS = ["stk", "arrow", "tar", "folder"]
CLASSES = ["cat", "dog", "äffchen"]


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """A shell that starts the tests in the background lets them ignore SIGINT, which some of them send to themselves."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def seed() -> int:
    """Another one each time, unless STOKER_SEED says it, as `./check` does. Fixtures show it when a test fails."""
    return int(os.environ.get("STOKER_SEED", random.SystemRandom().randrange(2**32)))


def pytest_report_header() -> str:
    return f"STOKER_SEED={os.environ.get('STOKER_SEED', 'not set')} python={sys.version.split()[0]} numpy={np.__version__}"


@pytest.fixture(scope="session")
def stoker_command() -> Callable[..., str]:
    command = find_command()
    assert command is not None

    def run(*arguments: Any) -> str:
        ended = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    return run


class Packed:
    """A container, and the samples that were packed into it."""

    def __init__(self, path: Path, samples: List[Dict[str, Any]]) -> None:
        self.path = path
        self.samples = samples

    def copy(self, folder: Path) -> Path:
        """The container and its Index at another place, with their times, to be damaged."""
        target = folder / self.path.name
        if self.path.is_dir():
            shutil.copytree(self.path, target)
        else:
            shutil.copy2(self.path, target)
        sidecar = Path(f"{self.path}.stkx")
        if sidecar.exists():
            shutil.copy2(sidecar, f"{target}.stkx")
        return target


def make_photos(folder: Path, seed: int) -> List[Dict[str, Any]]:
    """Some files of random bytes in a folder for each class; one is empty."""
    chance = random.Random(seed)
    samples = []
    for number, name in enumerate(CLASSES):
        (folder / name).mkdir(parents=True)
        for i in range(7):
            data = b"" if i == 3 else chance.randbytes(chance.randrange(1, 5000))
            (folder / name / f"{i:03}.jpg").write_bytes(data)
            samples.append({"key": f"{name}/{i:03}.jpg", "data": data, "label": number})
    return samples


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory, seed: int) -> Path:
    folder = tmp_path_factory.mktemp("photos") / "source"
    make_photos(folder, seed)
    return folder


@pytest.fixture(scope="session")
def photo_samples(photos: Path) -> List[Dict[str, Any]]:
    return [
        {"key": f"{name}/{file.name}", "data": file.read_bytes(), "label": number}
        for number, name in enumerate(CLASSES)
        for file in sorted((photos / name).iterdir())
    ]


@pytest.fixture(scope="session", params=FORMATS)
def packed(
    request: pytest.FixtureRequest,
    photos: Path,
    photo_samples: List[Dict[str, Any]],
    stoker_command: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Packed:
    """Photos in each format: the fields key, data, label."""
    path = tmp_path_factory.mktemp(request.param) / f"p.{request.param}"
    stoker_command("pack", photos, "-o", path, "--format", request.param, "--no-sync")
    return Packed(path, photo_samples)


@pytest.fixture(scope="session")
def stk(
    photos: Path,
    photo_samples: List[Dict[str, Any]],
    stoker_command: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Packed:
    path = tmp_path_factory.mktemp("one") / "p.stk"
    stoker_command("pack", photos, "-o", path, "--no-sync")
    return Packed(path, photo_samples)


@pytest.fixture(scope="session", params=FORMATS[:3])
def rich(
    request: pytest.FixtureRequest,
    stoker_command: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
) -> Packed:
    """A manifest that gives numbers, texts and lists of texts."""
    chance = random.Random(seed)
    source = tmp_path_factory.mktemp("rich")
    samples = []
    for i in range(30):
        data = chance.randbytes(chance.randrange(300))
        (source / f"{i:02}.bin").write_bytes(data)
        samples.append(
            {
                "key": f"{i:02}.bin",
                "data": data,
                "width": chance.randrange(-(2**62), 2**62),
                "score": chance.random() * 10.0 ** chance.randrange(-30, 30),
                "title": "".join(chance.choice("aä数🦊 \n") for _ in range(chance.randrange(20))),
                "captions": ["".join(chance.choice("xyé像") for _ in range(chance.randrange(9))) for _ in range(1 + i % 5)],
            }
        )
    manifest = source / "manifest.jsonl"
    with manifest.open("w", encoding="utf-8") as f:
        for sample in samples:
            row = {name: value for name, value in sample.items() if name not in ("key", "data")}
            f.write(json.dumps({"path": sample["key"], **row}, ensure_ascii=False) + "\n")
    path = tmp_path_factory.mktemp("out") / f"rich.{request.param}"
    stoker_command("pack", source, "--manifest", manifest, "-o", path, "--no-sync")
    return Packed(path, samples)


@pytest.fixture(scope="module")
def one_job() -> Iterator[None]:
    """All tests of a module are one job, whatever terminal they run in."""
    os.environ["STOKER_JOB"] = f"tests {os.getpid()}"
    yield
    del os.environ["STOKER_JOB"]


@pytest.fixture(scope="module")
def keeper(one_job: None, stk: Packed) -> Iterator[stoker.Loader]:
    """Keeps the reader process alive from test to test."""
    with stoker.Loader(stk.path) as loader:
        yield loader
