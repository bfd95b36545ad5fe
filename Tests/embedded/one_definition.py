"""Compares the variables that several modules of the library define under one name, in the bitcode that is linked: the linker
takes any of them, so they must be the same. A module holds copies of what it uses of others.

usage: one_definition.py CLANG LIST-OF-FILES
"""

import re
import subprocess
import sys

clang, listed = sys.argv[1:]
DEFINITION = re.compile(r"^@(\"[^\"]+\"|[^ ]+) = ((?:linkonce|weak)[^ ]* .*)$", re.M)
# How a definition may be used, its comdat, alignment and debugging information say nothing of its content; nor do the
# names of its types that are numbered in each module.
IRRELEVANT = re.compile(
    r"\b(linkonce|weak)(_odr)? |\b(local_)?unnamed_addr |, comdat(\([^)]*\))?|, align \d+|, section \"[^\"]*\"|, ![a-z]+ !\d+"
)


def definitions(path):
    text = subprocess.run(
        [clang, "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-llvm-passes", "-x", "ir", path, "-o", "-"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name, definition in DEFINITION.findall(text):
        yield name, re.sub(r"tailelems\d+", "tailelems", IRRELEVANT.sub("", definition))


first, failed, shared = {}, False, set()
with open(listed, encoding="utf-8") as file:
    paths = [line.strip() for line in file if line.strip().endswith(".bc")]
for path in paths:
    for name, definition in definitions(path):
        if name not in first:
            first[name] = (path, definition)
            continue
        shared.add(name)
        if first[name][1] != definition:
            failed = True
            print(f"{name} is\n  {first[name][1]}\nin {first[name][0]}, and\n  {definition}\nin {path}")
if not paths or not shared:
    sys.exit(f"nothing was compared: {len(paths)} files")
if failed:
    sys.exit("see above")
print(f"{len(shared)} variables of {len(paths)} files are the same wherever they are defined")
