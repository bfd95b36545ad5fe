"""The runner of pages (page.py, runner.py) refuses what it must: each page here has one fault, and the first has none.

usage: faults.py DIRECTORY
"""

import sys
from pathlib import Path

from runner import Runner

SOUND = "<!-- file: note.txt -->\n```\nhello\n```\n\n```sh\ncat note.txt\n```\n\n<!-- output -->\n```\nhello\n```\n"
FAULTS = {
    "a language that nobody runs": ("```python\nprint()\n```\n", "is run by nobody"),
    "no language": ("```\ntext\n```\n", "is run by nobody"),
    "another output": (SOUND.replace("hello\n```\n", "hullo\n```\n", 1), "expected"),
    "a command that fails": ("```sh\nfalse\n```\n", "exit status 1"),
    "a command that fails in the middle": ("```sh\nfalse | cat\ntrue\n```\n", "exit status 1"),
    "no reason": ("<!-- skip: -->\n```sh\ntrue\n```\n", "is no mark"),
    "an unknown mark": ("<!-- silently -->\n```sh\ntrue\n```\n", "is no mark"),
    "output of nothing": ("<!-- output -->\n```\n```\n", "output of nothing"),
    "a fence that never ends": (SOUND + "```sh\ntrue\n", "fences"),
    "other fences": (SOUND + "~~~sh\ntrue\n~~~\n", "fences"),
    "nothing to run": ("<!-- file: a -->\n```\n```\n", "no block"),
    "a warning of the compiler": ("```c\nint main(void) { int unused; return 0; }\n```\n", "unused"),
}


def run(directory, text):
    (directory / "page.md").write_text(text, encoding="utf-8")
    return Runner(directory, directory, None).run_page("page.md")


def main():
    directory = Path(sys.argv[1])
    directory.mkdir()
    if run(directory, SOUND) != {"saved": 1, "run": 1, "compared": 1}:
        sys.exit("a sound page is not run as it should be")
    for name, (text, expected) in FAULTS.items():
        try:
            run(directory, text)
        except SystemExit as failure:
            if expected not in str(failure.code):
                sys.exit(f"{name}: it failed by: {failure.code}")
        else:
            sys.exit(f"{name}: it did not fail")


main()
