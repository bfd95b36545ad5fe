"""Kills a process at each system call that its store makes, and looks what is left.

After each kill: a new process opens the store, finds what was acknowledged and nothing that was taken back, runs no
callback again that was acknowledged, waits for nobody, and works on. Half of it once more with a second process that has
the store open all the time, and must see the same.
"""

import collections

from bench import store_calls
from campaign import MOVED, Campaign
from facts import Truth, Untrue
from verify import names, prepare, story, verify

def observing(keys):
    # One key that the dead may have been running, and one that nobody knew.
    return ["open", "dump", "wait", "dump", *[f"ask:{key}" for key in keys], f"once:{keys[0]}", "once:observed", "close"]


class Point:
    def __init__(self, scenario, template, disk, base, leaves, call, imports, observed):
        self.scenario, self.template, self.disk, self.base, self.leaves = scenario, template, disk, base, leaves
        self.call, self.imports, self.observed = call, imports, observed

    def __call__(self, bench):
        keys = self.scenario.keys
        bench.fresh(self.template)
        observer = None
        if self.observed:
            observer = bench.start(observing(keys))
            observer.wait_for("waiting")
        run = bench.trace(self.scenario.operations, self.scenario.flags, self.call.name,
                          f"{self.call.name}:signal=SIGKILL:when={self.call.number}")
        truth = Truth(self.disk, self.imports, strict=True)
        try:
            if run.status is None:
                raise Untrue("the process hangs")
            truth.take(run.lines)
            moved = run.status != -9 or run.lines != self.base.lines[:self.call.before]
            disk = truth.crash()
            if observer:
                seen, observer = observer.finish(), None
                disk = self.look(seen, disk)
            verify(bench, disk, keys, self.imports, self.leaves)
            return MOVED if moved else None
        except Untrue as error:
            observed = ", observed" if self.observed else ""
            return f"{self.scenario.name}{observed}: {error}\n  killed at {self.call}\n{story(run)}"
        finally:
            if observer:
                observer.kill()

    def look(self, seen, disk):
        """The second process's facts: its answers after the kill are the file's."""
        wait = seen.lines.index("waiting")
        truth = Truth(self.disk, self.imports, strict=True).take(seen.lines[:wait])
        truth.disk, truth.here = list(disk), list(disk)
        try:
            truth.take(seen.lines[wait:])
        except Untrue as error:
            raise Untrue(f"the other process: {error}") from None
        if seen.status != 0:
            raise Untrue(f"the other process {seen.end}")
        return truth.crash()


def points(scenario, bench, imports, observed):
    template = bench.work / f"template-{scenario.name}{'-observed' if observed else ''}"
    disk = prepare(scenario, bench, imports, template)
    bench.fresh(template)
    observer = None
    if observed:
        # Its presence may change what the other one does.
        observer = bench.start(observing(scenario.keys))
        observer.wait_for("waiting")
    base = bench.trace(scenario.operations, scenario.flags)
    truth = Truth(disk, imports, strict=True).take(base.lines)
    if base.status != 0 or not truth.finished:
        raise Untrue(f"{scenario.name}, undisturbed, {base.end}")
    if observer:
        observer.kill()
    verify(bench, truth.crash(), scenario.keys, imports)
    leaves = names(bench)
    calls = store_calls(base.trace, facts_too=True)
    return [Point(scenario, template, disk, base, leaves, call, imports, observed) for call in calls]


def main():
    campaign = Campaign(__doc__)
    jobs = []
    for scenario in campaign.scenarios:
        for observed, share in ((False, campaign.share), (True, campaign.share * 2)):
            jobs += campaign.sample(points(scenario, campaign.bench(), campaign.imports, observed), share)
    count = campaign.run(jobs)
    names = collections.Counter(job.call.name for job in jobs)
    print("calls:", ", ".join(f"{name} {number}" for name, number in names.most_common()))
    campaign.end(count, f"{count} kills, {sum(job.observed for job in jobs)} of them observed by a second process")


if __name__ == "__main__":
    main()
