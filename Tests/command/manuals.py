"""That help, man pages and completions tell of the same commands and options as the tool has; and that the man pages are
sound, and each shell completes."""

import json
import os
import re
import shutil
import signal
import subprocess

from tool import TOOL, Place, Terminal, run_all, same

ROOT = os.environ["FT_ROOT"]
COMPLETIONS = ROOT + "/packaging/completions/"


def read(path):
    with open(ROOT + "/" + path) as file:
        return file.read()


def tool_options():
    """Every command's options, by what its help lists."""
    place = Place()
    commands = re.findall("^  ([a-z-]+) +", place.check("--help"), re.MULTILINE)
    return {command: re.findall("^  (--[a-z-]+)", place.check("help", command), re.MULTILINE) for command in commands}


def test_man_pages_are_sound():
    for page in ("firsttime.1", "firsttime.3", "firsttime.5"):
        lint = subprocess.run(["mandoc", "-Tlint", ROOT + "/man/" + page], capture_output=True, text=True)
        # Pages of other packages may not be installed, or not be in the index.
        wrong = [
            line
            for line in (lint.stdout + lint.stderr).split("\n")
            if line and "mandoc.db" not in line and "referenced manual not found" not in line
        ]
        same("mandoc -Tlint " + page, wrong, [])


def test_the_tools_page_names_every_command_and_option():
    page = read("man/firsttime.1")
    for command, options in tool_options().items():
        assert re.search(r"^\.Cm %s\b" % command, page, re.MULTILINE), command
        for option in options:
            assert re.search(r"\bFl %s\b" % option[1:], page), (command, option)


def test_the_librarys_page_names_every_function():
    functions = subprocess.run(
        [ROOT + "/scripts/header-functions"], capture_output=True, text=True, check=True
    ).stdout.split()
    page = read("man/firsttime.3")
    named = set(re.findall(r"^\.F[no] (firsttime_\w+)", page, re.MULTILINE))
    same("functions that the page lacks", sorted(set(functions) - named), [])
    same("functions that the header lacks", sorted(named - set(functions)), [])


def test_the_example_of_the_librarys_page_compiles():
    page = read("man/firsttime.3")
    example = re.search(r"\.Bd -literal\n(#include.*?)\.Ed", page, re.DOTALL).group(1).replace("\\e", "\\")
    place = Place()
    with open(place.file("example.c"), "w") as file:
        file.write(example)
    library = os.path.dirname(TOOL) + "/libfirsttime.a"
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run(
        [
            *compiler,
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-I",
            ROOT + "/include",
            "-o",
            place.file("example"),
            place.file("example.c"),
            library,
            "-lm",
            "-lpthread",
        ],
        check=True,
    )
    for out in ("Welcome!\n", ""):
        same(
            "output",
            subprocess.run([place.file("example")], env=place.environment, capture_output=True, text=True).stdout,
            out,
        )


def test_the_files_page_names_every_file():
    page = read("man/firsttime.5")
    for name in ("journal", "lock", "new", "journal-new", "corrupt-"):
        assert re.search(r"Ar PATH Ns [-.]%s" % name, page), name


def test_completions_name_every_command_and_option():
    bash, zsh, fish = (
        read("packaging/completions/" + name) for name in ("firsttime.bash", "_firsttime", "firsttime.fish")
    )
    for command, options in tool_options().items():
        for text in (bash, zsh, fish):
            assert re.search(r"(?<![\w-])%s(?![\w-])" % command, text), command
        for option in options:
            assert option in bash and option in zsh, option
            assert "-l %s " % option[2:] in fish, option


def place_with_keys():
    place = Place()
    for name in ("file.plist", "file.sh"):
        open(place.file(name), "w").close()
    os.chmod(place.file("file.sh"), 0o755)
    os.mkdir(place.file("sub"))
    place.environment["PATH"] = os.path.dirname(TOOL) + ":" + place.environment["PATH"]
    place.check("mark", "onboarding.v1")
    place.check("mark", "other key")
    place.check("mark", "elsewhere", "--app", "org.example.app")
    return place


# What is typed, what must be offered, and what must not.
CASES = (
    ("firsttime o", {"once"}, {"list"}),
    ("firsttime ev", {"every", "events"}, {"dump"}),
    ("firsttime once on", {"onboarding.v1"}, {"once", "list"}),
    ("firsttime --app org.example.app show el", {"elsewhere"}, {"onboarding.v1"}),
    ("firsttime every da", {"daily"}, {"onboarding.v1"}),
    ("firsttime every daily on", {"onboarding.v1"}, {"daily"}),
    ("firsttime due onboarding.v1 mo", {"monthly"}, {"onboarding.v1"}),
    ("firsttime once k --at", {"--at-most-once"}, {"--json"}),
    ("firsttime once k -- ./fi", {"./file.sh"}, {"once"}),
    ("firsttime list --p", {"--prefix", "--policy"}, {"--at-most-once"}),
    ("firsttime export --format x", {"xml"}, {"archive"}),
    ("firsttime rule ch", {"check"}, {"once"}),
    ("firsttime dump file.p", {"file.plist"}, {"once"}),
)


def bash_offers(place, line):
    script = (
        'source "$1"; read -ra COMP_WORDS <<<"$2"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2 COMP_POINT=${#2}\n'
        'compopt() { mapfile -t files < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"); }\n'
        '_firsttime; printf "%s\\n" "${COMPREPLY[@]}" "${files[@]}"'
    )
    return subprocess.run(
        ["bash", "--norc", "-c", script, "bash", COMPLETIONS + "firsttime.bash", line],
        cwd=place.path,
        env=place.environment,
        capture_output=True,
        text=True,
    )


def fish_offers(place, line):
    return subprocess.run(
        ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", COMPLETIONS + "firsttime.fish", line],
        cwd=place.path,
        env=place.environment,
        capture_output=True,
        text=True,
    )


def offers_of_a_shell(offers):
    place = place_with_keys()
    for line, offered, others in CASES:
        result = offers(place, line)
        same("errors of %r" % line, result.stderr, "")
        found = {word.split("\t")[0].strip() for word in result.stdout.split("\n")}
        assert offered <= found and not others & found, (line, found)


def test_bash_completes():
    offers_of_a_shell(bash_offers)


# What a store of somebody else's may have for a key; none of it may be run, or change what the shell gets.
STRANGE = (
    "$(touch${IFS}ran)",
    "`touch ran`",
    "two words",
    "$HOME/x",
    "it's \"so\"",
    "back\\slash",
    "glob*[a]?",
    "semi;touch ran",
    "a:colon=and@at",
    "~/home",
    "über",
)


def test_bash_completes_strange_keys_and_runs_none():
    place = place_with_keys()
    place.environment["LC_ALL"] = "C.UTF-8"
    for key in STRANGE:
        place.check("mark", key, "--store", place.file("strange store"))
    terminal = Terminal(place, "--norc", "--noprofile", "-i", program="/bin/bash", columns=250)
    terminal.type("PS1='ready> '; bind 'set enable-bracketed-paste off'; set +H -u\n")
    terminal.type("source %sfirsttime.bash; firsttime() { command firsttime \"$@\"; }; cl''ear=\n" % COMPLETIONS)
    terminal.expect("cl''ear=")
    # How much is typed of each, and what the tool then gets; the shell itself reads the quotes.
    typed = {
        "two words": ("tw", "two\\ w", "'two w", '"tw'),
        "it's \"so\"": ("it", "it\\'s"),
        "$HOME/x": ("\\$H", "'$H", '"\\$H'),
        "$(touch${IFS}ran)": ("\\$\\(", "'$(", '"\\$('),
        "`touch ran`": ("\\`", "'`", '"\\`'),
        "a:colon=and@at": ("a:", "a", "a:colon=an", "'a:co"),
        "~/home": ("\\~",),
    }
    number = 0
    for key in STRANGE:
        for begun in typed.get(key, (key[:2], "'" + key[:3])):
            number += 1
            terminal.type("firsttime --store strange\\ store mark %s\t" % begun)
            terminal.type(" ; echo en''d.%d\n" % number)
            terminal.expect("end.%d\r\n" % number)
            counted = {
                record["key"]: record["count"]
                for record in json.loads(place.check("list", "--json", "--store", place.file("strange store")))
            }
            same("what is marked by %s<TAB>: %r" % (begun, terminal.text[-600:]), counted.pop(key), 2)
            same("others than %r" % key, set(counted.items()), {(other, 1) for other in STRANGE if other != key})
            place.check("reset", key, "--store", place.file("strange store"))
            place.check("mark", key, "--store", place.file("strange store"))
    terminal.type("firsttime --store strange\\ store mark \t\t; echo en''d\n")
    terminal.expect("end\r\n")
    assert "unbound" not in terminal.text.decode(), terminal.text.decode()
    terminal.type("exit\n")
    terminal.end()
    same("what ran", os.path.exists(place.file("ran")), False)


def test_fish_completes():
    if shutil.which("fish") is None:
        raise AssertionError("fish is missing")
    offers_of_a_shell(fish_offers)


def test_zsh_completes():
    place = place_with_keys()
    os.mkdir(place.file("functions"))
    shutil.copy(COMPLETIONS + "_firsttime", place.file("functions"))
    place.environment.update({"ZDOTDIR": place.path, "LC_ALL": "C.UTF-8"})
    with open(place.file(".zshrc"), "w") as file:
        file.write(
            "fpath=($ZDOTDIR/functions $fpath)\nautoload -Uz compinit && compinit -u -D\n"
            "PS1='zsh> '\nunsetopt zle_bracketed_paste\nsetopt list_ambiguous auto_list no_list_beep\n"
            "zstyle ':completion:*' list-prompt ''\n"
        )
    for line, offered, others in CASES:
        terminal = Terminal(place, "-d", "-i", program=shutil.which("zsh"), columns=120)
        terminal.expect("zsh> ")
        terminal.text = b""
        # The first one writes what all have in common, the second lists them.
        terminal.type(line + "\t" * len(offered))
        for words in offered:
            # What was typed already may not be written again.
            terminal.expect(words.removeprefix(line.split(" ")[-1]))
        shown = terminal.text.decode()[len(line) :]
        assert not any(re.search(r"(?<![\w.-])%s(?![\w.-])" % re.escape(words), shown) for words in others), (
            line,
            shown,
        )
        os.kill(terminal.process, signal.SIGKILL)
        terminal.end()


run_all(globals())
