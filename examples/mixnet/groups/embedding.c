#include "embedding.h"

#include <string.h>

#include "common.h"

enum { TORSION = 8, COUNTERS = 128, BYTES = ED_FIELD_BYTES };

/* A point as a message: y, whose last byte is the counter, and the low bit of x. */
typedef struct {
    uint8_t y[BYTES];
    uint8_t odd;
} written;

static ed_point torsion[TORSION];

void embedding_start(void) {
    ed_point p, twice;
    do {
        ed_random_point_by_lift(&p, fill, NULL);
        ed_multiply_var(&p, ED_ORDER, &p);
        ed_double(&twice, &p);
        ed_double(&twice, &twice);
    } while (ed_is_identity(&twice));
    torsion[0] = ED_IDENTITY;
    for (int i = 1; i < TORSION; i++) {
        ed_add(&torsion[i], &torsion[i - 1], &p);
    }
}

/* Writes the eight points that differ by small order, and the one with the least counter; returns 0 if two have it. */
static int least_of_coset(written *least, ed_point coset[TORSION], const ed_point *p) {
    ed_affine_point affine[TORSION];
    int times = 0;
    for (int i = 0; i < TORSION; i++) {
        ed_add(&coset[i], p, &torsion[i]);
    }
    ed_to_affine_batch(affine, coset, TORSION);
    for (int i = 0; i < TORSION; i++) {
        written found;
        ed_fe_to_bytes_le(found.y, &affine[i].Y);
        found.odd = (uint8_t)ed_low_bit(&affine[i].X);
        if (!times || found.y[BYTES - 1] < least->y[BYTES - 1]) {
            *least = found;
            times = 1;
        } else {
            times += found.y[BYTES - 1] == least->y[BYTES - 1];
        }
    }
    return times == 1;
}

static void complement(uint8_t *out, const uint8_t *message, int odd) {
    for (int i = 0; i < EMBEDDED_BYTES; i++) {
        out[i] = message[i] ^ (odd ? 0xFF : 0);
    }
}

/* Embeds with one counter and one sign. */
static int embed_so(ed_point *r, const uint8_t *message, int counter, int odd) {
    written wanted = {.odd = (uint8_t)odd}, least;
    ed_point coset[TORSION];
    ed_fe y;
    complement(wanted.y, message, odd);
    wanted.y[BYTES - 1] = (uint8_t)counter;
    if (!ed_fe_from_bytes_le(&y, wanted.y) || !ed_lift_y(r, &y, odd) || !least_of_coset(&least, coset, r) ||
        memcmp(least.y, wanted.y, BYTES) != 0 || least.odd != wanted.odd) {
        return 0;
    }
    for (int i = 0; i < TORSION; i++) {
        if (ed_is_in_subgroup(&coset[i])) {
            *r = coset[i];
            return 1;
        }
    }
    return 0;
}

int embed_var(ed_point *r, const uint8_t message[EMBEDDED_BYTES]) {
    for (int i = 0; i < 2 * COUNTERS; i++) {
        if (embed_so(r, message, i / 2, i % 2)) {
            return 1;
        }
    }
    return 0;
}

int extract_var(uint8_t message[EMBEDDED_BYTES], const ed_point *p) {
    written least;
    ed_point coset[TORSION];
    if (!least_of_coset(&least, coset, p)) {
        return 0;
    }
    complement(message, least.y, least.odd);
    return 1;
}
