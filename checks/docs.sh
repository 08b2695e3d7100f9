#!/bin/sh
# The documentation site: built without a warning, no dead link, three widths in a browser; the commands of tutorials and how-tos run
#
# usage: checks/docs.sh [--javadoc]     --javadoc makes the Javadoc of the public API alone
# needs: what checks/docs.txt lists; Chromium or Chrome for the look at it
# The site is in build/site/html.
set -u

root=$(pwd)
html=$root/build/site/html
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Of the types that programs may rely on alone.
make_javadoc() {
    path=$(find . -path '*/src/main/java' -not -path './build/*' | tr '\n' ':')
    # Annotations, which Maven has fetched for the build.
    jspecify=$(find "${HOME:-/nonexistent}/.m2/repository/org/jspecify" -name 'jspecify-*.jar' 2>/dev/null | sort | head -n 1)
    # shellcheck disable=SC2046 # the names have no blanks
    "$JAVA_HOME/bin/javadoc" -quiet -Xdoclint:none -public -sourcepath "$path" -cp "$jspecify:$root/build/dist/lib/*" \
        -d "$html/javadoc" \
        -windowtitle "Stoker" -doctitle "Stoker: the public API" -notimestamp --ignore-source-errors \
        $(grep -rl --include='*.java' '^@PublicApi' ./*/src/main/java) >build/site/javadoc.log 2>&1
    [ -e "$html/javadoc/index.html" ]
}

mkdir -p build/site
if [ "${1:-}" = --javadoc ]; then
    make_javadoc || { tail -n 5 build/site/javadoc.log; exit 1; }
    echo "$html/javadoc/index.html"
    exit
fi

python=$(STOKER_PYTHON_SECONDS=600 tools/python-env checks/docs.txt) || { echo "the site builder could not be installed"; exit 77; }
tools/site.py build/site/pages || fail "tools/site.py"
"${python%/*}/zensical" build -c -s >build/site/build.log 2>&1 || fail "the site: $(tail -n 20 build/site/build.log)"
grep -q 'No issues found' build/site/build.log || fail "the site has warnings: $(cat build/site/build.log)"
make_javadoc || fail "the Javadoc: $(tail -n 5 build/site/javadoc.log)"
"$python" checks/docs_pages.py links "$html" || fail "links"
"$python" checks/docs_pages.py tutorials "$root" || fail "tutorials"
"$python" checks/docs_blocks.py run || fail "code blocks"

for browser in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$browser" >/dev/null && break
    browser=
done
if [ -n "$browser" ]; then
    "$python" checks/docs_pages.py look "$html" "$browser" || fail "the look of it"
else
    echo "skipped: the look at three widths: no Chromium or Chrome is installed"
fi
[ "$failures" = 0 ]
