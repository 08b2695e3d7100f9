#!/bin/sh
# The programs of examples/: each runs as its header says, and prints what its header says (PyTorch, JAX, TensorFlow, h5py)
#
# usage: checks/examples.sh [NAME ...]     some of them, such as predictions.py
# Installs checks/examples.txt (large downloads). STOKER_EXAMPLES_PYTHON names a Python that has these packages already.
set -u
python=${STOKER_EXAMPLES_PYTHON:-}
if [ -z "$python" ]; then
    python=$(STOKER_PYTHON_SECONDS=3000 tools/python-env checks/examples.txt) || { echo "the packages could not be installed"; exit 77; }
fi
exec "$python" checks/examples_run.py "$@"
