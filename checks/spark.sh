#!/bin/sh
# Packs on a Spark cluster of two workers, with speculation, and kills an executor in the middle; every format; from HDFS and S3
#
# Takes the Spark of SPARK_HOME; without one, pyspark from pip (450 MB, once). Needs FUSE (fuse3 libfuse3-dev pkg-config gcc) for a
# source that is slow enough to be killed in time. Ports are free ones of 127.0.0.1.
# The HDFS is the small one that Hadoop has for tests (Maven Central, 56 MB, once, into build/tools); the S3 is versitygw, if checks/s3.sh
# could find or build it. Without one of these, a line says that it was not tried.
# If STOKER_SHORT is set, Spark runs in one process, local[2], and packs three formats.
set -u

root=$(pwd)
stoker=$root/build/dist/bin/stoker
if [ -z "${SPARK_HOME:-}" ]; then
    python=$(STOKER_PYTHON_SECONDS=1800 tools/python-env checks/spark.txt) || { echo "no Spark: set SPARK_HOME"; exit 77; }
    SPARK_HOME=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
fi
export SPARK_HOME

work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-spark.XXXXXX")
mount=$work/slow
master='' worker1='' worker2='' hdfs='' s3='' failures=0 done=0

stop() {
    for pid in $worker1 $worker2 $master $hdfs $s3; do
        kill "$pid" && wait "$pid"
    done 2>/dev/null
    mountpoint -q "$mount" && fusermount3 -u -z "$mount"
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Waits, two minutes at the most, until a command says yes.
await() {
    for i in $(seq 1200); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

# The files, and a mount of them that answers late.
mkdir -p "$work/files/a" "$work/files/b/c" "$mount" "$work/expected" "$work/got" "$work/conf" "$work/events"
head -c 6000000 /dev/urandom | split -b 20000 -a 4 - "$work/files/a/x"
head -c 60000000 /dev/urandom | split -b 1000000 -a 4 - "$work/files/b/x"
head -c 13100 /dev/urandom | split -b 131 -a 4 - "$work/files/b/c/x"
: >"$work/files/b/empty"
echo name >"$work/files/b/ü 100% #1?.txt"
echo order >"$work/files/b.txt" # before b/, as bytes

# Packs in Spark's own process: the same bytes as without Spark.
locally() {
    for format in stk arrow zarr; do
        {
            "$stoker" pack "$work/files" -o "$work/expected/out.$format" --no-sync >"$work/log" 2>&1 &&
                timeout 100 "$stoker" pack "$work/files" -o "$work/got/out.$format" --no-sync --on 'local[2]' >"$work/log" 2>&1 &&
                diff -r "$work/expected" "$work/got"
        } || fail "$format: $(tail -n 3 "$work/log")"
    done
}

if [ -n "${STOKER_SHORT:-}" ]; then
    export JAVA_HOME SPARK_LOCAL_IP=127.0.0.1
    locally
    [ "$failures" = 0 ]
    exit
fi

{ command -v gcc >/dev/null && pkg-config --exists fuse3 2>/dev/null && [ -e /dev/fuse ]; } || { echo "no FUSE"; exit 77; }
# shellcheck disable=SC2046 # the flags are words
gcc -O2 checks/cluster/latency.c $(pkg-config --cflags --libs fuse3) -o "$work/latency" || exit 1
"$work/latency" "$work/files" 10000 10000 10000 "$mount" &
await mountpoint -q "$mount" || { echo "no mount"; exit 1; }

# The cluster. Small JVMs; events tell what Spark did.
export JAVA_HOME SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=256m SPARK_CONF_DIR="$work/conf"
cat >"$work/conf/spark-defaults.conf" <<END
spark.driver.memory 512m
spark.executor.memory 512m
spark.speculation true
spark.speculation.interval 100ms
spark.speculation.multiplier 1.1
spark.speculation.quantile 0.25
spark.eventLog.enabled true
spark.eventLog.dir file://$work/events
spark.eventLog.rolling.enabled false
spark.eventLog.compress false
END
"$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0 >"$work/master.log" 2>&1 &
master=$!
await grep -q 'Starting Spark master at' "$work/master.log" || { cat "$work/master.log"; exit 1; }
url=$(sed -n 's/.*Starting Spark master at \(spark:[^ ]*\).*/\1/p' "$work/master.log")
# Of two addresses, since Spark runs no second attempt on the first one's host.
for i in 1 2; do
    "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.$i --port 0 --webui-port 0 \
        --cores 2 --memory 1g --work-dir "$work/worker$i" "$url" >"$work/worker$i.log" 2>&1 &
    eval "worker$i=$!"
    await grep -q 'Successfully registered' "$work/worker$i.log" || { cat "$work/worker$i.log"; exit 1; }
done

# The journal has its head and at least one run: a share is filled, and others are being filled.
has_begun() {
    for journal in "$1.partial.journal" "$1/data.mdb.partial.journal"; do # an LMDB environment is a folder
        [ "$(stat -c %s "$journal" 2>/dev/null || echo 0)" -gt 65 ] && return
    done
    return 1
}

has_begun_or_ended() {
    has_begun "$1" || ! readlink "/proc/$2/exe" # nothing for one that waits to be reaped
}

# The executor that the worker $1 runs; its shell, which waits to be reaped, is none.
executor() {
    pgrep -P "$1" -x java
}

# Begins to pack a format on the cluster, from the mount or from $2; returns when a share of it is filled.
begin() {
    "$stoker" pack "$work/files" -o "$work/expected/out.$1" --format "$1" --no-sync >"$work/log" 2>&1 || fail "$1 alone: $(cat "$work/log")"
    timeout 300 "$stoker" pack "${2:-$mount}" -o "$work/got/out.$1" --format "$1" --no-sync --on "$url" >"$work/log" 2>&1 &
    job=$!
    await has_begun_or_ended "$work/got/out.$1" $job
}

# Waits for the pack, and compares.
end() {
    wait $job || fail "$1: $(tail -n 3 "$work/log")"
    if diff -r "$work/expected" "$work/got" >"$work/diff" 2>&1; then
        done=$((done + 1))
        echo "$1: the same bytes, $2"
    else
        fail "$1: $(head -n 3 "$work/diff")"
    fi
    rm -rf "$work/expected/out."* "$work/got/out."*
}

# The pack continues without an executor of the first worker.
with_kill() {
    begin "$1"
    await executor "$worker1" # the first share may be one of the other worker
    killed=$(executor "$worker1")
    # shellcheck disable=SC2086 # there may be several
    { [ -n "$killed" ] && kill -9 $killed; } || fail "$1: no executor was there to be killed"
    end "$1" "executor $killed killed"
}

# An executor that stands still: its shares are filled by others too, and by itself when it continues.
with_straggler() {
    begin "$1"
    await executor "$worker2"
    stopped=$(executor "$worker2")
    # shellcheck disable=SC2086 # there may be several
    { [ -n "$stopped" ] && kill -STOP $stopped; } || fail "$1: no executor was there to be stopped"
    speculated() {
        cat "$work/events"/* | grep '"Event":"SparkListenerTaskStart"' | grep -q '"Speculative":true'
    }
    await speculated || fail "$1: no attempt was speculative"
    sleep 1
    # shellcheck disable=SC2086 # there may be several
    kill -CONT $stopped
    end "$1" "executor $stopped stood still"
}

# Starts an HDFS that has the files. Its jar must be of the version that this Spark has.
start_hdfs() {
    version=$(find "$SPARK_HOME/jars/" -maxdepth 1 | sed -n 's/.*\/hadoop-client-api-\(.*\)\.jar$/\1/p')
    jar=$root/build/tools/hadoop-client-minicluster-$version.jar
    if ! [ -e "$jar" ]; then
        (cd "$work" && timeout 600 mvn -B -ntp -q dependency:copy "-Dartifact=org.apache.hadoop:hadoop-client-minicluster:$version" \
            "-DoutputDirectory=$root/build/tools") >"$work/log" 2>&1 || return 1
    fi
    LC_ALL=C.UTF-8 "$JAVA_HOME/bin/java" -Xmx256m -cp "$jar:$SPARK_HOME/jars/*" checks/cluster/MiniHdfs.java \
        "$work/hdfs" "$work/files" "$work/hdfs.address" >"$work/hdfs.log" 2>&1 &
    hdfs=$!
    await test -e "$work/hdfs.address" || { cat "$work/hdfs.log"; exit 1; }
}

from_hdfs() {
    address=$(cat "$work/hdfs.address")
    for format in stk hdf5; do
        begin $format "$address/files"
        end $format "from $address"
    done
    # Without a host: the one that Hadoop is told is its own.
    echo "spark.hadoop.fs.defaultFS $address" >>"$work/conf/spark-defaults.conf"
    begin tar hdfs:///files
    end tar "from hdfs:///"
    sed -i '$d' "$work/conf/spark-defaults.conf"
    refused "there is no such file or folder" "$stoker" pack "$address/nothing" -o "$work/got/bad.stk" --on "$url"
    refused "hdfs:// is read inside Spark" "$stoker" pack "$address/files" -o "$work/got/bad.stk"
    refused "support several processes writing one file" "$stoker" pack "$work/files" -o "$address/bad.stk" --on "$url"
}

# What a command says when it should fail. $1 is a pattern.
refused() {
    pattern=$1
    shift
    timeout 120 "$@" >"$work/log" 2>&1 && fail "should fail: $*"
    grep -q "^stoker: .*$pattern" "$work/log" || fail "$*: $(tail -n 3 "$work/log")"
}

# Starts an S3, and stores the files there. The workers have been started without its credentials.
start_s3() {
    gateway=$(command -v versitygw) || gateway=$root/build/tools/versitygw
    [ -x "$gateway" ] && python=$(tools/python-env checks/s3.txt) || return 1
    port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    mkdir "$work/s3" "$work/iam"
    ROOT_ACCESS_KEY=someone ROOT_SECRET_KEY=$secret "$gateway" --iam-dir "$work/iam" --port "127.0.0.1:$port" posix "$work/s3" >"$work/s3.log" 2>&1 &
    s3=$!
    export AWS_ENDPOINT_URL="http://127.0.0.1:$port" AWS_ACCESS_KEY_ID=someone AWS_SECRET_ACCESS_KEY=$secret AWS_REGION=us-east-1
    await "$python" -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" || { cat "$work/s3.log"; exit 1; }
    LC_ALL=C.UTF-8 "${python%/*}/aws" s3 mb s3://data >/dev/null && LC_ALL=C.UTF-8 "${python%/*}/aws" s3 cp --quiet --recursive "$work/files" s3://data/files || exit 1
}

from_s3() {
    for name in AWS_ENDPOINT_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION; do
        eval "echo spark.executorEnv.$name \$$name" >>"$work/conf/spark-defaults.conf"
    done
    begin stk s3://data/files
    end stk "from s3://"
    grep -q -r "$secret" "$work/events" && fail "Spark's events show the secret"
}

if start_hdfs; then from_hdfs; else echo "skipped: HDFS: it could not be started: $(tail -n 1 "$work/log")"; fi
secret=the-secret-that-nobody-sees
if start_s3; then from_s3; else echo "skipped: S3: there is no versitygw"; fi

# All formats that many can write at once. npy holds samples of one shape, which these are not.
formats=$("$stoker" formats --json | awk -F'"' '
    $2 == "name" { name = $4 }
    $2 == "write" { write = /true/ }
    $2 == "parallel_fill" && write && /true/ && name != "npy" { print name }')
with_straggler tar
for format in ${STOKER_FORMATS:-$formats}; do
    with_kill "$format"
done

# What was tried really happened.
lost=$(cat "$work/events"/* | grep -c '"Reason":"ExecutorLostFailure"')
twice=$(cat "$work/events"/* | grep '"Event":"SparkListenerTaskStart"' | grep -c '"Speculative":true')
echo "$lost attempts were lost with their executors, $twice were speculative"
[ "$lost" -gt 0 ] || fail "no attempt was lost"

# What fails on an executor is told in one sentence, and nothing has the final name.
echo '{"nowhere.bin": 1}' >"$work/manifest.json"
if "$stoker" pack "$work/files" --manifest "$work/manifest.json" -o "$work/got/bad.stk" --on "$url" >"$work/log" 2>&1; then
    fail "a file that is not there was packed"
fi
grep 'stoker: .*nowhere.bin' "$work/log" || fail "bad source: $(cat "$work/log")"
[ -z "$(ls -A "$work/got")" ] || fail "left behind: $(ls -A "$work/got")"

echo "$done packs compared, $failures failed"
[ "$failures" = 0 ] && [ "$done" -gt 0 ]
