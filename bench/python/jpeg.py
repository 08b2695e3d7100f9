#!/usr/bin/env python3
"""JPEG decoding on one core: Stoker's decoder and libjpeg-turbo in turn, on the same photos and the same boxes.

    python3 bench/python/jpeg.py PHOTOS [--count 400] [--rounds 9] [--java-options=-XX:UseAVX=2] [--json]

PHOTOS is a folder of JPEG files, in folders or not. The boxes are those that RandomResizedCrop draws; libjpeg-turbo skips the
rows and leaves out the columns that a box does not need, as well as it can. Processor time of one thread, medians of rounds that
take turns after a warm-up. Needs a C compiler and libjpeg-turbo's headers (libjpeg-dev), and classes of a build (./check, or
mvn test-compile).
"""
import argparse
import glob
import math
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile

from measure import finish, options, row

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WARM_ROUNDS = 3
TARGETS = {"full": 0.9, "crop": 0.75}


def photos_of(folder, count):
    found = [os.path.join(at, name) for at, _, names in sorted(os.walk(folder)) for name in sorted(names)
             if name.lower().endswith((".jpg", ".jpeg")) and " " not in name]
    step = max(1, len(found) // count)
    return found[::step][:count]


def size_of(path):
    """Width and height as the frame header has them."""
    with open(path, "rb") as f:
        data = f.read()
    at = 2
    while True:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if marker in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height
        at += 2 + length


def box(rng, width, height):
    for _ in range(10):
        area = width * height * rng.uniform(0.08, 1)
        ratio = math.exp(rng.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            return rng.randint(0, width - w), rng.randint(0, height - h), w, h
    side = min(width, height)
    return (width - side) // 2, (height - side) // 2, side, side


class Contestant:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def micros(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)


def java():
    home = os.environ.get("STOKER_JAVA_HOME") or os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", "java") if home else "java"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--java-options", default="", help="such as -XX:UseAVX=2")
    options(parser)
    args = parser.parse_args()
    photos = photos_of(args.photos, args.count)
    if not photos:
        sys.exit(f"{args.photos}: there are no JPEG files")
    rng = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="stoker-jpeg-") as work:
        with open(f"{work}/list", "w") as f:
            for path in photos:
                f.write(" ".join(map(str, (os.path.abspath(path), *box(rng, *size_of(path))))) + "\n")
        subprocess.run(["cc", "-O2", f"{ROOT}/bench/c/libjpeg.c", "-o", f"{work}/libjpeg", "-ljpeg"], check=True)
        jars = glob.glob(f"{ROOT}/build/dist/lib/*.jar")
        classes = ":".join([f"{ROOT}/image/target/test-classes", *jars])
        contestants = {
            "stoker": Contestant([java(), "--add-modules", "jdk.incubator.vector", *args.java_options.split(), "-cp", classes,
                                  "dev.stoker.image.checks.BenchJpeg", f"{work}/list"]),
            "libjpeg-turbo": Contestant([f"{work}/libjpeg", f"{work}/list"]),
        }
        found = {}
        for what in TARGETS:
            times = {name: [] for name in contestants}
            for turn in range(-WARM_ROUNDS, args.rounds):
                for name in contestants if turn % 2 else reversed(contestants):
                    micros = contestants[name].micros(what)
                    if turn >= 0:
                        times[name].append(micros)
            found[what] = {name: statistics.median(each) for name, each in times.items()}
        for contestant in contestants.values():
            contestant.close()
    for what, medians in found.items():
        ours, theirs = medians["stoker"], medians["libjpeg-turbo"]
        row(f"JPEG, {what} / libjpeg-turbo, processor time", f"{ours:.0f} and {theirs:.0f} us", ours / theirs, TARGETS[what], "at most")
    finish()


if __name__ == "__main__":
    main()
