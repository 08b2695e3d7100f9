#!/bin/sh
# Kills ranks and the reader process of a Loader at random moments, and resumes from the ledgers
#
# usage: checks/python-kills.sh [ROUNDS [SEED]]     40 rounds are the default; 500 with --long, about an hour
set -eu
python=$(tools/python-env python/requirements.txt) || exit 77
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-kills.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/files"
head -c 8000000 /dev/urandom | split -b 8000 -a 4 - "$folder/files/sample"
./stoker pack "$folder/files" -o "$folder/samples.stk" --no-sync
PYTHONPATH=python/src "$python" python/tests/kills.py "$folder/samples.stk" "${1:-$(tools/check-size 10 40 500)}" ${2:+"$2"}
