/* A group as the nodes of a mixnet and its senders see it: arrays of elements in, arrays of elements out.
 *
 * Elements of an array follow each other, `element` bytes each, and are of unknown layout; `wire` bytes carry one of
 * them. Outputs may be inputs where no order is given. `read` checks the bytes that it reads from a wire, and `check`
 * tells whether elements are in the subgroup of large order.
 */
#ifndef GROUP_H
#define GROUP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    /* Bytes of an element in memory, of one that is made ready to multiply by, and of one on the wire. */
    size_t element, factor, wire;
    /* Bytes of a message that an element carries. */
    size_t payload;

    /* Makes constants and tables; called once, before anything else. */
    void (*start)(void);
    /* Draws this node's secret key and writes what belongs to it, for all nodes. */
    void (*draw_key)(uint8_t *public_key);
    /* Makes the joint key of the public keys of all nodes, and its table; returns 0 if one of them is wrong. */
    int (*join)(const uint8_t *public_keys, size_t nodes);

    /* Draws n elements of the subgroup. */
    void (*draw)(void *r, size_t n);
    /* Makes n elements ready to multiply by. */
    void (*prepare)(void *factors, const void *p, size_t n);
    /* r[j] = p[order[j]] * others[0][j] * others[1][j] and so on; no order is the identity. */
    void (*multiply)(void *r, const void *p, const size_t *order, const void *const *others, size_t count, size_t n);
    /* The same with elements that are ready to multiply by. */
    void (*scale)(void *r, const void *p, const size_t *order, const void *const *factors, size_t count, size_t n);
    /* Encrypts the inverse of each element for the joint key: c1 and c2, by fresh randomness. */
    void (*encrypt)(void *c1, void *c2, const void *p, size_t n);
    /* Writes this node's shares of the decryption of ciphertexts: times c2 and all shares is the plaintext. */
    void (*share)(void *r, const void *c1, size_t n);

    void (*write)(uint8_t *bytes, const void *p, size_t n);
    /* Reads n elements; returns 0 if one of them is not in the group. */
    int (*read)(void *r, const uint8_t *bytes, size_t n);
    /* Returns 1 if n elements of the group are in the subgroup of large order, and 0 otherwise. */
    int (*check)(const void *p, size_t n);
} group;

/* The writer to a mixnet and the reader of its output, over the same wire. */
typedef struct {
    /* Embeds a message and divides by the sender's keys, one for each node, `stride` bytes apart. */
    void (*send)(uint8_t *wire, const uint8_t *payload, const uint8_t *keys, size_t nodes, size_t stride);
    /* Extracts the message of an element; returns 0 if it has none. */
    int (*receive)(uint8_t *payload, const uint8_t *wire);
} correspondents;

/* A group by its name on the command line, with its correspondents. */
typedef struct {
    const char *name;
    const group *group;
    const correspondents *correspondents;
    /* Chooses what this name means among the ways in which the group can compute. */
    void (*choose)(void);
} choice;

/* The choices of each library; the last one has no name. */
extern const choice curve_choices[], gcrypt_curve_choices[], gmp_choices[], openssl_choices[], gcrypt_integer_choices[];
extern const group integer_group;
extern const correspondents curve_correspondents, integer_correspondents;

/* Returns the choice of a name, NULL if there is none. */
const choice *find_group(const char *name);

/* Prints the names of all groups, one a line. */
void print_groups(void);

#endif
