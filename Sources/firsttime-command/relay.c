/* Owns the question whether CMD already got a signal that somebody sent.
 *
 * CMD, keeper and front are in one process group. A signal for the group (^C, kill -TERM -GROUP) reaches all three, one
 * for the tool reaches the front alone, and nothing in it tells which it was. But the keeper's getting it, too, does:
 * of what the front got, that which the keeper didn't get is sent on to CMD. What only the keeper gets is meant for
 * nobody: whoever looks for the tool by its name doesn't find the keeper.
 */
#define _GNU_SOURCE
#include "run.h"

#include <time.h>
#include <unistd.h>

/* How long the front may take to tell of what the keeper got, too. */
enum { PATIENCE_S = 2 };

static time_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

void relay_note(struct relay *relay, int number, pid_t sender) {
    size_t kept = 0;
    for (size_t index = 0; index < relay->count; index++) {
        if (relay->notes[index].until >= seconds()) relay->notes[kept++] = relay->notes[index];
    }
    relay->count = kept;
    if (kept < MOST_NOTES) relay->notes[relay->count++] = (struct note){number, sender, seconds() + PATIENCE_S};
}

void relay_send(struct relay *relay, int number, pid_t sender) {
    /* What CMD sends to the tool, or to its group, isn't for itself. */
    if (sender == relay->program) return;
    for (struct note *each = relay->notes; each < relay->notes + relay->count; each++) {
        bool is_same = each->sender == sender || sender == ANY_SENDER;
        if (each->number != number || !is_same || each->until < seconds()) continue;
        *each = relay->notes[--relay->count];
        /* CMD got it, too, unless it has left the group. */
        if (getpgid(relay->program) != getpgrp()) kill(relay->program, number);
        return;
    }
    kill(relay->program, number);
}

void relay_settle(void) {
    /* A signal for a group is given to one process after the other under a lock of the kernel's, which this call has to
     * wait for. It changes nothing. */
    (void)setpgid(0, getpgrp());
}
