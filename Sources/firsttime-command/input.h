/* A file's bytes, or standard input's. */
#ifndef FIRSTTIME_COMMAND_INPUT_H
#define FIRSTTIME_COMMAND_INPUT_H

#include "text.h"

/* Reads `path`, "-" for standard input, to its end. False: it has said what failed. */
bool input_read(const char *path, struct text *bytes_out);
const char *input_name(const char *path); /* For messages: "standard input" for "-". */

#endif
