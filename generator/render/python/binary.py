"""A whole curve over GF(2^m) in Python: the values that templates have of its field and of its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.odd import halvings
from efdgen.generator.mathematics.binary import polynomial_text
from efdgen.generator.render.python.kernels import assignment, member_name
from efdgen.generator.render.python.polynomials import polynomial_numbers, polynomial_values, root_elements

if TYPE_CHECKING:
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Ratio


def about_elements(field: BinaryField) -> str:
    """Return the paragraph of a module's docstring about integers as elements."""
    modulus = polynomial_text(field.polynomial)
    return (
        f"An element of {field} is a polynomial over GF(2) modulo F, which is {modulus}: bit i of an integer "
        "is the coefficient of x^i."
    )


def binary_numbers(plan: CurvePlan) -> list[str]:
    """Return the definitions of the numbers that functions on elements of a curve's field read."""
    field = plan.curve.field
    assert field.is_binary
    elements = root_elements(field).items()
    return [*polynomial_numbers(field), *(line for own in elements for line in assignment(*own))]


def binary_values(plan: CurvePlan) -> dict[str, Any]:
    """Return the values for the templates of a field and of points of odd order."""
    field, ratios = plan.curve.field, plan.representation.ratios.values()
    return {
        "folded": polynomial_values(field)["folded"],
        "form": "binary",
        "field": field,
        "halved_twice": halvings(plan.curve) > 1,
        "normalized": "map(_normalized, points)",
        "compared": "X/Z and S/Z² are compared",
        "comparisons": [" != ".join(_products(ratio)) for ratio in ratios],
        "last_comparison": " == ".join(_products([*ratios][-1])),
    }


def _products(ratio: Ratio) -> tuple[str, str]:
    """Return the numerators of two points, each times the other's denominator."""

    def product(own: str, other: str) -> str:
        denominator = f"{other}.{ratio.denominator}"
        power = f"_sqr({denominator})" if ratio.power > 1 else denominator
        return f"_mul({own}.{member_name(ratio.numerator)}, {power})"

    return product("p", "q"), product("q", "p")
