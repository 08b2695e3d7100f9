"""Writes metrics by every command and by stoker.log, and reads them with the tools that people use.

usage: PYTHONPATH=python/src STOKER=COMMAND python checks/metrics_read.py FOLDER      FOLDER has files/
"""

import json
import math
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import stoker

STOKER = os.environ["STOKER"]
folder = Path(sys.argv[1])
container = folder / "samples.stk"


def command(*words, **options):
    return subprocess.run([STOKER, *map(str, words)], check=True, timeout=300, **options)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def scrape(port):
    """The samples of a page by name; whatever Prometheus would not take raises."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
        assert page.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        families = list(text_string_to_metric_families(page.read().decode("utf-8")))
    for family in families:
        assert family.type in ("counter", "gauge") and family.documentation, family
    return {sample.name: sample for family in families for sample in family.samples}


def await_page(port, is_wanted, seconds=60):
    """The first page that has what is wanted; others may come before it, or none, while a process starts."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            page = scrape(port)
            if is_wanted(page):
                return page
            found = sorted(page)
        except OSError as e:
            found = e
        assert time.monotonic() < deadline, f"port {port}: the page that was waited for did not come in {seconds} s; last: {found}"
        time.sleep(0.2)


def accumulated(run):
    events = EventAccumulator(str(run))
    events.Reload()
    return events


def strict_lines(path):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return [json.loads(line, parse_constant=refuse) for line in path.read_text("utf-8").splitlines()]


def check_pack():
    command("pack", folder / "files", "-o", container, "--no-sync", "--metrics", f"tensorboard:{folder / 'runs'}")
    tags = accumulated(folder / "runs" / "pack").Tags()["scalars"]
    assert "pack/samples/samples.stk" in tags, tags
    print("pack: TensorBoard reads it")


def check_feed():
    port = free_port()
    words = ["feed", container, "--epochs", "1000000", "--metrics", f"prometheus://:{port}", "--metrics-every", "1"]
    words += ["--metrics", f"tensorboard:{folder / 'runs'}", "--metrics", f"jsonl:{folder / 'feed.jsonl'}"]
    words += ["--state", folder / "state.json"]
    running = subprocess.Popen([STOKER, *map(str, words)], stdout=subprocess.DEVNULL)
    try:
        # The page is there before the feed is, which registers when it starts.
        name = "stoker_feed_samples_total"
        page = await_page(port, lambda page: name in page and page[name].value > 10_000)
        sample = page[name]
        assert sample.labels == {"command": "feed", "rank": "0", "data": "samples.stk"}, sample
        refused = subprocess.run([STOKER, *map(str, words)], capture_output=True, text=True, timeout=60)
        assert refused.returncode == 1 and f"port {port} of 127.0.0.1 cannot be listened on" in refused.stderr, refused
        time.sleep(2.5)
    finally:
        running.terminate()
        running.wait(60)
    events = accumulated(folder / "runs" / "feed")
    rates = [event.value for event in events.Scalars("feed/samples_per_s/rank0/samples.stk")]
    assert len(rates) >= 2 and max(rates) > 100, rates
    found = [line for line in strict_lines(folder / "feed.jsonl") if line["source"] == "feed"]
    assert found[-1]["feed_samples_total"] >= found[0]["feed_samples_total"] > 0
    curves = len(events.Tags()["scalars"])
    print(f"feed: Prometheus reads {len(page)} values, TensorBoard {curves} curves; a port in use is refused")


TRAIN = """
import os, time
import stoker
loader = stoker.Loader(os.environ["STOKER_DATA"], 16, shuffle=True)
step = 0
start = time.monotonic()
while time.monotonic() - start < 8:
    for batch in loader:
        step += 1
        stoker.log(step, loss=1 / step, bad=float("nan"), worse=float("inf"))
        time.sleep(0.002)
loader.close()
"""


def check_run():
    """The loader and the log inside a run write to the run's places; and the run says what limited it."""
    port = free_port()
    places = f"tensorboard:{folder / 'job'},jsonl:{folder / 'job.jsonl'},prometheus://:{port}"
    script = folder / "train.py"
    script.write_text(TRAIN)
    words = [STOKER, "run", "--data", container, "--metrics", places, "--metrics-every", "1", "--", sys.executable, script]
    running = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True)
    # The run's own page comes first, then that of the reader process, and none in between.
    page = await_page(port, lambda page: "stoker_feed_samples_total" in page)
    said = running.communicate(timeout=120)[1]
    assert running.returncode == 0, said
    assert page["stoker_feed_samples_total"].labels["command"] == "serve", page
    print(said.strip().splitlines()[-1])
    assert "its loader was limited by" in said
    losses = accumulated(folder / "job" / "rank0").Scalars("loss")
    assert len(losses) > 100 and losses[9].step == 10 and abs(losses[9].value - 0.1) < 1e-6
    assert all(math.isnan(event.value) for event in accumulated(folder / "job" / "rank0").Scalars("bad"))
    assert all(event.value == math.inf for event in accumulated(folder / "job" / "rank0").Scalars("worse"))
    assert accumulated(folder / "job" / f"reader-{socket.gethostname()}").Tags()["scalars"]
    sources = {line["source"] for line in strict_lines(folder / "job.jsonl")}
    assert sources == {"run", "process", "feed", "log"}, sources
    logged = [line for line in strict_lines(folder / "job.jsonl") if line["source"] == "log"]
    assert logged[0]["bad"] == "NaN" and logged[0]["worse"] == "Infinity"
    print(f"run: {len(losses)} steps logged, read by TensorBoard; page of the loader read by Prometheus")


def check_python_writer_against_tensorboards():
    """Ours and TensorBoard's own give the same events."""
    from tensorboard.compat.proto.event_pb2 import Event

    from stoker._metrics.tensorboard import scalar_record

    event = Event(wall_time=2.5, step=-7)
    for tag, value in (("loss", 0.5), ("ä/ö", math.inf)):
        event.summary.value.add(tag=tag, simple_value=value)
    assert scalar_record(2.5, -7, {"loss": 0.5, "ä/ö": math.inf})[12:-4] == event.SerializeToString(deterministic=True)
    print("events: the same bytes as protobuf's own")


check_pack()
check_feed()
check_run()
check_python_writer_against_tensorboards()
stoker.log.to(f"tensorboard:{folder / 'own'}")
stoker.log(1, loss=1.0)
stoker.log.flush()
assert accumulated(folder / "own" / "rank0").Scalars("loss")[0].value == 1.0
