"""What the tests share: a directory and a store of a test's own."""

import tempfile
import unittest
from datetime import datetime, timedelta, timezone

import firsttime

NOW = datetime(2023, 11, 14, 22, 13, 20, 250000, timezone.utc)


class StoreTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="firsttime-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.path = self.directory + "/store.archive"

    def open(self, **options):
        """A store in this test's file."""
        options.setdefault("relaxed", True)
        store = firsttime.Store(options.pop("path", self.path), **options)
        self.addCleanup(store.close)
        return store

    def in_memory(self, **options):
        store = firsttime.Store(in_memory=True, **options)
        self.addCleanup(store.close)
        return store

    def at(self, time=NOW, **options):
        """A store in memory whose clock stands still, in UTC; move it by `self.now`."""
        self.now = time
        store = self.in_memory(utc_offset=timedelta(0), **options)
        store.set_clock(lambda: self.now)
        return store


def must_not_run():
    raise AssertionError("this must not run")
