#include "node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "frame.h"

const char *const phase_names[PHASES] = {"prepre", "premix", "prepost", "realpre", "realmix", "realpost", "members"};
enum { IN_PREPRE, IN_PREMIX, IN_PREPOST, IN_REALPRE, IN_REALMIX, IN_REALPOST, IN_MEMBERS, IN_NONE };

/* The state of a node: elements of the group unless it is said otherwise. */
typedef struct {
    const round_plan *plan;
    const group *group;
    const mesh *links;
    int number, reports;
    const char *doing;
    size_t n;
    size_t *order;
    void *keys, *before, *after; /* factors: of the senders, r, and s */
    void *drawn_r, *drawn_s;
    void *c1, *c2, *fresh1, *fresh2, *read1, *read2; /* ciphertexts */
    void *share, *messages;
    uint8_t *wire, *share_wire; /* bytes */
    times spent;
    int phase;
    uint64_t since;
} node;

static uint64_t processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Counts what the process does from now on for a phase. */
static void enter(node *s, int phase) {
    const uint64_t now = processor_time();
    if (s->phase != IN_NONE) {
        s->spent.phase[s->phase] += now - s->since;
    }
    s->phase = phase;
    s->since = now;
    s->doing = phase < PHASES ? phase_names[phase] : s->doing;
}

/* Ends the round: one line names who is at fault. This process ends when the round does. */
static void blame(const node *s, int culprit, int late, const char *complaint) {
    report said = {.reporter = s->number, .culprit = culprit, .late = late};
    snprintf(said.phase, sizeof said.phase, "%s", s->doing);
    snprintf(said.complaint, sizeof said.complaint, "%s", complaint);
    if (write(s->reports, &said, sizeof said) == (ssize_t)sizeof said) {
        pause();
    }
    exit(3);
}

static void send_to(const node *s, int to, frame_kind kind, const void *data, size_t count, size_t size) {
    frame_result sent = send_frame(s->links->links[to], kind, data, count, size);
    if (sent != DONE) {
        blame(s, to, sent == LATE, frame_complaint(sent));
    }
}

static void receive_from(const node *s, int from, frame_kind kind, void *data, size_t count, size_t size) {
    frame_result received = receive_frame(s->links->links[from], kind, data, count, size);
    if (received != DONE) {
        blame(s, from, received == LATE, frame_complaint(received));
    }
}

/* Sends elements, or pairs of them. */
static void send_elements(const node *s, int to, frame_kind kind, const void *first, const void *second) {
    const size_t half = s->n * s->group->wire;
    s->group->write(s->wire, first, s->n);
    if (second) {
        s->group->write(s->wire + half, second, s->n);
    }
    send_to(s, to, kind, s->wire, s->n, (second ? 2 : 1) * s->group->wire);
}

static void receive_elements(const node *s, int from, frame_kind kind, void *first, void *second) {
    const size_t half = s->n * s->group->wire;
    receive_from(s, from, kind, s->wire, s->n, (second ? 2 : 1) * s->group->wire);
    if (!s->group->read(first, s->wire, s->n) || (second && !s->group->read(second, s->wire + half, s->n))) {
        blame(s, from, 0, "sent what is not in the group");
    }
}

/* Demands of elements that they are in the subgroup: before a secret key meets them, and of messages. */
static void require_members(node *s, int from, const void *elements) {
    const int phase = s->phase;
    enter(s, IN_MEMBERS);
    s->doing = phase_names[phase];
    if (!s->group->check(elements, s->n)) {
        blame(s, from, 0, "sent an element of small order");
    }
    enter(s, phase);
}

static int senders(const node *s) {
    return s->plan->nodes;
}

static int last(const node *s) {
    return s->plan->nodes - 1;
}

static int previous(const node *s) {
    return s->number ? s->number - 1 : last(s);
}

static int next(const node *s) {
    return s->number == last(s) ? 0 : s->number + 1;
}

static void *elements(const node *s) {
    return allocate(s->n, s->group->element);
}

static void *factors(const node *s) {
    return allocate(s->n, s->group->factor);
}

static void make_room(node *s) {
    void **const all[] = {&s->drawn_r, &s->drawn_s, &s->c1,    &s->c2,    &s->fresh1,
                          &s->fresh2,  &s->read1,   &s->read2, &s->share, &s->messages};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = elements(s);
    }
    s->keys = factors(s);
    s->before = factors(s);
    s->after = factors(s);
    s->wire = allocate(s->n, 2 * s->group->wire);
    s->share_wire = allocate(s->n, s->group->wire);
    s->order = allocate(s->n, sizeof *s->order);
}

/* Makes keys: this node's, the joint one, and one for each sender, whom it is given. */
static void set_up(node *s) {
    const size_t size = s->group->wire;
    uint8_t *publics = allocate((size_t)s->plan->nodes, size);
    s->doing = "keys";
    s->group->draw_key(publics + (size_t)s->number * size);
    for (int i = 0; i < s->plan->nodes; i++) {
        if (i != s->number) {
            send_to(s, i, PUBLIC_KEY, publics + (size_t)s->number * size, 1, size);
        }
    }
    for (int i = 0; i < s->plan->nodes; i++) {
        if (i != s->number) {
            receive_from(s, i, PUBLIC_KEY, publics + (size_t)i * size, 1, size);
        }
    }
    if (!s->group->join(publics, (size_t)s->plan->nodes)) {
        die("a public key is wrong");
    }
    free(publics);
    s->group->draw(s->messages, s->n);
    s->group->prepare(s->keys, s->messages, s->n);
    send_elements(s, senders(s), SENDER_KEYS, s->messages, NULL);
}

/* prepre: each node draws r, s and an order, and multiplies an encryption of 1/r to what came. */
static void prepre(node *s) {
    const void *came[2] = {s->read1, s->read2};
    enter(s, IN_PREPRE);
    s->group->draw(s->drawn_r, s->n);
    s->group->draw(s->drawn_s, s->n);
    s->group->prepare(s->before, s->drawn_r, s->n);
    s->group->prepare(s->after, s->drawn_s, s->n);
    draw_order(s->order, s->n);
    s->group->encrypt(s->c1, s->c2, s->drawn_r, s->n);
    if (s->number) {
        receive_elements(s, previous(s), PREPRE, s->read1, s->read2);
        s->group->multiply(s->c1, s->c1, NULL, &came[0], 1, s->n);
        s->group->multiply(s->c2, s->c2, NULL, &came[1], 1, s->n);
    }
    send_elements(s, next(s), s->number == last(s) ? PREMIX : PREPRE, s->c1, s->c2);
}

/* premix: each node permutes, and multiplies an encryption of 1/s. */
static void premix(node *s) {
    const void *fresh[2] = {s->fresh1, s->fresh2};
    enter(s, IN_PREMIX);
    s->group->encrypt(s->fresh1, s->fresh2, s->drawn_s, s->n);
    receive_elements(s, previous(s), PREMIX, s->read1, s->read2);
    s->group->multiply(s->c1, s->read1, s->order, &fresh[0], 1, s->n);
    s->group->multiply(s->c2, s->read2, s->order, &fresh[1], 1, s->n);
    if (s->number != last(s)) {
        send_elements(s, next(s), PREMIX, s->c1, s->c2);
    }
}

/* prepost: each node makes its shares of the decryption, which it keeps for now. */
static void prepost(node *s) {
    enter(s, IN_PREPOST);
    if (s->number == last(s)) {
        require_members(s, SOME_NODE, s->c1);
        for (int i = 0; i < last(s); i++) {
            send_elements(s, i, CIPHERTEXTS, s->c1, NULL);
        }
    } else {
        receive_elements(s, last(s), CIPHERTEXTS, s->c1, NULL);
        require_members(s, last(s), s->c1);
    }
    s->group->share(s->share, s->c1, s->n);
    if (s->number != last(s)) {
        s->group->write(s->share_wire, s->share, s->n);
    }
}

/* realpre: each node takes the senders' keys away and multiplies by r. */
static void realpre(node *s) {
    const void *const by[2] = {s->keys, s->before};
    enter(s, IN_REALPRE);
    receive_elements(s, s->number ? previous(s) : senders(s), s->number ? REALPRE : MESSAGES, s->messages, NULL);
    if (s->number == 0) {
        require_members(s, senders(s), s->messages);
    }
    s->group->scale(s->messages, s->messages, NULL, by, 2, s->n);
    send_elements(s, next(s), s->number == last(s) ? REALMIX : REALPRE, s->messages, NULL);
}

/* realmix: each node permutes and multiplies by s; the last one shows what it has to all before it knows shares. */
static void realmix(node *s) {
    const void *const by[1] = {s->after};
    enter(s, IN_REALMIX);
    receive_elements(s, previous(s), REALMIX, s->read1, NULL);
    s->group->scale(s->messages, s->read1, s->order, by, 1, s->n);
    if (s->number != last(s)) {
        send_elements(s, next(s), REALMIX, s->messages, NULL);
        return;
    }
    s->group->write(s->wire, s->messages, s->n);
    for (int i = 0; i <= senders(s); i++) {
        if (i != s->number) {
            send_to(s, i, COMMITMENT, s->wire, s->n, s->group->wire);
        }
    }
}

/* realpost: the last node takes all shares, and messages come out. */
static void realpost(node *s) {
    const void *by[MOST_NODES + 1] = {s->c2, s->share};
    enter(s, IN_REALPOST);
    if (s->number != last(s)) {
        receive_from(s, last(s), COMMITMENT, s->wire, s->n, s->group->wire);
        send_to(s, last(s), SHARES, s->share_wire, s->n, s->group->wire);
        return;
    }
    for (int i = 0; i < last(s); i++) {
        void *other = elements(s);
        receive_elements(s, i, SHARES, other, NULL);
        by[2 + i] = other;
    }
    s->group->multiply(s->messages, s->messages, NULL, by, (size_t)s->plan->nodes + 1, s->n);
    require_members(s, SOME_NODE, s->messages);
    send_elements(s, senders(s), OUTPUT, s->messages, NULL);
}

/* Shows the order and the times, which a node of a real mixnet keeps. */
static void show(node *s) {
    uint32_t *order = allocate(s->n, sizeof *order);
    enter(s, IN_NONE);
    for (size_t i = 0; i < s->n; i++) {
        order[i] = (uint32_t)s->order[i];
    }
    s->doing = "end";
    send_to(s, senders(s), ORDER, order, s->n, sizeof *order);
    send_to(s, senders(s), TIMES, &s->spent, 1, sizeof s->spent);
    free(order);
}

void run_node(const round_plan *plan, mesh *links, int number, int reports) {
    node s = {.plan = plan, .group = plan->group, .links = links, .number = number, .reports = reports,
              .doing = "start", .n = plan->messages, .phase = IN_NONE};
    mesh_join(links, number);
    make_room(&s);
    set_up(&s);
    prepre(&s);
    premix(&s);
    prepost(&s);
    realpre(&s);
    realmix(&s);
    realpost(&s);
    show(&s);
}
