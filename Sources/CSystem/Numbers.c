/* Doubles to and from text in the C locale: printf and strtod follow the host program's LC_NUMERIC otherwise. */
#define _GNU_SOURCE
#include "CSystem.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static bool parse(const char *text, size_t length, double *value_out) {
    char *end = NULL;
    *value_out = strtod_l(text, &end, c_locale);
    return end == text + length;
}

/* What strtod takes beyond the numbers named in the header: hexadecimal, "nan(...)", leading white space. */
static bool is_foreign(char character) {
    return character == 'x' || character == 'X' || character == '(' || character == ' ' || character == 0 ||
           (character >= '\t' && character <= '\r');
}

bool csystem_parse_double(const char *text, size_t length, double *value_out) {
    char buffer[64];
    *value_out = 0;
    if (length == 0 || length == SIZE_MAX) return false;
    for (size_t index = 0; index < length; index++) {
        if (is_foreign(text[index])) return false;
    }
    pthread_once(&once, make_locale);
    if (!c_locale) return false;
    /* strtod wants a zero at the end. There is no longest number: digits may go on for ever. */
    char *copy = length < sizeof buffer ? buffer : malloc(length + 1);
    if (!copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    bool is_number = parse(copy, length, value_out);
    if (copy != buffer) free(copy);
    if (!is_number) *value_out = 0;
    return is_number;
}

static size_t print_finite(double value, char *buffer) {
    /* Up to 15 digits survive the way through a double unchanged, and %g drops zeros at the end: nothing shorter than
     * 15 digits needs trying, but for the subnormals, which hold fewer. */
    int digits = fabs(value) < DBL_MIN ? 1 : 15;
    int exponent;
    bool is_power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    for (; digits < 17; digits++) {
        size_t length = (size_t)sprintf(buffer, "%.*g", digits, value);
        double back;
        if (parse(buffer, length, &back) && back == value) return length;
        if (digits < 16 || !is_power_of_two) continue;
        /* The next double up is twice as far away as the next one down, so the nearest 16 digits may miss while the
         * ones above them don't. */
        sprintf(buffer, "%.15e", value);
        char *last = buffer + strcspn(buffer, "e") - 1;
        if (*last == '9') continue; /* no power of two needs the carry */
        ++*last;
        length = strlen(buffer);
        if (parse(buffer, length, &back) && back == value) return length;
    }
    return (size_t)sprintf(buffer, "%.17g", value);
}

size_t csystem_print_double(double value, char *buffer) {
    if (isnan(value)) return (size_t)sprintf(buffer, "nan");
    if (isinf(value)) return (size_t)sprintf(buffer, value < 0 ? "-inf" : "inf");
    pthread_once(&once, make_locale);
    if (!c_locale) return (size_t)sprintf(buffer, "%.17g", value); /* no libc's "C" fails; without it, no comparing */
    locale_t previous = uselocale(c_locale);
    size_t length = print_finite(value, buffer);
    uselocale(previous);
    return length;
}
