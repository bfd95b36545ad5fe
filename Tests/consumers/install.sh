#!/usr/bin/env bash
# Owns the installed library that the tests of every language use: builds it when a source is newer, installs it into a
# prefix below .build/consumers, once, and prints that prefix. Nothing is printed beside it.
#
#   prefix=$(Tests/consumers/install.sh) || fail "..."        the Embedded library: .build/consumers/prefix
#   prefix=$(Tests/consumers/install.sh full) || fail "..."   with Swift's runtime inside: .build/consumers/prefix-full
#
# A consumer finds everything through the prefix, as after `make install PREFIX=...`:
#
#   export PKG_CONFIG_PATH=$prefix/lib/pkgconfig       cc $(pkg-config --cflags --libs firsttime)
#   cmake -D CMAKE_PREFIX_PATH=$prefix                 find_package(FirstTime), FirstTime::FirstTime, FirstTime::FirstTimeStatic
#   $prefix/lib/libfirsttime.so                        for dlopen(), ctypes, JNI and the like
#   $prefix/lib/libfirsttime.a                         with the libraries of pkg-config --static: -lm -lpthread
#   $prefix/bin/firsttime                            the tool
#   $prefix/include                                    firsttime.h, firsttime.hpp; with clang or Swift, -I gives module CFirstTime
#
# The loader doesn't search this prefix. A program finds the .so by the documented way: it is linked with
# $(pkg-config --variable=rpath firsttime), which CMake does by itself for what it builds.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runtime=${1:-embedded}
prefix=$root/.build/consumers/prefix
if [ "$runtime" != embedded ]; then prefix+=-$runtime; fi

mkdir -p "$root/.build/consumers"
log=$prefix.log
# Two suites may come here at the same time.
exec 9>"$prefix.lock"
flock 9
variables=(RUNTIME="$runtime" PREFIX="$prefix" LIBDIR="$prefix/lib" INCLUDEDIR="$prefix/include" BINDIR="$prefix/bin"
    DATADIR="$prefix/share" MANDIR="$prefix/share/man" DESTDIR=)
if ! env -u MAKEFLAGS -u MAKELEVEL make -C "$root" "${variables[@]}" install >"$log" 2>&1 9>&-; then
    cat "$log" >&2
    exit 1
fi
echo "$prefix"
