#!/bin/sh
# Many processes write one file: Slurm of 3 nodes (both ways of tracking processes), Open MPI and torchrun, 1 to 8 ranks
#
# Needs root (Slurm's daemons), and the packages slurm-wlm munge openmpi-bin fuse3 libfuse3-dev pkg-config gcc; torchrun comes
# from pip (large). What cannot run is named, and the group is skipped only if nothing can.
#
# usage: checks/ranks.sh [PART ...]     some of: slurm mpi torchrun requeue plain stripes plan kill scaling. To measure alone how packing
#                                       scales from 1 to 4 ranks, or what a plan takes: checks/ranks.sh scaling plan. If STOKER_SHORT is set: plain stripes kill
set -u

parts=${*:-${STOKER_SHORT:+plain stripes kill}}
parts=${parts:-slurm mpi torchrun requeue plain stripes plan kill scaling}
wants() {
    case " $parts " in *" $1 "*) return 0 ;; esac
    return 1
}

root=$(pwd)
stoker=$root/build/dist/bin/stoker
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-ranks.XXXXXX")
mount=$work/slow
failures=0 done=0

stop() {
    mountpoint -q "$mount" && fusermount3 -u -z "$mount"
    [ -e "$work/slurm/slurm.conf" ] && checks/cluster/slurm-up --down "$work/slurm"
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

# The containers of both folders hold the same bytes, sidecars too.
compare() {
    if diff -r "$work/expected" "$1" >"$work/diff" 2>&1 && [ -z "$(find "$1" -mindepth 1 -maxdepth 1 -name '*stoker-job*')" ]; then
        done=$((done + 1))
    else
        fail "$2: $(head -n 3 "$work/diff"; ls -A "$1")"
    fi
    rm -rf "$1"
}

# All formats that many can write at once. npy holds samples of one shape, which these are not.
formats=$("$stoker" formats --json | awk -F'"' '
    $2 == "name" { name = $4 }
    $2 == "write" { write = /true/ }
    $2 == "parallel_fill" && write && /true/ && name != "npy" { printf "%s ", name }')
[ -n "$formats" ] || exit 1
echo "formats: $formats"

# Packs every format, as one rank of whatever started it.
cat >"$work/all" <<END
#!/bin/sh
for format in $formats; do
    "$stoker" pack "$work/files" -o "\$1/out.\$format" --format \$format --no-sync --rank-timeout 60 || exit 1
done
END
chmod +x "$work/all"

# A thousand files from a few bytes to a megabyte.
mkdir -p "$work/files/a" "$work/files/b/c" "$mount" "$work/expected"
head -c 16000000 /dev/urandom | split -b 20000 -a 4 - "$work/files/a/x"
head -c 12000000 /dev/urandom | split -b 1000000 -a 4 - "$work/files/b/x"
head -c 40000 /dev/urandom | split -b 131 -a 4 - "$work/files/b/c/x"
: >"$work/files/b/empty"
"$work/all" "$work/expected" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# Packs everything with 1, 2, 4 and 8 ranks: $1 names the launcher, the rest is its command; %N becomes the number of ranks.
with_ranks() {
    launcher=$1
    shift
    for ranks in 1 2 4 8; do
        mkdir "$work/got"
        command=$(echo "$*" | sed "s/%N/$ranks/g")
        # shellcheck disable=SC2086 # the command is words
        if ! timeout 300 $command "$work/all" "$work/got" >"$work/log" 2>&1; then
            fail "$launcher, $ranks ranks: $(tail -n 3 "$work/log")"
        fi
        compare "$work/got" "$launcher, $ranks ranks"
        echo "$launcher, $ranks ranks: compared"
    done
}

slow_source() {
    command -v gcc >/dev/null && pkg-config --exists fuse3 2>/dev/null && [ -e /dev/fuse ] || return 1
    # shellcheck disable=SC2046 # the flags are words
    [ -x "$work/latency" ] || gcc -O2 checks/cluster/latency.c $(pkg-config --cflags --libs fuse3) -o "$work/latency" || return 1
    mountpoint -q "$mount" && return 0
    "$work/latency" "$work/files" 2000 2000 2000 "$mount" &
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        mountpoint -q "$mount" && return 0
        sleep 0.2
    done
    return 1
}

# A job that is cancelled in the middle is gone on with by another number of ranks, to the same bytes.
cancelled() {
    mkdir -p "$work/cut"
    srun -N3 -n4 "$stoker" pack "$mount" -o "$work/cut/out.arrow" --workers 1 >"$work/log" 2>&1 &
    job=$!
    for _ in $(seq 100); do
        [ -s "$work/cut/out.arrow.partial.journal" ] && break
        sleep 0.1
    done
    sleep 0.5
    scancel -p all
    wait $job && fail "$1: a cancelled job ended well"
    [ -e "$work/cut/out.arrow" ] && fail "$1: a cancelled job left a file with its final name"
    srun -N2 -n3 "$stoker" pack "$mount" -o "$work/cut/out.arrow" >"$work/log" 2>&1 &&
        fail "$1: what a cancelled job left was taken unasked"
    # The work is told from that of another source by its words, so the same files under their own name are no resume.
    if ! timeout 120 srun -N2 -n3 "$stoker" pack "$mount" -o "$work/cut/out.arrow" --resume >"$work/log" 2>&1; then
        fail "$1: resume: $(tail -n 3 "$work/log")"
    fi
    tail -n 1 "$work/log"
    if cmp "$work/expected/out.arrow" "$work/cut/out.arrow" && cmp "$work/expected/out.arrow.stkx" "$work/cut/out.arrow.stkx"; then
        done=$((done + 1))
    else
        fail "$1: resumed bytes differ"
    fi
    [ -n "$(find "$work/cut" -mindepth 1 -maxdepth 1 ! -name 'out.arrow*')" ] && fail "$1: left behind: $(ls -A "$work/cut")"
    rm -rf "$work/cut"
}

# A rank that is killed is named in time; the others leave with 1, and nothing has the final name.
killed() {
    pid0='' pid1='' pid2=''
    mkdir -p "$work/dead"
    for rank in 0 1 2; do
        "$stoker" pack "$mount" -o "$work/dead/out.stk" --workers 1 --rank $rank --world 3 --rank-timeout 5 >"$work/log.$rank" 2>&1 &
        eval "pid$rank=$!"
    done
    for _ in $(seq 100); do
        [ -e "$work/dead/out.stk.partial.journals/2" ] && break
        sleep 0.1
    done
    kill -9 "$pid2"
    wait "$pid0" && fail "rank 0 ended well without rank 2"
    wait "$pid1" && fail "rank 1 ended well without rank 2"
    grep -q "rank 2 (process $pid2 on .*) has not responded for 5 s" "$work/log.0" || fail "rank 0: $(cat "$work/log.0")"
    grep -q "rank 2 (process $pid2" "$work/log.1" || fail "rank 1: $(cat "$work/log.1")"
    [ -e "$work/dead/out.stk" ] && fail "a dead job left a file with its final name"
    cat "$work/log.1"
    "$stoker" pack "$mount" -o "$work/dead/out.stk" --resume >"$work/log" 2>&1 || fail "resume alone: $(cat "$work/log")"
    if cmp "$work/expected/out.stk" "$work/dead/out.stk"; then done=$((done + 1)); else fail "resumed bytes differ"; fi
    rm -rf "$work/dead"
}

# Four ranks pack at least three times as fast as one from a filesystem that answers late (emulated latency).
scaling() {
    took1=0 took4=0
    fusermount3 -u "$mount"
    rm -rf "$work/files"
    mkdir "$work/files"
    head -c 32768000 /dev/urandom | split -b 2000 -a 4 - "$work/files/x" # 32 runs
    slow_source || return
    for ranks in 1 4; do
        rm -f "$work"/fast.*
        begin=$(date +%s%N)
        for rank in $(seq 0 $((ranks - 1))); do
            "$stoker" pack "$mount" -o "$work/fast.stk" --workers 4 --no-sync --rank "$rank" --world "$ranks" >/dev/null 2>&1 &
            eval "pid$rank=$!"
        done
        for rank in $(seq 0 $((ranks - 1))); do
            eval "wait \$pid$rank" || fail "scaling: rank $rank of $ranks"
        done
        eval "took$ranks=$((($(date +%s%N) - begin) / 1000000))"
        sleep 1.1 # what the kernel keeps of the mount lasts a second
    done
    echo "1 rank $took1 ms, 4 ranks $took4 ms, four threads each, 2 ms of emulated latency for each lookup, open and read"
    if [ $((took1)) -ge $((3 * took4)) ]; then done=$((done + 1)); else fail "4 ranks are less than 3 times as fast as one"; fi
}

# The command that stripes the file on Lustre, seen by a stand-in for lfs: there is no Lustre here, so only its words are tried.
striped() {
    mkdir -p "$work/bin" "$work/striped"
    cat >"$work/bin/lfs" <<END
#!/bin/sh
echo "\$*" >>"$work/lfs.log"
case \$1 in setstripe) for last; do :; done; : >"\$last" ;; esac
END
    chmod +x "$work/bin/lfs"
    for rank in 1 0; do
        PATH=$work/bin:$PATH "$stoker" pack "$work/files" -o "$work/striped/out.stk" --stripe 8:4m --no-sync --rank $rank --world 2 >"$work/log" 2>&1 &
        eval "pid$rank=$!"
    done
    { wait "$pid0" && wait "$pid1"; } || fail "stripes: $(cat "$work/log")"
    printf 'getstripe -d %s\nsetstripe -c 8 -S 4194304 %s\n' "$work/striped" "$work/striped/out.stk.partial" >"$work/lfs.expected"
    if diff "$work/lfs.expected" "$work/lfs.log" && cmp "$work/expected/out.stk" "$work/striped/out.stk"; then
        done=$((done + 1))
    else
        fail "stripes: $(cat "$work/lfs.log" "$work/log")"
    fi
    "$stoker" pack "$work/files" -o "$work/striped/plain.stk" --stripe auto --no-sync | grep "does not apply" || fail "no word on stripes"
}

# Planning is what every rank does for all samples.
planned() {
    for format in $formats; do
        STOKER_JAVA_OPTS=-Xmx512m "$stoker" bench plan --samples 10000000 --ranks 64 --format "$format" --json >"$work/plan.json" 2>"$work/log"
        code=$?
        line=$(sed -n 's/.*"\(seconds\|megabytes\)": *\([0-9.]*\).*/\2/p' "$work/plan.json" | tr '\n' ' ')
        echo "plan of 10,000,000 samples for 64 ranks, $format: seconds, megabytes: $line $(tail -n 1 "$work/log")"
        if [ $code = 0 ] && echo "$line" | awk '{ exit !($1 < 20 && $2 < 1000) }'; then
            done=$((done + 1))
        else
            fail "plan of $format"
        fi
    done
}

# The examples of docs/how-to/many-writers.md, as they stand there: $1 is the mark of the block, the rest runs it.
example() {
    mark=$1
    shift
    rm -rf "$work/doc"
    mkdir "$work/doc"
    ln -s "$work/files" "$work/doc/photos"
    awk -v start="\`\`\`sh $mark" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' docs/how-to/many-writers.md >"$work/doc/example"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    (cd "$work/doc" && PATH=${stoker%/*}:$PATH timeout 200 "$@" example) >"$work/log" 2>&1 || fail "example $mark: $(tail -n 3 "$work/log")"
    for file in "$work/doc"/photos.*[a-z0-9]; do
        case $file in *.stkx) continue ;; esac
        format=$("$stoker" inspect "$file" --json | sed -n 's/.*"format": *"\([a-z0-9]*\)".*/\1/p' | head -n 1)
        if cmp "$work/expected/out.$format" "$file"; then done=$((done + 1)); else fail "example $mark: $file"; fi
    done
}

no_slow_source="a slow source needs FUSE (fuse3 libfuse3-dev pkg-config gcc)"

with_slurm() {
    if reason=$(checks/cluster/slurm-up "$work/slurm" 3 "$1"); then
        export SLURM_CONF="$work/slurm/slurm.conf"
        with_ranks "Slurm $1" srun -N1-3 -n%N
        example slurm sbatch --wait --output=log
        if slow_source; then
            cancelled "Slurm $1"
        else
            skip "a cancelled job of Slurm with $1" "$no_slow_source"
        fi
        checks/cluster/slurm-up --down "$work/slurm"
    else
        skip "Slurm with $1" "$reason"
    fi
    rm -rf "$work/slurm"
    unset SLURM_CONF
}

with_mpi() {
    if command -v mpirun.openmpi >/dev/null; then
        with_ranks "Open MPI" mpirun.openmpi --allow-run-as-root --oversubscribe -np %N
        example mpi sh
    else
        skip "Open MPI" "openmpi-bin is not installed"
    fi
}

with_torchrun() {
    if python=$(STOKER_PYTHON_SECONDS=1800 tools/python-env checks/cluster/torchrun.txt 2>"$work/log"); then
        with_ranks torchrun "${python%/*}/torchrun" --standalone --no_python --nproc_per_node=%N
        PATH=${python%/*}:$PATH
        example torchrun sh
    else
        skip torchrun "$(tail -n 1 "$work/log")"
    fi
}

# examples/imagenet.sbatch without GPUs and with fewer epochs, on nodes that are all this machine: a signal stops it in the middle, it queues again and trains the rest.
requeued() {
    demo=$work/demo epochs=30 job=
    mkdir "$demo"
    "$stoker" demo --to "$demo/demo" >/dev/null || { fail "requeue: stoker demo"; return; }
    for name in train val; do "$stoker" pack "$demo/demo/pictures" -o "$demo/$name.stk" >/dev/null || fail "requeue: pack"; done
    cp examples/imagenet_ddp.py "$demo"
    sed -e '/--gpus-per-node/d' -e 's/--ntasks-per-node=4/--ntasks-per-node=2/' -e 's/--cpus-per-task=8/--cpus-per-task=1/' \
        -e 's/^MASTER_ADDR=.*/MASTER_ADDR=127.0.0.1/' -e "s/exec python3 imagenet_ddp.py/& --epochs $epochs/" examples/imagenet.sbatch >"$demo/job"
    job=$(cd "$demo" && SCRATCH=$demo PATH=${python%/*}:${stoker%/*}:$PATH PYTHONPATH=$root/python/src OMP_NUM_THREADS=1 \
        sbatch --parsable --output=log job) || { fail "requeue: sbatch"; return; }
    await 600 grep -q "epoch 3," "$demo/log" || { fail "requeue: it does not train: $(cat "$demo/log")"; return; }
    scancel --signal=USR1 "$job" # to the processes of the steps, as --signal=USR1@120 does
    await 300 grep -q stopped "$demo/log" || { fail "requeue: it does not stop: $(cat "$demo/log")"; return; }
    await 300 waits_again || { fail "requeue: it is not in the queue again"; return; }
    scontrol update "JobId=$job" StartTime=now # Slurm lets a job wait two minutes before it starts again
    await 600 grep -q "epoch $((epochs - 1))," "$demo/log" || fail "requeue: the second run does not end"
    # Each epoch trains every sample once, also the one that both runs have a part of.
    if awk -v epochs=$epochs '
        match($0, /epoch [0-9]+, [0-9]+/) {
            split(substr($0, RSTART + 6, RLENGTH - 6), number, ", ")
            trained[number[1]] += number[2]
            lines++
        }
        / stopped / { stopped++ }
        END {
            for (epoch = 0; epoch < epochs; epoch++) wrong += trained[epoch] != 200
            exit wrong > 0 || stopped != 1 || lines != epochs + 1
        }' "$demo/log"; then
        grep stopped "$demo/log"
        done=$((done + 1))
    else
        fail "requeue: $(cat "$demo/log")"
    fi
}

waits_again() {
    [ "$(squeue -h -j "$job" -o %t)" = PD ]
}

nothing_runs() {
    [ -z "$(squeue -h)" ]
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

with_requeue() {
    if ! python=$(STOKER_PYTHON_SECONDS=1800 tools/python-env checks/cluster/torchrun.txt 2>"$work/log"); then
        skip requeue "$(tail -n 1 "$work/log")"
    elif ! reason=$(checks/cluster/slurm-up "$work/slurm" 3 cgroup); then
        skip requeue "$reason"
    else
        export SLURM_CONF="$work/slurm/slurm.conf"
        requeued
        scancel -p all
        await 200 nothing_runs
        checks/cluster/slurm-up --down "$work/slurm"
        unset SLURM_CONF
    fi
    rm -rf "$work/slurm"
}

if wants slurm; then
    with_slurm linuxproc
    with_slurm cgroup
fi
wants mpi && with_mpi
wants torchrun && with_torchrun
wants requeue && with_requeue
wants plain && example plain sh
wants stripes && striped
wants plan && planned
if wants kill || wants scaling; then
    if slow_source; then
        wants kill && killed
        wants scaling && scaling
    else
        wants kill && skip kill "$no_slow_source"
        wants scaling && skip scaling "$no_slow_source"
    fi
fi

echo "$done parts compared, $failures failed"
[ "$failures" -gt 0 ] && exit 1
[ "$done" -gt 0 ] || { echo "none of it can run here"; exit 77; }
