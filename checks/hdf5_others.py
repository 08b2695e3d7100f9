"""Makes HDF5 files with other software in a folder, lets Stoker convert each, and compares every value with h5py's.

    hdf5_others.py FOLDER [CORPUS]

A file is read right, or refused with a sentence that has the named feature in it. Files of CORPUS may be refused for whatever
they are made of; their datasets are tried one by one too, copied as they are stored. Ends with 1 if a value differs, if Stoker fails in another way, or takes longer than a minute.
"""
import os
import shutil
import subprocess
import sys

import h5py
import hdf5plugin
import netCDF4
import numpy as np
import pandas
import tables

import stoker
from corpus import COMMAND, compare_groups

folder = sys.argv[1]
random = np.random.default_rng(7)
made = {}


def file(name, refusal=None):
    """The path of a file that is read, or refused with a sentence that has this text in it."""
    made[os.path.join(folder, name)] = refusal
    return os.path.join(folder, name)


def net_cdf():
    for name, options in (("plain", {}), ("zlib", dict(zlib=True, shuffle=True, fletcher32=True))):
        with netCDF4.Dataset(file(f"netcdf-{name}.h5"), "w") as f:
            f.createDimension("time", None)
            f.createDimension("level", 7)
            f.createVariable("time", "f8", ("time",))[:] = np.arange(40)
            f.createVariable("level", "f8", ("level",))[:] = np.arange(7)
            f.createVariable("value", "f4", ("time", "level"), **options)[:] = random.random((40, 7))
        with netCDF4.Dataset(file(f"netcdf-{name}-one-length.h5"), "w") as f:
            f.createDimension("time", None)
            f.createVariable("time", "f8", ("time",), **options)[:] = np.arange(40)
            f.createVariable("count", "i2", ("time",), fill_value=-1, **options)[10:] = np.arange(30)


def py_tables():
    image = random.integers(0, 9, (50, 8, 9, 3), np.uint8)
    for library in ("zlib", "bzip2", "blosc", "blosc2", None):
        refusal = None if library in ("zlib", None) else library
        filters = tables.Filters(complevel=5 if library else 0, complib=library or "zlib", shuffle=True)
        with tables.open_file(file(f"pytables-{library}.h5", refusal), "w", filters=filters) as f:
            f.create_carray(f.root, "images", obj=image)
            f.create_earray(f.root, "targets", obj=np.arange(50))
    with tables.open_file(file("pytables-vlarray.h5"), "w") as f:
        rows = f.create_vlarray(f.root, "images", tables.UInt8Atom(shape=()), filters=tables.Filters(complevel=1))
        for i in range(50):
            rows.append(random.integers(0, 255, i, np.uint8))
    pandas.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}).to_hdf(file("pandas-fixed.h5", "to_parquet"), key="table")
    pandas.DataFrame({"a": [1, 2, 3]}).to_hdf(file("pandas-table.h5"), key="table", format="table")


def plugins():
    wide = random.integers(0, 9, (50, 30, 30), "<i4")
    for name, options in (("zstd", hdf5plugin.Zstd()), ("lz4", hdf5plugin.LZ4()), ("bitshuffle", hdf5plugin.Bitshuffle()),
                          ("blosc", hdf5plugin.Blosc()), ("blosc2", hdf5plugin.Blosc2()), ("bzip2", hdf5plugin.BZip2())):
        with h5py.File(file(f"plugin-{name}.h5", None if name == "zstd" else name), "w") as f:
            f.create_dataset("images", data=wide, **options)


def repacked():
    """What h5repack makes of a file by h5py and of one by Stoker, layout by layout and filter by filter."""
    plain = os.path.join(folder, "plain.bin")
    with h5py.File(plain, "w") as f:
        f["images"] = random.integers(0, 9, (100, 12, 11), "<i4")
        f["targets"] = np.arange(100, dtype=">i2")
    if not shutil.which("h5repack"):
        print("no h5repack: left out")
        return
    settings = ["-f GZIP=6", "-f SHUF -f GZIP=1", "-f FLET", "-f SHUF -f FLET -f GZIP=1", "-l CONTI", "-l COMPA", "-L -f GZIP=1",
                "-l images:CHUNK=7x5x3 -f images:GZIP=1", "-l images:CHUNK=7x12x11", "-L -l images:CHUNK=1x12x11",
                "-f SZIP=8,NN", "-f NBIT", "-f SOFF=0,IN"]
    refusals = {"-f SZIP=8,NN": "szip", "-f NBIT": "nbit", "-f SOFF=0,IN": "scale-offset"}
    for n, setting in enumerate(settings):
        out = os.path.join(folder, f"repacked-{n}.h5")
        if subprocess.run(["h5repack", *setting.split(), plain, out], capture_output=True).returncode == 0:
            file(os.path.basename(out), refusals.get(setting))


def parts(path):
    """Copies of a file's datasets, chunk by chunk as they are: all of one length together, with those of each on its own."""
    by_rows = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.ndim > 0 and not item.is_virtual and not item.external:
            by_rows.setdefault(len(item), []).append(name)

    with h5py.File(path, "r") as f:
        f.visititems(visit)
        for rows, names in by_rows.items():
            together, *alone = [copied(f, some, f"{os.path.basename(path)}-{rows}-{n}.h5")
                                for n, some in enumerate([names] + [[name] for name in names])]
            yield together, alone


def copied(f, names, to):
    with h5py.File(os.path.join(folder, to), "w") as copy:
        for n, name in enumerate(names):
            # Letters: names that differ in numbers alone would look like one dataset for each sample.
            letters = "".join(chr(97 + n // 26**k % 26) for k in (2, 1, 0))
            f.copy(name, copy, "field_" + letters)
    return os.path.join(folder, to)


def check(path, refusal, is_ours):
    converted = os.path.join(folder, "converted.stk")
    done = subprocess.run([COMMAND, "convert", path, "-o", converted, "--force", "--no-sync"], capture_output=True, text=True,
                          timeout=60)
    sentence = done.stderr.strip()
    if os.path.exists(path + ".stkx"):
        os.remove(path + ".stkx")
    if done.returncode not in (0, 1) or (done.returncode == 1 and (os.path.basename(path) not in sentence or "\n" in sentence)):
        return f"FAILED with exit code {done.returncode}: {sentence}"
    if done.returncode == 1:
        expected = not is_ours or (refusal is not None and refusal in sentence)
        return f"refused: {sentence}" if expected else f"FAILED: refused, which was not expected: {sentence}"
    if is_ours and refusal:
        return f"FAILED: should be refused for {refusal}"
    with h5py.File(path, "r") as f:
        return f"read, {compare_groups(f, stoker.open(converted))} values"


for kind in (net_cdf, py_tables, plugins, repacked):
    kind()
files = [(path, refusal, True, []) for path, refusal in made.items()]
for corpus in sys.argv[2:]:
    for below, _, names in sorted(os.walk(corpus)):
        for name in sorted(n for n in names if n.endswith((".h5", ".hdf5", ".hdf5bad"))):
            files.append((os.path.join(below, name), None, False, []))
            try:
                files += [(part, None, False, alone) for part, alone in parts(os.path.join(below, name))]
            except (OSError, RuntimeError, KeyError) as e:
                print(f"{name}: h5py cannot copy its datasets: {e}")
failed = 0
for path, refusal, is_ours, alone in files:
    try:
        outcome = check(path, refusal, is_ours)
    except Exception as e:
        outcome = f"FAILED: {type(e).__name__}: {e}"
    failed += outcome.startswith("FAILED")
    if outcome.startswith("refused"):
        files += [(part, None, False, []) for part in alone]  # the others may be read without the one that is not
    print(f"{os.path.basename(path):48s} {outcome}", flush=True)
print(f"{len(files)} files, {failed} failed")
sys.exit(1 if failed else 0)
