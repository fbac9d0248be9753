"""Expressions as functions: against their interpretation, and against values reckoned by hand."""

import pytest

from efdgen.generator.language.parser import parse_equation
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.compiled import compiled, compiled_program
from efdgen.generator.programs.interpreter import evaluate, run
from efdgen.generator.programs.lower import lower

TEXTS = ["(x-a)^3/(2*y)", "-x*y+7*a/3", "x^0+y^1", "1/x/y", "-(a-30)", "4", "a*(x+y)-a*(x+y)^2"]


def expression(text):
    return parse_equation(f"{text} == 0").left


def test_values_by_hand():
    function = compiled(map(expression, ["x/y", "a-x", "x^2"]), PrimeField(7), {"a": 2}, ["y", "x"])
    assert function(3, 4) == (6, 5, 2)


@pytest.mark.parametrize("prime", [3, 37, 2**255 - 19])
def test_functions_agree_with_their_interpretation(prime, rng):
    field = PrimeField(prime)
    expressions = [expression(text) for text in TEXTS if prime > 3 or "/3" not in text]
    function = compiled(expressions, field, {"a": 5}, ["x", "y"])
    for x, y in [
        (1, 1),
        (prime - 1, 2),
        *((rng.randrange(1, prime), rng.randrange(1, prime)) for _ in range(20)),
    ]:
        names = {"a": 5 % prime, "x": x, "y": y}
        assert function(x, y) == tuple(evaluate(e, field, names) for e in expressions), (prime, x, y)


@pytest.mark.parametrize(("text", "x"), [("1/x", 0), ("1/(x-4)", 4), ("x/7", 1), ("1/(a-5)", 2)])
def test_a_denominator_that_vanishes_is_an_error(text, x):
    function = compiled([expression(text)], PrimeField(7), {"a": 5}, ["x"])
    with pytest.raises(ZeroDivisionError):
        function(x)


def test_a_name_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        compiled([expression("x + z")], PrimeField(7), {}, ["x"])


def test_programs_agree_with_their_interpretation(database, rng):
    prime = 2**127 - 1
    field = PrimeField(prime)
    for name in database.ids[::3]:
        program = lower(database.formula(name))
        known = {parameter: rng.randrange(prime) for parameter in program.parameters}
        inputs = {name: rng.randrange(1, prime) for name in program.inputs}
        found = compiled_program(program, field, known)(**inputs, unread=1)
        assert found == run(program, field, known | inputs), name


def test_the_inverse_of_zero_is_what_is_asked_for(database):
    program, field = lower(database.formula("g1p/shortw/jacobian/scaling/z")), PrimeField(37)
    with pytest.raises(ZeroDivisionError):
        compiled_program(program, field, {})(X1=3, Y1=4, Z1=0)
    found = compiled_program(program, field, {}, or_zero=True)(X1=3, Y1=4, Z1=0)
    assert set(found.values()) <= {0, 1}
    assert compiled([expression("1/x")], field, {}, ["x"], or_zero=True)(0) == (0,)
