#include "libgcrypt.h"

#include <string.h>

#include "common.h"

enum { LONGEST = 256 };

void need(gcry_error_t error) {
    if (error) {
        die("libgcrypt fails: %s", gcry_strerror(error));
    }
}

void gcrypt_start(void) {
    if (!gcry_check_version(GCRYPT_VERSION)) {
        die("libgcrypt is older than its headers");
    }
    need(gcry_control(GCRYCTL_DISABLE_SECMEM, 0));
    need(gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0));
}

static void reversed(uint8_t *to, const uint8_t *from, size_t length) {
    for (size_t i = 0; i < length; i++) {
        to[i] = from[length - 1 - i];
    }
}

gcry_mpi_t gcrypt_number(const uint8_t *bytes, size_t length) {
    uint8_t swapped[LONGEST];
    gcry_mpi_t number;
    reversed(swapped, bytes, length);
    need(gcry_mpi_scan(&number, GCRYMPI_FMT_USG, swapped, length, NULL));
    return number;
}

void gcrypt_bytes(uint8_t *bytes, size_t length, gcry_mpi_t number) {
    uint8_t written[LONGEST];
    size_t used;
    need(gcry_mpi_print(GCRYMPI_FMT_USG, written, length, &used, number));
    memset(bytes, 0, length);
    reversed(bytes, written, used);
}
