/* What the programs of their own share. */
#ifndef ALONE_H
#define ALONE_H

#include <firsttime.h>

#include <stdio.h>

#include "../timing.h"

static inline int check(int result) {
    if (result < 0) {
        fprintf(stderr, "%s\n", firsttime_last_error());
        exit(1);
    }
    return result;
}

#endif
