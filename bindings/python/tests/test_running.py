"""Running functions: outcomes, what they raise, claims, decorators, threads."""

import ctypes
import gc
import signal
import threading
import unittest
from datetime import timedelta
from unittest import mock

import firsttime
from firsttime import Interval, Outcome, Policy, _library
from support import StoreTest, must_not_run


class Running(StoreTest):
    def test_each_outcome(self):
        store = self.in_memory(app_version="1.0")
        runs = []
        self.assertEqual(store.execute_once("key", lambda: runs.append(1)), Outcome.RAN)
        self.assertEqual(store.execute_once("key", must_not_run), Outcome.NOT_DUE)
        self.assertEqual(store.execute_once("key", must_not_run, lambda: runs.append(2)), Outcome.RAN_AFTER)
        self.assertEqual(runs, [1, 2])
        self.assertEqual(store.execute_once_per_version("version", lambda: None), Outcome.RAN)
        self.assertEqual(store.execute_once_per_version("version", must_not_run), Outcome.NOT_DUE)
        self.assertEqual(store.execute_once_per_interval("interval", timedelta(days=1), lambda: None), Outcome.RAN)
        self.assertEqual(store.execute_once_per_interval("interval", Interval.daily(), must_not_run), Outcome.NOT_DUE)
        policy = Policy(per_version=True, per_interval=timedelta(hours=1), no_wait=True)
        self.assertEqual(store.execute("policy", policy, lambda: None), Outcome.RAN)
        self.assertEqual(store.execute("seen", Policy(baseline=True), must_not_run), Outcome.BASELINED)

    def test_what_a_function_returns_is_ignored(self):
        store = self.in_memory()
        for index, value in enumerate([False, 1, "text", None, Exception("returned")]):
            self.assertEqual(store.execute_once(str(index), lambda: value), Outcome.RAN)

    def test_what_a_function_raises_passes_through_and_nothing_is_recorded(self):
        store = self.in_memory()
        for error in [ValueError("x"), KeyboardInterrupt(), SystemExit(3), GeneratorExit()]:

            def first():
                raise error

            with self.assertRaises(type(error)) as raised:
                store.execute_once("key", first)
            self.assertIs(raised.exception, error)
            self.assertFalse(store.was_executed("key"))
            with self.assertRaises(type(error)):
                store.execute("careful", Policy(at_most_once=True), first)
            self.assertFalse(store.was_executed("careful"))
        store.mark("key")
        with self.assertRaises(ZeroDivisionError):
            store.execute_once("key", must_not_run, lambda: 1 // 0)
        self.assertEqual(store.find("key").count, 1)

    def test_calls_inside_of_calls_keep_their_own_errors(self):
        store = self.in_memory()

        def outer():
            with self.assertRaises(ZeroDivisionError):
                store.execute_once("inner", lambda: 1 // 0)
            with self.assertRaises(firsttime.ReentrantError):
                store.execute_once("outer", must_not_run)
            with self.assertRaises(firsttime.ArgumentError):
                store.mark("")
            with self.assertRaises(firsttime.ReentrantError):
                store.close()
            store.mark("other")

        self.assertEqual(store.execute_once("outer", outer), Outcome.RAN)
        self.assertTrue(store.was_executed("other"))
        with self.assertRaises(firsttime.ArgumentError):
            store.execute_once("passes", lambda: store.mark(""))

    def test_a_signal_just_before_the_function_begins_is_not_a_run(self):
        # A version provider in C that raises a signal: Python sees it when the library calls back next.
        raise_signal = _library.VersionProvider(ctypes.cast(ctypes.CDLL(None)["raise"], ctypes.c_void_p).value)
        for key, policy in [("once", Policy()), ("careful", Policy(at_most_once=True))]:
            store = self.in_memory()
            set_provider = _library.library.firsttime_set_version_provider
            set_provider(store._pointer, raise_signal, signal.SIGINT, _library.no_release)
            with self.assertRaises(KeyboardInterrupt):
                store.execute(key, policy, must_not_run)
            store.set_version_provider(None)
            self.assertFalse(store.was_executed(key))

    def test_a_signal_interrupts_the_function(self):
        store = self.in_memory()

        def first():
            signal.raise_signal(signal.SIGINT)
            for _ in range(1000):
                pass

        with self.assertRaises(KeyboardInterrupt):
            store.execute_once("key", first)
        self.assertFalse(store.was_executed("key"))

    def test_threads_take_turns_and_hold_no_interpreter_lock_while_they_wait(self):
        store = self.open()
        began, runs, outcomes = threading.Event(), [], []

        def slow():
            runs.append(1)
            began.set()
            # The second thread waits inside the library now: only if it let go of the interpreter does this end.
            for _ in range(200000):
                pass

        def second():
            began.wait()
            outcomes.append(store.execute_once("key", must_not_run))

        threads = [threading.Thread(target=lambda: store.execute_once("key", slow)), threading.Thread(target=second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((runs, outcomes), ([1], [Outcome.NOT_DUE]))

    def test_many_threads_run_each_key_once(self):
        store = self.open()
        runs, raised = [], []

        def race():
            for key in range(50):
                store.execute_once(str(key), lambda: runs.append(key))
            try:
                store.execute_once("raises", lambda: 1 // 0)
            except ZeroDivisionError as error:
                raised.append(error)

        threads = [threading.Thread(target=race) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(runs), list(range(50)))
        self.assertEqual(len(raised), 8)


class Claims(StoreTest):
    def test_the_end_of_a_with_block_commits_and_an_exception_abandons(self):
        store = self.in_memory()
        with self.assertRaises(ZeroDivisionError):
            with store.begin("key") as claim:
                self.assertTrue(claim)
                1 // 0
        self.assertFalse(store.was_executed("key"))
        with store.begin("key") as claim:
            self.assertTrue(claim)
        self.assertFalse(claim)
        self.assertTrue(store.was_executed("key"))
        with store.begin("key") as claim:
            self.assertFalse(claim)
        with self.assertRaises(ZeroDivisionError):
            with store.begin("key"):
                1 // 0
        with store.begin("seen", Policy(baseline=True)) as claim:
            self.assertFalse(claim)
        self.assertTrue(store.was_executed("seen"))

    def test_they_end_once(self):
        store = self.in_memory()
        claim = store.begin("key")
        claim.abandon()
        claim.abandon()
        with self.assertRaises(firsttime.ArgumentError):
            claim.commit()
        with store.begin("key") as claim:
            claim.abandon()
        self.assertFalse(store.was_executed("key"))
        with store.begin("key") as claim:
            claim.commit()
        self.assertTrue(store.was_executed("key"))

    def test_one_that_nobody_has_any_more_is_abandoned(self):
        store = self.in_memory()
        claim = store.begin("key")
        with self.assertRaises(firsttime.ReentrantError):
            store.begin("key")
        del claim
        gc.collect()
        self.assertTrue(store.begin("key"))

    def test_other_threads_are_told_that_it_is_busy_and_may_end_it(self):
        store = self.in_memory()
        claim = store.begin("key")
        results = []

        def other():
            try:
                store.begin("key", Policy(no_wait=True))
            except firsttime.BusyError as error:
                results.append(str(error))
            claim.commit()

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        self.assertEqual(len(results), 1)
        self.assertTrue(store.was_executed("key"))

    def test_one_whose_store_was_closed_records_nothing(self):
        store = self.open()
        claim = store.begin("key")
        store.close()
        with self.assertRaises(firsttime.NotRecordedError):
            claim.commit()
        self.assertFalse(self.open().was_executed("key"))


class Decorators(StoreTest):
    def setUp(self):
        super().setUp()
        nothing_yet = mock.patch.multiple("firsttime._default", _arguments=None, _store=None)
        nothing_yet.start()
        self.addCleanup(nothing_yet.stop)

    def test_of_a_store(self):
        store = self.at(app_version="1.0")
        runs = []

        @store.once("once", after=lambda: "after")
        def once(value, *, named):
            """Documented."""
            runs.append(named)
            return value

        @store.every("every", days=1)
        def every():
            return 5

        @store.every("daily", Interval.daily())
        def daily():
            return 6

        @store.once_per_version()
        def per_version():
            return 7

        self.assertEqual(once.__doc__, "Documented.")
        self.assertEqual([once(3, named=4), once(3, named=4)], [3, "after"])
        self.assertEqual(runs, [4])
        self.assertEqual([every(), every(), daily(), daily()], [5, None, 6, None])
        self.now += timedelta(days=1)
        self.assertEqual([every(), daily()], [5, 6])
        self.assertEqual([per_version(), per_version()], [7, None])
        self.assertTrue(store.was_executed(f"{__name__}.{per_version.__qualname__}"))

    def test_what_a_decorated_function_raises_passes_through(self):
        store = self.in_memory()

        @store.once("key")
        def fails():
            raise ZeroDivisionError

        for _ in range(2):
            self.assertRaises(ZeroDivisionError, fails)

    def test_of_the_default_store(self):
        @firsttime.once("key")
        def once():
            return 1

        @firsttime.every(days=0.5)
        def every():
            return 2

        @firsttime.once_per_version("version")
        def per_version():
            return 3

        with self.assertRaisesRegex(ValueError, "configure"):
            once()
        firsttime.configure(self.path, relaxed=True)
        self.assertEqual([once(), every(), per_version()], [1, 2, 3])
        self.assertEqual([once(), every(), per_version()], [None, None, None])
        self.assertEqual(firsttime.default_store().count(), 3)
        firsttime.configure(in_memory=True)
        self.assertEqual(once(), 1)

    def test_an_interval_is_needed_and_only_one(self):
        store = self.in_memory()
        for wrong in [lambda: store.every("key"), lambda: store.every("key", Interval.daily(), days=1)]:
            self.assertRaises(ValueError, wrong)


if __name__ == "__main__":
    unittest.main()
