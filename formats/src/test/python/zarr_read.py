# Prints every value of a Zarr container that Stoker wrote, as zarr-python reads it: group, field, row, shape, canonical
# bytes as hex, tab-separated. Values of any length are put together from their offsets, shapes from their own array.
import struct
import sys

import numpy as np
import zarr


def canonical(value, kind):
    if kind == "text":
        return str(value).encode(), ()
    if kind == "text[]":
        texts = [str(text).encode() for text in value]
        ends = np.cumsum([len(text) for text in texts], dtype="<u4").tobytes()
        return struct.pack("<I", len(texts)) + ends + b"".join(texts), ()
    array = np.asarray(value)
    assert array.dtype.name == ("uint8" if kind == "bytes" else kind.split("[")[0]), (array.dtype, kind)
    return array.astype(array.dtype.newbyteorder("<")).tobytes(), array.shape


path = sys.argv[1]
root = zarr.open_group(zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else path, mode="r")
assert root.metadata.consolidated_metadata is not None
about = root.attrs["stoker"]
print("classes", *[name.encode().hex() for name in about["classes"]], sep="\t")
for split in about["splits"] or ["train"]:
    group = root[split]
    for field in about["fields"]:
        kind, values = field["type"], group[field["dataset"]]
        variable = kind in ("bytes", "text[]") or "*" in kind
        offsets = group[field["offsets"]][:] if variable else None
        shapes = group[field["shape"]][:] if variable and field["shape"] in group else None
        count = len(offsets) - 1 if variable else values.shape[0]
        whole = values[:]
        assert whole.shape == values.shape
        for i in range(count):
            value = whole[offsets[i]:offsets[i + 1]] if variable else whole[i]
            if i % 10 == 0 and whole.size < 10_000:
                # A part of a shard, not the whole of it, read by zarr-python.
                part = values[int(offsets[i]):int(offsets[i + 1])] if variable else values[i]
                assert canonical(part, kind) == canonical(value, kind), (field, i)
            bytes_, shape = canonical(value, kind)
            if shapes is not None:
                shape = tuple(shapes[i])
            shape = shape if "*" in kind else ()
            print("value", split.encode().hex(), field["name"].encode().hex(), i, ",".join(map(str, shape)), bytes_.hex(),
                  sep="\t")
