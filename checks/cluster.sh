#!/bin/sh
# Ranks on two or three emulated nodes, each with a cache of its own, write one file: packs, collected samples, states; by seeds
#
# STOKER_SEEDS says how many stories (default 80, 1000 with --long, about an hour on 2 cores), STOKER_FIRST_SEED where to begin; arguments go to
# checks/cluster.py. Needs FUSE (fuse3 libfuse3-dev pkg-config gcc) and python3.
set -u

for command in python3 gcc pkg-config fusermount3; do
    command -v "$command" >/dev/null || { echo "$command is not there"; exit 77; }
done
{ pkg-config --exists fuse3 && [ -w /dev/fuse ]; } || { echo "no FUSE: libfuse3-dev and a /dev/fuse that can be opened are needed"; exit 77; }
python=$(tools/python-env python/requirements.txt) || exit 77
seeds=${STOKER_SEEDS:-$(tools/check-size 8 80 1000)}
mkdir -p build
# shellcheck disable=SC2046 # the flags are words
gcc -O2 checks/cluster/client.c $(pkg-config --cflags --libs fuse3) -o build/client || exit 1
export PYTHONPATH=python/src
exec "$python" checks/cluster.py --stoker build/dist/bin/stoker --client build/client \
    --seeds "$seeds" --first "${STOKER_FIRST_SEED:-1}" "$@"
