"""Runs what README.md and docs/INSTALL.md tell their readers to run, in a copy of the tree.

usage: run.py ROOT COPY DIRECTORY
  COPY       kept between runs, so that a build in it is incremental
  DIRECTORY  a fresh one: what the pages install goes to a prefix and a home in it, and `sudo` there only runs its command

How blocks are marked: page.py.
"""

import os
import sys
from pathlib import Path

from runner import Runner, summary
from swift import SwiftPackage
from tree import copy_tree

PAGES = ["README.md", "docs/INSTALL.md"]


def installing(directory):
    """The environment in which `sudo make install` and what follows work for everyone: what the loader's cache is for the
    system's directories, a path in the program is for this one."""
    sudo = directory / "bin" / "sudo"
    sudo.parent.mkdir(parents=True)
    sudo.write_text('#!/bin/sh\nexec "$@"\n')
    sudo.chmod(0o755)
    home, prefix = directory / "home", directory / "prefix"
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{sudo.parent}:{prefix / 'bin'}:{os.environ['PATH']}",
        "PREFIX": str(prefix),
        "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"),
        "LD_RUN_PATH": str(prefix / "lib"),
    }
    environment.pop("XDG_STATE_HOME", None)
    return environment


def main():
    root, copy, directory = map(Path, sys.argv[1:])
    copy_tree(root, copy)
    environment = installing(directory)
    runner = Runner(root, copy, environment, SwiftPackage(copy), environment["HOME"])
    print(summary({page: runner.run_page(page) for page in PAGES}))


main()
