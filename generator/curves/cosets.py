"""Groups of prime order whose elements are cosets of points (RFC 9496), and the curves that have them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.curves.file import CurveFile
from efdgen.generator.formulas.layers import layers

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.layers import Layers

_KEYS = ("curve", "prefix", "odd")
_SHAPES = {"ristretto": ("g1p/twisted", -1, 8), "decaf": ("g1p/edwards", 1, 4)}
"""The model, the parameter a and the cofactor of each group's curve, by the prefix of its functions."""


@dataclass(frozen=True)
class Cosets:
    """A group of cosets on a curve: the prefix of its functions, and the constants that are odd roots.

    ``ristretto`` is for a = -1 and cofactor 8, modulo four points; ``decaf`` for a = 1 and cofactor 4, modulo
    two. Both are of points that are twice others.
    """

    prefix: str
    odd: tuple[str, ...]

    @property
    def rotates(self) -> bool:
        """True where points that differ by one of order 4 are of one coset."""
        return self.prefix == "ristretto"


def cosets(curve: Curve) -> Cosets | None:
    """Return the group of cosets on a curve, None where none is defined.

    Raises :class:`EfdgenError` for a file that names a curve of another shape.
    """
    file = _files(layers()).get(curve.name)
    if file is None:
        return None
    prefix = file.name("prefix")
    if prefix not in _SHAPES:
        raise file.error(f"prefix is not {' or '.join(_SHAPES)}", "prefix")
    model, a, cofactor = _SHAPES[prefix]
    own = curve.model, curve.parameters.get("a", 1), curve.parameters.get("c", 1), curve.cofactor
    if own != (model, a % curve.prime, 1, cofactor):
        raise file.error(f"{prefix} is for curves of {model} with a = {a} and cofactor {cofactor}", "curve")
    return Cosets(prefix, file.names("odd"))


@cache
def _files(shelf: Layers) -> dict[str, CurveFile]:
    files = [CurveFile.read(path) for path in shelf.glob("cosets/*.toml").values()]
    for file in files:
        file.require_known(_KEYS)
    return {file.name("curve"): file for file in files}
