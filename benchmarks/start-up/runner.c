/* Starts each of the programs that it is given many times, in turns, and prints the median time from the start to the end of
 * each, and that of the first as the unit. Measures, and judges nothing. */
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

static double run(char *program) {
    char *arguments[] = {program, NULL};
    pid_t child;
    int status;
    double start = seconds();
    if (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 || waitpid(child, &status, 0) != child ||
        status != 0) {
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
    if (count < 2 || count > most + 1) return 2;
    int programs = count - 1;
    for (int program = 0; program < programs; program++) run(arguments[program + 1]);
    for (int round = 0; round < rounds; round++) {
        for (int program = 0; program < programs; program++) times[program][round] = run(arguments[program + 1]);
    }
    printf("start to end, median of %d runs\n", rounds);
    double unit = 0;
    for (int program = 0; program < programs; program++) {
        qsort(times[program], rounds, sizeof(double), compare);
        double median = times[program][rounds / 2];
        if (program == 0) unit = median;
        const char *name = strrchr(arguments[program + 1], '/');
        printf("  %-18s %7.0f us %6.2f x\n", name ? name + 1 : arguments[program + 1], median * 1e6, median / unit);
    }
    return 0;
}
