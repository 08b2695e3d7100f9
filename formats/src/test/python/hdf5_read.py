# Prints every value of an HDF5 file that Stoker wrote, as h5py reads it: group, dataset, row, shape, canonical bytes as
# hex, tab-separated. Values of layout csr are put together from their offsets, shapes from their own dataset.
import json
import struct
import sys

import h5py
import numpy as np


def utf8(value):
    return value if isinstance(value, bytes) else value.encode()


def canonical(value, kind):
    if kind == "text":
        return utf8(value), ()
    if kind == "text[]":
        texts = [utf8(text) for text in value]
        ends = np.cumsum([len(text) for text in texts], dtype="<u4").tobytes()
        return struct.pack("<I", len(texts)) + ends + b"".join(texts), ()
    array = np.asarray(value)
    assert array.dtype.name == ("uint8" if kind == "bytes" else kind.split("[")[0]), (array.dtype, kind)
    return array.astype(array.dtype.newbyteorder("<")).tobytes(), array.shape


with h5py.File(sys.argv[1]) as f:
    about = json.loads(f.attrs["stoker"] if "stoker" in f.attrs else f["stoker"][()])
    print("classes", json.dumps(about["classes"]), sep="\t")
    for split in f:
        if split == "stoker":
            continue
        group = f[split]
        print("group", split.encode().hex(), sorted(group) == sorted(set(group)), sep="\t")
        for field in about["fields"]:
            kind, values = field["type"], group[field["dataset"]]
            variable = kind == "bytes" or "*" in kind
            offsets = group[field["offsets"]] if variable and about["layout"] == "csr" else None
            shapes = group[field["shape"]] if variable and field["shape"] in group else None
            count = len(values) if offsets is None else len(offsets) - 1
            for i in range(count):
                value = values[i] if offsets is None else values[offsets[i]:offsets[i + 1]]
                bytes_, shape = canonical(value, kind)
                if shapes is not None:
                    shape = tuple(shapes[i])
                shape = shape if "*" in kind else ()
                print("value", split.encode().hex(), field["name"].encode().hex(), i, ",".join(map(str, shape)),
                      bytes_.hex(), sep="\t")
