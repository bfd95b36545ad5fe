"""Copies of a store, dumps, verification, repair."""

import ctypes
import functools
import io
import json
import os
import pathlib
import signal
import unittest

import firsttime
from firsttime._calls import call
from firsttime._writing import Written
from support import StoreTest, must_not_run

IMPORT = os.environ.get("FT_IMPORT")


class Exporting(StoreTest):
    def test_every_format_comes_back(self):
        store = self.open()
        for key in ["a", "b"]:
            store.mark(key)
        store.donate("opened")
        for format in ["auto", "archive", "archive-xml", "defaults"]:
            data = store.export(format=format)
            copy = self.in_memory()
            report = copy.import_bytes(data)
            self.assertEqual((report.records_added, report.format), (2, format.replace("auto", "archive")))
            self.assertEqual(copy.export(format="json"), store.export(format="json"))
            path = pathlib.Path(self.directory, "copy")
            self.assertIsNone(store.export(path, format=format))
            self.assertEqual(path.read_bytes(), data)
        self.assertEqual(store.export(), store.export(format="archive"))
        shown = json.loads(store.export(format="json"))
        self.assertEqual([record["key"] for record in shown["records"]], ["a", "b"])

    def test_a_function_is_given_all_parts(self):
        store = self.in_memory()
        for index in range(3000):
            store.mark(f"key.{index}")
        file, parts = io.BytesIO(), []
        store.export_to(file.write)
        store.export_to(parts.append)
        self.assertGreater(len(parts), 3)
        self.assertEqual({type(part) for part in parts}, {bytes})
        self.assertEqual(file.getvalue(), b"".join(parts))
        self.assertEqual(file.getvalue(), store.export())
        store.export_to(lambda part: store.mark("inside"), format="json")
        self.assertTrue(store.was_executed("inside"))

    def test_what_it_raises_ends_the_export(self):
        store, parts = self.in_memory(), []
        for index in range(3000):
            store.mark(f"key.{index}")

        def write(part):
            parts.append(part)
            if len(parts) == 2:
                raise error

        for error in [OSError("full"), KeyboardInterrupt(), GeneratorExit()]:
            parts.clear()
            with self.assertRaises(type(error)) as raised:
                store.export_to(write)
            self.assertIs(raised.exception, error)
            self.assertEqual(len(parts), 2)

    def test_a_signal_just_before_the_function_begins_loses_no_part(self):
        # Functions of C alone: one that says that a signal came, then a writer as the library calls it.
        written = Written(must_not_run)
        interrupt = functools.partial(ctypes.pythonapi.PyErr_SetInterrupt)
        write = functools.partial(written.callback, ctypes.c_char_p(b"part"), 4, None)
        results = []
        with self.assertRaises(KeyboardInterrupt):
            call(results.extend, map(functools.partial.__call__, [interrupt, write]))
        self.assertNotEqual(results[1], 0)
        written.end()

    def test_a_signal_ends_the_export(self):
        store, parts = self.in_memory(), []
        for index in range(3000):
            store.mark(f"key.{index}")

        def write(part):
            parts.append(part)
            signal.raise_signal(signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            store.export_to(write)
        self.assertEqual(len(parts), 1)

    def test_failures(self):
        store = self.open()
        for kind, fails in [
            (firsttime.ArgumentError, lambda: store.export(format="rulekit")),
            (firsttime.ArgumentError, lambda: store.export(format="plain")),
            (firsttime.ArgumentError, lambda: store.export_to(must_not_run, format="plain")),
            (firsttime.ArgumentError, lambda: store.export(self.path)),
            (firsttime.ArgumentError, lambda: store.export("a\0b")),
            (firsttime.InputOutputError, lambda: store.export(self.directory + "/missing/copy")),
        ]:
            self.assertRaises(kind, fails)
        store.close()
        with self.assertRaisesRegex(firsttime.ArgumentError, "closed"):
            store.export()


@unittest.skipUnless(IMPORT, "FT_IMPORT names no directory of old files")
class Inspecting(StoreTest):
    def setUp(self):
        super().setUp()
        self.archive = pathlib.Path(IMPORT, "three_plain.bplist").read_bytes()
        self.xml = pathlib.Path(IMPORT, "three_plain.xml.plist").read_bytes()

    def test_dumps(self):
        self.assertIn('"onboarding" => ', firsttime.dump(self.archive))
        shown = json.loads(firsttime.dump(self.archive, json=True))
        self.assertIn("onboarding", shown["$top"]["root"]["sharedGroup"])
        self.assertIn('"$objects" => ', firsttime.dump(self.archive, raw=True))
        self.assertIn("$objects", json.loads(firsttime.dump(self.archive, json=True, raw=True)))
        for wrong in [b"", b"bplist00"]:
            self.assertRaises(firsttime.CorruptError, firsttime.dump, wrong)

    def test_verification(self):
        self.assertEqual(firsttime.verify(self.archive), [])
        problems = firsttime.verify(self.xml.replace(b"<key>lastTime", b"<key>lostTime"))
        self.assertEqual(len(problems), 3)
        for problem in problems:
            self.assertIsInstance(problem, firsttime.Problem)
            self.assertTrue(problem.offset > 1 and problem.text)
        for wrong in [b"", b"bplist00"]:
            self.assertEqual(len(firsttime.verify(wrong)), 1)
        newer = b"<key>FirstTime</key><dict><key>formatVersion</key><integer>9</integer></dict><key>$archiver"
        self.assertRaises(firsttime.FormatError, firsttime.verify, self.xml.replace(b"<key>$archiver", newer))


class Repairing(StoreTest):
    def damage(self):
        with self.assertRaises(firsttime.CorruptError):
            os.truncate(self.path, os.stat(self.path).st_size - 40)
            self.open()

    def test_a_store_that_cannot_be_opened_is_repaired(self):
        with self.open() as store:
            store.mark("key")
            self.assertRaises(firsttime.BusyError, firsttime.repair, self.path)
        self.assertFalse(firsttime.repair(self.path, must_not_run))
        self.damage()
        before = pathlib.Path(self.path).read_bytes()
        self.assertRaises(ZeroDivisionError, firsttime.repair, self.path, lambda problem: 1 // 0)
        self.assertEqual(pathlib.Path(self.path).read_bytes(), before)
        told = []
        self.assertTrue(firsttime.repair(pathlib.Path(self.path), told.append))
        self.assertTrue(any(".corrupt-" in problem.text for problem in told))
        self.assertIn("1 record saved", [problem.text for problem in told])
        with self.open() as store:
            self.assertTrue(store.was_executed("key"))
        self.damage()
        self.assertTrue(firsttime.repair(self.path))
        self.assertFalse(firsttime.repair(self.path))
        self.assertRaises(firsttime.InputOutputError, firsttime.repair, self.directory + "/missing")


if __name__ == "__main__":
    unittest.main()
