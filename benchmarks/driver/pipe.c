/* A peer in another process: it reads a line, does what it says, and answers with the seconds that it took, by its own
 * monotonic clock, so that the pipe costs nothing. */
#define _GNU_SOURCE
#include "peer.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct pipe_process {
    pid_t process;
    FILE *to, *from;
};

pipe_process *pipe_start(const char *variable) {
    const char *command = getenv(variable);
    int to[2], from[2];
    pipe_process *started = malloc(sizeof *started);
    if (!command || !started || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        bench_fail("%s can't be started", variable);
    fflush(NULL);
    started->process = fork();
    if (started->process < 0) bench_fail("fork failed");
    if (started->process == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    started->to = fdopen(to[1], "w");
    started->from = fdopen(from[0], "r");
    return started;
}

void pipe_send(pipe_process *process, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(process->to, format, list);
    va_end(list);
}

double pipe_receive(pipe_process *process, size_t *number_out, char *text, size_t size) {
    char line[512], rest[512] = "";
    double seconds;
    size_t number = 0;
    fflush(process->to);
    if (!fgets(line, sizeof line, process->from) || sscanf(line, "%lf %zu %511[^\n]", &seconds, &number, rest) < 1) {
        bench_fail("a peer's process ended");
    }
    if (number_out) *number_out = number;
    if (text) snprintf(text, size, "%s", rest);
    return seconds;
}

void pipe_stop(pipe_process *process) {
    int status;
    fclose(process->to);
    fclose(process->from);
    waitpid(process->process, &status, 0);
    free(process);
}
