/* Tagged hashes, and ECDH. */

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
