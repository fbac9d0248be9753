/* The beginning of a guest, and what compilers call. */
#include "machine.h"

#include <stddef.h>

__asm__(".section .text.start, \"ax\"\n"
        ".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        "la sp, __stack_top\n"
        ".option pop\n"
        "jal guest\n"
        "li t0, 0\n"
        "ecall\n"
        ".size _start, . - _start\n"
        ".text\n");

typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    if ((((uintptr_t)to | (uintptr_t)from | size) & 3) == 0) {
        for (size_t i = 0; i < size / 4; i++) ((word *)to)[i] = ((const word *)from)[i];
    } else {
        for (size_t i = 0; i < size; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    }
    return to;
}

void *memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; i++) ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}
