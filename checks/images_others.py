"""Compares pictures other than JPEG, and a JPEG that only libturbojpeg decodes, with Pillow's convert("RGB").

usage: images_others.py JAVA [JVM-OPTION...]      JAVA runs dev.stoker.image.checks.RunChain
WebP and TIFF need TwelveMonkeys' plugins on the class path, arithmetic coding needs libturbojpeg and cjpeg; without them
they are reported as skipped.
"""
import os, subprocess, sys, tempfile
import numpy as np
from PIL import Image

java = sys.argv[1:]
y, x = np.mgrid[0:40, 0:60]
rgb = np.dstack([x * 4 % 256, y * 6 % 256, (x * y) % 256]).astype(np.uint8)
rgba = np.dstack([rgb, (x + y).astype(np.uint8)])
grey = (x * 3 + y).astype(np.uint8)
im = Image.fromarray(rgb)
cases = {
    "rgb.png": im, "rgba.png": Image.fromarray(rgba), "grey.png": Image.fromarray(grey), "la.png": Image.fromarray(rgba).convert("LA"),
    "palette.png": im.quantize(200), "palette16.png": im.quantize(16), "bits.png": im.convert("1"),
    "rgb.bmp": im, "grey.bmp": Image.fromarray(grey), "palette.bmp": im.quantize(100), "rgb.gif": im.quantize(256), "grey.gif": Image.fromarray(grey),
    "arithmetic.jpg": im, "rgb.tif": im, "grey.tif": Image.fromarray(grey), "lossless.webp": im, "lossy.webp": im, "alpha.webp": Image.fromarray(rgba),
}
bad = 0
with tempfile.TemporaryDirectory() as tmp:
    spec = os.path.join(tmp, "spec"); open(spec, "w").write("CenterCrop((40,60))\n")
    for name, picture in cases.items():
        path, names, raw = (os.path.join(tmp, n) for n in (name, "names", "raw"))
        kw = {"lossless": True} if name.startswith("lossless") or name.startswith("alpha") else {}
        if name == "rgb.gif": kw = {"save_all": True, "append_images": [Image.new("RGB", (60, 40), "red")]}
        if name == "arithmetic.jpg":
            ppm = os.path.join(tmp, "ppm"); picture.save(ppm, "PPM")
            if subprocess.run(["cjpeg", "-arithmetic", "-outfile", path, ppm], stderr=subprocess.DEVNULL).returncode:
                print(name, "skipped, this cjpeg has no arithmetic coding")
                continue
        else:
            picture.save(path, **kw)
        open(names, "w").write(path)
        want = np.asarray(Image.open(path).convert("RGB")).astype(int)
        run = subprocess.run(java + [names, spec, raw], stderr=subprocess.PIPE, text=True)
        if run.returncode:
            known = "not a picture of a known format" in run.stderr
            bad += not known
            print(name, "skipped, no plugin" if known else run.stderr.strip().splitlines()[-1][:300])
            continue
        got = np.fromfile(raw, np.uint8).reshape(want.shape).astype(int)
        most = int(abs(want - got).max())
        # The WebP plugin repeats chroma samples where libwebp interpolates: close on photographs, not the same.
        bad += most > 0 and name != "lossy.webp"
        print(f"{name}: {int((want != got).sum())} values differ, at most by {most}")
sys.exit(1 if bad else 0)
