/* Integers modulo a prime of 2048 bits (group 14 of RFC 3526) as a library multiplies them, and the group of squares. */
#ifndef INTEGERS_H
#define INTEGERS_H

#include <stddef.h>
#include <stdint.h>

enum { BITS = 2048, BYTES = BITS / 8, WORDS = BITS / 64, MOST_FACTORS = 16 };

/* A number below the prime, the least significant word first. */
typedef struct {
    uint64_t word[WORDS];
} integer;

/* The functions of a library. */
typedef struct {
    void (*start)(const integer *prime);
    /* r = p * others[0] * others[1] and so on; at most MOST_FACTORS. */
    void (*product)(integer *r, const integer *p, const integer *const *others, size_t count);
    /* The same with others in the form that `prepare` gives to one. */
    void (*scaled)(integer *r, const integer *p, const integer *const *factors, size_t count);
    void (*prepare)(integer *r, const integer *p);
    /* r = p to the power of a secret exponent. */
    void (*power)(integer *r, const integer *p, const integer *exponent);
    void (*inverse)(integer *r, const integer *p);
    int (*is_square)(const integer *p);
} arithmetic;

/* Ways to compute that an implementer has: exponents of 256 bits, which have to be enough for the security of the
 * group, and tables for the generator and the joint key, which tell by time which of their entries are read.
 */
typedef struct {
    int short_exponents, tables;
} shortcuts;

/* Chooses a library and shortcuts for `integer_group`. */
void choose_integers(const arithmetic *chosen, shortcuts taken);

#endif
