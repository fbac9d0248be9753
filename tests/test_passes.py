"""Every pass keeps the meaning of every program, and each does what its docstring shows."""

import random
from fractions import Fraction

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.passes.common_subexpressions import share_common_subexpressions
from efdgen.generator.passes.constants import expand_constants
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.pipeline import PASSES, optimise
from efdgen.generator.passes.powers import expand_powers
from efdgen.generator.passes.simplify import simplify
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
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Program,
    Sqr,
    Sub,
    program_text,
)

FIELD = PrimeField(2**255 - 19)


def values(program: Program, rng: random.Random) -> dict[str, int]:
    return {name: rng.randrange(FIELD.prime) for name in (*program.inputs, *program.parameters)}


def program_of(*operations: object, outputs: dict[str, int] | None = None) -> Program:
    builder = ProgramBuilder()
    for operation in operations:
        builder.emit(operation, getattr(operation, "name", ""))
    return builder.build((outputs or {"R": len(operations) - 1}).items())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "transform"), PASSES)
def test_a_pass_keeps_the_meaning_of_every_formula(name, transform, database: Database, rng):
    for formula_id in database.ids:
        program = lower(database.formula(formula_id))
        names = values(program, rng)
        assert run(transform(program), FIELD, names) == run(program, FIELD, names), formula_id


@pytest.mark.slow
def test_the_pipeline_keeps_the_meaning_of_every_formula(database: Database, rng):
    for formula_id in database.ids:
        program = lower(database.formula(formula_id))
        names = values(program, rng)
        assert run(optimise(program), FIELD, names) == run(program, FIELD, names), formula_id


def test_what_the_pipeline_leaves_is_what_kernels_can_say(database: Database):
    for formula_id in database.ids:
        for instruction in optimise(lower(database.formula(formula_id))).instructions:
            match instruction.operation:
                case Pow():
                    pytest.fail(f"{formula_id} still has a power")
                case MulConstant(factor):
                    assert factor == Fraction(1, 2), formula_id


def test_the_comparison_sees_a_pass_that_changes_the_meaning(database: Database, rng):
    def broken(program: Program) -> Program:
        builder = ProgramBuilder()
        for instruction in program.instructions:
            match instruction.operation:
                case Sub(left, right):
                    builder.emit(Sub(right, left), instruction.label)
                case operation:
                    builder.emit(operation, instruction.label)
        return builder.build(program.outputs)

    program = lower(database.formula("g1p/shortw/jacobian/addition/add-2007-bl"))
    names = values(program, rng)
    assert run(broken(program), FIELD, names) != run(program, FIELD, names)


ONE = Constant(Fraction(1))
ZERO = Constant(Fraction(0))
X, Y = Input("X"), Input("Y")


@pytest.mark.parametrize(
    ("operations", "result"),
    [
        ((X, ZERO, Add(0, 1)), X),
        ((X, ZERO, Add(1, 0)), X),
        ((X, ZERO, Sub(0, 1)), X),
        ((X, ZERO, Sub(1, 0)), Neg(0)),
        ((X, ONE, Mul(0, 1)), X),
        ((X, ZERO, Mul(0, 1)), ZERO),
        ((X, MulConstant(Fraction(1), 0)), X),
        ((X, MulConstant(Fraction(0), 0)), ZERO),
        ((X, Neg(0), Neg(1)), X),
        ((X, Sub(0, 0)), ZERO),
        ((X, Add(0, 0)), MulConstant(Fraction(2), 0)),
        ((X, Mul(0, 0)), Sqr(0)),
        ((X, Y, Neg(1), Add(0, 2)), Sub(0, 1)),
        ((X, Y, Neg(0), Add(2, 1)), Sub(1, 0)),
        ((X, Y, Neg(1), Sub(0, 2)), Add(0, 1)),
        ((X, MulConstant(Fraction(2), 0), MulConstant(Fraction(3), 1)), MulConstant(Fraction(6), 0)),
        ((X, Neg(0), Sqr(1)), Sqr(0)),
        ((X, Inv(0), Inv(1)), X),
        ((ONE, ONE, Add(0, 1)), Constant(Fraction(2))),
        ((Parameter("a"), ONE, MulParameter(0, 1)), Parameter("a")),
    ],
)
def test_simplify_applies_each_identity(operations, result):
    program = remove_dead_code(simplify(program_of(*operations)))
    assert program.instructions[program.outputs[0][1]].operation == result


def test_common_subexpressions_are_shared_whatever_the_order_of_factors():
    program = program_of(X, Y, Mul(0, 1), Mul(1, 0), Sub(0, 1), Sub(1, 0), outputs={"A": 3, "B": 4, "C": 5})
    shared = share_common_subexpressions(program)
    assert len(shared.instructions) == 5
    assert dict(shared.outputs)["A"] == 2


def test_dead_code_goes_with_the_inputs_that_only_it_read():
    program = remove_dead_code(program_of(X, Y, Mul(0, 1), Sqr(0)))
    assert program_text(program) == "input X\nt1 = X^2\noutput R = t1\n"


@pytest.mark.parametrize("exponent", range(3, 20))
def test_powers_become_squarings_and_multiplications(exponent):
    program = expand_powers(program_of(X, Pow(0, exponent)))
    assert run(program, FIELD, {"X": 3})["R"] == 3**exponent
    assert len(program.instructions) - 1 == exponent.bit_length() - 2 + exponent.bit_count()


@pytest.mark.parametrize("numerator", [*range(-40, 0), *range(2, 40), 64, 255, 1000003])
@pytest.mark.parametrize("denominator", [1, 2, 4, 3])
def test_constants_become_additions_and_halvings(numerator, denominator):
    factor = Fraction(numerator, denominator)
    program = expand_constants(program_of(X, MulConstant(factor, 0)))
    assert run(program, FIELD, {"X": 5})["R"] == FIELD.constant(factor * 5)


@pytest.mark.parametrize(
    ("factor", "additions"), [(2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (8, 3), (15, 5), (64, 6), (28, 6)]
)
def test_constants_take_the_fewest_additions_of_the_two_forms(factor, additions):
    program = expand_constants(program_of(X, MulConstant(Fraction(factor), 0)))
    assert sum(isinstance(i.operation, Add | Sub) for i in program.instructions) == additions
