/* The functions of string.h, a word at a time where addresses and length allow it. */
#include "string.h"
#include <stdint.h>

/* No compiler makes a call of the function itself of a loop with this in it. */
#define LOOP __asm__ volatile("" ::: "memory")

void *memcpy(void *restrict to, const void *restrict from, size_t length) {
    unsigned char *a = to;
    const unsigned char *b = from;
    if ((((uintptr_t)a | (uintptr_t)b | length) & 3) == 0) {
        for (size_t i = 0; i < length; i += 4) {
            *(uint32_t *)(void *)(a + i) = *(const uint32_t *)(const void *)(b + i);
            LOOP;
        }
        return to;
    }
    for (size_t i = 0; i < length; i++) {
        a[i] = b[i];
        LOOP;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t length) {
    unsigned char *a = to;
    const unsigned char *b = from;
    for (size_t i = 0; i < length; i++) {
        size_t at = a < b ? i : length - 1 - i;
        a[at] = b[at];
        LOOP;
    }
    return to;
}

void *memset(void *to, int byte, size_t length) {
    unsigned char *a = to;
    if ((((uintptr_t)a | length) & 3) == 0) {
        for (size_t i = 0; i < length; i += 4) {
            *(uint32_t *)(void *)(a + i) = (unsigned char)byte * UINT32_C(0x01010101);
            LOOP;
        }
        return to;
    }
    for (size_t i = 0; i < length; i++) {
        a[i] = (unsigned char)byte;
        LOOP;
    }
    return to;
}

int memcmp(const void *one, const void *other, size_t length) {
    const unsigned char *a = one, *b = other;
    for (size_t i = 0; i < length; i++) {
        if (a[i] != b[i]) {
            return a[i] - b[i];
        }
    }
    return 0;
}
