#!/bin/sh
# the Python package with real PyTorch and Pillow (large downloads)
set -u
python=$(STOKER_PYTHON_SECONDS=1800 tools/python-env python/frameworks.txt) || exit 77
cd python && "$python" -m pytest -q -p no:cacheprovider tests
