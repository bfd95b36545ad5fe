# Owns how the C programs of Tests/consumers/c, and the few in C++, are built and run. A suite sources it after suite.sh.
# shellcheck shell=bash

FT_CXX=${CXX:-c++}
programs=()
for source in "$FT_ROOT"/Tests/consumers/c/*.{c,cpp}; do programs+=("$(basename "${source%.*}")"); done
swift_bin=$(dirname "$(readlink -f "$(command -v swift)")")
swift_libraries=$(dirname "$swift_bin")/lib/swift/linux
# Programs that give up root's rights must still get to their directory.
chmod 711 "$FT_TMP"

# build_full_objects SCRATCH [FLAG...]: the library as a debug build makes it, for the Swift runtime; the list of its
# objects goes to $FT_TMP/full-objects.
build_full_objects() {
    local build=(--package-path "$FT_ROOT" --scratch-path "$@")
    swift build "${build[@]}" --product firsttime-c-demo >"$FT_TMP/build.log" 2>&1 ||
        { cat "$FT_TMP/build.log"; fail "the library does not build: ${*:2}"; }
    grep -v '/firsttime_c_demo\.build/' \
        "$(swift build "${build[@]}" --show-bin-path)/firsttime-c-demo.product/Objects.LinkFileList" \
        >"$FT_TMP/full-objects"
    full_libraries=("$swift_libraries/$(uname -m)/swiftrt.o" -L "$swift_libraries" -lswiftSwiftOnoneSupport -lswift_Concurrency -lswiftCore
        "-Wl,-rpath,$swift_libraries" -lpthread -lm)
}

compile() { # COMPILER NAME OUTPUT FLAG...
    local source=$FT_ROOT/Tests/consumers/c/$2.c compiler=$1 standard=c11
    if [ ! -e "$source" ]; then source=${source}pp compiler=$FT_CXX standard=c++17; fi
    "$compiler" "-std=$standard" -Wall -Wextra -Werror -O1 -g "${@:4}" -I "$FT_ROOT/include" -c -o "$3" "$source" ||
        fail "$2 does not compile"
}

compile_programs() {
    local name
    for name in "${programs[@]}"; do compile "$FT_CC" "$name" "$FT_TMP/$name.o"; done
}

# C++ programs need a library more.
own_libraries() { if [ -e "$FT_ROOT/Tests/consumers/c/$1.cpp" ]; then echo -lstdc++; fi; }

link_embedded() {
    "$FT_CC" "${@:2}" -o "$FT_TMP/$1.embedded" "$FT_TMP/$1.o" "@$FT_TMP/objects" $(own_libraries "$1") -lpthread -lm
}

link_full() {
    "$FT_CC" -o "$FT_TMP/$1.full" "$FT_TMP/$1.o" "@$FT_TMP/full-objects" $(own_libraries "$1") "${full_libraries[@]}"
}

# After build_full_objects with --sanitize=thread: the toolchain's clang brings the sanitizer that Swift used.
link_thread_sanitizer() {
    compile "$swift_bin/clang" "$1" "$FT_TMP/$1.tsan.o" -fsanitize=thread
    "$swift_bin/clang" -fsanitize=thread -o "$FT_TMP/$1.tsan" "$FT_TMP/$1.tsan.o" "@$FT_TMP/full-objects" \
        "${full_libraries[@]}" -ldispatch -lBlocksRuntime
}

# run_program NAME KIND [VARIABLE=VALUE...] [COMMAND...]: runs NAME.KIND, under a command if there is one. What it prints
# is a failure, but for lines "not tried: ...", which go to $FT_TMP/not-tried.
run_program() {
    local directory=$FT_TMP/run/$1.$2 output status=0
    local legacy=$FT_SHARED/fixtures/legacy
    [ -d "$legacy" ] || legacy=
    mkdir -p "$directory/home"
    output=$(cd "$directory" && HOME=$directory/home XDG_STATE_HOME=$directory/xdg FT_LEGACY=$legacy \
        FT_IMPORT=$FT_ROOT/Tests/Fixtures/import timeout 300 env "${@:3}" "$FT_TMP/$1.$2" 2>&1) || status=$?
    [ "$status" -eq 0 ] || fail "$1 ($2): exit status $status: $output"
    while IFS= read -r line; do
        case $line in
        '') ;;
        'not tried: '*) echo "$line" >>"$FT_TMP/not-tried" ;;
        *) fail "$1 ($2) should print nothing: $output" ;;
        esac
    done <<<"$output"
    rm -rf "$directory"
}

# exit_passed COUNT: the summary; a skip when some part could not be tried.
exit_passed() {
    [ ! -s "$FT_TMP/not-tried" ] || skip "$(sort -u "$FT_TMP/not-tried" | paste -sd ';'); all else passed: $1 runs"
    echo "$1 runs"
}
