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
import time

from bench import Bench, in_parallel, store_calls
from facts import Truth, Untrue, show
from scenarios import scenarios, verification, write_imports

# A new process that needs longer waited for the dead.
PATIENCE = 5


def prepare(scenario, bench, imports, template):
    """Makes the place that a scenario starts from, and returns what is true there."""
    bench.fresh()
    truth = Truth(imports=imports, strict=True)
    if scenario.setup:
        truth.take(bench.run(scenario.setup).lines)
    bench.root.rename(template)
    return truth.crash()


def verify(bench, disk, keys, imports):
    """The store after whatever happened to it; `disk`: what it may hold."""
    started = time.monotonic()
    run = bench.run(verification(keys))
    took = time.monotonic() - started
    truth = Truth(disk, imports, strict=True)
    truth.take(run.lines)
    if run.status != 0 or not truth.finished:
        raise Untrue(f"the next process ends with {run.status}: {run.errors} {run.lines[-1:]}")
    if took > PATIENCE:
        raise Untrue(f"the next process takes {took:.1f} s")
    decoded = bench.decode()
    if decoded not in [{key: version for key, (_, version) in state.items()} for state in truth.disk]:
        raise Untrue(f"plistlib finds {decoded}\n  the store {show(truth.disk)}")


def observing(keys):
    return ["open", "dump", "wait", "dump", *[f"ask:{key}" for key in keys], "once:observed", "close"]


class Point:
    def __init__(self, scenario, template, disk, base, call, imports, observed):
        self.scenario, self.template, self.disk, self.base = scenario, template, disk, base
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
            verify(bench, disk, keys, self.imports)
            return moved
        except Untrue as error:
            facts = "\n".join("    " + line for line in run.lines)
            return f"{self.scenario.name}{', observed' if self.observed else ''}: {error}\n  killed at {self.call}\n{facts}"
        finally:
            if observer:
                observer.finish(0)

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
        observer = bench.start(observing(scenario.keys))
        observer.wait_for("waiting")
    base = bench.trace(scenario.operations, scenario.flags)
    if observer:
        observer.finish()
    truth = Truth(disk, imports, strict=True).take(base.lines)
    if base.status != 0 or not truth.finished:
        raise Untrue(f"{scenario.name} fails undisturbed: {base.status} {base.errors}")
    calls = store_calls(base.trace, facts_too=True)
    chosen = sorted(generator.sample(range(len(calls)), max(1, len(calls) // share)))
    return [Point(scenario, template, disk, base, calls[index], imports, observed) for index in chosen]


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
