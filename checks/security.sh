#!/bin/sh
# Two users on one node: what one puts into /tmp, connects to or looks at does the other no harm; longer stress tests
#
# Needs root, to be two other users, and a build that they can read. STOKER_ROUNDS says how many rounds the stress tests have (100; 1000 with --long, ten minutes).
# docs/security.md tells what each part stands for.
set -u

stoker=$PWD/build/dist/bin/stoker
victim=65534 attacker=65533
if [ "$(id -u)" != 0 ]; then
    echo "needs root, to be two other users"
    exit 77
fi
python=$(tools/python-env python/requirements.txt) || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-security.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

passed() {
    echo "passed: $1"
}

as() {
    user=$1
    shift
    HOME=$work/home-$user XDG_CACHE_HOME=$work/home-$user/.cache STOKER=$stoker STOKER_JOB=security-$$ PYTHONPATH=$PWD/python/src \
        PYTHONDONTWRITEBYTECODE=1 setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
}

for user in $victim $attacker; do
    mkdir -m 700 "$work/home-$user"
    chown "$user:$user" "$work/home-$user"
done
if ! as $victim test -x "$stoker" || ! as $victim "$python" -c 'import numpy, stoker' 2>/dev/null; then
    echo "needs a build and a Python that other users can read"
    exit 77
fi
mkdir -m 1777 "$work/tmp"
chmod 1777 "$work/tmp"
mkdir "$work/files" "$work/files/cat" "$work/files/dog"
for i in 1 2 3 4 5 6 7 8 9; do
    echo "cat $i" >"$work/files/cat/$i"
    echo "dog $i" >"$work/files/dog/$i"
done

# Refuses: $1 is what the sentence must say, the rest a command of the victim's.
refused() {
    expected=$1
    shift
    if as $victim "$@" >"$work/said" 2>&1; then
        fail "$* was not refused"
    elif ! grep -q "$expected" "$work/said"; then
        fail "$*: $(cat "$work/said")"
    else
        passed "$(tail -n 1 "$work/said")"
    fi
}

# Links, files and folders that wait where the victim is going to write.
planted() {
    # shellcheck disable=SC2016 # the victim's shell expands it
    as $victim sh -c 'echo precious >"$HOME/precious"'
    as $attacker ln -s "$work/home-$victim/precious" "$work/tmp/a.stk.partial"
    refused 'a.stk.partial] cannot be written' "$stoker" pack "$work/files" -o "$work/tmp/a.stk" --force
    as $attacker ln -s "$work/home-$victim/precious" "$work/tmp/b.stk.partial.journal"
    refused 'b.stk.partial.journal] refusing to write: it is a symbolic link' "$stoker" pack "$work/files" -o "$work/tmp/b.stk" --resume
    as $attacker sh -c "umask 0; echo theirs >'$work/tmp/c.stk.partial.journal'"
    refused "belongs to user $attacker" "$stoker" pack "$work/files" -o "$work/tmp/c.stk" --resume
    as $attacker sh -c "umask 0; mkdir '$work/tmp/d.partial' && ln -s '$work/home-$victim' '$work/tmp/d.partial/cat'"
    refused "belongs to user $attacker" "$stoker" pack "$work/files" -o "$work/tmp/d" --format folder
    as $attacker ln -s "$work/home-$victim/precious" "$work/tmp/s.safetensors.partial"
    refused 's.safetensors.partial] cannot be written' "$python" -c \
        "import numpy, stoker; stoker.save({'w': numpy.zeros(3)}, '$work/tmp/s.safetensors', rank=0, world=1)"
    [ "$(cat "$work/home-$victim/precious")" = precious ] || fail "the victim's file was written through a link"
    [ "$(ls "$work/home-$victim")" = precious ] || fail "files in the victim's home: $(ls "$work/home-$victim")"
}

# What a colleague made in a folder of the group cannot be deleted, so it is not overwritten.
colleagues() {
    mkdir "$work/group"
    chown $attacker:$victim "$work/group"
    chmod 2775 "$work/group"
    as $attacker "$stoker" pack "$work/files" -o "$work/group/loose" --format folder >/dev/null || fail "the colleague's pack"
    refused 'you have no permission to delete what is in' "$stoker" pack "$work/files" -o "$work/group/loose" --format folder --force
    [ "$(ls "$work/group")" = "loose
loose.stkx" ] || fail "left beside the colleague's container: $(ls "$work/group")"
}

# A server that gives all files one owner, whoever makes them, as NFS does with all_squash.
one_owner() {
    # shellcheck disable=SC2046 # the flags are words
    if ! gcc -O2 checks/cluster/faulty.c $(pkg-config --cflags --libs fuse3) -o "$work/faulty" 2>/dev/null; then
        echo "skipped: a server that gives all files one owner: there is no FUSE"
        return
    fi
    mkdir -m 777 "$work/below" "$work/at"
    chmod 777 "$work/below"
    "$work/faulty" "$work/below" "$work/at" - none 0 0 0 allow_other &
    server=$!
    for i in $(seq 50); do mountpoint -q "$work/at" || sleep 0.1; done
    as $victim "$stoker" pack "$work/files" -o "$work/at/x.tar" >/dev/null || fail "pack where all files have one owner"
    as $victim "$stoker" pack "$work/files" -o "$work/at/x.tar" --force >/dev/null || fail "pack --force where all files have one owner"
    as $victim "$python" -c "import numpy, stoker; stoker.save({'w': numpy.zeros(3)}, '$work/at/s.safetensors', rank=0, world=1)" ||
        fail "save where all files have one owner"
    [ "$(stat -c %u "$work/below/x.tar")" = 0 ] || fail "this check itself: x.tar belongs to $(stat -c %u "$work/below/x.tar")"
    fusermount3 -u "$work/at"
    wait $server
    passed "a server that gives all files one owner"
}

# An Index with other labels, beside the victim's container.
lying_index() {
    as $victim cp -r "$work/files" "$work/home-$victim/files"
    as $victim "$stoker" pack "$work/home-$victim/files" -o "$work/tmp/x.tar" >/dev/null || fail "pack"
    as $victim cp "$work/tmp/x.tar.stkx" "$work/home-$victim/true.stkx"
    as $victim rm "$work/tmp/x.tar.stkx"
    as $attacker "$stoker" index "$work/tmp/x.tar" >/dev/null || fail "the attacker's index"
    as $attacker sh -c "sed 's/cat/COW/g' '$work/tmp/x.tar.stkx' >'$work/tmp/lie' && mv '$work/tmp/lie' '$work/tmp/x.tar.stkx'"
    if as $victim "$stoker" feed "$work/tmp/x.tar" --order sequential --print key | grep -q '^cat/1$'; then
        passed "an Index by another user is not believed"
    else
        fail "an Index by another user is believed"
    fi
    if as $victim "$python" -c "import stoker; assert stoker.open('$work/tmp/x.tar')[0]['key'] == 'cat/1'"; then
        passed "nor by the Python package"
    else
        fail "the Python package believes an Index by another user"
    fi
    [ "$(stat -c %a "$work/home-$victim/.cache/stoker")" = 700 ] || fail "the cache has the mode $(stat -c %a "$work/home-$victim/.cache/stoker")"
}

# The start-up cache, in folders that the attacker made or could move away. There is none beside the jars, nor can the victim make one.
startup_cache() {
    cp -r "${stoker%/bin/stoker}" "$work/dist"
    rm -f "$work"/dist/lib/*.aot
    as $attacker sh -c "umask 0; mkdir -p '$work/tmp/theirs/stoker' '$work/tmp/bait'"
    mkdir "$work/loose"
    chmod 777 "$work/loose"
    for folder in "$work/tmp/theirs" "$work/tmp/bait" "$work/loose"; do
        as $victim env XDG_CACHE_HOME="$folder" "$work/dist/bin/stoker" --version >/dev/null || fail "a start with the cache in $folder"
        [ -z "$(ls "$folder/stoker")" ] || fail "a start-up cache in $folder: $(ls "$folder/stoker")"
    done
    as $victim "$work/dist/bin/stoker" --version >/dev/null
    [ -n "$(find "$work/home-$victim/.cache/stoker/" -maxdepth 1 -name '*aot')" ] || fail "no start-up cache in the victim's own folder"
    passed "no start-up cache where others could put one"
}

# What is derived of a private file is private.
private_index() {
    as $victim mkdir -m 755 "$work/tmp/open"
    as $victim cp "$work/tmp/x.tar" "$work/tmp/open/y.tar"
    as $victim chmod 600 "$work/tmp/open/y.tar"
    as $victim "$stoker" index "$work/tmp/open/y.tar" >/dev/null || fail "index"
    as $attacker cat "$work/tmp/open/y.tar.stkx" >/dev/null 2>&1 && fail "the Index of a private file can be read by others"
    passed "the Index of a private file has the mode $(stat -c %a "$work/tmp/open/y.tar.stkx")"
}

# The reader process, its socket and its memory.
sockets() {
    as $victim "$stoker" pack "$work/files" -o "$work/home-$victim/z.stk" >/dev/null || fail "pack"
    as $attacker "$python" checks/security_attacks.py squat $victim "$work/home-$attacker/ready" &
    squatter=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do [ -e "$work/home-$attacker/ready" ] || sleep 0.5; done
    as $victim "$python" checks/security_attacks.py squatted "$work/home-$victim/z.stk" >"$work/said" 2>&1
    if grep -q "belongs to user $attacker" "$work/said"; then
        passed "$(cat "$work/said")"
    else
        fail "squatting: $(cat "$work/said")"
    fi
    rm "$work/home-$attacker/ready"
    wait $squatter

    as $victim "$python" checks/security_attacks.py victim "$work/home-$victim/z.stk" "$work/home-$victim/ready" >"$work/batches" 2>&1 &
    holder=$!
    for i in $(seq 60); do [ -e "$work/home-$victim/ready" ] || sleep 0.5; done
    reader=$(cat "$work/home-$victim/ready") || { fail "the victim has no loader: $(cat "$work/batches")"; return; }
    as $attacker "$python" checks/security_attacks.py visit $victim >"$work/said" 2>&1
    if grep -q "belongs to user $victim and serves no other" "$work/said"; then
        passed "$(cat "$work/said")"
    else
        fail "visit: $(cat "$work/said")"
    fi
    as $attacker ls "/proc/$reader/fd" >/dev/null 2>&1 && fail "the files of the reader process can be looked at"
    as $attacker "$stoker" top --once --json | grep -q "\"pid\": *$reader" && fail "stoker top shows another user's process"
    as $victim "$stoker" top --once --json | grep -q "\"pid\": *$reader" || fail "stoker top does not show the user's own process"
    as $attacker "$python" checks/security_attacks.py flood $victim "$reader" 60 "$work/home-$attacker/ready" >"$work/said" 2>&1 &
    flooder=$!
    for i in $(seq 60); do [ -e "$work/home-$attacker/ready" ] || sleep 0.5; done
    rm "$work/home-$victim/ready"
    wait $holder || fail "the victim's loader: $(cat "$work/batches")"
    [ "$(cat "$work/batches")" = 4 ] || fail "the victim got other batches: $(cat "$work/batches")"
    wait $flooder
    if grep -q '[0-9][0-9][0-9] connections; the reader process ended' "$work/said"; then
        passed "$(cat "$work/said")"
    else
        fail "flood: $(cat "$work/said")"
    fi
}

# The page of metrics can be reached from this node alone.
metrics() {
    as $victim "$stoker" feed "$work/home-$victim/z.stk" --epochs 400000 --metrics prometheus://:19464 >/dev/null 2>&1 &
    feed=$!
    for i in $(seq 40); do
        listening=$(ss -Hltn 'sport = :19464')
        [ -z "$listening" ] || break
        sleep 0.25
    done
    kill $feed
    wait $feed 2>/dev/null
    case $listening in
        *'127.0.0.1:19464'* | *'[::ffff:127.0.0.1]:19464'*) passed "metrics: $listening" ;;
        *) fail "metrics listen on: $listening" ;;
    esac
}

stress() {
    rounds=${STOKER_ROUNDS:-$(tools/check-size 10 100 1000)}
    if mvn -q -B -ntp -pl core,testkit,image,serve test -Dspotless.check.skip -Dsurefire.failIfNoSpecifiedTests=false \
        -Dtest='BlockCacheStressTest,DiskCacheStressTest,ExchangeStressTest' -Dstoker.stress.rounds="$rounds" >"$work/log" 2>&1; then
        passed "stress tests, $rounds rounds each"
    else
        fail "stress tests: $(grep -m 5 'seed\|ERROR' "$work/log")"
    fi
}

planted
colleagues
one_owner
startup_cache
lying_index
private_index
sockets
metrics
[ "${STOKER_ROUNDS:-}" = 0 ] || stress
[ $failures -eq 0 ]
