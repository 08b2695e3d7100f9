#!/bin/sh
# Commands that write are killed, run out of disk, meet errors and power cuts, by seeds; then they go on, to the same bytes
#
# STOKER_SEEDS says how many stories (default 300, 3000 with --long, about an hour on 2 cores), STOKER_FIRST_SEED where to begin; arguments go to
# checks/faults.py. Needs FUSE (fuse3 libfuse3-dev pkg-config gcc) and python3.
set -u

for command in python3 gcc pkg-config fusermount3; do
    command -v "$command" >/dev/null || { echo "$command is not there"; exit 77; }
done
{ pkg-config --exists fuse3 && [ -w /dev/fuse ]; } || { echo "no FUSE: libfuse3-dev and a /dev/fuse that can be opened are needed"; exit 77; }
seeds=${STOKER_SEEDS:-$(tools/check-size 20 300 3000)}
mkdir -p build
# shellcheck disable=SC2046 # the flags are words
gcc -O2 checks/cluster/faulty.c $(pkg-config --cflags --libs fuse3) -o build/faulty || exit 1
exec python3 checks/faults.py --stoker build/dist/bin/stoker --faulty build/faulty \
    --seeds "$seeds" --first "${STOKER_FIRST_SEED:-1}" "$@"
