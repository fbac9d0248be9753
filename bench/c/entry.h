/* The interface of a library of implementations to the harness: an array `bench_entries`, ended by NULL.
 *
 * `who` is an implementation with its compiler, `row` is FIELD OR CURVE/OPERATION, and `run(n)` does the operation n times: each on the result of the
 * one before it where `mode` is "latency", in four chains that do not touch where it is "throughput".
 */
#ifndef EFDGEN_BENCH_ENTRY_H
#define EFDGEN_BENCH_ENTRY_H

#include <stdint.h>

typedef struct {
    const char *who;
    const char *row;
    const char *mode;
    void (*run)(uint64_t n);
} bench_entry;

extern const bench_entry bench_entries[];

/* The scalar of multiplications: of pi, between bytes that keep it below every order whichever comes first. Whatever
 * multiplies with variable time has to get the same one: 1/2, say, has half the digits of a random scalar or fewer.
 */
#define BENCH_SCALAR                                                                                    \
    {                                                                                                   \
        0x0F, 0x24, 0x3F, 0x6A, 0x88, 0x85, 0xA3, 0x08, 0xD3, 0x13, 0x19, 0x8A, 0x2E, 0x03, 0x70, 0x73, \
        0x44, 0xA4, 0x09, 0x38, 0x22, 0x29, 0x9F, 0x31, 0xD0, 0x08, 0x2E, 0xFA, 0x98, 0xEC, 0x4E, 0x0F, \
    }

/* The name of a kernel that adds points, by NAME and JOIN of the file: incomplete where the formula is. */
#ifdef INCOMPLETE
#define ADDITION(kind) NAME(JOIN(kind, incomplete))
#else
#define ADDITION(kind) NAME(kind)
#endif

/* Hides where a value comes from, and makes the compiler believe that it is used. */
#define OPAQUE(object) __asm__ volatile("" : "+m"(object) : : "memory")

/* Defines NAME_latency: n times STEP, a statement on `TYPE *r` that may read what FILL has set up. */
#define LATENCY(NAME, TYPE, FILL, STEP)      \
    static void NAME##_latency(uint64_t n) { \
        TYPE value, *r = &value;             \
        FILL;                                \
        OPAQUE(value);                       \
        for (; n; n--) {                     \
            STEP;                            \
        }                                    \
        OPAQUE(value);                       \
    }

/* The same of a formula for points: each result is written to memory, and OTHER is read anew, so that no compiler
 * leaves out a coordinate that nothing reads, or computes only once what is the same in every step.
 */
#define FORMULA(NAME, TYPE, FILL, STEP, OTHER) LATENCY(NAME, TYPE, FILL, STEP; OPAQUE(*r); OPAQUE(OTHER))

/* Defines NAME_throughput in the same way, over four values. */
#define THROUGHPUT(NAME, TYPE, FILL, STEP)      \
    static void NAME##_throughput(uint64_t n) { \
        TYPE values[4], *r = values;            \
        FILL;                                   \
        values[1] = values[2] = values[3] = *r; \
        OPAQUE(values);                         \
        for (n = (n + 3) / 4; n; n--) {         \
            r = values;                         \
            STEP;                               \
            r = values + 1;                     \
            STEP;                               \
            r = values + 2;                     \
            STEP;                               \
            r = values + 3;                     \
            STEP;                               \
        }                                       \
        OPAQUE(values);                         \
    }

#define BOTH(NAME, TYPE, FILL, STEP)  \
    LATENCY(NAME, TYPE, FILL, STEP)   \
    THROUGHPUT(NAME, TYPE, FILL, STEP)

#define LATENCY_ENTRY(ROW, NAME) {WHO, ROW, "latency", NAME##_latency}
#define BOTH_ENTRIES(ROW, NAME) {WHO, ROW, "latency", NAME##_latency}, {WHO, ROW, "throughput", NAME##_throughput}

#endif
