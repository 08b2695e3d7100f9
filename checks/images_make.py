"""Makes JPEG files of many encoders and settings, and what Pillow (libjpeg-turbo) decodes them to.

usage: images_make.py OUT-DIR PHOTO-DIR COUNT SEED
Writes OUT-DIR/*.jpg and OUT-DIR/manifest.tsv: name, scale, width, height, CRC-32 of the RGB bytes as Pillow decodes them.
"""
import io, os, random, subprocess, sys, zlib
import numpy as np
from PIL import Image

out, photos, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(out, exist_ok=True)
rnd = random.Random(seed)
scans = os.path.join(out, "scans.txt")
files = sorted(os.path.join(d, f) for d, _, fs in os.walk(photos) for f in fs if f.upper().endswith((".JPEG", ".JPG")))

def picture():
    im = Image.open(rnd.choice(files)).convert("RGB")
    w, h = im.size
    cw, ch = rnd.choice([(rnd.randint(1, 40), rnd.randint(1, 40)), (rnd.randint(1, w), rnd.randint(1, h)), (w, h)])
    x, y = rnd.randint(0, w - cw), rnd.randint(0, h - ch)
    im = im.crop((x, y, x + cw, y + ch))
    kind = rnd.random()
    if kind < 0.08:
        im = Image.fromarray(np.random.default_rng(rnd.getrandbits(32)).integers(0, 256, (ch, cw, 3), dtype=np.uint8))
    elif kind < 0.12:
        im = im.point(lambda v: 255 if v > 127 else 0)
    return im

CJPEG_SAMPLES = ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "2x2,2x1,1x1", "1x1,2x2,2x2", "2x2,1x2,2x1", "3x1", "1x3", "2x1,1x1,2x1", "4x4,2x2,4x1"]

def by_pillow(im):
    kw = dict(quality=rnd.choice([1, 5, 20, 50, 75, 85, 95, 100, rnd.randint(1, 100)]))
    mode = rnd.choice(["RGB"] * 6 + ["L", "CMYK"])
    if mode == "RGB":
        kw["subsampling"] = rnd.choice([0, 1, 2])
        if rnd.random() < 0.1:
            kw["keep_rgb"] = True
            kw["subsampling"] = 0
    if rnd.random() < 0.4: kw["progressive"] = True
    if rnd.random() < 0.4: kw["optimize"] = True
    r = rnd.random()
    if r < 0.15: kw["restart_marker_blocks"] = rnd.randint(1, 40)
    elif r < 0.25: kw["restart_marker_rows"] = rnd.randint(1, 3)
    b = io.BytesIO()
    im.convert(mode).save(b, "JPEG", **kw)
    return b.getvalue()

def run(cmd, data):
    return subprocess.run(cmd, input=data, stdout=subprocess.PIPE, check=True).stdout

def by_cjpeg(im):
    b = io.BytesIO(); im.save(b, "PPM")
    cmd = ["cjpeg", "-quality", str(rnd.randint(1, 100))]
    grey = rnd.random() < 0.1
    if grey: cmd.append("-grayscale")
    elif rnd.random() < 0.1: cmd.append("-rgb")
    if not grey: cmd += ["-sample", rnd.choice(CJPEG_SAMPLES)]
    if rnd.random() < 0.35: cmd.append("-progressive")
    elif rnd.random() < 0.15:
        with open(scans, "w") as f: f.write("0;\n1;\n2;\n" if not grey else "0;\n")
        cmd += ["-scans", scans]
    elif rnd.random() < 0.5: cmd.append("-optimize")
    if rnd.random() < 0.3: cmd += ["-restart", rnd.choice(["1", "2", "3B", "7B", "25B"])]
    if rnd.random() < 0.2: cmd += ["-dct", "float"]
    if rnd.random() < 0.1: cmd += ["-smooth", "40"]
    return run(cmd, b.getvalue())

def by_magick(im):
    b = io.BytesIO(); im.save(b, "PPM")
    cmd = ["convert", "ppm:-", "-quality", str(rnd.randint(1, 100)), "-sampling-factor", rnd.choice(["1x1", "2x1", "1x2", "2x2", "4x1", "4:1:1", "4:4:0"])]
    if rnd.random() < 0.4: cmd += ["-interlace", "JPEG"]
    if rnd.random() < 0.15: cmd += ["-colorspace", "CMYK"]
    return run(cmd + ["jpg:-"], b.getvalue())

made = 0
with open(os.path.join(out, "manifest.tsv"), "w") as manifest:
    while made < count:
        maker = rnd.choice([by_pillow, by_pillow, by_cjpeg, by_cjpeg, by_magick])
        im = picture()
        try:
            data = maker(im)
        except (subprocess.CalledProcessError, OSError) as e:
            print("left out:", e, file=sys.stderr)
            continue
        name = f"{made:05d}.jpg"
        with open(os.path.join(out, name), "wb") as f: f.write(data)
        scale = rnd.choice([1, 1, 1, 1, 2, 4, 8])
        im = Image.open(io.BytesIO(data))
        if scale > 1 and im.mode != "CMYK":
            # draft() takes the largest scale that is not smaller than asked for
            im.draft(None, (max(1, im.size[0] // scale), max(1, im.size[1] // scale)))
            scale = im.decoderconfig[0] if im.decoderconfig else 1
        else:
            scale = 1
        try:
            im = im.convert("RGB")
        except OSError as e:
            print("Pillow refuses:", name, e, file=sys.stderr); continue
        manifest.write(f"{name}\t{scale}\t{im.size[0]}\t{im.size[1]}\t{zlib.crc32(im.tobytes())}\n")
        made += 1
