#!/bin/sh
# A million changed files for each parser: read or refused, within limits of memory and time
#
#   checks/fuzz.sh [--inputs 1000000] [--seed 1] [--only NAME]... [--input FILE] [--findings build/fuzz]
#   checks/fuzz.sh --jazzer SECONDS --only NAME     looks for new ways through the code, by Jazzer; keeps what it finds in build/jazzer
#
# An input follows from its number and the seed. fuzz/corpus holds what inputs are made of. Ends with 1 if there is a finding.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
jazzer_version=0.30.0

run() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx768m -XX:MaxDirectMemorySize=256m -XX:+UseSerialGC -XX:-OmitStackTraceInFastThrow \
        --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -Djava.awt.headless=true -Dstoker.root="$root" "$@"
}

mvn -B -q -ntp -pl fuzz -am process-classes -Dspotless.check.skip >build/fuzz.log 2>&1 || { tail -n 20 build/fuzz.log; exit 1; }
classes=fuzz/target/classes:$(cat fuzz/target/classpath)
if [ "${1:-}" != --jazzer ]; then
    run -cp "$classes" dev.stoker.fuzz.Main "$@"
    exit
fi
[ $# -eq 4 ] && [ "$3" = --only ] || { echo "usage: checks/fuzz.sh --jazzer SECONDS --only NAME" >&2; exit 2; }
for part in jazzer jazzer-api; do
    mvn -B -q -ntp dependency:copy -Dartifact=com.code-intelligence:$part:$jazzer_version -DoutputDirectory="$root/build/jazzer/lib" \
        >build/fuzz.log 2>&1 || { echo "Jazzer cannot be had"; exit 77; }
done
mkdir -p "build/jazzer/$4"
run -Dstoker.fuzz.target="$4" -cp "$classes:build/jazzer/lib/*" com.code_intelligence.jazzer.Jazzer \
    --target_class=dev.stoker.fuzz.JazzerTarget --instrumentation_includes='dev.stoker.**' \
    --custom_hook_excludes='**' --disabled_hooks='**' --reproducer_path=build/jazzer \
    -artifact_prefix="build/jazzer/" -max_len=16384 -timeout=10 -rss_limit_mb=3000 -max_total_time="$2" \
    "build/jazzer/$4" "fuzz/corpus/$4"
