"""Reads an archive with libplist and prints its records as JSON: plistutil turns it into XML, then see read_plistlib.py.

usage: read_plistutil.py FILE
"""

import json
import plistlib
import subprocess
import sys

from read_plistlib import Archive

xml = subprocess.run(["plistutil", "-i", sys.argv[1], "-f", "xml"], check=True, capture_output=True).stdout
if not xml:
    sys.exit("plistutil wrote nothing")  # it exits 0 for a file it can't read
print(json.dumps(Archive(plistlib.loads(xml, fmt=plistlib.FMT_XML)).records()))
