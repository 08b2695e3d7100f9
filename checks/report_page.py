"""Looks at a report of stoker bench in a headless browser: python3 report_page.py BROWSER REPORT.html FOLDER

The page itself has no script. It is shown in a frame of some width, and a script around the frame measures what is there.
"""
import html
import json
import pathlib
import re
import subprocess
import sys

WIDTHS = {"phone": 390, "tablet": 768, "desktop": 1280}
QUESTIONS = ["Which format, and which settings?", "What does mapping the file change?",
             "What does a fixed sample length change?", "What does shuffling change?",
             "What do more workers change?"]
MEASURE = """
<!DOCTYPE html><meta charset="utf-8"><body><iframe id="frame" width="%d" height="900" srcdoc="%s"></iframe><script>
const frame = document.getElementById("frame");
frame.onload = () => {
  const page = frame.contentDocument, root = page.documentElement, box = e => e.getBoundingClientRect();
  const empty = [...page.querySelectorAll(".chart, .curves, svg, .track, article")]
    .filter(e => box(e).width < 5 || box(e).height < 5).length;
  const out = [...page.querySelectorAll("h1, h2, h3, p, li, .label, .value, article, figure")]
    .filter(e => box(e).right > root.clientWidth + 1).map(e => e.textContent.slice(0, 40));
  const style = frame.contentWindow.getComputedStyle(page.body);
  document.title = JSON.stringify({width: root.clientWidth, scroll: root.scrollWidth, empty, out,
    charts: page.querySelectorAll(".chart").length, bars: page.querySelectorAll(".bar").length,
    curves: page.querySelectorAll("svg polyline").length, cells: page.querySelectorAll(".heat td").length,
    articles: [...page.querySelectorAll("article")].map(e => e.innerText), h1: page.querySelector("h1").innerText,
    lead: page.querySelector(".lead").innerText, ink: style.color, paper: style.backgroundColor});
};
</script>"""


def browse(browser, page, profile, *options):
    """The page's DOM, and what the browser said of its console."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--log-level=0",
               f"--user-data-dir={profile}", "--virtual-time-budget=5000", *options, "--dump-dom", f"file://{page}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def luminance(colour):
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3


def main():
    browser, report, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    text = report.read_text(encoding="utf-8")
    assert not re.search(r"<script|http|src=|url\(", text), "the page should need nothing beside itself"
    _, console = browse(browser, report, folder / "profile")
    assert not console, f"the console says {console}"
    for scheme, setting in (("light", 1), ("dark", 0)):
        for name, width in WIDTHS.items():
            page = folder / "frame.html"
            page.write_text(MEASURE % (width, html.escape(text)), encoding="utf-8")
            dom, console = browse(browser, page, folder / "profile", f"--blink-settings=preferredColorScheme={setting}",
                                  "--window-size=1400,1000")
            found = json.loads(html.unescape(re.search("<title>(.*?)</title>", dom, re.S).group(1)))
            where = f"{name}, {scheme}"
            assert not console, f"{where}: the console says {console}"
            assert found["scroll"] <= found["width"], f"{where}: {found['scroll']} pixels on {found['width']}"
            assert not found["out"], f"{where}: sticks out: {found['out']}"
            assert found["empty"] == 0, f"{where}: {found['empty']} charts have no size"
            for kind in ("charts", "bars", "curves", "cells"):
                assert found[kind] >= 5, f"{where}: {found[kind]} {kind}"
            assert found["h1"] == QUESTIONS[0] and "samples/s" in found["lead"], f"{where}: {found['lead']}"
            for question in QUESTIONS[1:]:
                answer = [each for each in found["articles"] if each.startswith(question)]
                assert answer and len(answer[0]) > len(question) + 20, f"{where}: no answer to '{question}'"
            dark = luminance(found["paper"]) < luminance(found["ink"])
            assert dark == (scheme == "dark"), f"{where}: {found['ink']} on {found['paper']}"
            print(f"{where}: {found['charts']} charts, {found['bars']} bars, {found['curves']} curves, nothing sticks out")


main()
