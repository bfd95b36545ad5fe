"""Kills a process that donates, at each system call that its store makes, while another donates the same event all the time.

Of two that donate nothing is lost and nothing counted twice: the event has all that both acknowledged, and at most what the
dead one had begun besides; of rules that share a throttle one fires, once; what fired was recorded before. One rule is delayed:
it fires on the timer's thread, whose calls are among those that are killed at.
"""

from bench import store_calls
from campaign import Campaign
from facts import Untrue
from rule_facts import Rule, untrue_fires
from scenarios import EVER
from verify import story

RULES = [f'rule:first:every={EVER},share=prompts:event("a")>=3', f'rule:second:every={EVER},share=prompts:event("a")>=4',
         "rule:thrice:limit=3:always", "rule:each::always", "rule:late:delay=0.001,limit=1:always"]
VICTIM = ["open", *RULES, *["donate:a"] * 4, "once:a", "wait-delayed", "close"]
OTHER = ["open", *RULES, "donate-on:a", "close"]
FINAL = ["open", *RULES, "dump", "donate:a", "wait-delayed", "flush", "dump", "close"]


def strict(run, name):
    """The results of a process that nobody disturbed."""
    wrong = [line for line in run.lines if line.startswith("done ") and int(line.split(" ")[2]) < 0]
    if run.status != 0 or wrong:
        raise Untrue(f"{name} {run.end} {wrong}")


def counts(lines):
    """What a dump says of events and triggers, the last one."""
    words = [line.split(" ") for line in lines if line.startswith(("event ", "trigger "))]
    return {f"{word[0]}:{word[1]}": int(word[2]) for word in words}


class Kill:
    def __init__(self, call):
        self.call = call

    def __call__(self, bench):
        bench.fresh()
        other, run = bench.start(OTHER), None
        try:
            other.wait_for("donating")
            # Both have one clock: which of them fires is a matter of who comes first.
            bench.clock = 2_000_000_000
            run = bench.trace(VICTIM, None, "all", f"{self.call.name}:signal=SIGKILL:when={self.call.number}")
            if run.status is None:
                raise Untrue("the process hangs")
            seen, other = other.finish(), None
            self.judge(bench, run, seen)
        except Untrue as error:
            return f"{error}\n  killed at {self.call}\n{story(run) if run else ''}"
        finally:
            if other:
                other.kill()

    def judge(self, bench, run, seen):
        strict(seen, "the other process")
        others = next(int(line.split(" ")[2]) for line in seen.lines if line.startswith("donated "))
        begun = run.lines.count("call donate:a")
        acknowledged = run.lines.count("done donate:a 0")
        final = bench.run(FINAL)
        strict(final, "the next process")
        found = counts(final.lines[:final.lines.index("call flush")])
        least = others + acknowledged
        if not least <= found["event:a"] <= others + begun:
            raise Untrue(f"{others} and {acknowledged} of {begun} donations were acknowledged, {found['event:a']} are counted")
        fires = bench.fires.read_text().splitlines()
        if wrong := untrue_fires(fires, [Rule(rule) for rule in RULES]):
            raise Untrue(wrong)
        after = counts(final.lines)
        if after["event:a"] != found["event:a"] + 1:
            raise Untrue(f"one more donation makes {after['event:a']} of {found['event:a']}")
        names = [line.split(" ")[0] for line in fires]
        for name in ("first", "second", "thrice", "each", "late"):
            # The dead one may have recorded one fire that never came.
            if not 0 <= after["trigger:" + name] - names.count(name) <= 1:
                raise Untrue(f"{name} fired {names.count(name)} times, and {after['trigger:' + name]} are recorded")
        if after["trigger:prompts"] != after["trigger:first"] + after["trigger:second"] or after["trigger:prompts"] > 1:
            raise Untrue(f"of those that share a throttle {after['trigger:prompts']} fired")


def main():
    campaign = Campaign(__doc__)
    bench = campaign.bench()
    bench.fresh()
    base = bench.trace(VICTIM)
    strict(base, "undisturbed, it")
    jobs = campaign.sample([Kill(call) for call in store_calls(base.trace, facts_too=True)], campaign.share)
    count = campaign.run(jobs)
    campaign.end(count, f"{count} kills with another process donating")


if __name__ == "__main__":
    main()
