#!/usr/bin/env python3
"""Compares pairs of property lists, N.original and N.written in one directory, as Python's plistlib reads them.

Prints the pairs that differ and exits with 1 if there are any. An original that plistlib can't read is passed over when
plistlib fails on the other one in the same way: dates beyond the year 9999 are the case in point.
"""
import pathlib
import plistlib
import sys


def load(path):
    try:
        return plistlib.loads(path.read_bytes())
    except Exception as error:  # plistlib raises whatever its helpers raise
        return f"{type(error).__name__}: {error}"


def main():
    failures = 0
    for original in sorted(pathlib.Path(sys.argv[1]).glob("*.original")):
        left, right = load(original), load(original.with_suffix(".written"))
        # NaN is not equal to itself, but prints the same; 1, 1.0 and True are equal, but print differently.
        if repr(left) != repr(right):
            failures += 1
            print(original.with_suffix(".name").read_text(), "differs:", repr(left)[:200], "|", repr(right)[:200])
    sys.exit(1 if failures else 0)


main()
