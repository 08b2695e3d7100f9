#!/bin/sh
# Stages, reads, packs from and to a real S3 server, which fails, stops, is killed and comes back; wrong credentials; the examples of docs/how-to/s3.md
#
# Takes versitygw of PATH; without one, builds it with Go (two minutes, once, into build/tools). The aws command comes from pip. The
# server listens on a free port of 127.0.0.1.
set -u

root=$(pwd)
stoker=$root/build/dist/bin/stoker
if ! gateway=$(command -v versitygw); then
    gateway=$root/build/tools/versitygw
    if ! [ -x "$gateway" ]; then
        command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin
        command -v go >/dev/null || { echo "no versitygw, and no Go to build it"; exit 77; }
        GOBIN=$root/build/tools timeout 900 go install github.com/versity/versitygw/cmd/versitygw@latest || { echo "versitygw cannot be built"; exit 77; }
    fi
fi
python=$(tools/python-env checks/s3.txt) || { echo "no aws command: pip cannot install awscli"; exit 77; }

work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-s3.XXXXXX")
server='' proxy='' failures=0 done=0
mkdir "$work/root" "$work/iam" "$work/home" "$work/tmp" "$work/local"
chmod 700 "$work/local"

stop() {
    for pid in $server $proxy; do
        kill -CONT "$pid" && kill "$pid" && wait "$pid"
    done 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

passed() {
    done=$((done + 1))
}

# Waits, 20 seconds at the most, until a command says yes.
await() {
    for _ in $(seq 200); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
secret=the-secret-that-nobody-sees
export HOME="$work/home" TMPDIR="$work/tmp" STOKER_LOCAL="$work/local"
export AWS_ENDPOINT_URL="http://127.0.0.1:$port" AWS_ACCESS_KEY_ID=someone AWS_SECRET_ACCESS_KEY=$secret AWS_REGION=us-east-1
unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL_S3 STOKER_S3_PATIENCE 2>/dev/null

answers() {
    "$python" -c "import socket; socket.create_connection(('127.0.0.1', $1), 1)"
}

start_server() {
    ROOT_ACCESS_KEY=someone ROOT_SECRET_KEY=$secret "$gateway" --iam-dir "$work/iam" --port "127.0.0.1:$port" posix "$work/root" >"$work/server.log" 2>&1 &
    server=$!
    await answers "$port" || { echo "versitygw does not start: $(tail -n 3 "$work/server.log")"; exit 1; }
}

start_proxy() {
    rm -f "$work/port"
    "$python" checks/s3_proxy.py "$work/port" "$port" "${STOKER_SEED:-20261115}" "$1" >"$work/proxy.log" 2>&1 &
    proxy=$!
    await test -e "$work/port" || { echo "the proxy does not start"; exit 1; }
}

stop_proxy() {
    kill "$proxy"
    wait "$proxy" 2>/dev/null
    proxy=''
}

aws() {
    "${python%/*}/aws" "$@" >/dev/null
}

start_server
aws s3 mb s3://data || { echo "no bucket"; exit 1; }
mkdir -p "$work/files/a" "$work/files/b/c"
head -c 6000000 /dev/urandom | split -b 40000 -a 4 - "$work/files/a/x"
head -c 100000 /dev/urandom | split -b 1000 -a 4 - "$work/files/b/c/x"
head -c 9000000 /dev/urandom >"$work/files/b/large"
: >"$work/files/b/empty"
echo same >"$work/files/b/Case"
echo other >"$work/files/b/case"
tar cf "$work/files.tar" -C "$work/files" .
head -c 60000000 /dev/urandom >"$work/large.bin"
aws s3 cp --recursive "$work/files" s3://data/files && aws s3 cp "$work/files.tar" s3://data/files.tar &&
    aws s3 cp "$work/large.bin" s3://data/large.bin && aws s3api put-object --bucket data --key single.bin --body "$work/large.bin" || exit 1

# What a command says when it should fail: one line, without secrets. $1 is a pattern.
refused() {
    pattern=$1
    shift
    if timeout 120 "$@" >"$work/out" 2>"$work/err"; then
        fail "should fail: $*"
    elif ! grep -q -e "$pattern" "$work/err"; then
        fail "$*: $(head -n 3 "$work/err")"
    elif [ "$(wc -l <"$work/err")" != 1 ]; then
        fail "more than one line: $(head -n 5 "$work/err")"
    elif grep -q -e "$AWS_SECRET_ACCESS_KEY" "$work/out" "$work/err"; then
        fail "the secret is shown"
    else
        passed
    fi
}

staging() {
    for name in large.bin single.bin; do
        if data=$("$stoker" stage "s3://data/$name" --to "$work/local") && cmp "$data" "$work/large.bin"; then
            passed
        else
            fail "stage $name"
        fi
    done
    if data=$("$stoker" stage s3://data/files --to local) && diff -r "$data" "$work/files"; then
        passed
    else
        fail "stage a prefix"
    fi
    if data=$("$stoker" stage s3://data/files.tar --extract --to local) && diff -r "$data" "$work/files"; then
        passed
    else
        fail "stage a tar"
    fi
    if "$stoker" run --data s3://data/files.tar -- sh -c "diff -r \"\$STOKER_DATA\" '$work/files'" 2>/dev/null; then
        passed
    else
        fail "run with a tar"
    fi
    if "$stoker" run --data x=s3://data/files -- sh -c "diff -r \"\$STOKER_DATA_X\" '$work/files'" 2>/dev/null; then
        passed
    else
        fail "run with a prefix"
    fi
    "$stoker" stage --gc --all --to local >/dev/null
    [ -z "$(find "$work/local" "$work/tmp" -mindepth 1)" ] || fail "left behind: $(find "$work/local" "$work/tmp" -mindepth 1)"
}

containers() {
    "$stoker" pack "$work/files" -o "$work/x.stk" >/dev/null
    for format in stk arrow h5 tar parquet zip; do
        "$stoker" pack "$work/files" -o "$work/x.$format" --force >/dev/null
        "$stoker" pack s3://data/files -o "s3://data/x.$format" >"$work/log" 2>&1 || fail "pack to x.$format: $(cat "$work/log")"
        { aws s3 cp "s3://data/x.$format" "$work/back" && cmp "$work/back" "$work/x.$format"; } || fail "x.$format has other bytes"
        "$stoker" verify "s3://data/x.$format" >"$work/log" 2>&1 || fail "verify x.$format: $(cat "$work/log")"
        "$stoker" inspect "$work/x.$format" | tail -n +2 >"$work/here"
        "$stoker" inspect "s3://data/x.$format" | tail -n +2 | diff - "$work/here" || fail "inspect x.$format"
        for order in sequential shuffled; do
            "$stoker" feed "$work/x.$format" --print crc --order $order >"$work/here" 2>/dev/null
            "$stoker" feed "s3://data/x.$format" --print crc --order $order 2>"$work/log" | diff - "$work/here" >/dev/null || fail "feed x.$format: $(cat "$work/log")"
        done
        if [ "$("$stoker" cat "s3://data/x.$format" 7 | cksum)" = "$("$stoker" cat "$work/x.$format" 7 | cksum)" ]; then
            passed
        else
            fail "cat x.$format"
        fi
    done
    if "$stoker" pack "$work/files" -o "s3://data/z.stk" --compression zstd >/dev/null && "$stoker" verify s3://data/z.stk >/dev/null; then
        passed
    else
        fail "compressed"
    fi
    mkdir -m 700 "$work/cache"
    for _ in 1 2; do
        STOKER_CACHE="$work/cache:6M" "$stoker" feed s3://data/x.stk --print crc --order shuffled --epochs 2 2>"$work/log" >"$work/cached"
        if "$stoker" feed "$work/x.stk" --print crc --order shuffled --epochs 2 2>/dev/null | diff - "$work/cached" >/dev/null; then
            passed
        else
            fail "feed with a cache: $(cat "$work/log")"
        fi
    done
    kept=$(du -sk "$work/cache" | cut -f 1)
    { [ "$kept" -gt 1000 ] && [ "$kept" -lt 7500 ]; } || fail "the cache has $kept kB"
    refused "should belong to you and have mode 700" env STOKER_CACHE=/tmp:1G "$stoker" cat s3://data/x.stk 0
    refused "should be DIR:SIZE" env STOKER_CACHE=/tmp "$stoker" cat s3://data/x.stk 0
    refused "has no Index beside it .*stoker index s3://data/files.tar" "$stoker" cat s3://data/files.tar 0
    if "$stoker" index s3://data/files.tar >/dev/null && "$stoker" cat s3://data/files.tar 0 >/dev/null; then
        passed
    else
        fail "index"
    fi
    if [ -e /dev/fuse ]; then
        if "$stoker" run --data s3://data/x.stk --via mount -- sh -c "diff -r \"\$STOKER_DATA\" '$work/files'" 2>"$work/err"; then
            passed
        else
            fail "mount: $(cat "$work/err")"
        fi
    fi
    refused "already exists; use --force" "$stoker" pack "$work/files" -o s3://data/x.stk
    if "$stoker" pack "$work/files" -o s3://data/x.stk --force >/dev/null; then passed; else fail "pack --force"; fi
    # The Index files are no containers of the data set.
    if "$stoker" feed 's3://data/x.*' --batch 8 --no-limit --json 2>"$work/err" | grep -q '"samples": *1524'; then
        passed
    else
        fail "a pattern: $(cat "$work/err")"
    fi
    [ -z "$(ls "$work/tmp")" ] || fail "left behind: $(ls "$work/tmp")"
}

bad_input() {
    refused "no bucket 'nothing-here'" "$stoker" stage s3://nothing-here/x
    refused "no such file or folder" "$stoker" stage s3://data/nothing
    refused "no such file or folder" "$stoker" pack s3://data/nothing -o "$work/never.stk"
    refused "should name a bucket" "$stoker" inspect s3:///x
    refused "no credentials for S3; set AWS_ACCESS_KEY_ID" env -u AWS_ACCESS_KEY_ID "$stoker" inspect s3://data/x.stk
    refused "profile 'nobody'" env AWS_PROFILE=nobody "$stoker" inspect s3://data/x.stk
    refused "does not fit the access key\|access denied" env AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine "$stoker" stage s3://data/x.stk
    grep -q wrong-secret "$work/out" "$work/err" && fail "the wrong secret is shown"
    refused "access denied\|does not know" env AWS_ACCESS_KEY_ID=nobody "$stoker" pack s3://data/files -o "$work/never.stk"
    timeout 60 env AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine STOKER_DEBUG=1 "$stoker" inspect s3://data/x.stk --json >"$work/out" 2>&1
    grep -q -e wrong-secret -e "$secret" "$work/out" && fail "--debug shows the secret"
    refused "connection was refused; check the endpoint" env AWS_ENDPOINT_URL=http://127.0.0.1:9 "$stoker" inspect s3://data/x.stk
    [ -e "$work/never.stk" ] && fail "a container that cannot be"
    mkdir "$work/proof"
    aws s3api put-object --bucket data --key "evil/a//b" --body "$work/files/b/case"
    "$stoker" stage s3://data/evil --to "$work/local" >/dev/null 2>"$work/err"
    if [ -z "$(ls "$work/proof")" ]; then passed; else fail "a name leaves its folder"; fi
}

# A storage that fails all the time is still good enough.
faults() {
    start_proxy 0.15
    here=$AWS_ENDPOINT_URL
    AWS_ENDPOINT_URL=http://127.0.0.1:$(cat "$work/port")
    if data=$(timeout 300 "$stoker" stage s3://data/large.bin --to local 2>"$work/err") && cmp "$data" "$work/large.bin"; then
        passed
    else
        fail "stage with faults: $(cat "$work/err")"
    fi
    if data=$(timeout 300 "$stoker" stage s3://data/files --to local 2>"$work/err") && diff -r "$data" "$work/files"; then
        passed
    else
        fail "stage a prefix with faults: $(cat "$work/err")"
    fi
    if timeout 300 "$stoker" pack s3://data/files -o s3://data/faulty.arrow >/dev/null 2>"$work/err" && timeout 300 "$stoker" verify s3://data/faulty.arrow >/dev/null; then
        passed
    else
        fail "pack with faults: $(cat "$work/err")"
    fi
    if aws s3 cp --endpoint-url "$here" s3://data/faulty.arrow "$work/back" && cmp "$work/back" "$work/x.arrow"; then
        passed
    else
        fail "other bytes after faults"
    fi
    "$stoker" feed "$work/x.stk" --print crc >"$work/here" 2>/dev/null
    if timeout 300 "$stoker" feed s3://data/x.stk --print crc 2>/dev/null | diff - "$work/here" >/dev/null; then
        passed
    else
        fail "feed with faults"
    fi
    AWS_ENDPOINT_URL=$here
    stop_proxy
    "$stoker" stage --gc --all --to local >/dev/null
}

staged_some() {
    [ "$(du -sk "$work/local" | cut -f 1)" -gt 100000 ]
}

# Stopped: silence, then a sentence. Killed: a sentence. Back again: what was there is not fetched again.
stopped() {
    head -c 600000000 /dev/zero | openssl enc -aes-128-ctr -pass pass:1 -nosalt 2>/dev/null >"$work/huge.bin"
    aws s3 cp "$work/huge.bin" s3://data/huge.bin || { fail "huge.bin"; return; }
    for signal in STOP KILL; do
        "$stoker" stage --gc --all --to local >/dev/null
        STOKER_S3_PATIENCE=4 timeout 100 "$stoker" stage s3://data/huge.bin --to local >"$work/out" 2>"$work/err" &
        staging=$!
        await staged_some
        kill -$signal "$server"
        wait $staging && fail "$signal: staged all the same"
        if grep -q "^stoker: \[s3://data/huge.bin\] .* failed .* times in .* s, the last time: .*; retry once the endpoint recovers" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ]; then
            passed
        else
            fail "$signal: $(cat "$work/err")"
        fi
        if [ $signal = STOP ]; then kill -CONT "$server"; else wait "$server" 2>/dev/null; start_server; fi
    done
    if data=$(timeout 100 "$stoker" stage s3://data/huge.bin --to local 2>"$work/err") && cmp "$data" "$work/huge.bin"; then
        passed
    else
        fail "after the restart: $(cat "$work/err")"
    fi
    asked=$(grep -c 'GET | /data/huge.bin' "$work/server.log")
    [ "$asked" -lt 68 ] || fail "after the restart, $asked of 72 ranges were asked for again"
    # Killed and back within the time: nobody notices.
    "$stoker" stage --gc --all --to local >/dev/null
    timeout 100 "$stoker" stage s3://data/huge.bin --to local >"$work/out" 2>"$work/err" &
    staging=$!
    await staged_some
    kill -KILL "$server"
    wait "$server" 2>/dev/null
    sleep 2
    start_server
    if wait $staging && cmp "$(cat "$work/out")" "$work/huge.bin"; then
        passed
    else
        fail "a restart meanwhile: $(cat "$work/err")"
    fi
    # An object that changes while it is fetched.
    "$stoker" stage --gc --all --to local >/dev/null
    timeout 100 "$stoker" stage s3://data/huge.bin --to local >"$work/out" 2>"$work/err" &
    staging=$!
    await staged_some
    kill -STOP $staging $(pgrep -P $staging)
    aws s3 cp "$work/large.bin" s3://data/huge.bin
    kill -CONT $staging $(pgrep -P $staging)
    if wait $staging; then
        cmp -s "$(cat "$work/out")" "$work/huge.bin" || fail "a changed object: a copy that is neither"
        echo "the object was fetched before it changed"
    else
        if grep -q "\[s3://data/huge.bin\] changed while it was read" "$work/err"; then
            passed
        else
            fail "a changed object: $(cat "$work/err")"
        fi
    fi
}

# The examples of the page, as they stand there.
examples() {
    mkdir "$work/doc"
    cp -r "$work/files" "$work/doc/photos"
    echo 'import os; assert os.path.exists(os.environ["STOKER_DATA"])' >"$work/doc/train.py"
    aws s3 mb s3://bucket
    for mark in pack read cache index stage; do
        awk -v start="\`\`\`sh $mark" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' docs/how-to/s3.md >"$work/doc/example"
        if [ -s "$work/doc/example" ] && (cd "$work/doc" && PATH=${stoker%/*}:${python%/*}:$PATH timeout 200 sh -e example) >"$work/log" 2>&1; then
            passed
        else
            fail "example $mark: $(tail -n 3 "$work/log")"
        fi
    done
}

staging
containers
bad_input
faults
stopped
examples

echo "$done parts passed, $failures failed"
[ "$failures" = 0 ]
