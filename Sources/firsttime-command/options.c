/* Owns the options: their names, what each takes, and how a command line becomes a request. It runs nothing. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_description descriptions[] = {
    {OPTION_AFTER, "--after", "CMD", "the shell command to run when KEY isn't due"},
    {OPTION_AT_MOST_ONCE, "--at-most-once", NULL, "record the run before it begins: a crash doesn't repeat it"},
    {OPTION_BASELINE, "--baseline", NULL, "a KEY never seen is recorded, and nothing runs"},
    {OPTION_NO_WAIT, "--no-wait", NULL, "fail at once while another process runs KEY"},
    {OPTION_WAIT, "--wait", "TIME", "wait so long for another process that runs KEY: 30s, 5m"},
    {OPTION_SKIP_STATUS, "--skip-status", "N", "exit with N, not 0, when KEY isn't due"},
    {OPTION_PREFIX, "--prefix", "TEXT", "only what begins with TEXT"},
    {OPTION_POLICY, "--policy", "SPEC", "also tell when each key is due: once, per-version, 3d, monthly"},
    {OPTION_KEYS, "--keys", NULL, "the keys alone, one a line"},
    {OPTION_JSON, "--json", NULL, "JSON, for scripts"},
    {OPTION_RAW, "--raw", NULL, "the objects and UIDs as they stand in the file"},
    {OPTION_ALL, "--all", NULL, "every key"},
    {OPTION_YES, "--yes", NULL, "don't ask"},
    {OPTION_DRY_RUN, "--dry-run", NULL, "tell what would change, and change nothing"},
    {OPTION_DEFAULTS_KEY, "--defaults-key", "NAME", "where preferences hold the archive (default: YCFirstTime)"},
    {OPTION_INTERVAL, "--interval", "NAME=SPEC", "take \"interval.NAME\" from preferences, too; may be repeated"},
    {OPTION_FORMAT, "--format", "FORMAT", "archive (the default), xml, defaults or json"},
    {OPTION_APP_VERSION, "--app-version", "V", "the version of the app that runs"},
    {OPTION_STORE, "--store", "PATH", "the archive file"},
    {OPTION_APP, "--app", "ID", "the app whose store it is (default: firsttime)"},
    {OPTION_HELP, "--help", NULL, "this text"},
    {OPTION_VERSION, "--version", NULL, "the version"},
    {0, NULL, NULL, NULL},
};

static const char *allowed_name(size_t index, const void *context) {
    const unsigned *allowed = context;
    for (const struct option_description *each = descriptions; each->name != NULL; each++) {
        if ((each->bit & *allowed) && index-- == 0) return each->name;
    }
    return NULL;
}

static const char *command_name(size_t index, const void *context) {
    (void)context;
    return commands[index].name;
}

static const struct command *find_command(const char *name) {
    for (const struct command *each = commands; each->name != NULL; each++) {
        if (strcmp(each->name, name) == 0) return each;
    }
    const char *meant = suggestion(name, command_name, NULL);
    if (meant != NULL)
        fail("there is no command \"%s\"; did you mean \"%s\"?", name, meant);
    else
        fail("there is no command \"%s\"", name);
    help_hint(NULL);
    return NULL;
}

static bool set_skip_status(struct request *request, const char *value) {
    char *end;
    long status = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != 0 || status > 255)
        return fail("--skip-status %s: a number from 0 to 255 is needed", value), false;
    request->skip_status = (int)status;
    return true;
}

static bool set_wait(struct request *request, const char *value) {
    double seconds;
    if (!duration_parse(value, &seconds)) return false;
    request->waits = true;
    double milliseconds = ceil(seconds * 1000);
    request->wait_ms = milliseconds < 1 ? -1 : milliseconds > INT32_MAX ? INT32_MAX : (int32_t)milliseconds;
    return true;
}

static bool set_text(const char **text, const char *name, const char *value) {
    if (*text != NULL && strcmp(*text, value) != 0) return fail("%s is given twice", name), false;
    *text = value;
    return true;
}

static bool set(struct request *request, const struct option_description *option, const char *value) {
    switch (option->bit) {
    case OPTION_STORE: return set_text(&request->store, option->name, value);
    case OPTION_APP: return set_text(&request->app, option->name, value);
    case OPTION_APP_VERSION: return set_text(&request->app_version, option->name, value);
    case OPTION_AFTER: return set_text(&request->after, option->name, value);
    case OPTION_PREFIX: return set_text(&request->prefix, option->name, value);
    case OPTION_POLICY: return set_text(&request->policy, option->name, value);
    case OPTION_FORMAT: return set_text(&request->format, option->name, value);
    case OPTION_DEFAULTS_KEY:
        if (*value == 0) return fail("--defaults-key is empty"), false;
        return set_text(&request->defaults_key, option->name, value);
    case OPTION_INTERVAL:
        if (request->interval_count == MOST_INTERVALS)
            return fail("more than %d times --interval; import in several steps", MOST_INTERVALS), false;
        request->intervals[request->interval_count++] = value;
        return true;
    case OPTION_WAIT: return set_wait(request, value);
    case OPTION_SKIP_STATUS: return set_skip_status(request, value);
    case OPTION_AT_MOST_ONCE: return request->at_most_once = true;
    case OPTION_BASELINE: return request->baseline = true;
    case OPTION_NO_WAIT: return request->no_wait = true;
    case OPTION_JSON: return request->json = true;
    case OPTION_KEYS: return request->keys = true;
    case OPTION_RAW: return request->raw = true;
    case OPTION_ALL: return request->all = true;
    case OPTION_YES: return request->yes = true;
    case OPTION_DRY_RUN: return request->dry_run = true;
    case OPTION_HELP: return request->help = true;
    case OPTION_VERSION: return request->version = true;
    }
    return false;
}

/* The option at *arguments: --name VALUE or --name=VALUE. Moves on to its last word. */
static bool take_option(struct request *request, char *const **arguments) {
    const char *word = **arguments;
    unsigned allowed = OPTION_STORE | OPTION_APP | OPTION_HELP;
    allowed |= request->command != NULL ? request->command->options : OPTION_APP_VERSION | OPTION_VERSION;
    if (strcmp(word, "-h") == 0) word = "--help";
    size_t length = strcspn(word, "=");
    for (const struct option_description *each = descriptions; each->name != NULL; each++) {
        if (!(each->bit & allowed) || strlen(each->name) != length || strncmp(each->name, word, length) != 0) continue;
        if (each->value == NULL) {
            if (word[length] == '=') return fail("%s takes no value", each->name), false;
            return set(request, each, NULL);
        }
        if (word[length] == '=') return set(request, each, word + length + 1);
        if ((*arguments)[1] == NULL) return fail("%s needs a value: %s %s", each->name, each->name, each->value), false;
        return set(request, each, *++*arguments);
    }
    const char *meant = suggestion(word, allowed_name, &allowed);
    const char *of = request->command != NULL ? request->command->name : "firsttime";
    if (meant != NULL)
        fail("%s has no option %.*s; did you mean %s?", of, (int)length, word, meant);
    else
        fail("%s has no option %.*s", of, (int)length, word);
    help_hint(request->command);
    return false;
}

static bool take_operand(struct request *request, const char *word) {
    if (request->command == NULL) return (request->command = find_command(word)) != NULL;
    const struct command *command = request->command;
    if (request->operand_count == command->most) {
        if (command->run == run_every && interval_is_split(request->operands[0], request->operands[1]))
            fail("every: put SPEC in quotes, it is one argument: every \"%s %s%s\"", request->operands[0],
                 request->operands[1], strcmp(word, "rolling") == 0 ? " rolling" : "");
        else if (command->runs)
            fail("%s: put -- between KEY and the command to run: -- %s", command->name, word);
        else
            fail("%s: \"%s\" is one argument too many", command->name, word);
        help_hint(command);
        return false;
    }
    request->operands[request->operand_count++] = word;
    return true;
}

/* Options of which each says something else. */
static bool exclude(const struct request *request, bool first, bool second, const char *both) {
    if (!first || !second) return true;
    fail("%s: %s exclude each other; give one of them", request->command->name, both);
    help_hint(request->command);
    return false;
}

static bool is_sensible(const struct request *request) {
    if (request->command == NULL || request->help) return true;
    const struct command *command = request->command;
    bool keys_alone = request->keys && command->run == look_list;
    return exclude(request, keys_alone, request->json, "--keys and --json") &&
           exclude(request, keys_alone, request->policy != NULL, "--keys and --policy") &&
           exclude(request, request->no_wait, request->waits, "--no-wait and --wait") &&
           exclude(request, request->baseline, request->at_most_once, "--baseline and --at-most-once");
}

static bool is_complete(const struct request *request) {
    const struct command *command = request->command;
    if (command == NULL || request->help) return true;
    if (request->operand_count < command->fewest)
        fail("%s: something is missing: firsttime %s %s", command->name, command->name, command->operands);
    else if (command->runs && request->program == NULL)
        fail("%s: the command to run is missing: put it after --", command->name);
    else
        return true;
    help_hint(command);
    return false;
}

bool request_parse(struct request *request, int count, char *const *arguments) {
    *request = (struct request){.name = count > 0 ? arguments[0] : NULL};
    bool options_end = false;
    if (count < 1) return true;
    for (char *const *argument = arguments + 1; *argument != NULL; argument++) {
        const char *word = *argument;
        if (strcmp(word, "--") == 0) {
            const struct command *command = request->command;
            if (command != NULL && command->runs && request->operand_count == command->most) {
                if (argument[1] != NULL) request->program = argument + 1;
                break;
            }
            if (!options_end) {
                options_end = true;
                continue;
            }
        }
        if (!options_end && word[0] == '-' && word[1] != 0) {
            if (!take_option(request, &argument)) return false;
            if (request->help) return true;
        } else if (!take_operand(request, word)) {
            return false;
        }
    }
    return is_complete(request) && is_sensible(request);
}
