/* sign SECRET DIGEST: prints the public key and the signatures of ECDSA and BIP-340, all in hexadecimal. */
#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>

#include <stdio.h>
#include <string.h>

/* Reads 32 bytes; returns 0 for a text that does not have them. */
static int read_hexadecimal(unsigned char bytes[32], const char *text) {
    if (strlen(text) != 64 || strspn(text, "0123456789abcdef") != 64) {
        return 0;
    }
    for (int i = 0; i < 32; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            return 0;
        }
        bytes[i] = (unsigned char)byte;
    }
    return 1;
}

static void show(const unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    printf("\n");
}

/* Signs in two ways and verifies. Returns 1, or 0 for a secret that is not valid. */
static int sign(const secp256k1_context *context, const unsigned char *secret, const unsigned char *digest) {
    secp256k1_keypair pair;
    secp256k1_pubkey key;
    secp256k1_xonly_pubkey x;
    secp256k1_ecdsa_signature signature;
    unsigned char encoded[33], compact[64], schnorr[64];
    size_t length = sizeof encoded;
    if (!secp256k1_keypair_create(context, &pair, secret) || !secp256k1_keypair_pub(context, &key, &pair) ||
        !secp256k1_keypair_xonly_pub(context, &x, NULL, &pair) ||
        !secp256k1_ecdsa_sign(context, &signature, digest, secret, NULL, NULL) ||
        !secp256k1_ecdsa_verify(context, &signature, digest, &key) ||
        !secp256k1_schnorrsig_sign32(context, schnorr, digest, &pair, NULL) ||
        !secp256k1_schnorrsig_verify(context, schnorr, digest, 32, &x)) {
        return 0;
    }
    (void)secp256k1_ec_pubkey_serialize(context, encoded, &length, &key, SECP256K1_EC_COMPRESSED);
    (void)secp256k1_ecdsa_signature_serialize_compact(context, compact, &signature);
    show(encoded, length);
    show(compact, sizeof compact);
    show(schnorr, sizeof schnorr);
    return 1;
}

int main(int count, char **words) {
    unsigned char secret[32], digest[32];
    secp256k1_context *context;
    int done;
    if (count != 3 || !read_hexadecimal(secret, words[1]) || !read_hexadecimal(digest, words[2])) {
        fprintf(stderr, "usage: sign SECRET DIGEST, each of 64 hexadecimal digits\n");
        return 2;
    }
    context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    done = sign(context, secret, digest);
    secp256k1_context_destroy(context);
    return done ? 0 : 1;
}
