"""Statements about functions of many points with one inversion: the step of the induction, and two points."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.names import fresh_name
from efdgen.generator.language.syntax import Binary, Equation, Name, Number, rename
from efdgen.verify.rocq.builder import inverse_line
from efdgen.verify.rocq.formulas import statement_of
from efdgen.verify.rocq.statement import Claim, Line, Statement
from efdgen.verify.rocq.terms import ONE, names_of, plain
from efdgen.verify.rocq.witness import chosen_values, known_values, require_claims, trials, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.reader import ReadStatement

_TRIALS = 16


def step_statement(name: str, *, binary: bool) -> Statement:
    """Return the step of the induction: the inverse of q*z gives inverses of z and of q."""
    q, z, u = map(Name, ("q", "z", "u"))
    lines = (
        Line(
            "q is the product of what is inverted of earlier points, z what is inverted of this one",
            ("q", "z"),
        ),
        inverse_line("u", _times(q, z), comment="u is what comes from the points after"),
    )
    claims = (
        Claim("u*q is the inverse of z", Equation(_times(_times(u, q), z), ONE)),
        Claim("u*z is what the points before take", Equation(_times(_times(u, z), q), ONE)),
    )
    return Statement(name, binary, (), lines, claims)


def pair_statement(formula: Formula, name: str) -> Statement:
    """Return the statement about two points whose inverses are made from one."""
    single = statement_of(formula, name)
    own = [n for n in single.names if n not in single.parameters]
    taken = {*single.names, "u"}
    other: dict[str, str] = {}
    for each in own:
        other[each] = fresh_name(f"{each}_b", taken)
        taken.add(other[each])
    product = fresh_name("u", {*single.names, *other.values()})
    lines, computed, made = _without_inverses(formula, single)
    inverted = {n: rename(e, single.called) for n, e in made.items()}
    together: list[Line] = [
        inverse_line(product, _product(inverted, other), comment="one inversion for two points")
    ]
    for hint, value in inverted.items():
        for own_name, factor in ((hint, rename(value, other)), (other[hint], value)):
            equation = Equation(Name(own_name), _times(Name(product), factor))
            together.append(Line("", (), equation, (own_name,)))
    shared = [line for line in lines if _names(line) <= {*single.parameters}]
    points = [line for line in lines if line not in shared]
    return replace(
        single,
        lines=(
            *shared,
            *points,
            *(_renamed(line, other) for line in points),
            *together,
            *computed,
            *(_renamed(line, other) for line in computed),
        ),
        claims=(*single.claims, *(Claim(c.comment, _equation(c.equation, other)) for c in single.claims)),
        inputs=(*single.inputs, *(other[n] for n in single.inputs)),
        denominators=(),
        scaled=(),
        called={
            **single.called,
            **{f"{old} again": other[new] for old, new in single.called.items() if new in other},
        },
    )


def pair_witness(formula: Formula, statement: Statement, read: ReadStatement) -> str:
    """Return the values of a witness of a statement about two points, in words.

    Raises :class:`EfdgenError` without one.
    """
    for first, second in pairwise(islice(trials(formula), _TRIALS)):
        own = known_values(formula, statement, first)
        own |= known_values(formula, replace(statement, called=_again(statement)), second)
        with suppress(ZeroDivisionError, EfdgenError):
            values = values_of(read, first.field, own)
            require_claims(read, first.field, values)
            return f"{first.called}, {chosen_values(statement, read, values)}"
    raise EfdgenError(f"{formula.id}: no witness that the hypotheses for two points can hold")


def _again(statement: Statement) -> dict[str, str]:
    """Return what a statement calls the second point's values, by their names in the formula."""
    suffix = " again"
    return {old.removesuffix(suffix): new for old, new in statement.called.items() if old.endswith(suffix)}


def _names(line: Line) -> set[str]:
    """Return the names that a line introduces, or is about."""
    sides = (line.equation.left, line.equation.right) if line.equation else ()
    return {*line.names, *names_of(*sides)}


def _without_inverses(
    formula: Formula, statement: Statement
) -> tuple[list[Line], list[Line], Mapping[str, Expression]]:
    """Return the lines before the program without given inverses, the program, and the inverted values."""
    made: dict[str, Expression] = {}
    for equation in formula.input_scalars:
        match equation.left, plain(equation.right):
            case Name(name), Binary("/", Number(1), value):
                made[statement.called[name]] = value
            case _:
                raise EfdgenError(f"{formula.id}: a function of many points inverts one value of each")
    left_out = {n for line in statement.lines for n in line.names if n.startswith("inv_")}
    lines = [
        line
        for line in statement.lines
        if not (left_out & set(line.names)) and not (set(line.solve) & made.keys() and len(line.solve) == 1)
    ]
    first = next(place for place, line in enumerate(lines) if line.computed)
    return lines[:first], lines[first:], made


def _product(inverted: Mapping[str, Expression], other: Mapping[str, str]) -> Expression:
    (value,) = inverted.values()
    return _times(value, rename(value, other))


def _renamed(line: Line, names: Mapping[str, str]) -> Line:
    return replace(
        line,
        names=tuple(names.get(n, n) for n in line.names),
        equation=_equation(line.equation, names) if line.equation else None,
        solve=tuple(names.get(n, n) for n in line.solve),
    )


def _equation(equation: Equation, names: Mapping[str, str]) -> Equation:
    return Equation(rename(equation.left, names), rename(equation.right, names))


def _times(left: Expression, right: Expression) -> Expression:
    return Binary("*", left, right)
