/* Messages of 31 bytes in points of the subgroup of large order of edwards25519.
 *
 * y is the message with a counter of 7 bits above it, which makes some y that is a point's; where x is odd the message
 * is complemented. That point is in the subgroup for one counter of eight alone, and 128 counters would not suffice
 * once in 4,000 messages. So any point will do whose counter is the least among the eight points that differ from it
 * by small order, and what is sent is the one of these that is in the subgroup: the reader finds the least again.
 * By count, one message in 10^7 has no point.
 */
#ifndef EMBEDDING_H
#define EMBEDDING_H

#include "ed.h"

enum { EMBEDDED_BYTES = 31 };

/* Finds the points of small order; called once. */
void embedding_start(void);

/* Returns 1, or 0 for a message that has no point. Its time depends on the message: a sender runs it, for itself. */
int embed_var(ed_point *r, const uint8_t message[EMBEDDED_BYTES]);

/* Returns 1, or 0 for a point without a message. */
int extract_var(uint8_t message[EMBEDDED_BYTES], const ed_point *p);

#endif
