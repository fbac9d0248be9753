#include "frame.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { HEADER = 16, MAGIC = 0x78694D63 };

unsigned frame_limit = 60;

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until a socket can be read or written, or the time is up. */
static frame_result wait_for(int socket, short event, int64_t end) {
    struct pollfd one = {socket, event, 0};
    for (;;) {
        int64_t left = end - milliseconds();
        int found = poll(&one, 1, left > 0 ? (int)left : 0);
        if (found > 0) {
            return DONE;
        }
        if (found == 0) {
            return LATE;
        }
        if (errno != EINTR) {
            return CLOSED;
        }
    }
}

static frame_result send_bytes(int socket, const uint8_t *data, size_t length, int64_t end) {
    while (length) {
        ssize_t sent = send(socket, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            data += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
            frame_result ready = wait_for(socket, POLLOUT, end);
            if (ready != DONE) {
                return ready;
            }
        } else {
            return CLOSED;
        }
    }
    return DONE;
}

static frame_result receive_bytes(int socket, uint8_t *data, size_t length, int64_t end) {
    while (length) {
        ssize_t received = recv(socket, data, length, MSG_DONTWAIT);
        if (received > 0) {
            data += received;
            length -= (size_t)received;
        } else if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
            frame_result ready = wait_for(socket, POLLIN, end);
            if (ready != DONE) {
                return ready;
            }
        } else {
            return CLOSED;
        }
    }
    return DONE;
}

static void write_header(uint8_t header[HEADER], frame_kind kind, size_t count, size_t size) {
    const uint32_t words[HEADER / 4] = {MAGIC, kind, (uint32_t)count, (uint32_t)size};
    for (int i = 0; i < HEADER; i++) {
        header[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}

frame_result send_frame(int socket, frame_kind kind, const void *data, size_t count, size_t size) {
    const int64_t end = milliseconds() + 1000 * (int64_t)frame_limit;
    uint8_t header[HEADER];
    write_header(header, kind, count, size);
    frame_result sent = send_bytes(socket, header, sizeof header, end);
    return sent == DONE ? send_bytes(socket, data, count * size, end) : sent;
}

frame_result receive_frame(int socket, frame_kind kind, void *data, size_t count, size_t size) {
    const int64_t end = milliseconds() + 1000 * (int64_t)frame_limit;
    uint8_t header[HEADER], expected[HEADER];
    write_header(expected, kind, count, size);
    frame_result received = receive_bytes(socket, header, sizeof header, end);
    if (received == DONE && memcmp(header, expected, sizeof header) != 0) {
        return WRONG;
    }
    return received == DONE ? receive_bytes(socket, data, count * size, end) : received;
}

const char *frame_complaint(frame_result result) {
    static const char *const complaints[] = {
        [CLOSED] = "ended", [LATE] = "is too late", [WRONG] = "sent another kind or number of elements"};
    return complaints[result];
}

const char *frame_name(frame_kind kind) {
    static const char *const names[FRAME_KINDS] = {
        [HELLO] = "hello", [PUBLIC_KEY] = "public key", [SENDER_KEYS] = "keys of senders", [PREPRE] = "prepre",
        [PREMIX] = "premix", [CIPHERTEXTS] = "ciphertexts", [SHARES] = "prepost", [MESSAGES] = "messages",
        [REALPRE] = "realpre", [REALMIX] = "realmix", [COMMITMENT] = "commitment", [OUTPUT] = "realpost",
        [ORDER] = "order", [TIMES] = "times"};
    return names[kind];
}
