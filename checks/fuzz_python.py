"""Changed files for the readers of the Python package: checks/fuzz.sh --python pipes them in.

    … | python3 checks/fuzz_python.py stk|safetensors

Each input comes after its length. It is read, or refused by a StokerError that names the file; anything else is a finding, is kept in
build/fuzz, and makes the exit code 1. So is one that takes 2 seconds of one core,
or more memory than the process may have (4 GB with all its libraries).
"""

import os
import resource
import struct
import sys
import tempfile
import time
import traceback
import zlib

import stoker

SAMPLES = 20
MAX_SECONDS = 2


def read_stk(path):
    data = stoker.open(path)
    for i in range(min(SAMPLES, len(data))):
        try:
            data[i]
        except stoker.StokerError as e:
            require_file(e)
    data.schema, data.classes, data.splits
    for name in data.schema:
        data.fields[name]


def read_state(path):
    stoker.load(path, rank=0, world=1)


READERS = {"stk": read_stk, "safetensors": read_state}


def require_file(error):
    if "fuzzed" not in str(error):
        raise AssertionError(f"does not name the file: {error}") from error


def main():
    target = sys.argv[1]
    read = READERS[target]
    folder = tempfile.mkdtemp(prefix="stoker-fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    path = os.path.join(folder, "fuzzed." + target)
    # A file that asks for more memory than this gets a MemoryError.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    counts = {"read": 0, "refused": 0}
    found = {}
    slowest = 0.0
    stream = sys.stdin.buffer
    while True:
        head = stream.read(4)
        if len(head) < 4:
            break
        (length,) = struct.unpack(">I", head)
        data = stream.read(length)
        with open(path, "wb") as out:
            out.write(data)
        begin = time.process_time()
        try:
            read(path)
            counts["read"] += 1
        except stoker.StokerError as e:
            counts["refused"] += 1
            if "fuzzed" not in str(e):
                note(found, target, data, f"does not name the file: {e}")
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            note(found, target, data, traceback.format_exc())
        took = time.process_time() - begin
        slowest = max(slowest, took)
        if took > MAX_SECONDS:
            note(found, target, data, "too slow")
    os.unlink(path)
    os.rmdir(folder)
    print(
        f"python {target}: {sum(counts.values())} inputs, {counts['read']} read, {counts['refused']} refused, "
        f"slowest {slowest * 1000:.1f} ms, {len(found)} findings"
    )
    for what, file in found.items():
        print(f"  {file}\n{what}")
    sys.exit(1 if found else 0)


def note(found, target, data, what):
    place = "\n".join(line for line in what.splitlines() if line.startswith("  File")) or what
    if place not in {"\n".join(line for line in w.splitlines() if line.startswith("  File")) or w for w in found} and len(found) < 20:
        os.makedirs("build/fuzz", exist_ok=True)
        file = f"build/fuzz/python-{target}-{zlib.crc32(data):08x}"
        with open(file, "wb") as out:
            out.write(data)
        found[what] = file


main()
