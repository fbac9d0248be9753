/* Recover the public key Q of an ECDSA signature (r, s) on secp256k1 from the hash z and a number v from 0 to 3: that of
 * r Q = s R - z G, where R has the parity of v's lowest bit as its y, and r or, if v is 2 or 3, r + n as its x.
 *
 * The host gives Q and a schedule: doublings and additions of small multiples of Q, R, G and 2^64 G, and of their images
 * by the endomorphism (x, y) -> (beta x, y), which multiplies by lambda. The last of them is not added: it is compared with
 * the negative of the sum. So the guest knows c_Q Q + c_R R + c_G G = 0 for the coefficients that it adds up, of 64 bits
 * each in Q, lambda Q, R, lambda R. Then it checks that
 *     c_Q is invertible modulo n,    r c_R + s c_Q = 0 modulo n,    r c_G = z c_Q modulo n.
 * So c_Q (r Q - s R + z G) = 0. All points of the curve except the identity have the prime order n, hence the claim.
 *
 * Points are affine. Each sum and double is a hint, which formulas of efdgen check; they are wrong for points of one x,
 * which are refused, and for x = 0, which no point of this curve has.
 */
#include "zk.h"

enum { COLUMNS = 9 };
#include "columns.h"

typedef struct {
    zk_fe x, y;
} affine;

#include "recovery_tables.h"

/* A point whose multiples are added: its coefficient has a part of 1 and a part of lambda. */
enum { OF_Q, OF_R, OF_G, POINTS };

/* An operation: whether it takes the guest's own table, the negative, the image, and an index. */
enum { OWN = 0x80, NEGATE = 0x40, IMAGE = 0x20, INDICES = 0x20 };

/* A position, and whether its operation is the last; positions that fit the columns. */
enum { LAST = 0x80, UPPER_COLUMNS = 4, POSITIONS = (COLUMNS - UPPER_COLUMNS) * COLUMN_BITS };

enum { OPERATIONS = 128, HINTS = 2 * OWN_MULTIPLES + POSITIONS + OPERATIONS };

ZK_IO struct {
    zk_fe z, r, s;
    uint32_t v;
    affine q;
    zk_fe y_of_r, inverse; /* of c_Q modulo n */
    uint8_t schedule[2 * OPERATIONS]; /* a position and an operation, in turns */
    zk_fe hints[HINTS][2]; /* of doublings x and y, of additions the slope and x */
} io;

static affine sum ZK_NEAR, changed ZK_NEAR;
static const zk_fe *hint ZK_NEAR; /* the next */
static int32_t columns[POINTS][2][COLUMNS] ZK_NEAR;
static affine own[2 * OWN_MULTIPLES] ZK_OWN;

/* Coordinates in any place. */
typedef struct {
    const uint32_t *x, *y;
} place;

static ZK_INLINE void set_sum(place point) {
    zk_mul(sum.x, point.x, zk_one);
    zk_mul(sum.y, point.y, zk_one);
}

static ZK_INLINE void store_sum(affine *point) {
    zk_mul(point->x, sum.x, zk_one);
    zk_mul(point->y, sum.y, zk_one);
}

static ZK_INLINE void double_sum(void) {
    zk_double_hinted(sum.x, sum.y, sum.x, sum.y, hint[0], hint[1]);
    hint += 2;
}

/* Add a point whose x is another. */
static ZK_INLINE void add_to_sum(place point) {
    zk_add_hinted_incomplete(sum.x, sum.y, sum.x, sum.y, point.x, point.y, hint[0], hint[1]);
    hint += 2;
}

/* Returns whether two numbers have the same words. */
ZK_FUNCTION int same(const uint32_t *a, const uint32_t *b) { return zk_same(a, b); }

/* Returns whether x and y are below p and y^2 = x^3 + 7. */
ZK_FUNCTION int is_point(const affine *point) {
    static zk_fe left ZK_NEAR, right ZK_NEAR;
    if (!zk_below(point->x, zk_prime) || !zk_below(point->y, zk_prime)) return 0;
    zk_mul(left, point->y, point->y);
    zk_sub(left, left, zk_number_7);
    zk_mul(right, point->x, point->x);
    zk_mul(right, right, point->x);
    return same(left, right);
}

/* Write P, 3P, …: their x differ, since n is prime. */
ZK_FUNCTION void odd_multiples(affine *table, const affine *point) {
    static affine twice ZK_NEAR;
    set_sum((place){point->x, point->y});
    store_sum(&table[0]);
    double_sum();
    store_sum(&twice);
    set_sum((place){point->x, point->y});
    for (int i = 1; i < OWN_MULTIPLES; i++) {
        add_to_sum((place){twice.x, twice.y});
        store_sum(&table[i]);
    }
}

/* Halt unless x is not that of the sum modulo p: if the highest words of congruent numbers differ, then one is 0 and the
 * other 2^32 - 1. */
static ZK_INLINE void require_distinct(const uint32_t *x) {
    if (x[7] - sum.x[7] + 1 > 2) return;
    if (!zk_below(x, zk_prime) || !zk_below(sum.x, zk_prime) || same(x, sum.x)) zk_halt(ZK_EQUAL_POINTS);
}

/* Return the point of an operation, and add its digit at a position to the columns. */
static ZK_INLINE place operand(uint32_t operation, uint32_t position) {
    uint32_t index = operation % INDICES;
    int32_t *column = &columns[0][0][position / COLUMN_BITS], digit;
    const affine *point;
    if (operation & OWN) {
        index %= 2 * OWN_MULTIPLES;
        point = &own[index];
        column += index / OWN_MULTIPLES * (2 * COLUMNS);
        digit = 2 * (int32_t)(index % OWN_MULTIPLES) + 1;
    } else {
        point = &fixed[index];
        column += OF_G * 2 * COLUMNS + index / FIXED_MULTIPLES * UPPER_COLUMNS;
        digit = 2 * (int32_t)(index % FIXED_MULTIPLES) + 1;
    }
    place found = {point->x, point->y};
    if (operation & IMAGE) {
        zk_mul(changed.x, found.x, beta);
        found.x = changed.x;
        column += COLUMNS;
    }
    if (operation & NEGATE) {
        zk_mul(changed.y, found.y, zk_minus_one);
        found.y = changed.y;
        digit = -digit;
    }
    *column += digit * (1 << position % COLUMN_BITS);
    return found;
}

/* Halt unless the sum is the negative of a point. */
static void require_negative(place point) {
    zk_mul(changed.y, point.y, zk_minus_one);
    if (!same(sum.x, point.x) || !same(sum.y, changed.y)) zk_halt(ZK_NOT_IDENTITY);
}

/* Follow the schedule: the columns are coefficients of 0. */
static void follow(void) {
    const uint8_t *next = io.schedule, *end = next + sizeof io.schedule;
    uint32_t position = POSITIONS - 1;
    for (; next < end; next += 2) {
        uint32_t following = next[0] % LAST;
        if (following > position) break;
        place point = operand(next[1], following);
        if (next == io.schedule) {
            position = following;
            set_sum(point);
            continue;
        }
        for (; position > following; position--) double_sum();
        if (next[0] & LAST) {
            require_negative(point);
            return;
        }
        require_distinct(point.x);
        add_to_sum(point);
    }
    zk_halt(ZK_BAD_SCHEDULE);
}

/* r = the coefficient of a point. */
static void coefficient_of(uint32_t *r, int point) {
    static zk_fe image ZK_NEAR;
    coefficient(image, columns[point][1], order);
    zk_modmul(image, image, lambda, order);
    coefficient(r, columns[point][0], order);
    zk_add_modulo(r, r, image, order_excess);
}

static void check_coefficients(void) {
    static zk_fe c_q ZK_NEAR, c ZK_NEAR, left ZK_NEAR, right ZK_NEAR;
    coefficient_of(c_q, OF_Q);
    zk_modmul(left, c_q, io.inverse, order);
    if (!same(left, zk_one)) zk_halt(ZK_NOT_INVERTIBLE);

    coefficient_of(c, OF_R);
    zk_modmul(left, c, io.r, order);
    zk_modmul(right, c_q, io.s, order);
    zk_modmul(right, right, order_minus_1, order);
    if (!same(left, right)) zk_halt(ZK_WRONG_R);

    coefficient_of(c, OF_G);
    zk_modmul(left, c, io.r, order);
    zk_modmul(right, c_q, io.z, order);
    if (!same(left, right)) zk_halt(ZK_WRONG_G);
}

/* Returns whether 0 < a < n. */
static int in_range(const uint32_t *a) {
    return zk_below(a, order) && (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]);
}

/* Write R, whose y the host gives. */
static void decode(affine *point) {
    uint32_t carry = 0;
    for (int i = 0; i < 8; i++) {
        point->x[i] = zk_add_word(io.r[i], io.v & 2 ? order[i] : 0, &carry);
        point->y[i] = io.y_of_r[i];
    }
    if (carry || !is_point(point)) zk_halt(ZK_BAD_POINT);
    if ((io.v & 1) != (io.y_of_r[0] & 1)) zk_halt(ZK_BAD_ENCODING);
}

int guest(void) {
    static affine point ZK_NEAR;
    if (io.v > 3 || !in_range(io.r) || !in_range(io.s)) zk_halt(ZK_OUT_OF_RANGE);
    decode(&point);
    if (!is_point(&io.q)) zk_halt(ZK_BAD_POINT);
    hint = io.hints[0];
    odd_multiples(own, &io.q);
    odd_multiples(own + OWN_MULTIPLES, &point);
    follow();
    check_coefficients();
    return 0;
}
