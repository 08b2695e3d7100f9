# Writes tables with nulls in columns whose values Stoker reads where they are in the file, where they can be.
import os
import sys

import pyarrow.parquet

folder = sys.argv[1]
row = [float(i) for i in range(40)]
box = [row, None, row[:39] + [None], row]
nested = [[[1, 2]] * 9, [[1, None]] + [None] * 8, None, [[3, 4]] * 9]
lists = [[1.5, None, 2.5], None, [], [3.5]]
digest = [b"a" * 32, None, b"b" * 32, b"c" * 32]
table = pa.table(
    {
        "box": pa.array(box, pa.list_(pa.float32(), 40)),
        "nested": pa.array(nested, pa.list_(pa.list_(pa.int32(), 2), 9)),
        "list": pa.array(lists, pa.list_(pa.float64())),
        "flags": pa.array([[True, None], [], None, [True]], pa.list_(pa.bool_())),
        "digest": pa.array(digest, pa.binary(32)),
        "s": pa.array([{"id": digest[0]}, None, {"id": None}, {"id": digest[3]}], pa.struct([("id", pa.binary(32))])),
        "whole": pa.array([row] * 4, pa.list_(pa.float32(), 40)),
    }
)
for name, make in ("file", pa.ipc.new_file), ("stream", pa.ipc.new_stream):
    for compression in None, "zstd":
        path = os.path.join(folder, f"{name}-{compression}.arrow")
        with make(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
            # Two batches: nulls in the second one are found when the first one has been read already.
            writer.write_table(table.slice(3))
            writer.write_table(table)
parquet = pa.concat_tables([table.slice(3), table]).select(["digest", "s", "list"])
for compression in "none", "zstd":
    pyarrow.parquet.write_table(
        parquet,
        os.path.join(folder, f"{compression}.parquet"),
        compression=compression,
        use_dictionary=False,
        row_group_size=2,
    )
