"""Loaders that are opened soon after each other on a folder of loose files see what is in it now."""

from pathlib import Path
from typing import List

import stoker


def keys(folder: Path) -> List[str]:
    with stoker.Loader(folder, batch_size=2, seed=1, bad="skip") as loader:
        return sorted(key for batch in loader for key in batch["key"])


def test_a_second_loader_sees_the_files_of_now(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    (folder / "cat").mkdir(parents=True)
    for i in range(4):
        (folder / "cat" / f"{i}.txt").write_bytes(b"text")
    with stoker.Loader(folder, batch_size=2, seed=1, bad="skip") as first:
        assert len(first) == 2
        for i in range(5):
            (folder / "cat" / f"{i}.txt").write_bytes(b"other text")
        assert keys(folder) == [f"cat/{i}.txt" for i in range(5)]
