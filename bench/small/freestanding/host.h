/* A hash function that the host computes, so that no instruction of it is counted: the emulator acts when a call
 * of one of these functions begins.
 */
#ifndef HOST_H
#define HOST_H
#include <stddef.h>
#include <stdint.h>

#define HOST __attribute__((noinline, noipa, used))

HOST static int host_init(void *state, const void *algorithm) {
    (void)state, (void)algorithm;
    return 1;
}

HOST static int host_update(void *state, const uint8_t *bytes, size_t length) {
    (void)state, (void)bytes, (void)length;
    return 1;
}

HOST static int host_final(void *state, uint8_t *digest, size_t length) {
    (void)state, (void)digest, (void)length;
    return 1;
}

/* A function that is counted; it returns 1. */
#define OPERATION(name) __attribute__((noinline, used)) int name(void)

/* Bytes that are the same in each run. */
static inline void fill(uint8_t *bytes, size_t length, uint8_t first) {
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(first + 29 * i);
    }
}
#endif
