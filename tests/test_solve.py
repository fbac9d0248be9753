"""Equations over finite fields against exhaustive search."""

import itertools

import pytest

from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.syntax import Equation
from efdgen.generator.mathematics.binary import BinaryField
from efdgen.generator.mathematics.ground import Ground
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.solve import holds, roots, solutions


def equations(*texts: str) -> list[Equation]:
    statements = parse_document("".join(f"assume {text}\n" for text in texts))
    found = [statement.content for statement in statements]
    assert all(isinstance(equation, Equation) for equation in found)
    return found  # type: ignore[return-value]


SYSTEMS = [
    ["a == -3"],
    ["half*2 == 1"],
    ["i^2 == -1"],
    ["d == r^2", "s == (1 + r)/(1 - r)"],
    ["a^2 + c^2 == 1"],
    ["3*b*d == 1"],
    ["ZZ^3 == ZZZ^2"],
    ["x == X/Z", "y == Y/Z^2", "XX == X^2", "x == y + 1"],
    ["a*b == a*c"],
    ["a/b == 0", "a + b == 1"],
    ["a == a", "b == b"],
]
# Equations of maps between binary models: roots of quadratics, quartics and cubes.
BINARY_SYSTEMS = [
    ["s^2 + s == a"],
    ["r^2 == a", "s^2 + s == b + k + r/k^2"],
    ["t*(t + 1)^3 == a", "k^3*t == 1", "s^2 + s == t"],
    ["t^5 + a*t == 1"],
]
BINARY_FIELDS = [BinaryField(0b111), BinaryField(0b1011), BinaryField(0b10011), BinaryField(0b100101)]


@pytest.mark.parametrize("prime", [3, 5, 13])
@pytest.mark.parametrize("system", SYSTEMS, ids="; ".join)
def test_all_solutions_are_found_once(system: list[str], prime: int) -> None:
    if len(names_of(system)) > 3 and prime == 13:
        prime = 5
    if prime ** len(names_of(system)) > 20_000:
        prime = 3
    require_all_solutions(system, PrimeField(prime))


@pytest.mark.parametrize("field", BINARY_FIELDS, ids=str)
@pytest.mark.parametrize("system", [*SYSTEMS, *BINARY_SYSTEMS], ids="; ".join)
def test_all_solutions_over_binary_fields_are_found_once(system: list[str], field: BinaryField) -> None:
    if field.order ** len(names_of(system)) > 40_000:
        field = BINARY_FIELDS[0]
    require_all_solutions(system, field)


def names_of(system: list[str]) -> list[str]:
    return sorted(
        {word for text in system for word in "".join(c if c.isalpha() else " " for c in text).split()}
    )


def require_all_solutions(system: list[str], field: Ground) -> None:
    parsed, names, order = equations(*system), names_of(system), field.order
    expected = [
        dict(zip(names, values, strict=True))
        for values in itertools.product(range(order), repeat=len(names))
        if all(holds(equation, dict(zip(names, values, strict=True)), field) for equation in parsed)
    ]
    found = list(solutions(parsed, {}, names, field, lambda _: range(order)))
    assert sorted(found, key=lambda s: [s[n] for n in names]) == expected


def test_a_name_that_no_equation_mentions_is_free() -> None:
    found = list(solutions(equations("a == 2"), {}, ["a", "b"], PrimeField(5), lambda _: range(5)))
    assert found == [{"a": 2, "b": b} for b in range(5)]
    assert list(solutions(equations("a == 2"), {}, ["a", "b"], PrimeField(5), lambda _: ())) == []


def test_known_values_are_kept_and_checked() -> None:
    system = equations("d == r^2")
    assert list(solutions(system, {"d": 4}, ["d", "r"], PrimeField(7), lambda _: ())) == [
        {"d": 4, "r": 2},
        {"d": 4, "r": 5},
    ]
    assert list(solutions(system, {"d": 3}, ["d", "r"], PrimeField(7), lambda _: ())) == []
    assert list(solutions(system, {"d": 4, "r": 3}, ["d", "r"], PrimeField(7), lambda _: ())) == []


def test_an_undefined_side_does_not_hold() -> None:
    (equation,) = equations("x == X/Z")
    assert holds(equation, {"x": 2, "X": 4, "Z": 2}, PrimeField(7))
    assert not holds(equation, {"x": 0, "X": 0, "Z": 0}, PrimeField(7))
    assert roots(equation, "X", {"x": 2, "Z": 0}, PrimeField(7)) == []
    assert roots(equation, "Z", {"x": 0, "X": 1}, PrimeField(7)) == []
    assert roots(equation, "Z", {"x": 0, "X": 0}, PrimeField(7)) is None
    with pytest.raises(KeyError):
        holds(equation, {"x": 2, "X": 4}, PrimeField(7))
