#!/bin/sh
# Files by other software, in folders that STOKER_CORPUS names: each is read as pyarrow, h5py or zarr-python reads it, or refused
#
# STOKER_CORPUS: folders with a colon between them, as checkouts of apache/parquet-testing, apache/arrow-testing, jamesmudd/jhdf.
set -u
if [ -z "${STOKER_CORPUS:-}" ]; then
    echo "STOKER_CORPUS names no folder of files by others"
    exit 77
fi
python=$(tools/python-env checks/corpus.txt) || exit 77
IFS=:
# shellcheck disable=SC2086 # a word for each folder
PYTHONPATH=python/src "$python" checks/corpus.py $STOKER_CORPUS
