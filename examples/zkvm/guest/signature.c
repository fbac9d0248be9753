/* Verify an Ed25519 signature [RFC 8032, section 5.1.7]: the whole check, by R = S G + h (-A), where h is the hash of R, A
 * and the message modulo L, and all that is decoded is checked. The host gives the x coordinates and the hints of half.h.
 */
#include "half.h"
#include "sha512.h"

ZK_IO struct {
    uint8_t signature[64], key[32];
    uint32_t x_of_r[8], x_of_key[8];
    half_hints hints;
    uint32_t size;
    uint8_t message[1024];
} io;

/* Decode a point of which x is given, with the parity that the highest bit says; check_sum checks the rest. */
static void decode(uint32_t *point, const uint8_t *encoded, const uint32_t *x) {
    for (int i = 0; i < 8; i++) {
        point[i] = x[i];
        point[8 + i] = ((const uint32_t *)encoded)[i];
    }
    if (point[15] >> 31 != (x[0] & 1)) zk_halt(ZK_BAD_ENCODING);
    point[15] &= 0x7fffffff;
}

/* h = the hash of R, A and the message modulo L. */
static void challenge(uint32_t *h) {
    static sha512 hash;
    static uint32_t digest[16];
    sha512_start(&hash);
    sha512_update(&hash, io.signature, 32);
    sha512_update(&hash, io.key, 32);
    sha512_update(&hash, io.message, io.size);
    sha512_finish(&hash, (uint8_t *)digest);
    zk_modmul(h, digest + 8, words_2_256, order);
    zk_modmul(digest, digest, zk_one, order);
    zk_add(h, h, digest);
    zk_modmul(h, h, zk_one, order);
    if (!zk_below(h, order)) zk_halt(ZK_NOT_REDUCED);
}

int guest(void) {
    static uint32_t r[16], key[16], h[8];
    const uint32_t *s = (const uint32_t *)(io.signature + 32);
    if (!zk_below(s, order)) zk_halt(ZK_OUT_OF_RANGE);
    if (io.size > sizeof io.message) zk_halt(ZK_OUT_OF_RANGE);
    decode(r, io.signature, io.x_of_r);
    decode(key, io.key, io.x_of_key);
    if (!zk_below(key, zk_prime)) zk_halt(ZK_BAD_POINT); /* check_sum sees -A alone */
    zk_mul(key, key, zk_minus_one);
    challenge(h);
    zk_mark(1);
    check_sum(s, h, key, r, &io.hints);
    zk_mark(2);
    return 0;
}
