/* The functions of libsecp256k1's headers over generated code: a program that is written for the library links to this
 * in its place.
 *
 * The content of the library's opaque types is ours to choose: a public key is x and y, a signature r and s, a pair of
 * keys the secret one and the public one, all of them numbers of 32 bytes, the most significant first.
 *
 * Secret are secret keys, their tweaks, nonces and the seed of a context: no branch and no index depends on them. As in
 * the library a branch depends on what says nothing of a secret: whether a nonce is in range, whether a pair of keys is
 * one at all.
 */
#define SECP256K1_BUILD

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_preallocated.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

/* Like libsecp256k1's, a build that defines VALGRIND follows secrets as memory that was never written. */
#ifdef VALGRIND
#include <valgrind/memcheck.h>
static int declassified(int flag) {
    (void)VALGRIND_MAKE_MEM_DEFINED(&flag, sizeof flag);
    return flag;
}
#define K1_DECLASSIFY(flag) declassified(flag)
#define MEMORY_IS_CHECKED() (VALGRIND_MAKE_MEM_DEFINED(NULL, 0) != 0)
#else
#define MEMORY_IS_CHECKED() 0
#endif

/* A call through a volatile pointer stays, and erases faster than the loop over bytes that is the default. */
static void *(*const volatile erase)(void *, int, size_t) = memset;
#define K1_WIPE(at, length) (void)erase(at, 0, length)
#define K1_HASH_STATE_BYTES sizeof(sha256_state)

#include "curve/k1.h"
#include "curve/k1_bip340.h"
#include "curve/k1_ecdsa.h"
#include "curve/k1_ecdsa_der.h"
#include "curve/k1_hash.h"
#include "curve/k1_sc.h"

enum { NUMBER_BYTES = 32 };

static const k1_hash sha256 = {
    .digest_bytes = NUMBER_BYTES,
    .block_bytes = 64,
    .state_bytes = sizeof(sha256_state),
    .init = sha256_init,
    .update = sha256_update,
    .final = sha256_final,
};

#include "context.h"
#include "secret_keys.h"
#include "public_keys.h"
#include "ecdsa.h"
#include "ecdh.h"
#include "xonly.h"
#include "bip340.h"
