"""Makes five situations, asks `stoker advise` about each, runs what it prints, and lets `stoker bench` judge. Standard library only."""

import argparse
import base64
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import time

TOLERANCE = 0.9
# What the advice says of slow metadata is measured in seconds, on another path of reading: the order of magnitude has to be right.
ROUGHLY = 4
# A grey square of 8 x 8 pixels; comments before it make a file as large as a photograph, and no smaller when compressed.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAAL"
    "CAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0Kx"
    "wRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz"
    "tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ACv/2Q=="
)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def make_texts(folder, dice):
    words = [bytes(dice.choices(b"abcdefghijklmnopqrstuvwxyz", k=dice.randint(2, 9))) for _ in range(2000)]
    for i in range(20_000):
        write(folder / f"{i % 20:02}" / f"{i:05}.txt", b" ".join(dice.choices(words, k=dice.randint(20, 200))))


def make_photos(folder, dice, count=1500):
    for i in range(count):
        content = JPEG[:2]
        for _ in range(dice.randint(1, 4)):
            comment = dice.randbytes(dice.randint(10_000, 60_000))
            content += b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment
        write(folder / f"class {i % 10}" / f"{i:05}.jpg", content + JPEG[2:])


def make_arrays(folder, dice):
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 64, 64), }"
    header = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117).encode() + b"\n"
    for i in range(5000):
        write(folder / f"{i % 10}" / f"{i:05}.npy", header + dice.randbytes(3 * 64 * 64))


def make_huge(folder, dice):
    for i in range(6):
        write(folder / f"{i}.bin", dice.randbytes(40_000_000))


SITUATIONS = {"texts": make_texts, "photos": make_photos, "arrays": make_arrays, "huge": make_huge, "slow metadata": make_arrays}


class Check:
    def __init__(self, stoker, work, rounds):
        self.stoker = os.path.abspath(stoker)
        self.work = work
        self.rounds = rounds
        self.bin = work / "bin"
        self.bin.mkdir()
        (self.bin / "stoker").symlink_to(self.stoker)
        # A link would not find the packages of a virtual environment.
        (self.bin / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (self.bin / "python").chmod(0o755)
        package = str(pathlib.Path("python/src").resolve())
        self.environment = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", PYTHONPATH=package, STOKER=self.stoker)
        self.failures = 0

    def run(self, command, folder, seconds=600):
        """Runs a command of the shell; gives what it printed, or nothing if it failed."""
        done = subprocess.run(command, shell=True, cwd=folder, env=self.environment, timeout=seconds, text=True, capture_output=True)
        if done.returncode != 0:
            self.fail(f"{command}: {done.stderr.strip().splitlines()[-1:]}")
            return None
        return done.stdout

    def json(self, arguments, folder):
        printed = self.run(f"stoker {arguments} --json", folder)
        return None if printed is None else json.loads(printed)

    def fail(self, reason):
        print(f"FAILED: {reason}")
        self.failures += 1

    def situation(self, name):
        folder = self.work / "situation"
        data = folder / "the data"  # a name that has to be quoted
        folder.mkdir()
        shown = data
        if name == "slow metadata":
            shown = folder / "slow data"
            self.mount(folder / "files", shown)
        SITUATIONS[name](folder / "files" if name == "slow metadata" else data, random.Random(20261116))
        before = listing(shown)
        advice = self.json(f"advise '{shown.name}'", folder)
        if advice:
            if listing(shown) != before:
                self.fail(f"{name}: the advice changed the data's folder")
            picks = advice["recommended"]
            print(f"-- {name}: {picks['format']}, {picks['workers']} workers, {picks['read']}, batch {picks['batch']}, {picks['via']}")
            self.commands(advice, folder)
            if name == "slow metadata":
                self.factor(advice, shown, folder)
            self.judge(name, picks, shown, folder)
        if name == "slow metadata":
            subprocess.run(["fusermount3", "-u", str(shown)], check=False)
        shutil.rmtree(folder)

    def mount(self, files, point):
        files.mkdir()
        point.mkdir()
        subprocess.Popen([str(self.work / "latency"), str(files), "1000", "1000", "500", str(point)])
        for _ in range(100):
            if os.path.ismount(point):
                return
            time.sleep(0.1)
        sys.exit("the slow filesystem is not there after 10 s")

    def commands(self, advice, folder):
        """All commands that were printed, as they stand."""
        (folder / "train.py").write_text('import os; assert os.path.exists(os.environ["STOKER_DATA"]), os.environ["STOKER_DATA"]\n')
        for command in advice["commands"]:
            line = command["command"]
            if command["purpose"] == "python":
                if importlib.util.find_spec("numpy") is None:
                    continue
                (folder / "loader.py").write_text(
                    f"import os, stoker\nwith {line} as loader:\n    assert sum(len(batch['key']) for batch in loader) == {advice['seen']['samples']}\n"
                )
                run = next(each["command"] for each in advice["commands"] if each["purpose"] == "run")
                line = run.replace("train.py", "loader.py")
            self.run(line, folder)

    def factor(self, advice, shown, folder):
        """Packed and staged against loose, as a training would read each."""
        said = advice["recommended"]["times_loose_files"]
        loose = self.json(f"feed '{shown.name}' --epochs 2 --no-limit", folder)
        run = next(each["command"] for each in advice["commands"] if each["purpose"] == "run")
        packed = self.run(run.replace("python train.py", "sh -c 'stoker feed \"$STOKER_DATA\" --epochs 60 --no-limit --json'"), folder)
        if loose and packed:
            found = json.loads(packed)["samples_per_s"] / loose["samples_per_s"]
            print(f"   loose {loose['samples_per_s']:.0f} samples/s; advised {found:.0f} times as fast, said {said:.0f} times")
            if not said / ROUGHLY < found < said * ROUGHLY:
                self.fail(f"slow metadata: {found:.0f} times, but the advice said {said:.0f}")

    def examples(self):
        """The commands of docs/how-to/advise.md, as they stand there."""
        folder = self.work / "examples"
        make_photos(folder / "photos", random.Random(1), 100)
        self.run("stoker pack photos -o train.arrow", folder)
        blocks = re.findall(r"^```sh (\w+)\n(.*?)^```$", pathlib.Path("docs/how-to/advise.md").read_text(), re.S | re.M)
        for name, block in blocks:
            printed = self.run(block, folder)
            if printed is not None and name != "json" and "Recommendations" not in printed:
                self.fail(f"example {name}: {printed}")
        if len(blocks) < 4 or json.loads((folder / "advice.json").read_text())["recommended"]["format"] != "stk":
            self.fail(f"examples: {len(blocks)} were run")

    def bench(self, data, folder, picks, formats, repeats):
        workers = ",".join(dict.fromkeys(str(n) for n in (picks["workers"], os.cpu_count(), 1)))
        report = self.json(
            f"bench --data '{data.name}' --data-root measured --format {formats} --num-workers {workers} --batch {picks['batch']}"
            f" --shuffle --no-cold --repeat {repeats}",
            folder,
        )
        shutil.rmtree(folder / "measured", ignore_errors=True)
        return [each for each in report["results"] if not each["failed"]] if report else []

    def judge(self, name, picks, data, folder):
        """Finds the best of all formats and settings, then compares the pick with the best few alone, and more often."""
        best = 0
        for _ in range(self.rounds):
            everything = self.bench(data, folder, picks, "all", 3)
            ranked = list(dict.fromkeys(each["format"] for each in sorted(everything, key=lambda each: -each["samples_per_s"])))
            results = self.bench(data, folder, picks, ",".join(dict.fromkeys([picks["format"], *ranked[:3]])), 9)
            mine = [each for each in results if is_pick(each, picks)]
            if not mine:
                self.fail(f"{name}: bench has no figure for {picks}")
                return
            mine = max(mine, key=lambda each: each["samples_per_s"])
            winner = max(results, key=lambda each: each["samples_per_s"])
            ratio = mine["samples_per_s"] / winner["samples_per_s"]
            best = max(best, ratio)
            print(
                f"   {mine['samples_per_s']:.0f} samples/s, {ratio:.2f} of the best: {winner['format']}, {winner['workers']} workers,"
                f" {'mapped' if winner['mmap'] else 'positional reads'}, {winner['samples_per_s']:.0f}"
            )
            if best >= TOLERANCE:
                return
        self.fail(f"{name}: what the advice picks is {best:.2f} of the best, wanted {TOLERANCE}")


def is_pick(result, picks):
    # Loose files are never mapped, whatever was asked for.
    mapped = picks["read"] == "map"
    return result["format"] == picks["format"] and result["workers"] == picks["workers"] and (result["mmap"] == mapped or picks["format"] == "folder")


def listing(folder):
    return sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stoker", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="one situation")
    options = parser.parse_args()
    check = Check(options.stoker, options.work, options.rounds)
    names = [options.only] if options.only else list(SITUATIONS)
    if not (options.work / "latency").exists():
        names = [name for name in names if name != "slow metadata"]
    if not options.only:
        check.examples()
    for name in names:
        check.situation(name)
    print(f"{len(names)} situations, {check.failures} failures")
    sys.exit(1 if check.failures else 0)


if __name__ == "__main__":
    main()
