"""Judges the driver's facts: a model of what a store may hold, from what its calls said. It runs nothing and reads no files.

A state of the store is a dictionary: key -> (count, version), with events and triggers as in rule_facts.py. Truth keeps
every state that the file may be in, and every one that the process may believe; each fact rules some out. When none is left,
the store did not tell the truth.
"""

from rule_facts import Asking, Rule, with_claims

NOTHING = (0, 0)
NOT_RECORDED, CALLBACK, REENTRANT, BUSY, ARGUMENT = -9, -7, -6, -5, -1
RUNS = ("once", "version", "interval", "refused", "most", "refused-most", "baseline")
CHANGES = RUNS + ("mark", "reset", "prefix", "reset-all", "import", "commit", "reset-event", "reset-trigger")
ASKS_RULES = ("donate", "evaluate")


class Untrue(Exception):
    """A fact that can't be."""


def unique(states):
    return [state for index, state in enumerate(states) if state not in states[:index]]


def apply(operation, state, imports, claimed=None):
    """What a call that succeeds returns, and the state after it."""
    name, _, words = operation.partition(":")
    after = dict(state)
    if name == "commit":
        after[claimed] = (state.get(claimed, (0, "-"))[0] + 1, "-")
        return 0, after
    if name == "version":
        key, version = words.split(":")
    else:
        key, version = words, "-"
    count, old_version = state.get(key, (0, None))
    if name in RUNS:
        due = key not in state or name == "interval" or name == "version" and old_version != version
        if not due:
            return 0, state
        if name.startswith("refused"):
            return CALLBACK, state
        if name == "baseline":
            after[key] = (0, version)
            return 3, after
        after[key] = (count + 1, version)
        return 1, after
    if name == "mark":
        after[key] = (count + 1, version)
        return 0, after
    if name == "reset":
        return int(after.pop(key, None) is not None), after
    if name in ("prefix", "reset-all"):
        return 0, {other: value for other, value in state.items() if not is_record(other) or not other.startswith(words)}
    if name in ("reset-event", "reset-trigger"):
        forgotten = name[len("reset-"):] + ":" + words
        return 0, {other: value for other, value in state.items()
                   if other != forgotten and (words or not other.startswith(forgotten))}
    if name == "import":
        # The driver's clock is later than any imported time: what is there is newer.
        return 0, imports[words] | state
    raise ValueError(operation)


class Truth:
    """What is known of a store. `strict`: no call has a reason to fail. `relaxed`: a loss of power may undo what was
    recorded since the last flush."""

    def __init__(self, disk=({},), imports=None, strict=False, relaxed=False):
        self.disk = list(disk)
        self.here = None  # None: not open
        self.imports = imports or {}
        self.strict, self.relaxed = strict, relaxed
        self.has_one_fault = False  # at most one call of the system fails
        self.hopeless = False  # from some moment on nothing can be written: what was, and should be taken back, stays
        self.ahead = False  # the process knows something that may not be in the file
        self.call = None
        self.ran = []
        self.records = {}
        self.claimed = None
        self.rules = {}  # in the order in which they were set
        self.now = None
        self.asking = None
        self.results = []
        self.finished = False

    def take(self, lines):
        for line in lines:
            word, _, rest = line.partition(" ")
            try:
                getattr(self, "take_" + word)(rest)
            except Untrue as error:
                raise Untrue(f"{error}\n  at the fact: {line}\n  in the file: {show(self.disk)}"
                             f"\n  in the process: {show(self.here)}") from None
        return self

    # ---- one method for each word a fact begins with

    def take_waiting(self, _):
        pass

    def take_closed(self, operation):
        if self.strict:
            raise Untrue("the store is not open")

    def take_skipped(self, operation):
        """A claim that was never taken is not ended."""

    def take_calm(self, _):
        """Whatever went wrong is over."""
        self.strict = True

    def take_end(self, descriptors):
        self.finished, self.descriptors = True, int(descriptors)

    def take_clock(self, time):
        self.now = int(time)

    def take_call(self, operation):
        self.call, self.ran, self.records = operation, [], {}
        name, _, event = operation.partition(":")
        if name in ASKS_RULES:
            self.asking = Asking(list(self.rules.values()), self.now, self.here, event)

    def take_record(self, rest):
        key, count, version = rest.split(" ")
        self.records[key] = (int(count), version)

    def take_event(self, rest):
        name, *values = rest.split(" ")
        self.records["event:" + name] = tuple(map(int, values))

    def take_trigger(self, rest):
        name, *values = rest.split(" ")
        self.records["trigger:" + name] = tuple(map(int, values))

    def take_fired(self, rest):
        name, time = rest.split(" ")
        if not self.asking or int(time) != self.now:
            raise Untrue("nobody asked the rules")
        before = self.asking.found_after_crash()
        if not self.asking.fire(name):
            raise Untrue("a rule fires that doesn't hold, or rests, or has reached its limit")
        # Recorded, and with it all before, or it must not fire.
        fired = unique([state for state, _, _ in self.asking.ways])
        self.disk = unique(self.disk + before + fired) if self.relaxed else fired

    def take_running(self, key):
        if self.ran:
            raise Untrue("the callback runs twice in one call")
        self.ran.append(key)
        name = self.call.partition(":")[0]
        due = [state for state in self.here if name not in ("once", "refused", "most", "refused-most") or key not in state]
        if not due:
            raise Untrue("a callback runs again that was acknowledged")
        self.here = due
        if name in ("most", "refused-most"):
            # From here on a crash leaves it done: whether that counts as a run is nobody's business.
            started = [state | {key: ("any", "any")} for state in self.here]
            self.disk = started if not name.startswith("refused") else unique(self.here + started)

    def take_done(self, rest):
        operation, result, *text = rest.split(" ", 2)
        result, name = int(result), operation.partition(":")[0]
        call, self.call = self.call, None
        if call != operation:
            raise Untrue(f"{operation} ends, but {call} was called")
        self.results.append((operation, result, bool(self.ran)))
        if result < 0 and result != CALLBACK:
            self.check_failure(result, text[0] if text else "")
        if name in ("open", "close"):
            self.rules = {}
        if name == "open":
            self.here, self.ahead = (list(self.disk), False) if result == 0 else (None, False)
        elif name in ("flush", "close"):
            if result == 0:
                self.disk, self.ahead = self.here, False
            if name == "close":
                self.here = None
        elif name in ("ask", "dump"):
            self.answer(operation, result)
        elif name == "begin":
            self.begin(operation.partition(":")[2], result)
        elif name == "abandon":
            self.claimed = None
        elif name == "rule":
            if result != 0:
                raise Untrue("a rule can't be set")
            rule = Rule(operation)
            self.rules[rule.name] = rule
        elif name in ASKS_RULES:
            self.end_asking(result, text)
        elif name in CHANGES:
            self.change(operation, result)
        if self.hopeless and name in ("most", "refused-most") and result < 0:
            started = {operation.partition(":")[2]: ("any", "any")}
            self.disk, self.ahead = unique(self.disk + [state | started for state in self.here]), True

    # ---- what results mean

    def check_failure(self, result, text):
        if self.strict:
            raise Untrue("it fails without a reason")
        if result in (BUSY, REENTRANT, ARGUMENT):
            raise Untrue("a disk's failure must not look like that")
        if not text or "\r" in text or text.endswith("."):
            raise Untrue("the last error is not one line of words")
        if self.ran and result != NOT_RECORDED:
            raise Untrue("the callback ran, but the call doesn't say so")
        if self.asking and self.asking.has_fired and result != NOT_RECORDED:
            raise Untrue("a rule fired, but the call says that nothing was counted")

    def answer(self, operation, result):
        if result < 0:
            return
        name, _, key = operation.partition(":")
        if name == "dump":
            agree = [state for state in self.here if same(state, self.records)]
        else:
            agree = [state for state in self.here if same({key: state[key]} if key in state else {}, self.records)]
        if not agree:
            raise Untrue(f"a wrong answer: {show([self.records])}")
        if name == "dump":
            # What nobody knew is known now.
            known = {key: value for key, value in self.records.items() if is_record(key)}
            agree = unique([state | known for state in agree])
        if not self.ahead and not self.relaxed:
            self.disk = agree
        self.here = agree

    def begin(self, key, result):
        if result < 0:
            return
        agree = [state for state in self.here if int(key not in state) == result]
        if not agree:
            raise Untrue("a wrong result")
        self.here = agree
        self.claimed = key if result == 1 else None

    def end_asking(self, result, text):
        asking, self.asking = self.asking, None
        if result < 0 and result != NOT_RECORDED:
            return  # nothing was counted, and no rule asked
        ends = asking.ends()
        if result == NOT_RECORDED:
            is_a_rules = text[0].startswith("the rule ")
            if not is_a_rules and asking.has_fired:
                raise Untrue("rules fire, and the call says that the count may not be on disk")
            if is_a_rules:
                ends = [(state, failed) for state, failed in ends if failed and (len(failed) == 1 or not self.has_one_fault)]
            if not ends:
                raise Untrue("one rule could not be claimed, and others were not asked")
            self.here = unique([state for state, _ in ends])
            self.disk = unique(self.disk + [other for state, failed in ends
                                            for other in with_claims(state, failed, asking.now)])
            self.ahead = True
            return
        after = unique([state for state, failed in ends if not failed])
        if not after:
            raise Untrue("a rule that holds doesn't fire")
        changed = after != asking.before
        self.here = after
        if self.relaxed or not changed and self.ahead:
            self.disk = unique(self.disk + asking.found_after_crash() + after)
        else:
            self.disk, self.ahead = after, False

    def change(self, operation, result):
        if result < 0 and result not in (NOT_RECORDED, CALLBACK):
            return
        outcomes = [(state, *apply(operation, state, self.imports, self.claimed)) for state in self.here]
        if result == NOT_RECORDED:
            if operation.startswith(RUNS) and not operation.startswith("baseline") and not self.ran:
                raise Untrue("nothing ran that might be recorded")
            self.here = unique([after for _, _, after in outcomes])
            self.disk = unique(self.disk + self.here)
            self.ahead = True
            return
        outcomes = [(before, after) for before, expected, after in outcomes if expected == result]
        if not outcomes:
            raise Untrue("a wrong result")
        if result != CALLBACK and operation.startswith(RUNS) and result != 3 and bool(self.ran) != (result == 1):
            raise Untrue("what ran is not what the call says")
        before, self.here = [pair[0] for pair in outcomes], unique([pair[1] for pair in outcomes])
        changed = before != [pair[1] for pair in outcomes]
        if self.relaxed:
            self.disk = unique(self.disk + self.here)
        elif changed or not self.ahead or operation.startswith("refused-most"):
            self.disk, self.ahead = self.here, False
        else:
            self.disk = unique(self.disk + self.here)

    def crash(self):
        """The process is gone: what the file may hold now."""
        disk = list(self.disk)
        if self.call and self.here is not None:
            name = self.call.partition(":")[0]
            if name in ("flush", "close") or self.ahead:
                disk += self.here
            if name in ("most", "refused-most"):
                # Recorded before the callback runs, if it came to that.
                disk += [state | {self.call.partition(":")[2]: ("any", "any")} for state in self.here]
            if self.asking:
                disk += self.asking.found_after_crash()
            if name in CHANGES and (self.ran or name not in RUNS or name == "baseline"):
                disk += [apply(self.call, state, self.imports, self.claimed)[1] for state in self.here]
        return unique(disk)


def is_record(key):
    return ":" not in key


def same(state, records):
    """Whether records are a state's; "any" is what nobody acknowledged. Of triggers, those that were looked for are told."""
    def is_trigger(key):
        return key.startswith("trigger:")

    if {*filter(is_trigger, state)} ^ state.keys() != {*filter(is_trigger, records)} ^ records.keys():
        return False
    return all(state.get(key, NOTHING) in (value, ("any", "any")) for key, value in records.items())


def show(states):
    if states is None:
        return "not open"
    text = " or ".join("{" + ", ".join(f"{key}: {' '.join(map(str, value))}" for key, value in sorted(state.items())[:12])
                       + (", ..." if len(state) > 12 else "") + "}" for state in states[:6])
    return text or "nothing that was acknowledged fits"
