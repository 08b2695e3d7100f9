"""Checks the documentation site.

usage: docs_pages.py links HTML              every link within the site leads to a page, and to a place on it
       docs_pages.py tutorials ROOT          the commands and programs of the tutorials, in their order
       docs_pages.py look HTML BROWSER       some pages at three widths, light and dark: nothing sticks out
"""

from __future__ import annotations

import html
import http.server
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Dict, List, Set, Tuple
from urllib.parse import unquote, urlsplit

WIDTHS = {"phone": 390, "tablet": 768, "desktop": 1280}
LOOKED_AT = ("index.html", "tutorials/first-pack.html", "reference/commands.html", "reference/python.html", "formats.html")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEASURE = """
<!DOCTYPE html><meta charset="utf-8"><body><iframe id="frame" width="%d" height="900" src="/%s"></iframe><script>
const frame = document.getElementById("frame");
frame.onload = () => setTimeout(() => {
  const page = frame.contentDocument, root = page.documentElement;
  const title = page.querySelector("h1"), style = frame.contentWindow.getComputedStyle(page.body);
  document.title = JSON.stringify({width: root.clientWidth, scroll: root.scrollWidth, title: title ? title.innerText : "",
    text: page.querySelector("article, main").innerText.length, ink: style.color, paper: style.backgroundColor,
    broken: [...page.images].filter(e => e.complete && e.naturalWidth === 0).map(e => e.src)});
}, 500);
</script>"""


class Page(HTMLParser):
    """The links of a page, and what they can point to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: List[str] = []
        self.anchors: Set[str] = {""}
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def check_links(root: Path) -> int:
    pages: Dict[Path, Page] = {file: Page(file) for file in root.rglob("*.html") if root / "javadoc" not in file.parents}
    dead = []
    count = 0
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "404.html":
                continue
            count += 1
            path = unquote(parts.path)
            target = (file.parent / path).resolve() if path else file
            if target.is_dir():
                target /= "index.html"
            known = pages.get(target)
            if not target.exists():
                dead.append(f"{file.relative_to(root)}: {link} leads nowhere")
            elif known and unquote(parts.fragment) not in known.anchors and not parts.fragment.startswith("__"):
                dead.append(f"{file.relative_to(root)}: {link}: the page has no such place")
    print("\n".join(sorted(set(dead))[:40]) or f"{count} links of {len(pages)} pages lead to where they should")
    return len(dead)


def run_tutorial(page: Path, root: Path) -> int:
    """Blocks of a shell run, those with a name become files, and programs run as they are."""
    folder = Path(tempfile.mkdtemp(prefix="stoker-docs-"))
    environment = dict(os.environ, PATH=f"{root / 'build/dist/bin'}:{os.environ['PATH']}", PYTHONPATH=str(root / "python/src"))
    environment["PYTHONWARNINGS"] = "error::SyntaxWarning"
    done = 0
    try:
        for language, name, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if name.startswith("examples/"):
                assert text.strip() in ("", (root / name).read_text(encoding="utf-8").strip()), f"{page}: differs from {name}"
                shutil.copyfile(root / name, folder / "train.py")
                continue
            if name:
                (folder / name).write_text(text, encoding="utf-8")
                continue
            if language == "python":
                command = [sys.executable, "-c", text]
            elif language == "sh":
                needs_torch = "python3 train.py" in text and "import torch" in (folder / "train.py").read_text("utf-8")
                if (needs_torch and not importlib.util.find_spec("torch")) or "sbatch" in text:
                    print(f"skipped: {page.name}: {text.splitlines()[0]}: needs PyTorch or Slurm")
                    continue
                command = ["bash", "-euc", text.replace("python3 ", f"{sys.executable} ")]
            else:
                continue
            ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
            if ended.returncode != 0:
                print(f"{page.name}: {text}\nended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
                return 1
            done += 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{page.name}: {done} blocks ran")
    return 0 if done else 1


def browse(browser: str, page: str, profile: Path, *options: str) -> str:
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    command += ["--virtual-time-budget=8000", "--window-size=1400,1000", *options, "--dump-dom", page]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def luminance(colour: str) -> float:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3


def look(root: Path, browser: str) -> int:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with tempfile.TemporaryDirectory() as scratch, http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(root))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        frame = root / "frame.html"
        wrong = 0
        try:
            for page in LOOKED_AT:
                for name, width in WIDTHS.items():
                    for scheme, setting in (("light", 1), ("dark", 0)):
                        frame.write_text(MEASURE % (width, page), encoding="utf-8")
                        address = f"http://127.0.0.1:{server.server_port}/frame.html"
                        dom = browse(browser, address, Path(scratch) / scheme, f"--blink-settings=preferredColorScheme={setting}")
                        found = json.loads(html.unescape(re.search("<title>(.*?)</title>", dom, re.S).group(1)))
                        dark = luminance(found["paper"]) < luminance(found["ink"])
                        problems = [
                            text
                            for text, is_wrong in (
                                (f"{found['scroll']} pixels on {found['width']}", found["scroll"] > found["width"]),
                                (f"pictures {found['broken']}", bool(found["broken"])),
                                ("it is nearly empty", found["text"] < 500 or not found["title"]),
                                (f"{found['ink']} on {found['paper']}", dark != (scheme == "dark")),
                            )
                            if is_wrong
                        ]
                        wrong += len(problems)
                        for problem in problems:
                            print(f"{page}, {name}, {scheme}: {problem}")
        finally:
            frame.unlink(missing_ok=True)
            server.shutdown()
    print(f"{len(LOOKED_AT)} pages at {len(WIDTHS)} widths, light and dark: {wrong} problems")
    return wrong


def main() -> None:
    part, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    if part == "links":
        wrong = check_links(folder)
    elif part == "tutorials":
        wrong = sum(run_tutorial(page, folder) for page in sorted((folder / "docs/tutorials").glob("*.md")))
    else:
        wrong = look(folder, sys.argv[3])
    sys.exit(1 if wrong else 0)


main()
