# Writes HDF5 files of many kinds with h5py into a folder (sys.argv[1]) and prints what Stoker should find, tab-separated:
#   value FILE FIELD TYPE ROW HEX     a value in canonical bytes      split FILE NAME COUNT
#   refused FILE TEXT                 the file is refused with a sentence that has this text in it
#   omitted FILE TEXT                 something in the file is left out, and this is said of it
import ctypes
import os
import struct
import sys

import h5py
import numpy as np

folder = sys.argv[1]
random = np.random.default_rng(7)


def text_list(texts):
    parts = [t.encode() for t in texts]
    ends = np.cumsum([len(p) for p in parts]).astype("<u4") if parts else np.array([], "<u4")
    return struct.pack("<I", len(parts)) + ends.tobytes() + b"".join(parts)


def expect(name, field, kind, values):
    for i, value in enumerate(values):
        print("value", name, field, kind, i, value.hex(), sep="\t")


def expect_numbers(name, field, kind, array):
    little = array.astype(array.dtype.newbyteorder("<"))
    expect(name, field, kind, [little[i].tobytes() for i in range(len(array))])


def omit(name, text):
    print("omitted", name, text, sep="\t")


def open_(name, version, **options):
    libver = {"default": None, "earliest": "earliest", "latest": "latest"}[version]
    return h5py.File(os.path.join(folder, name), "w", libver=libver, **options)


def low(f, name, array, chunk=None, early=False, compact=False):
    """A dataset with properties that h5py's own functions do not set."""
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunk:
        how.set_chunk(chunk)
    if early:
        how.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    if compact:
        how.set_layout(h5py.h5d.COMPACT)
    kind = h5py.h5t.py_create(array.dtype)
    dataset = h5py.Dataset(h5py.h5d.create(f.id, name.encode(), kind, h5py.h5s.create_simple(array.shape), dcpl=how))
    dataset[...] = array


def course(version):
    """The courses' own script: variable-length images and int16 targets, a group for each split."""
    name = f"course-{version}.h5"
    images, targets = [], []
    with open_(name, version) as f:
        for split, count in (("train", 50), ("val", 7)):
            group = f.create_group(split)
            dset = group.create_dataset("images", (count,), dtype=h5py.vlen_dtype(np.dtype(np.uint8)))
            dtargets = group.create_dataset("targets", (count,), dtype=np.dtype("int16"))
            for i in range(count):
                image = random.integers(0, 256, int(random.integers(0, 6000)), np.uint8)
                dset[i], dtargets[i] = image, i - 1
                images.append(image.tobytes())
                targets.append(struct.pack("<h", i - 1))
            print("split", name, split, count, sep="\t")
    expect(name, "data", "bytes", images)
    expect(name, "label", "int16", targets)


def numbers(version):
    name = f"numbers-{version}.h5"
    with open_(name, version) as f:
        for kind in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool".split():
            for order in "<>":
                for shape in ((), (3,), (4, 5)):
                    array = random.integers(0, 2 if kind == "bool" else 100, (20,) + shape).astype(kind)
                    array = array.astype(array.dtype.newbyteorder(order))
                    field = f"{kind}{'be' if order == '>' else 'le'}{len(shape)}"
                    f[field] = array
                    label = kind + ("[" + ",".join(map(str, shape)) + "]" if shape else "")
                    expect_numbers(name, field, label, array)
        f["array"] = np.arange(120, dtype="<i4").reshape(20, 2, 3).view([("x", "<i4", (3,))])["x"].reshape(20, 2, 3)
        expect_numbers(name, "array", "int32[2,3]", np.arange(120, dtype="<i4").reshape(20, 2, 3))
        kind = np.dtype(("<i4", (2, 3)))
        inner = f.create_dataset("inner", (20,), dtype=kind)
        inner[...] = np.arange(120).reshape(20, 2, 3)
        expect_numbers(name, "inner", "int32[2,3]", np.arange(120, dtype="<i4").reshape(20, 2, 3))
        f["opaque"] = np.arange(100, dtype=np.uint8).view("V5")
        expect_numbers(name, "opaque", "uint8[5]", np.arange(100, dtype=np.uint8).reshape(20, 5))
        f["named type"] = np.dtype("<f4")
        named = f.create_dataset("named", (20,), dtype=f["named type"])
        named[...] = np.arange(20)
        expect_numbers(name, "named", "float32", np.arange(20, dtype="<f4"))
        f["a scalar is left out"] = 3
    omit(name, "a scalar is left out (dataset of type int64): it is a single value")


def texts(version):
    name = f"texts-{version}.h5"
    words = ["", "a", "zwölf", "数据集", "a longer text of some words"] * 5
    with open_(name, version) as f:
        f.create_dataset("vlen", data=words, dtype=h5py.string_dtype())
        f.create_dataset("fixed", data=np.array([w.encode() for w in words], h5py.string_dtype("utf-8", 40)))
        f["ascii"] = np.array([b"x" * (i % 5) for i in range(25)])
        lists = f.create_dataset("lists", (25,), dtype=h5py.vlen_dtype(h5py.string_dtype()))
        captions = f.create_dataset("captions", (25, 3), dtype=h5py.string_dtype())
        for i in range(25):
            lists[i] = np.array(words[:i % 5], dtype=object)
            captions[i] = np.array(words[i % 5:][:3], dtype=object)
        arrays = f.create_dataset("arrays", (25,), dtype=h5py.vlen_dtype(np.dtype("<f4")))
        for i in range(25):
            arrays[i] = np.arange(i, dtype="<f4")
        f.create_dataset("growing", data=words, dtype=h5py.string_dtype(), maxshape=(None,), chunks=(4,))
    expect(name, "vlen", "text", [w.encode() for w in words])
    expect(name, "fixed", "text", [w.encode() for w in words])
    expect(name, "growing", "text", [w.encode() for w in words])
    expect(name, "ascii", "text", [b"x" * (i % 5) for i in range(25)])
    expect(name, "lists", "text[]", [text_list(words[:i % 5]) for i in range(25)])
    expect(name, "captions", "text[]", [text_list(words[i % 5:][:3]) for i in range(25)])
    expect(name, "arrays", "float32[*]", [np.arange(i, dtype="<f4").tobytes() for i in range(25)])


def chunks(version):
    """Every kind of index of chunks, with few and with many of them."""
    for count in (10, 3000):
        name = f"chunks-{version}-{count}.h5"
        wide = random.integers(0, 100, (count, 2, 12), np.uint8)
        one = random.integers(0, 30000, count).astype("<i2")
        with open_(name, version) as f:
            f.create_dataset("one chunk", data=wide, chunks=wide.shape)
            f.create_dataset("whole rows", data=wide, chunks=(3, 2, 12))
            f.create_dataset("growing rows", data=wide, chunks=(1, 2, 12), maxshape=(None, 2, 12))
            f.create_dataset("wider chunks", data=wide, chunks=(1, 4, 12), maxshape=(None, 9, 12))
            f.create_dataset("pieces", data=wide, chunks=(7, 1, 5))
            f.create_dataset("growing pieces", data=wide, chunks=(7, 1, 5), maxshape=(None, 9, 13))
            f.create_dataset("growing all ways", data=wide, chunks=(1, 2, 12), maxshape=(None, None, None))
            f.create_dataset("growing sideways", data=wide, chunks=(1, 2, 5), maxshape=(count, None, 12))
            low(f, "early", wide, chunk=(1, 2, 12), early=True)
            low(f, "compact", one, compact=True)
            f.create_dataset("scalars", data=one, chunks=(1,), maxshape=(None,))
            hole = f.create_dataset("holes", (count,), "<i2", chunks=(2,), fillvalue=-7)
            hole[2:4] = [5, 6]
            f.create_dataset("unwritten", (count, 20), "u1", fillvalue=9)
        for field in ("one chunk", "whole rows", "growing rows", "wider chunks", "pieces", "growing pieces",
                      "growing all ways", "growing sideways", "early"):
            expect_numbers(name, field, "uint8[2,12]", wide)
        expect_numbers(name, "compact", "int16", one)
        expect_numbers(name, "scalars", "int16", one)
        expect_numbers(name, "holes", "int16", np.array([-7, -7, 5, 6] + [-7] * (count - 4), "<i2"))
        expect_numbers(name, "unwritten", "uint8[20]", np.full((count, 20), 9, np.uint8))


FILTERS = {
    "gzip": dict(compression="gzip"),
    "gzip-shuffle": dict(compression="gzip", compression_opts=9, shuffle=True),
    "lzf": dict(compression="lzf"),
    "lzf-shuffle": dict(compression="lzf", shuffle=True),
    "fletcher32": dict(fletcher32=True),
    "all-gzip": dict(compression="gzip", shuffle=True, fletcher32=True),
    "all-lzf": dict(compression="lzf", shuffle=True, fletcher32=True),
}


def mixed(shape, kind):
    """Numbers of which some compress and some do not, so that some chunks go through lzf and some leave it out."""
    array = random.integers(0, 1 << 15, shape).astype(kind)
    array[: shape[0] // 2] = 7
    return array


def filters(version):
    """Every filter with every index of chunks: whole samples, pieces of them, growing in one and in all directions."""
    for which, options in FILTERS.items():
        for count in (10, 3000):
            if count > 10 and which not in ("gzip-shuffle", "lzf"):
                continue
            name = f"filters-{which}-{version}-{count}.h5"
            wide = mixed((count, 6, 5), "<i4")
            with open_(name, version) as f:
                f.create_dataset("one chunk", data=wide, chunks=wide.shape, **options)
                f.create_dataset("guessed", data=wide, **options)
                f.create_dataset("whole rows", data=wide, chunks=(3, 6, 5), **options)
                f.create_dataset("growing rows", data=wide, chunks=(1, 6, 5), maxshape=(None, 6, 5), **options)
                f.create_dataset("wider chunks", data=wide, chunks=(1, 8, 5), maxshape=(None, 9, 5), **options)
                f.create_dataset("pieces", data=wide, chunks=(7, 4, 3), **options)
                f.create_dataset("growing pieces", data=wide, chunks=(7, 4, 3), maxshape=(None, 9, 13), **options)
                f.create_dataset("growing all ways", data=wide, chunks=(4, 2, 2), maxshape=(None, None, None), **options)
                f.create_dataset("big-endian", data=wide.astype(">i4"), chunks=(2, 6, 5), **options)
                f.create_dataset("big-endian pieces", data=wide.astype(">i4"), chunks=(2, 5, 2), **options)
                f.create_dataset("label", data=wide[:, 0, 0], chunks=(2,), **options)
            for field in ("one chunk", "guessed", "whole rows", "growing rows", "wider chunks", "pieces", "growing pieces",
                          "growing all ways", "big-endian", "big-endian pieces"):
                expect_numbers(name, field, "int32[6,5]", wide)
            expect_numbers(name, "label", "int32", wide[:, 0, 0])


def filter_orders(version):
    """Filters in any order, left out of some chunks, and chunks that were never written."""
    name = f"filter-orders-{version}.h5"
    wide = mixed((12, 6, 5), "<i4")
    steps = {"z": lambda how: how.set_deflate(4), "s": lambda how: how.set_shuffle(), "f": lambda how: how.set_fletcher32(),
             "l": lambda how: how.set_filter(32000, h5py.h5z.FLAG_OPTIONAL, ())}
    with open_(name, version) as f:
        for order in ("zs", "fz", "fs", "sf", "zsf", "fsz", "zfs", "fls", "lsf"):
            for chunk in ((5, 6, 5), (5, 4, 2)):
                how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                how.set_chunk(chunk)
                for step in order:
                    steps[step](how)
                kind = h5py.h5t.py_create(wide.dtype)
                field = f"{order}{chunk[2]}"
                dataset = h5py.Dataset(
                    h5py.h5d.create(f.id, field.encode(), kind, h5py.h5s.create_simple(wide.shape), dcpl=how))
                dataset[...] = wide
                expect_numbers(name, field, "int32[6,5]", wide)
        options = dict(compression="gzip", shuffle=True)
        for field, chunk in (("masked", (2, 6, 5)), ("masked pieces", (2, 6, 2))):
            f.create_dataset(field, data=wide, chunks=chunk, **options)
            raw = np.zeros(chunk, "<i4")
            raw[:, :, : chunk[2]] = wide[2:4, :, : chunk[2]]
            f[field].id.write_direct_chunk((2, 0, 0), raw.tobytes(), 0b11)
            expect_numbers(name, field, "int32[6,5]", wide)
        for field, kind, chunk in (("hole", "<i4", (2, 6, 5)), ("hole in pieces", "<i4", (2, 4, 2)),
                                   ("big-endian hole", ">i4", (2, 6, 5)), ("big-endian hole in pieces", ">i4", (2, 4, 2))):
            hole = f.create_dataset(field, wide.shape, kind, chunks=chunk, fillvalue=-70000, **options)
            hole[4:6, :3, :2] = wide[4:6, :3, :2]
            expect_numbers(name, field, "int32[6,5]", hole[...])
        plain = f.create_dataset("unfiltered hole in pieces", wide.shape, "<i4", chunks=(2, 4, 2), fillvalue=3)
        plain[4:6, :3, :2] = wide[4:6, :3, :2]
        expect_numbers(name, "unfiltered hole in pieces", "int32[6,5]", plain[...])
        f.create_dataset("big-endian nothing", wide.shape, ">i4", fillvalue=5)
        expect_numbers(name, "big-endian nothing", "int32[6,5]", np.full(wide.shape, 5, "<i4"))
        tensors = f.create_dataset("tensors", (12,), np.dtype(("<f4", (3, 4))), chunks=(5,), **options)
        tensors[2:4] = np.arange(24).reshape(2, 3, 4)
        expect_numbers(name, "tensors", "float32[3,4]", tensors[...])
        f.create_dataset("bools", data=wide > 7, chunks=(5, 6, 3), **options)
        expect_numbers(name, "bools", "bool[6,5]", wide > 7)
        f.create_dataset("no bytes", (12, 0), "<i4", chunks=(2, 3), maxshape=(None, None), **options)
        expect_numbers(name, "no bytes", "int32[0]", np.zeros((12, 0), "<i4"))


def edges(version):
    """Chunks over the dataset's end that are stored as they are, though the others are compressed."""
    name = f"edges-{version}.h5"
    library = ctypes.CDLL(h5py.h5p.__file__)
    wide = mixed((11, 6, 5), "<i4")
    with open_(name, version) as f:
        for field, chunk in (("whole", (3, 6, 5)), ("pieces", (3, 4, 2)), ("one", (20, 6, 5))):
            how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            how.set_chunk(chunk)
            how.set_deflate(3)
            assert library.H5Pset_chunk_opts(ctypes.c_int64(how.id), 2) >= 0
            kind, most = h5py.h5t.py_create(wide.dtype), (20, 6, 5)
            space = h5py.h5s.create_simple(wide.shape, most)
            dataset = h5py.Dataset(h5py.h5d.create(f.id, field.encode(), kind, space, dcpl=how))
            dataset[...] = wide
            expect_numbers(name, field, "int32[6,5]", wide)


def filtered_texts(version):
    """References and texts that went through filters."""
    name = f"filtered-texts-{version}.h5"
    words = ["", "a", "zwölf", "数据集", "a longer text of some words"] * 5
    options = dict(compression="gzip", shuffle=True, chunks=(4,))
    images = [random.integers(0, 256, int(random.integers(0, 900)), np.uint8) for _ in range(25)]
    with open_(name, version) as f:
        group = f.create_group("train")
        group.create_dataset("vlen", data=words, dtype=h5py.string_dtype(), **options)
        group.create_dataset("fixed", data=np.array([w.encode() for w in words], h5py.string_dtype("utf-8", 40)), **options)
        captions = group.create_dataset("captions", (25, 3), dtype=h5py.string_dtype(), compression="lzf", chunks=(3, 2))
        dset = group.create_dataset("images", (25,), dtype=h5py.vlen_dtype(np.dtype("uint8")), **options)
        for i in range(25):
            captions[i] = np.array(words[i % 5:][:3], dtype=object)
            dset[i] = images[i]
        group.create_dataset("targets", data=np.arange(25, dtype=">i8"), **options)
    print("split", name, "train", 25, sep="\t")
    expect(name, "vlen", "text", [w.encode() for w in words])
    expect(name, "fixed", "text", [w.encode() for w in words])
    expect(name, "captions", "text[]", [text_list(words[i % 5:][:3]) for i in range(25)])
    expect(name, "data", "bytes", [i.tobytes() for i in images])
    expect(name, "label", "int64", [struct.pack("<q", i) for i in range(25)])


def groups(version):
    """Groups of so many links that they lie in a tree, links in the order of their making, a user block."""
    for count in (20, 400):
        name = f"groups-{version}-{count}.h5"
        with open_(name, version, userblock_size=1024, track_order=count == 20) as f:
            for attribute in range(30):
                f.attrs[f"attribute {attribute}"] = "x" * 100
            group = f.create_group("train")
            for i in range(count):
                group.create_dataset(f"field {i} {'x' * (i % 50)}", data=np.full(2, i, "<i4"), track_times=True)
                expect_numbers(name, f"field {i} {'x' * (i % 50)}", "int32", np.full(2, i, "<i4"))
            group["soft"] = h5py.SoftLink("/train/nowhere")
        omit(name, "train/soft (soft link): links are not followed")
        with open(os.path.join(folder, name), "r+b") as f:
            f.write(b"a user's own bytes")
        print("split", name, "train", 2, sep="\t")


def choices(version):
    """Arrays beside the samples: each is told of."""
    many, few = random.integers(0, 99, (40, 8, 8), np.uint8), random.integers(0, 99, (30, 8, 8), np.uint8)
    name = f"mean-beside-groups-{version}.h5"
    with open_(name, version) as f:
        f["mean"] = np.ones(3, "f4")
        for split, array in (("test", few), ("train", many)):
            f[f"{split}/x"] = array
            f[f"{split}/y"] = np.arange(len(array))
            print("split", name, split, len(array), sep="\t")
        f["train/names"] = [b"cat", b"dog"]
        f["train/deeper/x"] = many
        f["other"] = h5py.ExternalLink("other.h5", "/x")
    expect_numbers(name, "x", "uint8[8,8]", np.concatenate([few, many]))
    expect_numbers(name, "y", "int64", np.concatenate([np.arange(30), np.arange(40)]))
    omit(name, "mean (3 rows of type float32): the samples are the arrays of the groups test, train")
    omit(name, "train/names (2 rows of type text): the samples are the 40 rows of train/x")
    omit(name, "train/deeper (group of x): the samples are the arrays of the groups test, train")
    omit(name, "other (external link): links are not followed")

    name = f"groups-beside-arrays-{version}.h5"
    with open_(name, version) as f:
        f["x"] = many
        f["z"] = np.zeros(40, "c8")
        f["info/lengths"] = np.arange(7)
    expect_numbers(name, "x", "uint8[8,8]", many)
    omit(name, "info (group of lengths): the samples are the arrays of the root")
    for part in "ri":  # a complex number is a compound
        expect_numbers(name, "z." + part, "float32", np.zeros(40, "<f4"))

    # Samples lie at any depth: the heaviest group, and those beside it that have the same arrays.
    name = f"deep-{version}.h5"
    with open_(name, version) as f:
        for split, array in (("test", few), ("train", many)):
            f[f"entry/data/{split}/x"], f[f"entry/data/{split}/y"] = array, np.arange(len(array))
            print("split", name, split, len(array), sep="\t")
        f["entry/data/info/x"] = many[:5]
        f["entry/data/train2"] = f["entry/data/train"]
        f["entry/up"] = f["entry"]
        f["y"] = np.arange(12)
        f["empty/more"] = 3
        f.create_dataset("other/rows", (5,), "i4", chunks=(5,), scaleoffset=4)
    expect_numbers(name, "x", "uint8[8,8]", np.concatenate([few, many]))
    expect_numbers(name, "y", "int64", np.concatenate([np.arange(30), np.arange(40)]))
    where = "the samples are the arrays of the groups entry/data/test, entry/data/train"
    omit(name, "y (12 rows of type int64): " + where)
    omit(name, "entry/data/info (group of x): " + where)
    omit(name, "other (group of rows): " + where)
    omit(name, "entry/data/train2 (group): it is another link to a group that was read")
    omit(name, "entry/up (group): it is another link to a group that was read")
    omit(name, "empty/more (dataset of type int64): it is a single value")

    name = f"other-lengths-{version}.h5"
    with open_(name, version) as f:
        f["a/x"], f["a/weights"], f["b/y"] = many, np.zeros((39, 3)), few
        f["a/bounds"] = np.zeros(12)
    print("split", name, "a", 40, sep="\t")
    expect_numbers(name, "x", "uint8[8,8]", many)
    omit(name, "a/weights (39 rows of type float64[3]): the samples are the 40 rows of a/x")
    omit(name, "a/bounds (12 rows of type float64): the samples are the 40 rows of a/x")
    omit(name, "b (group of y): the samples are the arrays of group a")

    name = f"keras-{version}.h5"
    with open_(name, version) as f:
        for split, array in (("test", few), ("train", many)):
            f["x_" + split], f["y_" + split] = array, np.arange(len(array), dtype="u1")
            print("split", name, split, len(array), sep="\t")
    expect_numbers(name, "x", "uint8[8,8]", np.concatenate([few, many]))
    expect_numbers(name, "y", "uint8", np.concatenate([np.arange(30), np.arange(40)]).astype("u1"))

    # As netCDF-4 does it: coordinates are dimension scales, and one that nobody gave is there without values.
    name = f"netcdf-{version}.nc"
    with open_(name, version) as f:
        f["air"] = np.arange(37 * 40 * 5, dtype="<f4").reshape(37, 40, 5)
        f["lat"], f["time"] = np.arange(40, dtype="<f8"), np.arange(37, dtype="<f8")
        f.create_dataset("lon", (5,), ">f4")
        f["lat"].make_scale("lat")
        f["time"].make_scale("time")
        f["lon"].make_scale("This is a netCDF dimension but not a netCDF variable.         5")
        for axis, scale in enumerate(("time", "lat", "lon")):
            f["air"].dims[axis].attach_scale(f[scale])
    expect_numbers(name, "air", "float32[40,5]", np.arange(37 * 40 * 5, dtype="<f4").reshape(37, 40, 5))
    expect_numbers(name, "time", "float64", np.arange(37, dtype="<f8"))
    omit(name, "lat (40 rows of type float64): the samples are the 37 rows of air")

    # What changes the meaning of values and is not applied; a factor of 1 and NaN for missing values change nothing.
    name = f"packed-netcdf-{version}.nc"
    with open_(name, version) as f:
        f["t2m"] = np.arange(120, dtype="<i2").reshape(40, 3)
        f["t2m"].attrs["scale_factor"] = 0.01
        f["t2m"].attrs["add_offset"] = np.array([273.15], ">f4")
        f["t2m"].attrs["_FillValue"] = np.array([-32768], "<i2")
        f["t2m"].attrs["missing_value"] = np.int16(-32767)
        f["t2m"].attrs["valid_range"] = np.array([-9, 9], "<i2")
        f["t2m"].attrs["units"] = "K\n\x1b[31m"
        for other in range(20):
            f["t2m"].attrs[f"other {other}"] = other
        f["mask"] = np.zeros(40, "u1")
        f["mask"].attrs["valid_range"] = np.arange(9, dtype="u8")
        f["mask"].attrs["units"] = np.bytes_(b"1")
        f["plain"] = np.arange(40, dtype="<f8")
        f["plain"].attrs["scale_factor"], f["plain"].attrs["add_offset"] = 1.0, 0
        f["plain"].attrs["_FillValue"] = np.float64("nan")
        kind = h5py.enum_dtype({"RED": 0, "GREEN": -1, "BLUE": 300}, basetype="<i2")
        f.create_dataset("color", data=np.arange(40) % 2, dtype=kind)
        many = h5py.enum_dtype({f"n{i}": i for i in range(12)}, basetype=">u4")
        f.create_dataset("many", data=np.arange(40) % 12, dtype=many)
    expect_numbers(name, "t2m", "int16[3]", np.arange(120, dtype="<i2").reshape(40, 3))
    expect_numbers(name, "mask", "uint8", np.zeros(40, "u1"))
    expect_numbers(name, "plain", "float64", np.arange(40, dtype="<f8"))
    expect_numbers(name, "color", "int16", (np.arange(40) % 2).astype("<i2"))
    expect_numbers(name, "many", "uint32", (np.arange(40) % 12).astype("<u4"))
    stored = "): these attributes are not applied, the values are as stored"
    omit(name, "t2m (scale_factor 0.01, add_offset 273.15, _FillValue -32768, missing_value -32767, valid_range [-9, 9], "
         "units K [31m" + stored)
    omit(name, "mask (valid_range [0, 1, 2, 3, …], units 1" + stored)
    omit(name, "color (enumeration BLUE 300, GREEN -1, RED 0): the values are its numbers")
    omit(name, "many (enumeration n0 0, n1 1, n10 10, n11 11, n2 2, n3 3, n4 4, n5 5, …): the values are its numbers")

    name = f"folds-{version}.h5"
    with open_(name, version) as f:
        for fold in range(4):
            f[f"fold{fold}/x"], f[f"fold{fold}/y"] = few, np.arange(30)
            print("split", name, f"fold{fold}", 30, sep="\t")
    expect_numbers(name, "x", "uint8[8,8]", np.concatenate([few] * 4))
    expect_numbers(name, "y", "int64", np.concatenate([np.arange(30)] * 4))

    name = f"numbered-{version}.h5"
    with open_(name, version) as f:
        for view in range(3):
            f[f"view{view}"] = few
            expect_numbers(name, f"view{view}", "uint8[8,8]", few)
        f["label"] = np.arange(30)
    expect_numbers(name, "label", "int64", np.arange(30))


def zstd(version):
    """Chunks as the filter of zstd makes them, by hand: a frame of one block that is stored, or that repeats one byte."""
    rows = np.vstack([random.integers(0, 255, (5, 1000)), np.full((5, 1000), 9)]).astype(np.uint8)
    rows[5:] += np.arange(5, dtype=np.uint8)[:, None]
    name = f"zstd-{version}.h5"
    with open_(name, version) as f:
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_chunk((1, 1000))
        how.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
        h5py.h5d.create(f.id, b"x", h5py.h5t.py_create(np.dtype("u1")), h5py.h5s.create_simple(rows.shape), dcpl=how)
        for i, row in enumerate(rows):
            is_repeated = i >= 5
            head = b"\x28\xb5\x2f\xfd\x60" + (1000 - 256).to_bytes(2, "little") + (1 | is_repeated << 1 | 1000 << 3).to_bytes(3, "little")
            f["x"].id.write_direct_chunk((i, 0), head + (row[:1] if is_repeated else row).tobytes(), 0)
    expect_numbers(name, "x", "uint8[1000]", rows)


def compounds(version):
    """Records, each of whose members is a field: in a piece, in chunks, compressed, big-endian, nested."""
    inner = np.dtype([("x", "<f8"), ("y", ">i2")])
    kind = np.dtype([("id", "<i4"), ("wide", "<f4", (3, 2)), ("name", "S6"), ("in", inner), ("big", ">i8", (4,)), ("flag", "?"),
                     ("opaque", "V5")], align=version == "latest")
    rows = np.zeros(40, kind)
    rows["id"], rows["flag"] = np.arange(40), np.arange(40) % 2 == 1
    rows["wide"] = random.normal(size=(40, 3, 2))
    rows["name"] = [b"n" * (i % 7) for i in range(40)]
    rows["in"]["x"], rows["in"]["y"] = np.arange(40) / 4, np.arange(40) - 9
    rows["big"] = random.integers(0, 99, (40, 4))
    rows["opaque"] = random.integers(0, 99, (40, 5), np.uint8).view("V5").ravel()
    for how, options in (("plain", {}), ("chunked", dict(chunks=(7,))), ("gzip", dict(chunks=(7,), compression="gzip", shuffle=True)),
                         ("unwritten", None)):
        name = f"compound-{how}-{version}.h5"
        with open_(name, version) as f:
            if options is None:
                f.create_dataset("table", (40,), kind)
                found = np.zeros(40, kind)
            else:
                f.create_dataset("table", data=rows, **options)
                found = rows
            texts = h5py.string_dtype()
            f.create_dataset("t2", data=np.array([(i, f"t{i}", i) for i in range(40)], [("a", "u1"), ("text", texts), ("z", "u2")]))
            f.create_dataset("_i_table/index/sorted", (1 << 17,), "<i8")
            f.create_dataset("refs", (40,), np.dtype([("to", h5py.ref_dtype), ("n", "<i4")]))
        for field, label in (("id", "int32"), ("wide", "float32[3,2]"), ("big", "int64[4]"), ("flag", "bool")):
            expect(name, "table." + field, label, [
                np.asarray(v).astype(np.asarray(v).dtype.newbyteorder("<")).tobytes() for v in found[field]])
        expect(name, "table.name", "text", list(found["name"]))
        expect(name, "table.opaque", "uint8[5]", [v.tobytes() for v in found["opaque"]])
        expect_numbers(name, "table.in.x", "float64", found["in"]["x"])
        expect_numbers(name, "table.in.y", "int16", found["in"]["y"])
        expect_numbers(name, "t2.a", "uint8", np.arange(40, dtype="u1"))
        expect_numbers(name, "t2.z", "uint16", np.arange(40, dtype="<u2"))
        expect(name, "t2.text", "text", [f"t{i}".encode() for i in range(40)])
        expect_numbers(name, "refs.n", "int32", np.zeros(40, "<i4"))
        omit(name, "_i_table (group): it is an index that PyTables made of the table beside it")
        omit(name, "refs.to (member of type reference): fields have no such type")


def old_layout(version):
    """Layouts of versions 1 and 2, as libraries before 1.6.3 wrote them: made of one of version 3 by hand."""
    if version == "latest":
        return
    for number in (1, 2):
        name = f"layout-{number}-{version}.h5"
        one, wide = np.arange(40, dtype="<i4"), np.arange(120, dtype="<i4").reshape(40, 3)
        path = os.path.join(folder, name)
        with open_(name, version) as f:
            f["wide"] = wide
            f.create_dataset("chunked", data=one, chunks=(7,), compression="gzip")
            f.create_dataset("unwritten", (40,), "<i4", fillvalue=8)
            place = f["wide"].id.get_offset()
        with open(path, "rb") as f:
            data = f.read()
        head = bytes([number, 2, 1, 0, 0, 0, 0, 0]) + struct.pack("<QII", place, 40, 3)
        data = replaced(data, b"\x03\x01" + struct.pack("<QQ", place, wide.nbytes) + bytes(6), head)
        at = data.index(struct.pack("<II", 7, 4)) - 11
        address = data[at + 3:at + 11]
        head = bytes([number, 2, 2, 0, 0, 0, 0, 0]) + address + struct.pack("<II", 7, 4)
        data = replaced(data, b"\x03\x02\x02" + address + struct.pack("<II", 7, 4) + bytes(5), head)
        head = bytes([number, 1, 1, 0, 0, 0, 0, 0]) + b"\xff" * 8 + struct.pack("<I", 40) + bytes(4)
        data = replaced(data, b"\x03\x01" + b"\xff" * 8 + struct.pack("<Q", 160) + bytes(6), head)
        with open(path, "wb") as f:
            f.write(data)
        with h5py.File(path) as f:
            assert (f["wide"][...] == wide).all() and (f["chunked"][...] == one).all() and (f["unwritten"][...] == 8).all()
        expect_numbers(name, "wide", "int32[3]", wide)
        expect_numbers(name, "chunked", "int32", one)
        expect_numbers(name, "unwritten", "int32", np.full(40, 8, "<i4"))


def replaced(data, old, new):
    assert data.count(old) == 1 and len(old) == len(new), (data.count(old), len(old), len(new))
    return data.replace(old, new)


def refused(version):
    def case(what, text, write):
        name = f"{what}-{version}.h5"
        with open_(name, version) as f:
            write(f)
        print("refused", name, text, sep="\t")

    big = np.zeros((10, 1000), np.uint8)
    def filtered(kind, set_filters):
        def write(f):
            how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            how.set_chunk((1, 1000))
            set_filters(how)
            h5py.h5d.create(f.id, b"x", h5py.h5t.py_create(np.dtype(kind)), h5py.h5s.create_simple(big.shape), dcpl=how)
        return write

    case("scale-offset", "went through scale-offset", lambda f: f.create_dataset(
        "x", data=big, chunks=(1, 1000), scaleoffset=4))
    case("nbit", "went through shuffle, nbit", filtered("u1", lambda how: (how.set_shuffle(), how.set_filter(5, 0, ()))))
    case("lz4", "went through lz4", filtered("u1", lambda how: how.set_filter(32004, h5py.h5z.FLAG_OPTIONAL, (3,))))
    case("unknown-filter", "after import hdf5plugin: OUT['x'] = IN['x'][()]", filtered("u1", lambda how: how.set_filter(300, h5py.h5z.FLAG_OPTIONAL, ())))
    case("lzo", "ptrepack --complevel 5 --complib zlib IN OUT", filtered("u1", lambda how: how.set_filter(305, h5py.h5z.FLAG_OPTIONAL, ())))
    case("twice", "each at most once", filtered("u1", lambda how: (how.set_deflate(1), how.set_deflate(1))))
    case("two", "one that compresses", filtered("u1", lambda how: (how.set_filter(32000, 0, ()), how.set_deflate(1))))
    case("other-types", "should hold the same", lambda f: (f.create_dataset("a/x", data=big), f.create_dataset("b/x", data=big[0])))
    case("labels-missing", "'x' has 10 and 'y' has 9", lambda f: (
        f.create_dataset("x", data=big), f.create_dataset("y", data=np.arange(9))))
    picture = np.zeros((8, 8, 3), np.uint8)
    case("array-each", "its 20 arrays 'i00', 'i01', … look like one for each sample", lambda f: [
        f.create_dataset(f"i{i:02}", data=picture) for i in range(20)])
    case("array-each-of-a-split", "its 20 arrays 'i00', 'i01', … look like one for each sample", lambda f: [
        f.create_dataset(f"train/i{i:02}", data=picture) for i in range(20)])
    case("array-each-and-labels", "its 20 arrays 'i00', 'i01', … look like one for each sample", lambda f: [
        f.create_dataset("label", data=np.arange(20)), *(f.create_dataset(f"i{i:02}", data=picture) for i in range(20))])
    case("sound-each", "its 5 arrays 's0', 's1', … look like one for each sample", lambda f: [
        f.create_dataset(f"s{i}", data=np.arange(100 + i)) for i in range(5)])
    names = ["anna", "bob", "carla", "dan", "eve", "finn"]
    case("named-array-each", "its 6 arrays 'anna', 'bob', … look like one for each sample", lambda f: [
        f.create_dataset(n, data=picture) for n in names])
    case("four-arrays", "its 4 arrays 'anna', 'bob', … look like one for each sample", lambda f: [
        f.create_dataset("more/" + n, data=picture[:, :, 0]) for n in names[:4]])
    case("named-sound-each", "its 3 arrays 'anna', 'bob', … look like one for each sample", lambda f: [
        f.create_dataset(n, data=np.zeros((20 + i, 2), "f4")) for i, n in enumerate(names[:3])])
    case("group-each", "its 5 groups 'g0', 'g1', … look like one for each sample", lambda f: [
        (f.create_dataset(f"g{i}/image", data=picture), f.create_dataset(f"g{i}/label", data=i)) for i in range(5)])
    case("named-group-each", "its 20 groups 'cata', 'catb', … look like one for each sample", lambda f: [
        f.create_dataset(f"cat{chr(97 + i)}/image", data=picture) for i in range(20)])
    case("nothing", "neither its root", lambda f: f.create_group("a/b"))
    case("compound", "left out: x (dataset of type compound)", lambda f: f.create_dataset("x", data=np.zeros((3, 2), [("a", "i4")])))

    def pandas_fixed(f):
        for field, array in (("axis0", np.array([b"a", b"b"])), ("axis1", np.arange(9)), ("block0_items", np.array([b"a", b"b"])),
                             ("block0_values", np.zeros((9, 2)))):
            f["t/" + field] = array
    case("pandas-fixed", "pandas.read_hdf(IN, 't').to_parquet(OUT)", pandas_fixed)
    case("external", "external storage); copy it with h5py: OUT['x'] = IN['x'][()]", lambda f: f.create_dataset(
        "x", (10,), "i4", external=[("other.bin", 0, h5py.h5f.UNLIMITED)]))
    case("latin1", "not UTF-8", lambda f: f.create_dataset("x", data=np.array([b"\xe9\xff", b"b"])))

    def virtual(f):
        layout = h5py.VirtualLayout((3,), "i4")
        layout[:] = h5py.VirtualSource("other.h5", "y", (3,))
        f.create_virtual_dataset("x", layout)
    case("virtual", "virtual", virtual)


for version in ("default", "earliest", "latest"):
    for kind in (course, numbers, texts, chunks, filters, filter_orders, edges, filtered_texts, groups, choices, zstd, compounds, old_layout, refused):
        kind(version)
