#!/bin/sh
# JPEGs of many encoders, 500 WebPs and other pictures, pixel by pixel against Pillow; transforms
#
# usage: checks/images.sh [PHOTO-DIR [COUNT [SEED]]]
# The files are made from the photos of PHOTO-DIR or $STOKER_PHOTOS, by default from those that `stoker demo` draws.
# needs: cjpeg (libjpeg-turbo), ImageMagick's convert, Python
set -eu
count=${2:-$(tools/check-size 50 600 5000)}
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/*}
for tool in cjpeg convert; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
python=$("$root/tools/python-env" "$here/images.txt") || { echo "Python with NumPy and Pillow cannot be had"; exit 77; }
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d "${TMPDIR:-/tmp}/stoker-images.XXXXXX")
trap 'rm -rf "$work"' EXIT

photos=${1:-${STOKER_PHOTOS:-}}
if [ -z "$photos" ]; then
    "$root/stoker" demo --to "$work/demo" >/dev/null
    photos=$work/demo/pictures
fi
(cd "$root" && mvn -B -q -ntp -pl image -am test-compile -Dspotless.check.skip) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }

classes="$root/image/target/test-classes:$root/build/dist/lib/*"
vectors="--add-modules jdk.incubator.vector"
echo "making $count files, seed $seed"
"$python" "$here/images_make.py" "$work/made" "$photos" "$count" "$seed" 2>"$work/log" || { tail -n 5 "$work/log"; exit 1; }
for options in "$vectors" "$vectors -XX:UseAVX=2" "$vectors -XX:UseAVX=0" ""; do
    # shellcheck disable=SC2086 # the options are words
    "$java" $options -cp "$classes" dev.stoker.image.checks.CompareJpegs "$work/made" "$seed"
done
for options in "$vectors" "$vectors -XX:UseAVX=2" ""; do
    # shellcheck disable=SC2086 # the options are words
    "$python" "$here/images_transforms.py" "$photos" 40 "$java" $options -cp "$classes" dev.stoker.image.checks.RunChain
done
"$python" "$here/images_others.py" "$work/others" 500 "$seed" "$photos"
"$java" --enable-native-access=ALL-UNNAMED -cp "$classes" dev.stoker.image.checks.ComparePictures "$work/others"
