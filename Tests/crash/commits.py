#!/usr/bin/env python3
"""Counts the system calls of the program `commits` in each of its phases: what a commit, a question and a flush cost.

usage: commits.py PROGRAM DIRECTORY IMPORT
"""

import collections
import os
import pathlib
import re
import subprocess
import sys

THREADS_COMMITS = 8 * 50
# Long enough for other threads to write meanwhile: their commits then share the next sync.
SYNC_TAKES = 8000  # microseconds


def traced(program, directory, source):
    trace = directory / "trace"
    command = ["strace", "-f", "-qq", "-y", "-s", "48", "-o", trace, "-e", "signal=none",
               "-e", f"inject=fdatasync:delay_enter={SYNC_TAKES}", program, directory / "store", source]
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"exit status {run.returncode}: {run.stderr}")
    return trace.read_text(errors="replace").splitlines()


def phases(lines):
    """Phase -> call -> how often; writes to the journal are "append"."""
    counts, phase = collections.defaultdict(collections.Counter), "setup"
    for line in lines:
        match = re.match(r"\d+ +(\w+)\((.*)", line)
        if not match:
            continue
        name, rest = match.groups()
        if name == "write" and (begun := re.match(r'1<[^>]*>, "phase (\w+)', rest)):
            phase = begun[1]
            continue
        if name == "pwrite64" and re.match(r"\d+<[^>]*-journal>", rest):
            name = "append"
        counts[phase][name] += 1
    return counts


def main():
    program, directory, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    os.makedirs(directory, exist_ok=True)
    counts = phases(traced(program, directory, source))
    wrong = []

    def require(phase, what, call, least, most):
        found = sum(counts[phase].values()) if call is None else counts[phase][call]
        if not least <= found <= most:
            wrong.append(f"{what}: {found}, not {least} to {most}: {dict(counts[phase])}")
        return found

    require("threads", "writes for 400 commits", "append", THREADS_COMMITS, THREADS_COMMITS)
    syncs = require("threads", "syncs for 400 commits of 8 threads", "fdatasync", 50, THREADS_COMMITS // 2)
    require("threads", "other syncs", "fsync", 0, 0)
    for phase in ("import", "prefix"):
        require(phase, f"{phase}: writes for one commit of many keys", "append", 1, 1)
        require(phase, f"{phase}: all writes", "pwrite64", 0, 0)
        require(phase, f"{phase}: syncs for one commit of many keys", "fdatasync", 1, 1)
        require(phase, f"{phase}: other syncs", "fsync", 0, 0)
    require("relaxed", "writes for 100 relaxed commits", "append", 100, 100)
    require("relaxed", "syncs of relaxed commits", "fdatasync", 0, 0)
    require("relaxed", "other syncs of relaxed commits", "fsync", 0, 0)
    # The archive, its directory, the journal, its directory.
    require("flush", "syncs of a flush after relaxed commits", "fsync", 4, 4)
    # The files are looked at once a second.
    questions = require("questions", "calls for 100,000 questions", None, 0, 40)
    for text in wrong:
        print(text)
    print(f"{THREADS_COMMITS} commits of 8 threads: {counts['threads']['append']} writes, {syncs} syncs; "
          f"100,000 questions: {questions} calls")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
