"""Points with x*y = 0 in systems whose formulas do not cover them: the affine law adds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.mathematics.primes import square_root
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan


def shared_numerator(plan: CurvePlan) -> str:
    """Return the numerator of both coordinates where additions do not know points with x*y = 0; else nothing.

    Such a point has the coordinates y, x and 0, as others have any multiples of y, x and x*y.
    """
    return "" if plan.roles.complete else plan.representation.shared_numerator


def doubles_identity(plan: CurvePlan) -> bool:
    """Return whether the doubling makes coordinates of a point of the identity, and not zeros alone."""
    formula, field = plan.kernel(plan.roles.double).formula, plan.curve.field
    parameters = instantiate(formula, field, plan.curve.parameters)
    names = dict(zip(formula.input_names, plan.representation.identity, strict=True))
    outputs = run(lower(formula), field, {**parameters, **names})
    return any(outputs[name] for name in formula.output_names)


def x_of_order_four(plan: CurvePlan) -> int:
    """Return x of a point of an Edwards curve whose y is 0: a*x^2 = 1."""
    prime = plan.curve.prime
    root = square_root(pow(plan.curve.parameters.get("a", 1), -1, prime), prime)
    assert root is not None  # a is a square
    return root
