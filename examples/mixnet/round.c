#include "round.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "frame.h"

enum { READ, WRITE, GRACE = 300 };

/* The senders' side of a round; nothing is said to nodes but messages. */
typedef struct {
    const round_plan *plan;
    const correspondents *people;
    mesh links;
    pid_t processes[MOST_NODES];
    int reports[2];
    uint8_t *payloads, *keys, *wire;
} referee;

static void end_nodes(const referee *r) {
    for (int i = 0; i < r->plan->nodes; i++) {
        kill(r->processes[i], SIGKILL);
        waitpid(r->processes[i], NULL, 0);
    }
}

static _Noreturn void accuse(const referee *r, int culprit, const char *phase, const char *complaint) {
    end_nodes(r);
    if (culprit == SOME_NODE) {
        die("%s: a node %s", phase, complaint);
    }
    if (culprit == r->plan->nodes) {
        die("%s: a sender %s", phase, complaint);
    }
    die("%s: node %d %s", phase, culprit, complaint);
}

/* Reports by node. */
typedef struct {
    report of[MOST_NODES];
    int made[MOST_NODES];
} reports;

/* Reads a report that comes within some milliseconds; returns its node, or -1. */
static int take_report(const referee *r, reports *all, int limit) {
    struct pollfd one = {r->reports[READ], POLLIN, 0};
    report said;
    if (poll(&one, 1, limit) <= 0 || read(r->reports[READ], &said, sizeof said) != (ssize_t)sizeof said ||
        said.reporter < 0 || said.reporter >= r->plan->nodes) {
        return -1;
    }
    said.phase[sizeof said.phase - 1] = said.complaint[sizeof said.complaint - 1] = 0;
    all->of[said.reporter] = said;
    all->made[said.reporter] = 1;
    return said.reporter;
}

/* Accuses by the reports, if there are any. A node that is late may itself wait for another one. */
static void judge(const referee *r, int limit) {
    reports all = {0};
    int named = take_report(r, &all, limit), culprit;
    if (named < 0) {
        return;
    }
    while (culprit = all.of[named].culprit, all.of[named].late && culprit >= 0 && culprit < r->plan->nodes) {
        while (!all.made[culprit] && take_report(r, &all, 1000 * (int)frame_limit + GRACE) >= 0) {
        }
        if (!all.made[culprit]) {
            break;
        }
        named = culprit;
    }
    accuse(r, culprit, all.of[named].phase, all.of[named].complaint);
}

/* Waits for a frame of a node, and for reports of all. */
static void expect(const referee *r, int node, frame_kind kind, void *data, size_t count, size_t size) {
    struct pollfd both[2] = {{r->links.links[node], POLLIN, 0}, {r->reports[READ], POLLIN, 0}};
    const int limit = 1000 * (int)frame_limit * 2 * (r->plan->nodes + 1);
    if (poll(both, 2, limit) == 0) {
        accuse(r, node, frame_name(kind), frame_complaint(LATE));
    }
    if (both[1].revents & POLLIN) {
        judge(r, 0);
    }
    frame_result received = receive_frame(r->links.links[node], kind, data, count, size);
    if (received != DONE) {
        judge(r, GRACE);
        accuse(r, node, frame_name(kind), frame_complaint(received));
    }
}

static void begin(referee *r) {
    const int nodes = r->plan->nodes;
    mesh_open(&r->links, nodes + 1);
    if (pipe(r->reports) != 0) {
        die("no pipe");
    }
    fflush(stdout);
    for (int i = 0; i < nodes; i++) {
        r->processes[i] = fork();
        if (r->processes[i] < 0) {
            die("no process for node %d", i);
        }
        if (r->processes[i] == 0) {
            close(r->reports[READ]);
            run_node(r->plan, &r->links, i, r->reports[WRITE]);
            _exit(0);
        }
    }
    close(r->reports[WRITE]);
    mesh_join(&r->links, nodes);
}

/* Draws messages, and sends each divided by the keys that its sender has in common with the nodes. */
static void send_messages(referee *r) {
    const group *g = r->plan->group;
    const size_t n = r->plan->messages, nodes = (size_t)r->plan->nodes;
    for (size_t i = 0; i < nodes; i++) {
        expect(r, (int)i, SENDER_KEYS, r->keys + i * n * g->wire, n, g->wire);
    }
    fill(NULL, r->payloads, n * g->payload);
    for (size_t j = 0; j < n; j++) {
        r->people->send(
            r->wire + j * g->wire, r->payloads + j * g->payload, r->keys + j * g->wire, nodes, n * g->wire);
    }
    if (send_frame(r->links.links[0], MESSAGES, r->wire, n, g->wire) != DONE) {
        judge(r, GRACE);
        accuse(r, 0, frame_name(MESSAGES), frame_complaint(CLOSED));
    }
}

/* Follows the place j of the output through all orders; returns the message that belongs there. */
static size_t origin(uint32_t *const *orders, int nodes, size_t j, size_t n) {
    for (int i = nodes - 1; i >= 0; i--) {
        j = orders[i][j] < n ? orders[i][j] : 0;
    }
    return j;
}

static void receive_messages(referee *r, outcome *found) {
    const group *g = r->plan->group;
    const size_t n = r->plan->messages;
    const int nodes = r->plan->nodes;
    uint32_t *orders[MOST_NODES];
    uint8_t *payload = allocate(1, g->payload);
    expect(r, nodes - 1, COMMITMENT, r->wire, n, g->wire);
    expect(r, nodes - 1, OUTPUT, r->wire, n, g->wire);
    for (int i = 0; i < nodes; i++) {
        orders[i] = allocate(n, sizeof **orders);
        expect(r, i, ORDER, orders[i], n, sizeof **orders);
        expect(r, i, TIMES, &found->nodes[i], 1, sizeof *found->nodes);
    }
    for (size_t j = 0; j < n; j++) {
        const uint8_t *sent = r->payloads + origin(orders, nodes, j, n) * g->payload;
        found->wrong += !r->people->receive(payload, r->wire + j * g->wire) || memcmp(payload, sent, g->payload) != 0;
    }
    for (int i = 0; i < nodes; i++) {
        free(orders[i]);
    }
    free(payload);
}

void run_round(const round_plan *plan, const correspondents *people, outcome *found) {
    const size_t n = plan->messages, wire = plan->group->wire;
    referee r = {.plan = plan, .people = people};
    memset(found, 0, sizeof *found);
    r.payloads = allocate(n, plan->group->payload);
    r.keys = allocate(n * (size_t)plan->nodes, wire);
    r.wire = allocate(n, wire);
    begin(&r);
    send_messages(&r);
    receive_messages(&r, found);
    for (int i = 0; i < plan->nodes; i++) {
        waitpid(r.processes[i], NULL, 0);
        close(r.links.links[i]);
    }
    close(r.reports[READ]);
    free(r.payloads);
    free(r.keys);
    free(r.wire);
}
