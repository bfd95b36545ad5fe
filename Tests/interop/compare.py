"""Runs a reader over archives and compares what it reads, to the bit, with what is expected.

usage: compare.py NAME (--directory DIRECTORY | --manifest MANIFEST.tsv) -- COMMAND [ARGUMENT...]
The reader COMMAND gets one file as its last argument and prints the records as JSON (see read_plistlib.py).
  --directory  every NAME.archive in it, expected: NAME.json beside it
  --manifest   the legacy fixtures: every binary archive of the table, expected: its fourth column
Known limits of readers stand in exceptions.tsv. A reader that has lost such a limit fails too: the line must go.
Prints each disagreement, then a one-line summary.
"""

import csv
import fnmatch
import json
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

csv.field_size_limit(1 << 30)


def bits(time):
    return None if time is None else struct.pack("<d", float(time)).hex()


def normalized(records):
    return {key: (record["lastVersion"], bits(record["lastTime"])) for key, record in records.items()}


def from_directory(directory):
    for archive in sorted(Path(directory).glob("*.archive")):
        yield archive.name, archive, archive.with_suffix(".json").read_text(encoding="utf-8")


def from_manifest(manifest):
    with open(manifest, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["form"] == "binary":
                yield row["file"], Path(manifest).parent / row["file"], row["expected"]


def exceptions(reader):
    with open(Path(__file__).with_name("exceptions.tsv"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, pattern, verdict, _ = line.rstrip("\n").split("\t")
                if name in (reader, "*"):
                    yield pattern, verdict


def difference(expected, records, partial):
    """None when equal, else what differs first."""
    if not partial and records.keys() - expected.keys():
        return f"reads too much: {sorted(records.keys() - expected.keys())[:3]}"
    for key, record in expected.items():
        if key not in records:
            return f"does not read {key!r}"
        if records[key] != record:
            return f"{key!r}: expected {record}, read {records[key]}"
    return None


def read(command, path):
    """What the reader says: (records, None) or (None, why not)."""
    result = subprocess.run([*command, path], capture_output=True, timeout=120)
    if result.returncode != 0:
        errors = result.stderr.decode("utf-8", "replace").strip().splitlines()
        return None, f"exit status {result.returncode}: {errors[-1] if errors else 'no message'}"
    return normalized(json.loads(result.stdout)), None


def check(name, path, expected, command, known):
    verdict = next((verdict for pattern, verdict in known if fnmatch.fnmatchcase(name, pattern)), None)
    if verdict == "unstable":
        return "exception", None
    records, problem = read(command, path)
    if problem is None:
        problem = difference(normalized(json.loads(expected)), records, partial=verdict == "partial")
    if verdict == "differs":
        return ("exception", None) if problem else ("wrong", "agrees now: take it out of exceptions.tsv")
    return ("wrong", problem) if problem else ("agreed", None)


def main():
    split = sys.argv.index("--")
    reader, source, place = sys.argv[1:split]
    command = sys.argv[split + 1 :]
    archives = list({"--directory": from_directory, "--manifest": from_manifest}[source](place))
    if not archives:
        sys.exit(f"no archive in {place}")
    known = list(exceptions(reader))

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda archive: check(*archive, command, known), archives))
    counts = {"agreed": 0, "exception": 0, "wrong": 0}
    for (name, _, _), (outcome, problem) in zip(archives, outcomes):
        counts[outcome] += 1
        if problem:
            print(f"{reader}: {name}: {problem}")
    print(f"{counts['agreed']} archives agree, {counts['exception']} known exceptions")
    sys.exit(1 if counts["wrong"] else 0)


main()
