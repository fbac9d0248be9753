"""The second fixed point of a plan, from its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database


def second_point(database: Database, curve: Curve, text: str) -> tuple[int, ...]:
    """Return a point ``X,Y`` of the generator's order; raise :class:`EfdgenError` where it is none."""
    try:
        x, y = (int(number, 0) for number in text.split(","))
    except ValueError:
        raise EfdgenError(f"--second is two numbers, such as 0x1f,-3, not {text!r}") from None
    field = curve.field
    if field.is_binary and not 0 <= min(x, y) <= max(x, y) < field.order:
        raise EfdgenError(
            f"--second is not a point of {curve.name}: coordinates are in [0, 2^{field.degree})"
        )
    point = field.reduce(x), field.reduce(y)
    affine = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
    if not affine.on_curve(point):
        raise EfdgenError(f"--second is not a point of {curve.name}")
    if point == affine.neutral or affine.multiple(curve.order or 0, point) != affine.neutral:
        raise EfdgenError(f"--second is not of the order of the generator of {curve.name}")
    return point
