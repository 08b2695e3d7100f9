# Writes Zarr containers of many kinds with zarr-python into a folder (sys.argv[1]) and prints what Stoker should find,
# tab-separated:
#   value FILE FIELD TYPE ROW HEX     a value in canonical bytes      split FILE NAME COUNT
#   refused FILE TEXT                 the container is refused with a sentence that has this text in it
#   omitted FILE TEXT                 something in the container is left out, and this is said of it
# sys.argv[2] is zip or folder.
import os
import struct
import sys
import warnings

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec
from zarr.core.dtype import VariableLengthBytes

warnings.simplefilter("ignore")
folder, kind = sys.argv[1:]
random = np.random.default_rng(7)
COMPLEX = {2: "<c8", 3: "complex64"}


class Store:
    """A container that is written within a with statement."""

    def __init__(self, name, version):
        self.name = f"{name}-v{version}.zarr" + (".zip" if kind == "zip" else "")
        path = os.path.join(folder, self.name)
        self.store = zarr.storage.ZipStore(path, mode="w") if kind == "zip" else zarr.storage.LocalStore(path)
        self.version = version

    def __enter__(self):
        self.root = zarr.create_group(self.store, zarr_format=self.version)
        return self

    def __exit__(self, *failure):
        self.store.close()

    def expect(self, field, kind, values):
        for i, value in enumerate(values):
            print("value", self.name, field, kind, i, value.hex(), sep="\t")

    def numbers(self, field, array, group=None, **how):
        """An array, and what is expected of it."""
        made = (group or self.root).create_array(field, shape=array.shape, dtype=array.dtype, **how)
        if array.size:
            made[...] = array
        self.expect_numbers(field, array)
        return made

    def expect_numbers(self, field, array):
        shape = "[" + ",".join(map(str, array.shape[1:])) + "]" if array.ndim > 1 else ""
        little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
        self.expect({"images": "data", "targets": "label"}.get(field, field), array.dtype.name + shape,
                    [little[i].tobytes() for i in range(len(array))])

    def omitted(self, text):
        print("omitted", self.name, text, sep="\t")

    def refused(self, text):
        print("refused", self.name, text, sep="\t")


def some(dtype, *shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind == "f":
        return random.normal(size=shape).astype(dtype)
    return random.integers(0, 100, shape).astype(dtype)


def numbers(version):
    """Default settings, every type, both orders of bytes, an array in one piece."""
    with Store("numbers", version) as s:
        for dtype in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 b1".split():
            s.numbers("scalar_" + dtype, some(dtype, 23))
            s.numbers("tensor_" + dtype, some(dtype, 23, 3, 2))
        s.numbers("empty", some("f4", 23, 0))
    with Store("big", version) as s:
        for dtype in (">i2", ">i8", ">f4"):
            if version == 2:
                s.numbers("big" + dtype[1:], some(dtype, 23, 2))
            else:
                array = some(dtype, 23, 2)
                made = s.root.create_array("big" + dtype[1:], shape=array.shape, dtype=dtype[1:], compressors=None,
                                           serializer=BytesCodec(endian="big"))
                made[...] = array
                s.expect_numbers("big" + dtype[1:], array)


def plain(version):
    """Without compression, as wide as samples: read where they lie."""
    with Store("plain", version) as s:
        s.numbers("images", some("u1", 50, 30, 4, 3), chunks=(7, 30, 4, 3), compressors=None)
        s.numbers("wide", some("f8", 50, 9), chunks=(20, 12), compressors=None)
        s.numbers("targets", some("i2", 50), chunks=(50,), compressors=None)


def chunks(version):
    """Chunks that cut samples, are larger than the array, were never written; and every codec."""
    compressors = {"none": None, "auto": "auto"}
    if version == 3:
        compressors |= {"gzip": GzipCodec(), "zstd": ZstdCodec(checksum=True), "crc": Crc32cCodec(),
                        "both": [ZstdCodec(), Crc32cCodec()]}
        compressors |= {f"blosc_{c}_{s}": BloscCodec(cname=c, shuffle=s, typesize=t) for c in ("lz4", "lz4hc", "zstd", "zlib")
                        for s in ("noshuffle", "shuffle", "bitshuffle") for t in (4,)}
    else:
        compressors |= {"gzip": numcodecs.GZip(), "zlib": numcodecs.Zlib(), "zstd": numcodecs.Zstd(), "lz4": numcodecs.LZ4(),
                        "blosc": numcodecs.Blosc()}
    for name, compressor in compressors.items():
        with Store("chunks-" + name, version) as s:
            s.numbers("images", some("f4", 40, 11, 7), chunks=(6, 4, 7), compressors=compressor)
            s.numbers("long", np.repeat(some("i4", 40), 3000).reshape(40, 3000), chunks=(16, 3000), compressors=compressor)
            s.numbers("large", some("i8", 40), chunks=(100,), compressors=compressor)
            gaps = np.full(40, 7, "i4")
            gaps[5:8] = 1
            made = s.root.create_array("gaps", shape=(40,), dtype="i4", chunks=(4,), fill_value=7, compressors=compressor)
            made[5:8] = 1
            s.expect_numbers("gaps", gaps)
            nans = np.full((40, 2), np.nan, "f8")
            s.root.create_array("nan", shape=(40, 2), dtype="f8", chunks=(9, 2), fill_value=np.nan, compressors=compressor)
            s.expect_numbers("nan", nans)


def order(version):
    with Store("order", version) as s:
        if version == 2:
            s.numbers("columns", some("i4", 20, 5, 3), chunks=(4, 3, 3), order="F")
            s.numbers("line", some("i4", 20), chunks=(4,), order="F")
        else:
            s.numbers("columns", some("i4", 20, 5, 3), chunks=(4, 3, 3), filters=[TransposeCodec(order=(2, 0, 1))])
            s.numbers("line", some("i4", 20), chunks=(4,), filters=[TransposeCodec(order=(0,))])


def keys(version):
    for separator in "./":
        for how in ("default", "v2") if version == 3 else ("v2",):
            with Store(f"keys-{how}-{'dot' if separator == '.' else 'slash'}", version) as s:
                s.numbers("x", some("i4", 20, 5), chunks=(4, 3), chunk_key_encoding={"name": how, "separator": separator})


def texts(version):
    with Store("texts", version) as s:
        words = ["", "a", "längere Wörter", "数" * 50, "x" * 5000] * 5
        made = s.root.create_array("text", shape=(25,), dtype=str, chunks=(10,))
        made[...] = np.array(words, dtype=object)
        s.expect("text", "text", [w.encode() for w in words])
        if version == 3:
            made = s.root.create_array("plain", shape=(25,), dtype=str, chunks=(10,), compressors=None)
            made[...] = np.array(words, dtype=object)
            s.expect("plain", "text", [w.encode() for w in words])
        made = s.root.create_array("bytes", shape=(25,), dtype=VariableLengthBytes(), chunks=(10,))
        made[...] = np.array([w.encode() for w in words], dtype=object)
        s.expect("bytes", "bytes", [w.encode() for w in words])
        made = s.root.create_array("fixed", shape=(25,), dtype="<U20", chunks=(10,))
        made[...] = np.array(words).astype("<U20")
        s.expect("fixed", "text", [w[:20].encode() for w in words])
        made = s.root.create_array("ascii", shape=(25,), dtype="S5", chunks=(10,))
        made[...] = np.array([b"ab", b"", b"abcde", b"x", b"y"] * 5)
        s.expect("ascii", "text", [b"ab", b"", b"abcde", b"x", b"y"] * 5)
        table = np.array(words, dtype=object).reshape(5, 5).repeat(5, axis=0)
        made = s.root.create_array("captions", shape=(25, 5), dtype=str, chunks=(4, 3))
        made[...] = table
        values = []
        for row in table:
            parts = [t.encode() for t in row]
            values.append(struct.pack("<I", 5) + np.cumsum([len(p) for p in parts]).astype("<u4").tobytes() + b"".join(parts))
        s.expect("captions", "text[]", values)


def shards(version):
    if version == 2:
        return
    for name, how in {"plain": dict(compressors=None), "zstd": {}, "blosc": dict(compressors=BloscCodec())}.items():
        with Store("shards-" + name, version) as s:
            s.numbers("images", some("u1", 41, 8, 3), shards=(20, 8, 3), chunks=(5, 8, 3), **how)
            s.numbers("cut", some("u2", 41, 8, 3), shards=(20, 8, 4), chunks=(5, 4, 2), **how)
            made = s.root.create_array("gaps", shape=(41,), dtype="i4", shards=(20,), chunks=(5,), fill_value=-3, **how)
            made[22:24] = 5
            gaps = np.full(41, -3, "i4")
            gaps[22:24] = 5
            s.expect_numbers("gaps", gaps)
    with Store("shards-start", version) as s:
        array = some("i4", 40, 6)
        made = s.root.create_array("start", shape=array.shape, dtype="i4", chunks=(20, 6), compressors=None, serializer=ShardingCodec(
            chunk_shape=(5, 6), codecs=[BytesCodec()], index_codecs=[BytesCodec()], index_location="start"))
        made[...] = array
        s.expect_numbers("start", array)


def groups(version):
    with Store("groups", version) as s:
        for split, count in (("train", 30), ("val", 4)):
            group = s.root.create_group(split)
            print("split", s.name, split, count, sep="\t")
            for field, array in (("images", some("u1", count, 50)), ("targets", some("i8", count))):
                group.create_array(field, data=array)
                if split == "train":
                    first = getattr(groups, field, None)
                    setattr(groups, field, array)
                else:
                    s.expect_numbers(field, np.concatenate([getattr(groups, field), array]))
        if kind == "folder":
            zarr.consolidate_metadata(s.store)


def choices(version):
    """Arrays beside the samples: each is told of."""
    with Store("mean-beside-groups", version) as s:
        s.root.create_array("mean", data=some("f4", 3))
        s.omitted("mean (3 rows of type float32): the samples are the arrays of group train")
        train = s.root.create_group("train")
        for field, array in (("x", some("u1", 40, 64)), ("y", some("i8", 40))):
            train.create_array(field, data=array)
            s.expect_numbers(field, array)
        train.create_array("z", data=np.zeros(40, "c8"))
        s.omitted("train/z (array of type " + COMPLEX[version] + "): fields have no such type")
        train.create_group("deeper").create_array("x", data=some("u1", 40, 64))
        s.omitted("train/deeper (group of x): the samples are the arrays of group train")
        print("split", s.name, "train", 40, sep="\t")
    with Store("packed", version) as s:
        s.numbers("t2m", some("i2", 40, 3), attributes={"scale_factor": 0.01, "add_offset": 273, "units": "K", "long_name": "x"})
        s.numbers("plain", some("f4", 40), attributes={"scale_factor": 1, "_FillValue": "AAAAAAAA+H8="})
        s.numbers("filled", some("f4", 40), attributes={"_FillValue": "AAAAAACI08A=", "valid_range": [0, 1]})
        stored = "): these attributes are not applied, the values are as stored"
        s.omitted("t2m (scale_factor 0.01, add_offset 273, units K" + stored)
        s.omitted("filled (_FillValue -20000.0, valid_range [0, 1]" + stored)
        if version == 2:  # as xarray writes it
            s.numbers("air", some("i2", 40), fill_value=-5, attributes={"_ARRAY_DIMENSIONS": ["time"]})
            s.omitted("air (_FillValue -5" + stored)
    with Store("groups-beside-arrays", version) as s:
        s.numbers("x", some("u1", 40, 64))
        s.root.create_array("names", data=some("i4", 3))
        s.omitted("names (3 rows of type int32): the samples are the 40 rows of x")
        s.root.create_group("info").create_array("lengths", data=some("i8", 7))
        s.omitted("info (group of lengths): the samples are the arrays of the root")
    with Store("deep", version) as s:
        arrays = []
        for split, count in (("test", 12), ("train", 40)):
            group = s.root.create_group("entry/data/" + split)
            arrays.append(some("u1", count, 64))
            group.create_array("x", data=arrays[-1])
            print("split", s.name, split, count, sep="\t")
        s.expect_numbers("x", np.concatenate(arrays))
        s.root.create_array("lengths", data=some("i8", 7))
        s.omitted("lengths (7 rows of type int64): the samples are the arrays of the groups entry/data/test, entry/data/train")
        s.root.create_group("/".join(["a"] * 40))
        s.omitted("/".join(["a"] * 33) + " (group): it is more than 32 groups deep")


def one(version):
    """A container that is a single array."""
    s = Store("one", version)
    array = some("f4", 12, 3)
    zarr.create_array(s.store, data=array, zarr_format=version)
    s.store.close()
    s.expect("data", "float32[3]", [row.tobytes() for row in array])


def refused(version):
    def case(name, text, write):
        with Store("refused-" + name, version) as s:
            write(s.root)
            s.refused(text)

    case("lengths", "as many samples each", lambda g: (g.create_array("x", data=some("i4", 5)), g.create_array("y", data=some("i4", 6))))
    case("array-each", "its 5 arrays 'i0', 'i1', … look like one for each sample", lambda g: [
        g.create_array(f"i{i}", data=some("u1", 8, 8, 3)) for i in range(5)])
    case("nothing", "neither its root", lambda g: g.create_group("a"))
    case("complex", f"left out: x (array of type {COMPLEX[version]}): fields have no such type", lambda g: g.create_array("x", data=np.zeros(3, "c8")))
    if version == 2:
        case("filter", "filter 'delta'", lambda g: g.create_array("x", shape=(9,), dtype="i4", filters=[numcodecs.Delta("i4")]))
        case("bz2", "codec 'bz2'", lambda g: g.create_array("x", shape=(9,), dtype="i4", compressors=numcodecs.BZ2()))
        case("blosclz", "codec 'blosc' of 'blosclz'", lambda g: g.create_array(
            "x", data=np.arange(99999), compressors=numcodecs.Blosc(cname="blosclz")))
    else:
        from numcodecs.zarr3 import BZ2
        case("bz2", "codec 'numcodecs.bz2'", lambda g: g.create_array("x", shape=(9,), dtype="i4", compressors=BZ2()))


for version in (2, 3):
    for write in (numbers, plain, chunks, order, keys, texts, shards, groups, choices, one, refused):
        write(version)
