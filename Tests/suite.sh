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

# Builds the library for plain C programs and writes the list of its objects to $FT_TMP/objects. The list comes from
# the build itself: objects of deleted source files stay in the build directory.
#
# build_objects [TRAIT]: with a trait more, in a scratch path of its own.
build_objects() {
    local traits=Embedded${1:+,$1} scratch=$FT_BUILD/embedded${1:+-$1} bin
    swift build --package-path "$FT_ROOT" -c release --traits "$traits" --scratch-path "$scratch" \
        --product firsttime-c-demo >"$FT_TMP/build.log" 2>&1 || { cat "$FT_TMP/build.log"; fail "the library does not build"; }
    bin=$(swift build --package-path "$FT_ROOT" -c release --traits "$traits" --scratch-path "$scratch" --show-bin-path)
    grep -v '/firsttime_c_demo\.build/' "$bin/firsttime-c-demo.product/Objects.LinkFileList" >"$FT_TMP/objects"
}

# link_c OUTPUT SOURCE [FLAG...]: a C program of today's users, linked with nothing but libc and libm.
link_c() {
    local output=$1 source=$2
    shift 2
    "$FT_CC" -std=c11 -Wall -Wextra -Werror -O1 -g "$@" -I "$FT_ROOT/include" -o "$output" "$source" \
        "@$FT_TMP/objects" -lm
}
