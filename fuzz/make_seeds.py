#!/usr/bin/env python3
"""Makes the real files that fuzzing starts from, by the formats' own tools: python3 fuzz/make_seeds.py fuzz/corpus

Needs NumPy, h5py, pyarrow, zarr, lmdb, webdataset, Pillow, safetensors, and tar, zip and mksquashfs. Run when a new kind of file is to be
known; what is there already is left as it is, since tools of other versions write other bytes.
"""

import io
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import h5py
import lmdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import safetensors.numpy
import webdataset
import zarr
from PIL import Image

corpus = sys.argv[1]
work = tempfile.mkdtemp()
files = {"a/1.txt": b"first", "a/2.jpg": bytes(range(200)), "b/3.txt": b"", "b/4.json": b'{"x": 1}', "b/5.cls": b"7"}
numbers = np.arange(12, dtype="<f4").reshape(4, 3)
pictures = np.arange(4 * 5 * 6 * 3, dtype=np.uint8).reshape(4, 5, 6, 3)
texts = ["one", "", "тре", "four"]
blobs = [b"first", bytes(range(100)), b"", b"\0\1\2"]


def seed(target, name, make):
    place = os.path.join(corpus, target, name)
    if not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        made = make(place)
        if isinstance(made, bytes):
            with open(place, "wb") as out:
                out.write(made)


def tree():
    root = os.path.join(work, "tree")
    for name, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        with open(os.path.join(root, name), "wb") as out:
            out.write(content)
    return root


def run(*command):
    subprocess.run(command, cwd=tree(), check=True, stdout=subprocess.DEVNULL)


def tars():
    common = ["-b1", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]
    for kind in ["gnu", "pax", "ustar", "v7"]:
        seed("tar", kind, lambda to, k=kind: run("tar", "-cf", os.path.abspath(to), *common, "--format=" + k, "a", "b"))

    def long_names(to):
        os.makedirs(os.path.join(tree(), "long/" + "n" * 90), exist_ok=True)
        with open(os.path.join(tree(), "long/" + "n" * 90 + "/" + "m" * 90), "wb") as out:
            out.write(b"content")
        for kind in ["gnu", "pax"]:
            run("tar", "-cf", os.path.abspath(to + "-" + kind), *common, "--format=" + kind, "long")

    if not os.path.exists(os.path.join(corpus, "tar", "long-gnu")):
        seed("tar", "long", long_names)

    def web(to):
        with webdataset.TarWriter(to, mtime=0, user="", group="") as out:
            for i in range(3):
                out.write({"__key__": "s%d" % i, "jpg": b"pixels%d" % i, "cls": i, "json": {"x": [i, 1.5]}, "npy": numbers})

    seed("tar", "webdataset", web)


def zips():
    seed("zip", "info-zip", lambda to: run("zip", "-q", "-X", "-r", os.path.abspath(to) + ".zip", "a", "b") or os.rename(to + ".zip", to))
    seed("zip", "stored", lambda to: run("zip", "-q", "-0", "-X", "-r", os.path.abspath(to) + ".zip", "a", "b") or os.rename(to + ".zip", to))
    def zip64(to):
        data = subprocess.run(["zip", "-q", "-fz", "-X", "-", "a/2.jpg"], cwd=tree(), stdout=subprocess.PIPE, check=True).stdout
        return data
    seed("zip", "zip64-stream", zip64)
    def npz(make):
        buffer = io.BytesIO()
        make(buffer, data=numbers, label=np.arange(4), key=np.array(texts, dtype="U8"))
        return buffer.getvalue()
    seed("npz", "plain", lambda to: npz(np.savez))
    seed("npz", "compressed", lambda to: npz(np.savez_compressed))


def squash():
    def make(to, *options):
        run("mksquashfs", "a", "b", os.path.abspath(to), "-noappend", "-nopad", "-no-xattrs", "-all-root", "-mkfs-time", "0", "-all-time", "0",
            "-quiet", "-no-progress", *options)
    plain = ["-noI", "-noD", "-noF", "-noId"]
    seed("squashfs", "plain", lambda to: make(to, *plain))
    seed("squashfs", "plain-fragments-off", lambda to: make(to, *plain, "-no-fragments"))
    seed("squashfs", "exportless", lambda to: make(to, *plain, "-no-exports", "-b", "4096"))
    for codec in ["gzip", "zstd", "xz", "lz4"]:
        seed("squashfs", codec, lambda to, c=codec: make(to, "-comp", c))


def hdf5():
    def make(to, version, **options):
        with h5py.File(to, "w", libver=version) as out:
            out.create_dataset("data", data=pictures, **options)
            out.create_dataset("label", data=np.arange(4))
    for version in ["earliest", "latest"]:
        seed("hdf5", "fixed-" + version, lambda to, v=version: make(to, v))
        seed("hdf5", "chunked-" + version, lambda to, v=version: make(to, v, chunks=(2, 5, 6, 3), compression="gzip"))
        seed("hdf5", "tiled-" + version, lambda to, v=version: make(to, v, chunks=(2, 3, 4, 3), shuffle=True, compression="lzf"))
        seed("hdf5", "growing-" + version, lambda to, v=version: make(to, v, chunks=(1, 5, 6, 3), maxshape=(None, 5, 6, 3), fletcher32=True))

        def variable(to, v=version):
            with h5py.File(to, "w", libver=v) as out:
                rows = out.create_group("train").create_dataset("data", (4,), dtype=h5py.vlen_dtype(np.uint8))
                for i, blob in enumerate(blobs):
                    rows[i] = np.frombuffer(blob, np.uint8)
                out["train/key"] = texts
                out["train/fixed"] = np.array([b"ab", b"c", b"", b"defg"])

        seed("hdf5", "variable-" + version, variable)

        def records(to, v=version):
            inner = np.dtype([("x", "<f8"), ("y", ">i2")])
            kind = np.dtype([("id", "<i4"), ("wide", "<f4", (3, 2)), ("name", "S6"), ("in", inner), ("flag", "?"), ("raw", "V5")])
            with h5py.File(to, "w", libver=v) as out:
                out.create_dataset("plain", data=np.zeros(4, kind))
                out.create_dataset("gzip", data=np.zeros(4, kind), chunks=(3,), compression="gzip")
                out.create_dataset("complex", data=np.zeros(4, "c8"))

        seed("hdf5", "records-" + version, records)

        def described(to, v=version):
            with h5py.File(to, "w", libver=v) as out:
                for split in ("train", "test"):
                    data = out.create_dataset("entry/data/" + split + "/data", data=pictures[..., 0])
                    data.attrs["scale_factor"], data.attrs["units"], data.attrs["valid_range"] = 0.5, "K", np.arange(2, dtype="<i2")
                    color = h5py.enum_dtype({"RED": 0, "GREEN": 300}, basetype="<i2")
                    out.create_dataset("entry/data/" + split + "/color", data=np.arange(4) % 2, dtype=color)
                out["entry/up"] = out["entry"]
                out["mean"] = numbers[0]

        seed("hdf5", "described-" + version, described)

    def oldest(to):
        """Layouts of version 1, as libraries before 1.6.3 wrote them, made of version 3 by hand."""
        label = np.arange(4, dtype="<i4")
        with h5py.File(to, "w", libver="earliest") as out:
            out["data"] = numbers
            out.create_dataset("label", data=label, chunks=(3,), compression="gzip")
            place = out["data"].id.get_offset()
        with open(to, "rb") as made:
            data = made.read()
        head = bytes([1, 2, 1, 0, 0, 0, 0, 0]) + struct.pack("<QII", place, *numbers.shape)
        data = data.replace(b"\x03\x01" + struct.pack("<QQ", place, numbers.nbytes) + bytes(6), head)
        sizes = struct.pack("<II", 3, 4)
        at = data.index(sizes) - 11
        head = bytes([1, 2, 2, 0, 0, 0, 0, 0]) + data[at + 3:at + 11] + sizes
        return data[:at] + head + data[at + len(head):]

    seed("hdf5", "oldest", oldest)


def arrow():
    table = pa.table({
        "key": texts, "data": pa.array(blobs, pa.binary()), "label": pa.array([0, 1, None, 2]),
        "box": pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), 3),
        "words": pa.array([["a", "b"], [], ["c"], None]), "large": pa.array(blobs, pa.large_binary())})
    def make(codec, batches=1, dictionary=False):
        what = table.set_column(0, "key", table["key"].dictionary_encode()) if dictionary else table
        sink = io.BytesIO()
        with pa.ipc.new_file(sink, what.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as out:
            out.write_table(what, max_chunksize=4 // batches)
        return sink.getvalue()
    seed("arrow", "plain", lambda to: make(None))
    seed("arrow", "batches", lambda to: make(None, 2))
    seed("arrow", "lz4", lambda to: make("lz4"))
    seed("arrow", "zstd", lambda to: make("zstd"))
    seed("arrow", "dictionary", lambda to: make(None, dictionary=True))
    def write(**options):
        sink = io.BytesIO()
        pq.write_table(table, sink, **options)
        return sink.getvalue()
    seed("parquet", "plain", lambda to: write(compression="none", use_dictionary=False, write_statistics=False))
    seed("parquet", "dictionary", lambda to: write(compression="none"))
    seed("parquet", "snappy", lambda to: write(compression="snappy", data_page_version="2.0", row_group_size=2))
    seed("parquet", "gzip", lambda to: write(compression="gzip", use_dictionary=False))
    seed("parquet", "zstd", lambda to: write(compression="zstd", use_dictionary=False))
    seed("parquet", "delta", lambda to: write(
        compression="none", use_dictionary=False,
        column_encoding={"key": "DELTA_BYTE_ARRAY", "data": "DELTA_LENGTH_BYTE_ARRAY", "label": "DELTA_BINARY_PACKED"}))
    seed("parquet", "sums", lambda to: write(compression="none", use_dictionary=False, write_page_checksum=True))


def zarrs():
    def make(to, version, **options):
        store = zarr.storage.ZipStore(to + ".zip", mode="w")
        root = zarr.open_group(store, mode="w", zarr_format=version)
        array = root.create_array("data", shape=pictures.shape, dtype=pictures.dtype, **options)
        array[:] = pictures
        label = root.create_array("label", shape=(4,), chunks=(4,), dtype="int64")
        label[:] = np.arange(4)
        store.close()
        os.rename(to + ".zip", to)
    seed("zarr-zip", "v3", lambda to: make(to, 3, chunks=(2, 5, 6, 3), compressors=None))
    seed("zarr-zip", "v3-zstd", lambda to: make(to, 3, chunks=(1, 3, 6, 3)))
    seed("zarr-zip", "v3-sharded", lambda to: make(to, 3, chunks=(1, 5, 6, 3), shards=(4, 5, 6, 3), compressors=None))
    def deep(to, version):
        store = zarr.storage.ZipStore(to + ".zip", mode="w")
        root = zarr.open_group(store, mode="w", zarr_format=version)
        for split in ("train", "test"):
            array = root.create_array("entry/data/" + split + "/data", shape=numbers.shape, dtype=numbers.dtype, compressors=None,
                                      attributes={"scale_factor": 0.5, "_FillValue": "AAAAAAAA+H8=", "units": "K"})
            array[:] = numbers
        store.close()
        os.rename(to + ".zip", to)
    seed("zarr-zip", "v3-deep", lambda to: deep(to, 3))
    seed("zarr-zip", "v2-deep", lambda to: deep(to, 2))
    seed("zarr-zip", "v2", lambda to: make(to, 2, chunks=(2, 5, 6, 3), compressors=None))
    seed("zarr-zip", "v2-blosc", lambda to: make(to, 2, chunks=(2, 5, 6, 3)))


def databases():
    def make(to, large):
        folder = os.path.join(work, "lmdb%d" % large)
        with lmdb.open(folder, map_size=1 << 20, max_dbs=2) as env:
            if large:
                inner = env.open_db(b"train")
                with env.begin(write=True) as out:
                    out.put(b"big", bytes(5000), db=inner)
            with env.begin(write=True) as out:
                for i, blob in enumerate(blobs if not large else []):
                    out.put(b"%08d" % i, blob)
        shutil.copy(os.path.join(folder, "data.mdb"), to)
    seed("lmdb", "small", lambda to: make(to, False))
    seed("lmdb", "named-overflow", lambda to: make(to, True))
    def branches(to):
        folder = os.path.join(work, "lmdb-branches")
        with lmdb.open(folder, map_size=1 << 20) as env:
            with env.begin(write=True) as out:
                for i in range(6):
                    out.put(b"%08d" % i, bytes(1500))
        shutil.copy(os.path.join(folder, "data.mdb"), to)
    seed("lmdb", "branches", branches)


def arrays():
    def npy(array):
        buffer = io.BytesIO()
        np.save(buffer, array)
        return buffer.getvalue()
    seed("npy", "floats", lambda to: npy(numbers))
    seed("npy", "fortran", lambda to: npy(np.asfortranarray(numbers)))
    seed("npy", "big-endian", lambda to: npy(numbers.astype(">i2")))
    seed("npy", "scalar", lambda to: npy(np.float64(1.5)))
    seed("npy", "empty", lambda to: npy(np.zeros((0, 3), np.uint8)))
    seed("safetensors", "three", lambda to: safetensors.numpy.save({"a": numbers, "b": np.arange(5), "c": np.zeros((0, 2), "f2")}, {"k": "v"}))


def images():
    picture = Image.fromarray(np.arange(16 * 12 * 3, dtype=np.uint8).reshape(12, 16, 3))
    def make(image, kind, **options):
        buffer = io.BytesIO()
        image.save(buffer, kind, **options)
        return buffer.getvalue()
    seed("picture", "png", lambda to: make(picture, "PNG"))
    seed("picture", "png-palette", lambda to: make(picture.convert("P"), "PNG"))
    seed("picture", "png-grey", lambda to: make(picture.convert("I;16") if False else picture.convert("1"), "PNG"))
    seed("picture", "gif", lambda to: make(picture, "GIF"))
    seed("picture", "bmp", lambda to: make(picture, "BMP"))
    seed("picture", "tiff", lambda to: make(picture, "TIFF"))
    seed("picture", "tiff-lzw", lambda to: make(picture, "TIFF", compression="tiff_lzw"))
    seed("picture", "tiff-deflate", lambda to: make(picture, "TIFF", compression="tiff_adobe_deflate"))
    seed("picture", "webp", lambda to: make(picture, "WEBP"))
    seed("picture", "webp-lossless", lambda to: make(picture, "WEBP", lossless=True))
    golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../image/src/test/resources/others")
    for name in ("part.webp", "alpha.webp", "part.gif", "cmyk.tif", "f4.tif", "orientation-6.tif"):
        seed("picture", name.replace(".", "-"), lambda to, name=name: shutil.copy(os.path.join(golden, name), to))
    for kind, options in {"baseline": {}, "progressive": {"progressive": True}, "full": {"subsampling": 0}, "optimised": {"optimize": True}}.items():
        seed("jpeg", kind, lambda to, o=options: make(picture, "JPEG", **o))
    seed("jpeg", "grey", lambda to: make(picture.convert("L"), "JPEG"))
    seed("jpeg", "cmyk", lambda to: make(picture.convert("CMYK"), "JPEG"))
    seed("jpeg", "restart", lambda to: make(picture, "JPEG", restart_marker_blocks=1))


for each in (tars, zips, squash, hdf5, arrow, zarrs, databases, arrays, images):
    each()
shutil.rmtree(work)
