/* The functions of libsecp256k1's headers over generated code: a program that is written for the library links to this
 * in its place.
 *
 * What the library keeps in its opaque types is ours to choose: a public key is x and y, a signature r and s, a pair of
 * keys the secret one and the public one, all of them numbers of 32 bytes, the most significant first.
 *
 * Secret are secret keys, their tweaks, nonces and the seed of a context: no branch and no index depends on them. As in
 * the library a branch depends on what says nothing of a secret: whether a nonce is in range, whether a pair of keys is
 * one at all.
 */
#define SECP256K1_BUILD

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

/* As libsecp256k1 does, a build that defines VALGRIND follows secrets as memory that was never written. */
#ifdef VALGRIND
#include <valgrind/memcheck.h>
static int declassified(int flag) {
    (void)VALGRIND_MAKE_MEM_DEFINED(&flag, sizeof flag);
    return flag;
}
#define K1_DECLASSIFY(flag) declassified(flag)
#define MEMORY_IS_CHECKED() (VALGRIND_MAKE_MEM_DEFINED(NULL, 0) != 0)
#else
#define MEMORY_IS_CHECKED() 0
#endif

/* A call through a volatile pointer stays, and erases faster than the loop over bytes that is the default. */
static void *(*const volatile erase)(void *, int, size_t) = memset;
#define K1_WIPE(at, length) (void)erase(at, 0, length)
#define K1_HASH_STATE_BYTES sizeof(sha256_state)

#include "curve/k1.h"
#include "curve/k1_bip340.h"
#include "curve/k1_ecdsa.h"
#include "curve/k1_ecdsa_der.h"
#include "curve/k1_hash.h"
#include "curve/k1_sc.h"

enum { NUMBER_BYTES = 32 };

static const k1_hash sha256 = {
    .digest_bytes = NUMBER_BYTES,
    .block_bytes = 64,
    .state_bytes = sizeof(sha256_state),
    .init = sha256_init,
    .update = sha256_update,
    .final = sha256_final,
};

/* Contexts. */

typedef struct {
    void (*call)(const char *message, void *data);
    const void *data;
} callback;

/* Multiples k*G are computed as (k + blind)*G + offset for offset = -blind*G. */
struct secp256k1_context_struct {
    callback illegal, error;
    int computes_with_secrets;
    k1_sc blind;
    k1_point offset;
};

static void abort_for_illegal_argument(const char *message, void *data) {
    (void)data;
    fprintf(stderr, "libsecp256k1: illegal argument, %s\n", message);
    abort();
}

static void abort_for_error(const char *message, void *data) {
    (void)data;
    fprintf(stderr, "libsecp256k1: error, %s\n", message);
    abort();
}

static const secp256k1_context without_secrets = {
    .illegal = {abort_for_illegal_argument, NULL},
    .error = {abort_for_error, NULL},
};

/* Headers before version 0.3 declare a pointer that is not const, and under an older name too. */
__typeof__(secp256k1_context_static) secp256k1_context_static = &without_secrets;
__typeof__(secp256k1_context_static) secp256k1_context_no_precomp = &without_secrets;

/* Returns a condition on the arguments of a call, and calls back where it does not hold. */
static int legal(const secp256k1_context *ctx, int condition, const char *text) {
    if (!condition) {
        ctx->illegal.call(text, (void *)ctx->illegal.data);
    }
    return condition;
}
#define LEGAL(condition) legal(ctx, condition, #condition)

void secp256k1_selftest(void) {
    static const uint8_t expected[NUMBER_BYTES] = {
        0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
        0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
    };
    const k1_hash_part text = {(const uint8_t *)"abc", 3};
    uint8_t digest[NUMBER_BYTES];
    if (!k1_hash_parts(digest, &sha256, &text, 1) || memcmp(digest, expected, sizeof digest) != 0) {
        abort_for_error("self test failed", NULL);
    }
}

size_t secp256k1_context_preallocated_size(unsigned int flags) {
    const secp256k1_context *ctx = secp256k1_context_static;
    if (!LEGAL((flags & SECP256K1_FLAGS_TYPE_MASK) == SECP256K1_FLAGS_TYPE_CONTEXT) ||
        !LEGAL(!(flags & SECP256K1_FLAGS_BIT_CONTEXT_DECLASSIFY) || MEMORY_IS_CHECKED())) {
        return 0;
    }
    return sizeof *ctx;
}

secp256k1_context *secp256k1_context_preallocated_create(void *prealloc, unsigned int flags) {
    secp256k1_context *ctx = (secp256k1_context *)prealloc;
    secp256k1_selftest();
    if (secp256k1_context_preallocated_size(flags) == 0) {
        return NULL;
    }
    *ctx = without_secrets;
    ctx->computes_with_secrets = 1;
    k1_n_fe_set_zero(&ctx->blind);
    ctx->offset = K1_IDENTITY;
    return ctx;
}

size_t secp256k1_context_preallocated_clone_size(const secp256k1_context *ctx) {
    return LEGAL(ctx->computes_with_secrets) ? sizeof *ctx : 0;
}

secp256k1_context *secp256k1_context_preallocated_clone(const secp256k1_context *ctx, void *prealloc) {
    if (!LEGAL(prealloc != NULL) || !LEGAL(ctx->computes_with_secrets)) {
        return NULL;
    }
    memcpy(prealloc, ctx, sizeof *ctx);
    return (secp256k1_context *)prealloc;
}

void secp256k1_context_preallocated_destroy(secp256k1_context *ctx) {
    if (ctx != NULL && LEGAL(ctx->computes_with_secrets)) {
        K1_WIPE(ctx, sizeof *ctx);
    }
}

/* Returns memory for a context. */
static void *allocated(const callback *error) {
    void *memory = malloc(sizeof(secp256k1_context));
    if (memory == NULL) {
        error->call("out of memory", (void *)error->data);
    }
    return memory;
}

secp256k1_context *secp256k1_context_create(unsigned int flags) {
    void *memory = secp256k1_context_preallocated_size(flags) == 0 ? NULL : allocated(&without_secrets.error);
    return memory == NULL ? NULL : secp256k1_context_preallocated_create(memory, flags);
}

secp256k1_context *secp256k1_context_clone(const secp256k1_context *ctx) {
    void *memory = LEGAL(ctx->computes_with_secrets) ? allocated(&ctx->error) : NULL;
    return memory == NULL ? NULL : secp256k1_context_preallocated_clone(ctx, memory);
}

void secp256k1_context_destroy(secp256k1_context *ctx) {
    if (ctx != NULL && LEGAL(ctx->computes_with_secrets)) {
        K1_WIPE(ctx, sizeof *ctx);
        free(ctx);
    }
}

void secp256k1_context_set_illegal_callback(
    secp256k1_context *ctx, void (*fun)(const char *message, void *data), const void *data) {
    if (LEGAL(ctx != secp256k1_context_static)) {
        ctx->illegal.call = fun == NULL ? abort_for_illegal_argument : fun;
        ctx->illegal.data = data;
    }
}

void secp256k1_context_set_error_callback(
    secp256k1_context *ctx, void (*fun)(const char *message, void *data), const void *data) {
    if (LEGAL(ctx != secp256k1_context_static)) {
        ctx->error.call = fun == NULL ? abort_for_error : fun;
        ctx->error.data = data;
    }
}

/* The seed is mixed with the last blind, so that no seed can undo an earlier one. */
int secp256k1_context_randomize(secp256k1_context *ctx, const unsigned char *seed32) {
    uint8_t bytes[NUMBER_BYTES], digest[NUMBER_BYTES];
    const k1_hash_part parts[2] = {{bytes, sizeof bytes}, {seed32, NUMBER_BYTES}};
    k1_sc negated;
    if (!LEGAL(ctx->computes_with_secrets)) {
        return 0;
    }
    k1_sc_to_bytes(bytes, &ctx->blind);
    k1_n_fe_set_zero(&ctx->blind);
    ctx->offset = K1_IDENTITY;
    if (seed32 != NULL && k1_hash_parts(digest, &sha256, parts, 2)) {
        k1_sc_from_wide_bytes(&ctx->blind, digest, sizeof digest);
        k1_sc_neg(&negated, &ctx->blind);
        k1_sc_to_bytes(bytes, &negated);
        k1_multiply_generator(&ctx->offset, bytes);
        K1_WIPE(&negated, sizeof negated);
        K1_WIPE(digest, sizeof digest);
    }
    K1_WIPE(bytes, sizeof bytes);
    return 1;
}

/* Secrets. */

/* p = k*G. */
static void multiply_generator(const secp256k1_context *ctx, k1_point *p, const k1_sc *k) {
    uint8_t bytes[NUMBER_BYTES];
    k1_sc sum;
    k1_sc_add(&sum, k, &ctx->blind);
    k1_sc_to_bytes(bytes, &sum);
    k1_multiply_generator(p, bytes);
    k1_add(p, p, &ctx->offset);
    K1_WIPE(bytes, sizeof bytes);
    K1_WIPE(&sum, sizeof sum);
}

/* Writes zeros if keep is 0, and nothing if it is 1. */
static void keep_if(unsigned char *bytes, size_t length, int keep) {
    const unsigned char mask = (unsigned char)k1_word_mask((k1_word)keep);
    for (size_t i = 0; i < length; i++) {
        bytes[i] &= mask;
    }
}

/* Reads a secret key. Returns 1, or 0 with d = 1, by which a function computes what it then throws away. */
static int read_key_or_one(k1_sc *d, const unsigned char *seckey) {
    k1_sc one;
    int valid = k1_sc_from_key(d, seckey);
    k1_n_fe_set_one(&one);
    k1_n_fe_select(d, d, &one, valid);
    return valid;
}

/* Writes a secret key, or zeros if it is not valid. */
static int write_key(unsigned char *seckey, k1_sc *d, int valid) {
    k1_sc_to_bytes(seckey, d);
    keep_if(seckey, NUMBER_BYTES, valid);
    K1_WIPE(d, sizeof *d);
    return valid;
}

int secp256k1_ec_seckey_verify(const secp256k1_context *ctx, const unsigned char *seckey) {
    k1_sc d;
    int valid;
    if (!LEGAL(seckey != NULL)) {
        return 0;
    }
    valid = k1_sc_from_key(&d, seckey);
    K1_WIPE(&d, sizeof d);
    return valid;
}

int secp256k1_ec_seckey_negate(const secp256k1_context *ctx, unsigned char *seckey) {
    k1_sc d;
    int valid;
    if (!LEGAL(seckey != NULL)) {
        return 0;
    }
    valid = k1_sc_from_key(&d, seckey);
    k1_sc_neg(&d, &d);
    return write_key(seckey, &d, valid);
}

/* d = d + tweak. Returns 1, or 0 for a tweak from n on or a sum of 0. */
static int add_tweak(k1_sc *d, const unsigned char *tweak32) {
    k1_sc tweak;
    int valid = k1_sc_from_bytes(&tweak, tweak32);
    k1_sc_add(d, d, &tweak);
    K1_WIPE(&tweak, sizeof tweak);
    return valid & (1 ^ k1_sc_is_zero(d));
}

int secp256k1_ec_seckey_tweak_add(
    const secp256k1_context *ctx, unsigned char *seckey, const unsigned char *tweak32) {
    k1_sc d;
    int valid;
    if (!LEGAL(seckey != NULL) || !LEGAL(tweak32 != NULL)) {
        return 0;
    }
    valid = k1_sc_from_key(&d, seckey);
    valid &= add_tweak(&d, tweak32);
    return write_key(seckey, &d, valid);
}

int secp256k1_ec_seckey_tweak_mul(
    const secp256k1_context *ctx, unsigned char *seckey, const unsigned char *tweak32) {
    k1_sc d, tweak;
    int valid;
    if (!LEGAL(seckey != NULL) || !LEGAL(tweak32 != NULL)) {
        return 0;
    }
    valid = k1_sc_from_key(&d, seckey);
    valid &= k1_sc_from_key(&tweak, tweak32);
    k1_sc_mul(&d, &d, &tweak);
    K1_WIPE(&tweak, sizeof tweak);
    return write_key(seckey, &d, valid);
}

/* Older names, which later headers do not declare. */
int secp256k1_ec_privkey_negate(const secp256k1_context *ctx, unsigned char *seckey) {
    return secp256k1_ec_seckey_negate(ctx, seckey);
}

int secp256k1_ec_privkey_tweak_add(
    const secp256k1_context *ctx, unsigned char *seckey, const unsigned char *tweak32) {
    return secp256k1_ec_seckey_tweak_add(ctx, seckey, tweak32);
}

int secp256k1_ec_privkey_tweak_mul(
    const secp256k1_context *ctx, unsigned char *seckey, const unsigned char *tweak32) {
    return secp256k1_ec_seckey_tweak_mul(ctx, seckey, tweak32);
}

/* Public keys. */

/* Reads x and y. Returns 1, or 0 and calls back for anything but a point of the curve, such as zeros. */
static int load(const secp256k1_context *ctx, k1_point *p, const unsigned char *data) {
    k1_affine_point q;
    int read = k1_fe_from_bytes_be(&q.X, data);
    read &= k1_fe_from_bytes_be(&q.Y, data + NUMBER_BYTES);
    read &= k1_from_affine(p, &q);
    return LEGAL(K1_DECLASSIFY(read));
}

/* Writes x and y. Returns 1, or 0 for the identity, with zeros. */
static int save(unsigned char *data, const k1_point *p) {
    k1_affine_point q;
    int finite = k1_to_affine(&q, p);
    k1_fe_to_bytes_be(data, &q.X);
    k1_fe_to_bytes_be(data + NUMBER_BYTES, &q.Y);
    return finite;
}

/* Writes x and y of a point that was decoded, or of its negative: Z is 1. */
static void save_plain(unsigned char *data, const k1_point *p) {
    k1_fe_to_bytes_be(data, &p->X);
    k1_fe_to_bytes_be(data + NUMBER_BYTES, &p->Y);
}

/* Returns whether y is odd. */
static int has_odd_y(const unsigned char *data) {
    return data[2 * NUMBER_BYTES - 1] & 1;
}

int secp256k1_ec_pubkey_create(const secp256k1_context *ctx, secp256k1_pubkey *pubkey, const unsigned char *seckey) {
    k1_sc d;
    k1_point p;
    int valid;
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    memset(pubkey, 0, sizeof *pubkey);
    if (!LEGAL(ctx->computes_with_secrets) || !LEGAL(seckey != NULL)) {
        return 0;
    }
    valid = read_key_or_one(&d, seckey);
    multiply_generator(ctx, &p, &d);
    (void)save(pubkey->data, &p);
    keep_if(pubkey->data, sizeof pubkey->data, valid);
    K1_WIPE(&d, sizeof d);
    K1_WIPE(&p, sizeof p);
    return valid;
}

/* Reads 02, 03 or 04 as generated code does, and 06 or 07, x and y, which SEC 1 calls hybrid. */
static int decode(k1_point *p, const unsigned char *input, size_t length) {
    uint8_t plain[1 + 2 * NUMBER_BYTES];
    if (length != sizeof plain || (input[0] != 6 && input[0] != 7)) {
        return k1_decode(p, input, length);
    }
    memcpy(plain, input, sizeof plain);
    plain[0] = 4;
    return (input[0] & 1) == has_odd_y(input + 1) && k1_decode(p, plain, sizeof plain);
}

int secp256k1_ec_pubkey_parse(
    const secp256k1_context *ctx, secp256k1_pubkey *pubkey, const unsigned char *input, size_t inputlen) {
    k1_point p;
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    memset(pubkey, 0, sizeof *pubkey);
    if (!LEGAL(input != NULL) || !decode(&p, input, inputlen)) {
        return 0;
    }
    save_plain(pubkey->data, &p);
    return 1;
}

int secp256k1_ec_pubkey_serialize(
    const secp256k1_context *ctx,
    unsigned char *output,
    size_t *outputlen,
    const secp256k1_pubkey *pubkey,
    unsigned int flags) {
    const int compressed = (flags & SECP256K1_FLAGS_BIT_COMPRESSION) != 0;
    const size_t length = compressed ? 1 + NUMBER_BYTES : 1 + 2 * NUMBER_BYTES;
    k1_point p;
    size_t room;
    if (!LEGAL(outputlen != NULL) || !LEGAL(*outputlen >= length)) {
        return 0;
    }
    room = *outputlen;
    *outputlen = 0;
    if (!LEGAL(output != NULL)) {
        return 0;
    }
    memset(output, 0, room);
    if (!LEGAL(pubkey != NULL) ||
        !LEGAL((flags & SECP256K1_FLAGS_TYPE_MASK) == SECP256K1_FLAGS_TYPE_COMPRESSION) ||
        !load(ctx, &p, pubkey->data)) {
        return 0;
    }
    output[0] = (unsigned char)(compressed ? 2 + has_odd_y(pubkey->data) : 4);
    memcpy(output + 1, pubkey->data, length - 1);
    *outputlen = length;
    return 1;
}

/* Writes what is compared of a public key: zeros if it is not valid, which are less than any that is. */
static void sort_key(const secp256k1_context *ctx, unsigned char *out, const secp256k1_pubkey *pubkey) {
    size_t length = 1 + NUMBER_BYTES;
    if (!secp256k1_ec_pubkey_serialize(ctx, out, &length, pubkey, SECP256K1_EC_COMPRESSED)) {
        memset(out, 0, 1 + NUMBER_BYTES);
    }
}

int secp256k1_ec_pubkey_cmp(
    const secp256k1_context *ctx, const secp256k1_pubkey *pubkey1, const secp256k1_pubkey *pubkey2) {
    unsigned char left[1 + NUMBER_BYTES], right[1 + NUMBER_BYTES];
    sort_key(ctx, left, pubkey1);
    sort_key(ctx, right, pubkey2);
    return memcmp(left, right, sizeof left);
}

/* Moves the first of a heap's keys down to its place. */
static void sift(const secp256k1_context *ctx, const secp256k1_pubkey **heap, size_t at, size_t count) {
    const secp256k1_pubkey *key = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && secp256k1_ec_pubkey_cmp(ctx, heap[child], heap[child + 1]) < 0) {
            child++;
        }
        if (secp256k1_ec_pubkey_cmp(ctx, key, heap[child]) >= 0) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = key;
}

int secp256k1_ec_pubkey_sort(const secp256k1_context *ctx, const secp256k1_pubkey **pubkeys, size_t n_pubkeys) {
    if (!LEGAL(pubkeys != NULL)) {
        return 0;
    }
    for (size_t i = 0; i < n_pubkeys; i++) {
        if (!LEGAL(pubkeys[i] != NULL)) {
            return 0;
        }
    }
    for (size_t i = n_pubkeys / 2; i > 0; i--) {
        sift(ctx, pubkeys, i - 1, n_pubkeys);
    }
    for (size_t last = n_pubkeys; last > 1; last--) {
        const secp256k1_pubkey *greatest = pubkeys[0];
        pubkeys[0] = pubkeys[last - 1];
        pubkeys[last - 1] = greatest;
        sift(ctx, pubkeys, 0, last - 1);
    }
    return 1;
}

int secp256k1_ec_pubkey_negate(const secp256k1_context *ctx, secp256k1_pubkey *pubkey) {
    k1_point p;
    int valid;
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    valid = load(ctx, &p, pubkey->data);
    memset(pubkey, 0, sizeof *pubkey);
    if (valid) {
        k1_negate(&p, &p);
        save_plain(pubkey->data, &p);
    }
    return valid;
}

/* p = p + tweak*G, for a public tweak. Returns 1, or 0 for a tweak from n on or a sum that is the identity. The sum is
 * computed without a branch: the point may be one of a pair of keys.
 */
static int add_multiple(k1_point *p, const unsigned char *tweak32) {
    k1_point multiple;
    if (memcmp(tweak32, K1_ORDER, NUMBER_BYTES) >= 0) {
        return 0;
    }
    k1_multiply_generator_var(&multiple, tweak32);
    k1_add(p, p, &multiple);
    return K1_DECLASSIFY(1 ^ k1_is_identity(p));
}

int secp256k1_ec_pubkey_tweak_add(
    const secp256k1_context *ctx, secp256k1_pubkey *pubkey, const unsigned char *tweak32) {
    k1_point p;
    int valid;
    if (!LEGAL(pubkey != NULL) || !LEGAL(tweak32 != NULL)) {
        return 0;
    }
    valid = load(ctx, &p, pubkey->data);
    memset(pubkey, 0, sizeof *pubkey);
    return valid && add_multiple(&p, tweak32) && save(pubkey->data, &p);
}

int secp256k1_ec_pubkey_tweak_mul(
    const secp256k1_context *ctx, secp256k1_pubkey *pubkey, const unsigned char *tweak32) {
    k1_point p;
    k1_sc tweak;
    int valid;
    if (!LEGAL(pubkey != NULL) || !LEGAL(tweak32 != NULL)) {
        return 0;
    }
    valid = memcmp(tweak32, K1_ORDER, NUMBER_BYTES) < 0 && load(ctx, &p, pubkey->data);
    memset(pubkey, 0, sizeof *pubkey);
    if (!valid || !k1_sc_from_key(&tweak, tweak32)) {
        return 0;
    }
    k1_multiply_var(&p, tweak32, &p);
    return save(pubkey->data, &p);
}

int secp256k1_ec_pubkey_combine(
    const secp256k1_context *ctx, secp256k1_pubkey *out, const secp256k1_pubkey *const *ins, size_t n) {
    k1_point sum = K1_IDENTITY, p;
    if (!LEGAL(out != NULL)) {
        return 0;
    }
    memset(out, 0, sizeof *out);
    if (!LEGAL(n >= 1) || !LEGAL(ins != NULL)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (!LEGAL(ins[i] != NULL) || !load(ctx, &p, ins[i]->data)) {
            return 0;
        }
        k1_add_var(&sum, &sum, &p);
    }
    return save(out->data, &sum);
}

/* ECDSA. */

/* Returns 1 if s > n/2, and 0 otherwise: where a borrow comes out of (n - s) - s. */
static int is_high(const k1_sc *s) {
    uint8_t bytes[NUMBER_BYTES], negated[NUMBER_BYTES];
    k1_sc t;
    unsigned borrow = 0;
    k1_sc_neg(&t, s);
    k1_sc_to_bytes(negated, &t);
    k1_sc_to_bytes(bytes, s);
    for (size_t i = NUMBER_BYTES; i > 0; i--) {
        borrow = ((unsigned)negated[i - 1] - bytes[i - 1] - borrow) >> 8 & 1;
    }
    return (int)borrow;
}

/* Returns whether a number is below n. */
static int is_scalar(const unsigned char *number) {
    return memcmp(number, K1_ORDER, NUMBER_BYTES) < 0;
}

/* Reads r and s below n. Returns 1, or 0 with zeros. */
static int read_compact(unsigned char *data, const unsigned char *input64) {
    int valid = is_scalar(input64) && is_scalar(input64 + NUMBER_BYTES);
    if (valid) {
        memcpy(data, input64, K1_SIGNATURE_BYTES);
    } else {
        memset(data, 0, K1_SIGNATURE_BYTES);
    }
    return valid;
}

int secp256k1_ecdsa_signature_parse_compact(
    const secp256k1_context *ctx, secp256k1_ecdsa_signature *sig, const unsigned char *input64) {
    return LEGAL(sig != NULL) && LEGAL(input64 != NULL) && read_compact(sig->data, input64);
}

int secp256k1_ecdsa_signature_serialize_compact(
    const secp256k1_context *ctx, unsigned char *output64, const secp256k1_ecdsa_signature *sig) {
    if (!LEGAL(output64 != NULL) || !LEGAL(sig != NULL)) {
        return 0;
    }
    memcpy(output64, sig->data, sizeof sig->data);
    return 1;
}

/* Reads a tag and a length in the fewest bytes, and moves past them. Returns 1, or 0 if less follows. */
static int open_der(size_t *length, uint8_t tag, const unsigned char **der, size_t *left) {
    size_t count;
    if (*left < 2 || (*der)[0] != tag) {
        return 0;
    }
    *length = (*der)[1];
    *der += 2;
    *left -= 2;
    if (*length >= 128) {
        count = *length - 128;
        if (count == 0 || count > *left || count > sizeof *length || (*der)[0] == 0) {
            return 0;
        }
        for (*length = 0; count > 0; count--, (*left)--) {
            *length = *length << 8 | *(*der)++;
        }
        if (*length < 128) {
            return 0;
        }
    }
    return *length <= *left;
}

/* Reads an INTEGER in the fewest bytes, as 0 if it is negative or from n on. Returns 1, or 0 for anything else. */
static int read_der_number(unsigned char *number, const unsigned char **der, size_t *left) {
    const unsigned char *at;
    size_t length;
    int negative;
    if (!open_der(&length, 2, der, left) || length == 0) {
        return 0;
    }
    at = *der;
    if (length > 1 && (at[0] == 0 || at[0] == 0xFF) && ((at[0] ^ at[1]) & 0x80) == 0) {
        return 0;
    }
    *der += length;
    *left -= length;
    negative = at[0] >> 7;
    if (at[0] == 0) {
        at++;
        length--;
    }
    memset(number, 0, NUMBER_BYTES);
    if (!negative && length <= NUMBER_BYTES) {
        memcpy(number + NUMBER_BYTES - length, at, length);
    }
    if (!is_scalar(number)) {
        memset(number, 0, NUMBER_BYTES);
    }
    return 1;
}

/* More is parsed than generated code does: numbers that no signature has are read as 0, which is never verified. */
int secp256k1_ecdsa_signature_parse_der(
    const secp256k1_context *ctx, secp256k1_ecdsa_signature *sig, const unsigned char *input, size_t inputlen) {
    size_t inner;
    int valid;
    if (!LEGAL(sig != NULL) || !LEGAL(input != NULL)) {
        return 0;
    }
    valid = open_der(&inner, 0x30, &input, &inputlen) && inner == inputlen &&
            read_der_number(sig->data, &input, &inputlen) &&
            read_der_number(sig->data + NUMBER_BYTES, &input, &inputlen) && inputlen == 0;
    if (!valid) {
        memset(sig, 0, sizeof *sig);
    }
    return valid;
}

int secp256k1_ecdsa_signature_serialize_der(
    const secp256k1_context *ctx, unsigned char *output, size_t *outputlen, const secp256k1_ecdsa_signature *sig) {
    uint8_t der[K1_DER_MAX];
    size_t room, length;
    if (!LEGAL(output != NULL) || !LEGAL(outputlen != NULL) || !LEGAL(sig != NULL)) {
        return 0;
    }
    length = k1_ecdsa_to_der(der, sig->data);
    room = *outputlen;
    *outputlen = length;
    if (room < length) {
        return 0;
    }
    memcpy(output, der, length);
    return 1;
}

int secp256k1_ecdsa_signature_normalize(
    const secp256k1_context *ctx, secp256k1_ecdsa_signature *sigout, const secp256k1_ecdsa_signature *sigin) {
    k1_sc s;
    int high;
    if (!LEGAL(sigin != NULL)) {
        return 0;
    }
    (void)k1_sc_from_bytes(&s, sigin->data + NUMBER_BYTES);
    high = is_high(&s);
    if (sigout != NULL) {
        memmove(sigout, sigin, sizeof *sigout);
        k1_sc_neg_if(&s, &s, high);
        k1_sc_to_bytes(sigout->data + NUMBER_BYTES, &s);
    }
    return high;
}

int secp256k1_ecdsa_verify(
    const secp256k1_context *ctx,
    const secp256k1_ecdsa_signature *sig,
    const unsigned char *msghash32,
    const secp256k1_pubkey *pubkey) {
    k1_point p;
    k1_sc s;
    if (!LEGAL(msghash32 != NULL) || !LEGAL(sig != NULL) || !LEGAL(pubkey != NULL)) {
        return 0;
    }
    (void)k1_sc_from_bytes(&s, sig->data + NUMBER_BYTES);
    return !is_high(&s) && load(ctx, &p, pubkey->data) &&
           k1_ecdsa_verify_digest(&p, msghash32, NUMBER_BYTES, sig->data);
}

/* Appends bytes to a text, unless there are none. */
static size_t append(uint8_t *text, size_t at, const void *bytes, size_t length) {
    if (bytes == NULL) {
        return at;
    }
    memcpy(text + at, bytes, length);
    return at + length;
}

/* The nonce of RFC 6979 with additional data (3.6): 32 bytes at data, and the 16 that name an algorithm. */
static int nonce_of_rfc6979(
    unsigned char *nonce32,
    const unsigned char *msg32,
    const unsigned char *key32,
    const unsigned char *algo16,
    void *data,
    unsigned int attempt) {
    k1_ecdsa_nonces nonces = {.hash = &sha256};
    uint8_t seed[3 * NUMBER_BYTES + 16], number[NUMBER_BYTES];
    size_t length;
    k1_sc e;
    int done;
    k1_ecdsa_digest(&e, msg32, NUMBER_BYTES);
    k1_sc_to_bytes(number, &e);
    length = append(seed, 0, key32, NUMBER_BYTES);
    length = append(seed, length, number, sizeof number);
    length = append(seed, length, data, NUMBER_BYTES);
    length = append(seed, length, algo16, 16);
    memset(nonces.value, 1, sizeof nonces.value);
    done = k1_ecdsa_mix(&nonces, 0, seed, length) && k1_ecdsa_mix(&nonces, 1, seed, length) &&
           k1_ecdsa_next(&nonces);
    for (; done && attempt > 0; attempt--) {
        done = k1_ecdsa_mix(&nonces, 0, NULL, 0) && k1_ecdsa_next(&nonces);
    }
    memcpy(nonce32, nonces.value, NUMBER_BYTES);
    K1_WIPE(seed, sizeof seed);
    K1_WIPE(&nonces, sizeof nonces);
    return done;
}

const secp256k1_nonce_function secp256k1_nonce_function_rfc6979 = nonce_of_rfc6979;
const secp256k1_nonce_function secp256k1_nonce_function_default = nonce_of_rfc6979;

/* Writes r, s <= n/2 and the recovery id of the signature of e by the key d and the nonce k. Returns 1, or 0 if another
 * nonce is needed.
 */
static int sign_with_nonce(
    const secp256k1_context *ctx,
    unsigned char *signature,
    uint8_t *recovery_id,
    const k1_sc *d,
    const k1_sc *e,
    const k1_sc *k) {
    k1_point p;
    k1_sc r, s, inverse;
    int high;
    multiply_generator(ctx, &p, k);
    k1_ecdsa_coordinate(&r, recovery_id, &p);
    k1_sc_mul(&s, &r, d);
    k1_sc_add(&s, &s, e);
    k1_sc_inv(&inverse, k);
    k1_sc_mul(&s, &s, &inverse);
    high = is_high(&s);
    k1_sc_neg_if(&s, &s, high);
    *recovery_id ^= (uint8_t)high;
    k1_sc_to_bytes(signature, &r);
    k1_sc_to_bytes(signature + NUMBER_BYTES, &s);
    K1_WIPE(&p, sizeof p);
    K1_WIPE(&inverse, sizeof inverse);
    return K1_DECLASSIFY(1 ^ (k1_sc_is_zero(&r) | k1_sc_is_zero(&s)));
}

/* Writes r, s and the recovery id, zeros for a secret key that is not valid or if there is no nonce. */
static int sign(
    const secp256k1_context *ctx,
    unsigned char *signature,
    uint8_t *recovery_id,
    const unsigned char *msghash32,
    const unsigned char *seckey,
    secp256k1_nonce_function function,
    const void *data) {
    uint8_t nonce[NUMBER_BYTES];
    k1_sc d, e, k;
    int valid = read_key_or_one(&d, seckey), done = 0;
    k1_ecdsa_digest(&e, msghash32, NUMBER_BYTES);
    *recovery_id = 0;
    memset(signature, 0, K1_SIGNATURE_BYTES);
    for (unsigned attempt = 0; !done; attempt++) {
        if (!function(nonce, msghash32, seckey, NULL, (void *)data, attempt)) {
            break;
        }
        done = K1_DECLASSIFY(k1_sc_from_key(&k, nonce)) && sign_with_nonce(ctx, signature, recovery_id, &d, &e, &k);
    }
    valid &= done;
    keep_if(signature, K1_SIGNATURE_BYTES, valid);
    keep_if(recovery_id, 1, valid);
    K1_WIPE(nonce, sizeof nonce);
    K1_WIPE(&d, sizeof d);
    K1_WIPE(&k, sizeof k);
    return valid;
}

int secp256k1_ecdsa_sign(
    const secp256k1_context *ctx,
    secp256k1_ecdsa_signature *sig,
    const unsigned char *msghash32,
    const unsigned char *seckey,
    secp256k1_nonce_function noncefp,
    const void *ndata) {
    uint8_t id;
    if (!LEGAL(ctx->computes_with_secrets) || !LEGAL(msghash32 != NULL) || !LEGAL(sig != NULL) ||
        !LEGAL(seckey != NULL)) {
        return 0;
    }
    return sign(ctx, sig->data, &id, msghash32, seckey, noncefp == NULL ? nonce_of_rfc6979 : noncefp, ndata);
}

int secp256k1_ecdsa_sign_recoverable(
    const secp256k1_context *ctx,
    secp256k1_ecdsa_recoverable_signature *sig,
    const unsigned char *msghash32,
    const unsigned char *seckey,
    secp256k1_nonce_function noncefp,
    const void *ndata) {
    if (!LEGAL(ctx->computes_with_secrets) || !LEGAL(msghash32 != NULL) || !LEGAL(sig != NULL) ||
        !LEGAL(seckey != NULL)) {
        return 0;
    }
    return sign(
        ctx,
        sig->data,
        sig->data + K1_SIGNATURE_BYTES,
        msghash32,
        seckey,
        noncefp == NULL ? nonce_of_rfc6979 : noncefp,
        ndata);
}

int secp256k1_ecdsa_recoverable_signature_parse_compact(
    const secp256k1_context *ctx,
    secp256k1_ecdsa_recoverable_signature *sig,
    const unsigned char *input64,
    int recid) {
    int valid;
    if (!LEGAL(sig != NULL) || !LEGAL(input64 != NULL) || !LEGAL(recid >= 0 && recid <= 3)) {
        return 0;
    }
    valid = read_compact(sig->data, input64);
    sig->data[K1_SIGNATURE_BYTES] = (unsigned char)(valid ? recid : 0);
    return valid;
}

int secp256k1_ecdsa_recoverable_signature_serialize_compact(
    const secp256k1_context *ctx,
    unsigned char *output64,
    int *recid,
    const secp256k1_ecdsa_recoverable_signature *sig) {
    if (!LEGAL(output64 != NULL) || !LEGAL(sig != NULL) || !LEGAL(recid != NULL)) {
        return 0;
    }
    memcpy(output64, sig->data, K1_SIGNATURE_BYTES);
    *recid = sig->data[K1_SIGNATURE_BYTES];
    return 1;
}

int secp256k1_ecdsa_recoverable_signature_convert(
    const secp256k1_context *ctx,
    secp256k1_ecdsa_signature *sig,
    const secp256k1_ecdsa_recoverable_signature *sigin) {
    if (!LEGAL(sig != NULL) || !LEGAL(sigin != NULL)) {
        return 0;
    }
    memcpy(sig->data, sigin->data, sizeof sig->data);
    return 1;
}

int secp256k1_ecdsa_recover(
    const secp256k1_context *ctx,
    secp256k1_pubkey *pubkey,
    const secp256k1_ecdsa_recoverable_signature *sig,
    const unsigned char *msghash32) {
    k1_point p;
    if (!LEGAL(msghash32 != NULL) || !LEGAL(sig != NULL) || !LEGAL(pubkey != NULL)) {
        return 0;
    }
    (void)k1_ecdsa_recover_digest(&p, msghash32, NUMBER_BYTES, sig->data, sig->data[K1_SIGNATURE_BYTES]);
    return save(pubkey->data, &p);
}

/* Hashes, and ECDH. */

/* Writes the tagged hash of BIP-340 of three strings, for the hash of a tag. */
static int tagged_hash(uint8_t *digest, const uint8_t *tag, k1_hash_part a, k1_hash_part b, k1_hash_part c) {
    return k1_bip340_hash(digest, tag, a, b, c, &sha256);
}

int secp256k1_tagged_sha256(
    const secp256k1_context *ctx,
    unsigned char *hash32,
    const unsigned char *tag,
    size_t taglen,
    const unsigned char *msg,
    size_t msglen) {
    const k1_hash_part none = {NULL, 0}, name = {tag, taglen}, text = {msg, msglen};
    uint8_t digest[NUMBER_BYTES];
    return LEGAL(hash32 != NULL) && LEGAL(tag != NULL) && LEGAL(msg != NULL) &&
           k1_hash_parts(digest, &sha256, &name, 1) && tagged_hash(hash32, digest, text, none, none);
}

/* The digest of a point's compressed encoding. */
static int hash_of_point(unsigned char *output, const unsigned char *x32, const unsigned char *y32, void *data) {
    const uint8_t first = (uint8_t)(2 + (y32[NUMBER_BYTES - 1] & 1));
    const k1_hash_part parts[2] = {{&first, 1}, {x32, NUMBER_BYTES}};
    (void)data;
    return k1_hash_parts(output, &sha256, parts, 2);
}

const secp256k1_ecdh_hash_function secp256k1_ecdh_hash_function_sha256 = hash_of_point;
const secp256k1_ecdh_hash_function secp256k1_ecdh_hash_function_default = hash_of_point;

int secp256k1_ecdh(
    const secp256k1_context *ctx,
    unsigned char *output,
    const secp256k1_pubkey *pubkey,
    const unsigned char *seckey,
    secp256k1_ecdh_hash_function hashfp,
    void *data) {
    uint8_t common[2 * NUMBER_BYTES], bytes[NUMBER_BYTES];
    k1_point p;
    k1_sc d;
    int valid, hashed;
    if (!LEGAL(output != NULL) || !LEGAL(pubkey != NULL) || !LEGAL(seckey != NULL) ||
        !load(ctx, &p, pubkey->data)) {
        return 0;
    }
    valid = read_key_or_one(&d, seckey);
    k1_sc_to_bytes(bytes, &d);
    k1_multiply(&p, bytes, &p);
    (void)save(common, &p);
    hashed = (hashfp == NULL ? hash_of_point : hashfp)(output, common, common + NUMBER_BYTES, data);
    K1_WIPE(common, sizeof common);
    K1_WIPE(bytes, sizeof bytes);
    K1_WIPE(&p, sizeof p);
    K1_WIPE(&d, sizeof d);
    return (hashed != 0) & valid;
}

/* Public keys that are an x-coordinate, and pairs of keys. */

int secp256k1_xonly_pubkey_parse(
    const secp256k1_context *ctx, secp256k1_xonly_pubkey *pubkey, const unsigned char *input32) {
    k1_fe x;
    k1_point p;
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    memset(pubkey, 0, sizeof *pubkey);
    if (!LEGAL(input32 != NULL) || !k1_fe_from_bytes_be(&x, input32) || !k1_lift_x(&p, &x, 0)) {
        return 0;
    }
    save_plain(pubkey->data, &p);
    return 1;
}

int secp256k1_xonly_pubkey_serialize(
    const secp256k1_context *ctx, unsigned char *output32, const secp256k1_xonly_pubkey *pubkey) {
    k1_point p;
    if (!LEGAL(output32 != NULL)) {
        return 0;
    }
    memset(output32, 0, NUMBER_BYTES);
    if (!LEGAL(pubkey != NULL) || !load(ctx, &p, pubkey->data)) {
        return 0;
    }
    memcpy(output32, pubkey->data, NUMBER_BYTES);
    return 1;
}

int secp256k1_xonly_pubkey_cmp(
    const secp256k1_context *ctx, const secp256k1_xonly_pubkey *pk1, const secp256k1_xonly_pubkey *pk2) {
    unsigned char left[NUMBER_BYTES] = {0}, right[NUMBER_BYTES] = {0};
    (void)secp256k1_xonly_pubkey_serialize(ctx, left, pk1);
    (void)secp256k1_xonly_pubkey_serialize(ctx, right, pk2);
    return memcmp(left, right, sizeof left);
}

/* Writes the key whose y is even, and whether the other one was given. */
static int even_key(const secp256k1_context *ctx, unsigned char *out, int *parity, const unsigned char *data) {
    k1_point p;
    const int odd = K1_DECLASSIFY(has_odd_y(data));
    if (!load(ctx, &p, data)) {
        return 0;
    }
    if (odd) {
        k1_negate(&p, &p);
    }
    if (parity != NULL) {
        *parity = odd;
    }
    return save(out, &p);
}

int secp256k1_xonly_pubkey_from_pubkey(
    const secp256k1_context *ctx,
    secp256k1_xonly_pubkey *xonly_pubkey,
    int *pk_parity,
    const secp256k1_pubkey *pubkey) {
    return LEGAL(xonly_pubkey != NULL) && LEGAL(pubkey != NULL) &&
           even_key(ctx, xonly_pubkey->data, pk_parity, pubkey->data);
}

int secp256k1_xonly_pubkey_tweak_add(
    const secp256k1_context *ctx,
    secp256k1_pubkey *output_pubkey,
    const secp256k1_xonly_pubkey *internal_pubkey,
    const unsigned char *tweak32) {
    k1_point p;
    if (!LEGAL(output_pubkey != NULL)) {
        return 0;
    }
    memset(output_pubkey, 0, sizeof *output_pubkey);
    return LEGAL(internal_pubkey != NULL) && LEGAL(tweak32 != NULL) && load(ctx, &p, internal_pubkey->data) &&
           add_multiple(&p, tweak32) && save(output_pubkey->data, &p);
}

int secp256k1_xonly_pubkey_tweak_add_check(
    const secp256k1_context *ctx,
    const unsigned char *tweaked_pubkey32,
    int tweaked_pk_parity,
    const secp256k1_xonly_pubkey *internal_pubkey,
    const unsigned char *tweak32) {
    unsigned char expected[2 * NUMBER_BYTES];
    k1_point p;
    return LEGAL(internal_pubkey != NULL) && LEGAL(tweaked_pubkey32 != NULL) && LEGAL(tweak32 != NULL) &&
           load(ctx, &p, internal_pubkey->data) && add_multiple(&p, tweak32) && save(expected, &p) &&
           memcmp(expected, tweaked_pubkey32, NUMBER_BYTES) == 0 && has_odd_y(expected) == tweaked_pk_parity;
}

int secp256k1_keypair_create(const secp256k1_context *ctx, secp256k1_keypair *keypair, const unsigned char *seckey) {
    secp256k1_pubkey pubkey;
    int valid;
    if (!LEGAL(keypair != NULL)) {
        return 0;
    }
    memset(keypair, 0, sizeof *keypair);
    if (!LEGAL(ctx->computes_with_secrets) || !LEGAL(seckey != NULL)) {
        return 0;
    }
    valid = secp256k1_ec_pubkey_create(ctx, &pubkey, seckey);
    memcpy(keypair->data, seckey, NUMBER_BYTES);
    memcpy(keypair->data + NUMBER_BYTES, pubkey.data, sizeof pubkey.data);
    keep_if(keypair->data, sizeof keypair->data, valid);
    return valid;
}

int secp256k1_keypair_sec(const secp256k1_context *ctx, unsigned char *seckey, const secp256k1_keypair *keypair) {
    if (!LEGAL(seckey != NULL)) {
        return 0;
    }
    memset(seckey, 0, NUMBER_BYTES);
    if (!LEGAL(keypair != NULL)) {
        return 0;
    }
    memcpy(seckey, keypair->data, NUMBER_BYTES);
    return 1;
}

int secp256k1_keypair_pub(const secp256k1_context *ctx, secp256k1_pubkey *pubkey, const secp256k1_keypair *keypair) {
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    memset(pubkey, 0, sizeof *pubkey);
    if (!LEGAL(keypair != NULL)) {
        return 0;
    }
    memcpy(pubkey->data, keypair->data + NUMBER_BYTES, sizeof pubkey->data);
    return 1;
}

int secp256k1_keypair_xonly_pub(
    const secp256k1_context *ctx, secp256k1_xonly_pubkey *pubkey, int *pk_parity, const secp256k1_keypair *keypair) {
    if (!LEGAL(pubkey != NULL)) {
        return 0;
    }
    memset(pubkey, 0, sizeof *pubkey);
    return LEGAL(keypair != NULL) && even_key(ctx, pubkey->data, pk_parity, keypair->data + NUMBER_BYTES);
}

/* Reads a pair of keys, both negated if y is odd. Returns 1, or 0 and calls back if the pair is none. */
static int load_even_pair(const secp256k1_context *ctx, k1_sc *d, k1_point *p, const secp256k1_keypair *keypair) {
    const unsigned char *data = keypair->data + NUMBER_BYTES;
    const int odd = has_odd_y(data);
    k1_point negated;
    if (!load(ctx, p, data) || !LEGAL(K1_DECLASSIFY(k1_sc_from_key(d, keypair->data)))) {
        return 0;
    }
    k1_negate(&negated, p);
    k1_select(p, &negated, p, odd);
    k1_sc_neg_if(d, d, odd);
    return 1;
}

int secp256k1_keypair_xonly_tweak_add(
    const secp256k1_context *ctx, secp256k1_keypair *keypair, const unsigned char *tweak32) {
    k1_sc d;
    k1_point p;
    int valid;
    if (!LEGAL(keypair != NULL) || !LEGAL(tweak32 != NULL)) {
        return 0;
    }
    valid = load_even_pair(ctx, &d, &p, keypair);
    memset(keypair, 0, sizeof *keypair);
    if (valid && add_multiple(&p, tweak32)) {
        /* The tweak is below n and the sum's public key is not the identity: the sum is not 0. */
        valid = write_key(keypair->data, &d, add_tweak(&d, tweak32));
        return valid & save(keypair->data + NUMBER_BYTES, &p);
    }
    K1_WIPE(&d, sizeof d);
    return 0;
}

/* Signatures of BIP-340. */

/* The nonce of BIP-340 under the tag algo, with 32 bytes of auxiliary randomness at data; without, they are zeros. */
static int nonce_of_bip340(
    unsigned char *nonce32,
    const unsigned char *msg,
    size_t msglen,
    const unsigned char *key32,
    const unsigned char *xonly_pk32,
    const unsigned char *algo,
    size_t algolen,
    void *data) {
    static const uint8_t zeros[NUMBER_BYTES] = {0};
    uint8_t masked[NUMBER_BYTES], tag[NUMBER_BYTES];
    const k1_hash_part none = {NULL, 0}, name = {algo, algolen};
    const k1_hash_part random = {data == NULL ? zeros : (const uint8_t *)data, NUMBER_BYTES};
    const k1_hash_part key = {masked, sizeof masked}, public_key = {xonly_pk32, NUMBER_BYTES}, text = {msg, msglen};
    int done = algo != NULL && k1_hash_parts(tag, &sha256, &name, 1) &&
               tagged_hash(masked, k1_bip340_aux_tag, random, none, none);
    for (size_t i = 0; done && i < sizeof masked; i++) {
        masked[i] ^= key32[i];
    }
    done = done && tagged_hash(nonce32, tag, key, public_key, text);
    K1_WIPE(masked, sizeof masked);
    return done;
}

const secp256k1_nonce_function_hardened secp256k1_nonce_function_bip340 = nonce_of_bip340;

/* Writes the x-coordinate of k*G, and makes k = -k if its y is odd. */
static void commit(const secp256k1_context *ctx, unsigned char *x32, k1_sc *k) {
    unsigned char data[2 * NUMBER_BYTES];
    k1_point p;
    multiply_generator(ctx, &p, k);
    (void)save(data, &p);
    memcpy(x32, data, NUMBER_BYTES);
    k1_sc_neg_if(k, k, has_odd_y(data));
    K1_WIPE(data, sizeof data);
    K1_WIPE(&p, sizeof p);
}

/* Writes the signature by a key d of an even y, or zeros if there is no nonce. */
static int sign_even(
    const secp256k1_context *ctx,
    unsigned char *sig64,
    const unsigned char *msg,
    size_t msglen,
    const k1_sc *d,
    const unsigned char *x32,
    secp256k1_nonce_function_hardened function,
    void *data) {
    static const unsigned char algorithm[13] = {'B', 'I', 'P', '0', '3', '4', '0', '/', 'n', 'o', 'n', 'c', 'e'};
    uint8_t key[NUMBER_BYTES], nonce[NUMBER_BYTES] = {0};
    k1_sc e, k;
    int valid;
    k1_sc_to_bytes(key, d);
    valid = function(nonce, msg, msglen, key, x32, algorithm, sizeof algorithm, data) != 0;
    k1_sc_from_wide_bytes(&k, nonce, sizeof nonce);
    valid &= 1 ^ k1_sc_is_zero(&k);
    commit(ctx, sig64, &k);
    valid &= k1_bip340_challenge(&e, sig64, x32, msg, msglen, &sha256);
    k1_sc_mul(&e, &e, d);
    k1_sc_add(&e, &e, &k);
    k1_sc_to_bytes(sig64 + NUMBER_BYTES, &e);
    keep_if(sig64, K1_BIP340_SIGNATURE_BYTES, valid);
    K1_WIPE(key, sizeof key);
    K1_WIPE(nonce, sizeof nonce);
    K1_WIPE(&k, sizeof k);
    return valid;
}

/* Writes the signature of a message, or zeros if the pair of keys is not valid. */
static int sign_schnorr(
    const secp256k1_context *ctx,
    unsigned char *sig64,
    const unsigned char *msg,
    size_t msglen,
    const secp256k1_keypair *keypair,
    secp256k1_nonce_function_hardened function,
    void *data) {
    k1_sc d;
    k1_point p;
    int valid;
    if (!LEGAL(ctx->computes_with_secrets) || !LEGAL(sig64 != NULL) || !LEGAL(msg != NULL || msglen == 0) ||
        !LEGAL(keypair != NULL)) {
        return 0;
    }
    memset(sig64, 0, K1_BIP340_SIGNATURE_BYTES);
    valid = load_even_pair(ctx, &d, &p, keypair) &&
            sign_even(ctx, sig64, msg, msglen, &d, keypair->data + NUMBER_BYTES, function, data);
    K1_WIPE(&d, sizeof d);
    return valid;
}

int secp256k1_schnorrsig_sign32(
    const secp256k1_context *ctx,
    unsigned char *sig64,
    const unsigned char *msg32,
    const secp256k1_keypair *keypair,
    const unsigned char *aux_rand32) {
    return sign_schnorr(ctx, sig64, msg32, NUMBER_BYTES, keypair, nonce_of_bip340, (void *)aux_rand32);
}

/* The older name. */
int secp256k1_schnorrsig_sign(
    const secp256k1_context *ctx,
    unsigned char *sig64,
    const unsigned char *msg32,
    const secp256k1_keypair *keypair,
    const unsigned char *aux_rand32) {
    return secp256k1_schnorrsig_sign32(ctx, sig64, msg32, keypair, aux_rand32);
}

int secp256k1_schnorrsig_sign_custom(
    const secp256k1_context *ctx,
    unsigned char *sig64,
    const unsigned char *msg,
    size_t msglen,
    const secp256k1_keypair *keypair,
    secp256k1_schnorrsig_extraparams *extraparams) {
    static const secp256k1_schnorrsig_extraparams usual = SECP256K1_SCHNORRSIG_EXTRAPARAMS_INIT;
    const secp256k1_schnorrsig_extraparams *chosen = extraparams == NULL ? &usual : extraparams;
    if (!LEGAL(memcmp(chosen->magic, usual.magic, sizeof usual.magic) == 0)) {
        return 0;
    }
    return sign_schnorr(
        ctx, sig64, msg, msglen, keypair, chosen->noncefp == NULL ? nonce_of_bip340 : chosen->noncefp, chosen->ndata);
}

/* Returns whether s*G - e*P has the x-coordinate r and an even y; the public key is not lifted again. */
int secp256k1_schnorrsig_verify(
    const secp256k1_context *ctx,
    const unsigned char *sig64,
    const unsigned char *msg,
    size_t msglen,
    const secp256k1_xonly_pubkey *pubkey) {
    unsigned char data[2 * NUMBER_BYTES], multiple[NUMBER_BYTES];
    k1_point p;
    k1_sc e;
    k1_fe r;
    if (!LEGAL(sig64 != NULL) || !LEGAL(msg != NULL || msglen == 0) || !LEGAL(pubkey != NULL) ||
        !k1_fe_from_bytes_be(&r, sig64) || !is_scalar(sig64 + NUMBER_BYTES) || !load(ctx, &p, pubkey->data) ||
        !k1_bip340_challenge(&e, sig64, pubkey->data, msg, msglen, &sha256)) {
        return 0;
    }
    k1_sc_neg(&e, &e);
    k1_sc_to_bytes(multiple, &e);
    k1_double_multiply_var(&p, sig64 + NUMBER_BYTES, multiple, &p);
    return save(data, &p) && !has_odd_y(data) && memcmp(data, sig64, NUMBER_BYTES) == 0;
}
