/* Contexts: the functions that are called back, and the blind of multiples of the generator. */

typedef struct {
    void (*call)(const char *message, void *data);
    const void *data;
} callback;

/* Multiples k*G are computed as (k + blind)*G + offset for offset = -blind*G. */
struct secp256k1_context_struct {
    callback illegal, error;
    int computes_with_secrets;
    k1_sc blind;
    k1_point offset;
};

static void abort_for_illegal_argument(const char *message, void *data) {
    (void)data;
    fprintf(stderr, "libsecp256k1: illegal argument, %s\n", message);
    abort();
}

static void abort_for_error(const char *message, void *data) {
    (void)data;
    fprintf(stderr, "libsecp256k1: error, %s\n", message);
    abort();
}

static const secp256k1_context without_secrets = {
    .illegal = {abort_for_illegal_argument, NULL},
    .error = {abort_for_error, NULL},
};

/* Headers before version 0.3 declare a pointer that is not const, and under an older name too. */
__typeof__(secp256k1_context_static) secp256k1_context_static = &without_secrets;
__typeof__(secp256k1_context_static) secp256k1_context_no_precomp = &without_secrets;

/* Returns whether an argument is legal; if it is not, the illegal callback is called first. */
static int legal(const secp256k1_context *ctx, int condition, const char *text) {
    if (!condition) {
        ctx->illegal.call(text, (void *)ctx->illegal.data);
    }
    return condition;
}
#define LEGAL(condition) legal(ctx, condition, #condition)

void secp256k1_selftest(void) {
    static const uint8_t expected[NUMBER_BYTES] = {
        0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
        0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
    };
    const k1_hash_part text = {(const uint8_t *)"abc", 3};
    uint8_t digest[NUMBER_BYTES];
    if (!k1_hash_parts(digest, &sha256, &text, 1) || memcmp(digest, expected, sizeof digest) != 0) {
        abort_for_error("self test failed", NULL);
    }
}

size_t secp256k1_context_preallocated_size(unsigned int flags) {
    const secp256k1_context *ctx = secp256k1_context_static;
    if (!LEGAL((flags & SECP256K1_FLAGS_TYPE_MASK) == SECP256K1_FLAGS_TYPE_CONTEXT) ||
        !LEGAL(!(flags & SECP256K1_FLAGS_BIT_CONTEXT_DECLASSIFY) || MEMORY_IS_CHECKED())) {
        return 0;
    }
    return sizeof *ctx;
}

secp256k1_context *secp256k1_context_preallocated_create(void *prealloc, unsigned int flags) {
    secp256k1_context *ctx = (secp256k1_context *)prealloc;
    secp256k1_selftest();
    if (secp256k1_context_preallocated_size(flags) == 0) {
        return NULL;
    }
    *ctx = without_secrets;
    ctx->computes_with_secrets = 1;
    k1_n_fe_set_zero(&ctx->blind);
    ctx->offset = K1_IDENTITY;
    return ctx;
}

size_t secp256k1_context_preallocated_clone_size(const secp256k1_context *ctx) {
    return LEGAL(ctx->computes_with_secrets) ? sizeof *ctx : 0;
}

secp256k1_context *secp256k1_context_preallocated_clone(const secp256k1_context *ctx, void *prealloc) {
    if (!LEGAL(prealloc != NULL) || !LEGAL(ctx->computes_with_secrets)) {
        return NULL;
    }
    memcpy(prealloc, ctx, sizeof *ctx);
    return (secp256k1_context *)prealloc;
}

void secp256k1_context_preallocated_destroy(secp256k1_context *ctx) {
    if (ctx != NULL && LEGAL(ctx->computes_with_secrets)) {
        K1_WIPE(ctx, sizeof *ctx);
    }
}

/* Returns memory for a context. */
static void *allocated(const callback *error) {
    void *memory = malloc(sizeof(secp256k1_context));
    if (memory == NULL) {
        error->call("out of memory", (void *)error->data);
    }
    return memory;
}

secp256k1_context *secp256k1_context_create(unsigned int flags) {
    void *memory = secp256k1_context_preallocated_size(flags) == 0 ? NULL : allocated(&without_secrets.error);
    return memory == NULL ? NULL : secp256k1_context_preallocated_create(memory, flags);
}

secp256k1_context *secp256k1_context_clone(const secp256k1_context *ctx) {
    void *memory = LEGAL(ctx->computes_with_secrets) ? allocated(&ctx->error) : NULL;
    return memory == NULL ? NULL : secp256k1_context_preallocated_clone(ctx, memory);
}

void secp256k1_context_destroy(secp256k1_context *ctx) {
    if (ctx != NULL && LEGAL(ctx->computes_with_secrets)) {
        K1_WIPE(ctx, sizeof *ctx);
        free(ctx);
    }
}

void secp256k1_context_set_illegal_callback(
    secp256k1_context *ctx, void (*fun)(const char *message, void *data), const void *data) {
    if (LEGAL(ctx != secp256k1_context_static)) {
        ctx->illegal.call = fun == NULL ? abort_for_illegal_argument : fun;
        ctx->illegal.data = data;
    }
}

void secp256k1_context_set_error_callback(
    secp256k1_context *ctx, void (*fun)(const char *message, void *data), const void *data) {
    if (LEGAL(ctx != secp256k1_context_static)) {
        ctx->error.call = fun == NULL ? abort_for_error : fun;
        ctx->error.data = data;
    }
}

/* The seed is mixed with the last blind, so that no seed can undo an earlier one. */
int secp256k1_context_randomize(secp256k1_context *ctx, const unsigned char *seed32) {
    uint8_t bytes[NUMBER_BYTES], digest[NUMBER_BYTES];
    const k1_hash_part parts[2] = {{bytes, sizeof bytes}, {seed32, NUMBER_BYTES}};
    k1_sc negated;
    if (!LEGAL(ctx->computes_with_secrets)) {
        return 0;
    }
    k1_sc_to_bytes(bytes, &ctx->blind);
    k1_n_fe_set_zero(&ctx->blind);
    ctx->offset = K1_IDENTITY;
    if (seed32 != NULL && k1_hash_parts(digest, &sha256, parts, 2)) {
        k1_sc_from_wide_bytes(&ctx->blind, digest, sizeof digest);
        k1_sc_neg(&negated, &ctx->blind);
        k1_sc_to_bytes(bytes, &negated);
        k1_multiply_generator(&ctx->offset, bytes);
        K1_WIPE(&negated, sizeof negated);
        K1_WIPE(digest, sizeof digest);
    }
    K1_WIPE(bytes, sizeof bytes);
    return 1;
}
