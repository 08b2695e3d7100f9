"""Makes pictures other than JPEG, of many kinds and settings, and what Pillow's convert("RGB") decodes them to.

usage: images_others.py OUT-DIR COUNT SEED [PHOTO-DIR]      COUNT pictures are WebP, the others are one of each kind
       images_others.py --golden OUT-DIR                    the small ones under image/src/test/resources/others
Writes OUT-DIR/manifest.tsv: name, width, height, CRC-32 of the RGB bytes, by how many levels Stoker's may differ, and
OUT-DIR/NAME.rgb with these bytes. Of a picture that Stoker refuses, the line has instead of the CRC-32 a part of the sentence that
says why.
"""
import io, os, random, struct, subprocess, sys, zlib
import numpy as np
import tifffile
from PIL import Image

golden = sys.argv[1] == "--golden"
out = sys.argv[2] if golden else sys.argv[1]
count, seed = (0, 1) if golden else (int(sys.argv[2]), int(sys.argv[3]))
photos = sys.argv[4] if len(sys.argv) > 4 else None
os.makedirs(out, exist_ok=True)
rnd = random.Random(seed)
files = sorted(os.path.join(d, f) for d, _, fs in os.walk(photos) for f in fs if f.upper().endswith((".JPEG", ".JPG"))) if photos else []
height, width = (15, 22) if golden else (40, 60)
y, x = np.mgrid[0:height, 0:width]
rgb = np.dstack([x * 4 % 256, y * 6 % 256, (x * y) % 256]).astype(np.uint8)
rgba = np.dstack([rgb, 255 - (x + y).astype(np.uint8) * 2])
grey = (x * 3 + y).astype(np.uint8)
im = Image.fromarray(rgb)
manifest = []
ROUNDED = {"ycbcr.tif"}     # its colors become RGB by another table

def add(name, data, refused=None, pixels=None):
    with open(os.path.join(out, name), "wb") as f: f.write(data)
    if pixels is None:
        with Image.open(io.BytesIO(data)) as picture: pixels = picture.convert("RGB")
    if not golden and not refused:
        with open(os.path.join(out, name + ".rgb"), "wb") as f: f.write(pixels.tobytes())
    manifest.append(f"{name}\t{pixels.size[0]}\t{pixels.size[1]}\t{refused or zlib.crc32(pixels.tobytes())}\t{1 if name in ROUNDED else 0}")

def pillow(name, picture, refused=None, **kw):
    if isinstance(picture, np.ndarray): picture = Image.fromarray(picture)
    b = io.BytesIO(); picture.save(b, Image.registered_extensions()["." + name.rsplit(".", 1)[1]], **kw)
    add(name, b.getvalue(), refused)

def tiff(name, array, refused=None, pixels=None, **kw):
    b = io.BytesIO(); tifffile.imwrite(b, array, **kw); add(name, b.getvalue(), refused, pixels)

# --- WebP, through libwebp: whatever the encoder's settings are
def photo():
    if not files:
        n = np.random.default_rng(rnd.getrandbits(32))
        w, h = rnd.choice([(1, 1), (rnd.randint(1, 20), rnd.randint(1, 20)), (rnd.randint(16, 300), rnd.randint(16, 300))])
        small = n.integers(0, 256, (max(1, h // 8), max(1, w // 8), 4), dtype=np.uint8)
        return Image.fromarray(small).resize((w, h), Image.Resampling.BICUBIC)
    im = Image.open(rnd.choice(files)).convert("RGBA")
    w, h = im.size
    cw, ch = rnd.choice([(rnd.randint(1, 40), rnd.randint(1, 40)), (rnd.randint(1, w), rnd.randint(1, h)), (w, h)])
    px, py = rnd.randint(0, w - cw), rnd.randint(0, h - ch)
    im = im.crop((px, py, px + cw, py + ch))
    im.putalpha(Image.linear_gradient("L").resize(im.size))
    return im

for i in range(count):
    picture = photo()
    if rnd.random() < 0.7: picture = picture.convert("RGB")
    kw = dict(quality=rnd.choice([0, 1, 10, 50, 75, 80, 90, 95, 100, rnd.randint(0, 100)]), method=rnd.randint(0, 6))
    if rnd.random() < 0.25: kw.update(lossless=True)
    if rnd.random() < 0.5: kw.update(exact=True)
    if rnd.random() < 0.5: kw.update(alpha_quality=rnd.randint(0, 100))
    if not kw.get("lossless") and rnd.random() < 0.3: kw.update(use_sharp_yuv=True)
    if rnd.random() < 0.1: kw.update(save_all=True, append_images=[picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)])
    pillow(f"{i:05d}.webp", picture, **kw)

pillow("lossy.webp", im); pillow("lossless.webp", im, lossless=True); pillow("alpha.webp", rgba); pillow("method-0.webp", im, method=0, quality=75)
pillow("animation.webp", im, save_all=True, append_images=[Image.fromarray(255 - rgb)])

def webp_of_parts():
    """An animation whose first picture covers a part of the canvas."""
    b = io.BytesIO(); im.save(b, "WEBP", quality=70); body = b.getvalue()[12:]
    place = b"".join(struct.pack("<I", v)[:3] for v in (2, 1, width - 1, height - 1, 100)) + b"\0"
    chunks = b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + struct.pack("<I", width + 9)[:3] + struct.pack("<I", height + 6)[:3]
    chunks += b"ANIM" + struct.pack("<IIH", 6, 0xFFFFFFFF, 0) + b"ANMF" + struct.pack("<I", 16 + len(body)) + place + body
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
add("part.webp", webp_of_parts())

# --- PNG, BMP, GIF
for name, picture in {"rgb": im, "rgba": rgba, "grey": grey, "la": Image.fromarray(rgba).convert("LA"), "palette": im.quantize(200),
                      "palette16": im.quantize(16), "bits": im.convert("1")}.items():
    pillow(name + ".png", picture)
for name, picture in {"rgb": im, "grey": grey, "palette": im.quantize(100)}.items(): pillow(name + ".bmp", picture)
pillow("rgb.gif", im.quantize(256), save_all=True, append_images=[Image.new("RGB", (width, height), "red")])
pillow("grey.gif", grey)
pillow("interlaced.gif", im.quantize(64), interlace=1)

def gif(name, screen, place, transparent=None, background=0, local=False, fill=None):
    """A GIF whose first picture covers a part of the screen."""
    colors = bytes([200, 30, 30, 30, 200, 30, 30, 30, 200, 250, 250, 250])
    px, py, w, h = place
    data = b"GIF89a" + struct.pack("<HHBBB", *screen, 0x00 if local else 0x81, background, 0) + (b"" if local else colors)
    if transparent is not None: data += b"\x21\xf9\x04" + struct.pack("<BHB", 1, 0, transparent) + b"\0"
    data += b"," + struct.pack("<HHHHB", px, py, w, h, 0x81 if local else 0) + (colors if local else b"")
    pixels = [(i % 4) if fill is None else fill for i in range(w * h)]
    bits, nbits = 0, 0; stream = bytearray()
    for i, code in enumerate([c for p in pixels for c in (4, p)] + [5]):
        bits |= code << nbits; nbits += 3
        while nbits >= 8: stream.append(bits & 255); bits >>= 8; nbits -= 8
    stream.append(bits & 255)
    data += b"\x02" + b"".join(bytes([len(stream[i:i + 255])]) + bytes(stream[i:i + 255]) for i in range(0, len(stream), 255)) + b"\0;"
    add(name, data)

gif("part.gif", (20, 12), (3, 2, 8, 6)); gif("part-transparent.gif", (20, 12), (3, 2, 8, 6), transparent=1)
gif("part-background.gif", (20, 12), (3, 2, 8, 6), background=2); gif("transparent.gif", (8, 6), (0, 0, 8, 6), transparent=2)
gif("part-local.gif", (20, 12), (3, 2, 8, 6), local=True); gif("part-background-transparent.gif", (20, 12), (3, 2, 8, 6), transparent=2, background=2)
gif("larger.gif", (8, 6), (3, 2, 20, 12))

# --- TIFF
cmyk = Image.merge("CMYK", [Image.fromarray(plane) for plane in (*np.moveaxis(rgb, 2, 0), (x + y).astype(np.uint8))])
for name, picture in {"rgb": im, "rgba": rgba, "grey": grey, "palette": im.quantize(100), "bits": im.convert("1"), "cmyk": cmyk, "ycbcr": im.convert("YCbCr"),
                      "la": Image.fromarray(rgba).convert("LA")}.items():
    for compression in [None] if golden and name not in ("rgb", "cmyk") else [None, "tiff_lzw", "tiff_adobe_deflate", "packbits"]:
        if name == "ycbcr" and compression: continue
        pillow(f"{name}{'-' + compression if compression else ''}.tif", picture, compression=compression)
pillow("lab.tif", im.convert("LAB"), "its colors are CIELAB")
tiff("fractions.tif", grey.astype("f4") / 255, "which is not the 0 to 255 of a picture"); tiff("rgb-float.tif", rgb.astype("f4"), "it has 3 channels of 32-bit numbers", im, photometric="rgb")
for orientation in range(2, 9): pillow(f"orientation-{orientation}.tif", im, tiffinfo={274: orientation})
pillow("jpeg.tif", im, compression="jpeg", quality=95); pillow("jpeg-grey.tif", grey, compression="jpeg", quality=90)
pillow("group4.tif", im.convert("1"), compression="group4"); pillow("group3.tif", im.convert("1"), compression="group3")
for dtype in ("<u2", ">u2", "<i2", "<u4", "<i4", "<f4", "<f8", ">f4"):
    # Pillow does not know all of these; those that it knows it takes as they are here.
    name, kw = dtype.replace("<", "").replace(">", "big-"), dict(pixels=Image.fromarray(grey).convert("RGB"), byteorder=dtype[0])
    tiff(f"{name}.tif", grey.astype(dtype), **kw)
    tiff(f"{name}-beyond.tif", (grey.astype("f8") * 99).astype(dtype), "beyond the 0 to 255 of a picture", **kw)
tiff("rgb16.tif", rgb.astype("<u2") * 257); tiff("rgb16-big.tif", rgb.astype(">u2") * 257, byteorder=">")
tiff("tiled.tif", np.ascontiguousarray(rgb), tile=(16, 16), photometric="rgb"); tiff("planar.tif", np.ascontiguousarray(np.moveaxis(rgb, 2, 0)), photometric="rgb", planarconfig="separate")
tiff("white-is-zero.tif", grey, photometric="miniswhite"); tiff("bigtiff.tif", rgb, bigtiff=True, photometric="rgb")
tiff("predictor.tif", rgb, compression="zlib", predictor=True, photometric="rgb"); tiff("pages.tif", np.stack([rgb, 255 - rgb]), photometric="rgb")
tiff("unassociated.tif", rgba, photometric="rgb", extrasamples=["unassalpha"]); tiff("associated.tif", rgba, photometric="rgb", extrasamples=["assocalpha"])
tiff("strips.tif", rgb, rowsperstrip=7, photometric="rgb")
if not golden:
    b = io.BytesIO(); im.save(b, "PPM")
    made = subprocess.run(["cjpeg", "-arithmetic"], input=b.getvalue(), capture_output=True) if os.system("command -v cjpeg >/dev/null") == 0 else None
    if made is None or made.returncode: print("arithmetic.jpg skipped, there is no cjpeg with arithmetic coding")
    else: add("arithmetic.jpg", made.stdout)
with open(os.path.join(out, "manifest.tsv"), "w") as f: f.write("\n".join(manifest) + "\n")
