"""Fields in C in one program, asked for words as elements are kept, and what Python says: for tests."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from field_primes import kept_words

from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.limbs.plan import representations
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.render.field.bundle import render_c_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from efdgen.generator.fields.field import Representation
    from efdgen.generator.options import RepresentationKind

OPERATIONS = (
    *BASIC,
    *("sum_of_products", "difference_of_products", "mul_small", "cswap", "to_words", "from_words"),
    *("inv_var", "is_square", "is_square_var", "sqrt", "inv_sqrt", "sqrt_ratio"),
    *("inv_batch", "sqr_n", "pow", "pow_public"),
)
NAMED_PRIMES, RANDOM_PRIMES = 5, 3
Kept = tuple[int, ...]
INTRINSICS = """
#pragma once
#include <immintrin.h>
static inline uint64_t _umul128(uint64_t a, uint64_t b, uint64_t *high) {
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}
"""

DRIVER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const uint8_t *bytes, int count) {
    for (int i = 0; i < count; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    putchar('\n');
}

static unsigned byte_of(const char *text) {
    char digits[3] = {text[0], text[1], '\0'};
    return (unsigned)strtoul(digits, NULL, 16);
}

/* Elements come as the bytes of what they are kept as, little-endian. */
#define FIELD(P, U)                                                                                   \
    static int P##_is(const char *name, const char *operation) {                                      \
        return strcmp(name, operation) == 0;                                                          \
    }                                                                                                 \
    static void P##_run(const char *op, char **words, int alias, unsigned long flag) {                \
        P##_fe in[4], other, *r = alias < 0 ? &other : &in[alias], *a = &in[0], *b = &in[1];          \
        uint8_t bytes[U##_FE_BYTES];                                                                  \
        memset(in, 0, sizeof in);                                                                     \
        if (P##_is(op, "from_bytes_be") || P##_is(op, "from_bytes_le")) {                             \
            for (int i = 0; i < U##_FE_BYTES; i++) {                                                  \
                bytes[i] = (uint8_t)byte_of(words[0] + 2 * i);                                        \
            }                                                                                         \
            printf("%d ", op[11] == 'b' ? P##_fe_from_bytes_be(r, bytes) : P##_fe_from_bytes_le(r, bytes)); \
            P##_fe_to_bytes_be(bytes, r);                                                             \
            put(bytes, U##_FE_BYTES);                                                                 \
            return;                                                                                   \
        }                                                                                             \
        for (int k = 0; k < 4 && words[k] != NULL; k++) {                                             \
            for (size_t i = 0; i < U##_LIMBS * U##_WORD_BITS / 8; i++) {                              \
                P##_word byte = byte_of(words[k] + 2 * i);                                            \
                in[k].limb[8 * i / U##_WORD_BITS] |= byte << (8 * i % U##_WORD_BITS);                 \
            }                                                                                         \
        }                                                                                             \
        if (P##_is(op, "set_zero")) P##_fe_set_zero(r);                                               \
        else if (P##_is(op, "set_one")) P##_fe_set_one(r);                                            \
        else if (P##_is(op, "add")) P##_fe_add(r, a, b);                                              \
        else if (P##_is(op, "sub")) P##_fe_sub(r, a, b);                                              \
        else if (P##_is(op, "neg")) P##_fe_neg(r, a);                                                 \
        else if (P##_is(op, "half")) P##_fe_half(r, a);                                               \
        else if (P##_is(op, "mul")) P##_fe_mul(r, a, b);                                              \
        else if (P##_is(op, "sqr")) P##_fe_sqr(r, a);                                                 \
        else if (P##_is(op, "select")) P##_fe_select(r, a, b, (int)flag);                             \
        else if (P##_is(op, "cswap")) { P##_fe_cswap(a, b, (int)flag); r = a; }                       \
        else if (P##_is(op, "mul_small")) P##_fe_mul_small(r, a, (P##_word)flag);                     \
        else if (P##_is(op, "sum_of_products")) P##_fe_sum_of_products(r, a, b, &in[2], &in[3]);      \
        else if (P##_is(op, "difference_of_products"))                                                \
            P##_fe_difference_of_products(r, a, b, &in[2], &in[3]);                                   \
        else if (P##_is(op, "inv")) P##_fe_inv(r, a);                                                 \
        else if (P##_is(op, "inv_var")) P##_fe_inv_var(r, a);                                         \
        else if (P##_is(op, "convert")) {                                                             \
            P##_word t[U##_WORDS];                                                                    \
            P##_fe_to_words(t, a);                                                                    \
            P##_fe_from_words(r, t);                                                                  \
        }                                                                                             \
        else if (P##_is(op, "is_square")) { printf("%d\n", P##_fe_is_square(a)); return; }            \
        else if (P##_is(op, "is_square_var")) { printf("%d\n", P##_fe_is_square_var(a)); return; }    \
        else if (P##_is(op, "sqrt") || P##_is(op, "inv_sqrt") || P##_is(op, "sqrt_ratio")) {          \
            printf("%d ", P##_is(op, "sqrt") ? P##_fe_sqrt(r, a)                                      \
                : P##_is(op, "inv_sqrt") ? P##_fe_inv_sqrt(r, a) : P##_fe_sqrt_ratio(r, a, b));       \
            P##_fe_sqr(r, r);                                                                         \
        }                                                                                             \
        else if (P##_is(op, "sqr_n")) P##_fe_sqr_n(r, a, (int)flag);                                  \
        else if (P##_is(op, "pow") || P##_is(op, "pow_public")) {                                     \
            uint8_t exponent[1 << 10];                                                                \
            int size = (int)strlen(words[1]) / 2;                                                     \
            for (int i = 0; i < size; i++) {                                                          \
                exponent[i] = (uint8_t)byte_of(words[1] + 2 * i);                                     \
            }                                                                                         \
            if (op[3] == '_') P##_fe_pow_public(r, a, exponent, size);                                \
            else P##_fe_pow(r, a, exponent, size);                                                    \
        }                                                                                             \
        else if (P##_is(op, "inv_batch")) {                                                           \
            P##_fe inverses[4];                                                                       \
            P##_fe_inv_batch(inverses, in, 4);                                                        \
            *r = inverses[flag];                                                                      \
        }                                                                                             \
        else if (P##_is(op, "is_zero")) { printf("%d\n", P##_fe_is_zero(a)); return; }                \
        else if (P##_is(op, "equal")) { printf("%d\n", P##_fe_equal(a, b)); return; }                 \
        else if (P##_is(op, "to_bytes_le")) {                                                         \
            P##_fe_to_bytes_le(bytes, a);                                                             \
            put(bytes, U##_FE_BYTES);                                                                 \
            return;                                                                                   \
        }                                                                                             \
        else exit(2);                                                                                 \
        P##_fe_to_bytes_be(bytes, r);                                                                 \
        put(bytes, U##_FE_BYTES);                                                                     \
    }

%s

int main(void) {
    static char line[1 << 14];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[5] = {NULL, NULL, NULL, NULL, NULL};
        const char *field = strtok(line, " \n"), *op = strtok(NULL, " \n");
        int alias = atoi(strtok(NULL, " \n"));
        unsigned long flag = strtoul(strtok(NULL, " \n"), NULL, 10);
        for (int i = 0; i < 4 && (words[i] = strtok(NULL, " \n")) != NULL; i++) {
        }
        %s
        return 3;
    }
    return 0;
}
"""

# From the operands modulo p, the flag and p.
VALUES: dict[str, Callable[..., int]] = {
    "add": lambda a, b, k, p: a + b,
    "sub": lambda a, b, k, p: a - b,
    "mul": lambda a, b, k, p: a * b,
    "neg": lambda a, k, p: -a,
    "half": lambda a, k, p: a * (p + 1) // 2,
    "sqr": lambda a, k, p: a * a,
    "mul_small": lambda a, k, p: a * k,
    "inv": lambda a, k, p: pow(a, -1, p) if a else 0,
    "inv_var": lambda a, k, p: pow(a, -1, p) if a else 0,
    "convert": lambda a, k, p: a,
    "select": lambda a, b, k, p: a if k else b,
    "cswap": lambda a, b, k, p: b if k else a,
    "sum_of_products": lambda a, b, c, d, k, p: a * b + c * d,
    "difference_of_products": lambda a, b, c, d, k, p: a * b - c * d,
}


@dataclass(frozen=True)
class Built:
    """A field that is part of a program: the name by which it is asked, and what its elements are."""

    name: str
    representation: Representation

    def written(self, kept: Kept) -> str:
        """Return the bytes of what an element is kept as, the least significant first."""
        return "".join(word.to_bytes(self.representation.word // 8, "little").hex() for word in kept)

    def element(self, kept: Kept) -> int:
        prime, radix = self.representation.plan.prime, self.representation.radix
        return self.representation.number(kept) * pow(radix, -1, prime) % prime

    def request(self, operation: str, alias: int, flag: int, kept: tuple[Kept, ...]) -> str:
        return f"{self.name} {operation} {alias} {flag} {' '.join(map(self.written, kept))}"

    def cases(self, rng: random.Random) -> list[tuple[str, str]]:
        """Return requests and their answers: each operation on corners of what it takes, and at random."""
        prime, element = self.representation.plan.prime, self.element
        size = (prime.bit_length() + 7) // 8
        values = kept_words(self.representation, rng, 6)
        found = [
            (self.request("set_zero", -1, 0, ()), f"{0:0{2 * size}x}"),
            (self.request("set_one", -1, 0, ()), f"{1:0{2 * size}x}"),
        ]

        for operation, function in VALUES.items():
            count = function.__code__.co_argcount - 2
            for kept in chosen(values, count, rng):
                flag = (
                    rng.choice([1, self.representation.small])
                    if operation == "mul_small"
                    else rng.randrange(2)
                )
                alias = rng.randrange(-1, count)
                value = function(*map(element, kept), flag, prime) % prime
                found.append((self.request(operation, alias, flag, kept), f"{value:0{2 * size}x}"))
        for a in values:
            equals = [b for b in values if element(a) == element(b)]
            pairs = [(a, b) for b in (*equals, *rng.sample(values, 4))]
            found += [
                (self.request("equal", -1, 0, (x, y)), str(int(element(x) == element(y)))) for x, y in pairs
            ]
            found.append((self.request("is_zero", -1, 0, (a,)), str(int(element(a) == 0))))
            square = is_square(element(a), prime)
            found += [
                (self.request(name, -1, 0, (a,)), str(int(square))) for name in ("is_square", "is_square_var")
            ]
            written = element(a).to_bytes(size, "little").hex()
            found.append((self.request("to_bytes_le", -1, 0, (a,)), written))
        for a in few(values, rng):
            for b in (a, rng.choice(values)):
                found += self.roots(a, b, size, rng)
        found += self.powers(values, size, rng)
        return found + [case for value in strings(prime, size, rng) for case in self.decoded(value, size)]

    def roots(self, a: Kept, b: Kept, size: int, rng: random.Random) -> list[tuple[str, str]]:
        """Return requests for roots of a, of 1/a and of a/b, and whether there are any, and their squares."""
        prime = self.representation.plan.prime
        x, y = (self.element(value) for value in (a, b))
        inverse = pow(x, -1, prime) if x else 0
        ratio = x * pow(y, -1, prime) % prime if y else 0
        cases = {
            "sqrt": (x, is_square(x, prime), (a,)),
            "inv_sqrt": (inverse, x != 0 and is_square(x, prime), (a,)),
            "sqrt_ratio": (ratio, x == 0 or (y != 0 and is_square(ratio, prime)), (a, b)),
        }
        return [
            (
                self.request(name, rng.randrange(-1, len(kept)), 0, kept),
                f"{int(flag)} {square if flag else 0:0{2 * size}x}",
            )
            for name, (square, flag, kept) in cases.items()
        ]

    def powers(self, values: list[Kept], size: int, rng: random.Random) -> list[tuple[str, str]]:
        """Return requests for powers, by squaring alone too, and for inverses of four elements at once."""
        prime, element = self.representation.plan.prime, self.element
        found = []
        for a in few(values, rng):
            b, count = rng.choice(values), rng.randrange(6)
            exponent = int.from_bytes(bytes.fromhex(self.written(b)), "little")
            for name in ("pow", "pow_public"):
                power = pow(element(a), exponent, prime)
                found.append((self.request(name, rng.randrange(-1, 1), 0, (a, b)), f"{power:0{2 * size}x}"))
            power = pow(element(a), 1 << count, prime)
            found.append((self.request("sqr_n", rng.randrange(-1, 1), count, (a,)), f"{power:0{2 * size}x}"))
            four, at = tuple(rng.choice(values) for _ in "abcd"), rng.randrange(4)
            inverse = pow(element(four[at]), -1, prime) if element(four[at]) else 0
            found.append((self.request("inv_batch", -1, at, four), f"{inverse:0{2 * size}x}"))
        return found

    def decoded(self, value: int, size: int) -> list[tuple[str, str]]:
        below = value < self.representation.plan.prime
        answer = f"{int(below)} {value if below else 0:0{2 * size}x}"
        return [
            (f"{self.name} from_bytes_{order[0]}e -1 0 {value.to_bytes(size, order).hex()}", answer)
            for order in ("big", "little")
        ]


def few(values: list[Kept], rng: random.Random) -> list[Kept]:
    """Return 0, 1, and some of the other values, for what takes long."""
    return [*values[:2], *rng.sample(values, 4)]


def chosen(values: list[Kept], count: int, rng: random.Random) -> list[tuple[Kept, ...]]:
    if count < 3:
        every = list(product(values, repeat=count))
        return rng.sample(every, min(len(every), 40))
    corners = [tuple(values[at] for _ in range(count)) for at in range(len(values))]
    return [*corners, *(tuple(rng.choice(values) for _ in range(count)) for _ in range(30))]


def strings(prime: int, size: int, rng: random.Random) -> list[int]:
    """Numbers of so many bytes, those that are not below p included."""
    top = (1 << 8 * size) - 1
    found = {0, 1, prime - 1, prime, prime + 1, top, top - 1, rng.randrange(prime), rng.randrange(top + 1)}
    return sorted(value for value in found if value <= top)


def built(
    primes: list[int], words: tuple[int, ...] = (64, 32), kind: RepresentationKind | None = None
) -> list[tuple[Built, str]]:
    """Return fields with the text of their headers, in those sizes of words that have the kind of limbs."""
    found = []
    for number, prime in enumerate(primes):
        for word in words:
            if kind not in (None, *representations(prime, word)):
                continue
            name = f"f{number}w{word}"
            field = Built(name, Field(PrimeField(prime), words=(word,), kind=kind).representations[0])
            request = FieldRequest(
                "c", str(prime), word, operations=OPERATIONS, prefix=name, representation=kind
            )
            found.append((field, render_c_source(request)[f"{name}.h"]))
    return found


def compiled(folder: Path, fields: list[tuple[Built, str]], *command: str) -> Path:
    for field, text in fields:
        (folder / f"{field.name}.h").write_text(text)
    names = [field.name for field, _ in fields]
    parts = [f'#include "{name}.h"\nFIELD({name}, {name.upper()})' for name in names]
    calls = [
        f'if (strcmp(field, "{name}") == 0) {{ {name}_run(op, words, alias, flag); continue; }}'
        for name in names
    ]
    text = DRIVER.replace("%s", "\n".join(parts), 1).replace("%s", "\n        ".join(calls), 1)
    (folder / "driver.c").write_text(text)
    subprocess.run([*command, "-std=c99", "driver.c", "-o", "driver"], cwd=folder, check=True)
    return folder / "driver"


def wrong_answers(program: Path, cases: list[tuple[str, str]]) -> list[str]:
    text = "".join(f"{request}\n" for request, _ in cases)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    assert done.returncode == 0, (done.returncode, done.stderr, cases[len(answers)])
    return [
        f"{request}: {expected}, not {answer}"
        for (request, expected), answer in zip(cases, answers, strict=True)
        if answer != expected
    ]
