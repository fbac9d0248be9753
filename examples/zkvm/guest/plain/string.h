/* The header that generated C includes without a C library; start.c has the functions. */
#ifndef ZKVM_STRING_H
#define ZKVM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);

#endif
