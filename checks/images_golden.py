"""Makes the small pictures under image/src/test/resources/jpeg and what Pillow (libjpeg-turbo) decodes them to.

usage: images_golden.py OUT-DIR      needs Pillow, NumPy and cjpeg
"""
import io, os, subprocess, sys, zlib
import numpy as np
from PIL import Image

out = sys.argv[1]
def picture(w, h):
    y, x = np.mgrid[0:h, 0:w]
    r = (128 + 100 * np.sin(x / 3.0) * np.cos(y / 5.0)).astype(np.uint8)
    g = ((x * 7 + y * 3) % 256).astype(np.uint8)
    b = np.where((x // 5 + y // 4) % 2 == 0, 230, 20).astype(np.uint8)
    return Image.fromarray(np.dstack([r, g, b]))

manifest = []
def add(name, data):
    with open(os.path.join(out, name + ".jpg"), "wb") as f: f.write(data)
    im = Image.open(io.BytesIO(data)).convert("RGB")
    manifest.append(f"{name}\t{im.size[0]}\t{im.size[1]}\t{zlib.crc32(im.tobytes())}")

def cjpeg(name, im, *args):
    b = io.BytesIO(); im.save(b, "PPM")
    add(name, subprocess.run(["cjpeg", *args], input=b.getvalue(), stdout=subprocess.PIPE, check=True).stdout)

def pillow(name, im, **kw):
    b = io.BytesIO(); im.save(b, "JPEG", **kw); add(name, b.getvalue())

for sampling in ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "3x1", "1x1,2x2,2x2", "2x2,1x2,2x1"]:
    label = sampling.replace(",", "-")
    cjpeg("baseline-" + label, picture(53, 37), "-sample", sampling, "-quality", "80")
    cjpeg("progressive-" + label, picture(45, 35), "-sample", sampling, "-quality", "70", "-progressive")
cjpeg("optimised", picture(150, 40), "-sample", "2x2", "-quality", "90", "-optimize")
cjpeg("restart-blocks", picture(61, 50), "-sample", "2x1", "-quality", "60", "-restart", "3B")
cjpeg("restart-progressive", picture(61, 50), "-sample", "2x2", "-quality", "60", "-restart", "1", "-progressive")
cjpeg("rgb", picture(33, 17), "-rgb", "-quality", "85")
cjpeg("grey", picture(33, 17), "-grayscale", "-quality", "85")
cjpeg("grey-progressive", picture(33, 17), "-grayscale", "-progressive")
cjpeg("coarse", picture(64, 48), "-quality", "1")
cjpeg("finest", picture(64, 48), "-quality", "100", "-sample", "1x1")
pillow("cmyk", picture(40, 30).convert("CMYK"), quality=80)
pillow("one-pixel", picture(1, 1), quality=80)
pillow("column", picture(1, 40), quality=80, subsampling=2)
pillow("row", picture(40, 1), quality=80, subsampling=2)
pillow("three-wide", picture(3, 9), quality=80, subsampling=2)
with open("/tmp/scans.txt", "w") as f: f.write("0;\n1;\n2;\n")
cjpeg("separate-scans", picture(50, 40), "-sample", "2x2", "-scans", "/tmp/scans.txt")
with open(os.path.join(out, "manifest.tsv"), "w") as f: f.write("\n".join(manifest) + "\n")

# Golden sums for ResizeGoldenTest: the same formula picture, resized by Pillow.
for w, h, ow, oh, name in [(300, 200, 224, 224, "BILINEAR"), (300, 200, 224, 224, "BICUBIC"), (40, 30, 97, 61, "BICUBIC"),
                           (500, 90, 31, 33, "BILINEAR"), (90, 500, 80, 21, "BICUBIC"), (1200, 60, 16, 16, "BILINEAR"), (64, 64, 64, 20, "BILINEAR")]:
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    a = np.dstack([(x * x + 3 * y * y + 7 * x * y) // 11 % 256, (x * 37 ^ y * 91) % 256, (x * y + x) % 251]).astype(np.uint8)
    print(f'"{name},{w},{h},{ow},{oh},{zlib.crc32(Image.fromarray(a).resize((ow, oh), getattr(Image, name)).tobytes())}",')
