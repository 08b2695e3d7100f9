"""Columns of a Parquet file in Stoker's types and canonical bytes, by pyarrow and NumPy alone; shared by the scripts beside it."""
import struct
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

NUMBERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 halffloat float double".split()
LABELS = {"halffloat": "float16", "float": "float32", "double": "float64"}
NANS = {"float16": b"\0\x7e", "float32": b"\0\0\xc0\x7f", "float64": b"\0" * 6 + b"\xf8\x7f", "bool": b"\0"}


class Nulls(Exception):
    """A column has nulls that Stoker has no value for."""


def text_list(texts):
    parts = [(t or "").encode() for t in texts or []]
    ends = np.cumsum([len(p) for p in parts]).astype("<u4") if parts else np.array([], "<u4")
    return struct.pack("<I", len(parts)) + ends.tobytes() + b"".join(parts)


def number_label(t):
    """The label of a type of single numbers, or None."""
    if str(t) in NUMBERS:
        return LABELS.get(str(t), str(t))
    if pa.types.is_boolean(t):
        return "bool"
    if pa.types.is_date32(t) or pa.types.is_time32(t):
        return "int32"
    if pa.types.is_timestamp(t) or pa.types.is_time64(t) or pa.types.is_date64(t) or pa.types.is_duration(t):
        return "int64"
    return None


def number_bytes(array):
    """The bytes of each number; NaN, False or -1 stand for a null."""
    label = number_label(array.type)
    null = NANS.get(label) or b"\xff" * np.dtype(label).itemsize
    if not pa.types.is_boolean(array.type) and str(array.type) not in NUMBERS:
        array = array.view(pa.int32() if label == "int32" else pa.int64())
    if label == "bool":
        values = np.array(array.to_pylist(), bool)
    else:
        size = np.dtype(label).itemsize
        data = array.buffers()[1]
        raw = b"" if data is None else data.to_pybytes()[array.offset * size : (array.offset + len(array)) * size]
        values = np.frombuffer(raw, label)
    valid = array.is_valid().to_pylist()
    return [values[i : i + 1].tobytes() if valid[i] else null for i in range(len(array))]


def is_list(t):
    return pa.types.is_list(t) or pa.types.is_large_list(t) or pa.types.is_fixed_size_list(t)


def column(array):
    """Stoker's type of a column, and of each row its bytes and shape; None if Stoker leaves the column out."""
    t = array.type
    if isinstance(t, pa.BaseExtensionType):
        return column(array.storage)
    if pa.types.is_dictionary(t):
        return column(array.cast(t.value_type))
    if number_label(t):
        return number_label(t), [(b, ()) for b in number_bytes(array)]
    if pa.types.is_string(t) or pa.types.is_large_string(t):
        return "text", [((v or "").encode(), ()) for v in array.to_pylist()]
    if pa.types.is_binary(t) or pa.types.is_large_binary(t):
        return "bytes", [(v or b"", ()) for v in array.to_pylist()]
    if pa.types.is_fixed_size_binary(t):
        if array.null_count:
            raise Nulls()
        return f"uint8[{t.byte_width}]", [(v, ()) for v in array.to_pylist()]
    if is_list(t) and (pa.types.is_string(t.value_type) or pa.types.is_large_string(t.value_type)):
        return "text[]", [(text_list(v), ()) for v in array.to_pylist()]
    if is_list(t) and number_label(t.value_type):
        out = []
        for i in range(len(array)):
            elements = b"".join(number_bytes(array.slice(i, 1).flatten())) if array[i].is_valid else b""
            label = number_label(t.value_type)
            out.append((elements, (len(elements) // np.dtype(label).itemsize,)))
        return number_label(t.value_type) + "[*]", out
    return None


def leaves(name, array):
    """The columns below one: those of a struct by their paths, with the nulls of the struct."""
    if pa.types.is_struct(array.type):
        for field, child in zip(array.type, array.flatten()):
            yield from leaves(f"{name}.{field.name}", child)
    else:
        yield name, array


def print_expected(table, file):
    """Prints what Stoker should find in a file that holds a table: file, column, type, row, shape, bytes as hex.

    Columns with nulls that Stoker has no value for are left out: it refuses their file."""
    for top, chunked in zip(table.schema.names, table.columns):
        array = pa.concat_arrays(chunked.chunks) if chunked.num_chunks else pa.array([], chunked.type)
        for name, leaf in leaves(top, array):
            try:
                found = column(leaf)
            except Nulls:
                continue
            for row, (value, shape) in enumerate(found[1] if found else []):
                print(file, name or "unnamed", found[0], row, ",".join(map(str, shape)), value.hex(), sep="\t")
