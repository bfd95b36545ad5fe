"""Runs the blocks of pages (page.py) in a directory and an environment that a test has prepared.

A block that fails, or whose output differs from what the page shows, ends the program with the place and what was said.
"""

import re
import subprocess
import sys
from collections import Counter

from page import read_page


def run(command, where, directory, environment=None):
    """What a command says. Ends the program when it fails."""
    result = subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if result.returncode != 0:
        sys.exit(f"{where} failed with exit status {result.returncode}:\n{result.stdout}")
    return result.stdout


class Runner:
    """directory: where blocks are run, and their files are; environment: theirs; swift: how a Swift block is built, a
    function of its text that returns the program; home: what is /home/you on the page."""

    def __init__(self, root, directory, environment, swift=None, home=None):
        self.root, self.directory, self.environment = root, directory, environment
        self.swift, self.home = swift, home
        self.output = None

    def run_page(self, name):
        """Returns how many of its blocks were run, compared, saved and skipped."""
        blocks = read_page(self.root, name)
        counts = Counter()
        for index, block in enumerate(blocks):
            if block.kind in ("file", "program"):
                (self.directory / block.argument).write_text(block.text, encoding="utf-8")
            if block.kind == "output":
                self.compare(block)
                counts["compared"] += 1
            elif block.kind == "skip":
                counts["skipped"] += 1
            elif block.kind == "file":
                counts["saved"] += 1
            else:
                later = [later.text for later in blocks[index:] if later.language == "sh" and later.kind == ""]
                self.output = self.run_block(block, index, later)
                counts["run"] += 1
        if not counts["run"] + counts["skipped"]:
            sys.exit(f"{name} has no block that could be run")
        return counts

    def compare(self, block):
        said = self.output or ""
        if self.home:
            said = said.replace(str(self.home), "/home/you")
        if said != block.text:
            sys.exit(f"{block.where}: expected\n{block.text}got\n{said}")

    def run_block(self, block, index, later):
        if block.language == "sh":
            return run(["bash", "-euo", "pipefail", "-c", block.text], block.where, self.directory, self.environment)
        if block.language == "swift":
            return run([self.swift(block)], block.where, self.directory, self.environment)
        return self.run_program(block, block.argument or f"block{index}.c", later)

    def run_program(self, block, name, later):
        """Compiles a C program against the installed library; runs it unless a later sh block does."""
        program = name.removesuffix(".c")
        (self.directory / name).write_text(block.text, encoding="utf-8")
        compile_command = (
            f"${{CC:-cc}} -std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE {name} -o {program}"
            " $(pkg-config --cflags --libs firsttime) -pthread"
        )
        said = run(["bash", "-euc", compile_command], block.where, self.directory, self.environment)
        if any(re.search(rf"\./{re.escape(program)}(?![\w.-])", text) for text in later):
            return said
        return run([f"./{program}"], block.where, self.directory, self.environment)


def summary(counts):
    """One line: the pages with what was done."""
    return "; ".join(
        f"{name}: " + ", ".join(f"{number} {what}" for what, number in sorted(done.items()))
        for name, done in counts.items()
    )
