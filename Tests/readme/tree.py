"""Copies the tree to where what a README tells its readers may be done to it."""

import os
import subprocess

LEFT_OUT = {".git", ".build", ".swiftpm"}


def copy_tree(source, copy):
    """Makes COPY equal to SOURCE and touches only what differs, as its build would start over otherwise."""
    copy.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in source.iterdir()} - LEFT_OUT
    for stale in [entry for entry in copy.iterdir() if entry.name not in names | LEFT_OUT]:
        subprocess.run(["rm", "-rf", stale], check=True)
    for name in names:
        origin, target = source / name, copy / name
        if origin.is_symlink():
            if not target.is_symlink() or os.readlink(target) != os.readlink(origin):
                subprocess.run(["rm", "-rf", target], check=True)
                target.symlink_to(os.readlink(origin))
        elif origin.is_dir():
            copy_tree(origin, target)
        elif not target.exists() or target.read_bytes() != origin.read_bytes():
            target.write_bytes(origin.read_bytes())
            target.chmod(origin.stat().st_mode)
