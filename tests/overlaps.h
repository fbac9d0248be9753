/* Trials of functions with outputs in the place of inputs; wrappers that tests print call these.
 *
 * A wrapper calls its function on separate buffers, then with each output at the start of each input, no two at
 * one, then with tables of hash functions that fail; empty inputs are null. All calls have to give what the first one
 * gives.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVERLAPS_MOST 8
/* Calls that are tried, of those that are refused and of others. */
#define OVERLAPS_TRIALS 8

typedef enum { OVERLAPS_INPUT, OVERLAPS_OUTPUT, OVERLAPS_CHANGED, OVERLAPS_SCRATCH } overlaps_role;
/* Returns a length, a result that is not 0 for a refusal, a truth, or nothing. */
typedef enum { OVERLAPS_LENGTH, OVERLAPS_REFUSES, OVERLAPS_NOTHING } overlaps_result;

typedef struct {
    const char *name, *type;
    void *at;
    size_t size;
    overlaps_role role;
} overlaps_argument;

/* A function, whether an output begins at inputs of its own type only, and how many calls were tried, by whether
 * they were refused.
 */
typedef struct overlaps_function {
    const char *name;
    overlaps_result result;
    int same_type;
    unsigned tried[2], shared;
    struct overlaps_function *next;
} overlaps_function;

typedef struct {
    overlaps_function *function;
    const overlaps_argument *list;
    int count, failing, kept;
    int place[OVERLAPS_MOST];
    void *given[OVERLAPS_MOST], *right[OVERLAPS_MOST], *at[OVERLAPS_MOST];
    size_t returned;
} overlaps_trial;

static overlaps_function *overlaps_functions;
static int overlaps_busy;

static inline void overlaps_report(void) {
    for (const overlaps_function *f = overlaps_functions; f != NULL; f = f->next) {
        fprintf(stderr, "tried: %s %u %u %u\n", f->name, f->tried[1], f->tried[0], f->shared);
    }
}

static inline void *overlaps_copy(const void *bytes, size_t size) {
    void *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        exit(20);
    }
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

static inline void overlaps_fault(const overlaps_trial *t, int i, const char *fault) {
    int place = t->place[i];
    fprintf(stderr, "fault: %s, %s", t->function->name, t->list[i].name);
    fprintf(stderr, "%s%s", place < 0 ? "" : " at ", place < 0 ? "" : t->list[place].name);
    fprintf(stderr, "%s: %s\n", t->failing ? ", with a hash that fails" : "", fault);
}

/* Allocates the memory of a call, each piece of its own, and has outputs that share one in the place of inputs. */
static inline void overlaps_lay_out(overlaps_trial *t) {
    for (int i = 0; i < t->count; i++) {
        const overlaps_argument *argument = &t->list[i];
        size_t size = argument->size;
        t->at[i] = NULL;
        if (argument->at == NULL || t->place[i] >= 0) {
            continue;
        }
        for (int j = 0; j < t->count; j++) {
            size = t->place[j] == i && t->list[j].size > size ? t->list[j].size : size;
        }
        if (size == 0) {
            continue; /* Empty inputs may be null. */
        }
        t->at[i] = malloc(size);
        if (t->at[i] == NULL) {
            exit(20);
        }
        memset(t->at[i], 0xAA, size);
        if ((argument->role == OVERLAPS_INPUT || argument->role == OVERLAPS_CHANGED) && argument->size > 0) {
            memcpy(t->at[i], t->given[i], argument->size);
        }
    }
    for (int i = 0; i < t->count; i++) {
        if (t->place[i] >= 0) {
            t->at[i] = t->at[t->place[i]];
        }
    }
}

static inline int overlaps_enough(const overlaps_function *f) {
    return f->tried[1] >= OVERLAPS_TRIALS && (f->result != OVERLAPS_REFUSES || f->tried[0] >= OVERLAPS_TRIALS);
}

/* Begins the trial of a call, unless one runs or there were enough; failing is 1 for a hash function that fails. */
static inline int overlaps_begin(overlaps_trial *t, overlaps_function *f, const overlaps_argument *list, int count, int failing) {
    memset(t, 0, sizeof *t);
    if (overlaps_busy || overlaps_enough(f)) {
        return 0;
    }
    if (overlaps_functions == NULL) {
        atexit(overlaps_report);
    }
    if (f->tried[0] + f->tried[1] == 0) {
        f->next = overlaps_functions;
        overlaps_functions = f;
    }
    overlaps_busy = 1;
    t->function = f;
    t->list = list;
    t->count = count;
    t->failing = failing;
    for (int i = 0; i < count; i++) {
        t->place[i] = -1;
        t->given[i] = list[i].at == NULL || list[i].role == OVERLAPS_SCRATCH ? NULL : overlaps_copy(list[i].at, list[i].size);
    }
    overlaps_lay_out(t);
    return 1;
}

static inline size_t overlaps_written(const overlaps_trial *t, int i) {
    return t->function->result == OVERLAPS_LENGTH ? t->returned : t->list[i].size;
}

/* Keeps what the first call gave; what is refused is zeros. */
static inline void overlaps_keep(overlaps_trial *t, size_t returned) {
    int refused = t->function->result == OVERLAPS_REFUSES && returned == 0;
    t->returned = returned;
    t->function->tried[!refused]++;
    if (t->failing && !refused) {
        overlaps_fault(t, 0, "not refused");
    }
    for (int i = 0; i < t->count; i++) {
        const unsigned char *bytes = (const unsigned char *)t->at[i];
        if (t->list[i].role == OVERLAPS_INPUT || t->list[i].role == OVERLAPS_SCRATCH || bytes == NULL) {
            continue;
        }
        t->right[i] = overlaps_copy(bytes, t->list[i].size);
        for (size_t j = 0; refused && j < t->list[i].size; j++) {
            if (bytes[j] != 0) {
                overlaps_fault(t, i, "not zeros after a refusal");
                break;
            }
        }
    }
}

/* Compares what a call gave with what the first one gave, and inputs with what they were. */
static inline void overlaps_compare(overlaps_trial *t, size_t returned) {
    for (int i = 0; i < t->count; i++) {
        const overlaps_argument *argument = &t->list[i];
        const unsigned char *bytes = (const unsigned char *)t->at[i], *given = (const unsigned char *)t->given[i];
        size_t over = 0;
        if (bytes == NULL || argument->role == OVERLAPS_SCRATCH) {
            continue;
        }
        if (argument->role != OVERLAPS_INPUT) {
            t->function->shared += t->place[i] >= 0;
            if (returned != t->returned || memcmp(bytes, t->right[i], overlaps_written(t, i)) != 0) {
                overlaps_fault(t, i, "another result");
            }
            continue;
        }
        for (int j = 0; j < t->count; j++) {
            over = t->place[j] == i ? t->list[j].size : over;
        }
        if (over < argument->size && memcmp(bytes + over, given + over, argument->size - over) != 0) {
            overlaps_fault(t, i, "an input was changed");
        }
    }
}

/* Moves the outputs to their next places; returns 0 after the last. */
static inline int overlaps_move(overlaps_trial *t) {
    for (int i = 0; i < t->count; i++) {
        if (t->list[i].role != OVERLAPS_OUTPUT || t->list[i].at == NULL) {
            continue;
        }
        for (t->place[i]++; t->place[i] < t->count; t->place[i]++) {
            int place = t->place[i], free_place = t->list[place].role == OVERLAPS_INPUT && t->list[place].at != NULL;
            free_place &= !t->function->same_type || strcmp(t->list[i].type, t->list[place].type) == 0;
            for (int j = 0; j < t->count; j++) {
                free_place &= j == i || t->place[j] != place;
            }
            if (free_place) {
                return 1;
            }
        }
        t->place[i] = -1;
    }
    return 0;
}

/* Takes what a call returned, and prepares the next one; returns 0 after the last. */
static inline int overlaps_next(overlaps_trial *t, size_t returned) {
    if (!t->kept) {
        overlaps_keep(t, returned);
    }
    t->kept = 1;
    overlaps_compare(t, returned);
    for (int i = 0; i < t->count; i++) {
        if (t->place[i] < 0) {
            free(t->at[i]);
        }
    }
    /* Places are tried for the first calls alone. */
    if (t->function->tried[t->function->result != OVERLAPS_REFUSES || t->returned != 0] > OVERLAPS_TRIALS || !overlaps_move(t)) {
        overlaps_busy = 0;
        return 0;
    }
    overlaps_lay_out(t);
    return 1;
}

/* Ends a trial, after the call that its caller asked for; with another hash function there is none. */
static inline void overlaps_end(overlaps_trial *t, size_t returned) {
    for (int i = 0; i < t->count; i++) {
        if (t->right[i] != NULL && !t->failing && (returned != t->returned || memcmp(t->list[i].at, t->right[i], overlaps_written(t, i)) != 0)) {
            overlaps_fault(t, i, "another result for the caller");
        }
        free(t->right[i]);
        free(t->given[i]);
    }
}
