/* A record as `list` and `show` give it, and when it is due. */
#ifndef FIRSTTIME_COMMAND_RECORD_H
#define FIRSTTIME_COMMAND_RECORD_H

#include "command.h"
#include "text.h"

/* What --policy asks for. */
struct asked {
    firsttime_store *store;
    bool is_asked;
    firsttime_policy policy;
};
struct due {
    bool is_asked, is_due;
    double time; /* +infinity: never. */
};

bool record_ask(const struct request *request, struct asked *asked_out); /* False: it has said what is wrong. */
bool record_due(const struct asked *asked, const char *key,
                struct due *due_out); /* False: see firsttime_last_error(). */

/* An object in one line, without a newline; `due` may be NULL. firsttime(1) says what is in it. */
void record_add_json(struct text *out, const firsttime_record *record, const struct due *due);
void donations_add_json(struct text *out, const firsttime_donations *donations);

#endif
