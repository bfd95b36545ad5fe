"""The declarations of this package are those of firsttime.h.

FIRSTTIME_SIGNATURES and FIRSTTIME_LAYOUT are files that are made from the header: what each function is to the machine,
and the value or the place of each name.
"""

import ctypes
import os
import unittest

import firsttime
from firsttime import _library, _values, errors

SIGNATURES = os.environ.get("FIRSTTIME_SIGNATURES")
LAYOUT = os.environ.get("FIRSTTIME_LAYOUT")

LOWERED = {
    None: "void",
    ctypes.c_int: "i32",
    ctypes.c_int32: "i32",
    ctypes.c_uint32: "u32",
    ctypes.c_int64: "i64",
    ctypes.c_uint64: "u64",
    ctypes.c_double: "f64",
    ctypes.c_char_p: "ptr",
    ctypes.c_void_p: "ptr",
    _library.Interval: "interval",
}

CALLBACKS = {
    name: getattr(_library, name)
    for name in dir(_library)
    if isinstance(getattr(_library, name), type) and issubclass(getattr(_library, name), ctypes._CFuncPtr)
}


def lowered(kind):
    return LOWERED.get(kind, "ptr")


def snake_case(name):
    return "firsttime_" + "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


@unittest.skipUnless(SIGNATURES, "FIRSTTIME_SIGNATURES is not set")
class Signatures(unittest.TestCase):
    def setUp(self):
        with open(SIGNATURES) as file:
            self.header = {line.split()[0]: line.split()[1:] for line in file}

    def test_functions(self):
        for name, kinds in _library.SIGNATURES.items():
            self.assertEqual((name, [lowered(kind) for kind in kinds]), (name, self.header[name]))

    def test_callbacks(self):
        self.assertGreater(len(CALLBACKS), 10)
        for name, kind in CALLBACKS.items():
            kinds = [lowered(each) for each in (kind._restype_, *kind._argtypes_)]
            self.assertEqual((name, kinds), (name, self.header[snake_case(name)]))


@unittest.skipUnless(LAYOUT, "FIRSTTIME_LAYOUT is not set")
class Layout(unittest.TestCase):
    def setUp(self):
        with open(LAYOUT) as file:
            self.header = dict(
                line.rstrip().rsplit(" ", 1) if " bytes" not in line else line.rstrip().split(" ", 1) for line in file
            )

    def test_structs(self):
        structs = [
            each for each in vars(_library).values() if isinstance(each, type) and issubclass(each, ctypes.Structure)
        ]
        structs = [each for each in structs if each is not ctypes.Structure]
        self.assertGreater(len(structs), 8)
        for struct in structs:
            name = struct.__doc__
            self.assertEqual(self.header[f"sizeof {name}"], str(ctypes.sizeof(struct)), name)
            members = {}
            for member, _ in struct._fields_:
                field = getattr(struct, member)
                members[f"{name}.{member}"] = f"{field.offset}, {field.size} bytes"
            self.assertEqual(members, {key: value for key, value in self.header.items() if key.startswith(name + ".")})

    def test_values(self):
        enumerators = {f"FIRSTTIME_{unit.name}": unit.value for unit in firsttime.Unit}
        enumerators.update({f"FIRSTTIME_{outcome.name}": outcome.value for outcome in firsttime.Outcome})
        enumerators.update(
            {
                f"FIRSTTIME_FORMAT_{each.upper().replace('-', '_')}": _values.FORMATS.index(each)
                for each in _values.FORMATS
            }
        )
        failures = {name: value for name, value in self.header.items() if name.startswith("FIRSTTIME_ERROR_")}
        self.assertEqual(sorted(map(int, failures.values())), sorted(errors.BY_CODE))
        for name, value in enumerators.items():
            self.assertEqual((name, self.header[name]), (name, str(value)))

    def test_flags(self):
        every = firsttime.Policy(True, firsttime.Interval.days(1), True, True, True)
        for index, name in enumerate(["PER_VERSION", "PER_INTERVAL", "AT_MOST_ONCE", "NO_WAIT", "BASELINE"]):
            self.assertEqual(self.header["FIRSTTIME_" + name], str(1 << index))
        self.assertEqual(_values.c_policy(every).flags, 0b11111)
        options = ["READ_ONLY", "IN_MEMORY", "RELAXED", "RECOVER", "RUN_IF_UNWRITABLE", "FIXED_OFFSET"]
        self.assertEqual([self.header["FIRSTTIME_" + name] for name in options], [str(1 << bit) for bit in range(6)])
        self.assertEqual(self.header["FIRSTTIME_IMPORT_DRY_RUN"], "1")
        self.assertEqual([self.header["FIRSTTIME_DUMP_" + name] for name in ["JSON", "RAW"]], ["1", "2"])


if __name__ == "__main__":
    unittest.main()
