"""Compares the library with the oracle: compare.py DRIVER CASES SEED. At least half of the cases lie within two hours of a
change of the clocks or of the end of their interval."""

import bisect
import math
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone

from dateutil.relativedelta import relativedelta

import oracle
from oracle import CALENDAR, DAY, ELAPSED, HOUR, LENGTH, MINUTE, PERIOD, SECOND, YEAR, Oracle, Zone

ZONES = [
    "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo",
    "Africa/Casablanca", "Pacific/Apia", "Pacific/Chatham", "UTC", "JST-9", "GMT+5", "<-03>3", "America/St_Johns",
    ":America/Havana",
]
OFFSETS = [0, 345, -210, 840, -720]  # FIRSTTIME_FIXED_OFFSET's
NEAR = 2 * 3600
BEGIN, END = (datetime(year, 1, 1, tzinfo=timezone.utc).timestamp() for year in (1990, 2060))


def zones():
    for name in ZONES:
        zone = Zone(name.lstrip(":"))
        zone.name = name
        yield zone
    for offset in OFFSETS:
        yield Zone("-", offset)


def near(zone, time):
    index = bisect.bisect(zone.changes, time)
    return any(abs(time - change) <= NEAR for change in zone.changes[max(0, index - 1):index + 1])


def moment(rng, zone):
    """A time: near a change of the clocks, near a midnight (of New Year, often), or any."""
    kind = rng.random()
    if kind < 0.5 and zone.changes:
        return rng.choice(zone.changes) + rng.randint(-NEAR, NEAR) + rng.choice([0, 0, 0.25, 0.5])
    time = rng.uniform(BEGIN, END)
    if kind < 0.8:
        local = zone.local(time).replace(hour=0, minute=0, second=0)
        if rng.random() < 0.5:
            local = local.replace(day=1, month=rng.choice([1, 1, 3, 4, 7, 12, local.month]))
        time = zone.instant(local) + rng.choice([0, -1, 1, rng.randint(-NEAR, NEAR)])
    return math.floor(time) + rng.choice([0, 0, 0.25, 0.5])


def interval(rng):
    kind = rng.choice([CALENDAR, PERIOD, PERIOD, CALENDAR, PERIOD, ELAPSED])
    unit = rng.randint(SECOND, oracle.WEEK if kind == ELAPSED else YEAR)
    most = {SECOND: 300, MINUTE: 200, HOUR: 72, DAY: 40, oracle.WEEK: 10, oracle.MONTH: 26, oracle.QUARTER: 9, YEAR: 5}
    count = 1 if rng.random() < 0.5 else rng.randint(1, most[unit])
    return kind, unit, count


def before(zone, change, unit, count):
    """One interval before a change of the clocks, by local time."""
    local = zone.local(change)
    if unit <= oracle.WEEK:
        return zone.instant(local - timedelta(seconds=count * oracle.FIXED[unit]))
    months = count * {oracle.MONTH: 1, oracle.QUARTER: 3, YEAR: 12}[unit]
    return zone.instant(local - relativedelta(months=months))


def case(rng, zone, answers):
    kind, unit, count = interval(rng)
    if zone.changes and rng.random() < 0.4:  # what it ends at is near a change of the clocks
        change = rng.choice(zone.changes)
        last = before(zone, change, unit, count) + rng.randint(-NEAR, NEAR)
        if rng.random() < 0.4:
            return kind, unit, count, last, change + rng.randint(-NEAR, NEAR)
    else:
        last = moment(rng, zone)
    length = LENGTH[unit] * count
    choice = rng.random()
    if choice < 0.6:  # at the boundary
        now = answers.answer(kind, unit, count, last, last)[1]
        now += rng.choice([0, 0, -0.25, -1, 1, rng.randint(-NEAR, NEAR), rng.randint(-NEAR, NEAR)])
    elif choice < 0.7:  # the clock was set back
        now = last - rng.choice([1, length / 2, length, length - 1, length + 1, 2 * length, rng.uniform(0, 3 * length)])
        now = math.floor(now * 4) / 4
    elif choice < 0.85 and zone.changes:  # past the next change of the clocks, or two
        index = bisect.bisect(zone.changes, last)
        now = zone.changes[min(index + rng.randint(0, 1), len(zone.changes) - 1)] + rng.randint(-NEAR, NEAR)
    else:
        now = last + math.floor(rng.uniform(0, 2 * length))
    if kind == PERIOD and unit <= HOUR and abs(now - last) > 400 * LENGTH[unit]:  # stepping takes its time
        now = last + math.floor(rng.uniform(-3, 3) * length)
    return kind, unit, count, last, now


def main():
    driver, total, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(f"seed {seed}")
    rng = random.Random(seed)
    every = list(zones())
    lines, expected, close = [], [], 0
    while len(expected) < total:
        zone = every[(len(expected) * 2 * len(every) // total) % len(every)]
        weekday = rng.choice([1, 1, 7, 6, rng.randint(1, 7)])
        answers = Oracle(zone, weekday)
        lines += [f"zone {zone.name}", f"store {'-' if zone.offset is None else zone.offset} {weekday}"]
        for _ in range(min(500, total - len(expected))):
            question = case(rng, zone, answers)
            kind, unit, count, last, now = question
            answer = answers.answer(*question)
            end = answers.answer(kind, unit, count, last, last)[1]
            close += near(zone, last) or near(zone, now) or abs(now - end) <= NEAR
            lines.append(f"{kind} {unit} {count} {last!r} {now!r}")
            expected.append((zone.name, weekday, question, answer))
    run = subprocess.run([driver], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"the driver failed: exit status {run.returncode}")
    wrong = 0
    answers = run.stdout.splitlines()
    if len(answers) != len(expected):
        sys.exit(f"{len(answers)} answers to {len(expected)} questions")
    for line, (zone, weekday, question, (due, next_due)) in zip(answers, expected):
        right = [1 if due else 0, float(next_due)] + ([] if due else [1, 0])
        if [float(word) for word in line.split()] != [float(word) for word in right]:
            wrong += 1
            if wrong <= 20:
                print(f"{zone}, weeks from {weekday}, {question}: {line}, but {right} is right")
    if wrong:
        sys.exit(f"{wrong} of {total} cases are wrong (seed {seed})")
    if close * 2 < total:
        sys.exit(f"only {close} of {total} cases lie within two hours of a change or an end")
    due = sum(due for *_, (due, _) in expected)
    print(f"{total} cases from seed {seed} in {len(every)} zones, {100 * close // total} % near a change or an end, "
          f"{100 * due // total} % due")


main()
