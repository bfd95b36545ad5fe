"""Runs what the guides show their readers, against an installed library: each page in a directory and a home of its own.

usage: guides.py ROOT COPY PREFIX DIRECTORY
  COPY       a copy of the tree that Swift programs are built with, kept between runs
  PREFIX     where library and command are installed;  DIRECTORY  a fresh one

How blocks are marked: page.py. FirstTime in a page's directory is the tree, old/ has files of other software to import.
"""

import os
import re
import shutil
import sys
from pathlib import Path

from runner import Runner, summary
from swift import SwiftPackage
from tree import copy_tree

PAGES = ["docs/GUIDE.md", "docs/MIGRATING.md", "docs/FAQ.md", "docs/RULES.md"]
# Run by suites readme and languages.
OTHERS = ["docs/INSTALL.md", "docs/LANGUAGES.md"]


def run_page(root, copy, prefix, directory, name):
    home, old = directory / "home", directory / "old"
    home.mkdir(parents=True)
    shutil.copytree(root / "Tests" / "Fixtures" / "import", old)
    (directory / "FirstTime").symlink_to(root)
    environment = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"),
        "LD_RUN_PATH": str(prefix / "lib"),
        "TZ": "UTC",
    }
    environment.pop("XDG_STATE_HOME", None)
    return Runner(root, directory, environment, SwiftPackage(copy), home).run_page(name)


def check_complete(root):
    """A new page with something to run belongs to one of the lists."""
    for page in sorted((root / "docs").glob("*.md")):
        runs = re.search(r"^ *```(c|sh|swift)$", page.read_text(encoding="utf-8"), re.M)
        if runs and f"docs/{page.name}" not in PAGES + OTHERS:
            sys.exit(f"docs/{page.name} is run by no suite")


def main():
    root, copy, prefix, directory = map(Path, sys.argv[1:])
    check_complete(root)
    copy_tree(root, copy)
    print(summary({name: run_page(root, copy, prefix, directory / Path(name).stem, name) for name in PAGES}))


main()
