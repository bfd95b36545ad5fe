/* How moments are written. */
#ifndef FIRSTTIME_COMMAND_WHEN_H
#define FIRSTTIME_COMMAND_WHEN_H

#include "text.h"

double when_now(void);                                              /* Seconds since 1970. */
void when_add_relative(struct text *text, double time, double now); /* "3 days ago", "in 2 hours", "" for NaN. */
void when_add_local(struct text *text, double time);                /* "2026-11-30T20:13:05+01:00", "" for NaN. */

#endif
