#!/bin/sh
# Reads a tar of pictures from the memory of the node: copied and extracted once, private, and gone when the command ends.
#
# By hand this takes a copy, a chmod, an extraction, a trap that cleans up, and a way for several tasks to share it.
#
# run: sh exercises/memory_of_the_node.sh photos.tar
# prints:
#     200 pictures in /dev/shm/stoker-…
#     only the user may read them: drwx------
#     after the command: nothing is left
set -eu
place=$(mktemp)
# shellcheck disable=SC2016 # the inner shell expands it
stoker run --data "$1" --via shm -- sh -c '
    echo "$(find "$STOKER_DATA" -name "*.jpg" | wc -l) pictures in $STOKER_DATA"
    top=/dev/shm/$(echo "$STOKER_DATA" | cut -d / -f 4)
    echo "only the user may read them: $(ls -ld "$top" | cut -c 1-10)"
    echo "$top" >"$1"' sh "$place" 2>/dev/null
[ -e "$(cat "$place")" ] && echo "after the command: LEFT BEHIND" || echo "after the command: nothing is left"
rm "$place"
