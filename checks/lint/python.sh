#!/bin/sh
# Lints the Python package: ruff over all of it, mypy --strict over its sources, as python/pyproject.toml configures them.
# Exits with 0 if both are clean, 1 if not, and 77 with the reason as its last line if the tools cannot be installed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
cd "$root" || exit 1

if ! python=$(tools/python-env python/requirements-lint.txt 2>&1); then
    echo "$python"
    exit 77
fi
cd python || exit 1
status=0
"$python" -m ruff check --no-cache . || status=1
"$python" -m mypy --strict --cache-dir=/dev/null || status=1
exit $status
