"""Kills a process at each system call that its store makes, and looks what is left.

After each kill: a new process opens the store, finds what was acknowledged and nothing that was taken back, runs no
callback again that was acknowledged, waits for nobody, and works on. Half of it once more with a second process that has
the store open all the time, and must see the same.
"""

import collections
import re

from bench import store_calls
from campaign import MOVED, Campaign
from facts import Truth, Untrue
from verify import names, prepare, story, verify

# The points between which a commit is in the journal, and other processes haven't been told.
WRITTEN, COUNTED = "point: record was written", "point: counter was raised"


def observing(scenario):
    # One key that the dead may have been running, one that nobody knew, and each event.
    keys = scenario.keys
    return ["open", *scenario.rules, "dump", "wait", "dump", *[f"ask:{key}" for key in keys],
            *[f"once:{key}" for key in keys[:1]], "once:observed", *scenario.donations, "dump", "close"]


class Point:
    def __init__(self, scenario, template, disk, base, leaves, call, imports, observed):
        self.scenario, self.template, self.disk, self.base, self.leaves = scenario, template, disk, base, leaves
        self.call, self.imports, self.observed = call, imports, observed
        self.was_killed = self.is_uncounted = False

    def __call__(self, bench):
        bench.fresh(self.template)
        observer = None
        if self.observed:
            observer = bench.start(observing(self.scenario))
            observer.wait_for("waiting")
        run = bench.trace(self.scenario.operations, self.scenario.flags, self.call.name,
                          f"{self.call.name}:signal=SIGKILL:when={self.call.number}")
        truth = Truth(self.disk, self.imports, strict=True)
        try:
            if run.status is None:
                raise Untrue("the process hangs")
            truth.take(run.lines)
            self.was_killed = run.status == -9
            moved = run.status != -9 or run.lines != self.base.lines[:self.call.before]
            disk = truth.crash()
            if observer:
                seen, observer = observer.finish(), None
                disk = self.look(seen, disk)
            verify(bench, disk, self.scenario, self.imports, self.leaves)
            return MOVED if moved else None
        except Untrue as error:
            observed = ", observed" if self.observed else ""
            return f"{self.scenario.name}{observed}: {error}\n  killed at {self.call}\n{story(run)}"
        finally:
            if observer:
                observer.kill()

    def look(self, seen, disk):
        """The second process's facts: its answers after the kill are the file's.

        A commit that was written, and not yet counted in the shared page, may be seen up to a second late: until the
        first call that ran something, and looked at the files for that, each answer stands for itself."""
        wait = seen.lines.index("waiting")
        self.rules = Truth(self.disk, self.imports, strict=True).take(seen.lines[:wait]).rules
        running = [index for index, line in enumerate(seen.lines) if index > wait and line.startswith("running ")]
        if self.is_uncounted and running:
            begins = [index for index in range(wait, running[0]) if seen.lines[index].startswith("call ")]
            for begin, end in zip(begins, begins[1:]):
                self.judge_on(seen.lines[begin:end], disk)
            wait = begins[-1]
        truth = self.judge_on(seen.lines[wait:], disk)
        if seen.status != 0:
            raise Untrue(f"the other process {seen.end}")
        return truth.crash()

    def judge_on(self, lines, disk):
        """The facts of a process that had the store open before."""
        truth = Truth(disk, self.imports, strict=True)
        truth.here, truth.rules = list(disk), self.rules
        try:
            return truth.take(lines)
        except Untrue as error:
            raise Untrue(f"the other process: {error}") from None


def points(scenario, bench, imports, observed):
    template = bench.work / f"template-{scenario.name}{'-observed' if observed else ''}"
    disk = prepare(scenario, bench, imports, template)
    bench.fresh(template)
    observer = None
    if observed:
        # Its presence may change what the other one does.
        observer = bench.start(observing(scenario))
        observer.wait_for("waiting")
    base = bench.trace(scenario.operations, scenario.flags)
    truth = Truth(disk, imports, strict=True).take(base.lines)
    if base.status != 0 or not truth.finished:
        raise Untrue(f"{scenario.name}, undisturbed, {base.end}")
    if observer:
        observer.kill()
    verify(bench, truth.crash(), scenario, imports)
    leaves = names(bench)
    calls = store_calls(base.trace, facts_too=True)
    found = [Point(scenario, template, disk, base, leaves, call, imports, observed) for call in calls]
    is_uncounted = False
    for point in found:
        is_uncounted = named(point.call) != COUNTED and (is_uncounted or named(point.call) == WRITTEN)
        point.is_uncounted = is_uncounted
    return found


def named(call):
    """The test point that the call is; see TestPoint.swift."""
    match = re.match(r'-1, "(point: [^"]+)"', call.text) if call.name == "write" else None
    return match and match[1]


def main():
    campaign = Campaign(__doc__, lambda parser: parser.add_argument(
        "--point", action="append", default=[], help="a test point that must be met, and killed at"))
    jobs = []
    for scenario in campaign.scenarios:
        for observed, share in ((False, campaign.share), (True, campaign.share * 2)):
            found = points(scenario, campaign.bench(), campaign.imports, observed)
            # All points between calls, of those observed a part, and a share of the calls.
            jobs += campaign.sample([job for job in found if named(job.call)], share // campaign.share)
            jobs += campaign.sample([job for job in found if not named(job.call)], share)
    count = campaign.run(jobs)
    names = collections.Counter(job.call.name for job in jobs)
    killed = collections.Counter(named(job.call) for job in jobs if job.was_killed)
    for name in sorted({*killed, *campaign.options.point} - {None}):
        print(f"{name}: {killed[name]}")
        if not killed[name]:
            campaign.fail(f"{name}: no process was killed there")
    print("calls:", ", ".join(f"{name} {number}" for name, number in names.most_common()))
    campaign.end(count, f"{count} kills, {sum(job.observed for job in jobs)} of them observed by a second process, "
                 f"{sum(killed.values()) - killed[None]} between calls")


if __name__ == "__main__":
    main()
