"""Proof of carry-less products as printed, by an instruction, or by products of integers.

The result of a text for all words is compared, coefficient by coefficient, with the product over GF(2). The
intrinsics are taken to do what their documentation says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.functions import failures
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.coefficients import ZERO, Bits, Coefficients, carryless, symbols
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.values import Integer, Kind, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.fields.emitted import EmittedPolynomials
    from efdgen.verify.words.tree import Routines

Value = Any

_WIDE = "__SIZEOF_INT128__"
_INTEL, _ARM = "__x86_64__", "__aarch64__"
# Macros that compilers define, by the way that a product is computed.
WAYS: dict[int, dict[str, tuple[str, ...]]] = {
    64: {
        "PCLMULQDQ": (_WIDE, "__PCLMUL__", _INTEL),
        "PMULL": (_WIDE, "__ARM_FEATURE_AES", _ARM),
        "128-bit integers": (_WIDE,),
    },
    32: {"64-bit integers": ()},
}


def prove_carryless(emitted: EmittedPolynomials) -> None:
    """Prove the functions on polynomials of a text; raise :class:`Refuted`."""
    text, word = emitted.text, emitted.word
    try:
        if emitted.language == "rust":
            _prove(read_rust(text), word, "Rust")
            return
        for way, defined in WAYS[word].items():
            _prove(read_c(text, word, defined), word, way)
    except NotReadError as error:
        raise Refuted(f"what is printed is not understood: {error}") from None


def _prove(text: Routines, word: int, way: str) -> None:
    for name in text.functions:
        wanted = _WANTED.get(name)
        if wanted is None:
            raise Refuted(f"fails: the contract of {name} is known")
        with failures(text.language):
            holds = wanted(_Follower(text, word))
        if not holds:
            raise Refuted(f"fails: {name} is right, with {way}")


class _Follower:
    """Functions of one text on coefficients."""

    def __init__(self, text: Routines, word: int) -> None:
        domain = Coefficients()
        self.word, self._kind = word, Kind(word, signed=False)
        self._double = Kind(2 * word, signed=False)
        self._machine = Machine(text, word, domain, _intrinsics(word))

    def single(self, name: str) -> tuple[Integer, Bits]:
        """Return any word."""
        bits = symbols(name, self.word)
        return Integer(self._kind, bits), bits

    def double(self, name: str) -> tuple[Integer, Bits]:
        """Return any polynomial of two words."""
        bits = symbols(name, 2 * self.word)
        return Integer(self._double, bits), bits

    def call(self, name: str, *arguments: Value) -> Bits:
        """Return what a function returns."""
        found: Bits = self._machine.follow(name, *arguments).raw
        return found


def _multiplies(f: _Follower) -> bool:
    (a, one), (b, other) = f.single("a"), f.single("b")
    return f.call("poly_mul", a, b) == carryless(one, other, 2 * f.word)


def _squares(name: str) -> Callable[[_Follower], bool]:
    def holds(f: _Follower) -> bool:
        a, bits = f.single("a")
        return f.call(name, a) == tuple(each for bit in bits for each in (bit, ZERO))

    return holds


def _adds(f: _Follower) -> bool:
    (a, one), (b, other) = f.double("a"), f.double("b")
    wanted = tuple(x ^ y for x, y in zip(one, other, strict=True) if x is not None and y is not None)
    return f.call("poly_add", a, b) == wanted


def _low(f: _Follower) -> bool:
    a, bits = f.double("a")
    return f.call("poly_low", a) == bits[: f.word]


def _high(f: _Follower) -> bool:
    a, bits = f.double("a")
    return f.call("poly_high", a) == bits[f.word :]


def _joins(f: _Follower) -> bool:
    (low, one), (high, other) = f.single("low"), f.single("high")
    return f.call("poly_of", low, high) == one + other


def _spreads(f: _Follower) -> bool:
    """Tell whether the lower half of a word is spread where the upper one is 0."""
    half = symbols("a", f.word // 2)
    a = Integer(Kind(f.word, signed=False), half + (ZERO,) * (f.word // 2))
    return f.call("poly_spread", a) == tuple(each for bit in half for each in (bit, ZERO))


_WANTED: dict[str, Callable[[_Follower], bool]] = {
    "poly_mul": _multiplies,
    "poly_sqr": _squares("poly_sqr"),
    "poly_square": _squares("poly_square"),
    "poly_add": _adds,
    "poly_low": _low,
    "poly_high": _high,
    "poly_of": _joins,
    "poly_spread": _spreads,
}


def _intrinsics(word: int) -> dict[str, Callable[..., Value]]:
    """Return what intrinsics do, by the documentation of Intel and Arm."""
    single, double = Kind(word, signed=False), Kind(2 * word, signed=False)
    signed = Kind(word, signed=True)

    def halves(x: Integer) -> tuple[Bits, Bits]:
        return x.raw[:word], x.raw[word:]

    def multiplied(x: Bits, y: Bits) -> Integer:
        return Integer(double, carryless(x, y, 2 * word))

    def selected(x: Integer, y: Integer, which: int) -> Integer:
        if which:
            raise NotFollowedError("other halves are multiplied than the low ones")
        return multiplied(halves(x)[0], halves(y)[0])

    def widened(x: Integer) -> Integer:
        return Integer(double, Coefficients().convert(x.raw, x.kind, double))

    def exclusive(x: Integer, y: Integer) -> Integer:
        return Integer(double, Coefficients().binary("^", x.raw, y.raw, double, wraps=True))

    return {
        **dict.fromkeys((f"u{word}::from", f"u{2 * word}::from"), widened),
        "_mm_cvtsi64_si128": lambda x: Integer(double, x.raw + (ZERO,) * word),
        "_mm_cvtsi128_si64": lambda x: Integer(signed, halves(x)[0]),
        "_mm_unpackhi_epi64": lambda x, y: Integer(double, halves(x)[1] + halves(y)[1]),
        "_mm_xor_si128": exclusive,
        "_mm_clmulepi64_si128": selected,
        "vmull_p64": lambda x, y: multiplied(x.raw, y.raw),
        "vreinterpretq_u64_p128": lambda x: x,
        "vgetq_lane_u64": lambda x, lane: Integer(single, halves(x)[lane]),
        "veorq_u64": exclusive,
    }
