/* Signatures by BIP-340. */

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
