"""What donations make of rules: the judge's own reading of rules, throttles and limits, and what fires may have been. It runs
nothing and reads no files.

In a state, "event:NAME" has (count, first time, last time), and "trigger:NAME" (count, last time).
"""

import re


class Rule:
    """What an operation `rule:NAME:OPTIONS:TEXT` sets."""

    TERM = re.compile(r'event\("([^"]*)"\)>=(\d+)|always')

    def __init__(self, operation):
        _, self.name, options, text = operation.split(":", 3)
        values = dict(option.split("=") for option in options.split(",") if option)
        self.every, self.limit = float(values.get("every", 0)), int(values.get("limit", 0))
        self.throttle = values.get("share", self.name)
        self.terms = [self.TERM.fullmatch(term).groups() for term in text.split("&&")]

    def is_due(self, state, now):
        """Whether it holds, and throttle and limit let it fire."""
        if any(event and state.get("event:" + event, (0,))[0] < int(count) for event, count in self.terms):
            return False
        if self.limit and state.get("trigger:" + self.name, (0,))[0] >= self.limit:
            return False
        last = state.get("trigger:" + self.throttle, (0, None))[1]
        # What lies further ahead than it rests was a wrong clock's.
        return not self.every or last is None or not -self.every <= now - last < self.every

    def claimed(self, state, now):
        """The state once it is recorded that it fires."""
        after = dict(state)
        for name in {"trigger:" + self.name, "trigger:" + self.throttle}:
            after[name] = (after.get(name, (0, None))[0] + 1, now)
        return after


def donated(state, event, now):
    count, first, _ = state.get("event:" + event, (0, now, now))
    return state | {"event:" + event: (count + 1, first, now)}


class Asking:
    """A call that asks the rules: all that may be so, as its fires are told. Each way it may have gone is a state, the
    number of rules that were asked, and those that could not be claimed."""

    def __init__(self, rules, now, states, event=None):
        self.rules, self.now, self.before = rules, now, states
        self.has_fired = False
        self.ways = [(donated(state, event, now) if event else state, 0, []) for state in states]

    def go_on(self, way, end):
        """The way to rule number `end`, when none fires before."""
        state, begin, failed = way
        missed = [rule for rule in self.rules[begin:end] if rule.is_due(state, self.now)]
        return state, end, failed + missed

    def fire(self, name):
        """Takes in that a rule fires; False when it can't be."""
        self.has_fired = True
        found = []
        for way in self.ways:
            for index in range(way[1], len(self.rules)):
                rule = self.rules[index]
                state, _, failed = self.go_on(way, index)
                if rule.name == name and rule.is_due(state, self.now):
                    found.append((rule.claimed(state, self.now), index + 1, failed))
        self.ways = found
        return bool(found)

    def ends(self):
        """Each way to the end of the call: the state, and the rules that hold and did not fire."""
        return [(state, failed) for state, _, failed in (self.go_on(way, len(self.rules)) for way in self.ways)]

    def found_after_crash(self):
        """What may be in the file when the call ends here: one that was claimed, and didn't come to fire, among it."""
        states = [] if self.has_fired else list(self.before)
        for state, begin, _ in self.ways:
            states.append(state)
            states += [rule.claimed(state, self.now) for rule in self.rules[begin:] if rule.is_due(state, self.now)]
        return states


def with_claims(state, rules, now):
    """The states in which some of the rules were claimed."""
    states = [state]
    for rule in rules:
        states += [rule.claimed(other, now) for other in states]
    return states


def untrue_fires(lines, rules):
    """What the side file says that must not be, in words: each line is a rule's name and the time when it fired."""
    fires = [(name, float(time)) for name, time in (line.split() for line in lines)]
    for rule in rules:
        own = [time for name, time in fires if name == rule.name]
        if rule.limit and len(own) > rule.limit:
            return f"{rule.name} fires {len(own)} times, and its limit is {rule.limit}"
        names = {other.name for other in rules if other.throttle == rule.throttle}
        times = sorted(time for name, time in fires if name in names)
        for before, after in zip(times, times[1:]):
            if rule.every and after - before < rule.every:
                return f"{rule.throttle} fires at {before:.0f} and at {after:.0f}, and rests {rule.every:.0f} s"
    return None
