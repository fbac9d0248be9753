/* The group over edwards25519 as efdgen writes it. On the wire: x and y, so that a batch takes one inversion. */
#include "common.h"
#include "ed.h"
#include "group.h"

typedef ed_extended_1_niels_point niels;

/* Ways to compute that are worse, to see what the others are worth. */
enum { BY_COMB, BY_LIFT };
static int inversion_each, no_comb, drawing;

static uint8_t secret[ED_SCALAR_BYTES];
static ed_point joint;
static ed_comb joint_comb;

static void draw_key(uint8_t *public_key) {
    ed_point p;
    ed_affine_point scratch;
    ed_random_scalar(secret, fill, NULL);
    ed_multiply_generator(&p, secret);
    ed_encode_xy_batch(public_key, &scratch, &p, 1);
}

static int join(const uint8_t *public_keys, size_t nodes) {
    joint = ED_IDENTITY;
    for (size_t i = 0; i < nodes; i++) {
        ed_point p, valid;
        if (!ed_decode_xy_batch(&p, public_keys + i * ED_XY_BYTES, 1) || !ed_validate(&valid, &p)) {
            return 0;
        }
        ed_add(&joint, &joint, &valid);
    }
    return ed_make_comb(&joint_comb, &joint);
}

static void draw(void *r, size_t n) {
    ed_point *points = r;
    for (size_t i = 0; i < n; i++) {
        if (drawing == BY_COMB) {
            ed_random_point(&points[i], fill, NULL);
        } else {
            ed_random_point_by_lift(&points[i], fill, NULL);
            ed_clear_cofactor(&points[i], &points[i]);
        }
    }
}

static void to_affine(ed_affine_point *r, const ed_point *p, size_t n) {
    if (inversion_each) {
        for (size_t i = 0; i < n; i++) {
            ed_to_affine(&r[i], &p[i]);
        }
    } else {
        ed_to_affine_batch(r, p, n);
    }
}

static void prepare(void *factors, const void *p, size_t n) {
    ed_affine_point *affine = allocate(n, sizeof *affine);
    to_affine(affine, p, n);
    for (size_t i = 0; i < n; i++) {
        ed_extended_1_convert_affine_to_niels((niels *)factors + i, &affine[i]);
    }
    release(affine, n * sizeof *affine);
}

static void multiply(void *r, const void *p, const size_t *order, const void *const *others, size_t count, size_t n) {
    const ed_point *points = p;
    for (size_t j = 0; j < n; j++) {
        ed_point sum = points[order ? order[j] : j];
        for (size_t i = 0; i < count; i++) {
            ed_add(&sum, &sum, (const ed_point *)others[i] + j);
        }
        ((ed_point *)r)[j] = sum;
    }
}

static void scale(void *r, const void *p, const size_t *order, const void *const *factors, size_t count, size_t n) {
    const ed_point *points = p;
    for (size_t j = 0; j < n; j++) {
        ed_point sum = points[order ? order[j] : j];
        for (size_t i = 0; i < count; i++) {
            ed_extended_1_add_niels(&sum, &sum, (const niels *)factors[i] + j);
        }
        ((ed_point *)r)[j] = sum;
    }
}

static void encrypt(void *c1, void *c2, const void *p, size_t n) {
    ed_point *first = c1, *second = c2;
    const ed_point *points = p;
    uint8_t k[ED_SCALAR_BYTES];
    for (size_t i = 0; i < n; i++) {
        ed_random_scalar(k, fill, NULL);
        ed_multiply_generator(&first[i], k);
        if (no_comb) {
            ed_multiply(&second[i], k, &joint);
        } else {
            ed_multiply_comb(&second[i], k, &joint_comb);
        }
        ed_subtract(&second[i], &second[i], &points[i]);
    }
}

static void share(void *r, const void *c1, size_t n) {
    ed_point *shares = r;
    for (size_t i = 0; i < n; i++) {
        ed_multiply(&shares[i], secret, (const ed_point *)c1 + i);
        ed_negate(&shares[i], &shares[i]);
    }
}

static void write_wire(uint8_t *bytes, const void *p, size_t n) {
    ed_affine_point *affine = allocate(n, sizeof *affine);
    if (inversion_each) {
        for (size_t i = 0; i < n; i++) {
            ed_encode_xy_batch(bytes + i * ED_XY_BYTES, &affine[i], (const ed_point *)p + i, 1);
        }
    } else {
        ed_encode_xy_batch(bytes, affine, p, n);
    }
    release(affine, n * sizeof *affine);
}

static int read_wire(void *r, const uint8_t *bytes, size_t n) {
    return ed_decode_xy_batch(r, bytes, n);
}

static int check(const void *p, size_t n) {
    return ed_are_in_subgroup_var(p, n, fill, NULL);
}

static void nothing(void) {
}

static void with_an_inversion_each(void) {
    inversion_each = 1;
}

static void without_a_comb(void) {
    no_comb = 1;
}

static void with_points_by_lift(void) {
    drawing = BY_LIFT;
}

static const group curve = {sizeof(ed_point), sizeof(niels), ED_XY_BYTES, ED_MESSAGE_BYTES, nothing, draw_key, join, draw,
                            prepare, multiply, scale, encrypt, share, write_wire, read_wire, check};

const choice curve_choices[] = {
    {"curve", &curve, &curve_correspondents, nothing},
    {"curve-inversion-each", &curve, &curve_correspondents, with_an_inversion_each},
    {"curve-no-comb", &curve, &curve_correspondents, without_a_comb},
    {"curve-points-by-lift", &curve, &curve_correspondents, with_points_by_lift},
    {NULL, NULL, NULL, NULL},
};

/* Functions of senders and receivers. */

static void send_message(uint8_t *wire, const uint8_t *payload, const uint8_t *keys, size_t nodes, size_t stride) {
    ed_point p, key;
    ed_affine_point scratch;
    if (!ed_embed_var(&p, payload)) {
        die("a message is in no point");
    }
    for (size_t i = 0; i < nodes; i++) {
        if (!ed_decode_xy_batch(&key, keys + i * stride, 1)) {
            die("a key of a sender is not a point");
        }
        ed_subtract(&p, &p, &key);
    }
    ed_encode_xy_batch(wire, &scratch, &p, 1);
}

static int receive_message(uint8_t *payload, const uint8_t *wire) {
    ed_point p;
    if (!ed_decode_xy_batch(&p, wire, 1)) {
        return 0;
    }
    ed_extract(payload, &p);
    return 1;
}

const correspondents curve_correspondents = {send_message, receive_message};
