"""Lets Stoker convert every file of some folders, and compares each value with what another reader finds.

    corpus.py FOLDER...

Files are known by their endings: Parquet and Arrow are compared with pyarrow, HDF5 with h5py, Zarr (folders and zips) with
zarr-python. A file is read right; or read, while the other reader gives up; or refused with one sentence that names it. Ends
with 1 if a value differs, if Stoker fails in another way, or takes longer than
five minutes for a file.
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import zarr

import stoker

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = os.environ.get("STOKER") or os.path.join(ROOT, "build", "dist", "bin", "stoker")
LIMIT_SECONDS = 300
USUAL = {"data": "images", "label": "targets"}
sys.path.insert(0, os.path.join(ROOT, "formats", "src", "test", "python"))
import parquet_canonical  # noqa: E402 (it lies in the folder above)


class Unreadable(Exception):
    """The other reader gives up, so that nothing can be compared."""


def canonical(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, memoryview)):
        return bytes(value)
    array = np.asarray(value)
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def assert_same(name, row, expected, found):
    if isinstance(found, list):
        same = [e.decode() if isinstance(e, bytes) else str(e) for e in expected] == found
    elif isinstance(expected, bytes):  # h5py shows opaque bytes without the zeros at their end
        same = expected.rstrip(b"\0") == canonical(found).rstrip(b"\0")
    else:
        same = canonical(expected) == canonical(found)
    assert same, f"{name}[{row}] should be {expected!r} but is {found!r}"


def array_of(group, field):
    """The dataset of a field, or one member of its records."""
    name = USUAL.get(field) if field not in group else field
    if name is not None:
        return group[name]
    table = max((name for name in group if field.startswith(name + ".")), key=len)
    values = group[table][...]
    for member in field[len(table) + 1:].split("."):
        values = values[member] if values.dtype.names else getattr(values, {"r": "real", "i": "imag"}[member])
    return values


def group_of(root, split, fields):
    """The group of a split, at any depth: called like it, with all of the fields."""
    if split in root:
        return root[split]
    found = []

    def visit(path, item):
        is_group = hasattr(item, "keys") and path.split("/")[-1] == split
        if is_group and all(field in item or USUAL.get(field) in item or field.split(".")[0] in item for field in fields):
            found.append(item)

    (root.visititems if hasattr(root, "visititems") else lambda _: None)(visit)
    if not found:
        raise Unreadable(f"no group '{split}' was found to compare with")
    return found[0]


def compare_groups(root, opened):
    """Compares with the datasets of an HDF5 file or the arrays of a Zarr container; gives the number of values."""
    compared = 0
    groups = [(group_of(root, name, opened.schema), opened.splits[name]) for name in opened.splits] or [(root, range(len(opened)))]
    for group, samples in groups:
        for field in opened.schema:
            dataset = array_of(group, field)
            assert len(dataset) == len(samples), f"{field} has {len(dataset)} rows, {len(samples)} were read"
            values = opened.fields[field]
            for row, sample in enumerate(samples):
                assert_same(field, row, asked(dataset.__getitem__, row), values[sample])
                compared += 1
    return compared


def compare_table(table, opened):
    """Compares with the columns of a table; gives the number of values."""
    expected = {}
    for top, chunked in zip(table.schema.names, table.columns):
        array = pa.concat_arrays(chunked.chunks) if chunked.num_chunks else pa.array([], chunked.type)
        plain = {pa.binary_view(): pa.large_binary(), pa.string_view(): pa.large_string()}.get(array.type)
        array = array.cast(plain) if plain else array
        expected.update(parquet_canonical.leaves(top, array))
    compared = 0
    for field in opened.schema:
        label, rows = parquet_canonical.column(expected[field])
        assert len(rows) == len(opened), f"{field} has {len(rows)} rows, {len(opened)} were read"
        values = opened.fields[field]
        for row, (bytes_, _) in enumerate(rows):
            found = values[row]
            raw = parquet_canonical.text_list(found) if isinstance(found, list) else canonical(found)
            assert raw == bytes_, f"{field}[{row}] of type {label} should be {bytes_[:40]!r} but is {raw[:40]!r}"
            compared += 1
    return compared


def asked(reader, *arguments):
    try:
        return reader(*arguments)
    except Exception as e:
        raise Unreadable(str(e).split("\n")[0][:120]) from e


def zarr_root(path):
    root = zarr.open(zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else path, mode="r")
    return {"data": root} if isinstance(root, zarr.Array) else root


KINDS = {
    (".parquet", ".pq"): lambda path, opened: compare_table(asked(pq.read_table, path), opened),
    (".arrow", ".arrow_file", ".feather"): lambda path, opened: compare_table(
        asked(lambda: pa.ipc.open_file(path).read_all()), opened),
    (".h5", ".hdf5", ".hdf5bad", ".hdf"): lambda path, opened: compare_groups(asked(h5py.File, path, "r"), opened),
    (".zarr", ".zarr.zip"): lambda path, opened: compare_groups(asked(zarr_root, path), opened),
}


def check(path, compare, work):
    copy = os.path.join(work, os.path.basename(path))  # no sidecar is left beside somebody's files
    (shutil.copytree if os.path.isdir(path) else shutil.copyfile)(path, copy)
    converted = os.path.join(work, "converted.stk")
    done = subprocess.run([COMMAND, "convert", copy, "-o", converted, "--force", "--no-sync"], capture_output=True, text=True,
                          timeout=LIMIT_SECONDS)
    sentence = done.stderr.strip()
    if done.returncode == 1 and os.path.basename(path) in sentence and "\n" not in sentence:
        return "refused", sentence
    if done.returncode != 0:
        return "FAILED", f"exit code {done.returncode}: {sentence}"
    try:
        return "read", f"{compare(path, stoker.open(converted))} values"
    except Unreadable as e:
        return "read alone", f"the other reader gives up: {e}"
    except parquet_canonical.Nulls:
        return "WRONG", "a null that there is no value for was read"


def containers(folders):
    for top in folders:
        for below, folders_, names in os.walk(top):
            inner = sorted(f for f in folders_ if f.endswith(".zarr"))
            folders_[:] = sorted(f for f in folders_ if f not in inner and not f.endswith(".stkx"))
            for name in inner + sorted(names):
                for endings, compare in KINDS.items():
                    if name.endswith(endings):
                        yield os.path.join(below, name), compare


def main():
    counts = collections.Counter()
    for path, compare in containers(sys.argv[1:]):
        with tempfile.TemporaryDirectory() as work:
            try:
                outcome, why = check(path, compare, work)
            except subprocess.TimeoutExpired:
                outcome, why = "FAILED", f"it took longer than {LIMIT_SECONDS} s"
            except Exception as e:
                outcome, why = "WRONG", f"{type(e).__name__}: {e}"
        counts[outcome] += 1
        print(f"{outcome:10s} {os.path.basename(path):48s} {why}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "no file of a known ending")
    return 1 if not counts or counts["WRONG"] + counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
