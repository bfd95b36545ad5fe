/* Doubles to and from text in the C locale: printf and strtod follow the host program's LC_NUMERIC otherwise. */
#define _GNU_SOURCE
#include "CSystem.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

bool csystem_parse_double(const char *text, size_t length, double *value_out) {
    char copy[512]; /* the longest exact double has some 770 digits, but no writer prints more than 25 */
    *value_out = 0;
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (memchr(copy, 0, length)) return false;
    if (strpbrk(copy, "xX \t\r\n\v\f")) return false;
    pthread_once(&once, make_locale);
    if (!c_locale) return false;
    char *end = NULL;
    double value = strtod_l(copy, &end, c_locale);
    if (end != copy + length) return false;
    *value_out = value;
    return true;
}

size_t csystem_print_double(double value, char *buffer) {
    if (isnan(value)) return (size_t)sprintf(buffer, "nan");
    if (isinf(value)) return (size_t)sprintf(buffer, value < 0 ? "-inf" : "inf");
    pthread_once(&once, make_locale);
    locale_t previous = c_locale ? uselocale(c_locale) : (locale_t)0;
    size_t length = 0;
    for (int digits = 1; digits <= 17; digits++) {
        if (digits > 1 && digits < 15) digits = 15; /* nearly every double needs 1 or 15 and more */
        length = (size_t)sprintf(buffer, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    if (previous) uselocale(previous);
    return length;
}
