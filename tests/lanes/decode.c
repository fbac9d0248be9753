/* Points decoded at once: their number and encodings, in hexadecimal bytes, and x and y of each, or none. */
#include <stdio.h>
#include "PREFIX_lanes.h"

static void show(const PREFIX_fe *a) {
    uint8_t found[UPPER_FE_BYTES];
    PREFIX_fe_to_bytes_be(found, a);
    for (int i = 0; i < UPPER_FE_BYTES; i++) {
        printf("%02x", found[i]);
    }
}

int main(void) {
    static uint8_t bytes[80 * UPPER_ENCODED_BYTES], found[80];
    static PREFIX_point points[80];
    const PREFIX_point zeros = {0};
    unsigned count;
    if (scanf("%u", &count) != 1 || count > 80) {
        return 1;
    }
    for (size_t i = 0; i < count * UPPER_ENCODED_BYTES; i++) {
        unsigned byte;
        if (scanf("%2x", &byte) != 1) {
            return 2;
        }
        bytes[i] = (uint8_t)byte;
    }
    PREFIX_decode_batch(points, found, bytes, count);
    for (unsigned i = 0; i < count; i++) {
        PREFIX_affine_point p;
        if (found[i]) {
            PREFIX_to_affine(&p, &points[i]);
            show(&p.X);
            show(&p.Y);
            printf("\n");
        } else {
            puts(memcmp(&points[i], &zeros, sizeof zeros) == 0 ? "none" : "not zeros");
        }
    }
    return PREFIX_lanes_available() ? 0 : 3;
}
