#!/usr/bin/env python3
"""Photos per second from JPEG to training batch: Stoker beside what people use instead, in one run, in turn, medians.

    python3 bench/python/images.py PHOTOS --venvs DIR [--work DIR] [--threads 2] [--repeat 5] [--only ffcv,dali] [--json]

PHOTOS is a folder with a folder of JPEG files for each class. Every contestant shuffles, decodes, crops (RandomResizedCrop(224)),
flips, and makes batches of 64 of uint8; the files are in the page cache. The others are installed into virtual environments
below --venvs (some GB, kept for the next time); one that cannot be installed is listed with the reason. FFCV is compiled at its
installation and needs a C++ compiler, pkg-config, libopencv-dev and libturbojpeg0-dev, or their like.

Every contestant is a process that stays and does one epoch when it is its turn, after one epoch to get warm. Stoker runs twice:
on the photos as they are, and on those packed with --restart-interval 8, which changes no pixel.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STOKER = os.path.join(ROOT, "build", "dist", "bin", "stoker")
BATCH = 64
CHAIN = "RandomResizedCrop(224),RandomHorizontalFlip"
INSTALL_SECONDS = 1800
TURN_SECONDS = 900

# Contestant: its environment's packages, and how many times faster Stoker is to be.
PEERS = {
    "ffcv": (["numpy<2", "torch", "torchvision", "ffcv"], 2.5),
    "dali": (["numpy", "nvidia-dali-cuda120"], 2.5),
    "torchvision": (["numpy", "torch", "torchvision", "pillow"], 2.5),
    "pytorch-pil": (["numpy", "torch", "torchvision", "pillow"], 3.5),
}
ENVIRONMENTS = {"ffcv": "ffcv", "dali": "dali", "torchvision": "torch", "pytorch-pil": "torch"}


# ---- In the process of a contestant: one epoch for each line of input, its photos per second as a line of output.

def photos_of(folder):
    found = []
    for label, name in enumerate(sorted(d for d in os.listdir(folder) if os.path.isdir(os.path.join(folder, d)))):
        for file in sorted(os.listdir(os.path.join(folder, name))):
            found.append((os.path.join(folder, name, file), label))
    return found


def pytorch(items, threads, use_pil):
    import torch
    import torchvision
    from PIL import Image
    from torchvision.transforms import v2

    torch.set_num_threads(1)

    class Photos(torch.utils.data.Dataset):
        transform = v2.Compose([v2.RandomResizedCrop(224, antialias=True), v2.RandomHorizontalFlip()])

        def __len__(self):
            return len(items)

        def __getitem__(self, i):
            path, label = items[i]
            if use_pil:
                return v2.functional.pil_to_tensor(self.transform(Image.open(path).convert("RGB"))), label
            data = torchvision.io.read_file(path)
            return self.transform(torchvision.io.decode_jpeg(data, mode=torchvision.io.ImageReadMode.RGB)), label

    loader = torch.utils.data.DataLoader(Photos(), batch_size=BATCH, shuffle=True, num_workers=threads,
                                         persistent_workers=True, prefetch_factor=4)
    return lambda: sum(len(labels) for _, labels in loader)


def ffcv(items, threads, work):
    from ffcv.fields import IntField, RGBImageField
    from ffcv.fields.decoders import IntDecoder
    from ffcv.fields.rgb_image import RandomResizedCropRGBImageDecoder
    from ffcv.loader import Loader, OrderOption
    from ffcv.transforms import RandomHorizontalFlip, ToTensor
    from ffcv.writer import DatasetWriter
    from PIL import Image

    class Photos:
        def __len__(self):
            return len(items)

        def __getitem__(self, i):
            return Image.open(items[i][0]).convert("RGB"), items[i][1]

    beton = os.path.join(work, "photos.beton")
    if not os.path.exists(beton):
        fields = {"image": RGBImageField(write_mode="jpg", jpeg_quality=92), "label": IntField()}
        DatasetWriter(beton, fields, num_workers=threads).from_indexed_dataset(Photos())
    loader = Loader(beton, batch_size=BATCH, num_workers=threads, order=OrderOption.RANDOM, os_cache=True, pipelines={
        "image": [RandomResizedCropRGBImageDecoder((224, 224)), RandomHorizontalFlip(), ToTensor()],
        "label": [IntDecoder(), ToTensor()]})
    return lambda: sum(len(batch[1]) for batch in loader)


def dali(items, threads):
    from nvidia.dali import fn, pipeline_def

    @pipeline_def(batch_size=BATCH, num_threads=threads, device_id=None, prefetch_queue_depth=2)
    def pipeline():
        jpegs, labels = fn.readers.file(files=[p for p, _ in items], labels=[l for _, l in items], random_shuffle=True)
        images = fn.decoders.image_random_crop(jpegs, device="cpu", random_area=[0.08, 1.0],
                                               random_aspect_ratio=[3 / 4, 4 / 3])
        images = fn.resize(images, size=[224, 224])
        return fn.flip(images, horizontal=fn.random.coin_flip()), labels

    pipe = pipeline()
    pipe.build()

    def epoch():
        for _ in range(len(items) // BATCH):
            pipe.run()
        return len(items) // BATCH * BATCH

    return epoch


def serve(peer, folder, threads, work):
    out = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints goes elsewhere
    items = photos_of(folder)
    epoch = {"ffcv": lambda: ffcv(items, threads, work), "dali": lambda: dali(items, threads),
             "torchvision": lambda: pytorch(items, threads, False),
             "pytorch-pil": lambda: pytorch(items, threads, True)}[peer]()
    for _ in sys.stdin:
        start = time.perf_counter()
        photos = epoch()
        os.write(out, f"{photos / (time.perf_counter() - start)}\n".encode())


# ---- In the main process.

def python_of(venvs, name):
    """The python of an environment, made if it is not there; raises RuntimeError with the reason if that fails."""
    folder = os.path.join(venvs, ENVIRONMENTS[name])
    python = os.path.join(folder, "bin", "python")
    mark = os.path.join(folder, "complete")
    if not os.path.exists(mark):
        log = folder + ".log"
        print(f"installing {ENVIRONMENTS[name]} (log: {log})", file=sys.stderr, flush=True)
        with open(log, "w") as to:
            def step(*command):
                subprocess.run(command, check=True, stdout=to, stderr=subprocess.STDOUT, timeout=INSTALL_SECONDS)
            try:
                step(sys.executable, "-m", "venv", folder)
                step(python, "-m", "pip", "install", "-q", "wheel", "setuptools")
                packages = PEERS[name][0]
                # What compiles itself needs the others to be there.
                step(python, "-m", "pip", "install", "-q", *packages[:-1])
                step(python, "-m", "pip", "install", "-q", "--no-build-isolation", *packages[:-1], packages[-1])
            except (subprocess.SubprocessError, OSError) as e:
                to.flush()
                lines = [line.strip() for line in open(log) if "rror" in line]
                raise RuntimeError(f"cannot be installed: {(lines or [str(e)])[-1][:200]}") from e
        open(mark, "w").close()
    return python


class Peer:
    def __init__(self, name, args, work):
        self.log = os.path.join(work, name + ".log")
        command = [python_of(args.venvs, name), os.path.abspath(__file__), args.photos, "--serve", name,
                   "--threads", str(args.threads), "--work", work]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=open(self.log, "w"))

    def epoch(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            lines = [l.strip() for l in open(self.log) if l.strip()]
            raise RuntimeError(f"does not run: {(lines or ['no message'])[-1][:200]}")
        return float(line)

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Stoker:
    """A process for each turn: its first epoch, in which it gets warm, does not count."""

    def __init__(self, args, work, name, *options):
        self.threads = args.threads
        self.file = os.path.join(work, name + ".stk")
        if not os.path.exists(self.file):
            subprocess.run([STOKER, "pack", args.photos, "-o", self.file, "--no-sync", *options], check=True,
                           stdout=subprocess.DEVNULL)

    def epoch(self):
        command = [STOKER, "feed", self.file, "--decode", "image", "--transform", CHAIN, "--batch", str(BATCH),
                   "--threads", str(self.threads), "--epochs", "3", "--json"]
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                           timeout=TURN_SECONDS).stdout)
        return statistics.median(report["epochs"][1:])

    def close(self):
        pass


def contestants(args, work):
    wanted = args.only.split(",") if args.only else list(PEERS)
    for name in wanted:
        if name not in PEERS:
            sys.exit(f"--only {name}: there are {', '.join(PEERS)}")
    found = {"stoker": Stoker(args, work, "photos"),
             "stoker, restart markers": Stoker(args, work, "marked", "--restart-interval", "8")}
    missing = {}
    for name in wanted:
        try:
            peer = Peer(name, args, work)
            peer.epoch()
            found[name] = peer
        except RuntimeError as e:
            missing[name] = str(e)
    return found, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos")
    parser.add_argument("--venvs")
    parser.add_argument("--work", help="for the packed photos, some hundred MB (default: a temporary folder)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve(args.serve, args.photos, args.threads, args.work)
    if not args.venvs:
        parser.error("--venvs DIR is needed")
    args.venvs = os.path.abspath(args.venvs)
    os.makedirs(args.venvs, exist_ok=True)
    work = args.work or tempfile.mkdtemp(prefix="stoker-images-")
    os.makedirs(work, exist_ok=True)
    found = {}
    try:
        found, missing = contestants(args, work)
        rates = {name: [] for name in found}
        for turn in range(args.repeat):
            for name in found if turn % 2 == 0 else reversed(found):
                rates[name].append(found[name].epoch())
        medians = {name: statistics.median(r) for name, r in rates.items()}
        report(args, medians, rates, missing)
    finally:
        for contestant in found.values():
            contestant.close()
        if not args.work:
            shutil.rmtree(work)


def report(args, medians, rates, missing):
    if args.json:
        ratios = {own: {name: medians[own] / medians[name] for name in medians if name in PEERS}
                  for own in medians if own not in PEERS}
        print(json.dumps({"photos_per_s": medians, "turns": rates, "ratios": ratios, "missing": missing}, indent=2))
        return
    for name, rate in medians.items():
        line = f"{name:26s} {rate:8.0f} photos/s"
        if name in PEERS:
            line += "".join(f"   {own}: {medians[own] / rate:.2f} x" for own in medians if own not in PEERS)
            line += f"   (wanted: {PEERS[name][1]})"
        print(line)
    for name, reason in missing.items():
        print(f"{name:26s} left out: it {reason}")


if __name__ == "__main__":
    main()
