/* Answers requests about the elements of GROUP, one a line: multiple N, double N, sum N, read HEX, uniform HEX. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include HEADER

#define JOINED(a, b) a##b
#define NAMED(prefix, name) JOINED(prefix, name)
#define OWN(name) NAMED(GROUP, name)
enum { ENCODED = SIZE, UNIFORM = 2 * SIZE };

static void read_bytes(uint8_t *out, const char *text, size_t length) {
    if (strlen(text) != 2 * length) {
        exit(2);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            exit(2);
        }
        out[i] = (uint8_t)byte;
    }
}

static void print(const OWN(_element) * p) {
    uint8_t out[ENCODED];
    OWN(_encode)(out, p);
    for (size_t i = 0; i < ENCODED; i++) {
        printf("%02x", out[i]);
    }
    putchar('\n');
}

static int answer(const char *request, const char *text) {
    OWN(_element) r, g, other;
    uint8_t bytes[UNIFORM], k[4][SIZE] = {{0}};
    if (strcmp(request, "read") == 0) {
        read_bytes(bytes, text, ENCODED);
        if (!OWN(_decode)(&r, bytes)) {
            return puts("refused") < 0;
        }
    } else if (strcmp(request, "uniform") == 0) {
        read_bytes(bytes, text, UNIFORM);
        OWN(_from_uniform_bytes)(&r, bytes);
    } else {
        k[0][0] = (uint8_t)atoi(text);
        OWN(_generator)(&g);
        OWN(_multiply_generator)(&r, k[0]);
        OWN(_multiply)(&other, k[0], &g);
        if (!OWN(_equal)(&r, &other) || (k[0][0] != 0) == OWN(_is_identity)(&r)) {
            return 1;
        }
        if (strcmp(request, "sum") == 0) {
            /* 2·r - r by sums, and once more in variable time. */
            const OWN(_element) terms[2] = {r, g};
            void *scratch = malloc(OWN(_multi_multiply_scratch)(2));
            k[1][0] = 2;
            memset(k[2], 0, SIZE);
            OWN(_multi_multiply)(&r, k[1], terms, 2, scratch);
            OWN(_multi_multiply_var)(&g, k[1], terms, 2, scratch);
            free(scratch);
            OWN(_subtract)(&r, &r, &terms[0]);
            OWN(_subtract)(&g, &g, &terms[0]);
            if (!OWN(_equal)(&r, &g)) {
                return 1;
            }
        }
    }
    print(&r);
    return 0;
}

int main(int count, char **words) {
    int failed = 0;
    for (int i = 1; i + 1 < count && !failed; i += 2) {
        failed = answer(words[i], words[i + 1]);
    }
    return failed;
}
