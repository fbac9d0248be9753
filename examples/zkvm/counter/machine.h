/* An rv32im machine that counts cycles by the model of RISC Zero's Guest Optimization Guide, versions 0.20 to
 * 1.1. One cycle: LUI, AUIPC, jumps, branches, loads, stores, additions, subtractions, comparisons, left shifts,
 * products. Two cycles: XOR, OR, AND, right shifts, quotients, remainders. Modular multiplication is a call of 10
 * cycles. Memory has pages of 1 KiB; code, tables and stack count alike. The first access to a page costs 1,130
 * cycles, the first write to it as many again: averages, in a run of one segment.
 */
#ifndef ZKVM_MACHINE_H
#define ZKVM_MACHINE_H

#include <stdint.h>
#include <stdio.h>

#define PAGE_BYTES 1024u
#define PAGE_CYCLES 1130u
#define CALL_CYCLES 10u
#define MEMORY_START 0x400u
#define MEMORY_END 0x0c000000u

/* The result of a call of modular multiplication: the least congruent number, the largest below 2^256, or a
 * random one below 2^256. A prover may choose among them, because the call proves no more than congruence.
 */
typedef enum { ANSWER_LEAST, ANSWER_LARGEST, ANSWER_RANDOM } answer_kind;

typedef struct {
    answer_kind kind;
    uint64_t first, last; /* the calls it applies to, counted from 1; others return the least number */
    uint64_t random;      /* state of the random numbers, initially the seed */
    int strict;           /* nonzero: a quotient of more than 256 bits is an error */
} answers;

/* Cycles of instructions leave out those of calls and pages. */
typedef struct {
    uint64_t instructions, cycles, calls, page_ins, page_outs;
} counts;

typedef struct {
    uint32_t x[32], pc;
    uint8_t *memory; /* MEMORY_END bytes */
    uint8_t *pages;  /* for each page, whether it was accessed and written */
    counts counts;
    uint64_t wide_quotients; /* calls whose quotient has more than 256 bits */
    answers answers;
    int linux_calls; /* nonzero: ECALL means write and exit as on Linux */
} machine;

/* After MACHINE_HALTED, a0 is the status; after MACHINE_MARKED, a0 is the number of the mark. */
typedef enum { MACHINE_RUNS, MACHINE_HALTED, MACHINE_MARKED } machine_event;

/* Return a machine with empty memory and the stack pointer at the end of memory. */
machine machine_new(void);

void machine_free(machine *m);

/* Execute one instruction. */
machine_event machine_step(machine *m);

/* Return the cycles of instructions, calls and pages together. */
uint64_t total_cycles(counts c);

/* Set r to a number congruent to x·y modulo n: the least, or, unless ceiling is null, the one of its residue in
 * the block of n numbers that holds ceiling, or one block lower where that one is not below 2^256. For n = 0, r is
 * the product modulo 2^256. Return whether the quotient, or for n = 0 the product, has more than 256 bits. Numbers
 * have 8 words, least significant first.
 */
int modular_product(uint32_t r[8], const uint32_t x[8], const uint32_t y[8], const uint32_t n[8],
                    const uint32_t *ceiling);

/* Print "counter: " and a line that is formatted like printf's to stderr; exit with status 2. */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
_Noreturn void fail(const char *format, ...);

#endif
