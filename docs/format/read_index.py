#!/usr/bin/env python3
"""Reads a Stoker Index (NAME.stkx beside NAME, or a .stk container) with NumPy alone; index.md specifies the bytes.

    python3 read_index.py FILE            what is in it
    python3 read_index.py FILE 17 data    the value, to standard output

FILE is a .stk container, or a container of any format that has its sidecar beside it.
"""
import hashlib
import json
import os
import struct
import sys
import zlib

import numpy as np

MAGIC = b"\x89STKX\r\n\x1a"
META, VALUES, EXTENTS, CHECKSUMS, SHAPES, DATA, BLOCKS = 1, 2, 3, 4, 5, 6, 7
NO_FIELD = 0xFFFFFFFF
WBITS = {"zlib": 15, "gzip": 31, "deflate": -15}
EDGE = 65536


def crc32c_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


TABLE = crc32c_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in bytes(data):
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def identity(path):
    """The size and hash by which a sidecar knows its container."""
    size = os.path.getsize(path)
    with open(path, "rb") as f:
        head = f.read(2 * EDGE if size <= 2 * EDGE else EDGE)
        if size > 2 * EDGE:
            f.seek(size - EDGE)
            head += f.read(EDGE)
    return size, hashlib.sha256(head).digest()


class Container:
    def __init__(self, path):
        own = False
        if os.path.isfile(path):
            with open(path, "rb") as f:
                own = f.read(8) == MAGIC
        self.path = path
        self.index = np.memmap(path if own else path + ".stkx", np.uint8, "r")
        head = bytes(self.index[:128])
        magic, major, _, _, length, self.count, table, sections, table_crc, size = struct.unpack_from("<8sHHIQQQIIQ", head)
        if magic != MAGIC or major != 1 or length != len(self.index) or crc32c(head[:124]) != struct.unpack_from("<I", head, 124)[0]:
            raise ValueError(f"[{path}] not an Index of version 1, or damaged")
        if not own and size and (size, head[56:88]) != identity(path):
            raise ValueError(f"[{path}] the Index beside it belongs to another file")
        entries = bytes(self.index[table:table + 32 * sections])
        if crc32c(entries) != table_crc:
            raise ValueError(f"[{path}] the section table is damaged")
        self.sections = {}
        for at in range(0, len(entries), 32):
            kind, field, offset, size, crc, _ = struct.unpack_from("<IIQQII", entries, at)
            self.sections[kind, field] = offset, size, crc
        offset, size, crc = self.sections[META, NO_FIELD]
        meta = bytes(self.index[offset:offset + size])
        if crc32c(meta) != crc:
            raise ValueError(f"[{path}] META is damaged")
        self.meta = json.loads(meta)
        self.fields = {field["name"]: (number, field) for number, field in enumerate(self.meta["fields"])}
        is_file = not own and os.path.isfile(path)
        self.file = np.memmap(path, np.uint8, "r") if is_file else self.index

    def __len__(self):
        return self.count

    def column(self, kind, number, dtype, *shape):
        offset, size, _ = self.sections[kind, number]
        return self.index[offset:offset + size].view(dtype).reshape(self.count, *shape)

    def bytes(self, i, name):
        """The value's bytes, where they lie."""
        number, field = self.fields[name]
        if field["dense"]:
            dtype, shape = parse(field["type"])
            width = np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64))
            if field["place"] == "blocks":
                return self.decoded(field["base"] + i * width, width)
            place = self.index if field["place"] == "index" or field["base"] < 0 else self.file
            base = field["base"] if field["base"] >= 0 else self.sections[VALUES, number][0]
            return place[base + i * width:base + (i + 1) * width]
        offset, size = (int(n) for n in self.column(EXTENTS, number, "<u8", 2)[i])
        if field["place"] == "tree":
            name = os.path.join(self.path, self.value(i, "key"))
            return np.fromfile(name, np.uint8, size, offset=offset)
        if field["place"] == "blocks":
            return self.decoded(offset, size)
        place = self.index if field["place"] == "index" else self.file
        if offset + size > len(place):
            raise ValueError(f"[{self.path}] sample {i}: its value lies outside the file")
        return place[offset:offset + size]

    def decoded(self, address, size):
        """A run of decoded bytes; for the steps that Python has, zlib, gzip and deflate."""
        offset, length, _ = self.sections[BLOCKS, NO_FIELD]
        rows = self.index[offset:offset + length].view("<u8").reshape(-1, 5)
        block = int(np.searchsorted(rows[:-1, 0], address, "right")) - 1
        found = b""
        while len(found) < size:
            start, at, stored, sizes, how = (int(n) for n in rows[block])
            skip = (sizes >> 32) + max(0, address - start)
            file = self.path if how >> 32 == 0 else os.path.join(self.path, self.meta["files"][(how >> 32) - 1])
            data = np.fromfile(file, np.uint8, stored, offset=at).tobytes()
            for step, *numbers in self.meta["pipelines"][how & 0xFFFFFFFF]:
                if step not in WBITS:
                    raise ValueError(f"[{self.path}] a block needs the step {step}, which this short reader does not have")
                data = zlib.decompress(data, WBITS[step])
            end = (sizes >> 32) + int(rows[block + 1][0]) - start
            found += data[skip:end]
            block += 1
        return np.frombuffer(found[:size], np.uint8)

    def value(self, i, name):
        number, field = self.fields[name]
        data, kind = self.bytes(i, name), field["type"]
        if kind == "bytes":
            return data
        if kind == "text":
            return bytes(data).decode()
        if kind == "text[]":
            n = int(data[:4].view("<u4")[0])
            ends = [0, *(int(e) for e in data[4:4 + 4 * n].view("<u4"))]
            return [bytes(data[4 + 4 * n + a:4 + 4 * n + b]).decode() for a, b in zip(ends, ends[1:])]
        dtype, shape = parse(kind)
        if shape and shape[0] < 0:
            shape = [int(d) for d in self.column(SHAPES, number, "<u8", len(shape))[i]]
        return np.frombuffer(data.tobytes(), dtype).reshape(shape) if shape else np.frombuffer(data.tobytes(), dtype)[0]


def parse(kind):
    """A number type or an array of one: its dtype and shape, -1 where a dimension varies."""
    name, _, shape = kind.partition("[")
    dimensions = [-1 if d == "*" else int(d) for d in shape.rstrip("]").split(",")] if shape else []
    return np.dtype(name).newbyteorder("<"), dimensions


if __name__ == "__main__":
    container = Container(sys.argv[1])
    if len(sys.argv) > 2:
        sys.stdout.buffer.write(container.bytes(int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "data").tobytes())
    else:
        print(f"{len(container)} samples, format {container.meta['format']}")
        for field in container.meta["fields"]:
            print(f"  {field['name']}: {field['type']}")
