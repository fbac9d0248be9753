/* The instruction CPUID of a processor whose leaf 7, 1 has LEAF in its first register. */
#ifndef EFDGEN_TESTS_CPUID_H
#define EFDGEN_TESTS_CPUID_H

/* Writes what a leaf says. */
static inline int __get_cpuid_count(unsigned int leaf, unsigned int below, unsigned int *a, unsigned int *b, unsigned int *c, unsigned int *d) {
    *a = leaf == 7 && below == 1 ? LEAF : 0;
    *b = *c = *d = 0;
    return 1;
}

#endif
