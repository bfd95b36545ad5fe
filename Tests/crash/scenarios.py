"""The scenarios: what the driver does while something goes wrong, on which store. To add one, add an entry.

`setup` runs undisturbed before, `operations` under fire, both in a process of their own; a setup that ends with `exit`
leaves the store unclosed. `archive`: a file of others that lies in the store's place before all else.
"""

import plistlib

from facts import RUNS
from rule_facts import Rule

LONG = "k" * 1500
# Those that share a throttle, a limit, and both between two that fire each time.
EVER = 10 ** 7
RULES = ['rule:each::event("a")>=1', f'rule:first:every={EVER},share=prompts:event("a")>=2',
         f'rule:second:every={EVER},share=prompts:event("b")>=1', 'rule:twice:limit=2:always',
         'rule:often:every=250:event("a")>=1&&event("b")>=0']


class Scenario:
    def __init__(self, name, operations, setup=(), flags=None, archive=None):
        self.archive = archive
        self.name, self.operations, self.setup, self.flags = name, list(operations), list(setup), flags

    def named(self, *operations):
        words = [operation.split(":") for operation in self.setup + self.operations]
        return sorted({word[1] for word in words if word[0] in operations})

    @property
    def keys(self):
        """Every key that a callback could run for again."""
        return self.named(*RUNS, "mark", "reset", "begin")

    @property
    def rules(self):
        """The operations that set them, each name's last one, in order."""
        found = {operation.split(":")[1]: operation for operation in self.setup + self.operations
                 if operation.startswith("rule:")}
        return list(found.values())

    @property
    def donations(self):
        return [f"donate:{event}" for event in self.named("donate")]

    @property
    def constant_rules(self):
        """Those whose fires nobody forgets: what the side file says of them holds for ever."""
        forgotten = self.named("reset-trigger")
        rules = [Rule(operation) for operation in self.rules]
        return [rule for rule in rules if not {"", rule.name, rule.throttle} & {*forgotten}]

    def verification(self, *more_keys):
        """What a new process does afterwards: everything is asked, everything is tried, and all of it must be right."""
        return ["open", *self.rules, "dump", *[f"once:{key}" for key in (*self.keys, *more_keys)], *self.donations,
                "mark:verified", "ask:verified", "donate:verified", "flush", "dump", "close"]


def legacy_archive(keys):
    """An archive of YCFirstTime's, made without the library, and what it holds."""
    objects = ["$null"]

    def add(value):
        objects.append(value)
        return plistlib.UID(len(objects) - 1)

    def kind(name):
        return add({"$classname": name, "$classes": [name, "NSObject"]})

    dictionary, date, record = kind("NSMutableDictionary"), kind("NSDate"), kind("YCFirstTimeObject")
    records = [add({"$class": record, "lastVersion": add("1.5"),
                    "lastTime": add({"$class": date, "NS.time": 1e8 + index})}) for index, _ in enumerate(keys)]
    group = add({"$class": dictionary, "NS.keys": [add(key) for key in keys], "NS.objects": records})
    root = add({"$class": dictionary, "NS.keys": [add("sharedGroup")], "NS.objects": [group]})
    archive = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": root}, "$objects": objects}
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY), {key: (0, "1.5") for key in keys}


def write_imports(directory):
    """Writes the files that scenarios import. Returns what is in each: path -> state."""
    found = {}
    for name, keys in (("few", ["old.1", "old.2", "a"]), ("many", [f"old.{index:03}" for index in range(120)])):
        content, state = legacy_archive(keys)
        path = directory / name
        path.write_bytes(content)
        found[str(path)] = state
    return found


def scenarios(imports):
    few, many = (next(path for path in imports if path.endswith(name)) for name in ("/few", "/many"))
    return [
        Scenario("first", ["open", "once:a", "flush", "close"]),
        Scenario("several", ["open", "once:a", "version:b:1", "interval:c", "mark:d", "version:b:2", "reset:a", "interval:c",
                             "refused:e", "ask:b", "once:a", "flush", "prefix:d", "once:d", "close"]),
        Scenario("reopened", ["open", "once:c", "reset:b", "close", "open", "once:b", "flush", "mark:a", "close"],
                 setup=["open", "once:a", "once:b", "close"]),
        # Whatever a process leaves behind that didn't close: the next one finds it.
        Scenario("unclosed", ["open", "once:a", "reset:b", "once:c", "flush", "close"],
                 setup=["open", "once:a", "mark:b", "reset:a", "mark:d", "exit"]),
        Scenario("import", ["open", f"import:{few}", "reset:old.1", f"import:{many}", "prefix:old.0", "close"],
                 setup=["open", "mark:a", "close"]),
        # An archive of several pages, and journals, if there are any, that outgrow it.
        Scenario("large", ["open"] + [f"once:{LONG}{index}" for index in range(8)] + ["flush", f"reset:{LONG}3",
                 f"mark:{LONG}1", "reset-all", "once:a", "close"], setup=["open", f"import:{many}", "close"]),
        # Archive and journal are not each other's: the first commit writes both anew.
        Scenario("foreign", ["open", "ask:old.1", "once:old.1", "once:a", "flush", "reset:old.2", "close"], archive=few),
        Scenario("claims", ["open", "begin:a", "commit", "begin:b", "abandon", "begin:c", "flush", "commit", "begin:b",
                            "close"], setup=["open", "mark:c", "reset:c", "close"]),
        Scenario("at-most-once", ["open", "most:a", "refused-most:b", "most:a", "baseline:c", "baseline:c", "most:b",
                                  "flush", "refused-most:d", "close"], setup=["open", "once:d", "reset:d", "exit"]),
        Scenario("relaxed", ["open", "once:a", "most:b", "mark:c", "flush", "reset:c", "once:d", "close"], flags="relaxed"),
        Scenario("events", ["open", "donate:a", "donate:b", "once:a", "donate:a", "reset-event:b", "donate:b", "flush", "donate:a",
                            "reset-event:", "donate:a", "close"], setup=["open", "donate:a", "mark:k", "exit"]),
        Scenario("rules", ["open", *RULES, "donate:a", "donate:b", "once:a", "donate:a", "flush", "evaluate",
                           "reset-trigger:often", "donate:b", "close"],
                 setup=["open", *RULES, "donate:a", "close"]),
        # A new store, and one of others: the first commits are of another kind.
        Scenario("first-rules", ["open", *RULES, "donate:a", "donate:a", "close"]),
        Scenario("foreign-rules", ["open", *RULES, "donate:a", "donate:a", "donate:b", "close"], archive=few),
        Scenario("relaxed-rules", ["open", *RULES, "donate:a", "donate:a", "flush", "donate:b", "close"], flags="relaxed"),
    ]


