/* Owns CMD: how it is forked and executed, so that it gets what the tool got (signals, descriptors), and SIGTERM when
 * the keeper dies. It waits for nothing but the exec. */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

void program_restore_signals(const struct job *job) {
    sigaction(SIGCHLD, &job->child_action, NULL);
    sigprocmask(SIG_SETMASK, &job->mask, NULL);
}

int program_failure(const char *name, int error) {
    fail("%s: %s", name, strerror(error));
    return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

void program_release_output(void) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    close(null);
}

static void become(const struct job *job, pid_t keeper, int line) {
    char go;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* The keeper may have died before that; the line's end tells, too, unless another copy of it is open. */
    if (getppid() != keeper) _exit(STATUS_FAILED);
    ssize_t length;
    while ((length = read(line, &go, 1)) < 0 && errno == EINTR) continue;
    if (length != 1) _exit(STATUS_FAILED);
    program_restore_signals(job);
    held_add(job->store_path, job->key);
    execvp(job->request->program[0], job->request->program);
    int error = errno;
    (void)!write(line, &error, sizeof error);
    _exit(STATUS_NOT_FOUND);
}

struct program program_fork(const struct job *job) {
    int pair[2];
    struct program program = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return program;
    pid_t keeper = getpid();
    program.process = fork();
    if (program.process == 0) {
        close(pair[0]);
        become(job, keeper, pair[1]);
    }
    int error = errno;
    close(pair[1]);
    program.line = pair[0];
    if (program.process < 0) close(pair[0]);
    errno = error;
    return program;
}

int program_go(struct program *program) {
    int error = 0;
    ssize_t length;
    if (send(program->line, "", 1, MSG_NOSIGNAL) == 1) {
        while ((length = read(program->line, &error, sizeof error)) < 0 && errno == EINTR) continue;
        if (length != sizeof error) error = 0;
    }
    close(program->line);
    return error;
}
