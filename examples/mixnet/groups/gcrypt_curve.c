/* The group over libgcrypt's Ed25519, as the thesis has it: random points by trial, an inversion for each point. */
#include "common.h"
#include "group.h"
#include "libgcrypt.h"

enum { NUMBER = 32, WIRE = 2 * NUMBER, PAYLOAD = 31, DOUBLINGS = 3 };
typedef gcry_mpi_point_t point;

static gcry_ctx_t curve;
static point generator, joint, product_with_order;
static gcry_mpi_t order, minus_secret;

/* Returns the point of an array, which is made where there is none yet. */
static point *at(void *points, size_t i) {
    point *found = (point *)points + i;
    if (!*found) {
        *found = gcry_mpi_point_new(0);
    }
    return found;
}

static point get(const void *points, size_t i) {
    return ((const point *)points)[i];
}

static void start(void) {
    gcrypt_start();
    need(gcry_mpi_ec_new(&curve, NULL, "Ed25519"));
    generator = gcry_mpi_ec_get_point("g", curve, 1);
    order = gcry_mpi_ec_get_mpi("n", curve, 1);
    joint = gcry_mpi_point_new(0);
    product_with_order = gcry_mpi_point_new(0);
}

static gcry_mpi_t draw_scalar(void) {
    uint8_t bytes[NUMBER + 8];
    fill(NULL, bytes, sizeof bytes);
    gcry_mpi_t k = gcrypt_number(bytes, sizeof bytes);
    gcry_mpi_mod(k, k, order);
    return k;
}

static void write_wire(uint8_t *bytes, const void *p, size_t n) {
    gcry_mpi_t x = gcry_mpi_new(0), y = gcry_mpi_new(0);
    for (size_t i = 0; i < n; i++) {
        if (gcry_mpi_ec_get_affine(x, y, get(p, i), curve)) {
            die("libgcrypt: a point is at infinity");
        }
        gcrypt_bytes(bytes + i * WIRE, NUMBER, x);
        gcrypt_bytes(bytes + i * WIRE + NUMBER, NUMBER, y);
    }
    gcry_mpi_release(x);
    gcry_mpi_release(y);
}

static int read_wire(void *r, const uint8_t *bytes, size_t n) {
    int valid = 1;
    for (size_t i = 0; i < n; i++) {
        gcry_mpi_t x = gcrypt_number(bytes + i * WIRE, NUMBER), y = gcrypt_number(bytes + i * WIRE + NUMBER, NUMBER);
        gcry_mpi_point_set(*at(r, i), x, y, GCRYMPI_CONST_ONE);
        valid &= gcry_mpi_ec_curve_point(*at(r, i), curve);
        gcry_mpi_release(x);
        gcry_mpi_release(y);
    }
    return valid;
}

/* n*P is the identity: x = 0, and y = 1 beside the point of order 2. */
static int check(const void *p, size_t n) {
    gcry_mpi_t x = gcry_mpi_new(0), y = gcry_mpi_new(0);
    int inside = 1;
    for (size_t i = 0; i < n; i++) {
        gcry_mpi_ec_mul(product_with_order, order, get(p, i), curve);
        inside &= !gcry_mpi_ec_get_affine(x, y, product_with_order, curve) && !gcry_mpi_cmp_ui(x, 0) &&
                  !gcry_mpi_cmp_ui(y, 1);
    }
    gcry_mpi_release(x);
    gcry_mpi_release(y);
    return inside;
}

static void draw_key(uint8_t *public_key) {
    gcry_mpi_t secret = draw_scalar();
    point p = gcry_mpi_point_new(0);
    gcry_mpi_ec_mul(p, secret, generator, curve);
    write_wire(public_key, &p, 1);
    minus_secret = gcry_mpi_new(0);
    gcry_mpi_sub(minus_secret, order, secret);
    gcry_mpi_release(secret);
    gcry_mpi_point_release(p);
}

static int join(const uint8_t *public_keys, size_t nodes) {
    point key = NULL;
    int valid = 1;
    gcry_mpi_point_set(joint, NULL, GCRYMPI_CONST_ONE, GCRYMPI_CONST_ONE);
    for (size_t i = 0; valid && i < nodes; i++) {
        valid = read_wire(&key, public_keys + i * WIRE, 1) && check(&key, 1);
        gcry_mpi_ec_add(joint, joint, key, curve);
    }
    gcry_mpi_point_release(key);
    return valid;
}

/* libgcrypt 1.10 accepts some y that is no point's; so the equation is tested too. */
static void draw(void *r, size_t n) {
    for (size_t i = 0; i < n; i++) {
        point p = *at(r, i);
        int found = 0;
        while (!found) {
            uint8_t bytes[NUMBER];
            fill(NULL, bytes, sizeof bytes);
            gcry_mpi_t encoded = gcry_mpi_set_opaque_copy(NULL, bytes, 8 * sizeof bytes);
            found = !gcry_mpi_ec_decode_point(p, encoded, curve) && gcry_mpi_ec_curve_point(p, curve);
            gcry_mpi_release(encoded);
        }
        for (int j = 0; j < DOUBLINGS; j++) {
            gcry_mpi_ec_dup(p, p, curve);
        }
    }
}

static void prepare(void *factors, const void *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gcry_mpi_point_release(((point *)factors)[i]);
        ((point *)factors)[i] = gcry_mpi_point_copy(get(p, i));
    }
}

static void multiply(void *r, const void *p, const size_t *permuted, const void *const *others, size_t count, size_t n) {
    for (size_t j = 0; j < n; j++) {
        point sum = *at(r, j), first = get(p, permuted ? permuted[j] : j);
        for (size_t i = 0; i < count; i++) {
            gcry_mpi_ec_add(sum, i ? sum : first, get(others[i], j), curve);
        }
    }
}

static void encrypt(void *c1, void *c2, const void *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gcry_mpi_t k = draw_scalar();
        gcry_mpi_ec_mul(*at(c1, i), k, generator, curve);
        gcry_mpi_ec_mul(*at(c2, i), k, joint, curve);
        gcry_mpi_ec_sub(*at(c2, i), *at(c2, i), get(p, i), curve);
        gcry_mpi_release(k);
    }
}

static void share(void *r, const void *c1, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gcry_mpi_ec_mul(*at(r, i), minus_secret, get(c1, i), curve);
    }
}

static void nothing(void) {
}

static const group gcrypt_curve = {sizeof(point), sizeof(point), WIRE, PAYLOAD, start, draw_key, join, draw, prepare,
                                   multiply, multiply, encrypt, share, write_wire, read_wire, check};

const choice gcrypt_curve_choices[] = {
    {"gcrypt-curve", &gcrypt_curve, &curve_correspondents, nothing},
    {NULL, NULL, NULL, NULL},
};
