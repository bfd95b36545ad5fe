"""The links of README.md, CONTRIBUTING.md and docs/ lead somewhere: to files of the tree, and to headings of pages.

usage: links.py ROOT
"""

import re
import sys
from pathlib import Path

FENCED = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page):
    """The headings as GitHub names them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    names = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", name.lower()).strip().replace(" ", "-") for name in names}


def main():
    root = Path(sys.argv[1])
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]
    count, wrong = 0, []
    for page in pages:
        for link in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or anchor and anchor not in anchors(target):
                wrong.append(f"{page.relative_to(root)}: {link}")
    if wrong or not count:
        sys.exit("links that lead nowhere:\n" + "\n".join(wrong))
    print(f"{count} links")


main()
