/* The functions of contexts that the crate that carries libsecp256k1 leaves to Rust. */
#include <secp256k1.h>
#include <secp256k1_preallocated.h>

#include <stdlib.h>

secp256k1_context *secp256k1_context_create(unsigned int flags) {
    size_t length = secp256k1_context_preallocated_size(flags);
    return length == 0 ? NULL : secp256k1_context_preallocated_create(malloc(length), flags);
}

secp256k1_context *secp256k1_context_clone(const secp256k1_context *ctx) {
    size_t length = secp256k1_context_preallocated_clone_size(ctx);
    return length == 0 ? NULL : secp256k1_context_preallocated_clone(ctx, malloc(length));
}

void secp256k1_context_destroy(secp256k1_context *ctx) {
    secp256k1_context_preallocated_destroy(ctx);
    free(ctx);
}
