"""Groups of prime order whose elements are cosets of points (RFC 9496), and the curves that have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.curves.file import by_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import layers

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve

_KEYS = ("curve", "prefix", "group", "doubles", "odd")
_SHAPES = {"ristretto": ("g1p/twisted", -1, 8), "decaf": ("g1p/edwards", 1, 4)}
"""The model, the parameter a and the cofactor of each group's curve, by the prefix of its functions."""


@dataclass(frozen=True)
class Cosets:
    """A group of cosets on a curve: the prefix of its functions there, and its name.

    Its generator is the generator of the curve, or twice it; ``odd`` are constants that are odd roots.
    ``ristretto`` is for a = -1 and cofactor 8, modulo four points; ``decaf`` for a = 1 and cofactor 4, modulo
    two. Both are of points that are twice others.
    """

    prefix: str
    name: str
    doubles: bool
    odd: tuple[str, ...]

    @property
    def rotates(self) -> bool:
        """True where points that differ by one of order 4 are of one coset."""
        return self.prefix == "ristretto"


def cosets(curve: Curve) -> Cosets | None:
    """Return the group of cosets on a curve, None where none is defined.

    Raises :class:`EfdgenError` for a file that names a curve of another shape.
    """
    file = by_curve(layers(), "cosets", _KEYS).get(curve.name)
    if file is None:
        return None
    prefix = file.name("prefix")
    if prefix not in _SHAPES:
        raise file.error(f"prefix is not {' or '.join(_SHAPES)}", "prefix")
    model, a, cofactor = _SHAPES[prefix]
    own = curve.model, curve.parameters.get("a", 1), curve.parameters.get("c", 1), curve.cofactor
    if own != (model, a % curve.prime, 1, cofactor):
        raise file.error(f"{prefix} is for curves of {model} with a = {a} and cofactor {cofactor}", "curve")
    return Cosets(prefix, file.name("group"), file.flag("doubles", default=False), file.names("odd"))


def curve_of_group(name: str) -> str:
    """Return the name of the curve that has a group; raise :class:`EfdgenError` for an unknown one."""
    known = {file.name("group"): own for own, file in by_curve(layers(), "cosets", _KEYS).items()}
    if name not in known:
        raise EfdgenError(f"no group {name[:40]!r}; choose {' or '.join(sorted(known))}")
    return known[name]
