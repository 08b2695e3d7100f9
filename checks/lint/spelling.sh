#!/bin/sh
# Looks for common misspellings with codespell. Words that it should not report are in codespell.txt, in lower case.
set -eu
python=$(tools/python-env checks/lint/requirements.txt) || { echo "codespell is not available"; exit 77; }
git ls-files -z -- '*.md' '*.java' '*.py' '*.sh' '*.c' '*.xml' '*.toml' '*.txt' '*.css' '*.yml' \
    check stoker bench-check .ci/run .editorconfig python/build-wheel tools checks/cluster cli/src/main/dist ':!checks/lint/codespell.txt' |
    xargs -0 "$python" -m codespell_lib --builtin clear,rare --ignore-words checks/lint/codespell.txt
echo "no misspellings"
