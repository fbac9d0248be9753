"""Formulas over binary fields as programs: passes, specialisation to curves, costs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import NotApplicable, find_curve, instantiate
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.passes.characteristic_2 import gather_squares, simplify_modulo_2
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.pipeline import PASSES_MODULO_2, emitted
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    Neg,
    Operation,
    Program,
    Sqr,
    Sub,
    program_text,
)
from efdgen.generator.programs.solve import holds

FIELD = BinaryField(read_polynomial("x^283 + x^12 + x^7 + x^5 + 1"))
X, Y, ONE = Input("X"), Input("Y"), Constant(Fraction(1))


@pytest.fixture(scope="module")
def formulas(database: Database) -> list[Formula]:
    found = [database.formula(name) for name in database.ids if name.startswith("g12o/")]
    assert len(found) >= 135
    return found


def program_of(*operations: Operation) -> Program:
    builder = ProgramBuilder()
    for operation in operations:
        builder.emit(operation, getattr(operation, "name", ""))
    return builder.build([("R", len(operations) - 1)])


def values(program: Program, rng: Random) -> dict[str, int]:
    return {name: rng.randrange(FIELD.order) for name in (*program.inputs, *program.parameters)}


def test_each_pass_keeps_the_meaning_of_every_formula(formulas: list[Formula], rng: Random) -> None:
    for formula in formulas:
        program = lower(formula)
        names = values(program, rng)
        expected = run(program, FIELD, names)
        for name, transform in PASSES_MODULO_2:
            program = transform(program)
            assert run(program, FIELD, names) == expected, (formula.id, name)


def test_neither_signs_nor_numbers_are_left(formulas: list[Formula]) -> None:
    for formula in formulas:
        kinds = {type(instruction.operation) for instruction in emitted(formula).instructions}
        assert not kinds & {Sub, Neg, MulConstant}, formula.id


@pytest.mark.parametrize(
    ("operations", "result"),
    [
        ((X, MulConstant(Fraction(2), 0)), Constant(Fraction(0))),
        ((X, MulConstant(Fraction(-3), 0)), X),
        ((X, MulConstant(Fraction(4, 3), 0)), Constant(Fraction(0))),
        ((X, Neg(0)), X),
        ((X, Y, Sub(0, 1)), Add(0, 1)),
        ((X, Add(0, 0)), Constant(Fraction(0))),
        ((X, Sub(0, 0)), Constant(Fraction(0))),
        ((X, Mul(0, 0)), Sqr(0)),
        ((ONE, ONE, Add(0, 1)), Constant(Fraction(0))),
        ((Constant(Fraction(5, 3)),), ONE),
        ((X, Neg(0), Add(0, 1), Y, Add(2, 3)), Y),
    ],
)
def test_identities_of_characteristic_2(operations: tuple[Operation, ...], result: Operation) -> None:
    program = remove_dead_code(simplify_modulo_2(program_of(*operations)))
    assert program.instructions[program.outputs[0][1]].operation == result


def test_a_half_is_one_divided_by_zero() -> None:
    program = simplify_modulo_2(program_of(X, MulConstant(Fraction(1, 2), 0)))
    assert Inv(1) in [instruction.operation for instruction in program.instructions]
    with pytest.raises(ZeroDivisionError):
        run(program, FIELD, {"X": 1})


def test_sums_of_squares_are_squares_of_sums() -> None:
    fourth = (X, Y, Sqr(0), Sqr(2), Sqr(1), Sqr(4), Add(3, 5))
    text = program_text(remove_dead_code(gather_squares(program_of(*fourth))))
    assert text.count("^2") == 2
    read_twice = program_of(X, Y, Sqr(0), Sqr(1), Add(2, 3), Mul(2, 4))
    assert gather_squares(read_twice) == read_twice


def test_curves_are_found_for_every_formula(formulas: list[Formula], rng: Random) -> None:
    for formula in formulas:
        found = find_curve(formula, FIELD, rng)
        assumed = (e for e in formula.all_assumptions if e not in formula.input_assumptions)
        assert all(holds(equation, found, FIELD) for equation in assumed), formula.id
        curve = AffineCurve(formula.system.model, FIELD, found)
        assert curve.on_curve(curve.random_point(rng))


def test_parameters_become_numbers_and_roots_constants(database: Database) -> None:
    curve = checked_curve("sect571r1")
    formula = database.formula("g12o/shortw/xz/ladder/mladd-2003-s-2")
    values = instantiate(formula, curve.field, curve.parameters)
    found = specialise(formula, curve.field, values)
    assert curve.field.is_binary
    assert found.constants == {"sqrta6": curve.field.square_root(curve.parameters["a6"])}
    koblitz = checked_curve("sect571k1")
    doubling = database.formula("g12o/shortw/xz/doubling/dbl-2003-s-2")
    values = instantiate(doubling, koblitz.field, koblitz.parameters)
    assert str(count(specialise(doubling, koblitz.field, values).program)) == "1M + 3S + 1add"
    other = database.formula("g12o/shortw/lopezdahab-1/doubling/dbl-2005-dl")
    with pytest.raises(NotApplicable, match="needs a2 = 1, the curve has a2 = 0"):
        instantiate(other, koblitz.field, koblitz.parameters)
