"""The curve of a guest, its constants and tables, as efdgen's own affine law has them."""

from __future__ import annotations

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database

Point = tuple[int, ...]

CURVE = load_curve("edwards25519")
LAW = AffineCurve(Database().model(CURVE.model), CURVE.field, CURVE.parameters)
assert CURVE.order is not None and CURVE.generator is not None
PRIME, ORDER, D = CURVE.prime, CURVE.order, CURVE.parameters["d"]
GENERATOR: Point = tuple(CURVE.generator[name] for name in ("x", "y"))
