#!/bin/sh
# Changed files for each parser, a million with --long: read or refused, within limits of memory and time
#
#   checks/fuzz.sh [--inputs 20000, or a million with --long] [--seed 1] [--only NAME]... [--input FILE] [--findings build/fuzz]
#   checks/fuzz.sh --python NAME [--inputs N] [--seed S]    the same inputs for the Python package's own readers: stk or safetensors
#   checks/fuzz.sh --jazzer SECONDS --only NAME     looks for new ways through the code, by Jazzer; keeps what it finds in build/jazzer
#
# An input follows from its number and the seed. fuzz/corpus holds what inputs are made of. Ends with 1 if there is a finding.
set -eu
# shellcheck source=checks/fuzz-run.sh
. "$(dirname "$0")/fuzz-run.sh"
python_fuzz() {
    python=$(tools/python-env checks/fuzz.txt) || { echo "Python with NumPy, zstandard and lz4 cannot be had"; exit 77; }
    name=$1
    shift
    # What does not begin as .stk does would go to the command, which is Java: it is not what is tried here, and takes long to start.
    run_fuzz dev.stoker.fuzz.InputsMain --only "$name" "$@" | STOKER=false PYTHONPATH=python/src "$python" checks/fuzz_python.py "$name"
}
if [ "${1:-}" = --python ]; then
    shift
    python_fuzz "$@"
    exit
fi
if [ "${1:-}" != --jazzer ]; then
    inputs=$(tools/check-size 200 20000 1000000)
    run_fuzz dev.stoker.fuzz.Main --inputs "$inputs" "$@"
    if [ $# -eq 0 ]; then
        python_fuzz stk --inputs "$inputs"
        python_fuzz safetensors --inputs "$inputs"
    fi
    exit
fi
{ [ $# -eq 4 ] && [ "$3" = --only ]; } || { echo "usage: checks/fuzz.sh --jazzer SECONDS --only NAME" >&2; exit 2; }
for part in jazzer jazzer-api; do
    mvn -B -q -ntp dependency:copy -Dartifact=com.code-intelligence:$part:0.30.0 -DoutputDirectory="$root/build/jazzer/lib" \
        >build/fuzz.log 2>&1 || { echo "Jazzer cannot be had"; exit 77; }
done
mkdir -p "build/jazzer/$4" "fuzz/corpus/$4"
fuzz_more='build/jazzer/lib/*'
run_fuzz -Dstoker.fuzz.target="$4" com.code_intelligence.jazzer.Jazzer \
    --target_class=dev.stoker.fuzz.JazzerTarget --instrumentation_includes='dev.stoker.**' --disabled_hooks='**' \
    --reproducer_path=build/jazzer -artifact_prefix=build/jazzer/ -max_len=16384 -timeout=10 -rss_limit_mb=3000 \
    -max_total_time="$2" "build/jazzer/$4" "fuzz/corpus/$4"
