#!/bin/sh
# Single bits of containers in every format are turned over: whatever changes a value is found, and its sample is named
#
#   checks/flips.sh [--flips 500]     10000 with --long [--seed 1] [--only FORMAT]...
set -eu
# shellcheck source=checks/fuzz-run.sh
. "$(dirname "$0")/fuzz-run.sh"
run_fuzz dev.stoker.fuzz.FlipsMain --flips "$(tools/check-size 20 500 10000)" "$@"
