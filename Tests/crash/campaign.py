"""What the programs that try many things have in common: their options, the run over all jobs, and the report."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import sys
import threading

from bench import Bench
from scenarios import LONG, scenarios, write_imports

# A job that met something else than it was made for: judged, but not counted.
MOVED = "moved"


class Campaign:
    def __init__(self, usage, more_options=lambda parser: None):
        parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("driver")
        parser.add_argument("work", type=pathlib.Path, help="a directory that is made, for everything that is tried")
        parser.add_argument("--share", type=int, default=1, metavar="N", help="every Nth job only")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--only", metavar="SCENARIO")
        parser.add_argument("--least", type=int, default=0, metavar="N", help="fewer jobs than that are a failure")
        parser.add_argument("--reports", type=int, default=8, metavar="N", help="stop after so many kinds of failures")
        more_options(parser)
        self.options = parser.parse_args()
        self.work, self.share = self.options.work, self.options.share
        self.work.mkdir(parents=True, exist_ok=True)
        self.generator = random.Random(self.options.seed)
        self.imports = write_imports(self.work)
        self.scenarios = [scenario for scenario in scenarios(self.imports)
                          if self.options.only in (None, scenario.name)]
        self.wrong = {}  # kind -> how often

    def bench(self, name="base"):
        return Bench(self.options.driver, self.work / name)

    def sample(self, jobs, share):
        return [jobs[index] for index in sorted(self.generator.sample(range(len(jobs)), -(-len(jobs) // share)))]

    def fail(self, text):
        """Prints the first failure of each kind: the same words, but for scenarios, numbers and directories."""
        words = re.match(r".*(\n  at the fact: .*)?", text)[0]
        kind = re.sub(r"^[\w-]+(, observed)?: |/\S*/|\d+|:\S*", "", words)
        self.wrong[kind] = self.wrong.get(kind, 0) + 1
        if self.wrong[kind] == 1:
            print(text.replace(LONG, LONG[:3] + "..."), flush=True)

    def run(self, jobs):
        """Calls each job with a bench. It returns nothing, MOVED, what is wrong, or a list of that. The number that
        counts."""
        moved = 0
        for result in self.results(jobs):
            if result == MOVED:
                moved += 1
                continue
            for text in [result] if isinstance(result, str) else result or []:
                self.fail(text)
            if len(self.wrong) >= self.options.reports:
                print("... and perhaps more")
                break
        if moved * 50 > len(jobs):
            self.fail(f"{moved} of {len(jobs)} came elsewhere")
        return len(jobs) - moved

    def results(self, jobs):
        """In the jobs' order; each worker has a bench of its own."""
        local, number = threading.local(), iter(range(1 << 30))

        def perform(job):
            if not hasattr(local, "bench"):
                local.bench = self.bench(f"bench{next(number)}")
            return job(local.bench)

        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        try:
            yield from pool.map(perform, jobs)
        finally:
            pool.shutdown(cancel_futures=True)

    def end(self, count, summary):
        if count < self.options.least:
            self.fail(f"only {count} were tried, {self.options.least} were expected")
        if self.wrong:
            print(f"{sum(self.wrong.values())} failures of {len(self.wrong)} kinds")
        print(summary)
        sys.exit(bool(self.wrong))
