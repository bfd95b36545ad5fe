# Owns how the tests of the language bindings find the installed library, and how their calls are counted. A suite
# sources it after suite.sh. It sets $prefix, $flags (a C compiler's), and $counting (the library that counts calls).
# shellcheck shell=bash

need pkg-config pkgconf
need python3 python3
prefix=$("$FT_ROOT/Tests/consumers/install.sh") || fail "the library can't be installed"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs firsttime) $(pkg-config --variable=rpath firsttime)"
export PYTHONDONTWRITEBYTECODE=1
# What opens the default store keeps it here, not in the home of whoever runs the tests.
export XDG_STATE_HOME=$FT_TMP/state

counting=$FT_TMP/libcalls.so
export FT_CALLS=$FT_TMP/calls
python3 "$FT_ROOT/Tests/consumers/calls.py" build "$prefix/include/firsttime.h" "$prefix/lib/libfirsttime.so" "$counting" || {
    [ $? -eq 3 ] || fail "the library that counts calls does not build"
    counting=
}

# check_calls UNWRAPPED SOURCE...: prints how many functions the binding wraps; all of them must have been called.
check_calls() {
    if [ -z "$counting" ]; then
        echo "calls aren't counted on this machine"
        return
    fi
    python3 "$FT_ROOT/Tests/consumers/calls.py" check "$prefix/include/firsttime.h" "$FT_ROOT/Tests/contract/firsttime.h" \
        "$1" "$FT_CALLS" "${@:2}"
}

# declarations: what the header says, for bindings to compare with: $FT_TMP/signatures and $FT_TMP/layout.
declarations() {
    python3 "$FT_ROOT/Tests/contract/signatures.py" "$prefix/include/firsttime.h" >"$FT_TMP/signatures" ||
        fail "the header's functions can't be listed"
    mkdir -p "$FT_TMP/contract"
    python3 "$FT_ROOT/Tests/contract/programs.py" "$prefix/include/firsttime.h" "$FT_ROOT/Tests/contract/firsttime.h" \
        "$FT_TMP/contract" >/dev/null || fail "the header's values can't be listed"
    gcc -std=c11 -I "$prefix/include" -o "$FT_TMP/contract/values" "$FT_TMP/contract/values.c" || fail "values.c does not compile"
    "$FT_TMP/contract/values" >"$FT_TMP/layout"
}

# swift_package NAME SOURCE: builds a program of one file in a package of its own that depends on ours by path, and sets
# $swift_program. It stays below .build, so that the next time only what changed is compiled.
swift_package() {
    local package=$FT_BUILD/$1-package
    mkdir -p "$package/Sources/$1"
    cat >"$FT_TMP/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "$1", dependencies: [.package(name: "FirstTime", path: "$FT_ROOT")], targets: [
    .executableTarget(name: "$1", dependencies: ["FirstTime"])
])
END
    cmp -s "$FT_TMP/Package.swift" "$package/Package.swift" || cp "$FT_TMP/Package.swift" "$package/Package.swift"
    cmp -s "$2" "$package/Sources/$1/main.swift" || cp "$2" "$package/Sources/$1/main.swift"
    swift build --package-path "$package" >"$FT_TMP/log" 2>&1 || { cat "$FT_TMP/log"; fail "the Swift program does not build"; }
    swift_program=$(swift build --package-path "$package" --show-bin-path)/$1
}

# What the go command needs to find the library, and to keep its cache below .build.
go_settings() {
    CGO_LDFLAGS=$(pkg-config --variable=rpath firsttime)
    export CGO_LDFLAGS GOCACHE=$FT_BUILD/go-cache GOPATH=$FT_BUILD/go-path GOFLAGS=-buildvcs=false GOTOOLCHAIN=local
}

# compile_java DIRECTORY SOURCE...: the example's classes, the sources' and the JNI library.
compile_java() {
    local home
    home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    mkdir -p "$1"
    javac -Xlint:all -Werror -h "$1" -d "$1" "$FT_ROOT/bindings/examples/java/FirstTime.java" "${@:2}" || fail "javac fails"
    "$FT_CC" -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$1/libfirsttime-jni.so" \
        "$FT_ROOT/bindings/examples/java/FirstTimeJNI.c" -I"$1" -I"$home/include" -I"$home/include/linux" "${flags[@]}" ||
        fail "FirstTimeJNI.c does not compile"
}
