#!/bin/sh
# Runs shellcheck over every tracked shell script: files that end in .sh, and others whose first line names a shell.
set -eu
command -v shellcheck >/dev/null || { echo "shellcheck is not installed"; exit 77; }
scripts=$({
    git ls-files '*.sh'
    git grep -lI -e '^#!.*[/ ]\(ba\|da\)\{0,1\}sh\( .*\)\{0,1\}$' -- ':!*.sh' ':!*.java' ':!*.py' ':!*.md'
} | sort -u)
# shellcheck disable=SC2086 # no tracked script has a blank in its name
shellcheck -x $scripts
echo "$scripts" | awk 'END { print NR " scripts are clean" }'
