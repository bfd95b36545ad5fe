"""Prints what the functions and callbacks of a header are to the machine, one a line, for bindings to compare with.

usage: signatures.py HEADER
  firsttime_open i32 ptr ptr            the result, then the parameters
  firsttime_callback i32 ptr            a callback type's
Types: void i32 u32 i64 u64 f64 ptr, and `interval` for firsttime_interval by value. size_t is u64.
"""

import re
import sys

from declarations import Header

SCALARS = {
    "void": "void",
    "int": "i32",
    "int32_t": "i32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
    "size_t": "u64",
    "double": "f64",
    "firsttime_result": "i32",
    "firsttime_unit": "i32",
    "firsttime_observer": "u64",
    "firsttime_interval": "interval",
}


def lowered(declaration, callbacks):
    """One type, with or without a name after it."""
    if "*" in declaration or "[" in declaration:
        return "ptr"
    words = [word for word in declaration.split() if word not in ("const", "extern")]
    return "ptr" if words[0] in callbacks else SCALARS[words[0]]


def signature(name, declaration, callbacks):
    match = re.match(rf"(?:typedef )?(.*?)(?:\(\s*\*\s*{name}\s*\)|\b{name})\s*\((.*)\)$", declaration)
    parameters = [] if match[2].strip() == "void" else match[2].split(",")
    return [lowered(one, callbacks) for one in [match[1], *parameters]]


def main():
    header = Header(sys.argv[1])
    for name, declaration in sorted({**header.functions, **header.callbacks}.items()):
        print(name, *signature(name, declaration, header.callbacks))


main()
