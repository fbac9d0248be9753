/* Functions that every part of the mixnet uses: errors, memory, randomness. */
#ifndef COMMON_H
#define COMMON_H

#include <stddef.h>
#include <stdint.h>

/* Prints one line and ends the process with status 2. */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Returns zeroed memory for n objects of a size, or ends the process. */
void *allocate(size_t n, size_t size);

/* Wipes memory that `allocate` gave, and gives it back. */
void release(void *memory, size_t bytes);

/* Fills bytes from the kernel's generator; the context is not used. */
void fill(void *context, uint8_t *out, size_t length);

/* Writes a uniformly random order of 0 .. n - 1, for n < 2^32. */
void draw_order(size_t *order, size_t n);

#endif
