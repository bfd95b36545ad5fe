"""Reads what a C header of ours declares: functions, callback types, enumerators, number macros, structs.

Knows only the plain style those headers keep (one declaration per statement, no nested structs, no bit fields).
The text is read as the C preprocessor leaves it, so macros for nullability, visibility and blocks are gone.
"""

import re
import subprocess


def preprocessed(header, compiler="gcc"):
    """The header's own text after preprocessing, without what it includes."""
    result = subprocess.run(
        [compiler, "-E", "-x", "c", str(header)], check=True, capture_output=True, text=True
    )
    own, lines = False, []
    for line in result.stdout.splitlines():
        marker = re.match(r'#\s*\d+\s+"(.*)"', line)
        if marker:
            own = marker.group(1) == str(header)
        elif own and not line.lstrip().startswith("#"):
            lines.append(line)
    return "\n".join(lines)


def statements(text):
    """Splits at the semicolons outside braces; function bodies end a statement too."""
    depth, start = 0, 0
    for index, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0 and re.search(r"\)\s*\{", text[start:index]):
                yield " ".join(text[start : index + 1].split())
                start = index + 1
        elif character == ";" and depth == 0:
            yield " ".join(text[start:index].split())
            start = index + 1


class Header:
    def __init__(self, path, compiler="gcc"):
        self.path = str(path)
        self.functions = {}  # name -> declaration
        self.callbacks = {}  # name -> typedef of a function pointer
        self.enumerators = []
        self.structs = {}  # name -> names of its members
        self.macros = []  # object-like macros that are whole numbers
        for statement in statements(preprocessed(path, compiler)):
            self._add(statement)
        with open(path, encoding="utf-8") as file:
            self.macros = re.findall(r"^#define (FIRSTTIME_\w+)\s+\(?-?\d\w*\)?\s*(?:/\*.*)?$", file.read(), re.M)

    def _add(self, statement):
        statement = re.sub(r"__attribute__\s*\(\(.*?\)\)\s*", "", statement)
        enum = re.match(r"(?:typedef )?enum\b[^{]*\{(.*)\}", statement)
        struct = re.match(r"(?:typedef )?struct (\w+) \{(.*)\}", statement)
        callback = re.match(r"typedef .*\(\*\s*(firsttime_\w+)\)", statement)
        function = re.match(r"(?!typedef|static)(?:extern )?[\w \*]*?\b(firsttime_[a-z0-9_]+)\s?\(", statement)
        if enum:
            self.enumerators += re.findall(r"(?:^|,)\s*(\w+)", _without_values(enum.group(1)))
        elif struct:
            self.structs[struct.group(1)] = [
                re.search(r"(\w+)\s*$", declarator).group(1)
                for member in struct.group(2).split(";")
                if member.strip()
                for declarator in member.split(",")
            ]
        elif callback:
            self.callbacks[callback.group(1)] = statement
        elif function:
            self.functions[function.group(1)] = statement


def _without_values(body):
    return re.sub(r"=[^,]*", "", body)


def undocumented(path, names):
    """The functions whose declaration has no /** */ comment of its own right before it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    code = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    # A preprocessor line, with its continuations, ends what came before it.
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: ";" + blank(m)[1:], code, flags=re.M)
    missing = []
    for name in names:
        found = re.search(rf"\b{name}\s*\(", code)
        if not found:
            missing.append(name)
            continue
        start = max(code.rfind(mark, 0, found.start()) for mark in ";{}")
        if "/**" not in text[start + 1 : found.start()]:
            missing.append(name)
    return missing
