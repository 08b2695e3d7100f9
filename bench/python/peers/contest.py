"""The process of one contestant of `stoker bench peers`, for those in Python.

    python contest.py SCRIPT [NAME]      NAME: what to hand to the script's Peer, where it serves several contestants

A line of JSON on standard input asks, a line of JSON on standard output answers; whatever libraries print goes to standard error.

    {"do": "prepare", "job", "root", "manifest", "work", "batch", "workers", "seed", "stoker"}
        -> {"settings": [names], "versions": {package: version}, "seconds"}      its own files are written
    {"do": "check", "setting"}   -> one epoch whose content is looked at: samples, bytes, checksum, order, brightness
    {"do": "turn", "setting", "seconds"}
        -> after one epoch that does not count, whole epochs until so many seconds have passed: epochs, samples, bytes, seconds,
           cpu_seconds
    {"do": "quit"}               the process ends; so it does when its input ends

It is started as the first process of a session, so that its workers can be counted and ended with it. A failure is {"error": text}, and the end of the process.

A script has a class `Peer`: `Peer(task)` writes what it reads later; `settings` maps names to anything; `use(setting)` gives a function
that begins an epoch, an iterable of batches, in another order each time. In the job `raw` a batch is a list of the samples' bytes (bytes,
arrays or tensors of uint8), in memory that is its own and not a view of a mapped file, or an object with `values` and `offsets`. In the
job `photos` it is a pair: an array of uint8 of 224 x 224 pixels for each photo, and their labels. Optional: `packages`, whose versions
are told; `close()`, before another setting is used; `others()`, numbers of further processes that work for it.
"""

import dataclasses
import importlib
import importlib.metadata
import json
import os
import sys
import time
import traceback
import zlib

SIDE = 224
PHOTO_BYTES = 3 * SIDE * SIDE
TICK = os.sysconf("SC_CLK_TCK")
ERROR_LENGTH = 300


@dataclasses.dataclass
class Task:
    """What there is to do. `items` are the files' places and labels, in the order of the manifest."""

    job: str
    root: str
    manifest: str
    work: str
    batch: int
    workers: int
    seed: int
    stoker: str
    variant: str

    def __post_init__(self):
        with open(self.manifest, encoding="utf-8") as f:
            self.items = [(os.path.join(self.root, path), label) for path, label in json.load(f).items()]

    def place(self, name):
        return os.path.join(self.work, name)


def read_file(path):
    with open(path, "rb") as f:
        return f.read()


class Tally:
    """What an epoch, or several, delivered."""

    def __init__(self, job, is_checked):
        self.is_photos = job == "photos"
        self.is_checked = is_checked
        self.samples = self.bytes = self.checksum = self.order = 0
        self.brightness = 0.0

    def add(self, batch):
        if self.is_photos:
            self._add_photos(*batch)
        elif hasattr(batch, "offsets"):
            self.samples += len(batch.offsets) - 1
            self.bytes += int(batch.offsets[-1]) - int(batch.offsets[0])
        else:
            self.samples += len(batch)
            self.bytes += sum(map(len, batch))
        if self.is_checked and not self.is_photos:
            for sample in batch:
                if isinstance(sample, memoryview):
                    raise TypeError("a sample should be bytes of its own but is a view")
                self._note(zlib.crc32(memoryview(sample)))

    def _add_photos(self, photos, labels):
        count = len(labels)
        if len(photos) != count or photos.nbytes != count * PHOTO_BYTES or "uint8" not in str(photos.dtype):
            shape, kind = tuple(photos.shape), photos.dtype
            raise ValueError(f"a batch of {count} labels should have as many photos of {PHOTO_BYTES} bytes but is {shape} {kind}")
        self.samples += count
        self.bytes += photos.nbytes
        if self.is_checked:
            self.brightness += float(photos.reshape(-1)[::7].astype("float64").mean() if hasattr(photos, "astype")
                                     else photos.reshape(-1)[::7].double().mean()) * count
            for label in labels.reshape(-1).tolist():
                self._note(int(label))

    def _note(self, value):
        self.checksum += value
        self.order = zlib.crc32(value.to_bytes(8, "little"), self.order)

    def answer(self):
        answer = {"samples": self.samples, "bytes": self.bytes}
        if self.is_checked:
            answer.update(checksum=self.checksum, order=self.order, brightness=self.brightness / max(1, self.samples))
        return answer


def processor_seconds(others):
    """Of all processes of this session, which the workers of a loader belong to, and of others."""
    ticks = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as f:
                    fields = f.read().rpartition(b")")[2].split()
            except OSError:  # it has ended
                continue
            if int(fields[3]) == os.getsid(0) or int(name) in others:
                ticks += sum(map(int, fields[11:15]))
    return ticks / TICK


class Server:
    def __init__(self, script, variant):
        self.script, self.variant = script, variant
        self.peer = self.task = self.setting = self.epoch = None

    def prepare(self, request):
        start = time.perf_counter()
        folder, name = os.path.split(self.script)
        sys.path.insert(0, folder)
        module = importlib.import_module(os.path.splitext(name)[0])
        self.task = Task(variant=self.variant, **request)
        self.peer = module.Peer(self.task)
        versions = {package: importlib.metadata.version(package) for package in getattr(self.peer, "packages", [])}
        return {"settings": list(self.peer.settings), "versions": versions, "seconds": time.perf_counter() - start}

    def _use(self, setting):
        if setting != self.setting:
            if self.setting is not None and hasattr(self.peer, "close"):
                self.peer.close()
            self.epoch = self.peer.use(self.peer.settings[setting])
            self.setting = setting

    def check(self, setting):
        self._use(setting)
        tally = Tally(self.task.job, True)
        for batch in self.epoch():
            tally.add(batch)
        return tally.answer()

    def turn(self, setting, seconds):
        self._use(setting)
        others = getattr(self.peer, "others", list)()
        for _ in self.epoch():  # what was read ahead while others had their turns does not count
            pass
        tally, epochs = Tally(self.task.job, False), 0
        before, start = processor_seconds(others), time.perf_counter()
        while epochs == 0 or time.perf_counter() - start < seconds:
            for batch in self.epoch():
                tally.add(batch)
            epochs += 1
        taken = time.perf_counter() - start
        return {"epochs": epochs, "seconds": taken, "cpu_seconds": processor_seconds(others) - before, **tally.answer()}


def main():
    out = os.dup(1)
    os.dup2(2, 1)
    asked = os.fdopen(os.dup(0), "r", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    server = Server(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    for line in asked:
        request = json.loads(line)
        what = request.pop("do")
        if what == "quit":
            break
        try:
            answer = {"prepare": server.prepare, "check": server.check, "turn": server.turn}[what](
                *([request] if what == "prepare" else request.values()))
        except BaseException as e:  # whatever a library throws is the reason
            traceback.print_exc()
            answer = {"error": f"{type(e).__name__}: {e}"[:ERROR_LENGTH]}
        os.write(out, json.dumps(answer).encode() + b"\n")
        if "error" in answer:
            break
    sys.stderr.flush()
    os._exit(0)  # workers and threads of a library may not end by themselves; they are ended with this process's group


if __name__ == "__main__":
    main()
