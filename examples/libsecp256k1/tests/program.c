/* Calls of libsecp256k1's functions, random ones and malformed ones: prints all results, by which two libraries are
 * compared. The argument is the seed; without one a call is illegal and no callback is set.
 */

/* Without it the header promises compilers that no argument is NULL. */
#define SECP256K1_BUILD

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, KEYS = 7 };

static uint64_t state;
static int illegal;
static secp256k1_context *ctx;

/* Numbers about 0, n, n/2, p, p - n and 2^256. */
static const char *const edges[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000001",
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364142",
    "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0",
    "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1",
    "000000000000000000000000000000014551231950b75fc4402da1722fc9baed",
    "000000000000000000000000000000014551231950b75fc4402da1722fc9baee",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};
enum { EDGES = sizeof edges / sizeof edges[0] };

static unsigned below(unsigned bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % bound;
}

static void fill(unsigned char *out, size_t length) {
    for (size_t i = 0; i < length; i++) {
        out[i] = (unsigned char)below(256);
    }
}

static void edge(unsigned char *out, unsigned number) {
    for (size_t i = 0; i < 32; i++) {
        unsigned byte;
        sscanf(edges[number] + 2 * i, "%2x", &byte);
        out[i] = (unsigned char)byte;
    }
}

/* Draws 32 bytes, in one of four cases a number of the edges. */
static void draw(unsigned char *out) {
    fill(out, 32);
    if (below(4) == 0) {
        edge(out, below(EDGES));
    }
}

static void show(const char *name, int result, const void *out, size_t length) {
    printf("%s %d %d ", name, illegal, result);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", ((const unsigned char *)out)[i]);
    }
    printf("\n");
}

/* Shows a public key by its encoding, or whether a failure left zeros. */
static void show_key(const char *name, int result, const void *key) {
    static const unsigned char zeros[64];
    unsigned char out[65];
    size_t length = sizeof out;
    if (result) {
        (void)secp256k1_ec_pubkey_serialize(ctx, out, &length, key, SECP256K1_EC_UNCOMPRESSED);
        show(name, result, out, length);
    } else {
        printf("%s zeros %d\n", name, memcmp(key, zeros, sizeof zeros) == 0);
        show(name, result, NULL, 0);
    }
}

static void show_signature(const char *name, int result, const secp256k1_ecdsa_signature *signature) {
    unsigned char out[80];
    size_t length = below(8) == 0 ? below(80) : 80;
    (void)secp256k1_ecdsa_signature_serialize_compact(ctx, out, signature);
    show(name, result, out, 64);
    result = secp256k1_ecdsa_signature_serialize_der(ctx, out, &length, signature);
    show("serialize_der", result, out, result ? length : 0);
    show("length", (int)length, NULL, 0);
}

static void count(const char *message, void *data) {
    (void)message;
    ++*(int *)data;
}

static void secrets(void) {
    unsigned char key[32], tweak[32], out[32];
    draw(key);
    draw(tweak);
    if (below(4) == 0) {
        memcpy(tweak, key, 32);
        (void)secp256k1_ec_seckey_negate(ctx, tweak);
    }
    show("seckey_verify", secp256k1_ec_seckey_verify(ctx, key), NULL, 0);
    memcpy(out, key, 32);
    show("seckey_negate", secp256k1_ec_seckey_negate(ctx, out), out, 32);
    memcpy(out, key, 32);
    show("seckey_tweak_add", secp256k1_ec_seckey_tweak_add(ctx, out, tweak), out, 32);
    memcpy(out, key, 32);
    show("seckey_tweak_mul", secp256k1_ec_seckey_tweak_mul(ctx, out, tweak), out, 32);
}

static void public_keys(void) {
    unsigned char key[32], tweak[32];
    secp256k1_pubkey a, b, sum;
    const secp256k1_pubkey *both[2] = {&a, &b};
    draw(key);
    draw(tweak);
    int made = secp256k1_ec_pubkey_create(ctx, &a, key);
    show_key("pubkey_create", made, &a);
    if (!made) {
        edge(key, 1);
        (void)secp256k1_ec_pubkey_create(ctx, &a, key);
    }
    if (below(4) == 0) {
        memcpy(tweak, key, 32);
        (void)secp256k1_ec_seckey_negate(ctx, tweak);
    }
    b = a;
    show_key("pubkey_negate", secp256k1_ec_pubkey_negate(ctx, &b), &b);
    show_key("pubkey_combine", secp256k1_ec_pubkey_combine(ctx, &sum, both, 1 + below(2)), &sum);
    b = a;
    show_key("pubkey_combine", secp256k1_ec_pubkey_combine(ctx, &sum, both, 2), &sum);
    show_key("pubkey_tweak_add", secp256k1_ec_pubkey_tweak_add(ctx, &b, tweak), &b);
    b = a;
    show_key("pubkey_tweak_mul", secp256k1_ec_pubkey_tweak_mul(ctx, &b, tweak), &b);
}

static void encodings(void) {
    unsigned char key[32], input[66] = {0}, out[70];
    secp256k1_pubkey p;
    size_t length = 65;
    fill(key, 32);
    (void)secp256k1_ec_pubkey_create(ctx, &p, key);
    (void)secp256k1_ec_pubkey_serialize(ctx, input, &length, &p, SECP256K1_EC_UNCOMPRESSED);
    for (unsigned first = 0; first < 9; first++) {
        input[0] = (unsigned char)first;
        show_key("pubkey_parse", secp256k1_ec_pubkey_parse(ctx, &p, input, 33), &p);
        show_key("pubkey_parse", secp256k1_ec_pubkey_parse(ctx, &p, input, 65), &p);
    }
    input[0] = (unsigned char)(2 + below(6));
    show_key("pubkey_parse", secp256k1_ec_pubkey_parse(ctx, &p, input, below(67)), &p);
    input[1 + below(64)] ^= 1;
    show_key("pubkey_parse", secp256k1_ec_pubkey_parse(ctx, &p, input, 65), &p);
    draw(input + 1);
    input[0] = (unsigned char)(2 + below(2));
    if (secp256k1_ec_pubkey_parse(ctx, &p, input, 33)) {
        length = below(70);
        unsigned flags = below(2) ? SECP256K1_EC_COMPRESSED : SECP256K1_EC_UNCOMPRESSED;
        memset(out, 0xAA, sizeof out);
        int done = secp256k1_ec_pubkey_serialize(ctx, out, &length, &p, flags);
        show("pubkey_serialize", done, out, sizeof out);
        show("length", (int)length, NULL, 0);
    }
}

static int sign_of(int number) {
    return (number > 0) - (number < 0);
}

static void orders(void) {
    unsigned char key[32] = {1};
    secp256k1_pubkey p[KEYS];
    const secp256k1_pubkey *sorted[KEYS];
    for (int i = 0; i < KEYS; i++) {
        key[31] = (unsigned char)below(8);
        (void)secp256k1_ec_pubkey_create(ctx, &p[i], key);
        sorted[i] = &p[i];
    }
    show("pubkey_cmp", sign_of(secp256k1_ec_pubkey_cmp(ctx, &p[0], &p[1])), NULL, 0);
    show("pubkey_sort", secp256k1_ec_pubkey_sort(ctx, sorted, below(KEYS + 1)), NULL, 0);
    for (int i = 0; i < KEYS; i++) {
        show_key("sorted", 1, sorted[i]);
    }
}

/* Nonces: 0, n, then one of the data; no more than as many attempts as its first byte says. */
static int nonces(
    unsigned char *nonce32,
    const unsigned char *msg32,
    const unsigned char *key32,
    const unsigned char *algo16,
    void *data,
    unsigned int attempt) {
    const unsigned char *bytes = data;
    (void)msg32;
    (void)key32;
    printf("attempt %u %d\n", attempt, algo16 == NULL);
    edge(nonce32, attempt == 0 ? 0 : 3);
    if (attempt == 2) {
        memcpy(nonce32, bytes, 32);
    }
    return attempt < 3u + bytes[0] % 2u && !(bytes[1] < 32 && attempt == 1);
}

static void signatures(void) {
    unsigned char key[32], digest[32], data[32], nonce[32];
    secp256k1_ecdsa_signature signature, low;
    secp256k1_pubkey p;
    draw(key);
    draw(digest);
    fill(data, 32);
    unsigned attempt = below(4);
    int done = secp256k1_nonce_function_rfc6979(
        nonce, digest, key, below(2) ? data : NULL, below(2) ? data : NULL, attempt);
    show("nonce_function_rfc6979", done, nonce, 32);
    done = secp256k1_nonce_function_default(nonce, digest, key, NULL, NULL, 0);
    show("nonce_function_default", done, nonce, 32);
    done = secp256k1_ecdsa_sign(ctx, &signature, digest, key, below(2) ? nonces : NULL, data);
    show_signature("ecdsa_sign", done, &signature);
    done = secp256k1_ecdsa_sign(ctx, &signature, digest, key, NULL, NULL);
    show_signature("ecdsa_sign", done, &signature);
    if (!secp256k1_ec_pubkey_create(ctx, &p, key)) {
        return;
    }
    show("ecdsa_verify", secp256k1_ecdsa_verify(ctx, &signature, digest, &p), NULL, 0);
    unsigned char compact[64];
    (void)secp256k1_ecdsa_signature_serialize_compact(ctx, compact, &signature);
    (void)secp256k1_ec_seckey_negate(ctx, compact + 32);
    (void)secp256k1_ecdsa_signature_parse_compact(ctx, &signature, compact);
    show("ecdsa_verify high", secp256k1_ecdsa_verify(ctx, &signature, digest, &p), NULL, 0);
    show_signature("normalize", secp256k1_ecdsa_signature_normalize(ctx, &low, &signature), &low);
    show("normalize", secp256k1_ecdsa_signature_normalize(ctx, NULL, &low), NULL, 0);
    show("ecdsa_verify low", secp256k1_ecdsa_verify(ctx, &low, digest, &p), NULL, 0);
    digest[below(32)] ^= 1;
    show("ecdsa_verify other", secp256k1_ecdsa_verify(ctx, &low, digest, &p), NULL, 0);
    draw(compact + 32 * below(2));
    done = secp256k1_ecdsa_signature_parse_compact(ctx, &signature, compact);
    show_signature("parse_compact", done, &signature);
    show_signature("normalize", secp256k1_ecdsa_signature_normalize(ctx, &signature, &signature), &signature);
    show("ecdsa_verify any", secp256k1_ecdsa_verify(ctx, &signature, digest, &p), NULL, 0);
}

/* Writes a tag and a length, in the fewest bytes, or in another form. */
static size_t head(unsigned char *out, unsigned tag, size_t length, unsigned form) {
    size_t at = 0, count = length > 0xffff ? 3 : length > 0xff ? 2 : length > 0x7f || form == 1;
    out[at++] = (unsigned char)tag;
    if (form == 2) {
        out[at++] = (unsigned char)(0x80 + below(128));
        return at;
    }
    count += form == 3;
    if (count > 0) {
        out[at++] = (unsigned char)(0x80 + count);
    }
    for (count = count == 0 ? 1 : count; count > 0; count--) {
        out[at++] = (unsigned char)(count > 4 ? 0 : length >> 8 * (count - 1));
    }
    return at;
}

static void ders(void) {
    static const size_t lengths[] = {
        0, 1, 1, 2, 16, 31, 32, 32, 32, 33, 33, 33, 33, 34, 100, 128, 200, 256, 300, 70000,
    };
    static unsigned char numbers[150000], input[150010];
    static const unsigned char firsts[] = {0, 0, 0, 0x7f, 0x80, 0xff};
    secp256k1_ecdsa_signature signature;
    size_t length = 0, at;
    for (int i = 0; i < 2; i++) {
        size_t count = lengths[below(sizeof lengths / sizeof lengths[0])];
        length += head(numbers + length, below(30) ? 2 : 3, count, below(6) ? 0 : below(4));
        fill(numbers + length, count);
        for (int j = 0; count > 1 && j < 2 && below(3) > 0; j++) {
            numbers[length + (size_t)j] = firsts[below(sizeof firsts)];
        }
        if (count >= 32 && below(6) == 0) {
            edge(numbers + length + count - 32, below(EDGES));
        }
        length += count;
    }
    at = head(input, below(30) ? 0x30 : 0x31, length, below(8) ? 0 : below(4));
    memcpy(input + at, numbers, length);
    length += at;
    if (below(6) == 0) {
        length -= below(length < 8 ? (unsigned)length : 8);
    } else if (below(12) == 0) {
        input[length++] = 0;
    }
    show_signature("parse_der", secp256k1_ecdsa_signature_parse_der(ctx, &signature, input, length), &signature);
    input[below((unsigned)(length < 72 ? length : 72))] ^= (unsigned char)(1 << below(8));
    show_signature("parse_der", secp256k1_ecdsa_signature_parse_der(ctx, &signature, input, length), &signature);
}

static void recoveries(void) {
    unsigned char key[32], digest[32], data[32], compact[64];
    secp256k1_ecdsa_recoverable_signature signature;
    secp256k1_ecdsa_signature plain;
    secp256k1_pubkey p;
    int id = -5;
    draw(key);
    draw(digest);
    fill(data, 32);
    int done = secp256k1_ecdsa_sign_recoverable(ctx, &signature, digest, key, below(3) ? NULL : nonces, data);
    show("sign_recoverable", done, NULL, 0);
    done = secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, compact, &id, &signature);
    show("recoverable serialize", done, compact, 64);
    show("id", id, NULL, 0);
    done = secp256k1_ecdsa_recoverable_signature_convert(ctx, &plain, &signature);
    show_signature("convert", done, &plain);
    show_key("recover", secp256k1_ecdsa_recover(ctx, &p, &signature, digest), &p);
    if (below(2)) {
        draw(compact + 32 * below(2));
    }
    if (below(3) == 0) {
        memset(compact, 0, 16);
    }
    for (int other = -1; other < 5; other++) {
        done = secp256k1_ecdsa_recoverable_signature_parse_compact(ctx, &signature, compact, other);
        show("recoverable parse", done, NULL, 0);
        if (other >= 0 && other < 4) {
            (void)secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, compact, &id, &signature);
            show("recoverable serialize", id, compact, 64);
            show_key("recover", secp256k1_ecdsa_recover(ctx, &p, &signature, digest), &p);
        }
    }
}

static int both_coordinates(unsigned char *output, const unsigned char *x32, const unsigned char *y32, void *data) {
    memcpy(output, x32, 32);
    memcpy(output + 32, y32, 32);
    return *(int *)data;
}

static void exchanges(void) {
    unsigned char key[32], out[64] = {0}, text[200];
    secp256k1_pubkey p;
    int answer = (int)below(2);
    size_t length = below(200);
    fill(key, 32);
    (void)secp256k1_ec_pubkey_create(ctx, &p, key);
    draw(key);
    show("ecdh", secp256k1_ecdh(ctx, out, &p, key, NULL, NULL), out, 32);
    show("ecdh", secp256k1_ecdh(ctx, out, &p, key, secp256k1_ecdh_hash_function_sha256, NULL), out, 32);
    show("ecdh", secp256k1_ecdh(ctx, out, &p, key, secp256k1_ecdh_hash_function_default, NULL), out, 32);
    show("ecdh", secp256k1_ecdh(ctx, out, &p, key, both_coordinates, &answer), out, 64);
    fill(text, sizeof text);
    show("tagged_sha256", secp256k1_tagged_sha256(ctx, out, text, below(100), text, length), out, 32);
}

static void show_pair(const char *name, int result, const secp256k1_keypair *pair) {
    unsigned char key[32];
    secp256k1_pubkey p;
    secp256k1_xonly_pubkey x;
    int parity = -5;
    show("keypair_sec", secp256k1_keypair_sec(ctx, key, pair), key, 32);
    (void)secp256k1_keypair_pub(ctx, &p, pair);
    show_key(name, result, &p);
    show("keypair_xonly_pub", secp256k1_keypair_xonly_pub(ctx, &x, &parity, pair), NULL, 0);
    show_key("keypair_xonly_pub", result, &x);
    show("parity", parity, NULL, 0);
}

static void pairs(void) {
    unsigned char key[32], tweak[32], out[32];
    secp256k1_keypair pair;
    secp256k1_pubkey p, q;
    secp256k1_xonly_pubkey x, y;
    int parity = -5;
    draw(key);
    draw(tweak);
    int made = secp256k1_keypair_create(ctx, &pair, key);
    show_pair("keypair_create", made, &pair);
    draw(out);
    show_key("xonly_parse", secp256k1_xonly_pubkey_parse(ctx, &y, out), &y);
    if (!made) {
        show("keypair_tweak_add", secp256k1_keypair_xonly_tweak_add(ctx, &pair, tweak), NULL, 0);
        return;
    }
    (void)secp256k1_keypair_pub(ctx, &p, &pair);
    show_key("xonly_from_pubkey", secp256k1_xonly_pubkey_from_pubkey(ctx, &x, &parity, &p), &x);
    show("parity", parity, NULL, 0);
    show("xonly_serialize", secp256k1_xonly_pubkey_serialize(ctx, out, &x), out, 32);
    show_key("xonly_parse", secp256k1_xonly_pubkey_parse(ctx, &x, out), &x);
    if (below(4) == 0) {
        memcpy(tweak, key, 32);
        if (parity == 0) {
            (void)secp256k1_ec_seckey_negate(ctx, tweak);
        }
    }
    int done = secp256k1_xonly_pubkey_tweak_add(ctx, &q, &x, tweak);
    show_key("xonly_tweak_add", done, &q);
    if (done) {
        (void)secp256k1_xonly_pubkey_from_pubkey(ctx, &y, &parity, &q);
        show("xonly_cmp", sign_of(secp256k1_xonly_pubkey_cmp(ctx, &x, &y)), NULL, 0);
        (void)secp256k1_xonly_pubkey_serialize(ctx, out, &y);
    }
    for (int odd = -1; odd < 3; odd++) {
        show("tweak_add_check", secp256k1_xonly_pubkey_tweak_add_check(ctx, out, odd, &x, tweak), NULL, 0);
    }
    out[below(32)] ^= 1;
    show("tweak_add_check", secp256k1_xonly_pubkey_tweak_add_check(ctx, out, parity, &x, tweak), NULL, 0);
    done = secp256k1_keypair_xonly_tweak_add(ctx, &pair, tweak);
    show_pair("keypair_tweak_add", done, &pair);
}

/* A nonce of the data, or a failure. */
static int hardened(
    unsigned char *nonce32,
    const unsigned char *msg,
    size_t msglen,
    const unsigned char *key32,
    const unsigned char *xonly_pk32,
    const unsigned char *algo,
    size_t algolen,
    void *data) {
    (void)msg;
    (void)msglen;
    show("key", 1, key32, 32);
    show("public key", 1, xonly_pk32, 32);
    show("algo", 1, algo, algolen);
    memcpy(nonce32, data, 32);
    return ((const unsigned char *)data)[31] % 4 != 0;
}

static void schnorrs(void) {
    unsigned char key[32], text[300], random[32], signature[64], nonce[32];
    size_t length = below(300), at = below(64);
    secp256k1_keypair pair;
    secp256k1_xonly_pubkey x;
    secp256k1_schnorrsig_extraparams extra = SECP256K1_SCHNORRSIG_EXTRAPARAMS_INIT;
    fill(text, sizeof text);
    fill(key, 32);
    draw(random);
    (void)secp256k1_keypair_create(ctx, &pair, key);
    (void)secp256k1_keypair_xonly_pub(ctx, &x, NULL, &pair);
    int done = secp256k1_nonce_function_bip340(
        nonce, text, length, key, text, below(5) ? text : NULL, 13, below(2) ? random : NULL);
    show("nonce_function_bip340", done, nonce, done ? 32 : 0);
    done = secp256k1_schnorrsig_sign32(ctx, signature, text, &pair, below(2) ? random : NULL);
    show("schnorrsig_sign32", done, signature, 64);
    show("schnorrsig_verify", secp256k1_schnorrsig_verify(ctx, signature, text, 32, &x), NULL, 0);
    done = secp256k1_schnorrsig_sign_custom(ctx, signature, length == 0 ? NULL : text, length, &pair, NULL);
    show("schnorrsig_sign_custom", done, signature, 64);
    extra.noncefp = below(2) ? hardened : below(2) ? secp256k1_nonce_function_bip340 : NULL;
    extra.ndata = random;
    done = secp256k1_schnorrsig_sign_custom(ctx, signature, text, length, &pair, &extra);
    show("schnorrsig_sign_custom", done, signature, 64);
    show("schnorrsig_verify", secp256k1_schnorrsig_verify(ctx, signature, text, length, &x), NULL, 0);
    signature[at] ^= 1;
    show("schnorrsig_verify other", secp256k1_schnorrsig_verify(ctx, signature, text, length, &x), NULL, 0);
    draw(signature + 32 * below(2));
    show("schnorrsig_verify any", secp256k1_schnorrsig_verify(ctx, signature, text, length, &x), NULL, 0);
}

/* Every pointer that must not be NULL, and what else is illegal: shows how often there was a call back. */
static void illegal_arguments(void) {
    unsigned char b[65] = {0};
    size_t n = 65;
    int id;
    secp256k1_pubkey p, zero = {{0}}, good;
    const secp256k1_pubkey *keys[2] = {NULL, &good}, *bad[2] = {&good, &zero};
    secp256k1_xonly_pubkey x = {{0}};
    secp256k1_keypair pair = {{0}};
    secp256k1_ecdsa_signature s = {{0}};
    secp256k1_ecdsa_recoverable_signature t = {{0}};
    secp256k1_schnorrsig_extraparams extra = {{0}, NULL, NULL};
    b[31] = 1;
    (void)secp256k1_ec_pubkey_create(ctx, &good, b);
    n = 32;
#define ILLEGAL(call) show(#call, 0 * (int)(call), NULL, 0)
    ILLEGAL(secp256k1_ec_seckey_verify(ctx, NULL));
    ILLEGAL(secp256k1_ec_seckey_negate(ctx, NULL));
    ILLEGAL(secp256k1_ec_seckey_tweak_add(ctx, NULL, b));
    ILLEGAL(secp256k1_ec_seckey_tweak_add(ctx, b, NULL));
    ILLEGAL(secp256k1_ec_seckey_tweak_mul(ctx, NULL, b));
    ILLEGAL(secp256k1_ec_seckey_tweak_mul(ctx, b, NULL));
    ILLEGAL(secp256k1_ec_pubkey_create(ctx, NULL, b));
    ILLEGAL(secp256k1_ec_pubkey_create(ctx, &p, NULL));
    ILLEGAL(secp256k1_ec_pubkey_parse(ctx, NULL, b, 33));
    ILLEGAL(secp256k1_ec_pubkey_parse(ctx, &p, NULL, 33));
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, b, NULL, &good, SECP256K1_EC_COMPRESSED));
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, b, &n, &good, SECP256K1_EC_COMPRESSED));
    n = 65;
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, NULL, &n, &good, SECP256K1_EC_COMPRESSED));
    n = 65;
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, b, &n, NULL, SECP256K1_EC_COMPRESSED));
    n = 65;
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, b, &n, &zero, SECP256K1_EC_COMPRESSED));
    n = 65;
    ILLEGAL(secp256k1_ec_pubkey_serialize(ctx, b, &n, &good, SECP256K1_CONTEXT_NONE));
    show("cmp", sign_of(secp256k1_ec_pubkey_cmp(ctx, &zero, &good)), NULL, 0);
    show("cmp", sign_of(secp256k1_ec_pubkey_cmp(ctx, &good, NULL)), NULL, 0);
    show("cmp", sign_of(secp256k1_ec_pubkey_cmp(ctx, &zero, NULL)), NULL, 0);
    ILLEGAL(secp256k1_ec_pubkey_sort(ctx, NULL, 2));
    ILLEGAL(secp256k1_ec_pubkey_sort(ctx, keys, 2));
    ILLEGAL(secp256k1_ec_pubkey_negate(ctx, NULL));
    ILLEGAL(secp256k1_ec_pubkey_negate(ctx, &zero));
    ILLEGAL(secp256k1_ec_pubkey_tweak_add(ctx, NULL, b));
    ILLEGAL(secp256k1_ec_pubkey_tweak_add(ctx, &p, NULL));
    ILLEGAL(secp256k1_ec_pubkey_tweak_add(ctx, &zero, b));
    ILLEGAL(secp256k1_ec_pubkey_tweak_mul(ctx, NULL, b));
    ILLEGAL(secp256k1_ec_pubkey_tweak_mul(ctx, &p, NULL));
    ILLEGAL(secp256k1_ec_pubkey_tweak_mul(ctx, &zero, b));
    ILLEGAL(secp256k1_ec_pubkey_combine(ctx, NULL, bad, 1));
    ILLEGAL(secp256k1_ec_pubkey_combine(ctx, &p, NULL, 1));
    ILLEGAL(secp256k1_ec_pubkey_combine(ctx, &p, bad, 0));
    ILLEGAL(secp256k1_ec_pubkey_combine(ctx, &p, keys, 2));
    ILLEGAL(secp256k1_ec_pubkey_combine(ctx, &p, bad, 2));
    ILLEGAL(secp256k1_ecdsa_signature_parse_compact(ctx, NULL, b));
    ILLEGAL(secp256k1_ecdsa_signature_parse_compact(ctx, &s, NULL));
    ILLEGAL(secp256k1_ecdsa_signature_serialize_compact(ctx, NULL, &s));
    ILLEGAL(secp256k1_ecdsa_signature_serialize_compact(ctx, b, NULL));
    ILLEGAL(secp256k1_ecdsa_signature_parse_der(ctx, NULL, b, 8));
    ILLEGAL(secp256k1_ecdsa_signature_parse_der(ctx, &s, NULL, 8));
    ILLEGAL(secp256k1_ecdsa_signature_serialize_der(ctx, NULL, &n, &s));
    ILLEGAL(secp256k1_ecdsa_signature_serialize_der(ctx, b, NULL, &s));
    ILLEGAL(secp256k1_ecdsa_signature_serialize_der(ctx, b, &n, NULL));
    ILLEGAL(secp256k1_ecdsa_signature_normalize(ctx, &s, NULL));
    ILLEGAL(secp256k1_ecdsa_verify(ctx, NULL, b, &good));
    ILLEGAL(secp256k1_ecdsa_verify(ctx, &s, NULL, &good));
    ILLEGAL(secp256k1_ecdsa_verify(ctx, &s, b, NULL));
    ILLEGAL(secp256k1_ecdsa_verify(ctx, &s, b, &zero));
    ILLEGAL(secp256k1_ecdsa_sign(ctx, NULL, b, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_sign(ctx, &s, NULL, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_sign(ctx, &s, b, NULL, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_sign_recoverable(ctx, NULL, b, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_sign_recoverable(ctx, &t, NULL, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_sign_recoverable(ctx, &t, b, NULL, NULL, NULL));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_parse_compact(ctx, NULL, b, 0));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_parse_compact(ctx, &t, NULL, 0));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, NULL, &id, &t));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, b, NULL, &t));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, b, &id, NULL));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_convert(ctx, NULL, &t));
    ILLEGAL(secp256k1_ecdsa_recoverable_signature_convert(ctx, &s, NULL));
    ILLEGAL(secp256k1_ecdsa_recover(ctx, NULL, &t, b));
    ILLEGAL(secp256k1_ecdsa_recover(ctx, &p, NULL, b));
    ILLEGAL(secp256k1_ecdsa_recover(ctx, &p, &t, NULL));
    ILLEGAL(secp256k1_tagged_sha256(ctx, NULL, b, 1, b, 1));
    ILLEGAL(secp256k1_tagged_sha256(ctx, b, NULL, 1, b, 1));
    ILLEGAL(secp256k1_tagged_sha256(ctx, b, b, 1, NULL, 1));
    ILLEGAL(secp256k1_ecdh(ctx, NULL, &good, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdh(ctx, b, NULL, b, NULL, NULL));
    ILLEGAL(secp256k1_ecdh(ctx, b, &good, NULL, NULL, NULL));
    ILLEGAL(secp256k1_ecdh(ctx, b, &zero, b, NULL, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_parse(ctx, NULL, b));
    ILLEGAL(secp256k1_xonly_pubkey_parse(ctx, &x, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_serialize(ctx, NULL, &x));
    ILLEGAL(secp256k1_xonly_pubkey_serialize(ctx, b, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_serialize(ctx, b, &x));
    show("cmp", sign_of(secp256k1_xonly_pubkey_cmp(ctx, &x, NULL)), NULL, 0);
    ILLEGAL(secp256k1_xonly_pubkey_from_pubkey(ctx, NULL, &id, &good));
    ILLEGAL(secp256k1_xonly_pubkey_from_pubkey(ctx, &x, &id, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_from_pubkey(ctx, &x, &id, &zero));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add(ctx, NULL, &x, b));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add(ctx, &p, NULL, b));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add(ctx, &p, &x, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add(ctx, &p, &x, b));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add_check(ctx, NULL, 0, &x, b));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add_check(ctx, b, 0, NULL, b));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add_check(ctx, b, 0, &x, NULL));
    ILLEGAL(secp256k1_xonly_pubkey_tweak_add_check(ctx, b, 0, &x, b));
    ILLEGAL(secp256k1_keypair_create(ctx, NULL, b));
    ILLEGAL(secp256k1_keypair_create(ctx, &pair, NULL));
    ILLEGAL(secp256k1_keypair_sec(ctx, NULL, &pair));
    ILLEGAL(secp256k1_keypair_sec(ctx, b, NULL));
    ILLEGAL(secp256k1_keypair_pub(ctx, NULL, &pair));
    ILLEGAL(secp256k1_keypair_pub(ctx, &p, NULL));
    ILLEGAL(secp256k1_keypair_xonly_pub(ctx, NULL, NULL, &pair));
    ILLEGAL(secp256k1_keypair_xonly_pub(ctx, &x, NULL, NULL));
    ILLEGAL(secp256k1_keypair_xonly_pub(ctx, &x, NULL, &pair));
    ILLEGAL(secp256k1_keypair_xonly_tweak_add(ctx, NULL, b));
    ILLEGAL(secp256k1_keypair_xonly_tweak_add(ctx, &pair, NULL));
    ILLEGAL(secp256k1_keypair_xonly_tweak_add(ctx, &pair, b));
    ILLEGAL(secp256k1_schnorrsig_sign32(ctx, NULL, b, &pair, NULL));
    ILLEGAL(secp256k1_schnorrsig_sign32(ctx, b, NULL, &pair, NULL));
    ILLEGAL(secp256k1_schnorrsig_sign32(ctx, b, b, NULL, NULL));
    ILLEGAL(secp256k1_schnorrsig_sign32(ctx, b, b, &pair, NULL));
    ILLEGAL(secp256k1_schnorrsig_sign_custom(ctx, b, b, 1, &pair, &extra));
    ILLEGAL(secp256k1_schnorrsig_verify(ctx, NULL, b, 1, &x));
    ILLEGAL(secp256k1_schnorrsig_verify(ctx, b, NULL, 1, &x));
    ILLEGAL(secp256k1_schnorrsig_verify(ctx, b, b, 1, NULL));
    memset(b, 0, sizeof b);
    ILLEGAL(secp256k1_schnorrsig_verify(ctx, b, b, 1, &x));
    ILLEGAL(secp256k1_context_preallocated_clone(ctx, NULL) != NULL);
}

/* A copy of the static context, which calls back and computes with no secrets. */
static void without_secrets(secp256k1_context *copy) {
    unsigned char b[64] = {1};
    secp256k1_pubkey p;
    secp256k1_keypair pair;
    secp256k1_ecdsa_signature s;
    secp256k1_ecdsa_recoverable_signature t;
    (void)secp256k1_keypair_create(ctx, &pair, b);
    secp256k1_context_set_illegal_callback(copy, count, &illegal);
    show("static randomize", secp256k1_context_randomize(copy, b), NULL, 0);
    show("static create", secp256k1_ec_pubkey_create(copy, &p, b), NULL, 0);
    show("static create", secp256k1_keypair_create(copy, &pair, b), NULL, 0);
    show("static sign", secp256k1_ecdsa_sign(copy, &s, b, b, NULL, NULL), NULL, 0);
    show("static sign", secp256k1_ecdsa_sign_recoverable(copy, &t, b, b, NULL, NULL), NULL, 0);
    show("static sign", secp256k1_schnorrsig_sign32(copy, b, b, &pair, NULL), NULL, 0);
    show("static clone", secp256k1_context_preallocated_clone_size(copy) != 0, NULL, 0);
    secp256k1_context_preallocated_destroy(copy);
    show("static destroy", 0, NULL, 0);
    show("static verify", secp256k1_ec_seckey_verify(copy, b), NULL, 0);
}

int main(int argc, char **argv) {
    static void (*const parts[])(void) = {
        secrets, public_keys, encodings, orders, signatures, ders, recoveries, exchanges, pairs, schnorrs,
    };
    unsigned char seed[32];
    secp256k1_selftest();
    if (argc < 2) {
        return secp256k1_ec_seckey_verify(secp256k1_context_static, NULL);
    }
    state = strtoull(argv[1], NULL, 10);
    printf("seed %s\n", argv[1]);
    ctx = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    secp256k1_context_set_illegal_callback(ctx, count, &illegal);
    secp256k1_context_set_error_callback(ctx, NULL, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            parts[i]();
        }
        fill(seed, sizeof seed);
        show("randomize", secp256k1_context_randomize(ctx, below(4) ? seed : NULL), NULL, 0);
        secp256k1_context *clone = secp256k1_context_clone(ctx);
        secp256k1_context_destroy(ctx);
        ctx = clone;
    }
    illegal_arguments();
    /* A context is no larger than what is asked for. */
    void *copy = malloc(secp256k1_context_preallocated_size(SECP256K1_CONTEXT_SIGN));
    memcpy(copy, secp256k1_context_static, secp256k1_context_preallocated_size(SECP256K1_CONTEXT_NONE));
    without_secrets(copy);
    free(copy);
    secp256k1_context_destroy(NULL);
    secp256k1_context_destroy(ctx);
    return 0;
}
