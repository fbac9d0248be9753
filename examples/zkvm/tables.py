"""Writes tables.h and tables.rs of the guests: constants and multiples of fixed points, by the affine law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from edwards import GENERATOR, LAW, ORDER, PRIME, D
from prover import CALL, GROUP, PLAIN, UPPER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from edwards import Point
    from prover import Shape

    from efdgen.generator.curves.affine import AffineCurve

# The second fixed point of fixed.c: this multiple of G, any would do.
SECOND = 12345678901234567890123456789

TEETH, SPACING = 8, 32
HALF = pow(2, -1, ORDER)

CONSTANTS = {
    "curve_d": D,
    "order": ORDER,
    "order_minus_1": ORDER - 1,
    "order_8": GROUP,
    "order_8_minus_1": GROUP - 1,
    "minus_2_127": pow(2, UPPER, ORDER) * -1 % ORDER,
    "half": HALF,
    "half_of_ones": (2**256 - 1) * HALF % ORDER,
    "words_2_256": 2**256 % ORDER,
}


# The constants that half.rs needs.
HALF_CONSTANTS = ("curve_d", "order", "order_minus_1", "order_8", "order_8_minus_1", "minus_2_127")


def words(number: int, brackets: str = "{}") -> str:
    """Return the initializer of 8 words, the least significant first."""
    return ", ".join(f"0x{number >> 32 * i & 0xFFFFFFFF:08x}" for i in range(8)).join(brackets)


def odd_multiples(point: Point, count: int, law: AffineCurve = LAW) -> list[Point]:
    """Return P, 3P, 5P and so on."""
    twice, found = law.double(point), [point]
    while len(found) < count:
        found.append(law.add(found[-1], twice))
    return found


def comb(point: Point) -> list[Point]:
    """Return the sums of ±2^(32t)·P over teeth t, + for the highest; bit t of an index is 1 for +."""
    teeth = [LAW.multiple(1 << SPACING * t, point) for t in range(TEETH)]
    sums = [teeth[-1]]
    for tooth in teeth[:-1]:
        sums = [LAW.add(s, t) for t in (LAW.negate(tooth), tooth) for s in sums]
    return sums


def table(kind: str, name: str, entries: Iterable[Iterable[int]], inner: str = "{}") -> str:
    """Return the definition of a table."""
    rows = [f"    {{{', '.join(inner.format(words(n)) for n in entry)}}}," for entry in entries]
    return "\n".join([f"static const {kind} {name}[{len(rows)}] ZK_FIXED = {{", *rows, "};"])


def root_bits(number: int, degree: int) -> int:
    """Return the first 64 bits of the fraction of a root."""
    scaled, root = number << 64 * degree, 0
    for bit in reversed(range(70)):
        if (root | 1 << bit) ** degree <= scaled:
            root |= 1 << bit
    return root & 2**64 - 1


def hash_constants() -> str:
    """Return the constants of SHA-512: bits of cube roots and of square roots of primes, by FIPS 180-4."""
    primes = [n for n in range(2, 410) if all(n % d for d in range(2, n))]
    rounds, initial = [root_bits(p, 3) for p in primes[:80]], [root_bits(p, 2) for p in primes[:8]]
    return "\n".join(
        f"static const uint64_t sha512_{name}[{len(values)}] = "
        f"{{{', '.join(f'0x{value:016x}' for value in values)}}};"
        for name, values in (("rounds", rounds), ("initial", initial))
    )


def fixed_multiples(shape: Shape) -> list[Point]:
    """Return the odd multiples of G, then of 2^127·G."""
    upper = LAW.multiple(1 << UPPER, GENERATOR)
    return [p for base in (GENERATOR, upper) for p in odd_multiples(base, shape.fixed_multiples)]


def text(shape: Shape) -> str:
    """Return the header for guests of a shape."""
    multiples = fixed_multiples(shape)
    return "\n".join(
        [
            "/* Constants and tables of the guests, made by tables.py. */",
            "#ifndef ZKVM_TABLES_H",
            "#define ZKVM_TABLES_H",
            '#include "field.h"',
            *(f"static const zk_fe {name} ZK_NEAR_CONST = {words(n)};" for name, n in CONSTANTS.items()),
            f"enum {{ OWN_MULTIPLES = {shape.own_multiples}, FIXED_MULTIPLES = {shape.fixed_multiples} }};",
            *(niels_table(multiples) if shape == PLAIN else call_tables(multiples)),
            hash_constants(),
            "#endif",
            "",
        ]
    )


def products(x: int, y: int) -> int:
    """Return 4dxy."""
    return 4 * D * x * y % PRIME


def call_tables(multiples: list[Point]) -> list[str]:
    """Return the tables for halved completed coordinates: x, y, 4dxy; and combs of x, y."""
    second = LAW.multiple(SECOND, GENERATOR)
    return [
        table("fixed_entry", "fixed", ((x, y, products(x, y)) for x, y in multiples)),
        table("comb_entry", "comb_g", comb(GENERATOR)),
        table("comb_entry", "comb_q", comb(second)),
    ]


def niels_table(multiples: list[Point]) -> list[str]:
    """Return the table for extended coordinates: y + x, y - x, 2dxy."""
    entries = [((y + x) % PRIME, (y - x) % PRIME, 2 * D * x * y % PRIME) for x, y in multiples]
    return [table("fixed_entry", "fixed", entries, inner="{{{}}}")]


def rust_text() -> str:
    """Return tables.rs: what half.rs needs, with entries that have Z = 1."""
    count = CALL.fixed_multiples
    entries = [
        "Entry {{ x: {}, y: {}, z: {}, k: {} }},".format(*(words(n, "[]") for n in (x, y, 1, products(x, y))))
        for x, y in fixed_multiples(CALL)
    ]
    return "\n".join(
        [
            "//! Constants and tables of the guest, made by tables.py.",
            "#![allow(clippy::unreadable_literal)]",
            "use crate::curve::Entry;",
            "use crate::field::Fe;",
            *(f"pub static {n.upper()}: Fe = {words(CONSTANTS[n], '[]')};" for n in HALF_CONSTANTS),
            f"pub const OWN_MULTIPLES: usize = {CALL.own_multiples};",
            f"pub const FIXED_MULTIPLES: usize = {count};",
            "pub static FIXED: [[Entry; FIXED_MULTIPLES]; 2] = [",
            *("[", *entries[:count], "],", "[", *entries[count:], "],"),
            "];",
            "",
        ]
    )
