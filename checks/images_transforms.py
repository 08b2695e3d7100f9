"""Compares chains of transforms with Pillow, pixel by pixel.

usage: images_transforms.py PHOTO-DIR COUNT JAVA [JVM-OPTION...]      JAVA runs dev.stoker.image.checks.RunChain
Random transforms are checked with factors that leave nothing to chance.
"""
import os, subprocess, sys, tempfile
import numpy as np
from PIL import Image, ImageEnhance

photos, count, java = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
files = sorted(os.path.join(d, f) for d, _, fs in os.walk(photos) for f in fs if f.upper().endswith((".JPEG", ".JPG")))[:count]
B, C = Image.BILINEAR, Image.BICUBIC

def short(im, side):
    w, h = im.size
    return (side, int(side * h / w)) if w <= h else (int(side * w / h), side)

def center(im, side):
    w, h = im.size
    if side > w or side > h:
        wider = Image.new("RGB", (max(w, side), max(h, side)))
        wider.paste(im, (max(0, (side - w) // 2), max(0, (side - h) // 2)))
        im, (w, h) = wider, wider.size
    top, left = int(round((h - side) / 2.0)), int(round((w - side) / 2.0))
    return im.crop((left, top, left + side, top + side))

def flip(im):
    return im.transpose(Image.FLIP_LEFT_RIGHT)

def hue(im, turn):
    h, s, v = im.convert("HSV").split()
    a = np.array(h, dtype=np.uint8)
    with np.errstate(over="ignore"):
        a += np.int32(turn * 255).astype(np.uint8)
    return Image.merge("HSV", (Image.fromarray(a), s, v)).convert("RGB")

def small(im):
    return im.resize((64, 64), B)

cases = {
    "Resize((224,224))": lambda im: im.resize((224, 224), B),
    "Resize((100,333),bicubic)": lambda im: im.resize((333, 100), C),
    "Resize((1000,700),bicubic)": lambda im: im.resize((700, 1000), C),
    "Resize((9,7))": lambda im: im.resize((7, 9), B),
    "Resize((30,300),bicubic),CenterCrop(28)": lambda im: center(im.resize((300, 30), C), 28),
    "Resize(256),CenterCrop(224)": lambda im: center(im.resize(short(im, 256), B), 224),
    "Resize(256,bicubic),CenterCrop(224)": lambda im: center(im.resize(short(im, 256), C), 224),
    "Resize(100),CenterCrop(224)": lambda im: center(im.resize(short(im, 100), B), 224),
    "CenterCrop(400)": lambda im: center(im, 400),
    "CenterCrop(180),Resize((224,100))": lambda im: center(im, 180).resize((100, 224), B),
    "CenterCrop(180),Resize((100,224)),RandomHorizontalFlip(1)": lambda im: flip(center(im, 180).resize((224, 100), B)),
    "CenterCrop(200),RandomHorizontalFlip(1),Resize((64,64))": lambda im: flip(center(im, 200)).resize((64, 64), B),
    "Resize((224,224)),RandomHorizontalFlip(1),CenterCrop(101)": lambda im: center(flip(im.resize((224, 224), B)), 101),
    "Resize((64,64)),Resize((128,100),bicubic),Grayscale(3)": lambda im: small(im).resize((100, 128), C).convert("L").convert("RGB"),
}
for f in (0.4, 1.7):
    cases[f"Resize((64,64)),ColorJitter(brightness=({f},{f}))"] = lambda im, f=f: ImageEnhance.Brightness(small(im)).enhance(f)
    cases[f"Resize((64,64)),ColorJitter(contrast=({f},{f}))"] = lambda im, f=f: ImageEnhance.Contrast(small(im)).enhance(f)
    cases[f"Resize((64,64)),ColorJitter(saturation=({f},{f}))"] = lambda im, f=f: ImageEnhance.Color(small(im)).enhance(f)
for f in (-0.3, 0.1, 0.5):
    cases[f"Resize((64,64)),ColorJitter(hue=({f},{f}))"] = lambda im, f=f: hue(small(im), f)

bad = 0
with tempfile.TemporaryDirectory() as tmp:
    names, specs, raw = os.path.join(tmp, "files"), os.path.join(tmp, "specs"), os.path.join(tmp, "raw")
    open(names, "w").write("\n".join(files))
    open(specs, "w").write("\n".join(cases))
    subprocess.run(java + [names, specs, raw], check=True)
    with open(raw, "rb") as f:
        for spec, reference in cases.items():
            want = np.stack([np.asarray(reference(Image.open(p).convert("RGB"))) for p in files]).astype(int)
            got = np.frombuffer(f.read(want.size), np.uint8).reshape(want.shape).astype(int)
            differ, most = int((want != got).sum()), int(abs(want - got).max())
            bad += most > 1
            print(f"{spec}: {differ} values differ, at most by {most}")
sys.exit(1 if bad else 0)
