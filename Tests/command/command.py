"""What the tool says and answers: options, errors, exit statuses, tables, JSON, terminals, disks that fail."""

import json
import os
import re
import subprocess

from tool import TOOL, Place, Terminal, run_all, same, status_of

COMMANDS = (
    "once",
    "per-version",
    "every",
    "list",
    "show",
    "due",
    "events",
    "path",
    "mark",
    "reset",
    "donate",
    "rule",
    "import",
    "export",
    "verify",
    "repair",
    "dump",
    "help",
)


def test_the_three_ways_to_run():
    place = Place()
    place.check("once", "a", "--", "echo", "first", out="first\n", error="")
    place.check("once", "a", "--", "echo", "first", out="", error="")
    place.check("once", "a", "--skip-status", "77", "--", "echo", status=77, out="", error="")
    place.check("once", "a", "--after", "echo again; exit 3", "--", "echo", "first", status=3, out="again\n")
    place.check("once", "a", "--after", "kill -9 $$", "--", "echo", "first", status=137)
    for version, out in (("1", "1\n"), ("1", ""), ("2", "2\n"), ("1", "1\n")):
        place.check("per-version", "v", "--app-version", version, "--", "echo", version, out=out)
    for spec, out in (
        ("3d", "3d\n"),
        ("3d", ""),
        ("1ms", None),
        ("0.001s", "0.001s\n"),
        ("hourly", ""),
        ("1 year rolling", ""),
    ):
        place.check("every", spec, "e", "--", "echo", spec, status=125 if out is None else 0, out=out or "")
    place.check("once", "--", "-k", "--", "echo", "--", "--help", out="-- --help\n")
    place.check("--store", "other", "once", "a", "--", "echo", "other store", out="other store\n")
    place.check("once", "a", "--app=org.example.app", "--", "echo", "other app", out="other app\n")
    same("files", os.path.exists(place.file("state/org.example.app/firsttime.archive")), True)


def test_exit_statuses_of_the_program():
    place = Place()
    for command, status in (
        (["sh", "-c", "exit 7"], 7),
        (["sh", "-c", "kill -TERM $$"], 143),
        (["./nothing"], 127),
        (["nothing-of-the-kind"], 127),
        (["/"], 126),
        (["sh", "-c", "exit 125"], 125),
    ):
        place.check("once", "key", "--", *command, status=status)
        same("due after %s" % command, place.is_due("key"), True)


def test_baseline():
    place = Place()
    place.check(
        "per-version",
        "new",
        "--app-version",
        "1",
        "--baseline",
        "--after",
        "echo after",
        "--skip-status",
        "5",
        "--",
        "echo",
        "run",
        status=5,
        out="",
    )
    place.check("per-version", "new", "--app-version", "1", "--baseline", "--", "echo", "run", out="")
    place.check("per-version", "new", "--app-version", "2", "--baseline", "--", "echo", "run", out="run\n")


def test_due():
    place = Place()
    place.check("due", "k", "once")
    place.check("mark", "k", "--app-version", "1")
    for spec, status in (("once", 1), ("daily", 1), ("3d", 1), ("0.000001s", 0), ("2 quarters rolling", 1)):
        place.check("due", "k", spec, status=status, out="", error="")
    place.check("due", "k", status=1)
    place.check("due", "k", "per-version", "--app-version", "1", status=1)
    place.check("due", "k", "per-version", "--app-version", "2", status=0)
    place.check("due", "k", "per-version", status=125)
    place.check("due", "", "once", status=125, error="firsttime: the key is empty\n")


def test_looking_creates_nothing():
    place = Place()
    for command in (
        ["list"],
        ["list", "--json"],
        ["show", "k"],
        ["due", "k"],
        ["events"],
        ["path"],
        ["export", "--format", "json"],
    ):
        place.run(*command)
        same("files after %s" % command, os.listdir(place.path), [])


def test_changing():
    place = Place()
    for key in ("a.1", "a.2", "b"):
        place.check("mark", key, out="")
    place.check("reset", "b", out="", error="")
    place.check("reset", "b", status=1)
    place.check("reset", "--prefix", "a.", out="2 keys forgotten\n")
    place.check("reset", "--prefix", "", status=125)
    place.check("reset", status=125)
    place.check("reset", "a", "--all", status=125)
    place.check("mark", "c")
    place.check("reset", "--all", status=125, out="")
    same("still there", place.check("list", "--keys"), "c\n")
    place.check("reset", "--all", "--yes", out="1 key forgotten\n")
    place.check("donate", "started", "--app-version", "1")
    place.check("donate", "started", "--app-version", "2")
    place.check("donate", "other")
    events = json.loads(place.check("events", "--json"))
    same(
        "events",
        [(event["name"], event["count"], event.get("firstVersion"), event.get("lastVersion")) for event in events],
        [("other", 1, None, None), ("started", 2, "1", "2")],
    )
    same("events of a prefix", len(json.loads(place.check("events", "--prefix", "st", "--json"))), 1)


def test_rule_check():
    place = Place()
    text = 'event("a") >= 3 && donated("b") not within 30 days'
    place.check("rule", "check", text, out=text + "\n")
    place.check("rule", "check", "-", input=(text + "\n").encode(), out=text + "\n")
    place.check(
        "rule",
        "check",
        'event("a") >= x',
        status=1,
        out="",
        error='firsttime: line 1, column 15: expected a number after ">="\n  event("a") >= x\n' + " " * 16 + "^\n",
    )


def test_json_is_that_of_the_export():
    place = Place()
    place.check("mark", 'é "quoted" \x01 \u202e', "--app-version", "\x1b[31m")
    place.check("mark", "b")
    place.check("donate", "event", "--app-version", "1")
    exported = json.loads(place.check("export", "--format", "json"))
    same("records", json.loads(place.check("list", "--json")), exported["records"])
    same("events", json.loads(place.check("events", "--json")), exported["events"])
    same("one", json.loads(place.check("show", "b", "--json")), exported["records"][0])
    record = json.loads(place.check("show", "b", "--json", "--policy", "3d"))
    same("due", (record["due"], record["nextDue"]), (False, record["lastTime"] + 3 * 86400))
    record = json.loads(place.check("show", "b", "--json", "--policy", "once"))
    same("never", (record["due"], "nextDue" in record), (False, False))
    same("nothing", json.loads(place.check("list", "--json", "--prefix", "none")), [])


def test_errors_say_what_to_do():
    place = Place()
    for arguments, words in (
        ([], "firsttime once KEY -- CMD"),
        (["lst"], 'did you mean "list"?'),
        (["perversion"], 'did you mean "per-version"?'),
        (["exprot"], 'did you mean "export"?'),
        (["frobnicate"], "Try: firsttime --help"),
        (["once"], "firsttime once KEY"),
        (["once", "k"], "put it after --"),
        (["once", "k", "--"], "put it after --"),
        (["once", "k", "echo"], "put -- between"),
        (["once", "k", "--atmostonce", "--", "true"], "did you mean --at-most-once?"),
        (["list", "--after", "x"], "list has no option --after"),
        (["once", "k", "--after"], "--after needs a value"),
        (["list", "--json=yes"], "--json takes no value"),
        (["list", "x"], "one argument too many"),
        (["every", "dayly", "k", "--", "true"], 'did you mean "daily"?'),
        (["every", "3 months", "k", "--", "true"], '"3 months rolling"'),
        (["every", "3", "k", "--", "true"], "examples: 90s"),
        (["every", "0d", "k", "--", "true"], "above 0"),
        (["every", "1.5 months rolling", "k", "--", "true"], "a whole number"),
        (["every", "once", "k", "--", "true"], "examples: 90s"),
        (["every", "3d3", "k", "--", "true"], "has no unit"),
        (["per-version", "k", "--", "true"], "--app-version V"),
        (["once", "k", "--wait", "soon", "--", "true"], "examples: 30s"),
        (["once", "k", "--skip-status", "256", "--", "true"], "0 to 255"),
        (["list", "--store", "a", "--app", "b"], "give one of them"),
        (["list", "--app", "../a"], "--app ../a: it can't name a directory"),
        (["list", "--json", "--keys"], "exclude each other"),
        (["list", "--policy", "daily", "--keys"], "exclude each other"),
        (["once", "k", "--no-wait", "--wait", "1s", "--", "true"], "exclude each other"),
        (["once", "k", "--baseline", "--at-most-once", "--", "true"], "exclude each other"),
        (["every", "3", "months", "rolling", "k", "--", "true"], 'every "3 months rolling"'),
        (["every", "3", "days", "k", "--", "true"], 'every "3 days"'),
        (["export", ""], "the path is empty"),
        (["repair", ""], "the path is empty"),
        (["import", "--defaults-key", "", "x"], "--defaults-key is empty"),
        (["dump", "/dev/zero"], "is a device"),
        (["verify", "/dev/zero"], "is a device"),
        (["import", "/dev/zero"], "is a device"),
        (["list", "--store", ""], "--store is empty"),
        (["rule", "chek", "x"], "firsttime rule check"),
        (["help", "lst"], 'did you mean "list"?'),
        (["mark", "\xff".encode("latin1")], "UTF-8"),
    ):
        status, out, error = place.run(*arguments)
        same("status and output of %r" % (arguments,), (status, out), (125, ""))
        assert error.startswith("firsttime: ") and words in error, (arguments, error)
    same("files", os.listdir(place.path), [])


def test_help_of_every_command():
    place = Place()
    overview = place.check("--help", error="")
    for command in COMMANDS:
        assert re.search("^  %s +" % command, overview, re.MULTILINE), command
        text = place.check(command, "--help", error="")
        assert text.startswith("usage: firsttime " + command), text
        same("help " + command, place.check("help", command), text)
        too_long = [line for line in text.split("\n") if len(line) > 120]
        same("long lines of %s" % command, too_long, [])
    same("--version", re.fullmatch(r"firsttime \d+\.\d+\.\d+\n", place.check("--version")) is not None, True)
    same("commands", len(re.findall("^  [a-z-]+ +", overview, re.MULTILINE)), len(COMMANDS))


def test_a_terminal_gets_tables_that_fit_without_control_characters():
    place = Place()
    place.check("mark", "bad\x1b[31m\n\u202e\x9b key")
    place.check("mark", "l" * 100)
    place.check("mark", "日本語" * 20)
    for columns in (40, 60, 80, 200):
        status, text = Terminal(place, "list", columns=columns).end()
        same("status", status, 0)
        lines = text.replace("\x1b[1m", "").replace("\x1b[0m", "").rstrip("\n").split("\n")
        same("lines", len(lines), 4)
        assert lines[1].startswith("bad\\x1b[31m\\n"), lines
        assert "\x1b" not in "".join(lines) and "\u202e" not in text and "\x9b" not in text, text
        for line in lines:
            wide = sum(2 if character > "\u2e80" else 1 for character in line)
            assert wide <= columns, (columns, line)
        same("bold", "\x1b[1m" in text, True)
        same("cut", "…" in text, columns < 200)
    for none in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        quiet = Place(**none)
        quiet.environment["XDG_STATE_HOME"] = place.environment["XDG_STATE_HOME"]
        same("colours with %r" % none, "\x1b" in Terminal(quiet, "list").end()[1], False)
    coloured = Place(NO_COLOR="")
    coloured.check("mark", "k")
    same("an empty NO_COLOR", "\x1b" in Terminal(coloured, "list").end()[1], True)
    same("a pipe", "\x1b" in place.check("list") or "…" in place.check("list"), False)
    same("keys on a terminal", "\\x1b" in Terminal(place, "list", "--keys").end()[1], True)
    same("keys in a pipe", "\x1b" in place.check("list", "--keys"), True)


def test_reset_all_asks_on_a_terminal():
    place = Place()
    for answer, status, left in (("n", 1, "a\nb\n"), ("", 1, "a\nb\n"), ("y", 0, "")):
        place.check("mark", "a")
        place.check("mark", "b")
        terminal = Terminal(place, "reset", "--all")
        terminal.expect("Forget all 2 keys of ")
        terminal.type(answer + "\n")
        same("status after %r" % answer, terminal.end()[0], status)
        if answer == "y":
            same("nothing to ask", Terminal(place, "reset", "--all").end(), (0, "0 keys forgotten\n"))
        same("keys after %r" % answer, place.check("list", "--keys"), left)


def test_an_archive_is_not_written_to_a_terminal():
    place = Place()
    place.check("mark", "a")
    same("status", Terminal(place, "export").end()[0], 125)
    same("status", Terminal(place, "export", "--format", "xml").end()[0], 0)


def test_standard_output_that_is_full():
    place = Place()
    place.check("mark", "a")
    for command in (
        ["list"],
        ["list", "--json"],
        ["list", "--keys"],
        ["show", "a"],
        ["path"],
        ["--help"],
        ["--version"],
    ):
        status, _, error = place.run(*command, stdout=open("/dev/full", "w"))
        same("status of %s" % command, status, 125)
        assert "No space left" in error, error


def test_standard_descriptors_that_are_closed():
    place = Place()
    place.check("mark", "a")
    for command in ("list", "list --json", "list --keys", "show a", "path", "export", "--help", "--version"):
        result = subprocess.run(
            ["sh", "-c", '"$0" %s >&-' % command, TOOL], env=place.environment, capture_output=True, text=True
        )
        same("status of %s" % command, result.returncode, 125)
        assert "Bad file descriptor" in result.stderr, result.stderr
    for command in ("verify -", "dump -", "import -", "rule check -"):
        result = subprocess.run(
            ["sh", "-c", '"$0" %s <&-' % command, TOOL], env=place.environment, capture_output=True, text=True
        )
        same("status of %s" % command, (result.returncode, result.stdout), (125, ""))
        assert "standard input: can't be read" in result.stderr, result.stderr
    place.check("mark", "b", stdout=None, preexec_fn=lambda: os.close(1))


def test_never_and_tables_in_a_pipe():
    place = Place()
    place.check("mark", "k")
    place.check("mark", "l" * 500)
    place.check("due", "k", "daily ", status=1)
    place.check("due", "k", " daily", status=1)
    for spec in ("300001 years rolling", "9000 years rolling", "9" * 25 + "d"):
        assert re.search(r"next due +never\n", place.check("show", "k", "--policy", spec)), spec
        same("nextDue", "nextDue" in json.loads(place.check("show", "k", "--json", "--policy", spec)), False)
        same("list", place.check("list", "--policy", spec).count("never"), 2)
    lines = place.check("list").split("\n")
    assert len(lines[1]) < 120 and lines[2].startswith("l" * 500 + "  "), lines
    place.check("mark", "k", "--app-version", "1" * 90)
    for columns in (20, 24, 30):
        status, text = Terminal(place, "list", "--policy", "3d", columns=columns).end()
        lines = text.replace("\x1b[1m", "").replace("\x1b[0m", "").rstrip("\n").split("\n")
        assert max(map(len, lines)) <= columns, lines


def test_a_home_that_cannot_be_written():
    places = [(Place(), {"HOME": "/dev/null"}, {})]
    place = Place()
    os.chmod(place.path, 0o555)
    places.append((place, {}, {"user": 65534} if os.getuid() == 0 else {}))
    for place, environment, options in places:
        environment = {**place.environment, **environment}
        if "HOME" in environment and environment["HOME"] == "/dev/null":
            del environment["XDG_STATE_HOME"]
        result = subprocess.run(
            [TOOL, "once", "key", "--", "echo", "ran"], env=environment, capture_output=True, cwd="/", **options
        )
        same("status and output", (status_of(result.returncode), result.stdout), (125, b""))
        assert result.stderr.startswith(b"firsttime: ") and result.stderr.count(b"\n") == 1, result.stderr
        same(
            "mark",
            subprocess.run(
                [TOOL, "mark", "key"], env=environment, stderr=subprocess.DEVNULL, cwd="/", **options
            ).returncode,
            125,
        )
    os.chmod(place.path, 0o755)
    nobody = Place()
    del nobody.environment["HOME"], nobody.environment["XDG_STATE_HOME"]
    options = {"user": 4242424} if os.getuid() == 0 else None
    if options:
        result = subprocess.run([TOOL, "list"], env=nobody.environment, capture_output=True, cwd="/", **options)
        same("no home at all", result.returncode, 125)
        assert b"home" in result.stderr, result.stderr


FULL_DISK = r"""
set -e
# Its record needs a page of its own.
long=$(printf %05000d 0)
mkdir disk
mount -t tmpfs -o size=128k none disk
"$FT_COMMAND" once before --store disk/archive -- echo ran >out
[ "$(cat out)" = ran ]
# It fills up while CMD runs: CMD is successful, and that can't be recorded.
status=0
"$FT_COMMAND" once k$long --store disk/archive -- sh -c 'cat /dev/zero >disk/filler 2>/dev/null; exit 0' 2>errors || status=$?
[ "$status" -eq 125 ] || { echo "status $status"; cat errors; exit 1; }
grep -q "was successful, but that could not be recorded" errors
grep -q "No space left on device" errors
# Full before: it says so, and doesn't run twice or claim that it is recorded.
status=0
"$FT_COMMAND" once o$long --store disk/archive -- echo ran >out 2>errors || status=$?
[ "$status" -eq 125 ] || { echo "status $status"; cat errors; exit 1; }
status=0
"$FT_COMMAND" once m$long --at-most-once --store disk/archive -- echo ran >out 2>errors || status=$?
[ "$status" -eq 125 ] && [ ! -s out ] || { echo "status $status"; cat out errors; exit 1; }
"$FT_COMMAND" list --store disk/archive --keys >out
[ "$(cat out)" = before ] || { cat out; exit 1; }
rm disk/filler
"$FT_COMMAND" once k$long --store disk/archive -- echo ran >out
[ "$(cat out)" = ran ]
# Read only: nothing runs.
mount -o remount,ro none disk
status=0
"$FT_COMMAND" once more --store disk/archive -- echo ran >out 2>errors || status=$?
[ "$status" -eq 125 ] && [ ! -s out ] || { echo "status $status"; cat out errors; exit 1; }
"$FT_COMMAND" due k$long --store disk/archive && exit 1
"$FT_COMMAND" list --store disk/archive --keys >out
[ "$(cat out)" = "$(printf 'before\nk%s' "$long")" ]
"""


def test_a_full_disk():
    place = Place()
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    if subprocess.run(["unshare", *user, "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("needs the right to mount: a full disk was not tried")
        return
    result = subprocess.run(
        ["unshare", *user, "--mount", "sh", "-c", FULL_DISK],
        cwd=place.path,
        capture_output=True,
        text=True,
        env={**os.environ, **place.environment},
    )
    same("status: %s %s" % (result.stdout, result.stderr), result.returncode, 0)


run_all(globals())
