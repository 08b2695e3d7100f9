#!/bin/sh
# h5py, pyarrow, LMDB, WebDataset and loose files beside Stoker, by `stoker bench peers`; the README's table is known to readme.py
set -u
python3 bench/python/readme.py --list >/dev/null || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
light=files,h5py,pyarrow,lmdb,webdataset
build/dist/bin/stoker bench peers --only "stoker-feed,stoker-loader,stoker-restart,stoker-map,$light" --samples 512 --repeat 1 \
    --turn-seconds 0 --limit 120 --work "$work" --environments build/peers || exit 1
python3 - "$work/result.json" "stoker-feed,stoker-loader,stoker-map,$light" <<'END'
import json
import sys

jobs = {job["job"]: job for job in json.load(open(sys.argv[1]))["jobs"]}
left_out = [f"{each['name']}: {each['reason']}" for job in jobs.values() for each in job["left_out"]]
if left_out and all("cannot be installed" in reason for reason in left_out):
    print("; ".join(left_out))
    sys.exit(77)
assert not left_out, left_out
assert {each["name"] for each in jobs["raw"]["contestants"]} == set(sys.argv[2].split(","))
assert {each["name"] for each in jobs["photos"]["contestants"]} == {"stoker-feed", "stoker-loader", "stoker-restart"}
END
