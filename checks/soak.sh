#!/bin/sh
# Training, for an hour with --long, by several jobs, with kills, slow ranks, stalled storage and squeezed memory; nothing lost, doubled or growing
#
# STOKER_SOAK_MINUTES says how long (default 5; 60 with --long), STOKER_SEED picks the disturbances. Needs FUSE (fuse3 libfuse3-dev pkg-config gcc).
set -u

for command in gcc pkg-config fusermount3; do
    command -v "$command" >/dev/null || { echo "$command is not there"; exit 77; }
done
{ pkg-config --exists fuse3 && [ -w /dev/fuse ]; } || { echo "no FUSE: libfuse3-dev and a /dev/fuse that can be opened are needed"; exit 77; }
python=$(tools/python-env python/requirements.txt) || exit 77
mkdir -p build
# shellcheck disable=SC2046 # the flags are words
gcc -O2 checks/cluster/latency.c $(pkg-config --cflags --libs fuse3) -o build/latency || exit 1
exec "$python" checks/soak.py --stoker build/dist/bin/stoker --latency build/latency \
    --minutes "${STOKER_SOAK_MINUTES:-$(tools/check-size 1 5 60)}" --seed "${STOKER_SEED:-1}" "$@"
