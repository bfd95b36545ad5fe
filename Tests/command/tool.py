"""Owns how the tests of the tool run it: in a directory of their own, through pipes or a pseudo-terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

TOOL = os.environ["FT_COMMAND"]
TMP = os.environ["FT_TMP"]
# Nothing here waits so long; what does is a failure.
LIMIT = 60


class Place:
    """A home of its own: HOME, an empty environment beside PATH, and the tool in it."""

    def __init__(self, **more):
        self.path = tempfile.mkdtemp(dir=TMP)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": self.path,
            "XDG_STATE_HOME": self.path + "/state",
            "TZ": "UTC",
            "LC_ALL": "C",
            **more,
        }

    def file(self, name):
        return os.path.join(self.path, name)

    def read(self, name):
        try:
            with open(self.file(name)) as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def start(self, *arguments, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("env", self.environment)
        return subprocess.Popen([TOOL, *arguments], cwd=self.path, **options)

    def run(self, *arguments, input=None, **options):
        """Exit status (shells' for signals), standard output and standard error as text."""
        if input is not None:
            options["stdin"] = subprocess.PIPE
        process = self.start(*arguments, **options)
        out, error = process.communicate(input, timeout=LIMIT)
        return status_of(process.returncode), (out or b"").decode(), (error or b"").decode()

    def check(self, *arguments, status=0, out=None, error=None, **options):
        """Runs it and compares all that is named; returns standard output."""
        found = self.run(*arguments, **options)
        same("status of %r (%s)" % (arguments, found[2]), found[0], status)
        if out is not None:
            same("output of %r" % (arguments,), found[1], out)
        if error is not None:
            same("errors of %r" % (arguments,), found[2], error)
        return found[1]

    def is_due(self, key, *spec):
        status = self.run("due", key, *spec)[0]
        assert status in (0, 1), status
        return status == 0


def status_of(code):
    return 128 - code if code < 0 else code


def same(what, found, expected):
    if found != expected:
        raise AssertionError("%s:\n  found    %r\n  expected %r" % (what, found, expected))


def wait_until(what, condition):
    """Waits for something that will come; how long that takes isn't judged."""
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.01)


def is_alive(process):
    """Whether there is such a process, zombies not counted."""
    try:
        with open("/proc/%d/stat" % process) as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(process):
    with open("/proc/%d/task/%d/children" % (process, process)) as file:
        return [int(child) for child in file.read().split()]


class Terminal:
    """The tool on a pseudo-terminal, in a session of its own."""

    def __init__(self, place, *arguments, columns=80, program=TOOL):
        self.text = b""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(place.path)
            os.execve(program, [program, *arguments], {"TERM": "xterm", **place.environment})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self, seconds=0.05):
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            part = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.text += part
        return bool(part)

    def expect(self, words):
        def has_come():
            self.read()
            return words in self.text.decode(errors="replace")

        wait_until("%r on the terminal" % words, has_come)

    def type(self, words):
        os.write(self.descriptor, words.encode())

    def end(self):
        """Exit status and all that was shown."""
        while True:
            self.read(0.01)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                break
        while self.read(0.01):
            pass
        os.close(self.descriptor)
        return status_of(os.waitstatus_to_exitcode(status)), self.text.decode().replace("\r\n", "\n")


def run_all(names):
    """Runs every function test_... of a module, in order, and prints a summary."""
    tests = [(name, test) for name, test in names.items() if name.startswith("test_")]
    if len(sys.argv) > 1:
        tests = [(name, test) for name, test in tests if name in sys.argv]
    for name, test in tests:
        began = time.monotonic()
        try:
            test()
        except BaseException:
            print("FAILED: " + name, flush=True)
            raise
        if os.environ.get("FT_VERBOSE"):
            print("%s %.1f s" % (name, time.monotonic() - began), flush=True)
    print("%d tests" % len(tests))


signal.alarm(280)
