# Writes Arrow files with columns of every type that Stoker reads, in several sizes of record batches, into a folder.
# Prints what Stoker should find: file, column, type, row, shape, canonical bytes as hex, tab-separated.
import os
import sys

folder, seed = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(seed)
N = 50


def blob(most):
    return random.bytes(int(random.integers(0, most)))


def words(most):
    return "".join(random.choice(list("aß数🦊 \n"), int(random.integers(0, most))))


columns = {}  # name -> (array, Stoker's type, [(bytes, shape)])


def add(name, array, kind, values):
    assert len(array) == N == len(values)
    columns[name] = (array, kind, [v if isinstance(v, tuple) else (v, ()) for v in values])


for dtype in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
    values = np.frombuffer(random.bytes(N * np.dtype(dtype).itemsize), dtype)
    add(dtype, pa.array(values, from_pandas=False), dtype, [values[i : i + 1].tobytes() for i in range(N)])
    table = np.frombuffer(random.bytes(N * 6 * np.dtype(dtype).itemsize), dtype).reshape(N, 6)
    flat = pa.array(table.reshape(-1), from_pandas=False)
    add("list_" + dtype, pa.FixedSizeListArray.from_arrays(flat, 6), dtype + "[6]", [r.tobytes() for r in table])
    add(
        "tensor_" + dtype,
        pa.ExtensionArray.from_storage(
            pa.fixed_shape_tensor(flat.type, (2, 3)), pa.FixedSizeListArray.from_arrays(flat, 6)
        ),
        dtype + "[2,3]",
        [r.tobytes() for r in table],
    )
    lengths = random.integers(0, 6, N)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    many = np.frombuffer(random.bytes(int(ends[-1]) * np.dtype(dtype).itemsize), dtype)
    ragged = [many[ends[i] : ends[i + 1]] for i in range(N)]
    for large in (False, True):
        offsets = pa.array(ends, pa.int64() if large else pa.int32())
        maker = pa.LargeListArray if large else pa.ListArray
        add(
            ("large_" if large else "") + "ragged_" + dtype,
            maker.from_arrays(offsets, pa.array(many, from_pandas=False)),
            dtype + "[*]",
            [(r.tobytes(), (len(r),)) for r in ragged],
        )

bools = random.integers(0, 2, N).astype(bool)
add("bool", pa.array(bools), "bool", [bytes([int(b)]) for b in bools])
flags = random.integers(0, 2, (N, 5)).astype(bool)
flat = pa.array(flags.reshape(-1))
add("list_bool", pa.FixedSizeListArray.from_arrays(flat, 5), "bool[5]", [r.tobytes() for r in flags])
flags = [random.integers(0, 2, int(random.integers(0, 9))).astype(bool) for _ in range(N)]
add("ragged_bool", pa.array([f.tolist() for f in flags], pa.list_(pa.bool_())), "bool[*]",
    [(f.tobytes(), (len(f),)) for f in flags])
bytes8 = pa.ExtensionArray.from_storage(pa.bool8(), pa.array(bools.astype("i1")))
add("bool8", bytes8, "bool", [bytes([int(b)]) for b in bools])

blobs = [blob(40) for _ in range(N)]
for name, kind in (("binary", pa.binary()), ("large_binary", pa.large_binary()), ("binary_view", pa.binary_view())):
    add(name, pa.array(blobs, kind), "bytes", blobs)
    holes = [None if i % 7 == 3 else b for i, b in enumerate(blobs)]
    add(name + "_null", pa.array(holes, kind), "bytes", [b or b"" for b in holes])
texts = [words(20) for _ in range(N)]
for name, kind in (("utf8", pa.utf8()), ("large_utf8", pa.large_utf8()), ("utf8_view", pa.string_view())):
    add(name, pa.array(texts, kind), "text", [t.encode() for t in texts])
    holes = [None if i % 5 == 2 else t for i, t in enumerate(texts)]
    add(name + "_null", pa.array(holes, kind), "text", [(t or "").encode() for t in holes])

lists = [[words(9) for _ in range(int(random.integers(0, 5)))] for _ in range(N)]
holes = [None if i % 6 == 1 else [None if j == 1 else t for j, t in enumerate(ts)] for i, ts in enumerate(lists)]
for name, kind in (
    ("texts", pa.list_(pa.utf8())),
    ("large_texts", pa.large_list(pa.utf8())),
    ("texts_large", pa.list_(pa.large_utf8())),
):
    add(name, pa.array(lists, kind), "text[]", [text_list(ts) for ts in lists])
    add(name + "_null", pa.array(holes, kind), "text[]", [text_list(ts or []) for ts in holes])

fixed = [random.bytes(20) for _ in range(N)]
add("fixed_binary", pa.array(fixed, pa.binary(20)), "uint8[20]", fixed)
add("fixed_narrow", pa.array([f[:4] for f in fixed], pa.binary(4)), "uint8[4]", [f[:4] for f in fixed])

cube = random.integers(-9, 9, (N, 2, 3, 4)).astype("i2")
inner = pa.FixedSizeListArray.from_arrays(pa.array(cube.reshape(-1)), 4)
nested = pa.FixedSizeListArray.from_arrays(pa.FixedSizeListArray.from_arrays(inner, 3), 2)
add("nested", nested, "int16[2,3,4]", [c.tobytes() for c in cube])
boxes = [random.random((int(random.integers(0, 4)), 4)).astype("f4") for _ in range(N)]
add("boxes", pa.array([b.tolist() for b in boxes], pa.list_(pa.list_(pa.float32(), 4))), "float32[*,*]",
    [(b.tobytes(), b.shape) for b in boxes])

for dtype, nan in (("float16", b"\0\x7e"), ("float32", b"\0\0\xc0\x7f"), ("float64", b"\0" * 6 + b"\xf8\x7f")):
    values = random.random(N).astype(dtype)
    mask = np.arange(N) % 4 == 1
    add(dtype + "_null", pa.array(values, mask=mask), dtype,
        [nan if mask[i] else values[i : i + 1].tobytes() for i in range(N)])

for dtype in ("int8", "int64", "uint8", "uint32"):
    values = random.integers(0, 99, N).astype(dtype)
    mask = np.arange(N) % 4 == 1
    add(dtype + "_null", pa.array(values, mask=mask), dtype,
        [b"\xff" * values.itemsize if mask[i] else values[i : i + 1].tobytes() for i in range(N)])
mask = np.arange(N) % 4 == 1
add("bool_null", pa.array(bools, mask=mask), "bool", [bytes([bool(b) and not mask[i]]) for i, b in enumerate(bools)])

ticks = random.integers(0, 86_400, N)
for name, kind, dtype in (
    ("timestamp", pa.timestamp("us", "UTC"), "int64"),
    ("duration", pa.duration("ns"), "int64"),
    ("date32", pa.date32(), "int32"),
    ("date64", pa.date64(), "int64"),
    ("time32", pa.time32("s"), "int32"),
    ("time64", pa.time64("us"), "int64"),
):
    values = (ticks * (86_400_000 if name == "date64" else 1)).astype(dtype)
    add(name, pa.array(values).view(kind), dtype, [values[i : i + 1].tobytes() for i in range(N)])

picks = random.integers(0, 3, N)
names = ["fox", "", "a dictionary's value"]
for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()):
    array = pa.DictionaryArray.from_arrays(pa.array(picks, kind), pa.array(names))
    add(f"dictionary_{kind}", array, "text", [names[p].encode() for p in picks])
array = pa.DictionaryArray.from_arrays(pa.array(picks, mask=picks == 1), pa.array(names))
add("dictionary_null", array, "text", [names[p].encode() for p in picks])
array = pa.DictionaryArray.from_arrays(pa.array(picks), pa.array([7, -1, 2**40]))
add("dictionary_int64", array, "int64", [struct.pack("<q", [7, -1, 2**40][p]) for p in picks])

arrays = [random.random(tuple(random.integers(0, 4, 2))).astype("f4") for _ in range(N)]
data = pa.array([a.reshape(-1).tolist() for a in arrays], pa.list_(pa.float32()))
shapes = pa.array([list(a.shape) for a in arrays], pa.list_(pa.int32(), 2))
for order in ("data", "shape"):
    fields = [pa.field("data", data.type), pa.field("shape", shapes.type)]
    parts = [data, shapes]
    if order == "shape":
        fields, parts = fields[::-1], parts[::-1]
    struct_array = pa.StructArray.from_arrays(parts, fields=fields)
    meta = {"ARROW:extension:name": "arrow.variable_shape_tensor", "ARROW:extension:metadata": "{}"}
    add("variable_" + order, struct_array, "float32[*,*]", [(a.tobytes(), a.shape) for a in arrays])
    columns["variable_" + order] += (meta,)

# The parts of a struct are columns of their own.
inside = pa.array([{"a": i, "b": "x" * i} for i in range(N)])
parts = {"a": ("int64", [struct.pack("<q", i) for i in range(N)]), "b": ("text", [b"x" * i for i in range(N)])}

# Types that Stoker leaves out must not shift the columns after them.
left_out = {
    "z_structs": pa.array([[{"a": i, "b": "x"}] for i in range(N)]),
    "z_map": pa.array([[("k", i)] for i in range(N)], pa.map_(pa.utf8(), pa.int32())),
    "z_null": pa.nulls(N),
    "z_decimal": pa.array([i for i in range(N)], pa.decimal128(9, 2)),
    "z_dense": pa.UnionArray.from_dense(
        pa.array([0] * N, pa.int8()), pa.array(range(N), pa.int32()), [pa.array(range(N)), pa.array(["u"])]
    ),
    "z_sparse": pa.UnionArray.from_sparse(pa.array([0] * N, pa.int8()), [pa.array(range(N)), pa.array(["u"] * N)]),
    "z_runs": pa.RunEndEncodedArray.from_arrays(pa.array([N], pa.int32()), pa.array(["r"])),
    "z_view": pa.array([[i] for i in range(N)], pa.list_view(pa.int32())),
    "z_views": pa.array([["a view that is not inline", "x"] for i in range(N)], pa.list_(pa.string_view())),
    "z_lists": pa.array([[[i]] for i in range(N)], pa.list_(pa.list_(pa.int32()))),
    "z_listed": pa.array([["d"]] * N, pa.list_(pa.dictionary(pa.int32(), pa.utf8()))),
}
order = list(columns)
for i, name in enumerate(left_out):
    order.insert(2 * i + 1, name)

fields, arrays = [pa.field("inside", inside.type)], [inside]
for name in order:
    entry = columns.get(name)
    array = entry[0] if entry else left_out[name]
    fields.append(pa.field(name, array.type, metadata=entry[3] if entry and len(entry) > 3 else None))
    arrays.append(array)
schema = pa.schema(fields)
table = pa.Table.from_arrays(arrays, schema=schema)

files = (("V5", 1, None), ("V5", 7, None), ("V5", N, None), ("V4", 7, None), ("V5", 7, "zstd"), ("V5", N, "lz4"))
for version, rows_per_batch, codec in files:
    name = f"{version}-{rows_per_batch}{'-' + codec if codec else ''}.arrow"
    options = pa.ipc.IpcWriteOptions(
        metadata_version=getattr(pa.ipc.MetadataVersion, version), compression=codec)
    with pa.OSFile(os.path.join(folder, name), "wb") as out, pa.ipc.new_file(out, schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows_per_batch)
    for column, entry in columns.items():
        for row, (value, shape) in enumerate(entry[2]):
            print(name, column, entry[1], row, ",".join(map(str, shape)), value.hex(), sep="\t")
    for part, (kind, values) in parts.items():
        for row, value in enumerate(values):
            print(name, "inside." + part, kind, row, "", value.hex(), sep="\t")

# A dictionary that grows from batch to batch.
options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
grown = pa.schema([("d", pa.dictionary(pa.int32(), pa.utf8()))])
with pa.OSFile(os.path.join(folder, "delta.arrow"), "wb") as out:
    with pa.ipc.new_file(out, grown, options=options) as writer:
        for count in (1, 2, 3):
            values = pa.DictionaryArray.from_arrays(pa.array(range(count), pa.int32()), pa.array(names[:count]))
            writer.write_batch(pa.record_batch([values], schema=grown))
for row, value in enumerate([0, 0, 1, 0, 1, 2]):
    print("delta.arrow", "d", "text", row, "", names[value].encode().hex(), sep="\t")

# The format before 0.15: no continuation mark before a message.
options = pa.ipc.IpcWriteOptions(metadata_version=pa.ipc.MetadataVersion.V4, use_legacy_format=True)
old = pa.schema([("x", pa.int32())])
with pa.OSFile(os.path.join(folder, "legacy.arrow"), "wb") as out, pa.ipc.new_file(out, old, options=options) as writer:
    writer.write_batch(pa.record_batch([pa.array([1, 2], pa.int32())], schema=old))
for row, value in enumerate([1, 2]):
    print("legacy.arrow", "x", "int32", row, "", struct.pack("<i", value).hex(), sep="\t")

# As courses pack pictures: each sample is a record batch of its own.
photos = [bytes(range(i % 256)) * (i % 5) for i in range(40)]
course = pa.schema([("image_data", pa.binary()), ("label", pa.uint16())])
with pa.OSFile(os.path.join(folder, "course.arrow"), "wb") as out, pa.ipc.new_file(out, course) as writer:
    for row, photo in enumerate(photos):
        writer.write(pa.record_batch([pa.array([photo], pa.binary()), pa.array([row * 7], pa.uint16())], schema=course))
        print("course.arrow", "image_data", "bytes", row, "", photo.hex(), sep="\t")
        print("course.arrow", "label", "uint16", row, "", struct.pack("<H", row * 7).hex(), sep="\t")
