#!/usr/bin/env python3
"""The messages that docs/troubleshooting.md quotes are messages of the sources.

usage: checks/lint/messages.py

A quote has values of an example, such as file names and numbers, so it is not compared as a whole: most of its words are in
pieces of at least three words that are in a text of the sources as they are. Prints the quotes whose words are not.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/troubleshooting.md"
SOURCES = re.compile(r"(?:.*/src/main/.*\.(?:java|sh)|python/src/.*\.py|tools/[^/]*\.sh|stoker)$")
# Said by others: the JVM, Python, the kernel.
FOREIGN = ("Using incubator modules", "object is not subscriptable", "Transport endpoint is not connected")
FOREIGN += ("ValueError", "No such file or directory", "Permission denied")
SHARE = 0.6  # of the words; the others are values
RUN = 3


def corpus():
    """All texts of the sources, each literal joined with the next one if nothing is between them."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names if SOURCES.match(name))
    text = re.sub(r'"\s*\+?\s*(?:#[^\n]*\n\s*)?[fr]?"', "", text.replace('\\"', "'"))
    return " ".join(text.split())


def quotes(page):
    """(line, quote) of each message: the code between a heading and the cause."""
    for entry in re.finditer(r"^### .*\n+((?:.+\n)+)", page, re.MULTILINE):
        line = page.count("\n", 0, entry.start(1)) + 1
        for quote in re.findall(r"`([^`]+)`", entry[1]):
            if len(quote.split()) >= RUN:
                yield line, " ".join(quote.split())


def share_of(quote, texts):
    """How much of a quote is in the texts: of its words, without those that are values by their looks."""
    covered = total = 0
    for piece in re.split(r"…|\[[^\]]*\]|\(\w+\)|'[^']*'|\b[\d.,]+\b|\b[NM]\b", quote):
        words = piece.strip(" ;:,.()").split()
        total += len(words)
        start = 0
        while start < len(words):
            end = len(words)
            while end > start and " ".join(words[start:end]) not in texts:
                end -= 1
            if end - start >= min(RUN, len(words)):
                covered += end - start
            start = max(end, start + 1)
    return covered / total if total else 1.0


def main():
    texts = corpus()
    count = found = 0
    for line, quote in quotes(PAGE.read_text(encoding="utf-8")):
        count += 1
        share = share_of(quote, texts)
        if "-v" in sys.argv:
            print(f"{share:.2f} {quote}")
        if share < SHARE and not any(part in quote for part in FOREIGN):
            found += 1
            print(f"{PAGE.relative_to(ROOT)}:{line}: {share:.0%} of '{quote}' is in the sources; the message says something else now")
    print(f"{count} messages, {found} unknown")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
