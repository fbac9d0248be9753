/* Public keys: encodings, tweaks, sums and order. */

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
