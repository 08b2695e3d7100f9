"""Packs a folder of pictures into a Parquet file with pyarrow: parquet_pack.py default|fastest FOLDER OUT."""
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = pa.schema([("key", pa.string()), ("data", pa.binary()), ("label", pa.int64())])
way, source, out = sys.argv[1:]
source = source.rstrip("/")
files = sorted(f"{folder}/{name}"[len(source) + 1 :] for folder, _, names in os.walk(source) for name in names)
classes = {name: i for i, name in enumerate(sorted({file.split("/")[0] for file in files}))}


def read(file):
    with open(f"{source}/{file}", "rb") as opened:
        return opened.read()


def batch(keys):
    return pa.record_batch([keys, [read(key) for key in keys], [classes[key.split("/")[0]] for key in keys]], schema=SCHEMA)


if way == "default":
    pq.write_table(pa.Table.from_batches([batch(files)]), out)
else:
    with pq.ParquetWriter(out, SCHEMA, compression="none", use_dictionary=False) as writer:
        for first in range(0, len(files), 100):
            writer.write_batch(batch(files[first : first + 100]))
