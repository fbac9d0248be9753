"""Parameters of hashing to a curve (RFC 9380): a map of elements to points, its constants, and lengths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Literal, TypeAlias

import flint

from efdgen.generator.curves.file import CurveFile, by_curve
from efdgen.generator.curves.isogeny import Isogeny, isogeny
from efdgen.generator.formulas.layers import layers
from efdgen.generator.mathematics.primes import is_square, square_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.layers import Layers

Expander: TypeAlias = Literal["xmd", "xof"]
"""Expansions of a hash function (RFC 9380, 5.3): by blocks, or as an extendable-output function."""

_KEYS = ("curve", "suite", "hash", "cofactor", "isogeny", "montgomery")
_HASHES = {128: "sha256", 192: "sha384", 256: "sha512"}
_MOST_TRIES = 1000


@dataclass(frozen=True)
class SimplifiedSwu:
    """The simplified SWU map to y^2 = x^3 + a*x + b, a nonsquare z, and an isogeny [2019-wahby-boneh]."""

    a: int
    b: int
    z: int
    isogeny: Isogeny | None = None


@dataclass(frozen=True)
class Elligator:
    """Elligator 2 to the curve b*y^2 = x^3 + a*x^2 + x, with the nonsquare z, and a map to an Edwards curve.

    The former is of [2013-bernstein-hamburg-krasnova-lange].
    Of degree 1, the latter is (factor*x/y, (b*x - 1)/(b*x + 1)); of degree 4, that of RFC 7748, 4.2.
    ``suite`` names hashing to the Montgomery curve itself, where b is 1.
    """

    a: int
    b: int
    z: int
    factor: int = 1
    degree: int = 1
    suite: str = ""


@dataclass(frozen=True)
class Hashing:
    """Hashing to a curve: names of the suite and of its hash function, the map, and lengths in bytes.

    ``wide`` bytes are reduced modulo p, ``wide_scalar`` bytes modulo the order, for ``strength`` bits of
    security; points are multiplied by ``cofactor`` at last. ``published`` is true of a named suite.
    """

    suite: str
    hash: str
    map: SimplifiedSwu | Elligator
    wide: int
    wide_scalar: int
    cofactor: int
    strength: int
    published: bool

    @property
    def strength_bytes(self) -> int:
        """Bytes of twice as many bits as the security has, for tags that are hashed."""
        return -(-2 * self.strength // 8)

    @property
    def expander(self) -> Expander:
        """The expansion of the hash function."""
        return "xof" if self.hash.startswith("shake") else "xmd"

    @property
    def montgomery(self) -> str:
        """The suite of the Montgomery curve that elements are mapped to first, or an empty text."""
        return self.map.suite if isinstance(self.map, Elligator) else ""


def hashing(curve: Curve) -> Hashing | None:
    """Return how bytes are hashed to a curve, None where no map is known.

    Raises :class:`EfdgenError` for a file of parameters that is wrong.
    """
    if curve.field.is_binary or curve.order is None or curve.cofactor is None:
        return None
    key = tuple(sorted(curve.parameters.items()))
    return _hashing(layers(), curve.name, curve.model, curve.prime, key, curve.order, curve.cofactor)


@cache
def _hashing(
    shelf: Layers,
    name: str,
    model: str,
    prime: int,
    key: tuple[tuple[str, int], ...],
    order: int,
    cofactor: int,
) -> Hashing | None:
    strength = (order.bit_length() + 1) // 2
    wide, wide_scalar = (
        -(-(bits + strength) // 8) for bits in ((prime - 1).bit_length(), (order - 1).bit_length())
    )
    # Both halves of a wide number have to be below p.
    if 8 * -(-wide // 2) >= prime.bit_length():
        return None
    file = by_curve(shelf, "hashing", _KEYS).get(name)
    found = _map(model, prime, dict(key), file)
    if found is None:
        return None
    least = next((hash_ for bits, hash_ in _HASHES.items() if strength <= bits), "sha512")
    given = file or CurveFile({}, "", "")
    hash_ = given.word("hash", least)
    suffix = f"{name}_XMD:{hash_}_{'SSWU' if isinstance(found, SimplifiedSwu) else 'ELL2'}"
    effective = given.positive("cofactor") if "cofactor" in given else cofactor
    return Hashing(
        given.word("suite", suffix), hash_, found, wide, wide_scalar, effective, strength, file is not None
    )


def _map(
    model: str, prime: int, parameters: dict[str, int], file: CurveFile | None
) -> SimplifiedSwu | Elligator | None:
    if model == "g1p/shortw":
        return _simplified(prime, parameters["a"], parameters["b"], file)
    if model == "g1p/twisted" or (model == "g1p/edwards" and parameters["c"] == 1):
        return _elligator(prime, parameters.get("a", 1), parameters["d"], file)
    return None


def _simplified(prime: int, a: int, b: int, file: CurveFile | None) -> SimplifiedSwu | None:
    if file and "isogeny" in file:
        table = file.table("isogeny")
        table.require_known(("a", "b", "kernel"))
        first, second = (table.residue(name, prime) for name in "ab")
        found = isogeny(prime, first, second, table.residues("kernel", prime))
        if (found.a, found.b) != (a, b):
            raise table.error("the image of the isogeny is another curve", "kernel")
        return SimplifiedSwu(first, second, _nonsquare_of(prime, first, second), found)
    if not a or not b or prime < 1 << 8:
        return None
    return SimplifiedSwu(a, b, _nonsquare_of(prime, a, b))


def _elligator(prime: int, a: int, d: int, file: CurveFile | None) -> Elligator | None:
    """Return the map to an Edwards curve with a complete law, by its own Montgomery curve or a named one."""
    if not is_square(a, prime) or is_square(d, prime) or (a + d) % prime == 0:
        return None
    inverse = pow(a - d, -1, prime)
    own = 2 * (a + d) * inverse % prime, 4 * inverse % prime
    z = next(value for value in _candidates() if not is_square(value, prime)) % prime
    if file is None or "montgomery" not in file:
        return Elligator(*own, z)
    table = file.table("montgomery")
    table.require_known(("a", "b", "degree", "suite"))
    first, second = (table.residue(name, prime) for name in "ab")
    degree = table.integer("degree", 1, 1)
    # Both curves are isomorphic where their quotient b is a square; its root is even (RFC 9380, 8.5).
    root = square_root(own[1] * pow(second, -1, prime), prime) if degree == 1 else 1
    if root is None or (degree == 1 and first != own[0]):
        raise table.error("the curve is not that of the Edwards curve", "a")
    suite = table.word("suite", "")
    if suite and second != 1:
        raise table.error("a suite is of a curve with b = 1", "suite")
    factor = root if root % 2 == 0 or degree > 1 else prime - root
    return Elligator(first, second, z, factor, degree, suite)


def _candidates() -> Iterator[int]:
    """Yield 1, -1, 2, -2 and so on."""
    for value in count(1):
        yield value
        yield -value


def _nonsquare_of(prime: int, a: int, b: int) -> int:
    """Return the z of RFC 9380, H.2: no square, and g(x) = z has no x, but g(b/(z*a)) is a square."""
    ring = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(prime))
    x = ring([0, 1])
    for z in _candidates():
        if is_square(z, prime) or z == -1:
            continue
        cubic = x**3 + a * x + (b - z) % prime
        if (pow(x, prime, cubic) - x).gcd(cubic).degree() > 0:
            continue
        point = b * pow(z * a, -1, prime) % prime
        if is_square(point**3 + a * point + b, prime):
            return z % prime
    raise AssertionError("numbers do not end")
