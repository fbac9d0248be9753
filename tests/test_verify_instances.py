"""When relations are one family, and to which characteristics a proof carries over."""

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.laws.irreducible import is_irreducible
from efdgen.verify.laws.law import prove_law

DOUBLING = "g1p/shortw/jacobian/doubling/dbl-2007-bl"


def field(*, binary: bool = False) -> RationalFunctions:
    return RationalFunctions(["a", "b", "x", "y", "u", "v"], binary=binary)


@pytest.mark.parametrize(
    ("relations", "curves", "irreducible"),
    [
        ("", "", True),
        ("", "x^3 + a*x + b - y^2", True),
        ("", "x^2 - a^2", False),
        ("", "x^2 - a", True),
        ("", "(x + y)^2", False),
        ("x^2 + 1", "", True),
        ("x^2 - 4", "", False),
        ("x^2 + 1, y^2 + 1", "", False),
        ("x^2 - 2, y^2 - 3", "", False),  # prime, but neither stays so over every extension
        ("x^3 - y^2", "", True),
        ("x^3 - y^2, u^3 - v^2", "", True),
        ("x^3 - y^2", "u^3 + a*u + b - v^2", True),
        ("a^2 - b", "x^3 + a*x + b - y^2", True),
        ("a^2 - b^2", "x^3 + a*x + b - y^2", False),
        ("a^2 + 1", "x^2 - a*y^2", True),
        ("a^2 + 1", "x^2 + y^2", False),
        ("", "x^2 - y^3 - a, u^2 - v^3 - a", True),
        ("", "a*x^2 - b*y, a*u^2 - b*v", False),  # a = b = 0 leaves more solutions
        ("x - u", "x^2 - y^3 - a, u^2 - v^3 - a", False),
    ],
)
def test_relations_are_one_family_or_not(relations: str, curves: str, irreducible: bool):
    functions = field()
    names = functions.generators

    def polynomials(text: str) -> list[object]:
        lines = parse_document("".join(f"compute p = {part}\n" for part in text.split(","))) if text else []
        known = {name: functions.name(name) for name in names}
        return [evaluate(line.content.value, functions, known).numerator for line in lines]

    found = is_irreducible([names["a"], names["b"]], polynomials(relations), polynomials(curves))
    assert found is irreducible


def test_what_is_irreducible_depends_on_the_characteristic():
    for binary, irreducible in ((False, True), (True, False)):
        names = field(binary=binary).generators
        assert is_irreducible([], [names["x"] ** 2 + names["y"] ** 2], []) is irreducible


@pytest.mark.parametrize(
    ("formula_id", "primes"),
    [
        # Discriminants: -16·(4·a³ + 27·b²), -432·b² for a = 0, and multiples of 27 for Hessian curves.
        (DOUBLING, (2,)),
        ("g1p/shortw/jacobian-0/doubling/dbl-2009-l", (2, 3)),
        ("g1p/shortw/jacobian-3/doubling/dbl-2001-b", (2, 3)),
        ("g1p/hessian/standard/doubling/dbl", (2, 3)),
        ("g1p/twistedhessian/projective/doubling/dbl-2009-bkl", (3,)),
        ("g1p/twisted/extended/addition/add-2008-hwcd", (2,)),
        ("g1p/montgom/xz/ladder/ladd-1987-m-3", (2,)),
        ("g12o/shortw/xz/diffadd/dadd-2003-s", ()),
    ],
)
def test_primes_are_excluded_that_make_the_curve_singular(database: Database, formula_id, primes):
    formula = database.formula(formula_id)
    assert prove_law(formula, lower(formula)).excluded_primes == primes


@pytest.mark.parametrize(
    ("line", "primes"),
    [
        ("compute Q = 1/(5*X1)", (2, 5)),
        ("compute X3 = X3*7/7", (2,)),
        ("compute Q = X1/7", (2, 7)),
        ("compute Q = 1/(Y1^2 + 10*X1^3 - a*X1*Z1^4 - b*Z1^6)", (2, 11)),
    ],
)
def test_primes_are_excluded_for_which_a_divisor_vanishes(database: Database, line: str, primes):
    text = f"{database.text(DOUBLING)}{line}\n"
    formula = read_formula(
        parse_document(text), DOUBLING, database.system, database.kind("doubling"), text, "<text>"
    )
    assert prove_law(formula, lower(formula)).excluded_primes == primes


def test_an_assumption_excludes_primes(database: Database):
    text = f"parameter r\nassume 35*r == 1\n{database.text(DOUBLING)}"
    formula = read_formula(
        parse_document(text), DOUBLING, database.system, database.kind("doubling"), text, "<text>"
    )
    assert prove_law(formula, lower(formula)).excluded_primes == (2, 5, 7)
