#!/bin/sh
# Compares the image module with Pillow and djpeg's library on files of many encoders. Run by hand: it takes minutes.
#
# usage: checks/images.sh PHOTO-DIR [COUNT [SEED]]
# needs: a built image module (mvn -pl image test-compile), python3 (or $PYTHON) with Pillow and NumPy, cjpeg, ImageMagick's convert
set -eu
photos=${1:?usage: checks/images.sh PHOTO-DIR [COUNT [SEED]]}
count=${2:-5000}
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
classes=$here/../image/target/classes:$here/../image/target/test-classes
vectors="--add-modules jdk.incubator.vector"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "making $count files, seed $seed"
"$python" "$here/images_make.py" "$work" "$photos" "$count" "$seed" 2>"$work/log" || { tail -5 "$work/log"; exit 1; }
for options in "$vectors" "$vectors -XX:UseAVX=2" "$vectors -XX:UseAVX=0" ""; do
    "$java" $options -cp "$classes" dev.stoker.image.checks.CompareJpegs "$work" "$seed"
done
for options in "$vectors" "$vectors -XX:UseAVX=2" ""; do
    "$python" "$here/images_transforms.py" "$photos" 40 "$java" $options -cp "$classes" dev.stoker.image.checks.RunChain
done
"$python" "$here/images_others.py" "$java" -cp "$classes" dev.stoker.image.checks.RunChain
