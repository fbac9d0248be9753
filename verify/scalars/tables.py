"""Tables of odd multiples over one Z: no addition meets an exception, and nothing that Z changes is read.

An addition of two affine points that gives a Z is right on every curve y² = x³ + a·x + b. So it is on the
one on which points that share a Z are affine, and its Z is then the quotient of the Z after and before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.syntax import names_in
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.certificate import require_proof
from efdgen.verify.scalars.formulas import require_exact
from efdgen.verify.scalars.orders import least_order

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.planning.plan import CurvePlan

_START, _STEP = "dblu", "zaddu"


def table_reason(plan: CurvePlan, database: Database) -> str:
    """Return why tables over one Z are right; raise :class:`EfdgenError` where they are not.

    It is empty if there are none.
    """
    sizes = {
        (plan.variable.table, plan.variable.digits.entries),
        (plan.single.table, wnaf_entries(plan.single.width)),
        (plan.double.table, wnaf_entries(plan.double.width)),
        (plan.multi.table, wnaf_entries(plan.multi.straus_width)),
    }
    entries = max((number for table, number in sizes if table != "additions"), default=0)
    if not entries:
        return ""
    _require_chain(plan, database, entries)
    text = (
        "Every multiple has a Z of its own, whose quotient by the one before the addition gives. Sums of 2·P "
        f"and an odd multiple are exceptional for no m up to {2 * entries - 1}, because m + 2 is below the "
        "order."
    )
    if not any(table == "effective-affine" for table, _ in sizes):
        return text
    _require_loop(plan)
    return (
        f"{text} Scaled to the last Z, or to the product of those of several points, they are affine points "
        "of another curve, on which all formulas of the loop are right; a point (X : Y : Z') of that one is "
        "(X : Y : Z·Z') of this one."
    )


def require_distinct(entries: int, least: int) -> None:
    """Raise :class:`EfdgenError` where 2·P, m·P, or a sum or difference of both may be the identity.

    ``least`` is a bound below the orders of all points but the neutral one; m are the odd numbers before the
    last.
    """
    met = {2} | {m + d for m in range(1, 2 * entries - 2, 2) for d in (-2, 0, 2)} if entries > 1 else set()
    for multiple in sorted(met | {2 * entries - 1}, key=abs):
        if not 0 < abs(multiple) < least:
            raise EfdgenError(
                f"a table of {entries} odd multiples over one Z meets {abs(multiple)}·P, which may be "
                f"neutral for points of order {least}"
            )


def require_invariant(found: Specialised, parameters: dict[str, int]) -> None:
    """Raise :class:`EfdgenError` where a formula is not proved for all isomorphic curves.

    The parameters of these are those of the curve times powers of a number: none but zeros may occur, neither
    in the program nor in what the proof assumes.
    """
    read = set(found.program.parameters)
    assumed = {
        name.text
        for equation in found.formula.all_assumptions
        for side in (equation.left, equation.right)
        for name in names_in(side)
    }
    for name, value in parameters.items():
        if value and name in read | assumed:
            raise EfdgenError(
                f"{found.formula.id} is not proved for isomorphic curves, which have another {name}"
            )


def _require_chain(plan: CurvePlan, database: Database, entries: int) -> None:
    """Require that start and step are right, in any chain of a given number of entries."""
    one_z, curve = plan.roles.one_z, plan.curve
    if one_z is None or not plan.roles.entry.normalized:
        raise EfdgenError("there are no kernels for tables over one Z")
    require_distinct(entries, least_order(plan.order, plan.cofactor))
    start, step = plan.kernel(one_z.start), plan.kernel(one_z.step)
    if (start.formula.kind.id, step.formula.kind.id) != (_START, _STEP):
        raise EfdgenError(f"{one_z.start} and {one_z.step} do not share a Z among their results")
    if any(dict(argument.type.fixed) != {"Z": 1} for argument in step.inputs):
        raise EfdgenError(f"the Z of the result of {one_z.step} is no quotient, because Z is not 1 before")
    # The step's own system may assume more than the curve that its points are affine on fulfils.
    plain = candidate(database.formula(step.formula.id), curve.field, curve.parameters).specialised
    require_invariant(plain, dict(curve.parameters))
    require_proof(plain)
    own = candidate(step.formula, curve.field, curve.parameters).specialised
    if own.program != plain.program:
        raise EfdgenError(f"{one_z.step} is not what is proved for isomorphic curves")
    require_exact(plain, curve.prime)
    require_exact(candidate(start.formula, curve.field, curve.parameters).specialised, curve.prime)


def _require_loop(plan: CurvePlan) -> None:
    """Require that what follows the table is right on the curve on which its entries are affine."""
    roles, curve = plan.roles, plan.curve
    assert roles.one_z is not None
    if roles.one_z.add is None:
        raise EfdgenError("there is no addition of multiples of the generator on an isomorphic curve")
    for name in (*roles.loop, roles.one_z.add):
        found = candidate(plan.kernel(name).formula, curve.field, curve.parameters).specialised
        require_invariant(found, dict(curve.parameters))
