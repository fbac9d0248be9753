#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("mixnet: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *allocate(size_t n, size_t size) {
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        die("no memory for %zu objects of %zu bytes", n, size);
    }
    return memory;
}

void release(void *memory, size_t bytes) {
    explicit_bzero(memory, bytes);
    free(memory);
}

/* The kernel gives up to 256 bytes at a time without an interruption. A forked process draws its own. */
void fill(void *context, uint8_t *out, size_t length) {
    static uint8_t pool[8192];
    static size_t left;
    static pid_t owner;
    (void)context;
    if (owner != getpid()) {
        owner = getpid();
        left = 0;
    }
    while (length) {
        if (!left) {
            for (size_t i = 0; i < sizeof pool; i += 256) {
                if (getrandom(pool + i, 256, 0) != 256) {
                    die("the kernel gives no random bytes");
                }
            }
            left = sizeof pool;
        }
        size_t some = length < left ? length : left;
        memcpy(out, pool + sizeof pool - left, some);
        memset(pool + sizeof pool - left, 0, some);
        left -= some;
        out += some;
        length -= some;
    }
}

/* A number below a bound, without a bias: the surplus of 2^32 is thrown away. */
static size_t below(size_t bound) {
    const uint32_t range = (uint32_t)bound, surplus = (0 - range) % range;
    uint32_t drawn;
    do {
        fill(NULL, (uint8_t *)&drawn, sizeof drawn);
    } while (drawn < surplus);
    return drawn % range;
}

void draw_order(size_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (size_t i = n; i > 1; i--) {
        size_t other = below(i), kept = order[other];
        order[other] = order[i - 1];
        order[i - 1] = kept;
    }
}
