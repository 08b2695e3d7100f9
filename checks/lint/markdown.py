#!/usr/bin/env python3
"""Checks every tracked Markdown file: line length, links and anchors, code fences, headings.

usage: checks/lint/markdown.py [FILE ...]     (by default all that Git tracks)

Prints FILE:LINE: what is wrong. Exits with 1 if there is a finding.
"""

import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from urllib.parse import unquote

COLUMNS = 128
FENCE = re.compile(r"^\s*(?:[-*+>] +|\d+\. +)?(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
CLOSING = re.compile(r"^\s*(`{3,}|~{3,})\s*$")
LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
HEADING = re.compile(r"^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
REFERENCE = re.compile(r"^ {0,3}\[([^\]^][^\]]*)\]:\s+<?(\S+?)>?(?:\s+[\"'(].*)?\s*$")
# [text](target "title"), where text may hold one level of brackets, as a picture in a link does.
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\](?:\([^()]*\))?)*\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
PICTURE = re.compile(r"!\[[^\[\]]*\]\(\s*<?([^()\s<>]+)>?[^()]*\)")
BY_REFERENCE = re.compile(r"\[[^\[\]]+\]\[([^\[\]]*)\]")
ONE_LINK = re.compile(r"^\s*(?:[-*+] +|\d+\. +)?(?:!?\[.*\]\([^()]*\)|<?https?://\S+>?|\[[^\]]+\]:\s+\S+)[.,;:]?\s*$")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
HTML_ANCHOR = re.compile(r"<a\s+(?:id|name)=[\"']([^\"']+)[\"']")
SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:|^//")


class Page:
    """A Markdown file: its lines of text, with the code left out, and the anchors that other pages can point to."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.prose = []  # (number, line), without code blocks
        self.anchors = set()
        self.titles = []
        self._counts = {}
        self._plain = None  # (number, info) of the first fence without a language
        self._read(path.read_text(encoding="utf-8").split("\n"))

    def _read(self, lines):
        opened = None  # (number, mark)
        before = ""
        comment = in_list = indented = False
        for number, line in enumerate(lines, 1):
            if opened:
                closing = CLOSING.match(line)
                if closing and closing.group(1)[0] == opened[1][0] and len(closing.group(1)) >= len(opened[1]):
                    opened = None
                continue
            fence = FENCE.match(line)
            if fence:
                opened = (number, fence.group("mark"))
                self._info(number, fence.group("info").strip())
                before = ""
                continue
            indented = not in_list and line.startswith("    ") and (indented or not before.strip())
            if comment or line.lstrip().startswith("<!--"):
                comment = "-->" not in line
                line = ""
            elif LIST_ITEM.match(line):
                in_list = True
            elif line.strip() and not line.startswith(" ") and not before.strip():
                in_list = False
            if not indented:
                self.prose.append((number, line))
                self._heading(number, line, before)
            before = line
        if opened:
            self.problems.append((opened[0], "this code fence is never closed"))

    def _info(self, number, info):
        """A fence names a language, which a mark for the tests may follow. Without one it says `text` or nothing, all alike."""
        if info and not re.match(r"^[a-z][a-z0-9+#-]*(\s|$)", info):
            self.problems.append((number, f"the code fence says '{info}', should say a language in lower case"))
        if info in ("", "text"):
            self._plain = self._plain or (number, info)
            if self._plain[1] != info:
                self.problems.append((number, f"the code fence says '{info}', but the one on line {self._plain[0]} '{self._plain[1]}'"))

    def _heading(self, number, line, before):
        heading = HEADING.match(line)
        if heading:
            level, text = len(heading.group(1)), heading.group(2) or ""
        elif UNDERLINE.match(line) and before.strip() and not before.lstrip().startswith(("|", "-", "*", ">", "#")):
            level, text, number = 1 if line.lstrip()[0] == "=" else 2, before.strip(), number - 1
        else:
            for anchor in HTML_ANCHOR.findall(line):
                self.anchors.add(anchor)
            return
        if level == 1:
            self.titles.append(number)
        slug = slug_of(text)
        count = self._counts.get(slug, 0)
        self._counts[slug] = count + 1
        self.anchors.add(f"{slug}-{count}" if count else slug)


def slug_of(heading):
    """The anchor that GitHub gives a heading: lower case, punctuation dropped, each blank a hyphen."""
    text = re.sub(r"!\[([^\]]*)\]\([^()]*\)", "", heading)
    text = re.sub(r"\[([^\]]*)\]\([^()]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    spans = []

    def keep(span):
        spans.append(span.group(2))
        return f"\0{len(spans) - 1}\0"

    text = CODE_SPAN.sub(keep, text)
    text = re.sub(r"(\*\*|__|\*|(?<!\w)_|_(?!\w))", "", text)
    text = re.sub(r"\0(\d+)\0", lambda m: spans[int(m.group(1))], text)
    kept = []
    for letter in text.strip().lower():
        if letter in " -_":
            kept.append("-" if letter == " " else letter)
        elif unicodedata.category(letter)[0] in "LN" or unicodedata.category(letter) in ("Mn", "Mc", "Pc"):
            kept.append(letter)
    return "".join(kept)


def check_length(page):
    for number, line in page.prose:
        if len(line) > COLUMNS and not line.lstrip().startswith("|") and not ONE_LINK.match(line):
            yield number, f"{len(line)} columns, should be {COLUMNS} at most"


def check_titles(page):
    if not page.titles:
        yield 1, "no title: there should be one heading of level 1"
    for number in page.titles[1:]:
        yield number, f"a second heading of level 1; the first is on line {page.titles[0]}"


def links_of(page):
    """The (number, target) of every link. A link may be broken over two lines."""
    names = {}
    text, starts = "", []
    for number, line in page.prose:
        reference = REFERENCE.match(line)
        if reference:
            names[reference.group(1).lower()] = reference.group(2)
            yield number, reference.group(2)
            line = ""
        starts.append((len(text), number))
        text += line + "\n"
    text = CODE_SPAN.sub(lambda m: "x" * len(m.group(0)), text)

    def line_at(place):
        return max(number for start, number in starts if start <= place)

    for pattern in (LINK, PICTURE):
        for link in pattern.finditer(text):
            yield line_at(link.start()), link.group(1)
    for link in BY_REFERENCE.finditer(text):
        if link.group(1) and link.group(1).lower() not in names and not link.group(1).isdigit():
            yield line_at(link.start()), None


def check_links(page, pages, root):
    for number, target in sorted(set(links_of(page)), key=str):
        if target is None:
            yield number, "a link by reference to a name that is not defined"
            continue
        if SCHEME.match(target):
            continue
        name, _, anchor = target.partition("#")
        name = unquote(name)
        if not name:
            goal = page.path
        else:
            goal = (root / name.lstrip("/") if name.startswith("/") else page.path.parent / name).resolve()
        if not goal.exists():
            yield number, f"the link to {target}: no such file"
        elif anchor and goal.suffix == ".md":
            if goal not in pages:
                pages[goal] = Page(goal)
            if unquote(anchor) not in pages[goal].anchors:
                yield number, f"the link to {target}: no heading with this anchor"


def main(arguments):
    root = Path(subprocess.run(["git", "rev-parse", "--show-toplevel"], check=True, capture_output=True, text=True).stdout.strip())
    if arguments:
        paths = [Path(argument).resolve() for argument in arguments]
    else:
        listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=root, check=True, capture_output=True, text=True).stdout
        paths = [root / name for name in listed.split("\0") if name and (root / name).exists()]
    pages = {path: Page(path) for path in paths}
    found = 0
    for path in paths:
        page = pages[path]
        problems = set(page.problems)
        problems.update(check_length(page), check_titles(page), check_links(page, pages, root))
        shown = path.relative_to(root) if root in path.parents else path
        for number, problem in sorted(problems):
            print(f"{shown}:{number}: {problem}")
        found += len(problems)
    print(f"{len(paths)} Markdown files, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
