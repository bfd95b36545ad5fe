"""Reads a YCFirstTime archive with Python's plistlib and prints its records as JSON.

usage: read_plistlib.py FILE     {"key": {"lastVersion": text or null, "lastTime": seconds since 2001 or null}, ...}
Resolves UIDs itself, also where an XML writer spelled them as {"CF$UID": n}. Depends on nothing of ours.
"""

import datetime
import json
import plistlib
import sys


class Archive:
    def __init__(self, plist):
        if plist.get("$archiver") != "NSKeyedArchiver" or plist.get("$version") != 100000:
            raise ValueError("not a keyed archive")
        self.objects = plist["$objects"]
        self.root = self.resolve(plist["$top"]["root"])

    def resolve(self, value):
        """The object a UID stands for; None for UID 0."""
        if isinstance(value, plistlib.UID):
            index = value.data
        elif isinstance(value, dict) and value.keys() == {"CF$UID"}:
            index = value["CF$UID"]
        else:
            raise ValueError(f"not a UID: {value!r}")
        return self.objects[index] if index else None

    def class_name(self, container):
        return self.resolve(container["$class"])["$classname"]

    def text(self, value):
        if isinstance(value, dict):
            if self.class_name(value) not in ("NSString", "NSMutableString"):
                raise ValueError(f"not a string: {value!r}")
            return value["NS.string"]
        # Inline, decoders take this text for nil.
        return None if value == "$null" else value

    def time(self, value):
        if value is None:
            return None
        if isinstance(value, datetime.datetime):
            return (value - datetime.datetime(2001, 1, 1)).total_seconds()
        if self.class_name(value) != "NSDate":
            raise ValueError(f"not a date: {value!r}")
        return float(value["NS.time"])

    def dictionary(self, value):
        if self.class_name(value) not in ("NSDictionary", "NSMutableDictionary"):
            raise ValueError(f"not a dictionary: {value!r}")
        keys, values = value["NS.keys"], value["NS.objects"]
        if len(keys) != len(values):
            raise ValueError("NS.keys and NS.objects differ in length")
        result = {}
        for key, item in zip(keys, values):
            text = self.text(self.resolve(key))
            if text is not None:
                if text in result:
                    raise ValueError(f"key twice: {text!r}")
                result[text] = self.resolve(item)
        return result

    def records(self):
        group = self.dictionary(self.root).get("sharedGroup")
        result = {}
        for key, record in (self.dictionary(group) if group else {}).items():
            if self.class_name(record) != "YCFirstTimeObject":
                raise ValueError(f"not a record: {record!r}")
            result[key] = {
                "lastVersion": self.text(self.resolve(record["lastVersion"])),
                "lastTime": self.time(self.resolve(record["lastTime"])),
            }
        return result


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        print(json.dumps(Archive(plistlib.load(file)).records()))
