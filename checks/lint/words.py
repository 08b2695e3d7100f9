#!/usr/bin/env python3
"""Looks for the turns of phrase of words.txt in every tracked text: prose, comments, strings.

usage: checks/lint/words.py [FILE ...]     prints FILE:LINE: the phrase, and what to write instead
       checks/lint/words.py --update       writes words-baseline.txt: a file's count may only shrink, new files get none
       checks/lint/words.py --update --new writes it from what is there now, whatever it was

Without arguments it exits with 1 if a file has more findings than words-baseline.txt allows, and prints those of such files alone.
The baseline is for comments: what users read, the texts in Java's src/main (but for formats/ and the test modules), has none.
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PHRASES = HERE / "words.txt"
BASELINE = HERE / "words-baseline.txt"
SUFFIXES = {".md", ".java", ".py", ".sh", ".c", ".xml", ".toml"}
SKIPPED = {"checks/lint/words.txt", "checks/lint/words.py", "checks/lint/words-baseline.txt", "checks/lint/self_test.py"}

# What a blank in a phrase stands for: blanks, or the end of a line and what begins the next one in a comment, a quotation or a
# string that goes on there.
GAP = r"""(?:[ \t]+|[ \t]*(?:["'][ \t]*[+,]?)?[ \t]*\n[ \t]*(?:\*|//+|\#+|>)?[ \t]*(?:\+[ \t]*)?f?["']?[ \t]*)"""
# Comments and literals of Java and C.
JAVA = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


# Whose strings users read.
SHOWN = re.compile(r"(?!formats/|fuzz/|testkit/).*/src/main/.*\.java")


class Finding(NamedTuple):
    line: int
    phrase: str
    suggestion: str
    in_string: bool


def read_phrases():
    """A list of (literal, pattern, suggestion): what does not have the literal cannot match."""
    phrases = []
    for number, line in enumerate(PHRASES.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        expression, tab, suggestion = line.partition("\t")
        if not tab or not suggestion:
            sys.exit(f"{PHRASES.name}:{number}: should be an expression, a tab and a suggestion")
        try:
            phrases.append((literal_of(expression), compile_phrase(expression), suggestion))
        except re.error as error:
            sys.exit(f"{PHRASES.name}:{number}: {error}")
    return phrases


def compile_phrase(expression):
    # A look-behind has a fixed width and brackets hold letters, so a blank in these is only a blank.
    parts = re.split(r"(\(\?<[!=][^()]*\)|\[[^\]]*\])", expression)
    with_gaps = "".join(part if part.startswith(("(?<!", "(?<=", "[")) else part.replace(" ", GAP) for part in parts)
    return re.compile(with_gaps, re.IGNORECASE | re.MULTILINE)


def literal_of(expression):
    """The longest word that every match has, or nothing: looking for it first is much faster."""
    inner = None
    while inner != expression:
        inner, expression = expression, re.sub(r"\((?:[^()\\]|\\.)*\)[?*]?|\{[^}]*\}", " ", expression)
    expression = re.sub(r"\[[^\]]*\]|\\.|.[?*]", " ", expression)
    return "" if "|" in expression else max(re.findall(r"[a-z]+", expression.lower()), key=len, default="")


def prose_of(path, text):
    """The text with its code blanked out, so that names of variables are no findings; lines stay where they are."""
    if path.suffix in (".java", ".c"):
        return keep(text, ((m.start(), m.end()) for m in JAVA.finditer(text)))
    if path.suffix == ".py":
        try:
            return keep(text, python_spans(text))
        except (tokenize.TokenError, SyntaxError):
            return text
    return text


def python_spans(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    # Since 3.12 an f-string is several tokens.
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds:
            yield starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]


def keep(text, spans):
    kept, end = [], 0
    for start, stop in spans:
        kept.append(re.sub(r"[^\s+]", "\0", text[end:start]))
        kept.append(text[start:stop])
        end = stop
    kept.append(re.sub(r"[^\s+]", "\0", text[end:]))
    return "".join(kept)


def findings_of(path, phrases):
    whole = path.read_text(encoding="utf-8")
    text = prose_of(path, whole)
    strings = string_spans(whole) if path.suffix == ".java" else []
    lower = text.lower()
    found = set()
    for literal, pattern, suggestion in phrases:
        for match in () if literal not in lower else pattern.finditer(text):
            if match.group():
                shown = " ".join(re.sub(r"\n\s*(?:\*|//+|#+|>)?", " ", match.group()).split())
                in_string = any(start <= match.start() < end for start, end in strings)
                found.add(Finding(text.count("\n", 0, match.start()) + 1, shown, suggestion, in_string))
    return sorted(found)


def string_spans(text):
    """Where the string literals of a Java file are."""
    return [match.span() for match in JAVA.finditer(text) if match.group().startswith('"')]


def is_shown(name, finding):
    return finding.in_string and SHOWN.fullmatch(name) is not None


def tracked(root):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        path = root / name
        if name in SKIPPED or not path.is_file():
            continue
        if path.suffix in SUFFIXES or (not path.suffix and is_script(path)):
            yield name, path


def is_script(path):
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def read_baseline():
    allowed = {}
    if BASELINE.exists():
        for line in BASELINE.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                name, _, count = line.partition("\t")
                allowed[name] = int(count)
    return allowed


def write_baseline(counts):
    lines = ["# Findings of words.py that a file may still have; made by: checks/lint/words.py --update"]
    lines += [f"{name}\t{count}" for name, count in sorted(counts.items()) if count]
    BASELINE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments):
    phrases = read_phrases()
    root = HERE.parent.parent
    named = [argument for argument in arguments if not argument.startswith("--")]
    if set(arguments) - set(named) - {"--update", "--new"}:
        sys.exit(__doc__)
    if named:
        total = 0
        for name in named:
            for finding in findings_of(Path(name), phrases):
                print(f"{name}:{finding.line}: '{finding.phrase}': {finding.suggestion}")
                total += 1
        return 1 if total else 0
    all_found = {name: findings_of(path, phrases) for name, path in tracked(root)}
    shown = {name: [each for each in findings if is_shown(name, each)] for name, findings in all_found.items()}
    found = {name: [each for each in findings if not is_shown(name, each)] for name, findings in all_found.items()}
    allowed = read_baseline()
    total = sum(len(each) for each in found.values())
    if "--update" in arguments:
        fresh = "--new" in arguments
        counts = {name: len(each) if fresh else min(len(each), allowed.get(name, 0)) for name, each in found.items()}
        write_baseline(counts)
        print(f"{len(found)} files, {total} findings, {sum(counts.values())} allowed")
        return 0
    worse = {name: each for name, each in found.items() if len(each) > allowed.get(name, 0)}
    for name, each in worse.items():
        for finding in each:
            print(f"{name}:{finding.line}: '{finding.phrase}': {finding.suggestion}")
        print(f"{name}: {len(each)} findings, {allowed.get(name, 0)} allowed")
    in_strings = [(name, finding) for name, each in shown.items() for finding in each]
    for name, finding in in_strings:
        print(f"{name}:{finding.line}: '{finding.phrase}' in a text that users read: {finding.suggestion}")
    shrunk = sum(1 for name, count in allowed.items() if len(found.get(name, ())) < count)
    if shrunk:
        print(f"{shrunk} files have fewer findings than words-baseline.txt allows; checks/lint/words.py --update takes note of it")
    print(f"{len(found)} files, {total} findings, {len(worse)} files with more than they may have, {len(in_strings)} in texts")
    return 1 if worse or in_strings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
