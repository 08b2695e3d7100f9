#!/usr/bin/env python3
"""Every code block of README.md and docs/ is run by a test, or says why it is not.

usage: checks/lint/blocks.py

checks/docs_blocks.py has the table of tests, and runs what no other test does. Prints FILE:LINE: what is wrong.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import docs_blocks  # noqa: E402

LANGUAGES = ("sh", "bash", "python", "java")
COMMAND = re.compile(r"(?:stoker [a-z]+ \S|\./stoker |python3 |pip |git |srun |sbatch )")
# Made from the help, and compared with it.
MADE = "docs/reference/commands.md"


def problem_of(page, block):
    if not block.language and COMMAND.match(block.text):
        return "these are commands; name the language sh"
    if block.language not in LANGUAGES or block.reason:
        return None
    runner = docs_blocks.RUNNERS.get((page, block.language))
    if runner is None:
        return "no test runs this block; add it to RUNNERS in checks/docs_blocks.py, or say <!-- not run: REASON --> above it"
    text = (docs_blocks.ROOT / runner).read_text(encoding="utf-8")
    if runner.startswith("checks/") and block.mark and block.language == "sh":
        runs_all = runner in ("checks/docs_pages.py", "checks/advise.py")
        is_named = re.search(rf"(?<![\w-]){re.escape(block.mark)}(?![\w-])", text)
        return None if runs_all or is_named else f"{runner} doesn't name the block '{block.mark}'"
    if runner.endswith((".sh", "advise.py")) and not block.mark:
        return f"{runner} finds blocks by their mark, and this one has none"
    return None


def main():
    pages = [docs_blocks.ROOT / "README.md", *sorted((docs_blocks.ROOT / "docs").rglob("*.md"))]
    count = found = 0
    for path in pages:
        page = str(path.relative_to(docs_blocks.ROOT))
        for block in () if page == MADE else docs_blocks.blocks_of(path):
            count += block.language in LANGUAGES
            problem = problem_of(page, block)
            if problem:
                found += 1
                print(f"{page}:{block.line}: {problem}")
    print(f"{count} code blocks, {found} without a test")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
