/* Connections by TCP on the loopback among the nodes of a mixnet, and with those who write to it. */
#ifndef MESH_H
#define MESH_H

enum { MOST_NODES = 16 };

/* Participants are numbered: nodes from 0 on, and after them the one process that is all senders and receivers. */
typedef struct {
    int participants, self;
    int listening[MOST_NODES + 1];
    int links[MOST_NODES + 1];
} mesh;

/* Opens a port for each participant, before any of them is forked. */
void mesh_open(mesh *m, int participants);

/* Connects one participant with all others. */
void mesh_join(mesh *m, int self);

#endif
