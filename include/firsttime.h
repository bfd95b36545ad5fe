#ifndef FIRSTTIME_H
#define FIRSTTIME_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
const char * _Nonnull firsttime_library_version(void);
#ifdef __cplusplus
}
#endif
#endif
