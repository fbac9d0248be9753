"""A map between models in words: its target, and the points at which it is undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.printer import print_equation, print_expression
from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.curves.map import CurveMap
    from efdgen.generator.formulas.formula import Map
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground


def map_text(between: Map) -> str:
    """Say what a map is and does: ``isomorphism …: (x, y) to (s*x, y)``."""
    coordinates = ", ".join(between.model.coordinates)
    images = ", ".join(print_expression(between.image[name]) for name in between.target.coordinates)
    return f"{between.title}: ({coordinates}) to ({images})"


def map_fields(between: Map) -> dict[str, object]:
    """Return what there is to say of a map: what it asks, where it leads to and where it is undefined."""
    return {
        "id": between.id,
        "title": between.title,
        "source": between.source,
        "target": between.target.title,
        "degree": between.degree,
        "parameters": list(between.parameters),
        "assumptions": [print_equation(equation) for equation in between.assumptions],
        "curve": {name: print_expression(value) for name, value in between.curve.items()},
        "image": {name: print_expression(value) for name, value in between.image.items()},
        "undefined": list(undefined_inputs(between)),
    }


def map_facts(between: Map | None) -> list[tuple[str, str]]:
    """Return the same as lines for the terminal, each with its label; none without a map."""
    if between is None:
        return []
    curve = (f"{name} = {print_expression(value)}" for name, value in between.curve.items())
    equations = "; ".join(print_equation(equation) for equation in between.target.equations)
    undefined = " or ".join(undefined_inputs(between))
    return [
        ("map", map_text(between)),
        *([("", between.source)] if between.source else []),
        ("target", f"{between.target.title}: {equations}, with {', '.join(curve)}"),
        ("undefined", f"where {undefined}" if undefined else "nowhere"),
    ]


def target_text(way: CurveMap) -> str:
    """Say which curve a map leads to: ``a = 486662, b = 1``."""
    return _values(way.target_parameters, way.field)


def choice_text(way: CurveMap) -> str:
    """Say which parameters a map has on a curve, empty for none: ``s = 1``."""
    return _values({name: way.parameters[name] for name in way.map.parameters}, way.field)


def undefined_inputs(between: Map) -> tuple[str, ...]:
    """Return where a map is not defined, in the affine coordinates of its source: ``1 - y = 0``, ``x = 0``.

    These are the factors of its denominators that mention a coordinate. The identity, whose image is
    the identity, is among these points where it is affine and its image is not.
    """
    found = [factor for value in between.image.values() for factor in _divisors(value)]
    coordinates = set(between.model.coordinates)
    texts = (
        f"{print_expression(factor)} = 0"
        for factor in found
        if coordinates & {name.text for name in names_in(factor)}
    )
    return tuple(dict.fromkeys(texts))


def _values(numbers: dict[str, int], field: Ground) -> str:
    return ", ".join(f"{name} = {field.element_text(value)}" for name, value in numbers.items())


def _divisors(expression: Expression) -> Iterator[Expression]:
    """Yield the factors of everything that an expression divides by, without powers and parentheses."""
    match expression:
        case Binary("/", left, right):
            yield from _divisors(left)
            yield from _factors(right)
        case Binary(_, left, right):
            yield from _divisors(left)
            yield from _divisors(right)
        case Group(inner) | Negative(inner):
            yield from _divisors(inner)
        case Name() | Number():
            return


def _factors(expression: Expression) -> Iterator[Expression]:
    match expression:
        case Group(inner) | Negative(inner) | Binary("^", inner, _):
            yield from _factors(inner)
        case Binary("*", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield expression
