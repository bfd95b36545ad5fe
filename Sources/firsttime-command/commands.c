/* Owns the table of commands: names, operands, options, help and what runs them. firsttime(1) says it at length. */
#include "command.h"

enum {
    RUN_OPTIONS = OPTION_AFTER | OPTION_AT_MOST_ONCE | OPTION_BASELINE | OPTION_NO_WAIT | OPTION_WAIT |
                  OPTION_SKIP_STATUS | OPTION_APP_VERSION
};

#define RUN_HELP \
    "It is recorded when CMD exits with 0, and on disk then. While CMD runs, nobody else runs KEY:\n" \
    "others wait, look again, and find it done.\n\n" \
    "The exit status is CMD's (128 and the signal's number when a signal ended it), 0 when KEY isn't\n" \
    "due, and 125 when the tool fails, also when another process runs KEY and the wait is over;\n" \
    "126: CMD can't be run; 127: there is no CMD."

#define SPEC_HELP \
    "SPEC is\n" \
    "  90s 15m 12h 3d 2w            so much time after the last run (fractions allowed)\n" \
    "  hourly daily weekly monthly  in each new hour, day, week (from Monday on), month,\n" \
    "  quarterly yearly             quarter or year of local time\n" \
    "  \"3 months rolling\"           so many seconds, minutes, hours, days, weeks, months,\n" \
    "                               quarters or years after the last run, at its time of day"

const struct command commands[] = {
    {"once", "KEY [OPTION...] -- CMD [ARG...]", 1, 1, true, RUN_OPTIONS, "run CMD if KEY has never run",
     "Runs CMD if KEY has never run.\n\n" RUN_HELP, run_once},
    {"per-version", "KEY --app-version V [OPTION...] -- CMD [ARG...]", 1, 1, true, RUN_OPTIONS,
     "run CMD once for each version",
     "Runs CMD if KEY has never run, or ran last for another version than V.\n\n" RUN_HELP, run_per_version},
    {"every", "SPEC KEY [OPTION...] -- CMD [ARG...]", 2, 2, true, RUN_OPTIONS, "run CMD once per interval",
     "Runs CMD if KEY has never run, or SPEC has passed since.\n\n" SPEC_HELP "\n\n" RUN_HELP, run_every},
    {"list", "[OPTION...]", 0, 0, false, OPTION_PREFIX | OPTION_POLICY | OPTION_KEYS | OPTION_JSON | OPTION_APP_VERSION,
     "list what is recorded",
     "Lists the keys that have a record: when they ran last, for which version, and how often; with\n"
     "--policy also when each is due. With --json an array of objects: key, count, firstTime,\n"
     "firstVersion, lastTime, lastVersion, and with --policy due and nextDue. Times are seconds since\n"
     "1970; what isn't known, or never comes, is absent.",
     look_list},
    {"show", "KEY [OPTION...]", 1, 1, false, OPTION_POLICY | OPTION_JSON | OPTION_APP_VERSION, "show one key",
     "Shows what is recorded of KEY. The exit status is 1 when there is nothing.", look_show},
    {"due", "KEY [SPEC] [OPTION...]", 1, 2, false, OPTION_APP_VERSION, "tell by the exit status whether a key is due",
     "Exits with 0 when KEY is due, 1 when it isn't, and 125 when that can't be told. Nothing is run or recorded.\n\n"
     "SPEC is also \"once\" (as without it) or \"per-version\", which needs --app-version V.\n" SPEC_HELP, look_due},
    {"events", "[OPTION...]", 0, 0, false, OPTION_PREFIX | OPTION_JSON, "list donated events",
     "Lists the events that were donated: how often, and when and for which version last. With --json\n"
     "an array of objects: name, and otherwise as of \"list\".", look_events},
    {"path", "[OPTION...]", 0, 0, false, 0, "print the path of the archive",
     "Prints the absolute path of the archive file.", look_path},
    {"mark", "KEY [OPTION...]", 1, 1, false, OPTION_APP_VERSION, "record a run of a key",
     "Records that KEY ran now, as if its command had just been successful.", change_mark},
    {"reset", "KEY | --prefix TEXT | --all [--yes]", 0, 1, false, OPTION_PREFIX | OPTION_ALL | OPTION_YES,
     "forget keys",
     "Forgets KEY (exit status 1: it had no record), every key that begins with TEXT, or every key.\n"
     "What is forgotten is due again. --all asks on a terminal, and needs --yes elsewhere.", change_reset},
    {"donate", "EVENT [OPTION...]", 1, 1, false, OPTION_APP_VERSION, "count an event", "Counts EVENT once.",
     change_donate},
    {"rule", "check TEXT", 2, 2, false, 0, "check the text of a rule",
     "Checks the text of a rule (\"-\": standard input) and prints it as the library reads it. The exit\n"
     "status is 1 when it is no rule: line, column and what was expected there are told.", rule_check},
    {"import", "FILE [OPTION...]", 1, 1, false, OPTION_DRY_RUN | OPTION_DEFAULTS_KEY | OPTION_INTERVAL,
     "take over an old archive, preferences or events",
     "Takes over the records of FILE: an archive of YCFirstTime or of FirstTime, a preferences property\n"
     "list, or RuleKit's events; binary or XML. For each key the newest record wins. It is all of it, or\n"
     "nothing.", archive_import},
    {"export", "[FILE] [OPTION...]", 0, 1, false, OPTION_FORMAT, "write a copy of all state",
     "Writes a copy of everything in the store to FILE, or to standard output. Formats: archive (a\n"
     "binary keyed archive), xml (the same in XML), defaults (preferences that hold the archive, for\n"
     "\"defaults import\" on a Mac), json (to read; it can't be imported).", archive_export},
    {"verify", "FILE", 1, 1, false, 0, "look for everything that is wrong with a file",
     "Looks for everything that is wrong with an archive or property list, and prints each problem with\n"
     "its offset (XML: its line). The exit status is 0 when there is none, and 1 when there is one.",
     archive_verify},
    {"repair", "FILE", 1, 1, false, 0, "save what can be saved of a broken archive",
     "Repairs the archive FILE of a store that can't be opened: what can't be decoded is kept beside\n"
     "it, as FILE.corrupt-TIME, and the store starts from every record that could be saved. No program\n"
     "may have it open.",
     archive_repair},
    {"dump", "FILE [OPTION...]", 1, 1, false, OPTION_JSON | OPTION_RAW, "show any archive or property list as text",
     "Shows any keyed archive or property list, binary or XML, as text or as JSON.", archive_dump},
    {"help", "[COMMAND]", 0, 1, false, 0, "explain a command", "Explains COMMAND, or lists all.", help_command},
    {0},
};
