"""Proof of the multiplications of one plan: the routines that it stages, with the tables that they read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import comb_roots, curve_module
from efdgen.verify.lemmas.table import prove_lemmas
from efdgen.verify.routines import reasons
from efdgen.verify.routines.called import prove_called
from efdgen.verify.routines.combs import ROUTINES as COMBS
from efdgen.verify.routines.combs import prove_combs
from efdgen.verify.routines.coz import REASON as LADDER_REASON
from efdgen.verify.routines.coz import ROUTINE as LADDER
from efdgen.verify.routines.coz import prove_coz
from efdgen.verify.routines.half import ROUTINE as HALF
from efdgen.verify.routines.half import prove_half
from efdgen.verify.routines.leaves import unproved
from efdgen.verify.routines.many import ROUTINE as SUM
from efdgen.verify.routines.many import prove_many
from efdgen.verify.routines.multiples import Follower
from efdgen.verify.routines.prepared import ROUTINES as TABLES
from efdgen.verify.routines.prepared import SUMS as TABLE_SUMS
from efdgen.verify.routines.prepared import prove_prepared
from efdgen.verify.routines.shared import ROUTINE as SHARED
from efdgen.verify.routines.shared import prove_shared
from efdgen.verify.routines.tables import is_safe, order_of_tables, prove_tables
from efdgen.verify.routines.verdicts import prove_verdicts

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module


# The routines that may be called proved.
FOLLOWED = frozenset(
    [
        "multiply",
        "multiply_var",
        "double_multiply_var",
        HALF,
        SUM,
        SHARED,
        LADDER,
        *COMBS,
        *TABLES,
        *TABLE_SUMS,
    ]
    + [
        f"{name}{ending}"
        for name in ("multiply_generator", "double_multiply_generators")
        for ending in ("", "_var")
    ]
)


def staged(plan: CurvePlan) -> Module:
    """Return the routines of a plan before there are reasons to print."""
    return curve_module(without_reasons(plan))


def without_reasons(plan: CurvePlan) -> CurvePlan:
    """Return a plan whose reasons and claims are empty texts, before there are some to print."""
    return replace(plan, reasons=defaultdict(str), claims=defaultdict(str))


def roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the names of the multiplications that are proved."""
    return ("multiply", *comb_roots(plan), "multiply_var", "double_multiply_var")


def follower(plan: CurvePlan, module: Module | None = None) -> Follower:
    """Return what follows the multiplications of a plan, by its own routines or by others.

    Raises :class:`EfdgenError` for tables that cannot be.
    """
    require_tables(plan)
    return Follower(plan, module or staged(plan))


def fitted(plan: CurvePlan) -> tuple[CurvePlan, Follower]:
    """Return a plan with as few complete additions and doublings as its scalars need, and its follower.

    The planner's own numbers are estimates for costs. Raises :class:`EfdgenError` where the multiplications
    do not give the multiple.
    """
    safe = is_safe(plan, plan.variable.digits.entries)
    plan = replace(plan, variable=replace(plan.variable, safe_table=safe))
    own = follower(plan)
    variable, fixed = own.examine("multiply"), own.examine("multiply_generator")
    found = replace(
        plan,
        variable=replace(
            plan.variable,
            complete_additions=variable.complete_additions,
            complete_doublings=variable.complete_doublings,
        ),
        generator=replace(
            plan.generator,
            complete_additions=fixed.complete_additions,
            complete_doublings=fixed.complete_doublings,
        ),
    )
    return (plan, own) if found == plan else (found, follower(found))


def multiplication_reasons(plan: CurvePlan, own: Follower) -> tuple[dict[str, str], dict[str, str]]:
    """Return why no addition of the multiplications of a plan meets an exception, and claims about them.

    Raises :class:`EfdgenError` where one is wrong, or what other multiplications call.
    """
    prove_called(plan, own.module, own.scalars)
    prove_lemmas(plan, own.module)
    prove_tables(plan, own.module)
    why, claims = {}, {}
    for name in roots(plan):
        followed = own.follow(name)
        why[name] = reasons.reason(followed, plan)
        claims[name] = reasons.proof(reasons.SUMS[followed.base], unproved(own.module.reached([name])))
    prove_half(plan, own.module, own.scalars)
    prove_many(plan, own.module)
    prove_shared(own)
    prove_prepared(plan, own)
    prove_verdicts(without_reasons(plan))
    prove_combs(plan, own.module)
    others = dict.fromkeys((SUM, SHARED), ("all", reasons.every(plan)))
    if TABLES[1] in own.module.routines:
        others |= {TABLES[1]: ("P", reasons.every(plan)), TABLE_SUMS[1]: ("all", reasons.every(plan))}
    if plan.coz is not None:
        prove_coz(plan, own.module)
        others[LADDER] = "P", LADDER_REASON
    for name, (result, reason) in others.items():
        why[name] = reason
        claims[name] = reasons.proof(reasons.SUMS[result], unproved(own.module.reached([name])))
    return why, claims


def split_reason(plan: CurvePlan, database: Database, own: Follower) -> str:
    """Return the claim about halves of scalars; raise :class:`EfdgenError` where something is wrong."""
    require_images(plan, database)
    return reasons.split_reason(own.scalars.half_ranges())


def require_tables(plan: CurvePlan) -> None:
    """Raise :class:`EfdgenError` where a table has an entry that it cannot have, or additions that fail."""
    comb, order = plan.generator.comb, plan.order
    if plan.roles.fixed_entry.normalized and not plan.roles.complete:
        for block in range(comb.blocks):
            if any(entry % order == 0 for entry in comb.multiples(block)):
                raise EfdgenError(f"an entry of block {block} of the comb is the identity")
    if plan.variable.safe_table and not is_safe(plan, plan.variable.digits.entries):
        entries, least = plan.variable.digits.entries, order_of_tables(plan)
        raise EfdgenError(f"the table's {entries} odd multiples meet points of order {least}")


def require_images(plan: CurvePlan, database: Database) -> None:
    """Raise :class:`EfdgenError` where (β·x, y) is not λ times the point (x, y).

    Both sides are homomorphisms of a cyclic group, so equal everywhere if they are for a generator.
    """
    endomorphism, curve = plan.endomorphism, plan.curve
    assert endomorphism is not None and curve.generator is not None
    if endomorphism.split.eigenvalue != endomorphism.eigenvalue:
        raise EfdgenError("the split is made for another λ")
    if curve.parameters["a"] or pow(endomorphism.beta, 3, curve.prime) != 1 or plan.cofactor != 1:
        raise EfdgenError(
            "(β·x, y) is a point of y² = x³ + b for β³ = 1, and λ acts on a group of prime order"
        )
    affine = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
    x, y = curve.generator["x"], curve.generator["y"]
    if affine.multiple(endomorphism.eigenvalue, (x, y)) != (endomorphism.beta * x % curve.prime, y):
        raise EfdgenError("λ·G is not (β·x, y)")
