#!/bin/sh
# Metrics: TensorBoard's own reader and Prometheus' own parser read what feed, loader, pack, run and stoker.log write
#
# usage: checks/metrics.sh
set -eu
python=$(tools/python-env checks/metrics.txt) || exit 77
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-metrics.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/files"
head -c 40000000 /dev/urandom | split -b 20000 -a 4 - "$folder/files/sample"
PYTHONPATH=python/src STOKER="$PWD/build/dist/bin/stoker" "$python" checks/metrics_read.py "$folder"
