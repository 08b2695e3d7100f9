"""The programs of docs/how-to/python.md, metrics.md and state.md run, each as a program of its own."""

from __future__ import annotations

import importlib.util
import os
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Callable, List

import pytest

PAGES = [Path(__file__).parents[2] / "docs" / "how-to" / name for name in ("python.md", "metrics.md", "state.md")]
SOURCE = Path(__file__).parents[1] / "src"


def programs() -> List[str]:
    """Those whose packages are there: torch is only in the group python-frameworks of ./check."""
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    names = [set(re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE)) for block in blocks]
    return [block for block, used in zip(blocks, names) if all(importlib.util.find_spec(name) for name in used)]


def png(shade: int) -> bytes:
    """A picture of two by two grey pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes([0, shade, shade] * 2))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, stoker_command: Callable[..., str]) -> Path:
    root = tmp_path_factory.mktemp("docs")
    for split, count in (("all", 10), ("train", 4), ("val", 2)):
        for name in ("cat", "dog"):
            (root / split / name).mkdir(parents=True)
            for i in range(count):
                (root / split / name / f"{i}.png").write_bytes(png(10 * i))
    for output in ("photos.stk", "photos.arrow"):
        stoker_command("pack", root / "all", "-o", root / output)
    stoker_command("pack", "--split", f"train={root / 'train'}", "--split", f"val={root / 'val'}", "-o", root / "both.stk")
    return root


@pytest.mark.parametrize("program", programs(), ids=lambda program: re.sub(r"\W+", "-", program)[-30:])
def test_program(program: str, folder: Path) -> None:
    # As a file, since spawned workers read it again.
    script = folder / "program.py"
    script.write_text(program, "utf-8")
    # The JVM of the Maven build has no vector module, which is no fault of the program.
    warnings = "error::UserWarning,ignore:the Java that was found:UserWarning"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": warnings}
    ended = subprocess.run(
        [sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    expected = re.search(r"print\(.*# (\{.*\})$", program, re.MULTILINE)
    if expected:
        assert expected.group(1) in ended.stdout
