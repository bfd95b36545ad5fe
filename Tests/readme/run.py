"""Runs what README.md tells its readers to run, in a copy of the tree.

usage: run.py ROOT COPY PROGRAMS OBJECTS
  COPY      kept between runs, so that a build in it is incremental
  PROGRAMS  a directory for compiled programs;  OBJECTS  the list of the library's objects, for the linker

A fenced block is run by its language, or by an HTML comment on the line directly before the fence:
  ```sh that starts with `make` or `cc`   run with bash in the copy (lines `make test` and `make check` are left out:
                                          this suite is part of them)
  ```c with a main function               compiled, linked and run
  ```swift                                run as the main file of a package that depends on the copy by path
  <!-- run -->                            an sh block that starts with something else
  <!-- program: hello.c -->               a c block: also saved as hello.c in the copy, for later sh blocks
  <!-- file: NAME -->                     any block: only saved in the copy
  <!-- output -->                         the exact output of the block before
  <!-- skip: REASON -->                   not run
What a block installs goes to a prefix beside PROGRAMS, where its later lines find it, too; `sudo` only runs its command.
Prints the first failure, or a one-line summary. No block to run is a failure.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

LEFT_OUT = {".git", ".build", ".swiftpm"}
BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S
)


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


def run(command, what, directory, **more):
    result = subprocess.run(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if result.returncode != 0:
        sys.exit(f"{what} failed with exit status {result.returncode}:\n{result.stdout}")
    return result.stdout


def installing(directory):
    """The environment in which `sudo make install` and what follows work for everyone: what the loader's cache is for the
    system's directories, a path in the program is for this one."""
    sudo = directory / "bin" / "sudo"
    sudo.parent.mkdir(parents=True)
    sudo.write_text('#!/bin/sh\nexec "$@"\n')
    sudo.chmod(0o755)
    prefix = directory / "prefix"
    return {
        **os.environ,
        "PATH": f"{sudo.parent}:{os.environ['PATH']}",
        "PREFIX": str(prefix),
        "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"),
        "LD_RUN_PATH": str(prefix / "lib"),
    }


class Readme:
    def __init__(self, root, copy, programs, objects):
        self.text = (root / "README.md").read_text(encoding="utf-8")
        self.copy, self.programs, self.objects = copy, programs, objects
        self.environment = installing(programs.parent / "installing")
        self.ran = self.compared = 0
        self.output = None

    def run_blocks(self):
        for match in BLOCK.finditer(self.text):
            what = f"README.md:{self.text.count(chr(10), 0, match.start('language')) + 1}: ```{match['language']}"
            self.run_block(what, match["language"], match["mark"] or "", match["text"])
        if not self.ran:
            sys.exit("README.md has no block that could be run")

    def run_block(self, what, language, mark, text):
        kind, _, argument = mark.partition(": ")
        if kind in ("file", "program"):
            (self.copy / argument).write_text(text, encoding="utf-8")
        if kind in ("skip", "file"):
            return
        if kind == "output":
            if self.output != text:
                sys.exit(f"{what}: expected\n{text}got\n{self.output}")
            self.compared += 1
        elif language == "c" and (kind == "program" or re.search(r"\bmain\s*\(", text)):
            self.run_program(what, argument or f"block{self.ran}.c", text)
        elif language == "swift":
            self.run_swift(what, text)
        elif language == "sh" and (kind == "run" or text.startswith(("make", "cc "))):
            lines = [line for line in text.splitlines() if not re.match(r"\s*make (test|check)\b", line)]
            self.output = run(["bash", "-euc", "\n".join(lines)], what, self.copy, env=self.environment)
            self.ran += 1

    def run_swift(self, what, text):
        package = self.copy.parent / "readme-package"
        sources = package / "Sources" / "App"
        sources.mkdir(parents=True, exist_ok=True)
        (package / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            f'let package = Package(name: "App", dependencies: [.package(name: "FirstTime", path: "{self.copy}")], targets: ['
            '.executableTarget(name: "App", dependencies: ["FirstTime"])])\n',
            encoding="utf-8",
        )
        (sources / "main.swift").write_text(text, encoding="utf-8")
        self.output = run(["swift", "run", "--quiet", "--package-path", package, "App"], what, self.programs)
        self.ran += 1

    def run_program(self, what, name, text):
        source = self.programs / name
        source.write_text(text, encoding="utf-8")
        program = source.with_suffix("")
        compiler = os.environ.get("CC", "cc")
        run(
            [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", self.copy / "include", "-o", program, source,
             f"@{self.objects}", "-lm"],
            what,
            self.programs,
        )  # fmt: skip
        self.output = run([program], what, self.programs)
        self.ran += 1


def main():
    root, copy, programs, objects = map(Path, sys.argv[1:])
    copy_tree(root, copy)
    readme = Readme(root, copy, programs, objects)
    readme.run_blocks()
    print(f"{readme.ran} blocks run, {readme.compared} outputs compared")


main()
