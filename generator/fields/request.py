"""One run of ``efdgen field``: the field, the language, the operations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.mathematics.binary import (
    MOST_DEGREE,
    BinaryField,
    is_irreducible,
    polynomial_text,
    read_polynomial,
)
from efdgen.generator.mathematics.number import read_number
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.origin import Origin
from efdgen.generator.text.prefixes import require_prefix
from efdgen.generator.tuning.file import built_in

if TYPE_CHECKING:
    from efdgen.generator.options import Language, Optimize, RepresentationKind, Target
    from efdgen.generator.tuning.tuning import Tuning

_ORDER = " order"


@dataclass(frozen=True)
class FieldRequest:
    """The user's request; everything here, and nothing else, determines the bytes of the output.

    ``prime`` is an expression, or a curve's name, with `` order`` after it for the prime order of its
    generator; empty for GF(2^m), which ``polynomial`` is for. ``operations`` is empty for all that there are;
    ``word`` and ``layout`` None for all sizes of words and for the language's first layout; ``target`` None
    for what suits the language; with a ``nonresidue``, GF(p²) is built as well. ``representation`` is the
    kind of limbs, None for what is fastest; ``tuning`` what was measured, None for what is built in.
    """

    lang: Language
    prime: str = ""
    word: Literal[64, 32] | None = None
    target: Target | None = None
    operations: tuple[str, ...] = ()
    prefix: str = "fp"
    layout: str | None = None
    nonresidue: int | None = None
    representation: RepresentationKind | None = None
    tuning: Tuning | None = None
    polynomial: str | None = None
    optimize: Optimize = "speed"

    @property
    def command(self) -> Origin:
        """The command line that repeats the request, without paths of a machine, and its tuning."""
        modulus = ["--prime", self.prime] if self.polynomial is None else ["--binary", self.polynomial]
        words = ["efdgen", "field", *modulus, "--lang", self.lang]
        options = {
            "--word": None if self.word is None else str(self.word),
            "--optimize": None if self.optimize == "speed" else self.optimize,
            "--target": self.target,
            "--representation": self.representation,
            "--tuning": self.tuning.name if self.tuning else None,
            "--ops": ",".join(self.operations) or None,
            "--prefix": None if self.prefix == "fp" else self.prefix,
            "--layout": self.layout,
            "--degree": None if self.nonresidue is None else "2",
            "--nonresidue": None if self.nonresidue is None else str(self.nonresidue),
        }
        for option, value in options.items():
            words += [] if value is None else [option, value]
        return Origin((*words,), self.tuning.provenance if self.tuning else ())

    def field(self) -> Field:
        """Return the field; raises :class:`EfdgenError` for what is no prime or polynomial, or no name."""
        require_prefix(self.lang, self.prefix)
        words: tuple[Literal[64, 32], ...] = (64, 32) if self.word is None else (self.word,)
        tuning = self.tuning or built_in("rust" if self.lang == "rust" else "c")
        kind = self.representation
        polynomial = self.polynomial
        ground = PrimeField(read_prime(self.prime)) if polynomial is None else read_binary_field(polynomial)
        return Field(ground, self.target, words, self.nonresidue, kind, tuning, self.optimize)


def read_binary_field(text: str) -> BinaryField:
    """Return GF(2^m); raise :class:`EfdgenError` for a polynomial not irreducible of degree 2 to 1024."""
    try:
        field = BinaryField(read_polynomial(text))
    except ValueError as error:
        raise EfdgenError(f"--binary: {error}") from None
    if not 2 <= field.degree <= MOST_DEGREE:
        raise EfdgenError(f"--binary: the degree is {field.degree}; it must be 2 to {MOST_DEGREE}")
    if not is_irreducible(field.polynomial):
        raise EfdgenError(f"--binary: {polynomial_text(field.polynomial)[:60]} is not irreducible")
    return field


def read_prime(text: str) -> int:
    """Return a prime that is written as ``2^255 - 19``, ``0x1a01…``, ``secp256k1`` or ``P-256 order``."""
    text = text.strip()
    try:
        value = read_number(text)
    except ValueError as error:
        if not re.match(r"[A-Za-z]", text):
            raise EfdgenError(f"{text!r} is not a prime: {error}; give one such as 2^255-19") from None
        return _prime_of_curve(text)
    if value.denominator != 1 or not is_prime(value.numerator):
        raise EfdgenError(f"{text} is not prime; give one such as 2^255-19, or a curve's name")
    return value.numerator


def _prime_of_curve(text: str) -> int:
    curve = checked_curve(text.removesuffix(_ORDER).strip())
    if not text.endswith(_ORDER):
        if curve.field.is_binary:
            raise EfdgenError(f"{curve.name} is over {curve.field}; give it by --curve")
        return curve.prime
    if curve.order is None:
        raise EfdgenError(f"no order is known of {curve.name}; give the prime itself")
    return curve.order
