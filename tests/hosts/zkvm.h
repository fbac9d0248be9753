/* The machine of examples/zkvm/guest/machine.h as functions of this machine. */
#ifndef ZKVM_MACHINE_H
#define ZKVM_MACHINE_H
#define PLAIN32_P {0xffffffed, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff}
#define PLAIN32_SQUARE {0x5a4}
#define PLAIN32_FACTOR 0x286bca1bu
#include "call32.h"

#define ZK_INLINE inline
#define ZK_NEAR
#define ZK_NEAR_CONST
enum { ZK_NOT_REDUCED = 9 };

static inline void zk_halt(int status) {
    exit(status);
}

static inline void zk_modmul(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *n) {
    (void)n;
    call32_mul(r, a, b);
}
#endif
