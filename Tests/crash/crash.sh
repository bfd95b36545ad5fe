# Owns how the crash suites build the driver and run the programs beside this file. A suite sources it after suite.sh.
# shellcheck shell=bash

# build_driver [TRAIT]: TestPoints shows moments between system calls as calls.
build_driver() {
    local claims=()
    build_objects "$@"
    # The operations on claims need functions that a header without them doesn't have.
    if grep -q firsttime_begin "$FT_ROOT/include/firsttime.h"; then claims=(-DHAVE_CLAIMS); fi
    link_c "$FT_TMP/driver" "$FT_ROOT/Tests/crash/driver.c" "${claims[@]}" -lpthread || fail "the driver does not compile"
}

# campaign PROGRAM OPTION...: in a mount namespace of its own, so that no mount outlives it, and in memory, where a sync
# costs nothing: these tests are about the order of calls, not the disk's speed.
campaign() {
    local program=$FT_ROOT/Tests/crash/$1 as=()
    shift
    if [ "$(id -u)" -ne 0 ]; then as=(--map-root-user); fi
    mkdir -p "$FT_TMP/memory"
    unshare "${as[@]}" --mount true 2>/dev/null || skip "needs the right to mount in a namespace of its own (unshare --mount)"
    PYTHONDONTWRITEBYTECODE=1 unshare "${as[@]}" --mount sh -c '
        mount -t tmpfs -o mode=700 tmpfs "$1" || exit 1
        shift
        exec python3 "$@"' sh "$FT_TMP/memory" "$program" "$FT_TMP/driver" "$FT_TMP/memory/work" "$@"
}
