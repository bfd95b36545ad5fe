"""Events, rules, triggers, observers: what they take and give, how long functions are kept, what they raise."""

import asyncio
import gc
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest import mock

import firsttime
from firsttime import Interval, Rule, _calls
from support import NOW, StoreTest, must_not_run

HOUR = timedelta(hours=1)


class Events(StoreTest):
    def test_donations_are_counted(self):
        store = self.at(app_version="1.0")
        self.assertIsNone(store.find_donations("saved"))
        store.donate("saved")
        self.now += HOUR
        store.donate("saved")
        store.donate("opened")
        self.assertEqual(store.find_donations("saved"), firsttime.Donations("saved", 2, NOW, NOW + HOUR, "1.0", "1.0"))
        self.assertEqual([each.event for each in store.all_donations()], ["opened", "saved"])
        store.reset_donations("saved")
        self.assertEqual([each.event for each in store.all_donations()], ["opened"])
        store.reset_all_donations()
        self.assertEqual(store.all_donations(), [])


class Rules(StoreTest):
    def setUp(self):
        super().setUp()
        self.store = self.at(app_version="1.9")
        self.store.donate("saved")
        self.store.donate("saved")
        self.now += HOUR

    def holds(self, rule):
        fired = []
        self.store.set_rule("asked", rule, fired.append)
        self.store.evaluate_rules()
        self.store.remove_rule("asked")
        return fired == ["asked"]

    def test_what_they_say(self):
        always, never = Rule.always(), Rule.never()
        for rule, expected in [
            (always, True),
            (never, False),
            (~never, True),
            (always & always, True),
            (always & never, False),
            (never | always, True),
            (never | never, False),
            (Rule.all_of(), True),
            (Rule.any_of(), False),
            (Rule.none_of(never, always), False),
            (Rule.none_of(never, never), True),
            (Rule.at_least(2, always, never, always), True),
            (Rule.at_least(3, always, never, always), False),
            (Rule.event_at_least("saved", 2), True),
            (Rule.event_at_least("saved", 3), False),
            (Rule.event_within("saved", HOUR), True),
            (Rule.event_within("saved", HOUR / 2), False),
            (Rule.event_not_within("saved", HOUR / 2), True),
            (Rule.version_at_least("1.10"), False),
            (Rule.version_at_least("1.9.0"), True),
            (Rule.first_seen_in_current_version("saved"), True),
            (Rule.condition(lambda: [1]), True),
            (Rule.condition(lambda: ""), False),
            (Rule.event("saved", lambda donations: donations.count == 2), True),
            (Rule.event("never", lambda donations: donations.count == 0 and donations.last_time is None), True),
        ]:
            with self.subTest(rule):
                self.assertEqual(self.holds(rule), expected)

    def test_they_may_be_used_often_and_free_what_they_made(self):
        before = len(_calls.contexts)
        condition = Rule.condition(lambda: True)
        rule = condition & (condition | Rule.never()) & Rule.event("saved", lambda donations: True)
        for _ in range(3):
            self.assertTrue(self.holds(rule))
        self.assertIn("condition", str(rule))
        with self.assertRaises(TypeError):
            rule and condition
        self.assertEqual(len(_calls.contexts), before)

    def test_text(self):
        rule = Rule.parse('event("saved") >= 2 && !never')
        self.assertEqual(str(Rule.parse(str(rule))), str(rule))
        self.assertIn("saved", repr(rule))
        self.assertTrue(self.holds(rule))

    def test_what_is_wrong_shows_at_once(self):
        before = len(_calls.contexts)
        deep = Rule.condition(lambda: True)
        with self.assertRaises(firsttime.ArgumentError):
            for _ in range(300):
                deep = deep & Rule.condition(lambda: True)
        for wrong in [
            lambda: Rule.parse("event("),
            lambda: Rule.event_at_least("", 1),
            lambda: Rule.event_at_least("saved", -1),
            lambda: Rule.at_least(2**64),
            lambda: Rule.event_within("saved", -HOUR),
            lambda: Rule.event("", lambda donations: True),
        ]:
            self.assertRaises(firsttime.ArgumentError, wrong)
        del deep
        gc.collect()
        self.assertEqual(len(_calls.contexts), before)


class Triggers(StoreTest):
    def test_frequency_and_limit(self):
        store = self.at()
        fired = []
        store.set_rule("prompt", Rule.always(), fired.append, frequency=timedelta(days=1), limit=2)
        self.assertEqual((store.is_rule_registered("prompt"), store.is_rule_registered("other")), (True, False))
        for expected in [1, 1, 2, 2]:
            store.donate("started")
            self.now += timedelta(hours=13)
            self.assertEqual(len(fired), expected)
        self.assertEqual(store.find_trigger("prompt").count, 2)
        self.assertEqual(store.find_trigger("prompt").name, "prompt")
        store.reset_trigger("prompt")
        self.assertIsNone(store.find_trigger("prompt"))
        store.evaluate_rules()
        self.assertEqual(fired, ["prompt"] * 3)
        store.reset_all_triggers()
        store.set_rule("second", Rule.never())
        self.assertEqual(store.rules(), ["prompt", "second"])
        store.remove_rule("second")
        store.remove_rule("second")
        self.assertEqual(store.rules(), ["prompt"])

    def test_a_throttle_may_be_shared(self):
        store = self.at()
        fired = []
        for name in ["one", "two"]:
            store.set_rule(name, Rule.always(), fired.append, frequency=Interval.daily(), throttle_name="prompts")
        store.evaluate_rules()
        self.assertEqual((fired, store.find_trigger("prompts").count), (["one"], 1))

    def test_what_is_raised_passes_through(self):
        store = self.in_memory()
        store.set_rule("raises", Rule.always(), lambda name: 1 // 0)
        self.assertRaises(ZeroDivisionError, lambda: store.donate("event"))
        self.assertEqual(store.find_donations("event").count, 1)
        store.set_rule("raises", Rule.condition(lambda: 1 // 0), must_not_run)
        self.assertRaises(ZeroDivisionError, store.evaluate_rules)
        store.remove_rule("raises")
        with store.observe("posted", lambda name: 1 // 0):
            self.assertRaises(ZeroDivisionError, lambda: store.post("posted"))
        store.post("posted")

    def test_functions_are_kept_until_the_rule_is_gone(self):
        before = len(_calls.contexts)
        store = self.in_memory()
        store.set_rule("rule", Rule.condition(lambda: True), lambda name: None)
        store.set_rule("rule", Rule.condition(lambda: True), lambda name: None)
        with self.assertRaises(firsttime.ArgumentError):
            store.set_rule("", Rule.condition(lambda: True), lambda name: None)
        with self.assertRaises(firsttime.ArgumentError):
            store.set_rule("rule", Rule.condition(lambda: True), lambda name: None, frequency=-HOUR)
        self.assertEqual(len(_calls.contexts), before + 2)
        store.observe("name", lambda name: None)
        store.close()
        self.assertEqual(len(_calls.contexts), before)
        for call in [lambda: store.set_rule("rule", Rule.always()), lambda: store.observe("name", print)]:
            self.assertRaises(firsttime.ArgumentError, call)

    def test_delayed_rules_fire_on_a_thread_of_the_stores(self):
        store = self.in_memory()
        threads = []
        store.set_rule("later", Rule.always(), lambda name: threads.append(threading.get_ident()), delay=HOUR / 360000)
        store.donate("event")
        store.wait_for_delayed_rules()
        self.assertEqual(len(threads), 1)
        self.assertNotEqual(threads[0], threading.get_ident())
        store.set_rule("later", Rule.always(), lambda name: 1 // 0, delay=HOUR / 360000)
        with mock.patch("sys.unraisablehook") as hook:
            store.donate("event")
            store.wait_for_delayed_rules()
        self.assertIs(hook.call_args.args[0].exc_type, ZeroDivisionError)

    def test_executors(self):
        store = self.in_memory()
        fired = []
        with ThreadPoolExecutor(1) as pool:
            store.set_rule(
                "pooled", Rule.always(), lambda name: fired.append(threading.get_ident()), executor=pool.submit
            )
            store.donate("event")
        self.assertEqual(len(fired), 1)
        self.assertNotEqual(fired[0], threading.get_ident())
        store.remove_rule("pooled")

        queue = []
        store.set_rule("queued", Rule.always(), lambda name: 1 // 0, executor=queue.append)
        store.donate("event")
        self.assertRaises(ZeroDivisionError, queue.pop())
        store.donate("event")
        store.remove_rule("queued")
        queue.pop()()

        async def main():
            loop = asyncio.get_running_loop()
            done = loop.create_future()
            store.set_rule("loop", Rule.always(), done.set_result, executor=loop.call_soon_threadsafe, limit=1)
            await loop.run_in_executor(None, store.donate, "event")
            return await done

        self.assertEqual(asyncio.run(main()), "loop")


class Observers(StoreTest):
    def test_they_are_told_until_they_are_removed(self):
        store = self.in_memory()
        told = []
        observer = store.observe("name", told.append)
        with store.observe("name", lambda name: told.append("!")):
            store.post("name")
            store.post("other")
        store.set_rule("name", Rule.always())
        store.donate("event")
        self.assertEqual(told, ["name", "!", "name"])
        observer.remove()
        observer.remove()
        store.post("name")
        self.assertEqual(len(told), 3)
        observer = store.observe("name", told.append)
        store.close()
        observer.remove()


if __name__ == "__main__":
    unittest.main()
