"""Scripts for SageMath that follow the same proofs, with fractions and ideals of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number
from efdgen.verify.rocq.steps import Combine, Conclude, Define, Forget, Invert, Relate, Solve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.prove import Proof
    from efdgen.verify.rocq.steps import Step

_IMPORTS = """
import sage.rings.integer
from sage.rings.finite_rings.finite_field_constructor import GF
from sage.rings.polynomial.polynomial_ring_constructor import PolynomialRing
from sage.rings.rational_field import QQ

"""


def script_text(head: Sequence[str], scripts: Sequence[str]) -> str:
    """Return a script for SageMath: run it with ``sage -python``."""
    return "".join(f"# {line}\n" for line in head) + _IMPORTS + "\n".join(scripts)


def script(proof: Proof) -> str:
    """Return the part of a script that proves one statement."""
    return "".join(f"{line}\n" for line in _lines(proof))


def _lines(proof: Proof) -> Iterator[str]:
    statement = proof.statement
    free = list(proof.generators)
    yield f"# {statement.name}"
    base = "GF(2)" if statement.binary else "QQ"
    yield f"ring = PolynomialRing({base}, {len(free)}, 'v', order='degrevlex')"
    yield "field = ring.fraction_field()"
    yield "symbols = dict(zip(" + repr(free) + ", map(field, ring.gens())))"
    yield "relations = []"
    yield ""
    yield ""
    yield "def holds(left, right):"
    yield "    return field(left - right).numerator() in ring.ideal(relations or [ring.zero()])"
    yield ""
    yield ""
    yield from (f"{name} = symbols[{name!r}]" for name in free if name in statement.names)
    for step in proof.steps:
        yield from _step(proof, step)
    for claim in statement.claims:
        yield f"assert holds({_text(claim.equation.left)}, {_text(claim.equation.right)})  # {claim.comment}"
    yield f"print({f'{statement.name}: proved'!r})"


def _step(proof: Proof, step: Step) -> Iterator[str]:
    equation = proof.equation
    match step:
        case Define(number, flipped):
            left, right = equation(number).left, equation(number).right
            yield f"{_text(right)} = {_text(left)}" if flipped else f"{_text(left)} = {_text(right)}"
        case Invert(number):
            left = equation(number).left
            assert isinstance(left, Binary)
            yield f"{_text(left.left)} = field(1)/({_text(left.right)})"
        case Solve(_, name, exponents, _, shorter):
            bases = zip(proof.bases, exponents, strict=False)
            under = "*".join(
                f"({_polynomial(proof, base)})**{exponent}" for base, exponent in bases if exponent
            )
            yield f"{name} = ({_polynomial(proof, shorter.numerator)})/({under or 1})"
        case Relate(number):
            left, right = equation(number).left, equation(number).right
            yield f"relations.append(({_text(left)} - ({_text(right)})).numerator())"
        case Conclude(own):
            yield f"assert holds({_text(own.left)}, {_text(own.right)})"
        case Forget(name):
            yield f"{name} = symbols[{name!r}]"
            yield f"free = symbols[{name!r}].numerator()"
            yield "relations = [each for each in relations if free not in each.variables()]"
        case Combine():
            pass


def _polynomial(proof: Proof, polynomial: object) -> str:
    return _text(proof.expression(polynomial))


def _text(expression: Expression) -> str:
    """Write an expression in Python."""
    return print_expression(_grouped(expression)).replace("^", "**")


def _grouped(expression: Expression) -> Expression:
    """Return an expression with the parentheses that its text needs."""
    match expression:
        case Negative(inner):
            return Group(Negative(Group(_grouped(inner))))
        case Binary("^", base, exponent):
            inner = _grouped(base)
            return Binary("^", inner if isinstance(base, Name | Number) else Group(inner), exponent)
        case Binary("*", left, right):
            return Binary("*", _factor(left), _factor(right))
        case Binary(operator, left, right):
            is_sum = isinstance(right, Binary) and right.operator in "+-"
            return Binary(operator, _grouped(left), Group(_grouped(right)) if is_sum else _grouped(right))
    return expression


def _factor(expression: Expression) -> Expression:
    """Return a factor of a product, in parentheses if it is a sum."""
    grouped = _grouped(expression)
    return Group(grouped) if isinstance(expression, Binary) and expression.operator in "+-" else grouped
