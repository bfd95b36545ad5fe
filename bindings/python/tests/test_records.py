"""Asking, marking, intervals, times, imports."""

import os
import pathlib
import unittest
from datetime import datetime, timedelta, timezone

import firsttime
from firsttime import Interval, Policy, Unit
from support import NOW, StoreTest

IMPORT = os.environ.get("FT_IMPORT")


class Asking(StoreTest):
    def test_records(self):
        store = self.at(app_version="1.0")
        self.assertIsNone(store.find("a"))
        self.assertEqual((store.count(), store.records(), store.last_execution("a")), (0, [], None))
        for key in ["b.2", "a", "b.1"]:
            store.mark(key)
        self.assertEqual(store.find("b.1"), firsttime.Record("b.1", "1.0", NOW, "1.0", NOW, 1))
        self.assertEqual(store.last_execution("a"), NOW)
        self.assertEqual([record.key for record in store.records()], ["a", "b.1", "b.2"])
        self.assertEqual(([record.key for record in store.records("b.")], store.count("b.")), (["b.1", "b.2"], 2))
        self.assertEqual((store.reset_key("a"), store.reset_key("a")), (True, False))
        store.reset_prefix("b.2")
        self.assertEqual(store.count(), 1)
        with self.assertRaises(firsttime.ArgumentError):
            store.reset_prefix("")
        store.reset()
        self.assertEqual(store.count(), 0)

    def test_when_a_key_is_due(self):
        store = self.at()
        self.assertEqual((store.is_due("key"), store.next_due("key")), (True, NOW))
        store.mark("key")
        self.assertEqual((store.is_due("key"), store.next_due("key")), (False, None))
        day = timedelta(days=1)
        for interval, due in [
            (day, NOW + day),
            (timedelta(milliseconds=500), NOW + timedelta(milliseconds=500)),
            (Interval.days(0.5), NOW + day / 2),
            (Interval.elapsed(3, Unit.MINUTE), NOW + timedelta(minutes=3)),
            (Interval.calendar(1, Unit.MONTH), NOW + 30 * day),
            (Interval.hourly(), datetime(2023, 11, 14, 23, tzinfo=timezone.utc)),
            (Interval.daily(), datetime(2023, 11, 15, tzinfo=timezone.utc)),
            (Interval.weekly(), datetime(2023, 11, 20, tzinfo=timezone.utc)),
            (Interval.monthly(), datetime(2023, 12, 1, tzinfo=timezone.utc)),
            (Interval.quarterly(), datetime(2024, 1, 1, tzinfo=timezone.utc)),
            (Interval.yearly(), datetime(2024, 1, 1, tzinfo=timezone.utc)),
            (Interval.period(100000, Unit.YEAR), datetime.max.replace(tzinfo=timezone.utc)),
        ]:
            with self.subTest(interval):
                policy = Policy(per_interval=interval)
                self.now = NOW
                self.assertEqual((store.is_due("key", policy), store.next_due("key", policy)), (False, due))
                if due.year < 9999:
                    self.now = due
                    self.assertTrue(store.is_due("key", policy))
                    self.now = due - timedelta(microseconds=1)
                    self.assertFalse(store.is_due("key", policy))
        self.now = NOW
        for wrong in [timedelta(0), -day, Interval.elapsed(1, Unit.MONTH), Interval.calendar(0.5, Unit.DAY)]:
            with self.assertRaises(firsttime.ArgumentError):
                store.is_due("key", Policy(per_interval=wrong))

    def test_what_is_due_at_a_time_is_due_at_the_datetime_given_for_it(self):
        store = self.at()
        for seconds in [1.7e9 + 1 / 3, 0.1, 4e9 + 1e-6]:
            store.set_clock(lambda: seconds)
            store.mark("key")
            policy = Policy(per_interval=timedelta(seconds=0.7))
            due = store.next_due("key", policy)
            store.set_clock(lambda: due)
            self.assertTrue(store.is_due("key", policy))

    def test_times_come_back_as_they_were(self):
        store = self.at()
        for time in [
            datetime(2038, 1, 19, 3, 14, 7, 123456, timezone.utc),
            datetime(1969, 12, 31, 23, 59, 59, 999999, timezone.utc),
            datetime(2001, 1, 1, tzinfo=timezone(timedelta(hours=5, minutes=30))),
            datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc),
            datetime(1, 1, 1, tzinfo=timezone.utc),
        ]:
            self.now = time
            store.mark("key")
            self.assertEqual(store.last_execution("key"), time)
            self.assertIs(store.last_execution("key").tzinfo, timezone.utc)

    def test_interval_keys(self):
        store = self.at()
        self.assertTrue(store.should_run("prompt", Interval.monthly()))
        store.mark_run("prompt")
        store.mark_run("other")
        store.mark("key")
        self.assertFalse(store.should_run("prompt", timedelta(days=1)))
        self.assertTrue(store.was_executed("interval.prompt"))
        self.assertEqual((store.reset_interval("prompt"), store.reset_interval("prompt")), (True, False))
        store.reset_all_intervals()
        self.assertEqual([record.key for record in store.records()], ["key"])

    def test_versions_are_compared_by_their_numbers(self):
        table = [("1.10", "1.9", 1), ("1.0", "1.0.0", 0), ("2", "10", -1)]
        self.assertEqual(
            [firsttime.version_compare(left, right) for left, right, _ in table], [each[2] for each in table]
        )


@unittest.skipUnless(IMPORT, "FT_IMPORT names no directory of old files")
class Importing(StoreTest):
    def test_archives_and_preferences(self):
        store = self.at()
        archive = pathlib.Path(IMPORT, "three_plain.bplist")
        report = store.import_archive(archive, dry_run=True)
        self.assertEqual((report.records_added, report.format, store.count()), (3, "archive", 0))
        self.assertEqual(store.import_bytes(archive.read_bytes(), format="archive").records_added, 3)
        self.assertEqual(store.import_archive(IMPORT + "/three_plain.xml.plist").records_kept, 3)
        record = store.find("onboarding")
        self.assertEqual((record.count, record.first_time, record.last_version), (0, None, "1.0"))
        store.reset()
        skipped, progress = [], []
        report = store.import_archive(
            IMPORT + "/preferences.plist",
            format="defaults",
            defaults_key="YCFirstTime",
            intervals={"reviewPrompt": Interval.monthly(), "missing": timedelta(days=1)},
            skipped=lambda offset, why: skipped.append(why),
            progress=lambda done, total: progress.append((done, total)),
        )
        self.assertEqual((report.format, report.skipped), ("defaults", len(skipped)))
        self.assertTrue(progress and store.count() >= 3)

    def test_failures(self):
        store = self.in_memory()
        archive = IMPORT + "/three_plain.bplist"
        for kind, call in [
            (firsttime.InputOutputError, lambda: store.import_archive("missing")),
            (firsttime.CorruptError, lambda: store.import_bytes(b"")),
            (firsttime.CorruptError, lambda: store.import_archive(archive, format="archive-xml")),
            (firsttime.ArgumentError, lambda: store.import_archive(archive, format="json")),
            (ZeroDivisionError, lambda: store.import_archive(archive, progress=lambda done, total: 1 // 0)),
        ]:
            self.assertRaises(kind, call)
        self.assertEqual(store.count(), 0)


if __name__ == "__main__":
    unittest.main()
