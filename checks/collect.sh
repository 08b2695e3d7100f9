#!/bin/sh
# 200 rounds of 8 processes that collect into one file, 3 of them killed; pyarrow reads the results
set -u
exec mvn -B -ntp -q -pl formats -am test -Dtest=CollectorTest -Dstoker.collect.rounds="${STOKER_ROUNDS:-200}" \
    -Dstoker.seed="${STOKER_SEED:-20261115}" -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip
