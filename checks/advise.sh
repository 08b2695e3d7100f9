#!/bin/sh
# Advice against measurement: in five situations what `stoker advise` picks is what `stoker bench` finds best, or within 10%
#
# Every command that the advice prints is run as it stands. STOKER_ROUNDS says how often a comparison is repeated at most
# (default 3): a machine that does other things as well makes any one round wrong.
set -u

command -v python3 >/dev/null || { echo "no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-advise.XXXXXX")
stop() {
    # shellcheck disable=SC2013 # a blank in a mount point is \040 there, so these are words
    for point in $(awk -v work="$work" 'index($2, work) == 1 { print $2 }' /proc/mounts); do umount -l "$point"; done
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM
if [ -e /dev/fuse ] && command -v gcc >/dev/null && pkg-config --exists fuse3; then
    # shellcheck disable=SC2046 # the flags are words
    gcc -O2 checks/cluster/latency.c $(pkg-config --cflags --libs fuse3) -o "$work/latency" || exit 1
else
    echo "skipped: slow metadata: /dev/fuse, gcc or libfuse3-dev is not there"
fi
# With NumPy the line of Python is run, too.
python=$(tools/python-env python/requirements.txt) || python=python3
"$python" -B checks/advise.py --stoker "${STOKER:-build/dist/bin/stoker}" --work "$work" --rounds "${STOKER_ROUNDS:-3}" "$@"
