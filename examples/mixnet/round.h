/* A round of the mixnet: nodes as processes, and this one as all senders and receivers. */
#ifndef ROUND_H
#define ROUND_H

#include "node.h"

/* The results of a round: processor times of all nodes, and the number of messages that are wrong. */
typedef struct {
    times nodes[MOST_NODES];
    size_t wrong;
} outcome;

/* Runs a round; ends the process with one line that names a node if one dies, is late or sends what it should not. */
void run_round(const round_plan *plan, const correspondents *people, outcome *found);

#endif
