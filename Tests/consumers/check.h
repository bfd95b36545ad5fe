/* check(expression): the one assertion of the C test programs. Prints where it failed, and ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define check(expression)                                                                                              \
    do {                                                                                                               \
        if (!(expression)) {                                                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expression);                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The same for a firsttime_result: says which one came instead, and why. */
#define check_result(expression, expected)                                                                             \
    do {                                                                                                               \
        firsttime_result result_ = (expression);                                                                       \
        if (result_ != (expected)) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: expected %s, got %s (%d): %s\n", __FILE__, __LINE__, #expression, #expected,    \
                    firsttime_result_name(result_), (int)result_, firsttime_last_error());                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
