/* The machine: its calls, and where its memory is near. */
#ifndef ZKVM_MACHINE_H
#define ZKVM_MACHINE_H

#include <stdint.h>

#define ZK_INLINE inline __attribute__((always_inline))
#define ZK_FUNCTION static __attribute__((noinline, unused))
#define ZK_RARE static __attribute__((noinline, unused, cold))

/* Places of data in guest.ld: within reach of one instruction from the global pointer, for what is used most; tables
 * that the guest makes, tables that it is compiled with; and what the host writes. */
#define ZK_NEAR __attribute__((section(".near"), aligned(4)))
#define ZK_NEAR_CONST __attribute__((section(".near_const"), aligned(4)))
#define ZK_OWN __attribute__((section(".own"), aligned(4)))
#define ZK_FIXED __attribute__((section(".fixed"), aligned(32)))
#define ZK_IO __attribute__((section(".io"), aligned(4), used))

/* Why a guest halts; 0 is success. */
enum {
    ZK_NOT_REDUCED = 1,    /* the call answered with 2^255 or more where a sum needs less */
    ZK_BAD_POINT,          /* no point of the curve, or coordinates of p or more */
    ZK_BAD_SCHEDULE,       /* the schedule does not end at position 0, or leaves its array */
    ZK_NOT_IDENTITY,       /* the sum of all multiples is not the identity */
    ZK_NOT_INVERTIBLE,     /* the coefficient of R and its hinted inverse do not give 1 */
    ZK_WRONG_Q,            /* the coefficient of Q does not belong to b */
    ZK_WRONG_G,            /* the coefficients of G do not belong to a */
    ZK_OUT_OF_RANGE,       /* a number has more bits than it may */
    ZK_WRONG_RESULT,       /* the result is not the sum */
    ZK_BAD_ENCODING,       /* x or y has not the parity that its encoding says */
    ZK_WRONG_HINT,         /* a hinted point or slope is not the one of a sum or double */
    ZK_EQUAL_POINTS,       /* points that are added have one x, or may have */
    ZK_WRONG_R             /* the coefficient of R does not belong to s */
};

/* Halt the program with a status. */
static ZK_INLINE __attribute__((noreturn)) void zk_halt(uint32_t status) {
    register uint32_t a0 __asm__("a0") = status;
    register uint32_t t0 __asm__("t0") = 0;
    __asm__ volatile("ecall" : : "r"(a0), "r"(t0) : "memory");
    __builtin_unreachable();
}

/* Have the counter report what the program took since the last mark. */
static ZK_INLINE void zk_mark(uint32_t number) {
    register uint32_t a0 __asm__("a0") = number;
    register uint32_t t0 __asm__("t0") = 100;
    __asm__ volatile("ecall" : : "r"(a0), "r"(t0) : "memory");
}

#ifndef ZK_PLAIN
/* r = a·b modulo n, all of 8 words; r may be a or b. The answer is congruent; an honest one is below n. */
static ZK_INLINE void zk_modmul(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *n) {
    register uint32_t *a0 __asm__("a0") = r;
    register uint32_t a1 __asm__("a1") = 0;
    register const uint32_t *a2 __asm__("a2") = a;
    register const uint32_t *a3 __asm__("a3") = b;
    register const uint32_t *a4 __asm__("a4") = n;
    register uint32_t t0 __asm__("t0") = 4;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(t0) : "memory");
}

#endif

#endif
