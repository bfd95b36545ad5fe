"""Python's plistlib, for the decoding rows: reads a line "decode PATH", answers with the seconds that it took."""
import platform
import plistlib
import sys
import time

for line in sys.stdin:
    command, _, path = line.rstrip("\n").partition(" ")
    if command == "settings":
        print(0, 0, f"Python {platform.python_version()}", flush=True)
        continue
    with open(path, "rb") as file:
        data = file.read()
    start = time.monotonic()
    content = plistlib.loads(data)
    print(time.monotonic() - start, len(content), flush=True)
