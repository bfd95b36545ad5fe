/* What the three processes of a run share. The front is the tool that was started; it forks the keeper, which takes the
 * key and keeps it; the keeper forks CMD. See run.c.
 */
#ifndef FIRSTTIME_COMMAND_RUN_H
#define FIRSTTIME_COMMAND_RUN_H

#include "command.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct job {
    const struct request *request;
    const char *key;
    const char *store_path; /* Once the keeper has opened it. */
    firsttime_policy policy;
    pid_t front;
    int line;                      /* The socket between front and keeper, this process's end. */
    int signals;                   /* A signalfd of all that are blocked. */
    sigset_t blocked, mask;        /* What front and keeper block; the mask with which the tool was started. */
    struct sigaction child_action; /* SIGCHLD's, with which the tool was started. */
};

/* What the keeper tells the front. */
enum report_kind {
    REPORT_RUNNING, /* CMD runs; signals go through the line from now on. */
    REPORT_STOPPED, /* CMD was stopped by the signal `value`. */
    REPORT_NOT_DUE, /* Nothing to run, but --after. */
    REPORT_ENDED    /* It is over; `value` is the tool's exit status. */
};
struct report {
    int32_t kind, value;
};

/* What the front tells the keeper: a signal came, and who sent it. */
struct relayed {
    int32_t number, sender;
};

/* keep.c: the keeper's life; its exit status plays no part. */
void keep(struct job *job);

/* program.c: CMD, waiting for program_go() with all signals blocked; below 0: it can't be made. */
struct program {
    pid_t process;
    int line;
};
struct program program_fork(const struct job *job);
int program_go(struct program *program);             /* 0, or why it can't be run: an errno. */
void program_restore_signals(const struct job *job); /* As the tool got them. */
int program_failure(const char *name, int error);    /* Says so; the exit status. */
void program_release_output(void);                   /* Its pipes are CMD's alone from here on. */

/* relay.c: which signals CMD must be sent, since they didn't reach it themselves. */
enum { MOST_NOTES = 32, ANY_SENDER = -1 };
struct relay {
    pid_t program;
    size_t count;
    struct note {
        int number;
        pid_t sender;
        time_t until;
    } notes[MOST_NOTES];
};
void relay_note(struct relay *relay, int number, pid_t sender); /* The keeper got it. */
void relay_settle(void); /* Afterwards the keeper has got what was sent to its group before. */
void relay_send(struct relay *relay, int number, pid_t sender); /* The front got it; sent on unless CMD has it. */

#endif
