"""Equations of curves as statements: no product by 0 or 1, no power of a denominator beyond need."""

import re
from random import Random

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import checked_curve, curve_names
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.planning.equation_routines import equation_routines, parameters_read
from efdgen.generator.planning.equations import Statements
from efdgen.generator.planning.request import draft_request

SAMPLE = 3
PRIME = 10007


def value(lines: list[str], names: dict[str, int]) -> dict[str, int]:
    """Return the values that statements compute modulo a prime, beside those of names."""
    known = dict(names)
    operations = {
        "mul": lambda a, b: a * b,
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "sqr": lambda a: a * a,
        "neg": lambda a: -a,
    }
    for line in lines:
        name, operation, given = re.fullmatch(r"let (\w+) = fe_(\w+)\((.*)\)", line).groups()
        known[name] = operations[operation](*(known[operand] for operand in given.split(", "))) % PRIME
    return known


@pytest.mark.parametrize(
    ("text", "numbers", "products"),
    [
        ("y^2 == x^3 + a*x + b", {"a": 0, "b": 7}, 6),
        ("y^2 == x^3 + a*x + b", {"a": -3, "b": None}, 8),
        ("y^2 == x^3 + a*x + b", {"a": 1, "b": -1}, 7),
        ("a*x^2 + y^2 == 1 + d*x^2*y^2", {"a": -1, "d": None}, 10),
        ("x^2 - y == (x + y)/(x*y - 2)", {}, 10),
    ],
)
def test_both_sides_have_the_values_of_the_equation_times_denominators(text, numbers, products, rng):
    program = Statements({0: "ZERO", 1: "ONE", -1: "MINUS", 2: "TWO", 7: "SEVEN"})
    names = {name: (name if number is None else number, {}) for name, number in numbers.items()}
    equation = parse_equation(text)
    places = {"x": ("X", {"Z": 2}), "y": ("Y", {"Z": 3})}
    left, right = program.sides(equation, {**names, **places})
    known = {name: rng.randrange(1, PRIME) for name in ("X", "Y", "Z", "a", "b", "d")}
    constants = {"ZERO": 0, "ONE": 1, "MINUS": -1, "TWO": 2, "SEVEN": 7}
    found = value(program.lines, known | constants)
    x, y = known["X"] * pow(known["Z"], -2, PRIME), known["Y"] * pow(known["Z"], -3, PRIME)
    own = {name: known[name] if number is None else number for name, number in numbers.items()}
    sides = [
        eval(re.sub(r"\^", "**", side), {}, {"x": Fraction(x), "y": Fraction(y), **own})
        for side in text.split(" == ")
    ]
    assert found[left] * sides[1].value % PRIME == found[right] * sides[0].value % PRIME
    assert sum("fe_mul" in line or "fe_sqr" in line for line in program.lines) == products


class Fraction:
    """A number modulo the prime, for Python's operators."""

    def __init__(self, number):
        self.value = number.value if isinstance(number, Fraction) else number % PRIME

    def __add__(self, other):
        return Fraction(self.value + Fraction(other).value)

    def __sub__(self, other):
        return Fraction(self.value - Fraction(other).value)

    def __mul__(self, other):
        return Fraction(self.value * Fraction(other).value)

    def __truediv__(self, other):
        return Fraction(self.value * pow(Fraction(other).value, -1, PRIME))

    def __pow__(self, exponent):
        return Fraction(pow(self.value, exponent, PRIME))

    __radd__, __rmul__ = __add__, __mul__


@pytest.mark.long
@pytest.mark.slow
def test_no_equation_of_a_curve_multiplies_by_0_or_1(rng: Random):
    names = [name for name in curve_names() if checked_curve(name).model.startswith("g1p/")]
    done = 0
    for name in rng.sample(names, len(names)):
        try:
            plan, *_ = draft_request(DATABASE, Request("c", name, set="curve"))
        except EfdgenError:
            continue
        if plan.curve.model == "g1p/montgom":
            continue
        small = {f"CURVE_{n.upper()}" for n, v in plan.curve.parameters.items() if v in (0, 1)}
        for routine in equation_routines(plan).routines.values():
            text = repr(routine)
            assert not any(constant in text for constant in small), name
        assert not {n for n, v in parameters_read(plan).items() if v == 0}, name
        done += 1
        if done == SAMPLE:
            return
    raise AssertionError("there are more curves with points")
