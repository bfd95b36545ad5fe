# Owns what several suites share. A suite sources it first; it changes nothing but shell functions.
# shellcheck shell=bash
set -euo pipefail

: "${FT_ROOT:?run this through Tests/run}" "${FT_BUILD:?}" "${FT_TMP:?}"
FT_CC=${CC:-cc}

fail() {
    echo "$*"
    exit 1
}

# skip REASON: the runner prints it and names the suite in its summary.
skip() {
    echo "$*"
    exit 77
}

# need COMMAND PACKAGE...: skips the suite when the command is missing.
need() {
    local command=$1
    shift
    command -v "$command" >/dev/null || skip "needs package $*"
}

# build_objects [TRAIT]: the library for plain C programs, as it is shipped, or with a trait more; what a program links of
# it goes to $FT_TMP/objects, a list of files.
build_objects() {
    local trait=${1:-}
    env -u MAKEFLAGS make --no-print-directory -C "$FT_ROOT" library RUNTIME=embedded TRAIT="$trait" \
        BUILD="$FT_BUILD" >"$FT_TMP/build.log" 2>&1 || { cat "$FT_TMP/build.log"; fail "the library does not build"; }
    echo "$FT_BUILD/lib/embedded${trait:+-$trait}/libfirsttime.a" >"$FT_TMP/objects"
}

# link_c OUTPUT SOURCE [FLAG...]: a C program of today's users, linked with nothing but libc and libm.
link_c() {
    local output=$1 source=$2
    shift 2
    "$FT_CC" -std=c11 -Wall -Wextra -Werror -O1 -g "$@" -I "$FT_ROOT/include" -o "$output" "$source" \
        "@$FT_TMP/objects" -lm
}

# build_command: the tool, as it is installed, as $FT_COMMAND.
build_command() {
    env -u MAKEFLAGS make --no-print-directory -C "$FT_ROOT" command RUNTIME=embedded BUILD="$FT_BUILD" \
        >"$FT_TMP/build.log" 2>&1 || { cat "$FT_TMP/build.log"; fail "the tool does not build"; }
    export FT_COMMAND=$FT_BUILD/lib/embedded/firsttime
}
