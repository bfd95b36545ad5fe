"""Kills a process at each system call that its store makes, and looks what is left.

usage: kill.py DRIVER WORK-DIRECTORY [--share N] [--seed N] [--only SCENARIO]    --share: every Nth call only

After each kill: a new process opens the store, finds what was acknowledged and nothing that was taken back, runs no
callback again that was acknowledged, waits for nobody, and works on. Half of it once more with a second process that has
the store open all the time, and must see the same.
"""

import argparse
import collections
import pathlib
import random
import sys

from bench import Bench, in_parallel, store_calls
from facts import Truth, Untrue
from scenarios import scenarios, write_imports
from verify import names, prepare, story, verify

def observing(keys):
    return ["open", "dump", "wait", "dump", *[f"ask:{key}" for key in keys], "once:observed", "close"]


class Point:
    def __init__(self, scenario, template, disk, base, leaves, call, imports, observed):
        self.scenario, self.template, self.disk, self.base, self.leaves = scenario, template, disk, base, leaves
        self.call, self.imports, self.observed = call, imports, observed

    def __call__(self, bench):
        """Returns nothing, "moved" when another call came up at the place, or what is wrong."""
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
            if run.status != -9:
                moved = "moved"
            else:
                moved = None if run.lines == self.base.lines[:self.call.before] else "moved"
            disk = truth.crash()
            if observer:
                seen, observer = observer.finish(), None
                disk = self.look(seen, disk)
            verify(bench, disk, keys, self.imports, self.leaves)
            return moved
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
            raise Untrue(f"the other process ends with {seen.status}: {seen.errors}")
        return truth.crash()


def points(scenario, work, driver, imports, observed, share, generator):
    bench = Bench(driver, work / "base")
    template = work / f"template-{scenario.name}{'-observed' if observed else ''}"
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
        raise Untrue(f"{scenario.name} fails undisturbed: {base.status} {base.errors}")
    if observer:
        observer.kill()
    verify(bench, truth.crash(), scenario.keys, imports)
    leaves = names(bench)
    calls = store_calls(base.trace, facts_too=True)
    chosen = sorted(generator.sample(range(len(calls)), max(1, len(calls) // share)))
    return [Point(scenario, template, disk, base, leaves, calls[index], imports, observed) for index in chosen]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    imports = write_imports(options.work)
    generator = random.Random(options.seed)
    jobs = []
    for scenario in scenarios(imports):
        if options.only in (None, scenario.name):
            for observed, share in ((False, options.share), (True, options.share * 2)):
                jobs += points(scenario, options.work, options.driver, imports, observed, share, generator)
    wrong, moved = [], 0
    for result in in_parallel(options.driver, options.work, jobs):
        if result == "moved":
            moved += 1
        elif result:
            wrong.append(result)
            print(result)
            if len(wrong) == 10:
                break
    names = collections.Counter(job.call.name for job in jobs)
    print("calls:", ", ".join(f"{name} {count}" for name, count in names.most_common()))
    # A run that goes another way is still judged, but not where it was meant to be.
    if moved * 50 > len(jobs):
        wrong.append(f"{moved} of {len(jobs)} kills came elsewhere")
        print(wrong[-1])
    print(f"{len(jobs) - moved} kills, {sum(job.observed for job in jobs)} of them observed by a second process")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
