#!/usr/bin/env python3
"""Measures what metrics cost: the feed with every place that metrics can go to, and without any, in turn.

    python3 bench/python/metrics.py CONTAINER [--rounds 9] [--epochs 30] [--before COMMAND] [--log] [-- FEED OPTIONS]

The feed runs in a process of its own each time; the order alternates, and medians of the ratios within each round are shown, so
that they hold on a machine that others use too. "samples/s" is the median of a run's later epochs; "cpu" is the processor time of
the whole process, from which a run of one epoch is taken away, so that the start does not count. The counters themselves are always
on: --before names the command of an older build (OLDER/build/dist/bin/stoker), which takes turns as well. --log measures stoker.log
instead: microseconds for each call, beside a step that does nothing else.

    python3 bench/python/metrics.py samples.stk                  # copies: the fastest feed, where it shows most
    python3 bench/python/metrics.py photos.stk --epochs 6 -- --decode image --transform "RandomResizedCrop(224)"
"""

import argparse
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STOKER = os.environ.get("STOKER") or str(ROOT / "build" / "dist" / "bin" / "stoker")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def feed(command, container, epochs, more):
    """The later epochs' median samples per second, the processor seconds of the process, and the samples."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [command, "feed", container, "--batch", "64", "--seed", "7", "--no-limit", "--json", "--epochs", str(epochs), *more]
    said = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rates = said["epochs"][len(said["epochs"]) // 2 :]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return statistics.median(rates), cpu


def measure(arguments, more):
    with tempfile.TemporaryDirectory() as folder:
        everywhere = ["--metrics", f"jsonl:{folder}/a.jsonl", "--metrics", f"tensorboard:{folder}/runs"]
        everywhere += ["--metrics", f"prometheus://:{free_port()}", "--metrics-every", "1"]
        jobs = {"without": (STOKER, []), "with all places": (STOKER, everywhere)}
        if arguments.before:
            jobs["an older build"] = (arguments.before, [])
        for command, extra in jobs.values():
            feed(command, arguments.container, 2, [*extra, *more])  # warms the page cache
        found = {name: [] for name in jobs}
        for r in range(arguments.rounds):
            for name in list(jobs) if r % 2 == 0 else reversed(list(jobs)):
                command, extra = jobs[name]
                _, start = feed(command, arguments.container, 1, [*extra, *more])
                rate, cpu = feed(command, arguments.container, arguments.epochs, [*extra, *more])
                found[name].append((rate, (cpu - start) / (arguments.epochs - 1)))
    for name, figures in found.items():
        rate, cpu = (statistics.median(each) for each in zip(*figures))
        # Of the ratios within each round, since what else the machine does changes from round to round.
        ratios = [(mine[0] / base[0], mine[1] / base[1]) for mine, base in zip(figures, found["without"])]
        faster, dearer = (statistics.median(each) for each in zip(*ratios))
        print(f"{name:16s} {rate:12,.0f} samples/s  {faster:6.3f}   cpu of an epoch {cpu:8.4f} s  {dearer:6.3f}")


def measure_log():
    sys.path.insert(0, str(ROOT / "python" / "src"))
    import stoker

    with tempfile.TemporaryDirectory() as folder:
        stoker.log.to(f"jsonl:{folder}/a.jsonl", f"tensorboard:{folder}/runs")
        calls = []
        for step in range(20_000):
            start = time.perf_counter()
            stoker.log(step, loss=0.5, lr=0.1)
            calls.append(time.perf_counter() - start)
            time.sleep(50e-6)  # a step; without one, the thread that writes would never have a turn
        stoker.log.flush()
        calls.sort()
        print(f"stoker.log: median {1e6 * calls[len(calls) // 2]:.1f} us, 99% {1e6 * calls[len(calls) * 99 // 100]:.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("container", nargs="?")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--before", metavar="COMMAND")
    parser.add_argument("--log", action="store_true")
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:cut])
    if arguments.log:
        measure_log()
    elif arguments.container:
        measure(arguments, words[cut + 1 :])
    else:
        parser.error("name a container, or give --log")


main()
