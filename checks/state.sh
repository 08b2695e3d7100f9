#!/bin/sh
# States: kill -9 at random moments of a save; ranks that outlive their job; a full disk, which needs root or user namespaces
#
# usage: checks/state.sh [ROUNDS [SEED]]     40 rounds are the default; 200 with --long
set -eu
python=$(tools/python-env python/requirements.txt) || exit 77
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-state.XXXXXX")
trap 'rm -rf "$folder"' EXIT
export PYTHONPATH=python/src
mkdir "$folder/kills" "$folder/small"
rounds=${1:-$(tools/check-size 10 40 200)}
"$python" python/tests/state_kills.py "$folder/kills" "$rounds" ${2:+"$2"}

# A tmpfs of 8 MB, in a mount namespace of its own, so that nothing is left of it.
if ! unshare --mount --map-root-user true 2>/dev/null; then
    echo "skipped: a full disk: there are no mount namespaces"
    exit 0
fi
# shellcheck disable=SC2016 # the inner shell expands it
unshare --mount --map-root-user sh -euc '
    mount -t tmpfs -o size=8m none "$1"
    exec "$2" python/tests/state_full.py "$1"
' sh "$folder/small" "$python"
