"""Opening, closing, errors, strings, forked children, and how the library is found."""

import gc
import multiprocessing
import os
import pathlib
import subprocess
import sys
import unittest
from datetime import timedelta

import firsttime
from firsttime import errors
from support import StoreTest, must_not_run


class Opening(StoreTest):
    def test_a_path_or_an_app_id_is_needed(self):
        with self.assertRaisesRegex(ValueError, "path or an app_id"):
            firsttime.Store()

    def test_by_path_and_by_app_id(self):
        store = self.open(path=pathlib.Path(self.path))
        self.assertEqual(store.path, os.path.realpath(self.path))
        os.environ["XDG_STATE_HOME"] = self.directory
        self.addCleanup(os.environ.pop, "XDG_STATE_HOME")
        with firsttime.Store(app_id="org.example.app") as store:
            self.assertEqual(store.path, os.path.realpath(self.directory) + "/org.example.app/firsttime.archive")
        self.assertEqual(self.in_memory().path, "")

    def test_closing_writes_the_archive_and_later_calls_raise(self):
        with self.open() as store:
            store.mark("key")
            self.assertFalse(os.path.exists(self.path))
            store.flush()
            self.assertTrue(os.path.exists(self.path))
        store.close()
        for call in [lambda: store.mark("key"), lambda: store.path, lambda: store.set_clock(None), store.records]:
            with self.assertRaisesRegex(firsttime.ArgumentError, "closed"):
                call()
        self.assertTrue(self.open().was_executed("key"))

    def test_one_that_nobody_has_any_more_is_closed(self):
        store = firsttime.Store(self.path)
        store.mark("key")
        del store
        gc.collect()
        self.assertTrue(os.path.exists(self.path))

    def test_one_that_is_open_at_exit_is_closed(self):
        program = (
            f"import firsttime; s = firsttime.Store({self.path!r}); s.mark('key'); import builtins; builtins.s = s"
        )
        subprocess.run([sys.executable, "-c", program], check=True)
        self.assertTrue(os.path.exists(self.path))

    def test_options(self):
        self.open().mark("key")
        store = self.open(read_only=True, wait=timedelta(0), recover=True, run_if_unwritable=False)
        self.assertTrue(store.was_executed("key"))
        with self.assertRaises(firsttime.ReadOnlyError):
            store.execute_once("new", must_not_run)
        self.open(wait=timedelta.max).close()
        self.open(wait=timedelta(microseconds=1)).close()
        for wrong in [{"first_weekday": 8}, {"utc_offset": timedelta(days=2)}, {"app_version": "\0"}]:
            with self.assertRaises(firsttime.ArgumentError):
                self.in_memory(**wrong)


class Errors(StoreTest):
    def test_there_is_one_for_each_failing_result(self):
        self.assertEqual(sorted(errors.BY_CODE), list(range(-10, 0)))
        for code, kind in errors.BY_CODE.items():
            self.assertTrue(issubclass(kind, firsttime.Error))
            self.assertEqual(kind("words").code, code)
            words = (
                kind("words")
                .name.replace("FIRSTTIME_ERROR_", "")
                .replace("IO", "INPUT_OUTPUT")
                .title()
                .replace("_", "")
            )
            self.assertEqual(kind.__name__, words + "Error")
            self.assertIs(getattr(firsttime, kind.__name__), kind)

    def test_they_say_why(self):
        with self.assertRaisesRegex(firsttime.InputOutputError, "/dev/null"):
            firsttime.Store("/dev/null/store")
        pathlib.Path(self.path).write_bytes(b"bplist00 and more, which is no archive at all, but long enough")
        with self.assertRaisesRegex(firsttime.CorruptError, "byte"):
            firsttime.Store(self.path)
        with self.assertRaises(ValueError):
            self.in_memory().mark("")

    def test_strings_must_be_text_without_a_nul(self):
        store = self.in_memory()
        for wrong, kind in [("a\0b", firsttime.ArgumentError), ("\udc80", ValueError), (b"bytes", TypeError)]:
            with self.assertRaises(kind):
                store.mark(wrong)
        with self.assertRaises(firsttime.ArgumentError):
            firsttime.Store("a\0b")
        key = "schlüssel/🔑"
        store.mark(key)
        self.assertEqual(store.records()[0].key, key)


def record_in_child(path, key):
    with firsttime.Store(path, relaxed=True) as store:
        store.execute_once(key, lambda: None)


class Processes(StoreTest):
    def wait_for(self, child):
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_a_store_works_on_in_a_forked_child(self):
        store = self.open()
        store.mark("parent")
        claim = store.begin("claimed")
        child = os.fork()
        if child == 0:
            try:
                assert store.execute_once("child", lambda: None) == firsttime.Outcome.RAN
                assert store.was_executed("parent")
                try:
                    claim.commit()
                    os._exit(1)
                except firsttime.ForkedError:
                    pass
                store.close()
                os._exit(0)
            finally:
                os._exit(2)
        self.wait_for(child)
        self.assertTrue(store.was_executed("child"))
        claim.commit()
        self.assertTrue(store.was_executed("claimed"))

    def test_only_the_parent_records_when_a_function_forks(self):
        store = self.open()
        children = []
        try:
            store.execute_once("key", lambda: children.append(os.fork()))
        except firsttime.ForkedError:
            os._exit(0 if children == [0] else 1)
        self.wait_for(children[0])
        self.assertEqual(store.find("key").count, 1)

    def test_processes_of_multiprocessing_share_the_file(self):
        store = self.open()
        for method in ["fork", "spawn"]:
            context = multiprocessing.get_context(method)
            children = [context.Process(target=record_in_child, args=(self.path, method)) for _ in range(2)]
            for child in children:
                child.start()
            for child in children:
                child.join()
                self.assertEqual(child.exitcode, 0)
            self.assertEqual(store.find(method).count, 1)


class Finding(unittest.TestCase):
    """How the library is found. FIRSTTIME_LIBRARY names it while these tests run."""

    def run_with(self, **environment):
        inherited = {name: value for name, value in os.environ.items() if name != "FIRSTTIME_LIBRARY"}
        return subprocess.run(
            [sys.executable, "-c", "import firsttime; print(firsttime.library_version())"],
            env={**inherited, **environment},
            capture_output=True,
            text=True,
        )

    def test_by_the_environment(self):
        result = self.run_with(FIRSTTIME_LIBRARY=os.environ["FIRSTTIME_LIBRARY"])
        self.assertEqual(result.stdout.strip(), firsttime.library_version())

    def test_by_its_soname_in_the_loaders_directories(self):
        if "FIRSTTIME_LIBDIR" not in os.environ:
            self.skipTest("FIRSTTIME_LIBDIR is not set")
        result = self.run_with(LD_LIBRARY_PATH=os.environ["FIRSTTIME_LIBDIR"])
        self.assertEqual(result.stdout.strip(), firsttime.library_version(), result.stderr)

    def test_a_missing_one_is_named(self):
        result = self.run_with(FIRSTTIME_LIBRARY="/nowhere/libfirsttime.so")
        self.assertIn("ImportError: /nowhere/libfirsttime.so can't be loaded", result.stderr)

    def test_another_library_is_refused(self):
        result = self.run_with(FIRSTTIME_LIBRARY="libm.so.6")
        self.assertIn("ImportError: the library that was found is older", result.stderr)


if __name__ == "__main__":
    unittest.main()
