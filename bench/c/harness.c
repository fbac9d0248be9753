/* Times entries of libraries in one process: ROUNDS PARTS LIBRARY...
 *
 * An entry is timed if its row has one of PARTS in its name, parts with '|' between them; "" is in all.
 *
 * A round runs each entry once, for about 40 microseconds, beside a chain of multiplications that each
 * wait for the one before. Such a multiplication takes three core cycles on every x86-64 of the last
 * fifteen years, so the chain says how long a core cycle is at this moment, whatever the clock does. The
 * line of an entry has the core cycles that one operation took in each round.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "entry.h"

#define CHAIN 3000
#define CYCLES_PER_MULTIPLICATION 3.0
#define BATCH_TICKS 100000

typedef struct {
    const bench_entry *entry;
    uint64_t count;
    double *cycles;
} subject;

static uint64_t now(void) {
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}

/* Returns the ticks of one core cycle. */
static double calibrate(void) {
    uint64_t x = 3, best = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t start = now();
        for (int k = 0; k < CHAIN; k++) {
            __asm__ volatile("imul %0, %0" : "+r"(x));
        }
        uint64_t ticks = now() - start;
        best = ticks < best ? ticks : best;
    }
    return (double)best / (CHAIN * CYCLES_PER_MULTIPLICATION);
}

static uint64_t ticks_of(const subject *s, uint64_t count) {
    uint64_t start = now();
    s->entry->run(count);
    return now() - start;
}

/* Chooses how often an entry runs in a batch: by the fastest of three, for others may interrupt one. */
static void choose_count(subject *s) {
    uint64_t best = 0;
    for (s->count = 4; s->count < (UINT64_C(1) << 30) && best < BATCH_TICKS; s->count *= 2) {
        best = UINT64_MAX;
        for (int i = 0; i < 3; i++) {
            uint64_t ticks = ticks_of(s, s->count);
            best = ticks < best ? ticks : best;
        }
    }
    s->count /= 2;
}

static int is_wanted(const char *row, const char *parts) {
    for (;;) {
        size_t length = strcspn(parts, "|");
        for (const char *at = row; strlen(at) >= length; at++) {
            if (strncmp(at, parts, length) == 0) {
                return 1;
            }
        }
        if (!parts[length]) {
            return 0;
        }
        parts += length + 1;
    }
}

static size_t load(const char *path, const char *parts, subject *subjects, size_t filled, int rounds) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const bench_entry *entry = library ? dlsym(library, "bench_entries") : NULL;
    if (!entry) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    for (; entry->who; entry++) {
        if (!is_wanted(entry->row, parts)) {
            continue;
        }
        subject *s = &subjects[filled++];
        *s = (subject){entry, 0, malloc((size_t)rounds * sizeof(double))};
        choose_count(s);
    }
    return filled;
}

int main(int argc, char **argv) {
    static subject subjects[4096];
    size_t filled = 0;
    int rounds = argc > 3 ? atoi(argv[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: harness ROUNDS PARTS LIBRARY...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        filled = load(argv[i], argv[2], subjects, filled, rounds);
    }
    for (int round = 0; round < rounds; round++) {
        fprintf(stderr, "%d\n", round + 1);
        for (size_t i = 0; i < filled; i++) {
            subject *s = &subjects[i];
            s->entry->run(1); /* The entry before has taken the caches. */
            double before = calibrate();
            uint64_t ticks = ticks_of(s, s->count);
            double cycle = (before + calibrate()) / 2;
            s->cycles[round] = (double)ticks / (double)s->count / cycle;
        }
    }
    for (size_t i = 0; i < filled; i++) {
        printf("%s\t%s\t%s", subjects[i].entry->who, subjects[i].entry->row, subjects[i].entry->mode);
        for (int round = 0; round < rounds; round++) {
            printf("\t%.2f", subjects[i].cycles[round]);
        }
        printf("\n");
    }
    return 0;
}
