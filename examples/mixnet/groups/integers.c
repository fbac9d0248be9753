/* The group of squares modulo a safe prime of 2048 bits, over any library. On the wire: little-endian bytes. */
#include "integers.h"

#include <string.h>

#include "common.h"
#include "group.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "integers are copied to the wire as they are in memory"
#endif

/* Bits of a digit of the tables for fixed bases, rows, and entries of a row. */
enum { WINDOW = 6, ROWS = (BITS + WINDOW - 1) / WINDOW, ENTRIES = (1 << WINDOW) - 1 };
typedef struct {
    integer entries[ROWS][ENTRIES];
} table;

/* 2^2048 - 2^1984 - 1 + 2^64*(floor(2^1918*pi) + 124476), the most significant digit first. */
static const char prime_digits[] =
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
    "15728E5A8AACAA68FFFFFFFFFFFFFFFF";

static const arithmetic *library;
static shortcuts taken;
static integer prime, half, generator, joint, secret;
static table *tables[2];

void choose_integers(const arithmetic *chosen, shortcuts wanted) {
    library = chosen;
    taken = wanted;
}

/* Returns 1 if a < b. */
static int less(const integer *a, const integer *b) {
    for (int i = WORDS - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i];
        }
    }
    return 0;
}

static int is_zero(const integer *a) {
    static const integer zero;
    return memcmp(a, &zero, sizeof zero) == 0;
}

/* r = p - a. */
static void opposite(integer *r, const integer *a) {
    uint64_t borrow = 0;
    for (int i = 0; i < WORDS; i++) {
        const uint64_t difference = prime.word[i] - a->word[i], result = difference - borrow;
        borrow = (prime.word[i] < a->word[i]) | (difference < borrow);
        r->word[i] = result;
    }
}

static uint64_t hexadecimal(const char *digits, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 4 | (uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'A' + 10);
    }
    return value;
}

static void start(void) {
    for (int i = 0; i < WORDS; i++) {
        prime.word[i] = hexadecimal(prime_digits + 16 * (WORDS - 1 - i), 16);
    }
    for (int i = 0; i < WORDS; i++) {
        half.word[i] = prime.word[i] >> 1 | (i + 1 < WORDS ? prime.word[i + 1] << 63 : 0);
    }
    generator.word[0] = 2;
    library->start(&prime);
}

/* Draws an exponent below the order (p - 1)/2 of the group. */
static void draw_exponent(integer *r) {
    memset(r, 0, sizeof *r);
    do {
        fill(NULL, (uint8_t *)r, taken.short_exponents ? 32 : sizeof *r);
        r->word[WORDS - 1] &= UINT64_MAX >> 1;
    } while (is_zero(r) || !less(r, &half));
}

static void make_table(table *made, const integer *base) {
    integer power = *base;
    const integer *again = &power;
    for (int row = 0; row < ROWS; row++) {
        integer *entries = made->entries[row];
        entries[0] = power;
        for (int i = 1; i < ENTRIES; i++) {
            library->product(&entries[i], &entries[i - 1], &again, 1);
        }
        library->product(&power, &entries[ENTRIES - 1], &again, 1);
    }
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < ENTRIES; i++) {
            library->prepare(&made->entries[row][i], &made->entries[row][i]);
        }
    }
}

static void power_by_table(integer *r, const table *powers, const integer *exponent) {
    integer product = {{1}};
    for (int row = 0; row < ROWS; row++) {
        const int at = row * WINDOW, word = at / 64, shift = at % 64;
        uint64_t digit = exponent->word[word] >> shift;
        if (shift > 64 - WINDOW && word + 1 < WORDS) {
            digit |= exponent->word[word + 1] << (64 - shift);
        }
        if (digit &= ENTRIES) {
            const integer *factor = &powers->entries[row][digit - 1];
            library->scaled(&product, &product, &factor, 1);
        }
    }
    *r = product;
}

/* r = the generator, or the joint key, to a power. */
static void fixed_power(integer *r, int which, const integer *exponent) {
    if (taken.tables) {
        power_by_table(r, tables[which], exponent);
    } else {
        library->power(r, which ? &joint : &generator, exponent);
    }
}

/* The joint key is of the negative exponents, so that a share is a power without an inversion. */
static void draw_key(uint8_t *public_key) {
    integer power;
    draw_exponent(&secret);
    library->power(&power, &generator, &secret);
    library->inverse(&power, &power);
    memcpy(public_key, &power, BYTES);
}

static int read_wire(void *r, const uint8_t *bytes, size_t n) {
    const integer *read = r;
    int valid = 1;
    memcpy(r, bytes, n * BYTES);
    for (size_t i = 0; i < n; i++) {
        valid &= less(&read[i], &prime) & !is_zero(&read[i]);
    }
    return valid;
}

static int check(const void *p, size_t n) {
    int squares = 1;
    for (size_t i = 0; i < n; i++) {
        squares &= library->is_square((const integer *)p + i);
    }
    return squares;
}

static int join(const uint8_t *public_keys, size_t nodes) {
    joint = (integer){{1}};
    for (size_t i = 0; i < nodes; i++) {
        integer key;
        const integer *factor = &key;
        if (!read_wire(&key, public_keys + i * BYTES, 1) || !check(&key, 1)) {
            return 0;
        }
        library->product(&joint, &joint, &factor, 1);
    }
    for (int which = 0; taken.tables && which < 2; which++) {
        tables[which] = allocate(1, sizeof(table));
        make_table(tables[which], which ? &joint : &generator);
    }
    return 1;
}

static void draw(void *r, size_t n) {
    integer *drawn = r;
    for (size_t i = 0; i < n; i++) {
        const integer *same = &drawn[i];
        do {
            fill(NULL, (uint8_t *)&drawn[i], BYTES);
        } while (!less(&drawn[i], &prime) || is_zero(&drawn[i]));
        library->product(&drawn[i], &drawn[i], &same, 1);
    }
}

static void prepare(void *factors, const void *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        library->prepare((integer *)factors + i, (const integer *)p + i);
    }
}

typedef void (*products)(integer *, const integer *, const integer *const *, size_t);

static void each_product(
    products product, void *r, const void *p, const size_t *order, const void *const *others, size_t count, size_t n) {
    const integer *factors[MOST_FACTORS];
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < count; i++) {
            factors[i] = (const integer *)others[i] + j;
        }
        product((integer *)r + j, (const integer *)p + (order ? order[j] : j), factors, count);
    }
}

static void multiply(void *r, const void *p, const size_t *order, const void *const *others, size_t count, size_t n) {
    each_product(library->product, r, p, order, others, count, n);
}

static void scale(void *r, const void *p, const size_t *order, const void *const *factors, size_t count, size_t n) {
    each_product(library->scaled, r, p, order, factors, count, n);
}

static void encrypt(void *c1, void *c2, const void *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        integer k, inverse;
        const integer *factor = &inverse;
        draw_exponent(&k);
        fixed_power((integer *)c1 + i, 0, &k);
        fixed_power((integer *)c2 + i, 1, &k);
        library->inverse(&inverse, (const integer *)p + i);
        library->product((integer *)c2 + i, (integer *)c2 + i, &factor, 1);
    }
}

static void share(void *r, const void *c1, size_t n) {
    for (size_t i = 0; i < n; i++) {
        library->power((integer *)r + i, (const integer *)c1 + i, &secret);
    }
}

static void write_wire(uint8_t *bytes, const void *p, size_t n) {
    memcpy(bytes, p, n * BYTES);
}

const group integer_group = {sizeof(integer), sizeof(integer), BYTES, BYTES - 1, start, draw_key, join, draw,
                             prepare, multiply, scale, encrypt, share, write_wire, read_wire, check};

/* Functions of senders and receivers: a message m is the number m + 1, or p - m - 1 if that is the square. */

static void send_message(uint8_t *wire, const uint8_t *payload, const uint8_t *keys, size_t nodes, size_t stride) {
    integer sent = {{0}};
    memcpy(&sent, payload, BYTES - 1);
    for (int i = 0; i < WORDS && ++sent.word[i] == 0; i++) {
    }
    if (!library->is_square(&sent)) {
        opposite(&sent, &sent);
    }
    for (size_t i = 0; i < nodes; i++) {
        integer key;
        const integer *factor = &key;
        if (!read_wire(&key, keys + i * stride, 1)) {
            die("a key of a sender is not in the group");
        }
        library->inverse(&key, &key);
        library->product(&sent, &sent, &factor, 1);
    }
    memcpy(wire, &sent, BYTES);
}

static int receive_message(uint8_t *payload, const uint8_t *wire) {
    integer received;
    if (!read_wire(&received, wire, 1)) {
        return 0;
    }
    if (less(&half, &received)) {
        opposite(&received, &received);
    }
    for (int i = 0; i < WORDS && received.word[i]-- == 0; i++) {
    }
    memcpy(payload, &received, BYTES - 1);
    return received.word[WORDS - 1] >> 56 == 0;
}

const correspondents integer_correspondents = {send_message, receive_message};
