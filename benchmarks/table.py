#!/usr/bin/env python3
"""Shows the results of a run of benchmarks/run as tables, with ratios, and the targets: met, missed or not judged.

    benchmarks/table.py RESULTS.jsonl [--markdown]

A ratio is the median of the rounds' ratios, ours to the peer's in the same round. Only the standard library is needed.
"""
import json
import statistics
import sys

OURS = "FirstTime"
# Below this a "sync" reached no disk, and no durable row says anything.
LEAST_SYNC = 20.0


class Results:
    def __init__(self, path):
        self.rows, self.machine, self.settings, self.skipped = [], {}, {}, []
        with open(path) as file:
            for line in file:
                entry = json.loads(line)
                kind = entry.pop("kind")
                if kind == "row":
                    self.rows.append(entry)
                elif kind == "machine":
                    self.machine = entry
                elif kind == "settings":
                    self.settings[entry["peer"]] = entry["text"]
                else:
                    self.skipped.append((entry["what"], entry["why"]))

    def find(self, section, what, peer, keys=None, threads=1):
        for row in self.rows:
            if (row["section"], row["what"], row["peer"], row["threads"]) == (section, what, peer, threads):
                if keys is None or row["keys"] == keys:
                    return row
        return None

    def sync(self):
        """The bare sync's median in microseconds, over all rows of it by one thread; None: not measured."""
        medians = [row["median"] for row in self.rows if row["peer"] == "append+sync" and row["threads"] == 1]
        return min(medians) if medians else None


def ratio(row, other):
    """The median of the rounds' ratios; rounds without a partner are left out."""
    pairs = [one / two for one, two in zip(row["rounds"], other["rounds"]) if two > 0]
    return statistics.median(pairs) if pairs else float("nan")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(title, heads, lines, markdown):
    widths = [max(len(str(line[column])) for line in [heads, *lines]) for column in range(len(heads))]
    print(f"\n### {title}\n" if markdown else f"\n{title}")
    for index, line in enumerate([heads, *lines]):
        cells = [str(cell).ljust(width) for cell, width in zip(line, widths)]
        print("| " + " | ".join(cells) + " |" if markdown else "  " + "  ".join(cells).rstrip())
        if markdown and index == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


TITLES = {
    "asking": "Asking whether a key has a record",
    "durable": "A first run, on disk when the call returns (group commit: from one to the next, of all threads)",
    "opening": "Opening, with one question",
    "decoding": "Reading an archive",
    "memory": "Memory of the process for each key, beyond the key's own bytes",
    "archive": "Checkpoint and import, beside the same bytes written bare",
    "pauses": "What a checkpoint holds up (RELAXED commits: no figure for the disk)",
    "start-up": "A whole C process: open, ask, close, exit, with 100 keys",
    "size": "The library",
}


def groups(rows):
    """Rows that may be compared: measured in the same rounds."""
    found = {}
    for row in rows:
        found.setdefault((row["what"], row["keys"], row["threads"]), []).append(row)
    return found.values()


def show_section(results, section, markdown):
    lines = []
    for group in groups([row for row in results.rows if row["section"] == section]):
        ours = next((row for row in group if row["peer"].startswith(OURS)), None)
        for row in group:
            compared = ours is not None and row is not ours and len(group) > 1
            lines.append((
                row["what"], f"{row['keys']:,}", row["threads"], row["peer"], f"{number(row['median'])} {row['unit']}",
                f"{number(min(row['rounds']))} to {number(max(row['rounds']))}",
                number(row["p99"]) if row.get("p99") else "",
                f"{row['bytes'] / row['median'] / 1e3:,.0f} MB/s" if row.get("bytes") and row["unit"] == "ms" else "",
                f"{1 / ratio(ours, row):.2f} x" if compared else ""))
    if lines:
        heads = ("what", "keys", "threads", "who", "median", "of the rounds", "99 %", "rate", "to ours")
        kept = [index for index in range(len(heads)) if index < 6 or any(line[index] for line in lines)]
        table(TITLES[section], [heads[index] for index in kept], [[line[index] for index in kept] for line in lines],
              markdown)


def targets(results):
    """(what, reach, measured or None, unit, limit, durable)"""
    find = results.find

    def compare(row, other):
        return ratio(row, other) if row and other else None

    hit = find("asking", "hit", OURS, 1000)
    yield "asking, 1,000 keys", hit and hit["median"], " ns", 80, False
    # Beside what two threads cost each other here that share nothing.
    slowed, bare = (compare(find("asking", "hit", peer, 1000, 2), find("asking", "hit", peer, 1000))
                    for peer in (OURS, "bare loop"))
    yield "asking, 2 threads to 1, beside the bare loop", slowed and bare and slowed / bare, " x", 1.2, False
    million = find("asking", "hit", OURS, 1000000)
    yield "asking, 1,000,000 keys, to LMDB", compare(million, find("asking", "hit", "LMDB", 1000000)), " x", 0.7, False
    for keys in (10, 1000, 100000, 1000000):
        pair = [find("durable", "first run", peer, keys) for peer in (OURS, "append+sync")]
        yield f"durable first run, {keys:,} keys, to append + fdatasync", compare(*pair), " x", 1.2, True
    opened = find("opening", "open, ask", OURS, 1000000)
    yield "open, 1,000,000 keys", opened and opened["median"] / 1e3, " s", 0.7, False
    empty = find("start-up", "whole process", "empty-C")
    for linked in ("static", "shared"):
        started = compare(find("start-up", "whole process", f"store-{linked}"), empty)
        yield f"C program, {linked}, to an empty one", started, " x", 1.5, False
    size = find("size", "shared library", OURS)
    yield "shared library", size and size["median"], " bytes", 409600, False
    for keys in (100000, 1000000):
        memory = find("memory", "beyond the key", OURS, keys)
        yield f"memory a key, {keys:,} keys", memory and memory["median"], " bytes", 120, False
    for keys in (10000, 100000, 1000000):
        pair = [find("pauses", "longest commit", peer, keys, 2) for peer in (f"{OURS} RELAXED", "write+sync")]
        yield f"longest commit, {keys:,} keys, to the archive written bare", compare(*pair), " x", 2, True


def show_targets(results, markdown):
    sync, lines = results.sync(), []
    for what, measured, unit, limit, durable in targets(results):
        if measured is None:
            verdict = "not measured"
        elif durable and (sync is None or sync < LEAST_SYNC):
            verdict = "NOT JUDGED"
        else:
            verdict = "met" if measured <= limit else "MISSED"
        lines.append((what, f"<= {limit:,}{unit}", "" if measured is None else number(measured) + unit, verdict))
    table("Targets", ("what", "reach", "measured", "verdict"), lines, markdown)
    if sync is not None and sync < LEAST_SYNC:
        print(f"\nA bare fdatasync takes {sync:.1f} us here: no disk is behind it, and durable rows say nothing.")


def main():
    markdown = "--markdown" in sys.argv
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(paths) != 1:
        sys.exit(__doc__)
    results = Results(paths[0])
    mark = "- " if markdown else "  "
    print("\n### The machine\n" if markdown else "\nThe machine")
    for name, value in results.machine.items():
        print(f"{mark}{name}: {value}")
    sync = results.sync()
    print(f"{mark}bare append and fdatasync, median: " + ("not measured" if sync is None else f"{sync:.0f} us"))
    for peer, text in results.settings.items():
        print(f"{mark}{peer}: {text}")
    for section in TITLES:
        show_section(results, section, markdown)
    show_targets(results, markdown)
    if results.skipped:
        print("\n### NOT MEASURED\n" if markdown else "\nNOT MEASURED")
        for what, why in dict.fromkeys(results.skipped):
            print(f"{mark}{what}: {why}")


main()
