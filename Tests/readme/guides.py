"""Runs what the guides show their readers, against an installed library: each page in a directory and a home of its own.

usage: guides.py ROOT COPY PREFIX DIRECTORY
  COPY       a copy of the tree that Swift programs are built with, kept between runs
  PREFIX     where library and command are installed;  DIRECTORY  a fresh one

How blocks are marked: page.py. FirstTime in a page's directory is the tree, old/ has files of other software to import.
"""

import os
import shutil
import sys
from pathlib import Path

from runner import Runner, summary
from swift import SwiftPackage
from tree import copy_tree

PAGES = ["docs/GUIDE.md", "docs/MIGRATING.md", "docs/FAQ.md", "docs/RULES.md"]


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


def main():
    root, copy, prefix, directory = map(Path, sys.argv[1:])
    copy_tree(root, copy)
    print(summary({name: run_page(root, copy, prefix, directory / Path(name).stem, name) for name in PAGES}))


main()
