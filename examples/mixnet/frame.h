/* Messages between processes: framed, of announced kind and length, within a time limit.
 *
 * A frame has 16 bytes before its data, little-endian: a number that tells frames from rubbish, its kind, the count of
 * what it carries, and the bytes of each. A receiver knows what it waits for: nothing that a header says is believed,
 * and nothing is allocated by it.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stddef.h>

typedef enum {
    HELLO,
    PUBLIC_KEY,
    SENDER_KEYS,
    PREPRE,
    PREMIX,
    CIPHERTEXTS,
    SHARES,
    MESSAGES,
    REALPRE,
    REALMIX,
    COMMITMENT,
    OUTPUT,
    ORDER,
    TIMES,
    FRAME_KINDS,
} frame_kind;

/* A result of sending or receiving. */
typedef enum { DONE, CLOSED, LATE, WRONG } frame_result;

/* Seconds that a frame may take. */
extern unsigned frame_limit;

frame_result send_frame(int socket, frame_kind kind, const void *data, size_t count, size_t size);
frame_result receive_frame(int socket, frame_kind kind, void *data, size_t count, size_t size);

/* Says what was done by a peer with a result other than DONE. */
const char *frame_complaint(frame_result result);

/* Names a kind of frame. */
const char *frame_name(frame_kind kind);

#endif
