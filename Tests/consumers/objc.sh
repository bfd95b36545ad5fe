# Owns how the Objective-C programs of Tests/consumers/objc are built against the installed library, and run: with one
# compiler, and with both the shared and the static library. A suite sources it after suite.sh.
# shellcheck shell=bash

need gnustep-config gnustep-make, libgnustep-base-dev, gobjc
need pkg-config pkg-config
gcc -x objective-c -fsyntax-only - </dev/null 2>/dev/null || skip "needs package gobjc"

# GNUstep's headers are the system's: our warnings don't concern them. -MMD would leave dependency files about.
read -ra gnustep_flags <<<"$(gnustep-config --objc-flags | sed 's/-MMD//; s/-MP//; s/ -I\// -isystem \//g; s/ -I\. / /')"
read -ra gnustep_libraries <<<"$(gnustep-config --base-libs)"
gcc -x objective-c "${gnustep_flags[@]}" -fsyntax-only - <<<'#import <Foundation/Foundation.h>' 2>/dev/null ||
    skip "needs package libgnustep-base-dev"

objc_sources=("$FT_ROOT"/bindings/objc/*.m)
objc_gcc=(gcc)
# The headers of gcc's Objective-C runtime, and the one that they want where blocks are on.
objc_clang=("$(dirname "$(readlink -f "$(command -v swift)")")/clang" -fobjc-runtime=gcc -fblocks
    -isystem "$(gcc -print-file-name=include)" -I "$FT_ROOT/bindings/objc/clang")

# build_objc COMPILER...: the binding with that compiler, then each program with the .so and with the .a, into $FT_TMP.
# $library is what a program of this compiler needs more.
build_objc() {
    local prefix source name static
    prefix=$("$FT_ROOT/Tests/consumers/install.sh") || fail "the library can't be installed"
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    read -ra cflags <<<"$(pkg-config --cflags firsttime)"
    read -ra shared_libraries <<<"$(pkg-config --libs firsttime) $(pkg-config --variable=rpath firsttime)"
    read -ra static <<<"$(pkg-config --static --libs-only-l firsttime | sed 's/-lfirsttime//')"
    static_libraries=("$prefix/lib/libfirsttime.a" "${static[@]}")

    objc_compile=("$@" -std=gnu11 "${gnustep_flags[@]}" -Wextra -Werror "${cflags[@]}" -I "$FT_ROOT/bindings/objc")
    objc_objects=()
    for source in "${objc_sources[@]}"; do
        name=$FT_TMP/$(basename "$source" .m).o
        "${objc_compile[@]}" -c -o "$name" "$source" || fail "$source does not compile"
        objc_objects+=("$name")
    done
}

# link_objc SOURCE OUTPUT [LIBRARY...]: OUTPUT.shared and OUTPUT.static.
link_objc() {
    "${objc_compile[@]}" -c -o "$2.o" "$1" || fail "$1 does not compile"
    "${objc_compile[0]}" -o "$2.shared" "$2.o" "${objc_objects[@]}" "${shared_libraries[@]}" "${gnustep_libraries[@]}" "${@:3}"
    "${objc_compile[0]}" -o "$2.static" "$2.o" "${objc_objects[@]}" "${static_libraries[@]}" "${gnustep_libraries[@]}" "${@:3}"
}

# run_objc PROGRAM: in an empty directory, with a home and state of its own. What it prints is a failure.
run_objc() {
    local directory=$FT_TMP/run/$(basename "$1") output status=0
    mkdir -p "$directory/home" "$directory/state"
    output=$(cd "$directory" && HOME=$directory/home XDG_STATE_HOME=$directory/state \
        FT_IMPORT=$FT_ROOT/Tests/Fixtures/import timeout 120 "$1" 2>&1) || status=$?
    [ "$status" -eq 0 ] || fail "$(basename "$1"): exit status $status: $output"
    [ -z "$output" ] || fail "$(basename "$1") should print nothing: $output"
}

# run_objc_programs [LIBRARY...]: all of them, both ways.
run_objc_programs() {
    local source name kind
    count=0
    for source in "$FT_ROOT"/Tests/consumers/objc/*.m; do
        name=$(basename "$source" .m)
        link_objc "$source" "$FT_TMP/$name" "$@"
        for kind in shared static; do
            run_objc "$FT_TMP/$name.$kind"
            count=$((count + 1))
        done
    done
}
