#!/bin/sh
# the Python package with real PyTorch, JAX, TensorFlow, Lightning, Accelerate, datasets, Ray (large downloads)
set -u
python=$(STOKER_PYTHON_SECONDS=3000 tools/python-env python/frameworks.txt) || exit 77
cd python || exit 1
# TensorFlow alone: in a process that has it, triton, which PyTorch brings, ends the process.
"$python" -m pytest -q -p no:cacheprovider tests --ignore tests/test_tensorflow.py && "$python" -m pytest -q -p no:cacheprovider \
    tests/test_tensorflow.py
