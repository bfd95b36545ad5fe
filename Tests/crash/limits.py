"""Lets a store run into real limits: the largest size of a file, and a full file system, where writes are truly cut short.

Needs to mount: run it in a mount namespace of its own (unshare -m), which also takes the mounts away at the end.
Half-way the limit goes away: from then on everything works in the same process, and what could not be recorded is.
"""

import subprocess

from campaign import Campaign
from errors import under_fire
from facts import Truth, Untrue
from verify import prepare, story, verify

# After the limit is gone.
AFTERWARDS = ["calm", "open", "once:late", "mark:a", "donate:a", "flush", "dump", "close", "open", "dump", "close"]


class Trial:
    """A scenario with a limit before its `position`th operation, which goes away after `length` more."""

    def __init__(self, scenario, template, disk, imports, position, length):
        self.scenario, self.template, self.disk, self.imports = scenario, template, disk, imports
        self.position, self.length = position, length

    def operations(self, begin, end):
        before = self.scenario.operations[:self.position]
        under = self.scenario.operations[self.position:self.position + self.length]
        after = self.scenario.operations[self.position + self.length:]
        # A process that closes on a full disk has nobody who remembers, and opens again.
        return [*before, *begin, *under_fire(under), *end, "calm", *under_fire(after), *AFTERWARDS]

    def judge(self, bench, operations):
        run = bench.run(operations, self.scenario.flags)
        try:
            truth = Truth(self.disk, self.imports).take(run.lines)
            if run.status != 0 or not truth.finished:
                raise Untrue(f"the process {run.end}")
            verify(bench, truth.crash(), self.scenario, self.imports, more_keys=["late"])
            return None
        except Untrue as error:
            return f"{self.scenario.name}: {error}\n  {self}\n{story(run)}"


class FileSize(Trial):
    def __init__(self, *arguments, size, ignored):
        super().__init__(*arguments)
        self.size, self.ignored = size, ignored

    def __str__(self):
        signal = "SIGXFSZ ignored" if self.ignored else "SIGXFSZ as it is"
        return f"no file above {self.size} bytes, {signal}, from operation {self.position} for {self.length}"

    def __call__(self, bench):
        bench.fresh(self.template)
        begin = ["ignore-limit"] * self.ignored + [f"limit:{self.size}"]
        return self.judge(bench, self.operations(begin, ["limit:none"]))


class FullDisk(Trial):
    def __init__(self, *arguments, room):
        super().__init__(*arguments)
        self.room = room

    def __str__(self):
        return f"a disk with room for {self.room} bytes, from operation {self.position} for {self.length}"

    def __call__(self, bench):
        disk = bench.work / "disk"
        disk.mkdir(exist_ok=True)
        # A new one each time: whatever the last trial left in it is gone.
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
        root, path = bench.root, bench.path
        try:
            bench.root = disk / "root"
            bench.path = bench.root / path.relative_to(root)
            bench.fresh(self.template)
            filler = disk / "filler"
            return self.judge(bench, self.operations([f"fill:{filler}:{self.room}"], [f"empty:{filler}"]))
        finally:
            bench.root, bench.path = root, path
            subprocess.run(["umount", "-l", disk], check=True)


def trials(scenario, bench, imports, generator):
    template = bench.work / f"template-{scenario.name}"
    disk = prepare(scenario, bench, imports, template)
    bench.fresh(template)
    run = bench.run(scenario.operations, scenario.flags)
    Truth(disk, imports, strict=True).take(run.lines)
    largest = max(path.stat().st_size for path in bench.root.rglob("*") if path.is_file())
    count = len(scenario.operations)
    common = (scenario, template, disk, imports)

    def span():
        position = generator.randrange(1, count)
        return position, generator.randrange(1, count - position + 1)

    # The scenario's last state may be smaller than those on the way.
    sizes = sorted({*range(0, 80), *range(0, max(largest * 2, 4000), max(largest // 100, 7))})
    for size in sizes:
        for ignored in (False, True):
            yield FileSize(*common, *span(), size=size, ignored=ignored)
    for position in range(count):
        for room in range(0, 64 << 10, 4096):
            yield FullDisk(*common, position, generator.randrange(1, count - position + 1), room=room)


def main():
    campaign = Campaign(__doc__)
    jobs = []
    for scenario in campaign.scenarios:
        jobs += trials(scenario, campaign.bench(), campaign.imports, campaign.generator)
    jobs = campaign.sample(jobs, campaign.share)
    count = campaign.run(jobs)
    sizes = sum(isinstance(job, FileSize) for job in jobs)
    campaign.end(count, f"{sizes} limits of a file's size, {count - sizes} full disks")


if __name__ == "__main__":
    main()
