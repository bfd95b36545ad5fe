"""Takes the power away at each step of a store's writing: rebuilds every state that the disk may be in, and opens it.

From a traced run come the sequence of writes, syncs and changes of directories, and the moments at which something was
acknowledged. In each state each record that was acknowledged before is there, nothing that was taken back is, nothing is
refused as undecodable, and the store works on.
"""

import hashlib
import re
import shutil

from bench import decode, decoded
from campaign import Campaign
from disk import trees
from facts import Truth, Untrue, show
from recording import CALLS, OPTIONS, SYNCS, Recording

BATCH = 250


def record(scenario, bench, faults=()):
    """The lines of the scenario's processes, one after the other; faults are for the second one."""
    bench.fresh()
    lines = []
    for operations in filter(None, (scenario.setup, scenario.operations)):
        injections = faults if operations is scenario.operations else ()
        run = bench.trace(operations, scenario.flags, CALLS, *injections, more=OPTIONS)
        if run.status != 0:
            raise Untrue(f"{scenario.name} {run.end}")
        lines += run.trace
    return lines


def failing_syncs(scenario, bench):
    """Each sync of the scenario, made to fail: what it should have written may be lost for good. And each that a commit
    waits for with the third one after it: an archive is written instead, and then no journal that goes on from it."""
    bench.fresh()
    if scenario.setup:
        bench.run(scenario.setup)
    trace = bench.trace(scenario.operations, scenario.flags, ",".join(SYNCS)).trace
    names = [line.split("(")[0].split()[-1] for line in trace]
    single = [(f"{name}:error=EIO:when={number}",) for name in SYNCS for number in range(1, names.count(name) + 1)]
    commits = [index for index, name in enumerate(names) if name == "fdatasync"]
    double = [(f"fdatasync:error=EIO:when={number}", f"fsync:error=EIO:when={names[:index].count('fsync') + 3}")
              for number, index in enumerate(commits, 1)]
    return single + double


def mapped_files(lines, bench):
    """What a file holds that a process stored to through a mapping: the trace doesn't show that."""
    last = Recording(bench.root)
    for line in lines:
        last.take(line)
    found = {}
    for name, node in files(last.root):
        if node.mapped:
            found[name] = (bench.root / name).read_bytes()
    return found


def files(directory, path=""):
    for name, node in directory.entries().items():
        if hasattr(node, "entries"):
            yield from files(node, f"{path}{name}/")
        else:
            yield path + name, node


class State:
    """A tree of files, and all that the facts allow there at the moments at which it may be found."""

    def __init__(self, scenario, imports, tree):
        self.scenario, self.imports, self.tree = scenario, imports, tree
        self.story = "nothing failed"
        self.moments = []  # (what was done last, the states that may be found)

    def write(self, root):
        root.mkdir(parents=True)
        for path, content in self.tree:
            if content is None:
                (root / path).mkdir(mode=0o700)
            else:
                (root / path).write_bytes(content)
                (root / path).chmod(0o600)

    def judge(self, lines, archive):
        for moment, disk in self.moments:
            try:
                truth = Truth(disk, self.imports, strict=True).take(lines)
                if truth.here is not None or not lines:
                    raise Untrue("the process ends in the middle")
                content = decode(archive)
                if content not in map(decoded, truth.disk):
                    raise Untrue(f"plistlib finds {content}\n  the store {show(truth.disk)}")
            except (Untrue, OSError, ValueError) as error:
                files = "".join(f"\n    {path}: " + ("directory" if content is None else f"{len(content)} bytes, "
                                f"{content[:24].hex()}...") for path, content in self.tree)
                return f"{self.scenario.name}: {error}\n  power lost after {moment} ({self.story}); found:{files}"
        return None


class Batch:
    """States that one process opens, one after the other."""

    def __init__(self, states):
        self.states = states

    def __call__(self, bench):
        place, relative = bench.work / "states", bench.path.relative_to(bench.root)
        shutil.rmtree(place, ignore_errors=True)
        scenario = self.states[0].scenario
        paths = []
        for index, state in enumerate(self.states):
            state.write(place / str(index))
            paths.append(str(place / str(index) / relative))
        found, first = {}, 0
        while first < len(paths):
            # A process that dies in one state leaves the rest to the next.
            listing = bench.work / "list"
            listing.write_text("".join(path + "\n" for path in paths[first:]))
            driver, *options = bench.command(scenario.verification(), path="-")
            run = bench.start_command([driver, "-l", str(listing), *[word for word in options if word != "-"]]).finish(120)
            current = None
            for line in run.lines:
                if line.startswith("at "):
                    current = found.setdefault(line[3:], [])
                elif current is not None and not line.startswith("end"):
                    current.append(line)
            if run.status == 0:
                break
            first = len(found)
        wrong = [state.judge(found.get(path, []), place / str(index) / relative)
                 for index, (state, path) in enumerate(zip(self.states, paths))]
        return [text for text in wrong if text]


def readable(line):
    """A traced call with its strings as text, without what strace adds to descriptors, and not too long."""
    text = re.sub(r"(\\x[0-9a-f]{2})+", lambda found: bytes.fromhex(found[0].replace("\\x", "")).decode(errors="replace"), line)
    text = "".join(character if character.isprintable() else "." for character in text.split(" ", 1)[1].strip())
    return text if len(text) < 160 else text[:110] + " ... " + text[-30:]


def states(scenario, bench, imports, generator, most, faults=()):
    lines = record(scenario, bench, faults)
    finals = mapped_files(lines, bench)
    recording = Recording(bench.root)
    truth = Truth(imports=imports, strict=not faults, relaxed="relaxed" in (scenario.flags or ""))
    found, moments = {}, 0
    last = "the beginning"
    for line in lines:
        event = recording.take(line)
        if event is None:
            continue
        if isinstance(event, str):
            truth.take([event])
            if event.startswith("end"):
                truth.disk, truth.here = truth.crash(), None
            if event.startswith(("call", "clock", "record", "event", "trigger", "running")):
                continue  # nothing more is certain than before
            last = event
        else:
            last = readable(line)
        for name, node in files(recording.root):
            if node.mapped and name in finals:
                node.mapped = [finals[name]]
        moments += 1
        disk = truth.crash()
        for tree in trees(recording.root, generator, most):
            key = hashlib.sha256(repr(tree).encode()).digest()
            state = found.setdefault(key, State(scenario, imports, tree))
            if not state.moments or state.moments[-1][1] != disk:
                state.moments.append((f"{moments} steps: {last}", disk))
    return moments, list(found.values())


def batches(found):
    return [Batch(found[index:index + BATCH]) for index in range(0, len(found), BATCH)]


def main():
    campaign = Campaign(__doc__)
    # The simulated disk begins empty.
    campaign.scenarios = [scenario for scenario in campaign.scenarios if not scenario.archive]
    jobs, moments = [], 0
    # `share` thins the states of each moment, not the moments.
    most = max(8, 2000 // campaign.share)
    for scenario in campaign.scenarios:
        steps, found = states(scenario, campaign.bench(), campaign.imports, campaign.generator, most)
        print(f"{scenario.name}: {steps} moments, {len(found)} states", flush=True)
        moments += steps
        jobs += batches(found)
    for scenario in campaign.scenarios:
        failing = campaign.sample(failing_syncs(scenario, campaign.bench()), min(campaign.share, 6))
        for faults in failing:
            steps, found = states(scenario, campaign.bench(), campaign.imports, campaign.generator, most // 8, faults)
            for state in found:
                state.story = " and ".join(faults)
            moments += steps
            jobs += batches(found)
        print(f"{scenario.name}: {len(failing)} syncs that fail", flush=True)
    campaign.run(jobs)
    count = sum(len(job.states) for job in jobs)
    campaign.end(count, f"{count} states of the disk at {moments} moments")


if __name__ == "__main__":
    main()
