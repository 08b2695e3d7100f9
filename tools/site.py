#!/usr/bin/env python3
"""Puts the pages of the documentation site together: docs/, and the Markdown files beside it, such as README.md.

usage: tools/site.py FOLDER

Links keep working in the repository and on the site: one to a page is turned to where that page is on the site, and one to
any other file of the repository, which the site does not have, becomes the file's name.
"""

import re
import shutil
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-contact.md",
    "LICENSE": "license.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(\s*(?:```|~~~))(.*)$")
# What only the site has.
PYTHON_API = "<!-- site: the Python API -->"
JAVADOC = "<!-- site: the Javadoc -->"
JAVADOC_LINK = '<a href="../javadoc/index.html">Open the Javadoc</a>'


def place(source):
    """Where a file of the repository is on the site; None if the site does not have it."""
    name = str(source)
    if name in OUTSIDE:
        return PurePosixPath(OUTSIDE[name])
    if name.startswith("docs/") and (ROOT / name).is_file():
        return PurePosixPath(name[len("docs/") :])
    return None


def resolve(page, target):
    """A link's target as a path from the root of the repository."""
    parts = []
    for part in (page.parent / target).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts) if parts else PurePosixPath(".")


def relative(page, target):
    """The way from one page of the site to another."""
    up = len(page.parent.parts)
    return "../" * up + str(target)


def rewrite(page, text):
    here = place(page)

    def link(match):
        bang, label, target = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match.group(0)
        path, hash_, anchor = target.partition("#")
        source = resolve(page, path)
        there = place(source)
        if there is None and (ROOT / source / "README.md").is_file():
            there = place(source / "README.md")
        if there is None:
            return label if label.startswith("`") else f"{label} (`{source}`)"
        return f"{bang}[{label}]({relative(here, there)}{hash_}{anchor})"

    lines, fence = [], None
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark.group(1).strip()
            # A block may have a name, by which a test finds it; the site would take that for a mistake.
            lines.append(mark.group(1) + mark.group(2).split(" ")[0])
        elif mark and mark.group(1).strip() == fence and not mark.group(2).strip():
            fence = None
            lines.append(line)
        else:
            lines.append(line if fence else LINK.sub(link, line))
    return "\n".join(lines) + "\n"


def python_api():
    """A directive for each public name."""
    source = (ROOT / "python/src/stoker/__init__.py").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)"', source[source.index("__all__") :])
    return "".join(f"::: stoker.{name}\n\n" for name in names)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    sources = [PurePosixPath(name) for name in OUTSIDE]
    sources += [PurePosixPath(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*")) if path.is_file()]
    for source in sources:
        target = folder / place(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = (ROOT / source).read_text(encoding="utf-8")
            text = text.replace(PYTHON_API, python_api()).replace(JAVADOC, JAVADOC_LINK)
            target.write_text(rewrite(source, text), encoding="utf-8")
        elif source.name == "LICENSE":
            target.write_text("# License\n\n```text\n" + (ROOT / source).read_text(encoding="utf-8") + "```\n", encoding="utf-8")
        else:
            shutil.copyfile(ROOT / source, target)


main()
