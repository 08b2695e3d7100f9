#!/bin/sh
# The report of stoker bench in a real browser: wide and on a phone, light and dark; all charts there, nothing sticks out
#
# usage: checks/report.sh [REPORT.html]    (by default one is made)
# needs: Chromium or Chrome
set -eu
for browser in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$browser" >/dev/null && break
    browser=
done
[ -n "$browser" ] || { echo "no Chromium or Chrome is installed"; exit 77; }
command -v python3 >/dev/null || { echo "Python is not installed"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-report.XXXXXX")
trap 'rm -rf "$folder"' EXIT
report=${1:-}
if [ -z "$report" ]; then
    ./stoker bench --data-root "$folder/root" --num-samples 300 --repeat 2 >"$folder/table" 2>/dev/null
    report=$folder/root/report.html
fi
python3 checks/report_page.py "$browser" "$report" "$folder"
