# shellcheck shell=sh
# Sourced by fuzz.sh and flips.sh: builds the module fuzz and runs its programs, with little memory.
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
mkdir -p build
mvn -B -q -ntp -pl fuzz -am process-classes -Dspotless.check.skip >build/fuzz.log 2>&1 || { tail -n 20 build/fuzz.log; exit 1; }
fuzz_classes=fuzz/target/classes:$(cat fuzz/target/classpath)

run_fuzz() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx768m -XX:MaxDirectMemorySize=256m -XX:+UseSerialGC -XX:-OmitStackTraceInFastThrow \
        --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -Djava.awt.headless=true -Dstoker.root="$root" \
        -cp "$fuzz_classes${fuzz_more:+:$fuzz_more}" "$@"
}
