"""Clocks and version providers: what they raise, how long they are kept."""

import gc
import threading
import unittest
import weakref
from datetime import datetime, timezone
from unittest import mock

import firsttime
from firsttime import _calls
from support import StoreTest, must_not_run


class Kept:
    """A function that can be told to be gone."""

    def __init__(self, result):
        self.result = result

    def __call__(self):
        return self.result


class Clocks(StoreTest):
    def test_a_clock_gives_datetimes_or_seconds(self):
        store = self.in_memory()
        for time in [1000.5, 1000, datetime.fromtimestamp(1000.25, timezone.utc), datetime.fromtimestamp(1000.25)]:
            store.set_clock(lambda: time)
            store.mark("key")
            seconds = time.timestamp() if isinstance(time, datetime) else time
            self.assertEqual(store.last_execution("key").timestamp(), seconds)
        store.set_clock(None)
        self.assertTrue(store.is_due("key", firsttime.Policy(per_interval=firsttime.Interval.days(1))))

    def test_what_it_raises_passes_through_before_anything_runs(self):
        store = self.in_memory()
        store.set_clock(lambda: 1 // 0)
        for call in [
            lambda: store.mark("key"),
            lambda: store.execute_once("key", must_not_run),
            lambda: store.begin("key"),
        ]:
            self.assertRaises(ZeroDivisionError, call)
        store.set_clock(lambda: "no time")
        self.assertRaises(ValueError, lambda: store.mark("key"))
        self.assertFalse(store.was_executed("key"))

    def test_it_is_kept_until_it_is_replaced_or_the_store_is_closed(self):
        before = len(_calls.contexts)
        store = self.in_memory()
        clock, provider = Kept(5.0), Kept("1.0")
        kept = [weakref.ref(clock), weakref.ref(provider)]
        store.set_clock(clock)
        store.set_version_provider(provider)
        del clock, provider
        gc.collect()
        store.mark("key")
        self.assertEqual(store.find("key").last_version, "1.0")
        store.set_clock(None)
        gc.collect()
        self.assertEqual([each() is None for each in kept], [True, False])
        store.close()
        gc.collect()
        self.assertEqual([each() is None for each in kept], [True, True])
        self.assertEqual(len(_calls.contexts), before)


class Versions(StoreTest):
    def test_a_provider_gives_text_or_none(self):
        store = self.in_memory(app_version="1.0")
        for version in ["2.0", None, "a much longer version, with an ü in it"]:
            store.set_version_provider(lambda: version)
            store.mark("key")
            self.assertEqual(store.find("key").last_version, version)
        store.set_version_provider(None)
        store.mark("key")
        self.assertEqual(store.find("key").last_version, "1.0")

    def test_what_it_raises_passes_through_before_anything_runs(self):
        store = self.in_memory()
        for provider, kind in [(lambda: 1 // 0, ZeroDivisionError), (lambda: 5, TypeError), (lambda: "\0", ValueError)]:
            store.set_version_provider(provider)
            self.assertRaises(kind, lambda: store.execute_once_per_version("key", must_not_run))

    def test_each_thread_gets_its_own(self):
        store = self.in_memory()
        store.set_version_provider(lambda: threading.current_thread().name)

        def record():
            name = threading.current_thread().name
            for _ in range(100):
                store.mark(name)
                assert store.find(name).last_version == name

        errors = []
        with mock.patch("threading.excepthook", errors.append):
            threads = [threading.Thread(target=record) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
