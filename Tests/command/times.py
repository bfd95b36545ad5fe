"""Cron over three months, and what a day, a week, a month are: the tool under faketime, in several zones."""

import datetime
import os
import shutil
import subprocess
import zoneinfo

from tool import LIMIT, TOOL, Place, Terminal, run_all, same

# From before a New Year to after a change to summer time.
BEGIN = datetime.datetime(2026, 12, 14, 9, 30)
DAYS = 92


def run_at(place, moment, *arguments):
    """Exit status and output at that local time."""
    result = subprocess.run(
        ["faketime", moment.strftime("%Y-%m-%d %H:%M:%S"), TOOL, *arguments],
        cwd=place.path,
        env=place.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
    )
    assert result.returncode in (0, 9), (arguments, result)
    return result.returncode, result.stdout.decode()


def crontab(zone, hours, specs):
    """Runs every spec each so many hours of local time; compares with the periods that Python's dates say have begun."""
    place = Place(TZ=zone)
    periods = {
        "daily": lambda moment: moment.date(),
        "weekly": lambda moment: moment.isocalendar()[:2],
        "monthly": lambda moment: (moment.year, moment.month),
        "quarterly": lambda moment: (moment.year, (moment.month - 1) // 3),
        "yearly": lambda moment: moment.year,
    }
    seen = {spec: set() for spec in specs}
    runs = {spec: 0 for spec in specs}
    moment = BEGIN
    while moment < BEGIN + datetime.timedelta(days=DAYS):
        for spec in specs:
            status, out = run_at(place, moment, "every", spec, spec, "--skip-status", "9", "--", "echo", "run")
            is_new = periods[spec](moment) not in seen[spec]
            same("%s at %s %s" % (spec, moment, zone), (status, out), (0, "run\n") if is_new else (9, ""))
            seen[spec].add(periods[spec](moment))
            runs[spec] += out == "run\n"
        moment += datetime.timedelta(hours=hours)
    return runs


def test_three_months_of_cron():
    hours = 4 if os.environ.get("FIRSTTIME_LONG") else 10
    runs = crontab("Europe/Berlin", hours, ("daily", "weekly", "monthly"))
    same("runs", runs, {"daily": 93, "weekly": 14, "monthly": 4})


def test_three_months_of_seldom_cron_across_the_date_line():
    same(
        "runs",
        crontab("Pacific/Apia", 60, ("daily", "monthly", "quarterly", "yearly")),
        {"daily": 37, "monthly": 4, "quarterly": 2, "yearly": 2},
    )


def test_elapsed_and_calendar_intervals():
    place = Place(TZ="America/New_York")
    begin = datetime.datetime(2027, 1, 31, 8, 0)
    table = (
        ("12h", begin + datetime.timedelta(hours=12)),
        ("3d", begin + datetime.timedelta(days=3)),
        ("1.5 hours", begin + datetime.timedelta(minutes=90)),
        ("1 month rolling", datetime.datetime(2027, 2, 28, 8, 0)),
        ("3 months rolling", datetime.datetime(2027, 4, 30, 8, 0)),
        ("2 weeks rolling", datetime.datetime(2027, 2, 14, 8, 0)),
        ("1 year rolling", datetime.datetime(2028, 1, 31, 8, 0)),
        ("hourly", begin + datetime.timedelta(hours=1)),
    )
    zone = zoneinfo.ZoneInfo("America/New_York")
    for spec, due in table:
        key = "key " + spec
        same("first run", run_at(place, begin, "every", spec, key, "--", "echo", "run")[1], "run\n")
        # The run ends a moment after its time; a second later it is due for sure.
        before, after = due - datetime.timedelta(seconds=2), due + datetime.timedelta(seconds=8)
        same("early", run_at(place, before, "every", spec, key, "--", "echo", "run")[1], "")
        shown = run_at(place, before, "show", key, "--policy", spec)[1]
        stamp = due.replace(tzinfo=zone).isoformat()[:16]
        assert "next due" in shown and stamp in shown, (shown, stamp)
        same("late", run_at(place, after, "every", spec, key, "--", "echo", "run")[1], "run\n")


def test_words_for_how_long_ago():
    place = Place()
    begin = datetime.datetime(2026, 3, 1, 12, 0)
    run_at(place, begin, "mark", "key", "--app-version", "1.0")
    table = (
        (datetime.timedelta(seconds=40), " seconds ago"),
        (datetime.timedelta(minutes=5, seconds=5), "5 minutes ago"),
        (datetime.timedelta(hours=25), "24 hours ago|25 hours ago"),
        (datetime.timedelta(days=3, seconds=5), "3 days ago"),
        (datetime.timedelta(days=100), "3 months ago"),
        (datetime.timedelta(days=800), "2 years ago"),
    )
    for later, words in table:
        out = run_at(place, begin + later, "list")[1]
        assert any(word in out for word in words.split("|")), (out, words)
    # What was recorded by a clock that was ahead.
    out = run_at(place, begin - datetime.timedelta(days=10), "list")[1]
    assert "in 10 days" in out or "in 9 days" in out, out


def test_progress_of_a_long_import():
    path = os.environ["FT_ROOT"] + "/Tests/Fixtures/legacy/apple-layout/keys_80_under_256_objects.bplist"
    report = path + ": a keyed archive\nrecords  40 added, 0 updated, 0 kept\n"
    # A clock on which everything takes long.
    status, text = Terminal(Place(), "-f", "+0 x100000", TOOL, "import", path, program=shutil.which("faketime")).end()
    same("status", status, 0)
    assert "40 of 40" in text and text.endswith("\r\x1b[K" + report), text
    status, text = Terminal(Place(), "import", path).end()
    assert text.endswith(report), text
    same("in a pipe", Place().run("import", path), (0, report, ""))


def test_golden_tables():
    place = Place()
    for days, key, version in (
        (0, "onboarding.v1", "1.0"),
        (10, "whats-new", "2.1"),
        (10.5, "interval.reviewPrompt", None),
    ):
        arguments = ["--app-version", version] if version else []
        run_at(place, datetime.datetime(2026, 3, 1, 12, 0) + datetime.timedelta(days=days), "mark", key, *arguments)
    now = datetime.datetime(2026, 3, 15, 12, 0, 30)
    same(
        "list",
        run_at(place, now, "list")[1],
        "KEY                    LAST RUN     VERSION  COUNT\n"
        "interval.reviewPrompt  3 days ago                1\n"
        "onboarding.v1          14 days ago  1.0          1\n"
        "whats-new              4 days ago   2.1          1\n",
    )
    same(
        "list --policy",
        run_at(place, now, "list", "--policy", "monthly", "--prefix", "w")[1],
        "KEY        LAST RUN    VERSION  COUNT  NEXT DUE\n" "whats-new  4 days ago  2.1          1  in 16 days\n",
    )
    same(
        "show",
        run_at(place, now, "show", "whats-new", "--policy", "10 days rolling")[1].replace(":01", ":00"),
        "key           whats-new\n"
        "last run      2026-03-11T12:00:00+00:00 (4 days ago)\n"
        "version       2.1\n"
        "first run     2026-03-11T12:00:00+00:00 (4 days ago)\n"
        "first version 2.1\n"
        "count         1\n"
        "next due      2026-03-21T12:00:00+00:00 (in 5 days)\n",
    )
    same(
        "show, due",
        run_at(place, now, "show", "whats-new", "--policy", "daily")[1].splitlines()[-1],
        "next due      now",
    )
    same(
        "show, never",
        run_at(place, now, "show", "whats-new", "--policy", "once")[1].splitlines()[-1],
        "next due      never",
    )


run_all(globals())
