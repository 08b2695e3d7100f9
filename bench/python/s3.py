#!/usr/bin/env python3
"""Fetching one object from S3: `stoker stage`, `aws s3 cp`, and a bare download of ranges by 8 connections.

    versitygw on PATH, or its path in VERSITYGW; pip install awscli
    python3 bench/python/s3.py [MEGABYTES] [ROUNDS] [--json]

Starts a server on a free port of 127.0.0.1, stores one object (512 MB) and fetches it to memory (/dev/shm) by all three in turns,
so that the ratios of the medians hold on a machine that others use too. The bare download has no checksum, no reading
back and no resuming: it is a limit, not a tool. `stoker stage` reads every piece back and compares the copy with what S3 knows.
"""

import concurrent.futures
import datetime
import hashlib
import hmac
import http.client
import os
import pathlib
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from measure import ROOT, STOKER, finish, row, say

numbers = [int(word) for word in sys.argv[1:] if word != "--json"]
MEGABYTES, ROUNDS = [*numbers, *(512, 7)[len(numbers) :]]
CONNECTIONS = 8
PART = 8 << 20
KEY, SECRET = "someone", "a-secret"

gateway = os.environ.get("VERSITYGW") or shutil.which("versitygw") or f"{ROOT}/build/tools/versitygw"
work = pathlib.Path(tempfile.mkdtemp(prefix="stoker-s3-"))
memory = pathlib.Path(tempfile.mkdtemp(prefix="stoker-s3-", dir="/dev/shm"))
for name in ("root", "iam"):
    (work / name).mkdir()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
environment = dict(
    os.environ,
    AWS_ACCESS_KEY_ID=KEY,
    AWS_SECRET_ACCESS_KEY=SECRET,
    AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}",
    AWS_REGION="us-east-1",
)


def signed(path, byte_range):
    """The headers of a GET, by Signature Version 4."""
    moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    empty = hashlib.sha256(b"").hexdigest()
    headers = {
        "host": f"127.0.0.1:{port}",
        "range": byte_range,
        "x-amz-content-sha256": empty,
        "x-amz-date": moment,
    }
    names = ";".join(headers)
    canonical = "\n".join(
        ["GET", path, "", *(f"{k}:{v}" for k, v in headers.items()), "", names, empty]
    )
    scope = f"{moment[:8]}/us-east-1/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = b"AWS4" + SECRET.encode()
    for word in (moment[:8], "us-east-1", "s3", "aws4_request"):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    credential = f"Credential={KEY}/{scope},SignedHeaders={names},Signature={signature}"
    return dict(headers, authorization="AWS4-HMAC-SHA256 " + credential)


def processor_time():
    """Of this process and of those that it has waited for; the server's is not among them."""
    all_used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in all_used)


def bare(target):
    file = os.open(target, os.O_CREAT | os.O_WRONLY)

    def fetch(starts):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        buffer = bytearray(1 << 20)
        for start in starts:
            end = min(start + PART, size)
            connection.request("GET", "/data/object", headers=signed("/data/object", f"bytes={start}-{end - 1}"))
            answer = connection.getresponse()
            assert answer.status == 206, answer.status
            while count := answer.readinto(buffer):
                os.pwrite(file, memoryview(buffer)[:count], start)
                start += count
            assert start == end

    starts = list(range(0, size, PART))
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(fetch, [starts[i::CONNECTIONS] for i in range(CONNECTIONS)]))
    os.close(file)


def aws(target):
    subprocess.run(["aws", "s3", "cp", "--quiet", "s3://data/object", target], check=True, env=environment)


def stoker(_):
    staged = subprocess.run(
        [STOKER, "stage", "s3://data/object", "--to", memory], check=True, env=environment, capture_output=True, text=True
    ).stdout.strip()
    return staged


server = subprocess.Popen(
    [gateway, "--iam-dir", work / "iam", "--port", f"127.0.0.1:{port}", "posix", work / "root"],
    env=dict(os.environ, ROOT_ACCESS_KEY=KEY, ROOT_SECRET_KEY=SECRET),
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
try:
    for _ in range(100):
        time.sleep(0.1)
        if socket.socket().connect_ex(("127.0.0.1", port)) == 0:
            break
    size = MEGABYTES << 20
    source = work / "object"
    with open(source, "wb") as out:
        for _ in range(MEGABYTES):
            out.write(os.urandom(1 << 20))
    subprocess.run(["aws", "s3", "mb", "s3://data"], check=True, env=environment, stdout=subprocess.DEVNULL)
    subprocess.run(["aws", "s3", "cp", "--quiet", source, "s3://data/object"], check=True, env=environment)
    contestants = {"stoker stage": stoker, "aws s3 cp": aws, "8 bare connections": bare}
    seconds = {name: [] for name in contestants}
    cpu = {name: [] for name in contestants}
    for turn in range(ROUNDS):
        for name, fetch in contestants.items():
            target = memory / f"{turn}.copy"
            begun, used = time.perf_counter(), processor_time()
            copy = fetch(target) or target
            seconds[name].append(time.perf_counter() - begun)
            cpu[name].append(processor_time() - used)
            assert turn > 0 or subprocess.run(["cmp", copy, source]).returncode == 0, name
            target.unlink(missing_ok=True)
            subprocess.run([STOKER, "stage", "--gc", "--all", "--to", memory], capture_output=True)
    median = {name: statistics.median(times) for name, times in seconds.items()}
    for name, time_taken in median.items():
        say(f"{name:20} {time_taken:6.2f} s  {size / time_taken / 1e6:7.0f} MB/s  {[round(t, 2) for t in seconds[name]]}")
    used = {name: statistics.median(times) for name, times in cpu.items()}
    for name in ("aws s3 cp", "8 bare connections"):
        figure = f"processor time of the client {used['stoker stage']:.2f} s and {used[name]:.2f} s"
        row(f"stoker stage / {name}", figure, median[name] / median["stoker stage"])
finally:
    server.kill()
    server.wait()
    shutil.rmtree(work)
    shutil.rmtree(memory)
finish()
