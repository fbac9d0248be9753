#define uECC_ENABLE_VLI_API 1
#include "uECC.c"

#define UECC_POINT_WORDS uECC_MAX_WORDS
#include "uECC_point.h"

typedef uECC_word_t element[uECC_MAX_WORDS];

static void host_read(element *r, const unsigned char *bytes, int bound) {
    (void)bound;
    uECC_vli_bytesToNative(*r, bytes, 32);
}

static void host_write(unsigned char *bytes, const element *a) {
    uECC_vli_nativeToBytes(bytes, 32, *a);
}
