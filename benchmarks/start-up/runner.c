/* runner RESULTS PROGRAM...: starts each of the programs many times, in turns, and prints the median time from the
 * start to the end of each, and that of the first as the unit. What follows -- is one more, with its arguments. An exit
 * status of 1 is an answer, too. RESULTS gets lines of JSON, with a median for each of seven rounds. Measures, and judges
 * nothing. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../timing.h"

enum { rounds = 7, turns = 43, runs = rounds * turns, most = 8 };

extern char **environ;
static double times[most][runs];

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

int main(int count, char **arguments) {
    if (count < 3) return 2;
    FILE *results = fopen(arguments[1], "a");
    if (!results) return 2;
    char *lines[most][2] = {{NULL}}, **commands[most];
    int programs = 0;
    for (int index = 2; index < count && programs < most; index++, programs++) {
        lines[programs][0] = arguments[index];
        commands[programs] = lines[programs];
        if (strcmp(arguments[index], "--") != 0) continue;
        if (index + 1 == count) return 2;
        commands[programs++] = &arguments[index + 1];
        break;
    }
    if (programs == 0) return 2;
    for (int program = 0; program < programs; program++) run(commands[program]);
    for (int turn = 0; turn < runs; turn++) {
        for (int program = 0; program < programs; program++) times[program][turn] = run(commands[program]);
    }
    printf("start to end, median of %d runs\n", runs);
    double unit = 0;
    for (int program = 0; program < programs; program++) {
        const char *slash = strrchr(commands[program][0], '/');
        const char *name = slash ? slash + 1 : commands[program][0];
        fprintf(results,
                "{\"kind\": \"row\", \"section\": \"start-up\", \"what\": \"whole process\", \"peer\": \"%s\", ", name);
        fprintf(results, "\"unit\": \"us\", \"keys\": 100, \"threads\": 1, \"rounds\": [");
        for (int round = 0; round < rounds; round++) {
            fprintf(results, "%s%.1f", round ? ", " : "", median(&times[program][round * turns], turns) * 1e6);
        }
        double all = median(times[program], runs);
        fprintf(results, "], \"median\": %.1f}\n", all * 1e6);
        if (program == 0) unit = all;
        printf("  %-18s %7.0f us %6.2f x\n", name, all * 1e6, all / unit);
    }
    return fclose(results) == 0 ? 0 : 1;
}
