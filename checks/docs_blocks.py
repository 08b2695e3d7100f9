"""The code blocks of the docs: which test runs each, and the runner of those that no other test runs.

usage: checks/docs_blocks.py run [PAGE ...]     runs the shell blocks of PAGES below, each in a new folder with the data it names

A block of sh, python or java is run by a test that RUNNERS names, or the line before it says why not: <!-- not run: REASON -->.
checks/lint/blocks.py compares that with the pages.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Iterator, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# The pages whose shell blocks are run here.
PAGES = ("README.md", "docs/how-to/pack.md", "docs/how-to/verify.md", "docs/how-to/feed.md", "docs/how-to/bench.md")
PAGES += ("docs/how-to/peers.md", "docs/how-to/images.md", "docs/how-to/metrics.md")
HERE = "checks/docs_blocks.py"
HOW_TO = "docs/how-to/"
# (page, language): the file that runs such a block, by its mark if it is a script.
RUNNERS = {(page, "sh"): HERE for page in PAGES}
RUNNERS.update({(f"docs/tutorials/{page}.md", language): "checks/docs_pages.py"
                for page in ("first-pack", "first-training", "first-slurm-job") for language in ("sh", "python")})
RUNNERS.update({(f"{HOW_TO}{page}.md", "python"): "python/tests/test_docs.py" for page in ("python", "metrics", "state")})
RUNNERS.update({(f"{HOW_TO}migrate.md", language): "python/tests/test_migrate.py" for language in ("sh", "python")})
RUNNERS.update({(f"{HOW_TO}{page}.md", "sh"): "checks/stage.sh" for page in ("slurm", "stage")})
RUNNERS.update({
    (f"{HOW_TO}s3.md", "sh"): "checks/s3.sh",
    (f"{HOW_TO}advise.md", "sh"): "checks/advise.py",
    (f"{HOW_TO}many-writers.md", "sh"): "checks/ranks.sh",
    (f"{HOW_TO}images.md", "java"): "image/src/test/java/dev/stoker/image/DocsExampleTest.java",
    ("docs/formats.md", "java"): "cli/src/test/java/dev/stoker/cli/container/FormatsTableTest.java",
    ("docs/formats.md", "python"): "cli/src/test/java/dev/stoker/cli/container/FormatsTableTest.java",
})
# Why blocks of README.md, which is kept short, are not run: by their first line.
REASONS = {
    "git clone … stoker && cd stoker": "it builds Stoker, as ./check does; checks/python-wheel.sh installs the package",
    "import stoker                                          # pip install ./python": "python/tests/test_docs.py runs its lines",
    "#!/bin/bash": "checks/stage.sh runs the same script of docs/how-to/slurm.md",
}
NOT_RUN = re.compile(r"<!-- not run: (.+) -->$")
FENCE = re.compile(r"^```(\S*)(?: (\S+))?$")
SECONDS = 120


class Block(NamedTuple):
    line: int
    language: str
    mark: str
    text: str
    reason: str  # why it is not run; "" if it is


def blocks_of(page: Path) -> Iterator[Block]:
    before, lines = "", iter(enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        fence = FENCE.match(line)
        if not fence:
            before = line
            continue
        text = []
        for _, inner in lines:
            if inner == "```":
                break
            text.append(inner)
        reason = NOT_RUN.match(before)
        known = REASONS.get(text[0], "") if page.name == "README.md" and text else ""
        yield Block(number, fence[1], fence[2] or "", "\n".join(text), reason[1] if reason else known)
        before = ""


def stoker(folder: Path, *words: str) -> None:
    subprocess.run([ROOT / "build/dist/bin/stoker", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def npy(number: int) -> bytes:
    """An array of four floats, as numpy.save writes it."""
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }".ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<4f", *[number] * 4)


def prepare(folder: Path) -> None:
    """What the blocks name, as small as it can be."""
    stoker(folder, "demo", "--to", "demo")
    pictures = sorted((folder / "demo/pictures").glob("*/*.jpg"))[::10]
    for place in ("photos", "more-photos", "ILSVRC", "data/train", "data/val"):
        for picture in pictures:
            target = folder / place / picture.parent.name / (("2-" if place == "more-photos" else "") + picture.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, target)
    names = [f"{picture.parent.name}/{picture.name}" for picture in pictures]
    manifest = "{" + ", ".join(f'"{name}": {number}' for number, name in enumerate(names)) + "}"
    for split in ("train", "val"):
        (folder / f"imagenet_{split}.json").write_text(manifest, encoding="utf-8")
    (folder / "flickr30k/images").mkdir(parents=True)
    rows = ["image_name| comment_number| comment"]
    for picture in pictures:
        shutil.copyfile(picture, folder / "flickr30k/images" / picture.name)
        rows += [f"{picture.name}| {number}| a picture" for number in range(2)]
    (folder / "flickr30k/results.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    shutil.rmtree(folder / "demo")
    for place, suffix, make in (("texts", "txt", b"word %d ".__mod__), ("arrays", "npy", npy), ("many", "txt", b"%d".__mod__)):
        (folder / place).mkdir()
        for number in range(10_000 if place == "many" else 20):
            (folder / place / f"{number:05}.{suffix}").write_bytes(make(number))
    (folder / "shards").mkdir()
    for number in range(147):
        for place in ("", "shards/"):
            with tarfile.open(folder / f"{place}train-{number:04}.tar", "w") as tar:
                tar.add(folder / "texts/00000.txt", f"{number:04}.txt")
    shutil.copyfile(folder / "train-0000.tar", folder / "train.tar")
    for words in ("many -o train.stk", "photos -o train.arrow", "arrays -o train.h5", "photos -o cats.stk"):
        stoker(folder, "pack", *words.split())
    shutil.rmtree(folder / "many")  # each block has a copy of the rest
    for name in ("dogs.stk", "photos.stk"):
        shutil.copyfile(folder / "cats.stk", folder / name)
    stoker(folder, "pack", "--split", "train=photos", "-o", "all.h5")
    (folder / "train.py").write_text("import os\n\nprint(os.environ['STOKER_DATA'])\n", encoding="utf-8")


def run_page(name: str, data: Path) -> int:
    java = os.environ.get("JAVA_HOME", "")
    path = f"{Path(sys.executable).parent}:{ROOT / 'build/dist/bin'}:{java}/bin:{os.environ['PATH']}"
    done = failed = 0
    for block in blocks_of(ROOT / name):
        if block.language != "sh" or block.reason:
            continue
        with tempfile.TemporaryDirectory(prefix="stoker-block-") as scratch:
            folder = Path(scratch) / "work"
            shutil.copytree(data, folder)
            for made in re.findall(r"^stoker (?:pack|convert) .*-o (\S+)", block.text, re.M):
                (folder / made).unlink(missing_ok=True)
            command, environment = ["bash", "-euo", "pipefail", "-c", block.text], dict(os.environ, PATH=path)
            ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)
        done += 1
        if ended.returncode != 0:
            failed += 1
            print(f"FAILED: {name}:{block.line}: ended with {ended.returncode}:\n{block.text}\n{ended.stdout}{ended.stderr}")
    print(f"{name}: {done} shell blocks ran, {failed} failed", flush=True)
    return failed


def main() -> None:
    if sys.argv[1:2] != ["run"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="stoker-blocks-") as scratch:
        prepare(Path(scratch))
        sys.exit(1 if sum(run_page(name, Path(scratch)) for name in sys.argv[2:] or PAGES) else 0)


if __name__ == "__main__":
    main()
