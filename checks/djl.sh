#!/bin/sh
# Trains a small model with DJL on a feed, offline once PyTorch's native libraries (200 MB) are there
set -eu
if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
    echo "needs Linux on x86-64: the native library of the test is for it"
    exit 77
fi
exec mvn -B -ntp -q -pl djl -am -Pdjl-native test -Dsurefire.failIfNoSpecifiedTests=false -Dtest='FeedDatasetTest' -Dspotless.check.skip
