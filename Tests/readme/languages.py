"""Runs the programs that docs/LANGUAGES.md shows, as it says, and those of the bindings' READMEs.

usage: languages.py ROOT DIRECTORY STATE
  DIRECTORY  kept between runs, so that builds in it are incremental; FirstTime in it is a link to ROOT
  STATE      a directory for the stores' files

A section of the page has its files, each after <!-- file: NAME -->, and one sh block that builds and runs them, in a
directory of the section's own. It runs twice: with a fresh state, where it says everything, and with one that all
sections share, where only the first says anything. A program of a README, after <!-- run -->, takes the place of the
section's own.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
EXPECTED = "Welcome!\nNew in 2.1: rules.\nTip: press F1.\n"
# Whose README has a program: where it is, and what it is called there.
READMES = {
    "Python": ("bindings/python", "greeter.py"),
    "Rust": ("bindings/rust", "src/main.rs"),
    "Go": ("bindings/examples/go", "main.go"),
    "Java": ("bindings/examples/java", "Greeter.java"),
}


def run(section, directory, command, state):
    result = subprocess.run(
        ["bash", "-euc", command],
        cwd=directory,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if result.returncode != 0:
        sys.exit(f"{section}: exit status {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    root, directory, state = map(Path, sys.argv[1:])
    link = directory / "FirstTime"
    if not link.is_symlink():
        link.symlink_to(root)
    page = (root / "docs" / "LANGUAGES.md").read_text()
    preamble, *sections = re.split(r"^## ", page, flags=re.M)
    flags = next(block["text"] for block in BLOCK.finditer(preamble))
    ran, readmes, left_out = [], 0, []
    for section in sections:
        name = section.splitlines()[0]
        blocks = list(BLOCK.finditer(section))
        commands = [flags + block["text"] for block in blocks if block["language"] == "sh"]
        if not commands:
            continue
        if name == "Objective-C" and not (root / "bindings" / "objc").is_dir():
            left_out.append(name)
            continue
        own = directory / name.lower().replace("+", "p")
        files = {
            block["mark"].split(": ")[1]: block["text"]
            for block in blocks
            if (block["mark"] or "").startswith("file: ")
        }
        for file, text in files.items():
            write(own / file, text)
        for kind, expected in [(name, EXPECTED), ("shared", "" if ran else EXPECTED)]:
            output = run(name, own, commands[0], state / kind)
            if output != expected:
                sys.exit(f"{name}, with the state {kind}, said {output!r}, not {expected!r}")
        ran.append(name)
        if name in READMES:
            binding, program = READMES[name]
            text = (root / binding / "README.md").read_text()
            block = next(block["text"] for block in BLOCK.finditer(text) if block["mark"] == "run")
            write(own / program, block.replace("class Main", "class Greeter"))
            output = run(f"{binding}/README.md", own, commands[0], state / "readme" / name)
            if not output.startswith("Welcome!\n"):
                sys.exit(f"{binding}/README.md said {output!r}")
            readmes += 1
    print(
        f"{len(ran)} languages, {readmes} programs of READMEs"
        + "".join(f"; no binding for {name}" for name in left_out)
    )


main()
