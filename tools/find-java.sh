# shellcheck shell=sh
# Finds a Java that can run Stoker. Sourced by ./stoker, ./check and the distribution's bin/stoker, so that all three choose
# the same one. It starts no Java: the version stands in the file "release" of each installation.
#
#   find_java java|javac    sets java_home, or returns 1 having said what to install

STOKER_JAVA_MIN=25

# Sets release_value to the value of key $2 in the file "release" of the Java at $1.
read_release() {
    release_value=
    [ -r "$1/release" ] || return 1
    while IFS='=' read -r release_key release_text || [ -n "$release_key" ]; do
        [ "$release_key" = "$2" ] || continue
        release_text=${release_text#\"}
        release_value=${release_text%\"}
        return 0
    done <"$1/release"
    return 1
}

# Is there a Java at $1 that is new enough and has the program $2?
java_fits() {
    [ -n "$1" ] && [ -x "$1/bin/$2" ] && read_release "$1" JAVA_VERSION || return 1
    release_value=${release_value%%[!0-9]*}
    [ "${release_value:-0}" -ge "$STOKER_JAVA_MIN" ]
}

find_java() {
    if [ -n "${STOKER_JAVA_HOME:-}" ]; then
        java_home=$STOKER_JAVA_HOME
        java_fits "$java_home" "$1" && return 0
        echo "stoker: STOKER_JAVA_HOME is $java_home, which has no bin/$1 of Java $STOKER_JAVA_MIN or newer; correct or unset it" >&2
        return 1
    fi
    java_home=${JAVA_HOME:-}
    java_fits "$java_home" "$1" && return 0
    if java_on_path=$(command -v "$1"); then
        java_on_path=$(readlink -f -- "$java_on_path")
        java_home=${java_on_path%/bin/*}
        java_fits "$java_home" "$1" && return 0
    fi
    for java_home in \
        "${CONDA_PREFIX:-/nonexistent}" "${CONDA_PREFIX:-/nonexistent}"/lib/jvm \
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /usr/local/*jdk* /opt/* /opt/java/* /opt/jvm/* \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* "${HOME:-/nonexistent}"/.local/share/mise/installs/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        "${STOKER_JAVA_FALLBACK:-/nonexistent}"; do
        java_fits "$java_home" "$1" && return 0
    done
    cat >&2 <<END
stoker: no JDK $STOKER_JAVA_MIN or newer found in STOKER_JAVA_HOME, JAVA_HOME, PATH or the usual folders. Install one, for example by
  apt install openjdk-25-jdk-headless    or    sdk install java 25-tem    or    conda install -c conda-forge openjdk=25
In a Python environment: pip install 'stoker[java]'
or set STOKER_JAVA_HOME to the folder of one that is installed elsewhere.
END
    return 1
}

need_maven() {
    command -v mvn >/dev/null && return 0
    echo "stoker: Maven (mvn) is not on the PATH; install it: apt install maven, sdk install maven or conda install -c conda-forge maven" >&2
    return 1
}
