"""Puts a folder of pictures into one HDF5 file with variable-length samples, as two processes, and reads it with h5py.

The HDF5 library cannot write samples of different lengths in parallel. Stoker plans every place first, so two processes
write one file without locks, and the result is the same as from one process.

needs: h5py
run: python3 exercises/many_files_to_hdf5.py photos
prints:
    photos.h5: 200 samples, written by 2 processes; the same bytes as by 1
    h5py: 200 values, the first is dawn/dawn_000.jpg with … bytes, as in the file
"""

import subprocess
import sys
from pathlib import Path

import h5py

folder = Path(sys.argv[1])
parts = [
    subprocess.Popen(
        ["stoker", "pack", folder, "-o", "photos.h5", "--rank", str(rank), "--world", "2"], stdout=subprocess.DEVNULL
    )
    for rank in range(2)
]
if any(part.wait() for part in parts):
    sys.exit("packing failed")
subprocess.run(["stoker", "pack", folder, "-o", "alone.h5"], check=True, stdout=subprocess.DEVNULL)
same = Path("photos.h5").read_bytes() == Path("alone.h5").read_bytes()

with h5py.File("photos.h5") as file:
    split = file["train"]
    count, key, data = len(split["images"]), split["key"][0].decode(), split["images"][0].tobytes()
print(f"photos.h5: {count} samples, written by 2 processes; {'the same bytes as' if same else 'DIFFERENT from'} by 1")
matches = data == (folder / key).read_bytes()
print(f"h5py: {count} values, the first is {key} with {len(data):,} bytes, {'as in the file' if matches else 'DIFFERENT'}")
