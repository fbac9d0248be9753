"""Subjects of measurement: primes and curves, and the peers that are not portable code."""

from __future__ import annotations

from dataclasses import dataclass

OURS = "efdgen"

# Peers whose speed is that of assembler or of vector instructions, by what their names start with.
NOT_PORTABLE = ("OpenSSL", "GMP", "curve25519-dalek")


@dataclass(frozen=True)
class Field:
    """A field of p or of p² elements, by the name that its rows have, and what its functions start with."""

    name: str
    prefix: str
    prime: int
    degree: int = 1


@dataclass(frozen=True)
class BinaryField:
    """A field GF(2^m), by the name that its rows have, what its functions start with, and its polynomial."""

    name: str
    prefix: str
    polynomial: str


@dataclass(frozen=True)
class Curve:
    """A curve, by the name that its rows have, and what its generated functions start with."""

    name: str
    prefix: str


FIELDS = (
    Field("secp256k1", "fp_secp256k1", 2**256 - 2**32 - 977),
    Field("P-256", "fp_p256", 2**256 - 2**224 + 2**192 + 2**96 - 1),
    Field("2^255-19", "fp_25519", 2**255 - 19),
    Field("P-384", "fp_p384", 2**384 - 2**128 - 2**96 + 2**32 - 1),
    Field("P-521", "fp_p521", 2**521 - 1),
    Field("2^448-2^224-1", "fp_448", 2**448 - 2**224 - 1),
    Field("5*2^248-1", "fp_5_248", 5 * 2**248 - 1),
    Field("65*2^376-1", "fp_65_376", 65 * 2**376 - 1),
    Field("27*2^500-1", "fp_27_500", 27 * 2**500 - 1),
    Field("(5*2^248-1)^2", "fp2_5_248", 5 * 2**248 - 1, degree=2),
    Field("(65*2^376-1)^2", "fp2_65_376", 65 * 2**376 - 1, degree=2),
    Field("(27*2^500-1)^2", "fp2_27_500", 27 * 2**500 - 1, degree=2),
)
CURVES = (
    Curve("secp256k1", "secp256k1"),
    Curve("P-256", "p256"),
    Curve("edwards25519", "edwards25519"),
)
X_ONLY = Curve("Curve25519", "curve25519")
# Fields GF(2^m) without a curve; the second by an irreducible polynomial of the fewest terms.
BINARY_FIELDS = (
    BinaryField("GF(2^127)", "f2_127", "x^127 + x^63 + 1"),
    BinaryField("GF(2^254)", "f2_254", "x^254 + x^7 + x^2 + x + 1"),
)
# Curves over GF(2^m), each with its field.
BINARY = tuple(
    Curve(name, name) for name in ("sect163k1", "sect233k1", "sect283k1", "sect409k1", "sect571k1")
)

# Timed operations, in the order of pages.
FIELD_OPERATIONS = ("mul", "sqr", "add", "sub", "inv", "inv var", "sqrt", "is_square", "is_square var")
BINARY_OPERATIONS = (
    *("mul", "sqr", "inv", "doubling", "mixed addition", "addition", "ladder step"),
    *("variable base", "variable base var", "fixed base", "double base var", "encoding", "decoding"),
)
CURVE_OPERATIONS = (
    "doubling",
    "mixed addition",
    "addition",
    "variable base",
    "variable base var",
    "fixed base",
    "double base var",
    "encoding",
    "decoding",
    "X25519",
)


def is_portable(who: str) -> bool:
    """Return whether an implementation is neither assembler nor vector code."""
    return not who.startswith(NOT_PORTABLE)
