#!/bin/sh
# HDF5 files by netCDF4, PyTables, pandas, h5repack and h5py with plugins: read right, or refused by name (large downloads)
#
# STOKER_HDF5_CORPUS: a folder of further .h5 and .hdf5 files by anyone; each should be read as h5py reads it, or be refused.
set -u
python=$(STOKER_PYTHON_SECONDS=1800 tools/python-env checks/hdf5.txt) || exit 77
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-hdf5.XXXXXX")
trap 'rm -rf "$folder"' EXIT
PYTHONPATH=python/src "$python" checks/hdf5_others.py "$folder" ${STOKER_HDF5_CORPUS:+"$STOKER_HDF5_CORPUS"}
