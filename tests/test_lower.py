"""Formula to program: the same values as the text, in the order of the database's three-operand code."""

import random

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.syntax import Binary, Expression, Group, Name, Negative, Number
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import program_text

PRIME = 2**127 - 1
FIELD = PrimeField(PRIME)


def evaluate(expression: Expression, names: dict[str, int]) -> int:
    """Evaluate an expression modulo a prime as it stands in the text."""
    match expression:
        case Number(value):
            return value
        case Name(text):
            return names[text]
        case Group(inner):
            return evaluate(inner, names)
        case Negative(inner):
            return -evaluate(inner, names)
        case Binary("^", base, Number(exponent)):
            return pow(evaluate(base, names), exponent, PRIME)
        case Binary(operator, left, right):
            a, b = evaluate(left, names), evaluate(right, names)
            return {"+": a + b, "-": a - b, "*": a * b, "/": a * pow(b, -1, PRIME) if operator == "/" else 0}[
                operator
            ]
    raise AssertionError(expression)


def written(formula: Formula, names: dict[str, int]) -> dict[str, int]:
    """Run a formula's steps one after another, the later value of a name in place of the earlier one."""
    names = dict(names)
    for step in formula.assignments:
        names[step.target] = evaluate(step.value, names) % PRIME
    tested = {test.target: evaluate(test.value, names) % PRIME for test in formula.tests}
    return {name: names[name] for name in formula.output_names} | tested


def test_every_program_means_what_its_formula_says(database: Database, rng: random.Random) -> None:
    for formula_id in database.ids:
        formula = database.formula(formula_id)
        names = {name: rng.randrange(1, PRIME) for name in (*formula.all_parameters, *formula.input_names)}
        assert run(lower(formula), FIELD, names) == written(formula, names), formula_id


def test_a_wrong_step_changes_the_meaning(database: Database, same_rng: random.Random) -> None:
    right = doubling(database, "compute X3 = X1*Y1 - Z1")
    wrong = doubling(database, "compute X3 = X1*Y1 + Z1")
    names = {name: same_rng.randrange(1, PRIME) for name in right.input_names}
    assert run(lower(wrong), FIELD, names) != written(right, names)


def doubling(database: Database, text: str) -> Formula:
    """A doubling in Jacobian coordinates; every coordinate that the text leaves out is a copy."""
    missing = [name for name in ("X3", "Y3", "Z3") if f"compute {name} =" not in text]
    lines = [text, *(f"compute {name} = {name[0]}1" for name in missing)]
    statements = parse_document("\n".join(lines))
    system = database.system("g1p/shortw/jacobian")
    return read_formula(statements, "g1p/t/t/doubling/t", lambda _: system, database.kind("doubling"), "", "")


def code(formula: Formula) -> list[str]:
    lines = program_text(lower(formula)).splitlines()
    return [line for line in lines if line.split()[0] not in {"input", "parameter", "output"}]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("X3 = X1*Y1*Z1", ["t0 = Y1*Z1", "X3 = X1*t0"]),
        ("X3 = 2*a*X1*Y1", ["t0 = X1*Y1", "t1 = a*t0", "X3 = 2*t1"]),
        ("X3 = X1*2*a", ["t0 = a*X1", "X3 = 2*t0"]),
        ("X3 = -X1 + Y1", ["X3 = Y1 - X1"]),
        ("X3 = -X1 - Y1", ["t0 = X1 + Y1", "X3 = -t0"]),
        ("X3 = X1 - 2*Y1*Z1", ["t0 = Y1*Z1", "t1 = 2*t0", "X3 = X1 - t1"]),
        ("X3 = X1 - (Y1 - Z1)", ["t0 = Y1 - Z1", "X3 = X1 - t0"]),
        ("X3 = (X1 + Y1)^2 - Z1", ["t0 = X1 + Y1", "t1 = t0^2", "X3 = t1 - Z1"]),
        ("X3 = X1/Z1", ["t0 = 1/Z1", "X3 = X1*t0"]),
        ("X3 = Y1", []),
        ("X3 = X1*-Y1", ["t0 = X1*Y1", "X3 = -t0"]),
    ],
)
def test_one_operation_a_line_in_the_published_order(
    database: Database, step: str, expected: list[str]
) -> None:
    assert code(doubling(database, f"compute {step}")) == expected


def test_a_value_assigned_again_keeps_its_name_and_gets_another_label(database: Database) -> None:
    formula = doubling(database, "compute t = X1*Y1\ncompute t = t*t\ncompute X3 = t + Z1")
    assert code(formula) == ["t = X1*Y1", "t_2 = t*t", "X3 = t_2 + Z1"]


def test_an_output_that_is_read_back_is_a_value_like_any_other(database: Database) -> None:
    formula = doubling(database, "compute X3 = X1*Y1\ncompute Y3 = X3*X3\ncompute X3 = X3 + Y3")
    assert run(lower(formula), FIELD, {"X1": 2, "Y1": 3, "Z1": 5}) == {
        "X3": 42,
        "Y3": 36,
        "Z3": 5,
    }


def test_names_that_other_languages_reserve_or_that_differ_by_case(database: Database) -> None:
    text = "compute lambda = X1 + Y1\ncompute I = lambda*lambda\ncompute i = I + Z1\ncompute X3 = I - i"
    assert run(lower(doubling(database, text)), FIELD, {"X1": 1, "Y1": 2, "Z1": 4})["X3"] == PRIME - 4
