"""Runs the programs of examples/ as their headers say, and compares what they print: examples_run.py [NAME ...]

A header has lines "run: COMMAND", "needs: PACKAGE ..." and, indented below "prints:", what comes out, in which … stands for
anything, also for any number of lines. The folder has photos/ (200 pictures), photos.stk, photos.tar, train.stk and val.stk.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
SECONDS = 300


class Header(NamedTuple):
    commands: List[str]
    needs: List[str]
    prints: List[str]


def read_header(file: Path) -> Header:
    commands, needs, prints = [], [], []
    is_printed = False
    for line in file.read_text(encoding="utf-8").splitlines():
        text = re.sub(r"^(?:#!.*|# ?| \* ?|// ?)", "", line)
        if text.startswith("run: "):
            commands.append(text[len("run: ") :])
        elif text.startswith("needs: "):
            needs = text[len("needs: ") :].split()
        elif text.startswith("prints:"):
            is_printed = True
        elif is_printed and text.startswith("    "):
            prints.append(text.strip())
        elif is_printed:
            break
    return Header(commands, needs, prints)


def matches(pattern: List[str], printed: str) -> bool:
    text = "\n".join(pattern)
    return re.fullmatch(".*".join(re.escape(part) for part in text.split("…")), printed.strip(), re.DOTALL) is not None


def stoker(folder: Path, *words: object) -> None:
    command = [str(ROOT / "build/dist/bin/stoker"), *(str(word) for word in words)]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def prepare(folder: Path) -> None:
    stoker(folder, "demo", "--to", "demo")
    (folder / "demo/pictures").rename(folder / "photos")
    for output in ("photos.stk", "photos.tar"):
        stoker(folder, "pack", "photos", "-o", output)
    for split, numbers in (("train", range(40)), ("val", range(40, 50))):
        for picture in sorted((folder / "photos").glob("*/*.jpg")):
            if int(picture.stem[-3:]) in numbers:
                target = folder / split / picture.parent.name / picture.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(picture, target)
        stoker(folder, "pack", split, "-o", f"{split}.stk")


def run(name: Path, header: Header, data: Path, environment: dict) -> str:
    """What is wrong with an example; nothing if it did what it says."""
    with tempfile.TemporaryDirectory(prefix="stoker-example-") as scratch:
        folder = Path(scratch) / "work"
        shutil.copytree(data, folder)
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
        printed = ""
        for command in header.commands:
            try:
                ended = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
                )
            except subprocess.TimeoutExpired:
                return f"{command}: not done after {SECONDS} s"
            if ended.returncode != 0:
                return f"{command}: ended with {ended.returncode}\n{ended.stdout}{ended.stderr}"
            printed += ended.stdout
        if not matches(header.prints, printed):
            return "should print\n" + "\n".join(header.prints) + "\nbut prints\n" + printed
    return ""


def main() -> None:
    wanted = set(sys.argv[1:])
    files = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".py", ".sh"))
    python = Path(sys.executable)
    path = f"{python.parent}:{ROOT / 'build/dist/bin'}:{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path, PYTHONPATH=str(ROOT / "python/src"), OMP_NUM_THREADS="1", TF_CPP_MIN_LOG_LEVEL="3")
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="stoker-examples-") as scratch:
        data = Path(scratch)
        prepare(data)
        for file in files:
            name = file.relative_to(EXAMPLES)
            if wanted and str(name) not in wanted and file.name not in wanted:
                continue
            header = read_header(file)
            assert header.commands and header.prints, f"{name}: the header says neither how to run it nor what it prints"
            missing = [package for package in header.needs if importlib.util.find_spec(package) is None]
            if missing:
                print(f"skipped: {name}: {', '.join(missing)} is not installed")
                continue
            wrong = run(name, header, data, environment)
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            print(f"FAILED: {name}: {wrong}" if wrong else f"passed: {name}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
