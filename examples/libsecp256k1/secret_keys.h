/* Secret keys and their tweaks. */

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
