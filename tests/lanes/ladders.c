/* x-coordinates of multiples, or exchanges of keys: batches, each a number of rows and the rows in hexadecimal. */
#include <stdio.h>
#include <string.h>
#ifdef EXCHANGE
#include "PREFIX_exchange.h"
#else
#include "PREFIX_lanes.h"
#endif

static int bytes(uint8_t *r, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        if (scanf("%2x", &byte) != 1) { return 0; }
        r[i] = (uint8_t)byte;
    }
    return 1;
}

static void show(const uint8_t *a, size_t count) {
    for (size_t i = 0; i < count; i++) { printf("%02x", a[i]); }
    printf("\n");
}

int main(void) {
    static uint8_t a[MOST * UPPER_SCALAR_BYTES], b[MOST * UPPER_FIELD_BYTES];
    unsigned n;
    while (scanf("%u", &n) == 1) {
        if (n > MOST) { return 1; }
        for (size_t i = 0; i < n; i++) {
            int read = bytes(a + UPPER_SCALAR_BYTES * i, UPPER_SCALAR_BYTES);
            if (!read || !bytes(b + UPPER_FIELD_BYTES * i, UPPER_FIELD_BYTES)) { return 2; }
        }
#ifdef EXCHANGE
        static int valid[MOST];
        int every = PREFIX_exchange_batch(b, valid, a, b, n), all = 1;
        PREFIX_exchange_public_key_batch(a, a, n);
        for (size_t i = 0; i < n; i++) {
            all &= valid[i];
            show(a + UPPER_KEY_BYTES * i, UPPER_KEY_BYTES);
            printf("%d\n", valid[i]);
            show(b + UPPER_KEY_BYTES * i, UPPER_KEY_BYTES);
        }
        if (every != all) { return 5; }
#else
        static PREFIX_fe x[MOST];
        for (size_t i = 0; i < n; i++) {
            if (!PREFIX_fe_from_bytes_le(&x[i], b + UPPER_FIELD_BYTES * i)) { return 4; }
        }
        PREFIX_x_multiply_batch(x, a, x, n);
        for (size_t i = 0; i < n; i++) {
            PREFIX_encode(b, &x[i]);
            show(b, UPPER_FIELD_BYTES);
        }
#endif
    }
    return PREFIX_lanes_available() ? 0 : 3;
}
