"""Fields by their definition, and requests to their test programs with the answers, for all languages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from field_primes import PRIMES, SMALL_PRIMES, random_primes

from efdgen.generator.fields.request import FieldRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.generator.options import Language, RepresentationKind

SEED = int(os.environ["EFDGEN_TEST_SEED"])
Element = tuple[int, ...]
Operand = tuple[str, Element]
RANDOM = random_primes(Random(SEED), 3)
NONRESIDUES = {
    **{"13": 2, "3": -1, "257": -3, "2^61-1": -1, "2^89-1": 3, "2^127-1": -1, "2^255-19": 2},
    **{"5*2^248-1": -1, "27*2^500-1": -1, "BLS12-381": -1},
}
"""The fields that are built with GF(p²), and the squares of i there."""


@dataclass(frozen=True)
class Wanted:
    """A field to build: its prime, the square of i in GF(p²), and the kind of limbs."""

    prime: int
    nonresidue: int | None = None
    kind: RepresentationKind | None = None

    def request(self, language: Language, **options: object) -> FieldRequest:
        """Return the request for the field in a language; in Python it has neither limbs nor GF(p²)."""
        if language != "python":
            options |= {"nonresidue": self.nonresidue, "representation": self.kind}
        return FieldRequest(language, str(self.prime), **options)


# Some are there for powers of two that divide p - 1: 1, 2, 4, 8, 16, 32, 96.
FIELDS = {
    name: Wanted(prime, NONRESIDUES.get(name))
    for name, prime in {
        **SMALL_PRIMES,
        **{str(prime): prime for prime in (5, 7, 17, 73, 97, 241, 251, 257, 1009)},
        **{"2^61-1": 2**61 - 1, "2^89-1": 2**89 - 1, "2^640-305": 2**640 - 305},
        "P-224": 2**224 - 2**96 + 1,
        **PRIMES,
        **{f"random {number}": prime for number, prime in enumerate(RANDOM, 1)},
    }.items()
} | {
    f"{name}, unsaturated": Wanted(PRIMES[name], None, "unsaturated")
    for name in ("P-521", "2^448-2^224-1", "secp256k1")
}


class Elements:
    """GF(p) or GF(p²): tuples of integers, (x, y) for x + y·i with i² = nonresidue."""

    def __init__(self, prime: int, nonresidue: int | None = None, small: int = 1) -> None:
        self.p, self.nonresidue, self.small = prime, nonresidue, small
        self.degree = 1 if nonresidue is None else 2
        self.order, self.bytes = prime**self.degree, (prime.bit_length() + 7) // 8
        self.zero, self.one = (0,) * self.degree, (1, 0)[: self.degree]

    def sum(self, a: Element, b: Element, sign: int = 1) -> Element:
        return tuple((x + sign * y) % self.p for x, y in zip(a, b, strict=True))

    def times(self, a: Element, number: int) -> Element:
        return tuple(x * number % self.p for x in a)

    def mul(self, a: Element, b: Element) -> Element:
        if self.nonresidue is None:
            return (a[0] * b[0] % self.p,)
        real = a[0] * b[0] + self.nonresidue * a[1] * b[1]
        return real % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p

    def pow(self, a: Element, exponent: int) -> Element:
        if self.degree == 1:
            return (pow(a[0], exponent, self.p),)
        power = self.one
        for bit in f"{exponent:b}":
            power = self.mul(power, power)
            power = self.mul(power, a) if bit == "1" else power
        return power

    def inv(self, a: Element) -> Element:
        """Return an inverse; of zero it is zero."""
        return self.pow(a, self.order - 2) if self.order > 3 else a

    def is_square(self, a: Element) -> bool:
        return self.pow(a, self.order // 2) in (self.zero, self.one)

    def is_either(self, above: Element, below: Element, root: Element, flag: str) -> bool:
        """Return whether b·r² = a for a square a/b, b·r² = ζ·a for another, and r = 0 where a·b = 0."""
        if self.zero in (above, below):
            return root == self.zero and flag == str(int(above == self.zero))
        square = self.is_square(self.mul(above, below))
        wanted = above if square else self.times(above, self.unity[0])
        return flag == str(int(square)) and self.mul(below, self.mul(root, root)) == wanted

    def text(self, a: Element, order: str = "big") -> str:
        return "".join(x.to_bytes(self.bytes, order).hex() for x in a)

    def number(self, a: Element) -> int:
        """Return the number that an element is written as, the lowest byte first."""
        return int.from_bytes(bytes.fromhex(self.text(a, "little")), "little")

    def read(self, text: str) -> Element:
        size = 2 * self.bytes
        return tuple(int(text[at : at + size], 16) for at in range(0, len(text), size))

    @cached_property
    def unity(self) -> list[int]:
        """The roots of unity whose orders are powers of two, from the largest order in GF(p) down to 2."""
        nonsquare = next(x for x in range(2, self.p) if pow(x, self.p // 2, self.p) == self.p - 1)
        adicity = (self.p - 1 & 1 - self.p).bit_length() - 1
        root = pow(nonsquare, self.p - 1 >> adicity, self.p)
        return [pow(root, 1 << at, self.p) for at in range(adicity)]

    def values(self, rng: Random) -> list[Element]:
        """Return all elements of a small field; else those at edges of p and of words, and random ones."""
        p = self.p
        if self.degree == 2:
            x, y = rng.randrange(p), rng.randrange(p)
            norms = ((c * c - self.nonresidue) % p for c in range(p))
            norm = next(c for c, norm in enumerate(norms) if pow(norm, p // 2, p) == p - 1)
            found = [(0, 0), (1, 0), (0, 1), (p - 1, 0), (0, p - 1), (p - 1, p - 1), (norm, 1)]
            found += [(x, 0), (0, x), (x, y), (p // 2, y), (-x % p, 0)]
            return [*found, self.mul((x, y), (x, y)), self.mul((y, 1), (y, 1))]
        if p < 1 << 10:
            return [(value,) for value in range(p)]
        edges = {0, 1, 2, 3, p - 1, p - 2, p // 2, p // 2 + 1, isqrt(p) ** 2}
        for at in (*range(31, p.bit_length(), 31), *range(32, p.bit_length(), 32)):
            edges |= {1 << at, p - (1 << at), (1 << at) - 1}
        radix = 1 << (p.bit_length() + 63) // 64 * 64
        edges |= {value * pow(radix, -1, p) % p for value in rng.sample(sorted(edges), 8)}
        edges |= {pow(value, -1, p) for value in edges if value}
        edges |= {*self.unity[:9], *self.unity[-3:], *(rng.randrange(p) ** 2 % p for _ in range(5))}
        return [(value,) for value in sorted(edges | {rng.randrange(p) for _ in range(30)})]


VALUES: dict[str, Callable[..., Element]] = {
    "add": lambda f, a, b: f.sum(a, b),
    "sub": lambda f, a, b: f.sum(a, b, -1),
    "neg": lambda f, a: f.times(a, -1),
    "half": lambda f, a: f.times(a, (f.p + 1) // 2),
    "mul": lambda f, a, b: f.mul(a, b),
    "sqr": lambda f, a: f.mul(a, a),
    "conj": lambda f, a: f.pow(a, f.p),
    "inv": lambda f, a: f.inv(a),
    "inv_var": lambda f, a: f.inv(a),
    "sum_of_products": lambda f, a, b, c, d: f.sum(f.mul(a, b), f.mul(c, d)),
    "difference_of_products": lambda f, a, b, c, d: f.sum(f.mul(a, b), f.mul(c, d), -1),
    "select_0": lambda f, a, b: b,
    "select_1": lambda f, a, b: a,
    "cswap_0": lambda f, a, b: a,
    "cswap_1": lambda f, a, b: b,
    "mul_small": lambda f, a: f.times(a, f.small),
    "convert": lambda f, a: a,
    "power": lambda f, a, b: f.pow(a, f.number(b)),
}
FLAGS: dict[str, Callable[..., bool]] = {
    "is_zero": lambda f, a: a == f.zero,
    "equal": lambda f, a, b: a == b,
    "is_square": lambda f, a: f.is_square(a),
    "is_square_var": lambda f, a: f.is_square(a),
}
ROOTS: dict[str, Callable[..., tuple[Element, Element]]] = {
    "sqrt": lambda f, a: (a, f.one),
    "inv_sqrt": lambda f, a: (f.one, a),
    "sqrt_ratio": lambda f, a, b: (a, b),
    "sqrt_ratio_z": lambda f, a, b: (a, b),
}
"""The numerators and denominators of squares of roots."""
MORE = (
    *("set_zero", "set_one", "mul_small_by", "sqr_n", "pow", "pow_public", "inv_batch"),
    *("to_bytes_le", "from_bytes_be", "from_bytes_le"),
)
"""The functions that test programs answer requests for by ``field_programs/more.*``."""


class Row(NamedTuple):
    """A request and its answer; of a root the answer is its numerator and denominator."""

    request: str
    answer: str | tuple[Element, Element]

    def is_right(self, field: Elements, answer: str) -> bool:
        if isinstance(self.answer, str):
            return answer.startswith("error") if self.answer == "error" else answer == self.answer
        if answer.startswith("error"):
            return False
        (above, below), (flag, text) = self.answer, answer.split()
        root = field.read(text)
        if self.request.startswith("sqrt_ratio_z "):
            return field.is_either(above, below, root, flag)
        exists = above == field.zero or (below != field.zero and field.is_square(field.mul(above, below)))
        if not exists or above == field.zero:
            return (int(flag), root) == (exists, field.zero)
        return flag == "1" and field.mul(below, field.mul(root, root)) == above


def rows(field: Elements, names: Iterable[str], loose: Sequence[Operand], rng: Random) -> list[Row]:
    """Return requests for functions, on edges of the field and loose operands, which texts have."""
    names, values = [*names], [(field.text(value), value) for value in field.values(rng)]
    asked, found = [*values, *loose], []
    for name in names:
        if name in MORE:
            found += _more(field, name, asked, rng)
            continue
        function = VALUES.get(name) or FLAGS.get(name) or ROOTS[name]
        count = function.__code__.co_argcount - 1
        for operands in _operands(asked, count, rng):
            result = function(field, *(value for _, value in operands))
            answer = str(int(result)) if name in FLAGS else result if name in ROOTS else field.text(result)
            found.append(Row(" ".join((name, *(text for text, _ in operands))), answer))
    if "equal" in names:
        found += [Row(f"equal {text} {field.text(value)}", "1") for text, value in asked]
    if field.degree == 1 and "from_bytes_be" in names:
        found += [Row(f"neg {field.text((number,))}", "error") for number in _not_below(field, rng)]
    return found


def _operands(asked: Sequence[Operand], count: int, rng: Random) -> list[tuple[Operand, ...]]:
    if count == 1:
        return [(operand,) for operand in asked]
    if count == 2 and len(asked) <= 16:
        return [*product(asked, repeat=2)]
    same = [(operand,) * count for operand in rng.sample(asked, min(len(asked), 40))]
    return [*same, *(tuple(rng.choices(asked, k=count)) for _ in range(120 if count == 2 else 40))]


def _not_below(field: Elements, rng: Random) -> list[int]:
    """Return numbers with the bytes of an element that are not below p."""
    top = 256**field.bytes - 1
    return sorted({field.p, min(field.p + 1, top), top, rng.randint(field.p, top)})


def _more(field: Elements, name: str, asked: Sequence[Operand], rng: Random) -> list[Row]:
    few = [*asked[:2], *rng.sample(asked, min(len(asked), 6))]
    match name:
        case "set_zero" | "set_one":
            return [Row(name, field.text(field.zero if name == "set_zero" else field.one))]
        case "mul_small_by":
            factors = (1, 2, field.small - 1)
            return [Row(f"{name} {t} {k}", field.text(field.times(a, k))) for t, a in asked for k in factors]
        case "sqr_n":
            counts = (0, 1, 2, 5, 9)
            return [Row(f"{name} {t} {n}", field.text(field.pow(a, 1 << n))) for t, a in few for n in counts]
        case "pow" | "pow_public":
            exponents = (0, 1, 2, 3, field.p - 1, 2**80 - 1, rng.getrandbits(300))
            texts = {e: e.to_bytes((e.bit_length() + 7) // 8, "little").hex() for e in exponents}
            powers = product(few, texts.items())
            return [Row(f"{name} {t} {e}", field.text(field.pow(a, n))) for (t, a), (n, e) in powers]
        case "inv_batch":
            zero = field.text(field.zero), field.zero
            many = [[], [zero], few[1:2], [zero, *few[:2], zero, few[-1]], rng.choices(asked, k=20)]
            return [
                Row(
                    " ".join((name, *(t for t, _ in each))),
                    " ".join(field.text(field.inv(a)) for _, a in each),
                )
                for each in many
            ]
        case "to_bytes_le":
            return [Row(f"{name} {t}", field.text(a, "little")) for t, a in asked]
        case "from_bytes_be" | "from_bytes_le":
            order = "big" if name.endswith("be") else "little"
            refused = [] if field.degree == 2 else [field.text((n,), order) for n in _not_below(field, rng)]
            return [
                *(Row(f"{name} {field.text(a, order)}", f"1 {field.text(a)}") for _, a in asked),
                *(Row(f"{name} {text}", f"0 {field.text(field.zero)}") for text in refused),
            ]
    raise ValueError(name)
