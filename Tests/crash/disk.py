"""A file system that may lose power: what is on disk for certain, what only perhaps, and every state in between.

POSIX keeps what was synced and promises nothing else: each write since a file's last sync may be there, missing or torn,
whatever became of the others, its size may have arrived without its bytes, and each change to a directory since the
directory's last sync may be undone. It knows no store, and does no input or output.
"""

import itertools


class File:
    def __init__(self):
        self.durable = b""
        self.pending = []  # ("write", offset, bytes) or ("size", number)
        self.seen = b""  # what a process reads
        self.doomed = []  # those of `pending` that a sync failed to write: no later one does
        self.mapped = []  # contents that stores through a mapping may have led to

    def change(self, *change):
        self.pending.append(change)
        self.seen = replay(self.seen, [change])

    def content(self):
        return self.seen

    def sync(self):
        written = [change for change in self.pending if change not in self.doomed]
        self.durable = replay(self.durable, written)
        # What was written over since is not missed.
        self.doomed = [change for change in self.doomed if not any(covers(other, change) for other in written)]
        self.pending = list(self.doomed)

    def fail_sync(self):
        """As Linux does it: the pages count as clean now, and are only on disk if the disk took them."""
        self.doomed = [change for change in self.pending if change[0] == "write"]

    def variants(self, generator):
        """Contents that a loss of power may leave: the old and the new one first."""
        found = [self.durable, self.content()]
        count = len(self.pending)
        for index, change in enumerate(self.pending):
            before = replay(self.durable, self.pending[:index])
            found.append(before)
            if change[0] == "write":
                found += torn(before, change, generator)
                # The last write torn, one before it missing.
                if index:
                    lost = generator.randrange(index)
                    rest = replay(self.durable, self.pending[:lost] + self.pending[lost + 1:index])
                    found += generator.sample(torn(rest, change, generator), 3)
        subsets = itertools.product((False, True), repeat=count) if count <= 5 else (
            [generator.random() < 0.5 for _ in range(count)] for _ in range(32))
        found += [replay(self.durable, itertools.compress(self.pending, kept)) for kept in subsets]
        for final in self.mapped:
            found += mapped(self.content(), final, generator)
        return list(dict.fromkeys(found))


def replay(content, changes):
    content = bytearray(content)
    for change in changes:
        if change[0] == "size":
            content = content[:change[1]].ljust(change[1], b"\0")
        else:
            _, offset, data = change
            content = content.ljust(offset, b"\0")
            content[offset:offset + len(data)] = data
    return bytes(content)


def covers(change, other):
    return (change[0] == "write" and change[1] <= other[1]
            and change[1] + len(change[2]) >= other[1] + len(other[2]))


def torn(before, change, generator):
    """One write, in part: cut at a byte, without its beginning, with holes, or its size alone."""
    _, offset, data = change
    length = len(data)
    if length <= 256:
        cuts = range(length)
    else:
        cuts = {0, 1, length - 1, *range(0, length, 512 if length < 20000 else 4096),
                *(generator.randrange(length) for _ in range(24))}
    found = []
    whole_size = max(len(before), offset + length)
    for cut in cuts:
        head = replay(before, [("write", offset, data[:cut])])
        found += [head, head.ljust(whole_size, b"\0")]
        found.append(replay(before, [("write", offset + cut, data[cut:])]))
    for _ in range(6):
        holes = bytearray(before.ljust(whole_size, b"\0"))
        block = generator.choice((8, 64, 512, 4096))
        for start in range(0, length, block):
            if generator.random() < 0.5:
                holes[offset + start:offset + min(start + block, length)] = data[start:start + block]
        found.append(bytes(holes))
    return found


def mapped(content, final, generator):
    """Each word that was stored to through a mapping is the old or the new one."""
    size = max(len(content), len(final))
    content, final = content.ljust(size, b"\0"), final.ljust(size, b"\0")
    words = [start for start in range(0, size, 8) if content[start:start + 8] != final[start:start + 8]]
    found = [final] if words else []
    for _ in range(4 if words else 0):
        mixed = bytearray(content)
        for start in words:
            if generator.random() < 0.5:
                mixed[start:start + 8] = final[start:start + 8]
        found.append(bytes(mixed))
    return found


class Directory:
    def __init__(self):
        self.durable = {}
        self.pending = []  # ("add", name, node), ("remove", name) or ("move", old, new, node)

    def entries(self):
        return changed(self.durable, self.pending)

    def fail_sync(self):
        pass

    def sync(self):
        self.durable, self.pending = self.entries(), []

    def variants(self, generator):
        """Each change for itself: a rename is one, before or after."""
        found = [self.durable, self.entries()]
        count = len(self.pending)
        found += [changed(self.durable, self.pending[:index]) for index in range(count)]
        subsets = itertools.product((False, True), repeat=count) if count <= 5 else (
            [generator.random() < 0.5 for _ in range(count)] for _ in range(32))
        found += [changed(self.durable, itertools.compress(self.pending, kept)) for kept in subsets]
        return [variant for index, variant in enumerate(found) if variant not in found[:index]]


def changed(entries, changes):
    entries = dict(entries)
    for change in changes:
        if change[0] == "add":
            entries[change[1]] = change[2]
        elif change[0] == "remove":
            entries.pop(change[1], None)
        else:
            _, old, new, node = change
            entries.pop(old, None)
            entries[new] = node
    return entries


def trees(root, generator, most):
    """Up to `most` states below a directory: each a tuple of (path, bytes, or None for a directory)."""
    found = {}

    def build(directory, path, choose):
        for name, node in sorted(choose(directory).items()):
            inner = f"{path}/{name}" if path else name
            if isinstance(node, Directory):
                yield inner, None
                yield from build(node, inner, choose)
            else:
                yield inner, choose(node)

    nodes = reachable(root)
    variants = {id(node): node.variants(generator) for node in nodes}
    loose = [node for node in nodes if len(variants[id(node)]) > 1]

    def keep(picks):
        found.setdefault(tuple(build(root, "", lambda node: variants[id(node)][picks.get(id(node), 0)])))

    product = 1
    for node in loose:
        product *= len(variants[id(node)])
    if product <= most:
        for picks in itertools.product(*(range(len(variants[id(node)])) for node in loose)):
            keep({id(node): pick for node, pick in zip(loose, picks)})
        return list(found)
    # Everything lost, nothing lost; then each thing's variants in turn, the rest either way or at random.
    keep({})
    keep({id(node): 1 for node in loose})
    single = [(node, pick) for node in loose for pick in range(len(variants[id(node)]))]
    generator.shuffle(single)
    for node, pick in single:
        for others in (1, None):
            if len(found) >= most:
                return list(found)
            keep({id(other): pick if other is node else 1 if others else generator.randrange(len(variants[id(other)]))
                  for other in loose})
    return list(found)


def reachable(directory):
    """Every node that may be found after a crash."""
    result, waiting = [], [directory]
    while waiting:
        node = waiting.pop()
        if any(node is other for other in result):
            continue
        result.append(node)
        if isinstance(node, Directory):
            waiting += node.durable.values()
            waiting += [change[-1] for change in node.pending if change[0] != "remove"]
    return result
