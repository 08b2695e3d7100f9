#!/bin/sh
# the Python package with real PyTorch, JAX, TensorFlow, Lightning, Accelerate, datasets, Ray (large downloads)
set -u
python=$(STOKER_PYTHON_SECONDS=3000 tools/python-env python/frameworks.txt) || exit 77
cd python && "$python" -m pytest -q -p no:cacheprovider tests
