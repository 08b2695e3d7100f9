"""Does `stoker bench` rank the formats as a stopwatch does?

    stoker bench --data-root DIR --use-mmap --no-fixed-length --shuffle --num-workers 2 --no-cold --keep
    python3 ranking.py DIR

Reads the same containers again, by another command (`stoker feed`), and times that from the outside: long runs, less the
shortest run over one epoch, so that starting a JVM does not count. Then it compares both rankings by Kendall's tau over the pairs of formats
that both measurements tell apart; what one of them cannot tell apart is no disagreement. Tau-b over all pairs, ties
included, is printed beside it.
"""
import argparse
import itertools
import json
import math
import pathlib
import random
import statistics
import subprocess
import time


def seconds(stoker, container, base, epochs):
    command = [stoker, "feed", container, "--epochs", epochs, "--batch", base["batch"], "--threads", base["workers"],
               "--read", "map" if base["mmap"] else "pread", "--order", "shuffled" if base["shuffle"] else "sequential",
               "--fields", "data,label", "--no-limit", "--json"]
    start = time.monotonic()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def order(one, other):
    """1 if the first is faster in every round, -1 if the second, 0 if the rounds do not agree."""
    ratios = [a / b for a, b in zip(one, other)]
    return 1 if min(ratios) > 1 else -1 if max(ratios) < 1 else 0


def tau(pairs):
    """Of the pairs that both tell apart: agreeing less disagreeing, in parts of them. And tau-b of all pairs."""
    product = [a * b for a, b in pairs]
    told = [p for p in product if p]
    squares = math.sqrt(sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs))
    return sum(told) / len(told) if told else math.nan, sum(product) / squares if squares else math.nan, len(told)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("root", type=pathlib.Path, help="what --data-root was")
    options.add_argument("--stoker", default="stoker", help="the command (default: %(default)s)")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=3, help="of reading in a long run (default: %(default)s)")
    options.add_argument("--seed", type=int, default=1, help="of the order in which formats take turns")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    results = json.loads((chosen.root / "results.json").read_text())
    base = results["base"]
    measured = {each["format"]: each for each in results["results"] if each["setting"] == "base" and not each["failed"]}
    samples = results["samples"]
    epochs = {name: 1 + max(1, round(chosen.seconds * each["samples_per_s"] / samples)) for name, each in measured.items()}
    short = {name: [] for name in measured}
    long = {name: [] for name in measured}
    turn = random.Random(chosen.seed)
    for _ in range(chosen.rounds):
        for name in turn.sample(sorted(measured), len(measured)):
            short[name].append(seconds(chosen.stoker, measured[name]["container"], base, 1))
            long[name].append(seconds(chosen.stoker, measured[name]["container"], base, epochs[name]))
    rates = {}
    for name in measured:
        reading = [each - min(short[name]) for each in long[name]]
        if min(reading) < 0.3 * chosen.seconds:
            raise SystemExit(f"{name}: {epochs[name]} epochs took {min(reading):.2f} s longer than one; give --seconds more")
        rates[name] = [(epochs[name] - 1) * samples / each for each in reading]
    ranked = sorted(measured, key=lambda name: -measured[name]["samples_per_s"])
    pairs = [(order(measured[a]["raw"], measured[b]["raw"]), order(rates[a], rates[b]))
             for a, b in itertools.combinations(ranked, 2)]
    value, with_ties, told = tau(pairs)
    if chosen.json:
        print(json.dumps({"tau": value, "tau_b": with_ties, "pairs_told_apart": told, "pairs": len(pairs), "rates": rates}))
        return
    print(f"{'format':10} {'bench, samples/s':>18} {'stopwatch, samples/s':>22}")
    for name in ranked:
        print(f"{name:10} {measured[name]['samples_per_s']:18,.0f} {statistics.median(rates[name]):22,.0f}")
    print(f"Kendall's tau over the {told} of {len(pairs)} pairs that both tell apart: {value:.2f}; tau-b of all: {with_ties:.2f}")


if __name__ == "__main__":
    main()
