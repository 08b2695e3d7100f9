# shellcheck shell=sh
# Waits until a `stoker run` is gone. $1 is the folder of its data, $2 its file in users/, which it holds locked.
folder=$1 user=$1/users/$2

exec 9<"$user" || exit 0
flock -x 9
[ -e "$user" ] || exit 0 # it left in order

# When the process $1 started: number and time together are never another's.
started() {
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # shellcheck disable=SC2086 # its fields are words
    set -- ${stat##*) }
    echo "${20}"
}

# The processes $* and all that they started, each as NUMBER:TIME.
family() {
    for member; do
        time=$(started "$member")
        [ -n "$time" ] || continue
        echo "$member:$time"
        # shellcheck disable=SC2046 # the numbers are words
        family $(cat /proc/"$member"/task/*/children 2>/dev/null)
    done
}

# Sends $1 to those that still live; false if none does.
send() {
    alive=1
    for each in $family; do
        if [ "$(started "${each%:*}")" = "${each#*:}" ]; then
            kill "-$1" "${each%:*}" && alive=0
        fi
    done
    return $alive
}

process='' since=''
read -r process since <"$user"
family=
if [ -n "$process" ] && [ "$(started "$process")" = "$since" ]; then
    family=$(family "$process")
    send TERM
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        send 0 || break
        sleep 0.1
    done
    send KILL
fi
rm -f "$user"
exec 9<&-

# The last one out cleans, unless it is to be kept or belongs to somebody: see StagedFolder.leave.
exec 8<"$folder/lock" || exit 0
flock -n -x 8 || exit 0
[ -e "$folder/keep" ] && exit 0
[ ! -e "$folder/note.json" ] || grep -q '"owner":""' "$folder/note.json" || exit 0
if [ -d "$folder/mount" ]; then
    umount -l "$folder/mount" || fusermount3 -u -z "$folder/mount" || fusermount -u -z "$folder/mount"
fi
# The note early and the lock last: see StagedFolder.deleteInOrder.
rm -f "$folder/note.json" "$folder/complete"
for entry in "$folder"/*; do
    case $entry in
        */lock | */mount) ;; # a mount that could not be taken away is not walked into
        *) rm -rf --one-file-system "$entry" ;;
    esac
done
rm -rf --one-file-system "$folder"
