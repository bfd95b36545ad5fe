# Owns how the Objective-C programs of Tests/consumers/objc are built against the installed library, and run: with one
# compiler, and with both the shared and the static library. A suite sources it after suite.sh.
# shellcheck shell=bash

need gnustep-config gnustep-make, libgnustep-base-dev, gobjc
gcc -x objective-c -fsyntax-only - </dev/null 2>/dev/null || skip "needs package gobjc"

# GNUstep's headers are the system's: our warnings don't concern them. -MMD would leave dependency files about.
read -ra gnustep_flags <<<"$(gnustep-config --objc-flags |
    sed 's/-MMD//; s/-MP//; s/ -I\// -isystem \//g; s/ -I\. / /')"
read -ra gnustep_libraries <<<"$(gnustep-config --base-libs)"
gcc -x objective-c "${gnustep_flags[@]}" -fsyntax-only - <<<'#import <Foundation/Foundation.h>' 2>/dev/null ||
    skip "needs package libgnustep-base-dev"
. "$FT_ROOT/Tests/consumers/languages.sh"

objc_gcc=(gcc)
# The headers of gcc's Objective-C runtime, and the one that they want where blocks are on.
objc_clang=("$(dirname "$(readlink -f "$(command -v swift)")")/clang" -fobjc-runtime=gcc -fblocks
    -isystem "$(gcc -print-file-name=include)" -I "$FT_ROOT/bindings/objc/clang")
read -ra static_libraries <<<"$prefix/lib/libfirsttime.a $(pkg-config --static --libs-only-l firsttime |
    sed 's/-lfirsttime//')"

# build_objc COMPILER [FLAG...]: the binding with that compiler.
build_objc() {
    local source object
    objc_compile=("$@" -std=gnu11 "${gnustep_flags[@]}" -Wextra -Werror -I "$FT_ROOT/bindings/objc")
    objc_objects=()
    for source in "$FT_ROOT"/bindings/objc/*.m; do
        object=$FT_TMP/$(basename "$source" .m).o
        "${objc_compile[@]}" -I "$prefix/include" -c -o "$object" "$source" || fail "$source does not compile"
        objc_objects+=("$object")
    done
}

# link_objc SOURCE OUTPUT [LIBRARY...]: OUTPUT.shared and OUTPUT.static.
link_objc() {
    local program=("${objc_compile[@]}" "$1" "${objc_objects[@]}")
    "${program[@]}" -o "$2.shared" "${flags[@]}" "${gnustep_libraries[@]}" "${@:3}" || fail "$1 does not compile"
    "${program[@]}" -I "$prefix/include" -o "$2.static" "${static_libraries[@]}" "${gnustep_libraries[@]}" "${@:3}" ||
        fail "$1 does not compile"
}

# run_objc PROGRAM [VARIABLE=VALUE...]: in an empty directory, with a home and state of its own. What it prints is a
# failure.
run_objc() {
    local directory=$FT_TMP/run/$(basename "$1") output status=0
    rm -rf "$directory"
    mkdir -p "$directory/home" "$directory/state"
    output=$(cd "$directory" && env HOME="$directory/home" XDG_STATE_HOME="$directory/state" \
        FT_IMPORT="$FT_ROOT/Tests/Fixtures/import" "${@:2}" timeout 120 "$1" 2>&1) || status=$?
    [ "$status" -eq 0 ] || fail "$(basename "$1"): exit status $status: $output"
    [ -z "$output" ] || fail "$(basename "$1") should print nothing: $output"
}

# run_objc_programs [LIBRARY...]: all of them, both ways.
run_objc_programs() {
    local source name
    count=0
    for source in "$FT_ROOT"/Tests/consumers/objc/*.m; do
        name=$FT_TMP/$(basename "$source" .m)
        link_objc "$source" "$name" "$@"
        run_objc "$name.shared" LD_PRELOAD="$counting"
        run_objc "$name.static"
        count=$((count + 2))
    done
}

# check_objc: every function of the header is called, or in the list of those that aren't wrapped.
check_objc() { check_calls "$FT_ROOT/bindings/objc/UNWRAPPED" "$FT_ROOT"/bindings/objc/*.m; }
