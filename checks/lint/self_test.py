#!/usr/bin/env python3
"""Tests of markdown.py, words.py, blocks.py and messages.py: each kind of finding is found, and good text is not.

usage: checks/lint/self_test.py
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks  # noqa: E402
import markdown  # noqa: E402
import messages  # noqa: E402
import words  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import docs_blocks  # noqa: E402


class MarkdownTest(unittest.TestCase):
    def problems(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder).resolve() / "page.md"
            path.write_text(text, encoding="utf-8")
            page = markdown.Page(path)
            checks = (markdown.check_length(page), markdown.check_titles(page), markdown.check_links(page, {}, path.parent))
            return sorted(page.problems + [each for check in checks for each in check])

    def test_good_text(self):
        long = "x" * 200
        text = f"# T\n\n| {long} |\n\n```sh mark\n{long} [a](no.md)\n```\n\n[{long}](#t)\n\n    {long}\n\n`[a](no.md)`\n"
        self.assertEqual(self.problems(text), [])

    def test_findings(self):
        for text, line in (
            ("# T\n\n" + "x" * 129, 3),
            ("# T\n\n[a](no.md)", 3),
            ("# T\n\n[a](#no)", 3),
            ("# T\n\n[a\nb](#no)", 3),
            ("# T\n\n# U", 3),
            ("text", 1),
            ("# T\n\n```\nopen", 3),
            ("# T\n\n```Shell\n```", 3),
            ("# T\n\n```\n```\n\n```text\n```", 6),
        ):
            with self.subTest(text):
                self.assertEqual([number for number, _ in self.problems(text)], [line])

    def test_anchors(self):
        self.assertEqual(markdown.slug_of("How `stoker pack` works, and why"), "how-stoker-pack-works-and-why")
        self.assertEqual(markdown.slug_of("[Über](x.md) **uns** & `--force`"), "über-uns----force")


class BlocksTest(unittest.TestCase):
    def problems(self, page, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(text, encoding="utf-8")
            return [block.line for block in docs_blocks.blocks_of(path) if blocks.problem_of(page, block)]

    def test_findings(self):
        for page, text, lines in (
            ("docs/new.md", "# T\n\n```sh\nls\n```\n", [3]),
            ("docs/new.md", "# T\n\n```\nstoker pack a -o b\n```\n", [3]),
            ("docs/new.md", "# T\n\n```\nb: 3 samples\n```\n```json\n{}\n```\n", []),
            ("docs/new.md", "<!-- not run: slow -->\n```sh\nls\n```\n```sh\nls\n```\n", [5]),
            ("docs/how-to/slurm.md", "```sh single\nls\n```\n```sh unheard-of\nls\n```\n```sh\nls\n```\n", [4, 7]),
            ("docs/how-to/pack.md", "```sh\nls\n```\n", []),
        ):
            with self.subTest(text):
                self.assertEqual(self.problems(page, text), lines)


class MessagesTest(unittest.TestCase):
    def test_share(self):
        texts = "the reader process has ended: it was killed"
        self.assertEqual(messages.share_of("[F] the reader process has ended: …", texts), 1)
        self.assertEqual(messages.share_of("the reader has stopped: it was shot", texts), 0)

    def test_quotes(self):
        page = "# T\n\n### A\n`one two three\nfour`, `short`\n\n- `not a message of it`\n"
        self.assertEqual(list(messages.quotes(page)), [(4, "one two three four")])


class WordsTest(unittest.TestCase):
    def found(self, text, suffix):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ("text" + suffix)
            path.write_text(text, encoding="utf-8")
            return [(each.line, each.phrase) for each in words.findings_of(path, words.read_phrases())]

    def test_findings(self):
        self.assertEqual(self.found("one\nwrite it Anew\n", ".md"), [(2, "Anew")])
        self.assertEqual(self.found("/**\n * It is gone on\n * with.\n */\n", ".java"), [(2, "gone on with")])
        self.assertEqual(self.found('x = ("it is there "\n     "already")\n', ".py"), [(1, 'is there " "already')])

    def test_ends_of_sentences(self):
        self.assertEqual(self.found("It is not written over; 5 bytes in all.\n", ".md"), [(1, "in all"), (1, "written over")])
        self.assertEqual(self.found("It is sent over a pipe, in all modules. It was written over NFS.\n", ".md"), [])

    def test_texts_have_no_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "A.java"
            path.write_text('/** Written anew. */\nString a = "written anew";\n', encoding="utf-8")
            comment, text = words.findings_of(path, words.read_phrases())
        name = "core/src/main/java/A.java"
        self.assertEqual((comment.in_string, text.in_string), (False, True))
        self.assertTrue(words.is_shown(name, text))
        self.assertFalse(words.is_shown(name, comment))
        self.assertFalse(words.is_shown("formats/src/main/java/A.java", text))
        self.assertFalse(words.is_shown("core/src/test/java/A.java", text))

    def test_code_is_not_prose(self):
        self.assertEqual(self.found("boolean anew = true;\n", ".java"), [])
        self.assertEqual(self.found("anew = 1\n", ".py"), [])

    def test_good_english(self):
        self.assertEqual(self.found("There is no such file. It is no longer left behind. A size such as 1%.\n", ".md"), [])


if __name__ == "__main__":
    unittest.main()
