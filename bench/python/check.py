"""./bench-check: compares a few ratios with those that are kept in bench/ratios.json, and says which have become worse.

    ./bench-check [--only TEXT] [--list] [--update] [--data DIR]

--only TEXT    only figures with this text in their name
--list         the figures that are kept, and the command that makes each
--update       keep what is found now: three runs of each command, their medians, and how far they spread
--data DIR     photos instead of the pictures that are drawn; the kept figures are of those

Every figure is a ratio within one run: to a bare copy of the same bytes, to GNU tar, to a Python library, to libjpeg-turbo. One that
seems worse than its spread allows is measured twice more, and the median counts, since machines have other things to do as well.
Exit code: 0 if nothing is worse, 1 if something is, or could not be measured. What needs a program that is not installed is skipped, and so is what needs
classes that ./check compiles.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

import core
import figures
from measure import ROOT, STOKER

KEPT = f"{ROOT}/bench/ratios.json"
WORK = f"{ROOT}/build/bench-check"
PICTURES = 4000
LEAST_SPREAD = 0.1
RUNS = 3


def places(data):
    """Pictures that are the same on every machine: those of the demo, again and again."""
    os.makedirs(WORK, exist_ok=True)
    if not data:
        if not os.path.exists(f"{WORK}/demo/pictures"):
            subprocess.run([STOKER, "demo", "--to", f"{WORK}/demo"], check=True, stdout=subprocess.DEVNULL)
        data = core.loose(WORK, f"{WORK}/demo/pictures", PICTURES)
    return {"photos": [os.path.abspath(data)], "work": [f"{WORK}/work"]}


def is_worse(kept, found):
    if kept["ratio"] is None:
        return False
    room = kept["spread"] * kept["ratio"]
    return found < kept["ratio"] - room if kept["better"] == "more" else found > kept["ratio"] + room


class Suite:
    """Each command runs once for all of its figures; again for those that are in doubt."""

    def __init__(self, kept, where):
        self.kept, self.where = kept, where
        self.found = {figure["name"]: [] for figure in kept}
        self.reasons = {}

    def measure(self, command):
        mine = [figure for figure in self.kept if figure["command"] == command]
        try:
            rows = figures.run(command, self.where)
        except figures.NotMeasured as e:
            rows = {}
            self.reasons.update({figure["name"]: str(e) for figure in mine})
        for figure in mine:
            if figure["name"] in rows:
                self.found[figure["name"]].append(rows[figure["name"]])
            else:
                self.reasons.setdefault(figure["name"], "the command does not tell it")

    def commands(self, chosen):
        return list(dict.fromkeys(figure["command"] for figure in self.kept if chosen(figure)))

    def ratio(self, figure):
        found = self.found[figure["name"]]
        return statistics.median(found) if found else None

    def is_doubtful(self, figure):
        return bool(self.found[figure["name"]]) and is_worse(figure, self.ratio(figure))


def compare(suite):
    """Measures all, the doubtful ones again, and tells; returns whether all is well."""
    for command in suite.commands(lambda figure: True):
        print(f"… {command}", file=sys.stderr, flush=True)
        suite.measure(command)
    for _ in range(RUNS - 1):
        for command in suite.commands(suite.is_doubtful):
            print(f"… once more: {command}", file=sys.stderr, flush=True)
            suite.measure(command)
    good = True
    for figure in suite.kept:
        ratio = suite.ratio(figure)
        if ratio is None:
            verdict, good = f"NOT MEASURED: {suite.reasons[figure['name']]}", False
        elif is_worse(figure, ratio):
            verdict, good = f"WORSE, made by: bench/python/{figure['command']}", False
        elif figure["ratio"] is None:
            verdict = "new: --update keeps it"
        else:
            verdict = "better" if is_worse({**figure, "better": "less" if figure["better"] == "more" else "more"}, ratio) else "as kept"
        print(f"{figure['name']:72s} {shown(ratio)}  kept {kept(figure)}  {verdict}")
    return good


def shown(ratio):
    return "    -" if ratio is None else f"{ratio:5.2f}"


def kept(figure):
    """A figure is new until --update has measured it."""
    return "    nothing" if figure["ratio"] is None else f"{shown(figure['ratio'])} ± {figure['spread']:.0%}"


def update(suite, all_kept):
    for command in suite.commands(lambda figure: True):
        for run in range(RUNS):
            print(f"… {run + 1} of {RUNS}: {command}", file=sys.stderr, flush=True)
            suite.measure(command)
    for figure in suite.kept:
        found = suite.found[figure["name"]]
        if not found:
            print(f"{figure['name']}: not measured, stays as it was: {suite.reasons[figure['name']]}")
            continue
        ratio = statistics.median(found)
        spread = max(LEAST_SPREAD, 1.5 * (max(found) - min(found)) / ratio)
        before = shown(figure["ratio"])
        figure.update(ratio=round(ratio, 3), spread=round(spread, 2))
        print(f"{figure['name']:72s} {before} -> {kept(figure)}")
    with open(KEPT, "w") as f:
        f.write(json.dumps(all_kept, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="./bench-check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--data")
    a = parser.parse_args()
    with open(KEPT) as f:
        all_kept = json.load(f)
    chosen = []
    for figure in all_kept:
        if a.only in figure["name"]:
            program = figures.missing(figure.get("needs", []))
            if program and not a.list:
                print(f"{figure['name']}: skipped, {program} is not there")
            else:
                chosen.append(figure)
    if a.list:
        for figure in chosen:
            print(f"{figure['name']:72s} {kept(figure):12s}  bench/python/{figure['command']}")
        return 0
    suite = Suite(chosen, places(a.data))
    if a.update:
        update(suite, all_kept)
        return 0
    return 0 if compare(suite) else 1


if __name__ == "__main__":
    sys.exit(main())
