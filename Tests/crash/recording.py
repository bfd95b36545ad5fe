"""From a trace to a disk: reads strace's lines and does to a simulated file system what the process did to the real one.

Only what lies below one directory counts. A call that changes files and isn't known here is an error, not passed over.
"""

import posixpath
import re

from disk import Directory, File

CALLS = ("open,openat,creat,close,dup,dup2,dup3,fcntl,read,lseek,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,"
         "fallocate,fsync,fdatasync,msync,sync,syncfs,sync_file_range,rename,renameat,renameat2,link,linkat,symlink,"
         "symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,mmap,sendto,copy_file_range,sendfile,splice,io_uring_setup,"
         "exit_group,fchdir,chdir")
OPTIONS = ("-xx", "-s", "16777216")
SYNCS = ("fsync", "fdatasync")
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+)")
# What strace adds to a descriptor (-y): its path, which is the simulation's business.
DECORATION = re.compile(r"\b(\d+|AT_FDCWD)<[^>]*>")
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Recording:
    """The disk below `root`, which lies at `path` for the process."""

    def __init__(self, path):
        self.path, self.root = str(path), Directory()
        self.open = {}  # (process, descriptor) -> [node, position, flags]

    def take(self, line):
        """Does what a line says. Returns a fact, True when something changed that a crash may undo, or None."""
        match = LINE.match(line)
        if not match:
            if "unfinished" in line:
                raise ValueError(f"calls of several threads: {line[:200]}")
            return None
        process, name, rest, result = match.groups()
        rest = DECORATION.sub(r"\1", rest)
        if result == "?" or result.startswith("-"):
            if name in SYNCS and (opened := self.open.get((process, rest))):
                opened[0].fail_sync()
            return None
        strings = []

        def take_string(found):
            if found[2]:
                raise ValueError("a string was cut off")
            strings.append(bytes.fromhex(found[1].replace("\\x", "")))
            return f"${len(strings) - 1}"

        words = [word.strip() for word in STRING.sub(take_string, rest).split(",")]
        self.process, self.result = process, int(result, 0)
        if name == "sendto":
            return strings[0].decode().rstrip("\n")
        handle = getattr(self, "take_" + name, None)
        values = [strings[int(word[1:])] if re.fullmatch(r"\$\d+", word) else word for word in words]
        if handle is None:
            if any(isinstance(value, bytes) and self.inside(value) for value in values) or self.file(values[0]):
                raise ValueError(f"the simulated disk doesn't know {name}: {line[:200]}")
            return None
        return handle(*values)

    # ---- where things are

    def inside(self, path):
        return path.decode(errors="replace").startswith(self.path + "/") or path.decode(errors="replace") == self.path

    def find(self, path):
        """A path's directory and name; (None, "") for the root; None when it is elsewhere."""
        text = posixpath.normpath(path.decode(errors="surrogateescape"))
        if text == self.path:
            return None, ""
        if not text.startswith(self.path + "/"):
            return None
        directory = self.root
        *parents, name = text[len(self.path) + 1:].split("/")
        for parent in parents:
            directory = directory.entries()[parent]
        return directory, name

    def node(self, path):
        place = self.find(path)
        if place is None:
            return None
        directory, name = place
        return self.root if directory is None else directory.entries().get(name)

    def file(self, descriptor):
        return self.open.get((self.process, descriptor)) if isinstance(descriptor, str) else None

    # ---- opening and closing

    def take_openat(self, _directory, path, flags, *_mode):
        place = self.find(path)
        if place is None:
            return None
        node, changed = self.node(path), None
        if "O_TMPFILE" in flags:
            raise ValueError("the simulated disk doesn't know O_TMPFILE")
        if node is None:
            directory, name = place
            node, changed = File(), True
            directory.pending.append(("add", name, node))
        elif "O_TRUNC" in flags:
            node.change("size", 0)
            changed = True
        self.open[self.process, str(self.result)] = [node, 0, flags]
        return changed

    def take_open(self, path, flags, *mode):
        return self.take_openat("AT_FDCWD", path, flags, *mode)

    def take_creat(self, path, _mode):
        return self.take_openat("AT_FDCWD", path, "O_CREAT|O_TRUNC")

    def take_close(self, descriptor):
        self.open.pop((self.process, descriptor), None)

    def take_dup(self, descriptor, *_):
        # The copy has the same position.
        if opened := self.file(descriptor):
            self.open[self.process, str(self.result)] = opened

    take_dup2 = take_dup3 = take_dup

    def take_fcntl(self, descriptor, command="", *_):
        if command.startswith("F_DUPFD"):
            self.take_dup(descriptor)

    def take_mmap(self, _address, _length, protection, flags, descriptor, *_):
        opened = self.file(descriptor)
        if opened and "PROT_WRITE" in protection and "MAP_SHARED" in flags and not opened[0].mapped:
            opened[0].mapped = [None]

    # ---- content

    def take_read(self, descriptor, *_):
        if opened := self.file(descriptor):
            opened[1] += self.result

    def take_lseek(self, descriptor, *_):
        if opened := self.file(descriptor):
            opened[1] = self.result

    def take_write(self, descriptor, data, *_):
        if opened := self.file(descriptor):
            node, position, flags = opened
            if "O_APPEND" in flags:
                position = len(node.content())
            node.change("write", position, data[:self.result])
            opened[1] = position + self.result
            return True

    def take_pwrite64(self, descriptor, data, _count, offset):
        if opened := self.file(descriptor):
            opened[0].change("write", int(offset), data[:self.result])
            return True

    def take_ftruncate(self, descriptor, size):
        if opened := self.file(descriptor):
            opened[0].change("size", int(size))
            return True

    def take_fsync(self, descriptor):
        if opened := self.file(descriptor):
            opened[0].sync()
            return True

    take_fdatasync = take_fsync

    # ---- directories

    def take_rename(self, old, new):
        source, target = self.find(old), self.find(new)
        if source is None and target is None:
            return None
        if source is None or target is None or source[0] is not target[0]:
            raise ValueError("the simulated disk doesn't know a rename between directories")
        directory, name = source
        directory.pending.append(("move", name, target[1], directory.entries()[name]))
        return True

    def take_renameat(self, _old_directory, old, _new_directory, new):
        return self.take_rename(old, new)

    def take_renameat2(self, _old_directory, old, _new_directory, new, flags):
        if "EXCHANGE" in flags and self.find(old):
            raise ValueError("the simulated disk doesn't know RENAME_EXCHANGE")
        return self.take_rename(old, new)

    def take_link(self, old, new):
        if place := self.find(new):
            place[0].pending.append(("add", place[1], self.node(old)))
            return True

    def take_linkat(self, _old_directory, old, _new_directory, new, _flags):
        return self.take_link(old, new)

    def take_unlink(self, path):
        if place := self.find(path):
            place[0].pending.append(("remove", place[1]))
            return True

    def take_unlinkat(self, _directory, path, _flags):
        return self.take_unlink(path)

    take_rmdir = take_unlink

    def take_mkdir(self, path, _mode):
        if place := self.find(path):
            place[0].pending.append(("add", place[1], Directory()))
            return True

    def take_mkdirat(self, _directory, path, mode):
        return self.take_mkdir(path, mode)

    def take_exit_group(self, _status):
        for key in [key for key in self.open if key[0] == self.process]:
            del self.open[key]
