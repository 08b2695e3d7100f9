#!/bin/sh
# Data on the node: 3 Slurm nodes, every way in which a job can end, and nothing is left; two users; the files of the how-tos
#
# Needs root (Slurm's daemons, users), and the packages slurm-wlm munge fuse3 rsync charliecloud debootstrap. STOKER_ENDINGS says how many jobs for each way of
# tracking processes (default 9; 100 with --long, a quarter of an hour), STOKER_SEED which. If STOKER_SHORT is set, there is no Slurm and no second user.
set -u

root=$(pwd)
stoker=$root/build/dist/bin/stoker
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-stage.XXXXXX")
chmod 755 "$work"
nodes=3 files=300
random=${STOKER_SEED:-20261115}
failures=0 done=0

stop() {
    [ -e "$work/slurm/slurm.conf" ] && checks/cluster/slurm-up --down "$work/slurm"
    # shellcheck disable=SC2013 # a blank in a mount point is \040 there, so these are words
    for point in $(awk -v work="$work" 'index($2, work) == 1 { print $2 }' /proc/mounts); do umount -l "$point"; done
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# A part that cannot run here, and why: ./check counts these lines.
skip() {
    printf 'skipped: %s: %s\n' "$1" "$(printf %s "$2" | tr '\n' ' ')"
}

passed() {
    done=$((done + 1))
}

# A number from 0 to $1 - 1 in $pick.
pick() {
    random=$(((random * 1103515245 + 12345) % 2147483648))
    pick=$((random / 65536 % $1))
}

# Waits until the command $2… is true, but not longer than $1 tenths of a second.
await() {
    tenths=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        tenths=$((tenths - 1))
        [ $tenths -gt 0 ] || return 1
        sleep 0.1
    done
}

mkdir -p "$work/files/a" "$work/files/b"
head -c 6000000 /dev/urandom | split -b 40000 -a 4 - "$work/files/a/x"
head -c 150000 /dev/urandom | split -b 1000 -a 4 - "$work/files/b/x"
tar cf "$work/files.tar" -C "$work/files" .
"$stoker" pack "$work/files" -o "$work/files.arrow" >/dev/null || exit 1

# What a job runs: looks whether all files are there, says who it is, and waits until it may end, with the code $1.
cat >"$work/train" <<END
#!/bin/sh
[ "\$(find "\$STOKER_DATA" -type f | wc -l)" = $files ] || exit 99
echo \$\$ \$PPID >"$work/at.\$SLURM_PROCID.new"
mv "$work/at.\$SLURM_PROCID.new" "$work/at.\$SLURM_PROCID"
for i in \$(seq 900); do
    [ -e "$work/go" ] && break
    sleep 0.1
done
cat "\$STOKER_DATA"/b/* >/dev/null || exit 97
exit \$1
END
chmod +x "$work/train"

# What is left on the nodes; nothing if all is clean.
left() {
    for i in $(seq $nodes); do
        daemon=$(cat "$work/slurm/run/n$i.pid")
        nsenter -t "$daemon" -m sh -c 'ls -d /dev/shm/stoker-* 2>/dev/null'
        grep fuse.stoker "/proc/$daemon/mounts"
    done
    pgrep -f "$work/train|[s]toker-watcher|[m]ount --foreground --until-unmounted"
}

is_clean() {
    [ -z "$(left)" ]
}

nodes_are_idle() {
    [ "$(sinfo -hN -t idle -o %N | wc -l)" = $nodes ]
}

# The first node dies with all that runs on it, and comes back with the memory and the mounts that it had.
lose_node() {
    daemon=$(cat "$work/slurm/run/n1.pid")
    nsenter -t "$daemon" -m sleep 60 & # keeps the node's files
    keeper=$!
    await 50 same_place "$daemon" $keeper
    for process in $(pgrep .); do
        [ "$process" = $keeper ] || ! same_place "$daemon" "$process" || victims="${victims:-} $process"
    done
    # shellcheck disable=SC2086 # the numbers are words
    kill -9 $victims
    nsenter -t $keeper -m slurmd -N n1
    kill $keeper
    victims=''
}

same_place() {
    [ "$(readlink "/proc/$1/ns/mnt")" = "$(readlink "/proc/$2/ns/mnt")" ]
}

all_at() {
    [ "$(find "$work" -maxdepth 1 -name 'at.*' ! -name 'at.*[!0-9]*' | wc -l)" = "$1" ]
}

# After a job: clean within 4 seconds, or at the next start.
require_clean() {
    if await 40 is_clean; then
        at_once=$((at_once + 1))
        passed
        return
    fi
    before=$(left)
    srun -N$nodes -n$nodes --ntasks-per-node=1 "$stoker" run --data "$work/files.arrow" --via direct -- true >"$work/log" 2>&1 ||
        fail "$1: the next start: $(tail -n 3 "$work/log")"
    if await 40 is_clean; then
        later=$((later + 1))
        passed
    else
        fail "$1: left behind: $before; after the next start: $(left)"
    fi
}

# One job on $1 nodes with $2 tasks, data $3 by way of $4, that ends in the way $5.
ending() {
    what="$5 ($4 of ${3##*/}, $2 tasks on $1 nodes)"
    rm -f "$work"/at.* "$work/go"
    pick 100
    code=$pick limit=5
    [ "$5" = timeout ] && limit=1
    srun -N"$1" -n"$2" -t $limit -J stoker-check "$stoker" run --data "$3" --via "$4" -- "$work/train" $code >"$work/log" 2>&1 &
    job=$!
    if [ "$5" = copying ]; then
        pick 20
        sleep "0.$((pick + 10))"
        scancel -n stoker-check
    elif ! await 600 all_at "$2"; then
        fail "$what: the tasks did not start: $(tail -n 3 "$work/log")"
        scancel -n stoker-check
    fi
    child='' parent=''
    [ -e "$work/at.0" ] && read -r child parent <"$work/at.0"
    expected=$code
    case $5 in
        scancel) scancel -n stoker-check ;;
        child) kill -9 "$child"; expected=137 ;;
        stoker) kill -9 "$parent"; expected=137 ;;
        all) kill -9 $(pgrep -f '[s]toker-watcher') "$parent"; expected=137 ;;
        node) lose_node ;;
        fuse) kill -9 $(pgrep -f '[m]ount --foreground --until-unmounted'); expected=97 ;;
    esac
    [ "$5" = timeout ] || touch "$work/go"
    # Slurm itself may take minutes to notice that a node was lost; whoever waits for the job would cancel it.
    [ "$5" = node ] && { await 100 is_gone $job || scancel -n stoker-check; }
    wait $job
    found=$?
    case $5 in
        node) ;; # srun itself may say 0 then
        scancel | copying | timeout) [ $found != 0 ] || fail "$what: ended with 0" ;;
        *) [ $found = $expected ] || fail "$what: exit code $found instead of $expected: $(tail -n 3 "$work/log")" ;;
    esac
    [ "$5" = node ] && { await 600 nodes_are_idle || fail "$what: the node did not come back: $(sinfo -N)"; }
    require_clean "$what"
}

is_gone() {
    ! kill -0 "$1"
}

endings() {
    for number in $(seq "${STOKER_ENDINGS:-$(tools/check-size 0 9 100)}"); do
        pick 3
        used=$((pick + 1))
        pick 2
        tasks=$((used + pick))
        pick 2
        if [ $pick = 0 ]; then data=$work/files.tar via=shm; else data=$work/files.arrow via=mount; fi
        case $((number % 9)) in
            0) way=scancel ;;
            1) way=normal ;;
            2) way=child ;;
            3) way=stoker ;;
            4) way=all ;;
            5) way=copying ;;
            6) way=fuse data=$work/files.arrow via=mount used=1 tasks=2 ;;
            7) way=normal ;;
            8) way=node ;;
        esac
        [ $((number % 40)) = 20 ] && way=timeout # Slurm's shortest limit is a minute
        ending "$used" "$tasks" "$data" "$via" "$way"
    done
}

# The examples of $1, as they stand there: $2 is the mark of the block, the rest runs it.
example() {
    page=$1 mark=$2
    shift 2
    rm -rf "$work/doc"
    mkdir "$work/doc"
    ln -s "$work/files.tar" "$work/doc/photos.tar"
    ln -s "$work/files.arrow" "$work/doc/train.arrow"
    ln -s "$work/files.arrow.stkx" "$work/doc/train.arrow.stkx"
    ln -s "$work/image" "$work/doc/image"
    echo 'import os; assert os.path.exists(os.environ["STOKER_DATA"]); print("trained")' >"$work/doc/train.py"
    awk -v start="\`\`\`sh $mark" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' "docs/how-to/$page.md" >"$work/doc/example"
    if (cd "$work/doc" && PATH=${stoker%/*}:$PATH timeout 200 "$@" example) >"$work/log" 2>&1 && [ -s "$work/doc/example" ]; then
        passed
    else
        fail "example $mark of $page.md: $(tail -n 3 "$work/log" "$work/doc"/slurm-*.out 2>/dev/null)"
    fi
}

# An image for Charliecloud, which Debian's own installer makes. Apptainer is not among its packages, so that example is not run.
make_image() {
    [ -d "$work/image" ] && return
    if ! command -v ch-run >/dev/null || ! command -v debootstrap >/dev/null; then
        skip "example charliecloud of slurm.md" "charliecloud or debootstrap is not installed"
        return 1
    fi
    timeout 600 debootstrap --variant=minbase --include=python3-minimal bookworm "$work/image" >"$work/log" 2>&1 && return
    skip "example charliecloud of slurm.md" "no image could be made: $(tail -n 1 "$work/log")"
    rm -rf "$work/image"
    return 1
}

slurm_examples() {
    export USER=root # of which Charliecloud asks
    for mark in single nodes mounted; do
        example slurm $mark sbatch --wait
        grep -q trained "$work/doc"/slurm-*.out || fail "example $mark: $(cat "$work/doc"/slurm-*.out)"
        require_clean "example $mark"
    done
    example slurm array sbatch --wait
    is_clean && fail "example array: nothing was kept"
    example slurm cleanup sbatch --wait
    require_clean "example cleanup"
    if make_image; then
        example slurm charliecloud sbatch --wait
        grep -q trained "$work/doc"/slurm-*.out || fail "example charliecloud: $(cat "$work/doc"/slurm-*.out)"
        require_clean "example charliecloud"
    fi
}

# Two users cannot see or disturb what the other has staged, and can mount although neither is root.
users() {
    HOME=$work/home
    export HOME
    mkdir "$work/home"
    chmod 777 "$work/home"
    as() {
        user=$1
        shift
        setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
    }
    if ! as 65534 test -x "$stoker"; then
        skip users "the build is in a folder that other users cannot read"
        return
    fi
    first=$(as 65534 "$stoker" stage "$work/files.tar" --extract --keep) || fail "users: staging as the first"
    second=$(as 65533 "$stoker" stage "$work/files.tar" --extract --keep) || fail "users: staging as the second"
    [ "$first" != "$second" ] || fail "users: both have $first"
    as 65533 ls "$first" >/dev/null 2>&1 && fail "users: the second sees the first one's files"
    as 65533 "$stoker" stage --list | grep -q "$first" && fail "users: the second lists the first one's files"
    as 65533 "$stoker" stage --gc --all >/dev/null || fail "users: --gc"
    diff -r "$work/files" "$first" || fail "users: the second disturbed the first"
    [ -e "$second" ] && fail "users: $second is still there"
    as 65534 "$stoker" stage --gc --all >/dev/null
    [ -e "$first" ] && fail "users: $first is still there"
    passed
    if ! mknod "$work/fuse" c 10 229 || ! chmod 666 "$work/fuse"; then
        skip "mount as a user" "the device /dev/fuse cannot be made"
        return
    fi
    # Where users may not open the device, they get one of their own.
    if unshare -m sh -c "
        mount --bind '$work/fuse' /dev/fuse || exit 1
        set -e
        as='setpriv --reuid=65534 --regid=65534 --clear-groups'
        dir=\$(\$as '$stoker' mount '$work/files.arrow')
        \$as diff -r '$work/files' \"\$dir\"
        if ls \"\$dir\" 2>/dev/null; then echo 'root sees it'; exit 1; fi
        \$as '$stoker' unmount \"\$dir\"
        [ ! -e \"\$dir\" ]" >"$work/log" 2>&1; then
        passed
    else
        fail "mount as a user: $(tail -n 5 "$work/log")"
    fi
}

is_dead() {
    ! stat -f "$work/mount" # the kernel may remember all else
}

# Programs that walk trees, on a mount.
programs() {
    mkdir "$work/mount" "$work/copy"
    "$stoker" mount "$work/files.arrow" "$work/mount" >/dev/null || { fail "mount"; return; }
    [ "$(find "$work/mount" -type f | wc -l)" = $files ] || fail "find"
    { tar cf - -C "$work/mount" . | tar xf - -C "$work/copy" && diff -r "$work/files" "$work/copy"; } || fail "tar"
    rm -rf "$work/copy"
    { cp -r "$work/mount" "$work/copy" && diff -r "$work/files" "$work/copy"; } || fail "cp -r"
    if command -v rsync >/dev/null; then
        { rsync -a "$work/mount/" "$work/rsync/" && diff -r "$work/files" "$work/rsync"; } || fail "rsync"
    else
        skip "rsync on a mount" "rsync is not installed"
    fi
    kill -9 $(pgrep -f "[m]ount --foreground.*$work/mount") # dead, and healed
    await 20 is_dead || fail "a dead mount answers"
    { "$stoker" mount "$work/files.arrow" "$work/mount" >/dev/null && diff -r "$work/files" "$work/mount"; } || fail "a dead mount is not healed"
    "$stoker" unmount "$work/mount" || fail "unmount"
    passed
}

# Not enough room: refused before a byte is copied, with the numbers.
full() {
    mkdir "$work/small"
    mount -t tmpfs -o size=4m,nr_inodes=100,mode=700 small "$work/small" || { skip full "a tmpfs cannot be mounted"; return; }
    "$stoker" stage "$work/files.tar" --to "$work/small" 2>&1 | grep -q 'needs 6.* MB .*but only 4.2 MB (space on .*) is free' || fail "bytes that do not fit"
    mount -o remount,size=40m "$work/small"
    "$stoker" stage "$work/files.tar" --extract --to "$work/small" 2>&1 | grep -q 'needs 30[0-9] inodes, but only 9[0-9] are free' || fail "inodes that do not fit"
    [ -z "$(ls "$work/small")" ] || fail "left behind: $(ls "$work/small")"
    # Another process is deleting what takes the room: that is waited for.
    mount -o remount,size=10m "$work/small"
    old=$work/small/stoker-$(printf %032d 0)
    mkdir -m 700 "$old"
    cp "$work/files.tar" "$old/data"
    flock "$old/lock" sh -c "sleep 4; rm -rf '$old'" &
    await 20 test -e "$old/lock"
    "$stoker" stage "$work/files.tar" --to "$work/small" >"$work/log" 2>&1 || fail "room that is being freed: $(cat "$work/log")"
    wait $!
    passed
}

# What a living session has staged stays, although a container has process numbers of its own, and goes with the session.
containers() {
    mkdir -m 700 "$work/node"
    (
        export STOKER_LOCAL="$work/node"
        # shellcheck disable=SC2016 # the inner shell expands it
        setsid sh -c '"$1" stage "$2/files.tar" --to local >"$2/staged"; mv "$2/staged" "$2/session"; exec sleep 600' sh "$stoker" "$work" &
        session=$!
        await 300 test -s "$work/session" || echo "nothing was staged"
        data=$(cat "$work/session")
        contained="unshare --fork --pid --mount-proc $stoker"
        $contained run --data "$work/files.tar" --via local -- true || echo "the run in a container failed"
        cmp "$work/files.tar" "$data" || echo "a run in a container deleted it"
        $contained stage --gc --all | grep -q "^kept ${data%/data/*}: it belongs to another container" || echo "--gc does not say that it was kept"
        kill $session
        wait $session 2>/dev/null # the shell says that it was terminated
        "$stoker" stage --gc >/dev/null
        [ -z "$(ls -A "$work/node")" ] || echo "left: $(ls -A "$work/node")"
    ) >"$work/log" 2>&1
    if [ -s "$work/log" ]; then fail "containers: $(cat "$work/log")"; else passed; fi
}

with_slurm() {
    if reason=$(checks/cluster/slurm-up "$work/slurm" $nodes "$1" shm); then
        export SLURM_CONF="$work/slurm/slurm.conf"
        at_once=0 later=0
        slurm_examples
        endings
        echo "$1: $at_once times clean at once, $later times at the next start"
        checks/cluster/slurm-up --down "$work/slurm"
    else
        skip "Slurm with $1" "$reason"
    fi
    rm -rf "$work/slurm"
    unset SLURM_CONF
}

full
if unshare --fork --pid --mount-proc true 2>/dev/null; then containers; else skip containers "there are no namespaces of processes"; fi
if [ -e /dev/fuse ]; then programs; else skip programs "there is no /dev/fuse"; fi
if [ -z "${STOKER_SHORT:-}" ]; then
    users
    with_slurm linuxproc
    with_slurm cgroup
fi

echo "$done parts passed, $failures failed"
[ "$failures" -gt 0 ] && exit 1
[ "$done" -gt 0 ] || { echo "none of it can run here"; exit 77; }
