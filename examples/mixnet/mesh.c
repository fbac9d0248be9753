#include "mesh.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"
#include "frame.h"

/* The greeting of a participant: its number, and a secret that no other process of the machine knows. */
typedef struct {
    uint32_t number;
    uint8_t token[16];
} hello;

static uint8_t token[16];

void mesh_open(mesh *m, int participants) {
    fill(NULL, token, sizeof token);
    m->participants = participants;
    for (int i = 0; i < participants; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        m->listening[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (m->listening[i] < 0 || bind(m->listening[i], (struct sockaddr *)&address, sizeof address) != 0 ||
            listen(m->listening[i], participants) != 0) {
            die("no port on the loopback");
        }
    }
}

static int connected_to(const mesh *m, int other) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    hello own = {.number = (uint32_t)m->self};
    int link = socket(AF_INET, SOCK_STREAM, 0);
    memcpy(own.token, token, sizeof token);
    if (link < 0 || getsockname(m->listening[other], (struct sockaddr *)&address, &length) != 0 ||
        connect(link, (struct sockaddr *)&address, length) != 0 ||
        send_frame(link, HELLO, &own, 1, sizeof own) != DONE) {
        die("node %d does not answer", other);
    }
    return link;
}

/* Accepts one participant after this one; others are sent away. */
static void accept_one(mesh *m) {
    hello given;
    int link = accept(m->listening[m->self], NULL, NULL);
    if (link >= 0 && receive_frame(link, HELLO, &given, 1, sizeof given) == DONE &&
        memcmp(given.token, token, sizeof token) == 0 && (int)given.number > m->self &&
        (int)given.number < m->participants && m->links[given.number] < 0) {
        m->links[given.number] = link;
    } else if (link >= 0) {
        close(link);
    }
}

static int missing(const mesh *m) {
    for (int i = m->self + 1; i < m->participants; i++) {
        if (m->links[i] < 0) {
            return 1;
        }
    }
    return 0;
}

void mesh_join(mesh *m, int self) {
    const int at_once = 1;
    m->self = self;
    for (int i = 0; i < m->participants; i++) {
        m->links[i] = i < self ? connected_to(m, i) : -1;
    }
    while (missing(m)) {
        accept_one(m);
    }
    for (int i = 0; i < m->participants; i++) {
        close(m->listening[i]);
        if (i != self) {
            setsockopt(m->links[i], IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        }
    }
}
