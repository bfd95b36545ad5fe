/* Starts each of the programs that it is given many times, in turns, and prints the median time from the start to the
 * end of each, and that of the first as the unit. What follows -- is one more, with its arguments. An exit status of 1
 * is an answer, too. Measures, and judges nothing. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { rounds = 301, most = 8 };

extern char **environ;
static double times[most][rounds];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double run(char **arguments) {
    char *program = arguments[0];
    pid_t child;
    int status;
    double start = seconds();
    if (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 || waitpid(child, &status, 0) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "%s failed\n", program);
        exit(1);
    }
    return seconds() - start;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
    char *lines[most][2] = {{NULL}}, **commands[most];
    int programs = 0;
    for (int index = 1; index < count && programs < most; index++, programs++) {
        lines[programs][0] = arguments[index];
        commands[programs] = lines[programs];
        if (strcmp(arguments[index], "--") != 0) continue;
        if (index + 1 == count) return 2;
        commands[programs++] = &arguments[index + 1];
        break;
    }
    if (programs == 0) return 2;
    for (int program = 0; program < programs; program++) run(commands[program]);
    for (int round = 0; round < rounds; round++) {
        for (int program = 0; program < programs; program++) times[program][round] = run(commands[program]);
    }
    printf("start to end, median of %d runs\n", rounds);
    double unit = 0;
    for (int program = 0; program < programs; program++) {
        qsort(times[program], rounds, sizeof(double), compare);
        double median = times[program][rounds / 2];
        if (program == 0) unit = median;
        const char *path = commands[program][0], *name = strrchr(path, '/');
        printf("  %-18s %7.0f us %6.2f x\n", name ? name + 1 : path, median * 1e6, median / unit);
    }
    return 0;
}
