#!/bin/sh
# Reads the Parquet files of apache/parquet-testing, by many writers, and compares with pyarrow
set -eu
corpus=${STOKER_PARQUET_TESTING:-build/parquet-testing}
if ! [ -d "$corpus/data" ]; then
    rm -rf "$corpus"
    if ! timeout 300 git clone --quiet --depth 1 https://github.com/apache/parquet-testing "$corpus" 2>build/parquet-testing.log; then
        echo "apache/parquet-testing cannot be had; STOKER_PARQUET_TESTING names a folder that has it"
        exit 77
    fi
fi
exec mvn -B -ntp -q -pl formats -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest='ParquetCorpusTest' -Dspotless.check.skip \
    -Dstoker.parquet-testing="$(readlink -f "$corpus")"
