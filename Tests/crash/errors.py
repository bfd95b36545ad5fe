"""Makes each system call that a store makes on its files fail, once, for a while and for good.

What each call then says must be true, in this process and in the next one; after a single fault everything else works,
and no descriptor is lost. A call that is only interrupted (EINTR) must not fail at all.
"""

import collections

from bench import store_calls
from campaign import MOVED, Campaign
from facts import Truth, Untrue
from verify import names, prepare, story, verify

WRITING = {"write", "pwrite64", "writev", "pwritev", "pwritev2", "fsync", "fdatasync", "sync_file_range", "ftruncate",
           "truncate", "fallocate", "rename", "renameat", "renameat2", "link", "linkat", "mkdir", "mkdirat", "symlink"}
INTERRUPTIBLE = {"open", "openat", "read", "pread64", "write", "pwrite64", "writev", "pwritev", "fsync", "fdatasync",
                 "ftruncate", "fallocate", "fcntl", "flock"}
# An injected error replaces the call. These are never refused by a local file system, and always do their work: a close
# that fails has closed.
NEVER = {"close", "munmap", "madvise", "msync", "exit_group"}


def under_fire(operations):
    """With a question before each flush and close; and whoever failed to open tries again."""
    result = []
    for operation in operations:
        result += ["open"] if operation != "open" else []
        result += ["dump"] if operation in ("flush", "close") else []
        result.append(operation)
    return result


def faults(call):
    """What can go wrong with a call, as strace spells it: what it returns instead, and how often."""
    if call.name in NEVER or call.name == "fcntl" and "F_UNLCK" in call.text:
        return
    number = call.number
    if call.name == "mmap":
        # Some file systems can't. More than once would also hit the memory that malloc takes.
        yield "error=ENODEV", number
        return
    yield "error=EIO", number
    yield "error=EIO", f"{number}..{number + 2}"
    yield "error=EIO", f"{number}+"
    if call.name in WRITING or "O_CREAT" in call.text:
        for error in ("error=ENOSPC", "error=EDQUOT"):
            yield error, number
            yield error, f"{number}+"
    if "write" in call.name:
        yield "retval=0", number
    if call.name in INTERRUPTIBLE and "O_CREAT" not in call.text:
        yield "error=EINTR", number


class Fault:
    """A fault of a call; `more`: what fails with it, by name and when."""

    def __init__(self, plan, call, error, when, more=None):
        self.plan, self.call, self.error, self.when, self.more = plan, call, error, when, more or {}

    def __call__(self, bench):
        plan = self.plan
        bench.fresh(plan.template)
        faults = {self.call.name: self.when} | self.more
        run = bench.trace(plan.operations, plan.scenario.flags, ",".join(faults),
                          *[f"{name}:{self.error}:when={when}" for name, when in faults.items()])
        truth = Truth(plan.disk, plan.imports, strict=self.error == "error=EINTR")
        truth.has_one_fault, truth.hopeless = isinstance(self.when, int) and not self.more, "pwrite64" in self.more
        try:
            truth.take(run.lines)
            if run.status != 0 or not truth.finished:
                raise Untrue(f"the process {run.end}")
            if truth.descriptors != plan.descriptors:
                raise Untrue(f"{truth.descriptors - plan.descriptors} descriptors are lost")
            failed = [operation for operation, result, _ in truth.results if result < 0 and result != -7]
            if len(failed) > 1 and isinstance(self.when, int) and not self.more:
                raise Untrue(f"one fault, but {len(failed)} calls fail: {', '.join(failed)}")
            verify(bench, truth.crash(), plan.scenario, plan.imports, plan.leaves)
            return None if any("INJECTED" in line for line in run.trace) else MOVED
        except Untrue as error:
            more = "".join(f", {name} (when={when})" for name, when in self.more.items())
            return f"{plan.scenario.name}: {error}\n  {self.error} (when={self.when}{more}) at {self.call}\n{story(run)}"


class Plan:
    """An undisturbed run: what the store calls, and what it leaves."""

    def __init__(self, scenario, bench, imports):
        self.scenario, self.imports = scenario, imports
        self.operations = under_fire(scenario.operations)
        self.template = bench.work / f"template-{scenario.name}"
        self.disk = prepare(scenario, bench, imports, self.template)
        bench.fresh(self.template)
        base = bench.trace(self.operations, scenario.flags)
        truth = Truth(self.disk, imports, strict=True).take(base.lines)
        if base.status != 0 or not truth.finished:
            raise Untrue(f"{scenario.name}, undisturbed, {base.end}")
        self.descriptors = truth.descriptors
        verify(bench, truth.crash(), scenario, imports)
        self.leaves = names(bench)
        # Only what is done to files: a path, or a descriptor of one, below the place.
        self.calls = [call for call in store_calls(base.trace) if str(bench.root) in call.text]

    def faults(self):
        return [Fault(self, call, *fault) for call in self.calls for fault in faults(call)] + list(self.failing_syncs())

    def failing_syncs(self):
        """A commit can't be synced, and so can't the archive that would be written instead: once, for good, and then
        nothing can be written any more."""
        following = {"fsync": 1, "pwrite64": 1}
        for call in self.calls:
            if call.name in following:
                following[call.name] = call.number + 1
            elif call.name == "fdatasync":
                for_good = {name: f"{number}+" for name, number in following.items()}
                yield Fault(self, call, "error=EIO", call.number, {"fsync": following["fsync"]})
                yield Fault(self, call, "error=EIO", call.number, {"fsync": for_good["fsync"]})
                yield Fault(self, call, "error=EIO", f"{call.number}+", {"fsync": for_good["fsync"]})
                yield Fault(self, call, "error=EIO", f"{call.number}+", for_good)


def main():
    campaign = Campaign(__doc__)
    jobs = []
    for scenario in campaign.scenarios:
        jobs += Plan(scenario, campaign.bench(), campaign.imports).faults()
    jobs = campaign.sample(jobs, campaign.share)
    count = campaign.run(jobs)
    kinds = collections.Counter(f"{job.call.name} {job.error}" for job in jobs)
    print("faults:", ", ".join(f"{name} {number}" for name, number in kinds.most_common()))
    campaign.end(count, f"{count} faults")


if __name__ == "__main__":
    main()
