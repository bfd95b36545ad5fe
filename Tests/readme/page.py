"""The fenced blocks of a page of documentation, and how they are marked. It runs nothing.

A mark is an HTML comment on the line directly before the fence:
  <!-- program: NAME.c -->   a c block: saved, and compiled as NAME; a later sh block runs it (./NAME), or else it is run at once
  <!-- file: NAME -->        saved only
  <!-- output -->            the exact output of the block before
  <!-- skip: REASON -->      not run, and counted
Without a mark c, sh and swift blocks are run. A block that is neither marked nor in one of these languages is a
failure: nothing is left out silently.
"""

import re
import sys
from dataclasses import dataclass

LANGUAGES = {"c", "sh", "swift"}
MARKS = {"", "program", "file", "output", "skip"}
BLOCK = re.compile(
    r"^(?:(?P<space> *)<!-- (?P<mark>[^\n]*?) -->\n)?(?P<indent> *)```(?P<language>\S*)\n(?P<text>.*?)^(?P=indent)```$",
    re.M | re.S,
)


@dataclass
class Block:
    where: str  # "docs/FAQ.md:12"
    language: str
    kind: str  # one of MARKS
    argument: str  # what follows the mark's colon
    text: str


def read_page(root, name):
    """The blocks of a page. Ends the program where one is none that can be run, saved, compared or skipped."""
    page = (root / name).read_text(encoding="utf-8")
    blocks = []
    for match in BLOCK.finditer(page):
        where = f"{name}:{page.count(chr(10), 0, match.start('language')) + 1}"
        kind, _, argument = (match["mark"] or "").partition(": ")
        if kind not in MARKS:
            sys.exit(f"{where}: <!-- {match['mark']} --> is no mark of a block")
        if kind in ("program", "file", "skip") and not argument:
            sys.exit(f"{where}: <!-- {kind} --> says nothing")
        if kind in ("", "program") and match["language"] not in LANGUAGES:
            sys.exit(f"{where}: a block in \"{match['language']}\" is run by nobody: give it a mark (Tests/readme/page.py)")
        if kind == "program" and match["language"] != "c":
            sys.exit(f"{where}: only a c block is a program")
        if kind == "output" and not blocks:
            sys.exit(f"{where}: output of nothing")
        blocks.append(Block(where, match["language"], kind, argument, match["text"]))
    fences = len(re.findall(r"^ *(?:```|~~~)", page, re.M))
    if fences != 2 * len(blocks):
        sys.exit(f"{name}: {fences} fences, but {len(blocks)} blocks")
    return blocks
