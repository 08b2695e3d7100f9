#!/bin/sh
# A value of more than 4 GiB in every format that holds one; needs 9 GiB in /dev/shm or on disk
set -u
exec mvn -B -ntp -q -pl formats,testkit -am test -Dgroups=huge -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip
