/* A node of the mixnet: one process, one round of cMix. */
#ifndef NODE_H
#define NODE_H

#include <stddef.h>
#include <stdint.h>

#include "group.h"
#include "mesh.h"

/* Phases whose time is taken; in the last one, elements are found to be in the subgroup of large order. */
enum { PHASES = 7 };
extern const char *const phase_names[PHASES];

/* The parameters of a round. */
typedef struct {
    const group *group;
    int nodes;
    size_t messages;
} round_plan;

/* In the place of a node: elements of small order came through several nodes, and one of them put them in. */
enum { SOME_NODE = -1 };
typedef struct {
    int reporter, culprit, late;
    char phase[24], complaint[64];
} report;

/* Nanoseconds of a process: of all it did in each phase. */
typedef struct {
    uint64_t phase[PHASES];
} times;

/* Runs node `number`, connected by a mesh; writes a report to a pipe and waits for its end if another one is wrong. */
void run_node(const round_plan *plan, mesh *links, int number, int reports);

#endif
