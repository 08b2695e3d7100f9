"""Packs pictures with several captions each from a CSV table into Arrow, and reads it with pyarrow and with Stoker.

needs: pyarrow
run: python3 exercises/captions.py photos
prints:
    pyarrow: 4 rows of 3 columns, one picture per record batch
    dusk: 2 captions, the first is 'A mountain at dusk'
    the picture is … bytes, the same in both
"""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import stoker

folder = Path(sys.argv[1])
with open("captions.jsonl", "w", encoding="utf-8") as table:
    for name in ("dawn", "day", "dusk", "night"):
        row = {"path": f"{name}/{name}_000.jpg", "captions": [f"A mountain at {name}", f"The sky at {name}"]}
        table.write(json.dumps(row) + "\n")
pack = ["stoker", "pack", folder, "--manifest", "captions.jsonl", "--labels", "none", "-o", "captions.arrow", "--rows-per-batch", "1"]
subprocess.run(pack, check=True, stdout=subprocess.DEVNULL)

with pa.memory_map("captions.arrow") as source:
    reader = pa.ipc.open_file(source)
    table = reader.read_all()
    assert reader.num_record_batches == len(table)
    theirs = table["data"][2].as_py()
print(f"pyarrow: {len(table)} rows of {table.num_columns} columns, one picture per record batch")

ours = stoker.open("captions.arrow")[2]
print(f"{Path(ours['key']).parent}: {len(ours['captions'])} captions, the first is {ours['captions'][0]!r}")
print(f"the picture is {len(theirs):,} bytes, {'the same' if theirs == ours['data'] else 'DIFFERENT'} in both")
