"""Writes the header as an older or a newer version of the library would have it: every struct that begins with `size` without
its last members, or with some more at its end.

usage: sized_header.py HEADER older|newer OUTPUT
"""

import re
import sys

header, version, output = sys.argv[1:]
with open(header, encoding="utf-8") as file:
    text = file.read()
count = 0


def resize(match):
    global count
    count += 1
    head, members, tail = match.groups()
    if version == "newer":
        return f"{head}{members}    double added_later;\n    const char *and_this;\n{tail}"
    # The comments go, since a member's may follow it. At least one member is left beside the size.
    plain = re.sub(r"/\*.*?\*/", "", members, flags=re.S)
    kept = [member for member in plain.split(";") if member.strip()]
    kept = kept[: max(1, len(kept) - 2)]
    return head + ";".join(kept) + ";\n" + tail


text = re.sub(r"(typedef struct \w+ \{\s*size_t size;)(.*?)(\} \w+;)", resize, text, flags=re.S)
if count < 4:
    sys.exit(f"only {count} structs that begin with a size in {header}")
# The macro names every member in order; here what is left out is zero.
text = re.sub(r"#define FIRSTTIME_OPTIONS_INIT .*", "#define FIRSTTIME_OPTIONS_INIT { .size = sizeof(firsttime_options) }", text)
with open(output, "w", encoding="utf-8") as file:
    file.write(text)
print(f"{count} structs")
