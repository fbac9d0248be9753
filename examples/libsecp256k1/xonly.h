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
