#!/bin/sh
# Writes docs/third-party.md anew, after a dependency or its line in tools/third-party.tsv has changed.
set -eu
here=$(readlink -f -- "$0")
cd "${here%/tools/*}"
. tools/find-java.sh
find_java javac
JAVA_HOME=$java_home mvn -q -B -ntp -pl cli -am test -Dspotless.check.skip -Dtest=ThirdPartyTest -Dsurefire.failIfNoSpecifiedTests=false \
    -Dstoker.third-party.write=true
