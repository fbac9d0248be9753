/* Functions of both groups over libgcrypt: its start, and its numbers as little-endian bytes. */
#ifndef LIBGCRYPT_H
#define LIBGCRYPT_H

#include <gcrypt.h>
#include <stdint.h>

/* Starts libgcrypt without its memory for secrets, which is small. */
void gcrypt_start(void);

void need(gcry_error_t error);

/* Returns a new number of some bytes, the least significant first. */
gcry_mpi_t gcrypt_number(const uint8_t *bytes, size_t length);

/* Writes a number that fits some bytes. */
void gcrypt_bytes(uint8_t *bytes, size_t length, gcry_mpi_t number);

#endif
