"""Finds out which of the library's functions a program calls, whatever its language, and whether that is all of them.

usage: calls.py build HEADER LIBRARY OUTPUT
         OUTPUT is a library in front of LIBRARY, for LD_PRELOAD or in its place: it has each function of HEADER, notes
         the call, and jumps on. $FT_CALLS is a file with a byte for each function, 1 when it was called: it is mapped, since
         not every program ends in a way that a library is told of.
       calls.py check HEADER CONTRACT UNWRAPPED CALLS SOURCE...
         Every function of HEADER is either named in the SOURCEs of a binding and in CALLS, what its tests called, or
         listed in UNWRAPPED with a reason; `*` there stands for all that aren't named in the SOURCEs. CONTRACT also has
         the functions that are still to come.
x86-64 only: elsewhere `build` fails with exit status 3.
"""

import platform
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "contract"))
from declarations import Header  # noqa: E402

PROLOGUE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static const char *const names[] = {%(names)s};
enum { count = sizeof names / sizeof *names };
__attribute__((used, visibility("hidden"))) void *calls_targets[count];
static char nowhere[count];
__attribute__((used, visibility("hidden"))) char *calls_made = nowhere;

__attribute__((constructor)) static void find(void) {
    void *library = dlopen("%(library)s", RTLD_NOW | RTLD_LOCAL);
    for (int index = 0; index < count; index++) {
        calls_targets[index] = library ? dlsym(library, names[index]) : NULL;
        if (!calls_targets[index]) {
            fprintf(stderr, "%%s: %%s\\n", names[index], dlerror());
            _exit(126);
        }
    }
    const char *path = getenv("FT_CALLS");
    int file = path && *path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0) return;
    void *map = ftruncate(file, count) == 0 ? mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map == MAP_FAILED) _exit(126);
    calls_made = map;
    close(file);
}
"""

FUNCTION = """
__asm__(".globl {name}\\n.type {name}, @function\\n{name}:\\n"
        "movq calls_made(%rip), %r11\\nmovb $1, {index}(%r11)\\njmp *calls_targets+{offset}(%rip)\\n"
        ".size {name}, .-{name}\\n");
"""


def build(header, library, output):
    if platform.machine() != "x86_64":
        sys.exit(3)
    functions = list(Header(header).functions)
    names = ", ".join(f'"{name}"' for name in functions)
    text = PROLOGUE % {"names": names, "library": library}
    for index, name in enumerate(functions):
        text += FUNCTION.format(name=name, index=index, offset=8 * index)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", output, "-x", "c", "-", "-ldl"], input=text, text=True, check=True
    )


def check(header, contract, unwrapped, calls, *sources):
    functions = set(Header(header).functions)
    left_out = {}
    for line in Path(unwrapped).read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            left_out[name] = reason.strip()
    wrapped = set()
    for source in sources:
        wrapped |= set(re.findall(r"\bfirsttime_\w+", Path(source).read_text())) & functions
    if "*" in left_out:
        left_out.update(dict.fromkeys(functions - wrapped, left_out.pop("*")))
    called = {name for name, byte in zip(Header(header).functions, Path(calls).read_bytes()) if byte}
    problems = {
        "neither wrapped nor in UNWRAPPED": functions - wrapped - set(left_out),
        "wrapped, but in UNWRAPPED": wrapped & set(left_out),
        "in UNWRAPPED without a reason": {name for name, reason in left_out.items() if not reason},
        "in UNWRAPPED, but no function of the library": set(left_out) - functions - set(Header(contract).functions),
        "wrapped, but called by no test": wrapped - called,
    }
    for problem, names in problems.items():
        if names:
            print(f"{problem}: {' '.join(sorted(names))}")
    if any(problems.values()):
        sys.exit(1)
    print(f"{len(wrapped)} functions wrapped and called, {len(functions & set(left_out))} unwrapped")


{"build": build, "check": check}[sys.argv[1]](*sys.argv[2:])
