/* CSystem: the libc calls that Swift can't spell itself, and those that would need a Swift `Glibc` module,
 * which Embedded Swift doesn't have. No policy: each function is one system or library call, retried on EINTR
 * where that is right. */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- numbers as text, whatever the host program's locale ---- */

/* Parses a decimal floating-point text of `length` bytes ("1", "-1.5e3", "nan", "inf"), however many digits it has.
 * False when it is anything else, or when memory runs out. */
bool csystem_parse_double(const char *_Nonnull text, size_t length, double *_Nonnull value_out);

/* Writes the shortest decimal text that reads back as `value`; returns its length (at most 31). */
size_t csystem_print_double(double value, char *_Nonnull buffer);

#endif
