"""Writes the C programs that compare include/firsttime.h with the contract.

usage: programs.py OURS CONTRACT DIRECTORY
  types.c      includes ours, then repeats the contract's declarations: a different type doesn't compile (C11)
  values.c     prints every value, size and offset both have; built once against each header
  addresses.c  for the contract's header: takes the address of every function we deliver, and checks the version
Prints a one-line summary. Fails when our header declares a function the contract doesn't have.
"""

import sys
from pathlib import Path

from declarations import Header


def types(ours, contract):
    lines = ['#include "firsttime.h"']
    lines += [contract.callbacks[name] + ";" for name in contract.callbacks if name in ours.callbacks]
    lines += [contract.functions[name] + ";" for name in contract.functions if name in ours.functions]
    return lines + ["int main(void) { return 0; }"]


def values(ours, contract):
    lines = ["#include <stddef.h>", "#include <stdio.h>", '#include "firsttime.h"', "int main(void) {"]
    shared = [name for name in contract.enumerators if name in ours.enumerators]
    shared += [name for name in contract.macros if name in ours.macros]
    for name in shared:
        lines.append(f'    printf("{name} %lld\\n", (long long){name});')
    for name, members in contract.structs.items():
        if name not in ours.structs:
            continue
        lines.append(f'    printf("sizeof {name} %zu\\n", sizeof({name}));')
        for member in members:
            lines.append(
                f'    printf("{name}.{member} %zu, %zu bytes\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
            )
    if "firsttime_options" in ours.structs:
        lines.append("    firsttime_options options = FIRSTTIME_OPTIONS_INIT;")
        lines.append('    printf("options.size %zu\\n", options.size);')
    return lines + ["    return 0;", "}"]


def addresses(ours, contract):
    lines = ["#include <stdio.h>", "#include <string.h>", '#include "firsttime.h"', "typedef void (*function)(void);"]
    lines.append("static const struct { const char *name; function address; } delivered[] = {")
    for name in ours.functions:
        lines.append(f'    {{"{name}", (function){name}}},')
    lines += [
        "};",
        "int main(void) {",
        "    for (size_t i = 0; i < sizeof delivered / sizeof *delivered; i++) {",
        '        if (!delivered[i].address) { printf("%s: no address\\n", delivered[i].name); return 1; }',
        "    }",
        "    char version[64];",
        '    snprintf(version, sizeof version, "%d.%d.%d", FIRSTTIME_VERSION_MAJOR, FIRSTTIME_VERSION_MINOR,',
        "             FIRSTTIME_VERSION_PATCH);",
        "    if (strcmp(version, firsttime_library_version())) {",
        '        printf("version %s, but the contract says %s\\n", firsttime_library_version(), version);',
        "        return 1;",
        "    }",
        "    return 0;",
        "}",
    ]
    return lines


def main():
    ours, contract, directory = Header(sys.argv[1]), Header(sys.argv[2]), Path(sys.argv[3])
    unknown = [name for name in ours.functions if name not in contract.functions]
    if unknown:
        sys.exit("not in the contract: " + " ".join(unknown))
    if not ours.functions:
        sys.exit(f"no function found in {ours.path}")
    for program in (types, values, addresses):
        (directory / f"{program.__name__}.c").write_text("\n".join(program(ours, contract)) + "\n")
    print(
        f"{len(ours.functions)} of {len(contract.functions)} functions, "
        f"{sum(name in ours.structs for name in contract.structs)} of {len(contract.structs)} structs, "
        f"{sum(name in ours.enumerators for name in contract.enumerators)} of {len(contract.enumerators)} enumerators"
    )


main()
