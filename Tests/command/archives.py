"""Every archive among the fixtures: verified, shown, imported, exported to each format that can be imported, and back.
Then what is broken: verify, repair, and standard input."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

from tool import Place, run_all, same, wait_until

ROOT = os.environ["FT_ROOT"]
SHARED = os.environ.get("FT_SHARED", "")
DIRECTORIES = [ROOT + "/Tests/Fixtures/" + name for name in ("legacy", "import", "archive", "public", "public-xml")]
if SHARED:
    DIRECTORIES = [SHARED + "/fixtures/legacy", SHARED + "/fixtures/public"] + DIRECTORIES[1:3]
FORMATS = ("archive", "xml", "defaults")
# What dump gives no JSON reader is a fault; what these are isn't an archive of ours.
SUFFIXES = (".bplist", ".plist")


def fixtures():
    found = []
    for directory in DIRECTORIES:
        for path, _, names in os.walk(directory):
            found += [os.path.join(path, name) for name in sorted(names) if name.endswith(SUFFIXES)]
    return found


def state(place, *store):
    return json.loads(place.check("export", "--format", "json", *store))


def round_trip(path):
    """One of: "archive", "other" for a property list that holds no state, "refused"."""
    place = Place()
    status, out, _ = place.run("verify", path)
    shown = place.run("dump", path)
    if status not in (0, 1) or (status == 0) != (out == ""):
        raise AssertionError("verify %s: %s %r" % (path, status, out))
    if shown[0] == 0:
        json.loads(place.check("dump", "--json", path))
        json.loads(place.check("dump", "--json", "--raw", path))
        with open(path, "rb") as file:
            same("dump of standard input", place.check("dump", "-", input=file.read()), shown[1])
        controls = re.findall("[\x00-\x09\x0b-\x1f\x7f]", shown[1])
        same("control characters in the dump of " + path, controls, [])
    dry = place.run("import", path, "--dry-run")
    same("files after --dry-run of " + path, os.path.exists(place.file("state")), False)
    imported = place.run("import", path)
    same("status of import %s, dry and not" % path, dry[0], imported[0])
    if imported[0] != 0:
        same("what %s has" % path, state(place)["records"], [])
        return "refused" if status != 0 else "other"
    same("problems of %s, and what was left out of it" % path, status != 0, "left out" in imported[2])
    plan = re.sub(
        r"(\d+) to (add|update|keep)",
        lambda match: match[1] + {"add": " added", "update": " updated", "keep": " kept"}[match[2]],
        dry[1],
    )
    same("plan and report of " + path, plan, imported[1] + "Nothing was changed.\n")
    before = state(place)
    for format in FORMATS:
        copy = place.file("copy." + format)
        status, _, error = place.run("export", "--format", format, copy)
        if status != 0:
            assert format == "xml" and "XML" in error, error
            continue
        same("verify of an export", place.run("verify", copy)[:2], (0, ""))
        place.check("import", copy, "--store", place.file("again." + format))
        same("%s by %s and back" % (path, format), state(place, "--store", place.file("again." + format)), before)
        with open(copy, "rb") as file:
            content = file.read()
        piped = place.start("export", "--format", format).communicate()[0]
        if format == "archive":
            same("a new store's archive, dumped", place.check("dump", copy), place.check("dump", "-", input=piped))
        else:
            same("export to standard output as " + format, piped, content)
        place.check("import", "-", input=content)
        same("%s after its own export came back" % path, state(place), before)
    return "archive"


def test_every_fixture_there_and_back():
    paths = fixtures()
    with ThreadPoolExecutor(2) as pool:
        kinds = list(pool.map(round_trip, paths))
    counts = {kind: kinds.count(kind) for kind in ("archive", "other", "refused")}
    print(
        "%d files: %d of state, %d others, %d broken"
        % (len(paths), counts["archive"], counts["other"], counts["refused"])
    )
    assert counts["archive"] >= 30, counts
    assert counts["other"] >= 1, counts


def test_intervals_of_preferences():
    place = Place()
    path = ROOT + "/Tests/Fixtures/import/preferences.plist"
    out = place.check("import", path, "--interval", "news=monthly", "--interval", "rate-prompt=90s", "--dry-run")
    assert "Nothing was changed." in out, out
    same("nothing", place.check("list", "--keys"), "")
    status, _, error = place.run("import", path, "--interval", "news")
    same("status", status, 125)
    assert "NAME=SPEC" in error, error
    status, _, error = place.run("import", path, "--interval", "rate-prompt=monthly", "--interval", "nothing=daily")
    same("status", status, 0)
    assert "left out" in error, error


def broken_store():
    place = Place()
    path = place.file("broken.archive")
    for number in range(30):
        place.check("mark", "key.%02d" % number, "--store", path)
    place.check("list", "--store", path)
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 40)
    return place, path


def test_a_broken_store_is_verified_and_repaired():
    place, path = broken_store()
    status, out, _ = place.run("verify", path)
    same("status", status, 1)
    assert re.search(r"^\S+: offset \d+: .+$", out, re.MULTILINE), out
    assert re.search(r"^\d+ problems?$", out, re.MULTILINE), out
    for command in (["list"], ["mark", "a"], ["once", "a", "--", "true"], ["due", "a"], ["path"]):
        status, _, error = place.run("--store", path, *command)
        same("status of %s" % command, status, 125)
        assert "firsttime repair" in error and path in error, error
        hint = "firsttime repair %s saves what can be saved; firsttime verify shows what is wrong\n" % path
        assert error.endswith(hint), error
    out = place.check("repair", path)
    same("paths in a line", [line.count(path + ": ") for line in out.split("\n")[:-1]], [1] * out.count("\n"))
    aside = [name for name in os.listdir(place.path) if ".corrupt-" in name]
    same("files set aside", len(aside), 1)
    assert aside[0] in out, out
    keys = place.check("list", "--keys", "--store", path).split()
    same("keys that were saved", keys, ["key.%02d" % number for number in range(30)])
    same("a second time", place.check("repair", path), path + ": nothing to repair\n")
    same("verify", place.check("verify", path), "")


def test_what_can_be_imported_is_no_store():
    place = Place()
    place.check("mark", "key")
    place.check("export", "--format", "defaults", "old.plist")
    status, _, error = place.run("list", "--store", "old.plist")
    same("status", status, 125)
    assert "firsttime import" in error and "repair" not in error and "verify" not in error, error
    same("files", sorted(name for name in os.listdir(place.path) if "old" in name), ["old.plist"])
    status, out, error = place.run("import", "old.plist", "--defaults-key", "Other")
    same("status", status, 0)
    assert 'no records were found under "Other"' in error, error


def test_a_store_in_use_is_not_repaired():
    place = Place()
    path = place.file("used.archive")
    place.check("mark", "old", "--store", path)
    tool = place.start(
        "once",
        "new",
        "--store",
        path,
        "--",
        "sh",
        "-c",
        "echo >begun; while [ ! -e stop ]; do sleep 0.02; done; exit 1",
    )
    wait_until("CMD to begin", lambda: place.read("begun"))
    with open(path, "r+b") as file:
        file.truncate(100)
    same("status", place.run("repair", path)[:2], (125, ""))
    same("what a failed repair claims", "kept as" in place.run("repair", path)[2], False)
    same("the file's size", os.path.getsize(path), 100)
    open(place.file("stop"), "w").close()
    same("status", tool.wait(), 1)


def test_what_is_no_archive():
    place = Place()
    for content in (b"", b"hello", b"<xml>", b"bplist00", b"\x00" * 100):
        same("verify", place.run("verify", "-", input=content)[0], 1)
        for command in ("dump", "import"):
            status, out, error = place.run(command, "-", input=content)
            same("%s %r" % (command, content), (status, out), (125, ""))
            assert error.startswith("firsttime: standard input: ") and error.count("\n") == 1, error
    for command in ("verify", "dump", "import", "repair"):
        status, out, error = place.run(command, "missing")
        same(command, (status, out), (125, ""))
        assert "missing" in error and "No such file" in error, error
    same("repair -", place.run("repair", "-")[0], 125)
    same("a directory", place.run("dump", ".")[0], 125)


def test_exports_that_cannot_be_written():
    place = Place()
    place.check("mark", "key")
    for format in FORMATS + ("json",):
        status, _, error = place.run("export", "--format", format, stdout=open("/dev/full", "w"))
        same("status", status, 125)
        assert "No space left" in error, error
    same("no directory", place.run("export", "nothing/here")[0], 125)
    same("its own archive", place.run("export", place.check("path").strip())[0], 125)
    same("a format", place.run("export", "--format", "yaml")[0], 125)


run_all(globals())
