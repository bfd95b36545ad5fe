"""Runs the driver, plain or under strace, in directories of its own. It knows neither what a store writes nor what is true.

A bench has one directory in which the store always has the same path, so that runs can be compared call by call.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
import read_plistlib  # noqa: E402
import plistlib  # noqa: E402

# Whoever takes as long waits for somebody who is dead.
LIMIT = 20


class Run:
    """What came of a program: the facts' lines and how it ended; status is None when it had to be stopped."""

    def __init__(self, lines, status, errors, trace=()):
        self.lines, self.status, self.errors, self.trace = lines, status, errors, trace

    @property
    def end(self):
        """How it ended, in words."""
        if self.status is None:
            return f"hangs: it was stopped after {LIMIT} s"
        how = f"ends by {signal.Signals(-self.status).name}" if self.status < 0 else f"exits with {self.status}"
        return f"{how} {self.errors}".strip()


class Driver:
    """A running driver. Its facts come by a socket, which the system keeps when it is killed."""

    def __init__(self, command):
        self.ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.PIPE,
                                        start_new_session=True)
        theirs.close()
        self.facts = b""

    def wait_for(self, fact):
        self.ours.settimeout(LIMIT)
        while fact not in self.facts.decode().split("\n"):
            piece = self.ours.recv(1 << 16)
            if not piece:
                raise RuntimeError(f"no {fact!r}: {self.facts.decode()}")
            self.facts += piece

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        return self.finish()

    def finish(self, limit=LIMIT):
        """Lets it go on, and waits for its end."""
        stopped = []

        def stop():
            stopped.append(True)
            os.killpg(self.process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        self.ours.settimeout(None)
        self.process.stdin.close()
        while piece := self.ours.recv(1 << 16):
            self.facts += piece
        errors = self.process.stderr.read().decode(errors="replace")
        status = self.process.wait()
        timer.cancel()
        self.ours.close()
        self.process.stderr.close()
        # A fact is one line; what has no newline was never said.
        return Run(self.facts.decode().split("\n")[:-1], None if stopped else status, errors)


class Bench:
    def __init__(self, driver, work):
        self.driver, self.work = driver, pathlib.Path(work)
        self.root = self.work / "root"
        self.path = self.root / "state" / "firsttime.archive"
        self.fires = self.work / "fires"  # what the driver's triggers write down first
        self.clock = 2_000_000_000
        self.work.mkdir(parents=True, exist_ok=True)

    def fresh(self, template=None):
        """An empty place, or a copy of one."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.fires.write_bytes(b"")
        if template:
            shutil.copytree(template, self.root, symlinks=True)
            shutil.copy(fires_of(template), self.fires)
        else:
            self.root.mkdir()
        self.clock = 2_000_000_000

    def keep(self, template):
        """Makes this place a template for others."""
        self.root.rename(template)
        self.fires.rename(fires_of(template))

    def command(self, operations, flags=None, path=None):
        """Each process's clock is later than that of the one before."""
        self.clock += 100_000
        return [str(self.driver), "-t", str(self.clock), "-s", str(self.fires), *(["-f", flags] if flags else []),
                str(path or self.path), *operations]

    def start(self, operations, flags=None):
        return self.start_command(self.command(operations, flags))

    def start_command(self, command):
        return Driver(command)

    def run(self, operations, flags=None, limit=LIMIT):
        return self.start(operations, flags).finish(limit)

    def trace(self, operations, flags=None, trace="all", *injections, more=()):
        """A run under strace."""
        file = self.work / "trace"
        command = ["strace", "-f", "-qq", "-y", "-s", "96", *more, "-o", str(file), "-e", "trace=" + trace,
                   "-e", "signal=none"]
        for injection in injections:
            command += ["-e", "inject=" + injection]
        run = Driver(command + self.command(operations, flags)).finish()
        run.trace = file.read_text(errors="replace").splitlines()
        return run

    def decode(self):
        return decode(self.path)


def fires_of(template):
    return template.with_name(template.name + "-fires")


def decode(path):
    """What Python's plistlib finds in the archive: of each key the version, of each event and trigger the count."""
    if not path.exists():
        return {}
    content = plistlib.loads(path.read_bytes())
    found = {key: record["lastVersion"] or "-" for key, record in read_plistlib.Archive(content).records().items()}
    for kind, table in (("event", "events"), ("trigger", "triggers")):
        found |= {f"{kind}:{name}": entry["count"] for name, entry in content.get("FirstTime", {}).get(table, {}).items()}
    return found


def decoded(state):
    """The same of a state."""
    return {key: value[0] if ":" in key else value[1] for key, value in state.items()}


class Call:
    """A system call that the store made: the `number`th of its name in the whole process."""

    def __init__(self, name, number, text, before, operation):
        self.name, self.number, self.text = name, number, text
        self.before = before  # facts that were said before it
        self.operation = operation  # the driver's call that it is made in

    def __str__(self):
        return f"{self.name} {self.number} in {self.operation}: {self.text}"


LINE = re.compile(r"^(\d+) +(\w+)\((.*)$")


def store_calls(trace, facts_too=False):
    """The calls that the store made: those between a "call" fact and its "done". `facts_too`: also the calls that say
    what happened meanwhile, which are moments inside callbacks and before the caller knows a result."""
    counts, calls, facts, operation = {}, [], 0, None
    for line in trace:
        match = LINE.match(line)
        if not match:
            continue
        _, name, rest = match.groups()
        counts[name] = counts.get(name, 0) + 1
        fact = re.match(r'1<[^>]*>, "(\w+) ?([^"\\]*)', rest) if name == "sendto" else None
        if fact:
            if facts_too and operation is not None:
                calls.append(Call(name, counts[name], rest, facts, operation))
            facts += 1
            if fact[1] == "call":
                operation = fact[2]
            elif fact[1] == "done":
                operation = None
        elif operation is not None:
            calls.append(Call(name, counts[name], rest, facts, operation))
    return calls
