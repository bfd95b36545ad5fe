# Owns how an interop suite runs: one reader over the legacy fixtures (which proves the reader), then over archives that
# our library has just written. The suites source this after suite.sh.
# shellcheck shell=bash

need gcc gcc
need python3 python3
interop=$FT_ROOT/Tests/interop
export PYTHONDONTWRITEBYTECODE=1
# The interpreter itself: a version manager's wrapper costs more than the reading.
python=$(python3 -c 'import sys; print(sys.executable)')

# interop READER COMMAND [ARGUMENT...]
interop() {
    local reader=$1 legacy=none ours
    shift
    if [ -n "$FT_SHARED" ] && [ -f "$FT_SHARED/fixtures/legacy/MANIFEST.tsv" ]; then
        legacy=$("$python" "$interop/compare.py" "$reader" --manifest "$FT_SHARED/fixtures/legacy/MANIFEST.tsv" -- "$@") ||
            fail "$legacy"
    fi
    build_objects
    link_c "$FT_TMP/write_archives" "$interop/write_archives.c"
    mkdir "$FT_TMP/archives"
    "$FT_TMP/write_archives" "$FT_TMP/archives" ${FIRSTTIME_LONG:+--long} || fail "write_archives failed"
    ours=$("$python" "$interop/compare.py" "$reader" --directory "$FT_TMP/archives" -- "$@") || fail "$ours"
    echo "ours: $ours; legacy: $legacy"
}
