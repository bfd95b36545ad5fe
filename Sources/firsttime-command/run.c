/* Owns the three commands that run CMD, and the front: the process that was started, that the caller waits for and
 * sends signals to.
 *
 * Why there are three processes. The key is a lock that ends with the process that holds it. Were that the tool itself,
 * a kill -9 of it would free the key at once, while CMD, which gets SIGTERM then, still runs; and the next one would
 * run a second CMD beside it. So the front forks a keeper, which takes the key and is CMD's parent. When the front
 * dies, the keeper ends CMD, waits for it, and only then gives the key back. When the keeper is killed, CMD gets
 * SIGTERM from the kernel. All are in one process group, so the terminal's signals reach CMD by themselves.
 */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is left of the front's life. */
struct front {
    pid_t keeper;
    bool is_running, is_not_due;
    int status; /* -1: not known yet. */
};

/* Stops this process as CMD was stopped, until somebody continues it. */
static void stop(int number) {
    struct sigaction action;
    sigset_t one;
    /* It goes on already. */
    if (sigpending(&one) == 0 && sigismember(&one, SIGCONT)) return;
    if (number == SIGSTOP || sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL) {
        raise(SIGSTOP);
        return;
    }
    sigemptyset(&one);
    sigaddset(&one, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    sigprocmask(SIG_BLOCK, &one, NULL);
}

static void pass_on(const struct job *job, struct front *front, const struct signalfd_siginfo *info) {
    int number = (int)info->ssi_signo;
    if (front->is_running) {
        struct relayed relayed = {number, (pid_t)info->ssi_pid};
        send(job->line, &relayed, sizeof relayed, MSG_NOSIGNAL);
        return;
    }
    /* The terminal's reach the keeper by themselves. */
    if (info->ssi_code != SI_KERNEL || number == SIGALRM || number == SIGHUP) kill(front->keeper, number);
}

/* The keeper is stopped by signals only while it waits for the key; the tool stops with it. */
static void stop_with_keeper(const struct front *front) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)front->keeper, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0 && !front->is_running)
        stop(info.si_status);
}

static void read_signals(const struct job *job, struct front *front) {
    struct signalfd_siginfo info;
    while (read(job->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            stop_with_keeper(front);
        else if ((pid_t)info.ssi_pid != front->keeper)
            pass_on(job, front, &info);
    }
}

/* False at the line's end: the keeper is dead. */
static bool read_report(const struct job *job, struct front *front) {
    struct report report;
    ssize_t length = recv(job->line, &report, sizeof report, MSG_DONTWAIT);
    /* ECONNRESET: the keeper ended before it had read all signals. What it had to tell is still there. */
    if (length != (ssize_t)sizeof report)
        return length < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET);
    switch (report.kind) {
    case REPORT_RUNNING:
        front->is_running = true;
        program_release_output();
        break;
    case REPORT_STOPPED: stop(report.value); break;
    case REPORT_NOT_DUE: front->is_not_due = true; break;
    default: front->status = report.value;
    }
    return true;
}

/* The tool's exit status when the keeper ended without a word. */
static int keeper_lost(const struct front *front) {
    int status;
    while (waitpid(front->keeper, &status, 0) < 0 && errno == EINTR) continue;
    if (front->status >= 0) return front->status;
    if (!WIFSIGNALED(status)) return fail("the process that keeps the key ended unexpectedly");
    int number = WTERMSIG(status);
    /* While it waits for the key, signals end it as they end any program. */
    if (front->is_running || number == SIGKILL)
        fail("the process that keeps the key was killed (%s)", strsignal(number));
    return STATUS_SIGNALLED + number;
}

static int run_after(const struct job *job) {
    const char *after = job->request->after;
    program_restore_signals(job);
    execl("/bin/sh", "sh", "-c", after, (char *)NULL);
    return program_failure("/bin/sh", errno);
}

static int attend(struct job *job, pid_t keeper) {
    struct front front = {.keeper = keeper, .status = -1};
    for (bool is_alive = true; is_alive;) {
        struct pollfd polled[] = {{job->signals, POLLIN, 0}, {job->line, POLLIN, 0}};
        if (poll(polled, 2, -1) < 0) continue;
        if (polled[0].revents) read_signals(job, &front);
        if (polled[1].revents) is_alive = read_report(job, &front);
    }
    int status = keeper_lost(&front);
    return front.is_not_due && job->request->after != NULL ? run_after(job) : status;
}

/* All but those that a fault of the program itself raises. */
static void block_signals(struct job *job) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigfillset(&job->blocked);
    for (size_t index = 0; index < sizeof faults / sizeof faults[0]; index++) sigdelset(&job->blocked, faults[index]);
    sigprocmask(SIG_BLOCK, &job->blocked, &job->mask);
    sigaction(SIGCHLD, &action, &job->child_action);
}

static int run(const struct request *request, const char *key, uint32_t flags, const firsttime_interval *interval) {
    int pair[2];
    struct job job = {.request = request, .key = key, .policy.size = sizeof job.policy, .front = getpid()};
    job.policy.flags = flags | (request->at_most_once ? FIRSTTIME_AT_MOST_ONCE : 0) |
                       (request->baseline ? FIRSTTIME_BASELINE : 0) | (request->no_wait ? FIRSTTIME_NO_WAIT : 0);
    if (interval != NULL) job.policy.interval = *interval;
    block_signals(&job);
    job.signals = signalfd(-1, &job.blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    if (job.signals < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail("no descriptor can be opened: %s", strerror(errno));
    pid_t keeper = fork();
    if (keeper < 0) return fail("no process can be made: %s", strerror(errno));
    job.line = pair[keeper == 0];
    close(pair[keeper != 0]);
    if (keeper > 0) return attend(&job, keeper);
    keep(&job);
    _exit(STATUS_OK);
}

int run_once(const struct request *request) { return run(request, request->operands[0], 0, NULL); }

int run_per_version(const struct request *request) {
    if (request->app_version == NULL) return fail("per-version: which version runs? Give it with --app-version V");
    return run(request, request->operands[0], FIRSTTIME_PER_VERSION, NULL);
}

int run_every(const struct request *request) {
    firsttime_interval interval;
    if (!interval_parse(request->operands[0], &interval)) return STATUS_FAILED;
    return run(request, request->operands[1], FIRSTTIME_PER_INTERVAL, &interval);
}
