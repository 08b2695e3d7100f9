#!/bin/sh
# 40 rounds (200 with --long) of 8 processes that collect into one file, 3 of them killed; pyarrow reads the results
set -u
exec mvn -B -ntp -q -pl formats -am test -Dtest=CollectorTest -Dstoker.collect.rounds="${STOKER_ROUNDS:-$(tools/check-size 10 40 200)}" \
    -Dstoker.seed="${STOKER_SEED:-20261115}" -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip
