"""Reads an archive with the Swift toolchain's plutil and prints its records as JSON.

usage: read_plutil.py PLUTIL FILE
`plutil -p` prints UIDs as addresses only, so it can't be resolved alone. It is compared, value by value, with the
same file as plistlib sees it: same tree, same texts, same numbers, and equal addresses only for equal UIDs.
"""

import datetime
import json
import plistlib
import re
import subprocess
import sys

from read_plistlib import Archive

ADDRESS = re.compile(r"<_NSKeyedArchiverUID: (0x[0-9a-f]+)>")
# Of data it shows the two ends only.
DATA = re.compile(r"\{length = (\d+), bytes = 0x[0-9a-f .]*\}")


def rendered(value, uids, indent=""):
    """What plutil -p prints for a value, UIDs as "<UID>"; their numbers are appended to `uids` in order."""
    if isinstance(value, plistlib.UID):
        uids.append(value.data)
        return "<UID>"
    if isinstance(value, dict):
        # It sorts by UTF-16 code unit.
        items = [(f'"{key}"', value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))]
    elif isinstance(value, list):
        items = list(enumerate(value))
    elif isinstance(value, str):
        return f'"{value}"'
    elif isinstance(value, bool):
        return "true" if value else "false"
    elif isinstance(value, bytes):
        return f"{{length = {len(value)}}}"
    elif isinstance(value, float):
        return swift_description(value)
    elif isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S +0000")
    else:
        return str(value)
    open_mark, close_mark = "{}" if isinstance(value, dict) else "[]"
    lines = [f"{indent}  {name} => {rendered(item, uids, indent + '  ')}" for name, item in items]
    return "\n".join([open_mark, *lines, indent + close_mark])


def swift_description(value):
    """Swift prints the same shortest digits as Python, but switches to exponents at other places."""
    text = repr(value)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-').zfill(2)}"
    return text


def main():
    plutil, path = sys.argv[1:]
    subprocess.run([plutil, "-lint", path], check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run([plutil, "-p", path], check=True, capture_output=True).stdout.decode("utf-8")
    with open(path, "rb") as file:
        plist = plistlib.load(file)

    uids = []
    expected = rendered(plist, uids)
    addresses = ADDRESS.findall(shown)
    masked = DATA.sub(r"{length = \1}", ADDRESS.sub("<UID>", shown)).rstrip("\n")
    if masked != expected:
        for ours, theirs in zip(expected.split("\n"), masked.split("\n")):
            if ours != theirs:
                sys.exit(f"plutil shows {theirs!r}, plistlib {ours!r}")
        sys.exit("plutil and plistlib see trees of different size")
    if len(set(zip(addresses, uids))) != len(set(addresses)):
        sys.exit("one UID of plutil's stands for two of plistlib's")
    print(json.dumps(Archive(plist).records()))


main()
