"""C for rv32im, compiled and run on a machine that counts cycles, against Python's integers."""

import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from affine_edwards import G, L, add, multiple
from affine_edwards import P as P25519
from running import RV32IM, Counter

PRIMES = {
    "2^255-19": P25519,
    "secp256k1": 2**256 - 2**32 - 977,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "2^521-1": 2**521 - 1,
}
MEANINGS: dict[str, Callable[[int, int], int]] = {
    "mul": lambda a, b: a * b,
    "sqr": lambda a, _: a * a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "neg": lambda a, _: -a,
}
UNARY = ("sqr", "neg")
# The most cycles that an operation modulo 2^255 - 19 takes, its call and a loop around it included.
MOST = {"mul": 625, "sqr": 460, "add": 108, "sub": 112, "neg": 100}

LIBSODIUM = 2_079_986  # instructions for the same sum, best of five sets of flags


# The parts of a C library that compilers call.
STRING_H = """
#pragma once
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int byte, size_t count);
"""
RUNTIME = """
#include "string.h"
__asm__(".globl _start\\n_start: jal main\\nli t0, 0\\necall\\n");
void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int byte, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = (char)byte;
    return to;
}
static inline void mark(int number) {
    register int a0 __asm__("a0") = number;
    register int t0 __asm__("t0") = 100;
    __asm__ volatile("ecall" : : "r"(a0), "r"(t0) : "memory");
}
"""


def compiled(gcc: str, folder: Path, source: str) -> Path:
    """Link a program in C, which may call ``mark``, with the headers in a folder."""
    (folder / "string.h").write_text(STRING_H)
    (folder / "program.c").write_text(RUNTIME + source)
    program = folder / "program.elf"
    options = ("-O2", "-Wno-unused-function", "-fno-tree-loop-distribute-patterns", "-Wl,--no-relax")
    command = [gcc, *RV32IM, *options, "-I", str(folder), "-o", str(program), str(folder / "program.c")]
    subprocess.run(command, check=True)
    return program


def field_program(count: int) -> str:
    """Return a program that applies each operation to pairs of elements, after a mark."""
    loops = []
    for number, name in enumerate(MEANINGS):
        operands = "&left[i]" if name in UNARY else "&left[i], &right[i]"
        loop = f"for (int i = 0; i < {count}; i++) fp_fe_{name}(&{name}[i], {operands});"
        loops.append(f"{loop} mark({number});")
    arrays = ", ".join(f"{name}[{count}]" for name in ("left", "right", *MEANINGS))
    return "\n".join(
        ('#include "fp.h"', f"fp_fe {arrays};", "int main(void) {", "mark(9);", *loops, "return 0;", "}")
    )


def edges(prime: int, words: int, rng: random.Random) -> list[tuple[int, int]]:
    """Return pairs of numbers: at the edges of words and of the prime, and random ones."""
    most = 2 ** (32 * words) - 1
    known = [0, 1, prime - 1, prime, prime + 1, most, most - 1, most ^ 2**32 - 1, 2**31, 2**255]
    known += [rng.getrandbits(32 * words) for _ in range(3)]
    known += [sum(rng.choice((0, 1, 2**32 - 1)) << 32 * at for at in range(words)) for _ in range(7)]
    return [(a & most, b & most) for a in known for b in known]


def as_hex(numbers: Sequence[int], words: int) -> str:
    return b"".join(number.to_bytes(4 * words, "little") for number in numbers).hex()


def as_numbers(text: str, words: int) -> list[int]:
    raw = bytes.fromhex(text)
    return [int.from_bytes(raw[at : at + 4 * words], "little") for at in range(0, len(raw), 4 * words)]


@pytest.mark.parametrize("name", PRIMES)
def test_fields_agree_with_integers(
    name: str, efdgen: Callable, counter: Counter, riscv_gcc: str, rng: random.Random, tmp_path: Path
) -> None:
    prime = PRIMES[name]
    asked = ("--word", "32", "--target", "rv32im", "--ops", ",".join(MEANINGS), "--out", tmp_path)
    assert efdgen("field", "--prime", hex(prime), "--lang", "c", *asked).code == 0
    words = -(-prime.bit_length() // 32)
    # Montgomery's elements are below a bound; p is within each.
    bound = 2 ** (32 * words) if prime in (P25519, PRIMES["secp256k1"]) else prime
    radix = 2 ** (32 * words) if name == "P-256" else 1
    pairs = [(a % bound, b % bound) for a, b in edges(prime, words, rng)]
    program = compiled(riscv_gcc, tmp_path, field_program(len(pairs)))
    size = 4 * words * len(pairs)
    left, right = zip(*pairs, strict=True)
    inputs = [f"left={as_hex(left, words)}", f"right={as_hex(right, words)}"]
    found = counter(
        program,
        *(option for text in inputs for option in ("--input", text)),
        *(option for each in MEANINGS for option in ("--output", f"{each}:{size}")),
    )
    for operation, meaning in MEANINGS.items():
        scale = pow(radix, -1, prime) if operation in ("mul", "sqr") else 1
        results = as_numbers(found["outputs"][operation], words)
        assert [r % prime for r in results] == [meaning(a, b) * scale % prime for a, b in pairs], operation
    if prime == P25519:
        rows = zip(MEANINGS, found["marks"][1:], strict=True)
        cycles = {operation: row["cycles"] / len(pairs) for operation, row in rows}
        assert all(cycles[each] < MOST[each] for each in MEANINGS), cycles


SUM = """
#include "edwards25519.h"
uint8_t first[32], second[32], point[64], sum[64];
int main(void) {
    edwards25519_point q, r;
    edwards25519_affine_point p, s;
    if (!edwards25519_fe_from_bytes_le(&p.X, point)) return 1;
    if (!edwards25519_fe_from_bytes_le(&p.Y, point + 32)) return 1;
    edwards25519_from_affine(&q, &p);
    mark(1);
    edwards25519_double_multiply_var(&r, first, second, &q);
    mark(2);
    edwards25519_to_affine(&s, &r);
    edwards25519_fe_to_bytes_le(sum, &s.X);
    edwards25519_fe_to_bytes_le(sum + 32, &s.Y);
    return 0;
}
"""


@pytest.mark.long
def test_a_sum_of_two_multiples_on_edwards25519(
    efdgen: Callable, counter: Counter, riscv_gcc: str, rng: random.Random, tmp_path: Path
) -> None:
    asked = ("--set", "curve", "--lowering", "calls", "--target", "rv32im", "--out", tmp_path)
    assert efdgen("compile", "--lang", "c", "--curve", "edwards25519", *asked).code == 0
    program = compiled(riscv_gcc, tmp_path, SUM)
    scalars = [(rng.randrange(L), rng.randrange(L)) for _ in range(8)]
    cycles = []
    for a, b in (*scalars, (0, 0), (L - 1, 0), (0, L - 1), (L - 1, L - 1)):
        q = multiple(rng.randrange(1, L), G)
        values = {"first": as_hex([a], 8), "second": as_hex([b], 8), "point": as_hex(q, 8)}
        inputs = [option for name, text in values.items() for option in ("--input", f"{name}={text}")]
        found = counter(program, *inputs, "--output", "sum:64")
        assert found["status"] == 0
        assert tuple(as_numbers(found["outputs"]["sum"], 8)) == add(multiple(a, G), multiple(b, q))
        cycles.append(found["marks"][1]["cycles"])
    # Single sums in variable time differ by 2 %.
    assert sum(cycles[: len(scalars)]) < 0.75 * LIBSODIUM * len(scalars)
