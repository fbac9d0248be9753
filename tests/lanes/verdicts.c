/* Verdicts on signatures: in the first line what texts are and their number, then a key, a text and a signature in each.
 *
 * Texts are digests, or messages by a hash function. For each signature four verdicts are written, of the batch and of
 * one signature, and of both where the hash function fails for every other digest. Then the results of both batches.
 * Every input begins at an odd address.
 */
#include HEADER

#include <stdio.h>

#include "whole_hash_openssl.h"

#define MOST 4096
#define LONGEST 4096

/* Reads bytes in hexadecimal, "-" for none, and returns their number. */
static size_t read_bytes(uint8_t *bytes) {
    static char text[2 * LONGEST + 1];
    size_t length;
    if (scanf("%8192s", text) != 1 || text[0] == '-') {
        return 0;
    }
    length = strlen(text) / 2;
    for (size_t i = 0; i < length; i++) {
        unsigned byte;
        bytes[i] = sscanf(text + 2 * i, "%2x", &byte) == 1 ? (uint8_t)byte : 0;
    }
    return length;
}

/* Hashes, and fails for every digest whose first byte is odd. */
static int final_or_not(void *state, uint8_t *digest, size_t length) {
    return whole_hash_openssl_final(state, digest, length) && digest[0] % 2 == 0;
}

static whole_hash_part texts[MOST];
static uint8_t signatures[MOST * WHOLE_SIGNATURE_BYTES + 1];

#ifdef IS_ECDSA
static whole_point keys[MOST];

/* Reads x and y in turn, "-" for the identity; a point that is not on the curve has other coordinates. */
static void read_key(size_t i) {
    uint8_t bytes[LONGEST];
    whole_affine_point p;
    keys[i] = WHOLE_IDENTITY;
    if (read_bytes(bytes) > 0) {
        (void)whole_fe_from_bytes_be(&p.X, bytes);
        (void)whole_fe_from_bytes_be(&p.Y, bytes + WHOLE_FIELD_BYTES);
        if (!whole_from_affine(&keys[i], &p)) {
            keys[i] = WHOLE_GENERATOR;
            keys[i].X = keys[i].Y;
        }
    }
}

static int batch(uint8_t *valid, size_t n, const whole_hash *hash) {
    const uint8_t *from = signatures + 1;
    return hash == NULL ? whole_ecdsa_verify_digest_batch(valid, keys, texts, from, n)
                        : whole_ecdsa_verify_batch(valid, keys, texts, from, n, hash);
}

static int one(size_t i, const whole_hash *hash) {
    const uint8_t *from = signatures + 1 + WHOLE_SIGNATURE_BYTES * i;
    return hash == NULL ? whole_ecdsa_verify_digest(&keys[i], texts[i].bytes, texts[i].length, from)
                        : whole_ecdsa_verify_message(&keys[i], texts[i].bytes, texts[i].length, from, hash);
}
#else
static uint8_t keys[MOST * WHOLE_ENCODED_BYTES + 1];
static uint8_t context[LONGEST];
static size_t context_length;

static void read_key(size_t i) {
    (void)read_bytes(keys + 1 + WHOLE_ENCODED_BYTES * i);
}

static int batch(uint8_t *valid, size_t n, const whole_hash *hash) {
    return whole_eddsa_verify_batch(valid, keys + 1, texts, signatures + 1, n CONTEXT, hash);
}

static int one(size_t i, const whole_hash *hash) {
    const uint8_t *from = signatures + 1 + WHOLE_SIGNATURE_BYTES * i;
    const uint8_t *key = keys + 1 + WHOLE_ENCODED_BYTES * i;
    return whole_eddsa_verify(key, texts[i].bytes, texts[i].length, from CONTEXT, hash);
}
#endif

static const EVP_MD *named(const char *name) {
    return strcmp(name, "shake256") == 0 ? EVP_shake256() : strcmp(name, "sha512") == 0 ? EVP_sha512() : EVP_sha256();
}

int main(void) {
    static uint8_t memory[MOST * LONGEST / 16], valid[2][MOST + 2];
    uint8_t *next = memory;
    char name[16];
    unsigned n;
    int all[2];
    if (scanf("%15s %u", name, &n) != 2 || n > MOST) {
        return 1;
    }
#ifndef IS_ECDSA
    context_length = read_bytes(context);
#endif
    for (size_t i = 0; i < n; i++) {
        read_key(i);
        next += 1 - (next - memory) % 2;
        texts[i].bytes = next;
        texts[i].length = read_bytes(next);
        next += texts[i].length;
        (void)read_bytes(signatures + 1 + WHOLE_SIGNATURE_BYTES * i);
    }
    whole_hash hash = whole_hash_openssl(named(name)), failing = hash;
    failing.final = final_or_not;
    const int digests = strcmp(name, "digests") == 0;
    const whole_hash *hashes[2] = {digests ? NULL : &hash, digests ? NULL : &failing};
    for (int i = 0; i < 2; i++) {
        memset(valid[i], 0xa5, n + 2);
        all[i] = batch(valid[i] + 1, n, hashes[i]);
        if (valid[i][0] != 0xa5 || valid[i][n + 1] != 0xa5) {
            return 2;
        }
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d %d %d %d\n", valid[0][i + 1], one(i, hashes[0]), valid[1][i + 1], one(i, hashes[1]));
    }
    printf("%d %d\n", all[0], all[1]);
    return whole_lanes_available() ? 0 : 3;
}
