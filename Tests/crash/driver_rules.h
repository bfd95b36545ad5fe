/* The driver's operations on events, rules and triggers; README.md lists them. driver.c includes it, and owns the store
 * and how facts are said. */

/* The side file, which each fire is written to before anything else; below 0: there is none. */
static int fires = -1;

/* The names that fires are counted under, as far as this process has heard of them. */
static char known_names[16][64];

static void remember_name(const char *name) {
    for (size_t index = 0; index < LENGTH(known_names); index++) {
        if (strcmp(known_names[index], name) == 0) return;
        if (known_names[index][0]) continue;
        if (strlen(name) >= sizeof known_names[index]) break;
        strcpy(known_names[index], name);
        return;
    }
    stop("too many names, or too long a one", name);
}

/* A line in the side file, whatever limit the store runs into. */
static void write_fire(const char *name) {
    char line[128];
    int length = snprintf(line, sizeof line, "%s %.0f\n", name, now);
    struct rlimit limit, none;
    if (is_limited) {
        getrlimit(RLIMIT_FSIZE, &limit);
        none = limit;
        none.rlim_cur = none.rlim_max;
        setrlimit(RLIMIT_FSIZE, &none);
    }
    if (fires >= 0 && write(fires, line, (size_t)length) != length) stop("the side file", strerror(errno));
    if (is_limited) setrlimit(RLIMIT_FSIZE, &limit);
}

static void fire(const char *name, void *context) {
    (void)context;
    write_fire(name);
    say("fired %s %.0f", name, now);
}

/* NAME:OPTION=VALUE,...:TEXT, as facts.py reads it, too. */
static int64_t set_rule(char *words) {
    char *name = strsep(&words, ":"), *options_text = strsep(&words, ":");
    if (!options_text || !words) stop("no rule", name);
    firsttime_rule_options options = FIRSTTIME_RULE_OPTIONS_INIT;
    for (char *option; (option = strsep(&options_text, ","));) {
        char *value = option;
        option = strsep(&value, "=");
        if (strcmp(option, "every") == 0) options.frequency = firsttime_elapsed(strtod(value, NULL), FIRSTTIME_SECOND);
        else if (strcmp(option, "limit") == 0) options.limit = strtoull(value, NULL, 10);
        else if (strcmp(option, "delay") == 0) options.delay_seconds = strtod(value, NULL);
        else if (strcmp(option, "share") == 0) options.throttle_name = value;
        else if (option[0]) stop("no such option", option);
    }
    remember_name(name);
    if (options.throttle_name) remember_name(options.throttle_name);
    return firsttime_set_rule(store, name, firsttime_rule_parse(words), fire, NULL, &options);
}

static int64_t donate(char *words) { return firsttime_donate(store, words); }
static int64_t evaluate(char *words) { return (void)words, firsttime_evaluate_rules(store); }
static int64_t reset_event(char *words) { return firsttime_reset_donations(store, words[0] ? words : NULL); }
static int64_t reset_trigger(char *words) { return firsttime_reset_trigger(store, words[0] ? words : NULL); }
static int64_t wait_for_delayed(char *words) { return (void)words, firsttime_wait_for_delayed_rules(store); }

/* Donates until the end of standard input, or the first failure. The last result. */
static int64_t donate_on(char *words) {
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    int64_t result = 0;
    uint64_t count = 0;
    say("donating");
    while (result == 0 && poll(&input, 1, 0) == 0) {
        now += 1;
        result = firsttime_donate(store, words);
        count += result == 0;
    }
    say("donated %s %" PRIu64, words, count);
    return result;
}

/* ---- what is remembered: as facts, for `dump` ---- */

static int say_donations(const firsttime_donations *donations, void *context) {
    (void)context;
    say("event %s %" PRIu64 " %.0f %.0f", donations->event, donations->count, donations->first_time,
        donations->last_time);
    return 0;
}

static int say_trigger(const firsttime_trigger_record *record, void *context) {
    (void)context;
    say("trigger %s %" PRIu64 " %.0f", record->name, record->count, record->last_time);
    return 0;
}

static int64_t dump_rules(void) {
    int64_t result = firsttime_each_donations(store, say_donations, NULL);
    for (size_t index = 0; index < LENGTH(known_names) && known_names[index][0] && result >= 0; index++) {
        result = firsttime_find_trigger(store, known_names[index], say_trigger, NULL);
        if (result == FIRSTTIME_NO) say("trigger %s 0 0", known_names[index]);
    }
    return result < 0 ? result : 0;
}
