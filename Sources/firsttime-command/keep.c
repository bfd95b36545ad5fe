/* Owns the keeper, the process that has the key while CMD runs, and CMD for a child. It gives the key back only when
 * CMD has ended: also when the front is killed, and with it all who would wait.
 *
 * Before it has the key, it is a process like any other, that signals end. Afterwards it blocks them, and sends on to
 * CMD what CMD didn't get itself (relay.c).
 */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const struct job *job, enum report_kind kind, int value) {
    struct report report = {kind, value};
    send(job->line, &report, sizeof report, MSG_NOSIGNAL);
}

/* The signals that came before CMD could get them: it has all blocked still, so one that it got, too, comes once. */
static void pass_early_signals(const struct job *job, pid_t program) {
    struct signalfd_siginfo info;
    while (read(job->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo != SIGCHLD) kill(program, (int)info.ssi_signo);
    }
}

static void read_signals(const struct job *job, struct relay *relay) {
    struct signalfd_siginfo info;
    while (read(job->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) continue;
        /* The front sends itself only what came before it knew that CMD runs. */
        if ((pid_t)info.ssi_pid == job->front)
            relay_send(relay, (int)info.ssi_signo, ANY_SENDER);
        else
            relay_note(relay, (int)info.ssi_signo, (pid_t)info.ssi_pid);
    }
}

/* False when the front is dead. */
static bool read_line(const struct job *job, struct relay *relay) {
    struct relayed relayed;
    ssize_t length = recv(job->line, &relayed, sizeof relayed, MSG_DONTWAIT);
    if (length == (ssize_t)sizeof relayed) {
        relay_settle();
        read_signals(job, relay);
        relay_send(relay, relayed.number, relayed.sender);
    }
    return length != 0 && !(length < 0 && errno == ECONNRESET);
}

/* Waits for CMD's end and gives its wait status. */
static int attend(const struct job *job, pid_t program, bool *front_is_dead) {
    struct relay relay = {.program = program};
    bool was_stopped = false;
    for (;;) {
        int status;
        while (waitpid(program, &status, WNOHANG | WUNTRACED | WCONTINUED) == program) {
            if (WIFSTOPPED(status))
                tell(job, REPORT_STOPPED, WSTOPSIG(status));
            else if (!WIFCONTINUED(status))
                return status;
            else if (was_stopped && !*front_is_dead)
                kill(job->front, SIGCONT);
            was_stopped = WIFSTOPPED(status);
        }
        struct pollfd polled[] = {{job->signals, POLLIN, 0}, {*front_is_dead ? -1 : job->line, POLLIN, 0}};
        if (poll(polled, 2, -1) < 0) continue;
        if (polled[0].revents) read_signals(job, &relay);
        if (polled[1].revents && !read_line(job, &relay)) {
            *front_is_dead = true;
            kill(program, SIGTERM);
            kill(program, SIGCONT);
        }
    }
}

/* What CMD's end means for the key, and for the tool's exit status. */
static int conclude(const struct job *job, firsttime_claim *claim, int status, bool front_is_dead) {
    bool has_crashed = front_is_dead || WIFSIGNALED(status);
    int exit_status = WIFSIGNALED(status) ? STATUS_SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
    if (!has_crashed && exit_status == 0) {
        if (firsttime_commit(claim) < 0)
            return fail("%s was successful, but that could not be recorded: %s", job->request->program[0],
                        firsttime_last_error());
    } else if (!has_crashed || !job->request->at_most_once) {
        firsttime_abandon(claim);
    }
    /* Else closing the store leaves the key as it is recorded: done. */
    return exit_status;
}

static int run_program(struct job *job, firsttime_claim *claim) {
    struct program program = program_fork(job);
    if (program.process < 0) {
        int error = errno;
        firsttime_abandon(claim);
        return fail("no process can be made: %s", strerror(error));
    }
    program_release_output();
    pass_early_signals(job, program.process);
    tell(job, REPORT_RUNNING, 0);
    int error = program_go(&program);
    bool front_is_dead = false;
    int status = attend(job, program.process, &front_is_dead);
    if (error != 0) {
        firsttime_abandon(claim);
        return program_failure(job->request->program[0], error);
    }
    return conclude(job, claim, status, front_is_dead);
}

static int take(struct job *job, firsttime_store *store) {
    firsttime_claim *claim = NULL;
    job->store_path = firsttime_path(store);
    if (held_has(job->store_path, job->key))
        return fail("%s: this runs inside its own command, and would wait for itself", job->key);
    firsttime_result result = firsttime_begin(store, job->key, &job->policy, &claim);
    if (result < 0) return fail_last(result == FIRSTTIME_ERROR_BUSY ? job->key : NULL);
    if (result == FIRSTTIME_NOT_DUE) tell(job, REPORT_NOT_DUE, 0);
    if (result != FIRSTTIME_DUE) return job->request->skip_status;
    sigprocmask(SIG_BLOCK, &job->blocked, NULL);
    prctl(PR_SET_PDEATHSIG, 0);
    if (getppid() == job->front) return run_program(job, claim);
    firsttime_abandon(claim);
    return STATUS_FAILED;
}

/* A name of its own: who kills the tool by its name means the front. */
static void rename_process(char *name) {
    static const char own[] = "key-keeper";
    prctl(PR_SET_NAME, own);
    for (size_t index = 0; name != NULL && name[index] != 0; index++)
        name[index] = index < sizeof own ? own[index] : ' ';
}

void keep(struct job *job) {
    /* Nobody wants the key any more when the front dies before it is taken. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != job->front) return;
    rename_process(job->request->name);
    sigprocmask(SIG_SETMASK, &job->mask, NULL);
    firsttime_store *store = store_open(job->request, 0);
    int status = store != NULL ? take(job, store) : STATUS_FAILED;
    /* What is recorded is on disk; an archive that can't be written anew now is written by the next one. */
    firsttime_close(store);
    tell(job, REPORT_ENDED, status);
}
