/* The part of <string.h> that emitted C calls, for machines without a C library. */
#ifndef STRING_H
#define STRING_H
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *one, const void *other, size_t length);
#endif
