# Writes Parquet files in every way that pyarrow and DuckDB have, into a folder, and prints what Stoker should find.
import datetime
import os

import duckdb

folder, seed = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(seed)
N = 60


def words(most):
    return "".join(random.choice(list("aß数🦊 \n"), int(random.integers(0, most))))


def holes(values, step):
    return [None if i % step == 1 else v for i, v in enumerate(values)]


columns = {}
for dtype in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
    values = np.frombuffer(random.bytes(N * np.dtype(dtype).itemsize), dtype)
    columns[dtype] = pa.array(values, from_pandas=False)
    few = values[random.integers(0, 3, N)]
    columns["few_" + dtype] = pa.array(few, from_pandas=False)
    lengths = random.integers(0, 6, N)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    many = np.frombuffer(random.bytes(int(lengths.sum()) * np.dtype(dtype).itemsize), dtype)
    columns["list_" + dtype] = pa.ListArray.from_arrays(offsets, pa.array(many, from_pandas=False))
for dtype in ("float16", "float32", "float64"):
    columns["null_" + dtype] = pa.array(random.random(N).astype(dtype), mask=np.arange(N) % 4 == 1)
for dtype in ("int8", "int32", "int64", "uint8", "uint16", "uint64"):
    columns["null_" + dtype] = pa.array(random.integers(0, 99, N).astype(dtype), mask=np.arange(N) % 4 == 1)
columns["null_bool"] = pa.array(holes([i % 2 == 0 for i in range(N)], 3))
columns["null_ints"] = pa.array(holes([[1, None] * (i % 3) for i in range(N)], 5), pa.list_(pa.int16()))
columns["null_list"] = pa.array(holes([[1.5, None] * (i % 3) for i in range(N)], 5), pa.list_(pa.float32()))
columns["bool"] = pa.array(random.integers(0, 2, N).astype(bool))
columns["bools"] = pa.array([[True, False, True][: i % 4] for i in range(N)], pa.list_(pa.bool_()))
blobs = [random.bytes(int(random.integers(0, 90))) for _ in range(N)]
texts = [words(20) for _ in range(N)]
columns["binary"] = pa.array(blobs)
columns["null_binary"] = pa.array(holes(blobs, 7))
columns["few_binary"] = pa.array([blobs[p] for p in random.integers(0, 4, N)])
columns["utf8"] = pa.array(texts)
columns["null_utf8"] = pa.array(holes(texts, 5))
columns["sorted_utf8"] = pa.array(sorted("prefix/" + t for t in texts))
columns["all_null"] = pa.nulls(N, pa.utf8())
captions = [[words(9) for _ in range(int(random.integers(0, 5)))] for _ in range(N)]
columns["captions"] = pa.array(captions)
columns["null_captions"] = pa.array(holes([holes(c, 3) for c in captions], 6), pa.list_(pa.utf8()))
columns["dictionary"] = pa.array([["fox", "", "a class"][p] for p in random.integers(0, 3, N)]).dictionary_encode()
columns["fixed20"] = pa.array([random.bytes(20) for _ in range(N)], pa.binary(20))
columns["fixed4"] = pa.array([random.bytes(4) for _ in range(N)], pa.binary(4))
columns["date"] = pa.array([datetime.date(2000, 1, 1) + datetime.timedelta(i) for i in range(N)])
columns["time"] = pa.array([datetime.datetime(2000, 1, 1, 1, 1, i % 60) for i in range(N)], pa.timestamp("us", "UTC"))
columns["image"] = pa.array(holes([{"bytes": b, "path": t} for b, t in zip(blobs, texts)], 9))
columns[""] = pa.array(range(N))
columns["z_decimal"] = pa.array(range(N), pa.decimal128(9, 2))
columns["z_map"] = pa.array([[("k", i)] for i in range(N)], pa.map_(pa.utf8(), pa.int32()))
columns["z_lists"] = pa.array([[[i]] for i in range(N)], pa.list_(pa.list_(pa.int32())))
columns["z_structs"] = pa.array([[{"a": i}] for i in range(N)])
names = list(columns)
random.shuffle(names)
table = pa.table({name: columns[name] for name in names})

plain = {"use_dictionary": False}
tiny = {"data_page_size": 64, "write_batch_size": 4, "max_rows_per_page": 5}
deltas = {name: "DELTA_BINARY_PACKED" for name in names if "int" in name and not name.startswith("list_")}
deltas |= {name: "DELTA_LENGTH_BYTE_ARRAY" for name in ("binary", "utf8", "null_utf8")}
deltas |= {name: "DELTA_BYTE_ARRAY" for name in ("sorted_utf8", "null_binary", "fixed20")}
deltas |= {name: "BYTE_STREAM_SPLIT" for name in ("float32", "float64", "null_float32", "float16", "fixed4")}
deltas["bool"] = "RLE"
split = {name: "BYTE_STREAM_SPLIT" for name in ("int32", "int64", "fixed20")}
ways = {
    "default": {},
    "none": {"compression": "none"},
    "none-plain": {"compression": "none", **plain},
    "none-tiny": {"compression": "none", **tiny},
    "plain-tiny": {"compression": "none", **plain, **tiny},
    "gzip": {"compression": "gzip", **plain},
    "zstd": {"compression": "zstd", **tiny, "row_group_size": 17},
    "lz4": {"compression": "lz4", "data_page_version": "2.0"},
    "snappy-v2": {"data_page_version": "2.0", **plain, **tiny, "row_group_size": 17},
    "none-v2": {"compression": "none", "data_page_version": "2.0", "write_page_index": True},
    "checksum": {"write_page_checksum": True, "version": "1.0"},
    "deltas": {**plain, "column_encoding": deltas, **tiny},
    "deltas-none": {**plain, "compression": "none", "column_encoding": deltas},
    "split": {**plain, "column_encoding": split, "compression": "zstd"},
    "old-lists": {"use_compliant_nested_type": False, "use_deprecated_int96_timestamps": False},
    "mixed": {"compression": {"binary": "zstd", "utf8": "gzip", "int32": "none"}},
}
for way, options in ways.items():
    path = os.path.join(folder, way + ".parquet")
    chosen = dict(options)
    if chosen.get("version") == "1.0":
        keep = [n for n in names if "uint32" not in n]
        pq.write_table(table.select(keep), path, **chosen)
    else:
        pq.write_table(table, path, **chosen)
    print_expected(pq.ParquetFile(path).read(), way + ".parquet")

duckdb.register("source", table.drop_columns([n for n in names if "float16" in n]))
for codec in ("uncompressed", "snappy", "gzip", "zstd", "lz4_raw"):
    for version in ("V1", "V2"):
        name = f"duckdb-{codec}-{version}.parquet"
        path = os.path.join(folder, name)
        duckdb.sql(f"COPY (FROM source) TO '{path}' (FORMAT parquet, COMPRESSION {codec}, PARQUET_VERSION {version})")
        # By DuckDB itself: pyarrow does not read its empty pages of differences.
        print_expected(duckdb.sql(f"FROM read_parquet('{path}')").to_arrow_table(), name)
