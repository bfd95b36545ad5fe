/* What the files of the tool `firsttime` share: a request, the table of commands, and the few things that all of them
 * do.
 *
 * The tool is a program over firsttime.h alone. It decides nothing about when a key is due.
 */
#ifndef FIRSTTIME_COMMAND_H
#define FIRSTTIME_COMMAND_H

#include <firsttime.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses beside CMD's own, as env(1) and timeout(1) have them. */
enum {
    STATUS_OK = 0,
    STATUS_NO = 1,           /* A question's answer: not due, no such key, problems found. */
    STATUS_FAILED = 125,     /* The tool itself failed, or was called wrongly. */
    STATUS_CANNOT_RUN = 126, /* CMD is there, but can't be run. */
    STATUS_NOT_FOUND = 127,  /* CMD isn't there. */
    STATUS_SIGNALLED = 128   /* CMD was ended by a signal: its number is added. */
};

struct command;

enum { MOST_OPERANDS = 2, MOST_INTERVALS = 64 };

/* What the command line asks for. Texts are borrowed from it. */
struct request {
    char *name; /* The first word of the command line. */
    const struct command *command;
    const char *store, *app, *app_version;
    const char *after, *prefix, *policy, *format, *defaults_key;
    const char *intervals[MOST_INTERVALS]; /* Each NAME=SPEC. */
    size_t interval_count;
    bool at_most_once, baseline, no_wait, waits, json, raw, keys, dry_run, all, yes, help, version;
    int32_t wait_ms; /* As in firsttime_options. */
    int skip_status;
    int operand_count;
    const char *operands[MOST_OPERANDS]; /* NULL after the last. */
    char *const *program;                /* CMD and its arguments; NULL: none. */
};

/* The options, as bits of what a command takes. */
enum option {
    OPTION_STORE = 1 << 0,
    OPTION_APP = 1 << 1,
    OPTION_APP_VERSION = 1 << 2,
    OPTION_AFTER = 1 << 3,
    OPTION_AT_MOST_ONCE = 1 << 4,
    OPTION_BASELINE = 1 << 5,
    OPTION_NO_WAIT = 1 << 6,
    OPTION_WAIT = 1 << 7,
    OPTION_SKIP_STATUS = 1 << 8,
    OPTION_JSON = 1 << 9,
    OPTION_PREFIX = 1 << 10,
    OPTION_POLICY = 1 << 11,
    OPTION_KEYS = 1 << 12,
    OPTION_ALL = 1 << 13,
    OPTION_YES = 1 << 14,
    OPTION_DRY_RUN = 1 << 15,
    OPTION_DEFAULTS_KEY = 1 << 16,
    OPTION_INTERVAL = 1 << 17,
    OPTION_FORMAT = 1 << 18,
    OPTION_RAW = 1 << 19,
    OPTION_HELP = 1 << 20,
    OPTION_VERSION = 1 << 21
};

struct option_description {
    enum option bit;
    const char *name;  /* With its two dashes. */
    const char *value; /* What its value is called; NULL: it has none. */
    const char *help;
};

struct command {
    const char *name;
    const char *operands; /* As the usage line has them. */
    int fewest, most;     /* How many operands. */
    bool runs;            /* A program follows after --. */
    unsigned options;
    const char *summary;
    const char *help; /* Further lines. */
    int (*run)(const struct request *request);
};

extern const struct command commands[];                /* Ends with one without a name. */
extern const struct option_description descriptions[]; /* The same. */

/* options.c: false: it has said what is wrong. */
bool request_parse(struct request *request, int count, char *const *arguments);
bool request_path(const struct request *request, firsttime_options *options);

/* help.c */
void help_print(const struct command *command);
void help_hint(const struct command *command);
const char *suggestion(const char *word, const char *(*candidate)(size_t index, const void *context),
                       const void *context);

/* spec.c: false: it has said what is wrong. */
bool interval_parse(const char *text, firsttime_interval *interval_out);
bool interval_is_split(const char *number_word, const char *unit_word); /* "3" and "months", which belong together. */
bool policy_parse(const char *text, firsttime_policy *policy_out);
bool duration_parse(const char *text, double *seconds_out);

/* held.c: what CMD's ancestors hold, in FIRSTTIME_HELD. */
bool held_exists(void); /* Whether this runs in the CMD of another run. */
bool held_has(const char *store_path, const char *key);
void held_add(const char *store_path, const char *key);

/* store.c */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fail_last(const char *what); /* With the library's words; `what` may be NULL. */
firsttime_store *store_open(const struct request *request, uint32_t flags);
int output_end(int status); /* The status, or STATUS_FAILED when standard output could not be written. */

/* One function for each command. */
int run_once(const struct request *request);
int run_per_version(const struct request *request);
int run_every(const struct request *request);
int look_list(const struct request *request);
int look_show(const struct request *request);
int look_due(const struct request *request);
int look_events(const struct request *request);
int look_path(const struct request *request);
int change_mark(const struct request *request);
int change_reset(const struct request *request);
int change_donate(const struct request *request);
int rule_check(const struct request *request);
int archive_import(const struct request *request);
int archive_export(const struct request *request);
int archive_verify(const struct request *request);
int archive_repair(const struct request *request);
int archive_dump(const struct request *request);
int help_command(const struct request *request);

#endif
