/* Owns the question whether CMD already got a signal that somebody sent.
 *
 * CMD, keeper and front are in one process group. A signal for the group (^C, kill -TERM -GROUP) reaches all three, one for
 * the tool reaches the front alone, and nothing in either tells which it was. But the keeper's getting it, too, does: so
 * what only one of the two gets within a moment is sent on to CMD, and what both get isn't.
 */
#define _GNU_SOURCE
#include "run.h"

#include <time.h>
#include <unistd.h>

enum { MOMENT_MS = 20 };

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void drop(struct relay *relay, struct note *note) { *note = relay->notes[--relay->count]; }

void relay_note(struct relay *relay, int number, pid_t sender, bool by_keeper) {
    if (sender == relay->program) return; /* What CMD sends to its parent, or to its group, isn't for itself. */
    for (struct note *each = relay->notes; each < relay->notes + relay->count; each++) {
        bool is_other = by_keeper ? !each->by_keeper : !each->by_front;
        bool is_same = each->sender == sender || each->sender == ANY_SENDER || sender == ANY_SENDER;
        if (each->number != number || !is_other || !is_same) continue;
        /* CMD may have left the group. */
        if (getpgid(relay->program) != getpgrp()) kill(relay->program, number);
        drop(relay, each);
        return;
    }
    if (relay->count == MOST_NOTES) {
        kill(relay->program, number);
        return;
    }
    relay->notes[relay->count++] = (struct note){
        .number = number,
        .sender = sender,
        .by_keeper = by_keeper,
        .by_front = !by_keeper,
        .deadline = milliseconds() + MOMENT_MS,
    };
}

int relay_timeout(const struct relay *relay) {
    if (relay->count == 0) return -1;
    int64_t now = milliseconds(), least = MOMENT_MS;
    for (const struct note *each = relay->notes; each < relay->notes + relay->count; each++) {
        if (each->deadline - now < least) least = each->deadline - now;
    }
    return least < 0 ? 0 : (int)least;
}

void relay_send(struct relay *relay) {
    int64_t now = milliseconds();
    for (size_t index = 0; index < relay->count;) {
        struct note *note = &relay->notes[index];
        if (note->deadline > now) {
            index++;
            continue;
        }
        kill(relay->program, note->number);
        drop(relay, note);
    }
}
