/* Signatures by ECDSA, in DER and compact, and recovery of public keys. */

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
    k1_sc r, s, inverse = *k;
    uint32_t id;
    int high;
    multiply_generator(ctx, &p, k);
    id = k1_ecdsa_coordinate(&r, &p);
    k1_ecdsa_combine(&s, &inverse, &r, d, e);
    high = is_high(&s);
    k1_sc_neg_if(&s, &s, high);
    *recovery_id = (uint8_t)(id ^ (uint32_t)high);
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
