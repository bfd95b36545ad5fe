"""What is made before and looked at after a disturbance, whatever it was."""

import shutil
import time

from bench import decoded
from facts import Truth, Untrue, show
from rule_facts import untrue_fires

# A new process that needs longer waited for the dead.
PATIENCE = 5


def prepare(scenario, bench, imports, template):
    """Makes the place that a scenario starts from, and returns what is true there."""
    bench.fresh()
    start = [{}]
    if scenario.archive:
        bench.path.parent.mkdir()
        shutil.copy(scenario.archive, bench.path)
        start = [imports[scenario.archive]]
    truth = Truth(start, imports, strict=True)
    if scenario.setup:
        truth.take(bench.run(scenario.setup).lines)
    bench.keep(template)
    return truth.crash()


def names(bench):
    return sorted(path.name for path in bench.root.rglob("*"))


def verify(bench, disk, scenario, imports, expected_names=None, more_keys=()):
    """The store after whatever happened to it; `disk`: what it may hold; `expected_names`: the files it may leave."""
    started = time.monotonic()
    run = bench.run(scenario.verification(*more_keys))
    took = time.monotonic() - started
    truth = Truth(disk, imports, strict=True)
    truth.take(run.lines)
    if run.status != 0 or not truth.finished:
        raise Untrue(f"the next process {run.end} {run.lines[-1:]}")
    if took > PATIENCE:
        raise Untrue(f"the next process takes {took:.1f} s")
    content = bench.decode()
    if content not in map(decoded, truth.disk):
        raise Untrue(f"plistlib finds {content}\n  the store {show(truth.disk)}")
    if wrong := untrue_fires(bench.fires.read_text().splitlines(), scenario.constant_rules):
        raise Untrue(wrong)
    if expected_names is not None and names(bench) != expected_names:
        raise Untrue(f"it leaves {names(bench)} where an undisturbed one leaves {expected_names}")


def story(run):
    """The facts, for a report: the last ones, without the records."""
    lines = [line for line in run.lines if not line.startswith("record ")]
    return "\n".join("    " + line for line in lines[-25:])
