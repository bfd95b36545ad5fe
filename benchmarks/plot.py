#!/usr/bin/env python3
"""Draws the growth curves of a run of benchmarks/run as SVG. Needs matplotlib (package python3-matplotlib).

    benchmarks/plot.py RESULTS.jsonl DIRECTORY
"""
import json
import os
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("benchmarks/plot.py: needs matplotlib: package python3-matplotlib")

matplotlib.use("svg")
# The same data give the same bytes, and text stays text.
matplotlib.rcParams["svg.hashsalt"] = "firsttime"
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plot

# (file, title, label of the y axis, what to take: section, what, threads)
FIGURES = [
    ("asking", "Asking: a key that has a record, one thread", "ns", ("asking", "hit", 1)),
    ("durable", "A first run, on disk when the call returns", "µs", ("durable", "first run", 1)),
    ("opening", "Opening, with one question", "ms", ("opening", "open, ask", 1)),
    ("checkpoint", "Writing the archive whole", "ms", ("archive", "checkpoint", 1)),
    ("decoding", "Reading an archive", "ms", ("decoding", "archive", 1)),
]
# One look for each of them in every figure.
LOOKS = {
    "FirstTime": ("#c1272d", "o", 2.4), "append+sync": ("#555555", "x", 1.2), "write+sync": ("#555555", "x", 1.2),
    "bare loop": ("#999999", "+", 1.0), "SQLite": ("#0f5c99", "s", 1.2),
    "LMDB": ("#2a8c4a", "^", 1.2), "stamp files": ("#a06a00", "v", 1.2),
    "GKeyFile": ("#7b4fa3", "D", 1.2), "Foundation": ("#e07b00", "P", 1.2), "libplist": ("#0f8f8f", "<", 1.2),
    "plistlib": ("#b04080", ">", 1.2),
}


def load(path):
    with open(path) as file:
        entries = [json.loads(line) for line in file]
    machine = next((entry for entry in entries if entry["kind"] == "machine"), {})
    return machine, [entry for entry in entries if entry["kind"] == "row"]


def draw(rows, title, unit, note, path):
    figure, axes = plot.subplots(figsize=(7.5, 4.6))
    for peer, (colour, marker, width) in LOOKS.items():
        points = sorted((row["keys"], row["median"], min(row["rounds"]), max(row["rounds"]))
                        for row in rows if row["peer"] == peer)
        if not points:
            continue
        keys, medians, least, most = zip(*points)
        axes.plot(keys, medians, color=colour, marker=marker, linewidth=width, markersize=5, label=peer)
        axes.fill_between(keys, least, most, color=colour, alpha=0.12, linewidth=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("keys")
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9)
    figure.text(0.01, 0.005, note, fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    machine, rows = load(sys.argv[1])
    note = (f"medians, and all rounds between the bands' edges; {machine.get('date')}, {machine.get('processor')}, "
            f"{machine.get('cores')} cores, {machine.get('file system')}, load at the start {machine.get('load')}")
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, title, unit, chosen in FIGURES:
        found = [row for row in rows if (row["section"], row["what"], row["threads"]) == chosen]
        if len({row["keys"] for row in found}) < 2:
            print(f"benchmarks/plot.py: nothing to draw for {name}: it takes two sizes", file=sys.stderr)
            continue
        path = os.path.join(sys.argv[2], name + ".svg")
        draw(found, title, unit, note, path)
        print(path)


main()
