#!/bin/sh
# Lint: shell, Markdown, words, spelling, Python: every executable of checks/lint
#
# usage: checks/lint.sh [PART ...]     some of the parts, such as shell or words; by default all
#
# A part exits with 0 if it found nothing, with 77 if it cannot run here (its last line is the reason), else with anything.
set -u
log=$(mktemp "${TMPDIR:-/tmp}/stoker-lint.XXXXXX")
trap 'rm -f "$log"' EXIT
passed=0 failed=0

run_part() {
    case $1 in
        *.py) command -v python3 >/dev/null || { echo "python3 is not installed" >"$log"; return 77; } ;;
    esac
    "$1" >"$log" 2>&1
}

parts=$*
if [ -z "$parts" ]; then
    for script in checks/lint/*.sh checks/lint/*.py; do
        name=${script##*/}
        [ ! -x "$script" ] || parts="$parts ${name%.*}"
    done
fi
for part in $parts; do
    for script in "checks/lint/$part.sh" "checks/lint/$part.py"; do
        [ ! -x "$script" ] || break
    done
    [ -x "$script" ] || { echo "lint: no part '$part' in checks/lint" >&2; exit 2; }
    run_part "$script"
    code=$?
    case $code in
        0) passed=$((passed + 1)) && echo "passed: $part: $(tail -n 1 "$log")" ;;
        77) echo "skipped: $part: $(tail -n 1 "$log")" ;;
        *) failed=$((failed + 1)) && cat "$log" && echo "FAILED: $part" ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] || exit 1
[ "$passed" -gt 0 ] || { echo "no part can run here"; exit 77; }
