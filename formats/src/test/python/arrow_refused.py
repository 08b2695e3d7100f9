# Writes Arrow files that Stoker refuses, or reads in part, into a folder.
import os
import sys

import pyarrow.feather

folder = sys.argv[1]
table = pa.table({"label": pa.array([1, 2, 3])})


def write(name, table, make=pa.ipc.new_file, **options):
    with pa.OSFile(os.path.join(folder, name), "wb") as out:
        with make(out, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table)


write("null.arrow", pa.table({"good": [1, 2], "label": pa.array([1, None]), "flag": pa.array([None, True]), "text": ["a", None]}))
write("other.arrow", pa.table({"s": [[{"a": 1}]], "d": pa.array([1], pa.decimal128(9, 2))}))
write("unnamed.arrow", pa.Table.from_arrays([pa.array([7])], names=[""]))
write("twice.arrow", pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"]))
pyarrow.feather.write_feather(table, os.path.join(folder, "two.feather"), compression="uncompressed")
with open(os.path.join(folder, "one.feather"), "wb") as out:
    out.write(b"FEA1" + bytes(60) + b"FEA1")
