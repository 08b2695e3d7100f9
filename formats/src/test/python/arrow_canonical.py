"""Values of Arrow columns in Stoker's canonical bytes, by pyarrow and NumPy alone; shared by the scripts beside it."""
import struct

import numpy as np
import pyarrow as pa


def text_list(texts):
    parts = [(t or "").encode() for t in texts]
    ends = np.cumsum([len(p) for p in parts]).astype("<u4") if parts else np.array([], "<u4")
    return struct.pack("<I", len(parts)) + ends.tobytes() + b"".join(parts)


def numbers(array):
    """The bits of numbers, whatever they mean: going through Python's float would lose those of a NaN."""
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    return array.to_numpy(zero_copy_only=False)


def rows(array):
    """For each row its canonical bytes and its shape (empty where the type has none of its own)."""
    t = array.type
    if isinstance(t, pa.FixedShapeTensorType):
        flat = numbers(array.storage.flatten()).reshape(len(array), -1) if array.storage.type.list_size else None
        return [(b"" if flat is None else flat[i].tobytes(), ()) for i in range(len(array))]
    if isinstance(t, pa.BaseExtensionType) and pa.types.is_struct(t.storage_type):
        return rows(array.storage)
    if pa.types.is_struct(t):
        out = []
        for row in range(len(array)):
            data = numbers(array.field("data").slice(row, 1).flatten())
            shape = array.field("shape").slice(row, 1).flatten().to_pylist()
            assert len(data) == np.prod(shape)
            out.append((data.tobytes(), tuple(shape)))
        return out
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        return [(text_list(v), ()) for v in array.to_pylist()]
    if pa.types.is_string(t) or pa.types.is_large_string(t):
        return [(v.encode(), ()) for v in array.to_pylist()]
    if pa.types.is_binary(t) or pa.types.is_large_binary(t):
        return [(v, ()) for v in array.to_pylist()]
    values = numbers(array)
    return [(values[i : i + 1].tobytes(), ()) for i in range(len(values))]
