# Writes the same samples as Arrow files and as streams into a folder, as Hugging Face datasets has them: a picture is a
# struct of bytes and path. Prints for each field the bytes of all values as hex.
import os
import sys

folder, seed = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(seed)
N = 40
pictures = [random.bytes(int(random.integers(0, 90))) for _ in range(N)]
image = pa.array(
    [None if i % 7 == 3 else {"bytes": p, "path": None if i % 2 else f"{i}.jpg"} for i, p in enumerate(pictures)],
    pa.struct([("bytes", pa.binary()), ("path", pa.utf8())]),
)
box = pa.array(
    [None if i % 5 == 1 else {"size": {"w": i, "h": None if i % 3 == 0 else 2.5 * i}, "tags": ["a"] * (i % 3)} for i in range(N)],
    pa.struct([("size", pa.struct([("w", pa.int32()), ("h", pa.float32())])), ("tags", pa.list_(pa.utf8()))]),
)
price = pa.array([{"net": i, "gross": [[i]]} for i in range(N)], pa.struct([("net", pa.int64()), ("gross", pa.list_(pa.list_(pa.int8())))]))
words = pa.array(["fox", "dog", None] * (N // 3) + ["fox"] * (N % 3)).dictionary_encode()
table = pa.table({"image": image, "label": pa.array(np.arange(N)), "box": box, "price": price, "words": words})
for make, ending in ((pa.ipc.new_file, "file"), (pa.ipc.new_stream, "stream")):
    for codec in (None, "zstd"):
        path = os.path.join(folder, f"{ending}-{codec or 'plain'}.arrow")
        with pa.OSFile(path, "wb") as out, make(out, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
            writer.write_table(table, max_chunksize=9)


def expect(field, values):
    print(field, " ".join(v.hex() or "-" for v in values), sep="\t")


rows = table.to_pylist()
expect("image.bytes", [(r["image"] or {}).get("bytes") or b"" for r in rows])
expect("image.path", [((r["image"] or {}).get("path") or "").encode() for r in rows])
expect("label", [int(r["label"]).to_bytes(8, "little") for r in rows])
expect("box.size.w", [(b"\xff" * 4 if r["box"] is None else int(r["box"]["size"]["w"]).to_bytes(4, "little")) for r in rows])
expect("box.size.h", [b"\0\0\xc0\x7f" if r["box"] is None or r["box"]["size"]["h"] is None
                      else np.float32(r["box"]["size"]["h"]).tobytes() for r in rows])
expect("box.tags", [text_list((r["box"] or {}).get("tags") or []) for r in rows])
expect("price.net", [int(r["price"]["net"]).to_bytes(8, "little") for r in rows])
expect("words", [(r["words"] or "").encode() for r in rows])
