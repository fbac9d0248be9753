"""The prover proves what holds, refuses what does not, and never proves anything of nothing."""

import re
from collections.abc import Callable

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula, read_kind
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import Input
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import Refuted, judge

DOUBLING = "g1p/shortw/jacobian/doubling/dbl-2007-bl"
ADDITION = "g1p/shortw/jacobian/addition/add-2007-bl"
MIXED = "g1p/shortw/jacobian/addition/madd-2007-bl"
EXTENDED = "g1p/twisted/extended/addition/add-2008-hwcd"
LADDER = "g1p/montgom/xz/ladder/ladd-1987-m-3"
SCALING = "g1p/shortw/xyzz/scaling/z"

Make = Callable[..., Formula]


@pytest.fixture(scope="module")
def formula(database: Database) -> Make:
    """Make a formula in the place of a built-in one, from its text with words replaced, or from another."""

    def make(
        formula_id: str, *replacements: tuple[str, str], text: str | None = None, kind: str = ""
    ) -> Formula:
        text = database.text(formula_id) if text is None else text
        for old, new in replacements:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        read = read_kind(parse_document(kind), "own", kind, "<kind>") if kind else None
        read = read or database.kind(formula_id.split("/")[-2])
        return read_formula(parse_document(text), formula_id, database.system, read, text, "<text>")

    return make


def cases(formula: Formula) -> int:
    """Prove a formula; return in how many cases."""
    return len(prove_law(formula, lower(formula)).instances)


def refutation(formula: Formula) -> str:
    """Refute a formula; return why."""
    with pytest.raises(Refuted) as refuted:
        cases(formula)
    return str(refuted.value)


@pytest.mark.parametrize(
    ("formula_id", "old", "new", "where"),
    [
        (DOUBLING, "compute X3 = T", "compute X3 = -T", "x == X/Z^2"),
        (DOUBLING, "(S - T)", "(S + T)", "y == Y/Z^3"),
        (DOUBLING, "(Y1 + Z1)^2 - YY", "(Y1 + Z1)^2 + YY", "x == X/Z^2"),
        (EXTENDED, "compute X3 = E*F", "compute X3 = -E*F", "x == X/Z"),
        (EXTENDED, "compute Y3 = G*H", "compute Y3 = -G*H", "y == Y/Z"),
        (EXTENDED, "compute T3 = E*H", "compute T3 = -E*H", "x*y == T/Z"),
        (EXTENDED, "compute Z3 = F*G", "compute Z3 = -F*G", "x == X/Z"),
        ("g1p/jintersect/extended/doubling/dbl-1986-cc", "compute SC3 = ", "compute SC3 = -", "SC == S*C"),
        ("g1p/jintersect/extended/doubling/dbl-1986-cc", "compute DZ3 = ", "compute DZ3 = -", "DZ == D*Z"),
        ("g1p/shortw/xyzz/doubling/dbl-2008-s-1", "compute ZZZ3 = ", "compute ZZZ3 = -", "y == Y/ZZZ"),
        ("g1p/jquartic/xxyzz/doubling/dbl-2007-fw", "compute XX3 = ", "compute XX3 = 2*", "XX == X^2"),
        ("g12o/shortw/jacobian/doubling/dbl-2005-dl", "compute Z3 = ", "compute Z3 = 1 + ", "x == X/Z^2"),
    ],
)
def test_each_output_coordinate_counts(formula: Make, formula_id, old, new, where):
    assert refutation(formula(formula_id, (old, new))) == f"P3: {where} does not hold"


def test_swapped_outputs_are_refuted(formula: Make, database: Database):
    swapped = re.sub(
        "([XZ])([45]) =", lambda output: f"{output[1]}{9 - int(output[2])} =", database.text(LADDER)
    )
    assert "compute X4 = Z1*" in swapped
    assert "P4: x == X/Z does not hold" in refutation(formula(LADDER, text=swapped))


def test_a_formula_of_another_kind_is_refuted(formula: Make, database: Database):
    tripling = DOUBLING.replace("doubling", "tripling")
    assert "P3: x == X/Z^2 does not hold" in refutation(formula(tripling, text=database.text(DOUBLING)))


@pytest.mark.parametrize(
    ("formula_id", "assumption"),
    [
        (MIXED, "assume Z2 == 1\n"),
        ("g1p/shortw/jacobian/addition/zadd-2007-m", "assume Z1 == Z2\n"),
        (LADDER, "assume 4*a24 == a + 2\n"),
        ("g1p/jquartic/xxyzz/doubling/dbl-2007-fw", "assume a2 == 2*a\n"),
    ],
)
def test_a_missing_assumption_is_noticed(formula: Make, formula_id, assumption):
    assert cases(formula(formula_id)) == 1
    assert "does not hold" in refutation(formula(formula_id, (assumption, "")))


def test_the_assumption_of_the_system_is_used(formula: Make, database: Database):
    only_for_minus_3 = database.text("g1p/shortw/jacobian-3/doubling/dbl-2001-b")
    assert "does not hold" in refutation(formula(DOUBLING, text=only_for_minus_3))
    assert cases(formula(DOUBLING, text="assume a == -3\n" + only_for_minus_3)) == 1


@pytest.mark.parametrize(
    ("assumptions", "reason"),
    [
        ("a == 1; a == 2", "contradict each other"),
        ("Z1 == 1; Z1 == 2", "contradict each other"),
        ("1 == 2", "contradict each other"),
        ("a == 0; a*b == 1", "contradict each other"),
        ("a == 1/b; b == 0", "contradict each other"),
        ("a^2 == 2; a == 1", "contradict each other"),
        ("a == 1/(b - b)", "divides by zero"),
        ("Z1 == 0", "x == X/Z^2 divides by zero"),
        ("a == 0; b == 0", "only singular curves"),
        ("4*a^3 == -27*b^2", "only singular curves"),
        ("Y1 == 0", "exceptional points"),
    ],
)
def test_nothing_is_proved_of_nothing(formula: Make, database: Database, assumptions, reason):
    text = "".join(f"assume {line}\n" for line in assumptions.split("; ")) + database.text(DOUBLING)
    with pytest.raises(EfdgenError, match=re.escape(reason)):
        cases(formula(DOUBLING, text=text))


@pytest.mark.parametrize(
    ("assumptions", "number"),
    [
        ("a == -3", 1),
        ("a^2 == 2", 1),
        ("a^2 == 1", 2),
        ("a*b == 0", 2),
        ("a^2 == 1; a == 1", 1),
        ("Z1^4 == 1", 3),
        ("X1*Z1 == 0", 1),
        ("a^2 == a*b; b == 0", 0),
    ],
)
def test_every_case_of_an_assumption_is_proved(formula: Make, database: Database, assumptions, number):
    text = "".join(f"assume {line}\n" for line in assumptions.split("; ")) + database.text(DOUBLING)
    if number:
        assert cases(formula(DOUBLING, text=text)) == number
    else:
        with pytest.raises(EfdgenError, match="singular"):
            cases(formula(DOUBLING, text=text))


def test_one_wrong_case_refutes_a_formula(formula: Make):
    halves = "g1p/shortw/xyzz/doubling/mdbl-2008-s-1"
    assert cases(formula(halves)) == 1
    or_minus_one = formula(halves, ("assume ZZZ1 == 1\n", ""))
    assert refutation(or_minus_one) == "P3: y == Y/ZZZ does not hold"


def test_cases_that_cannot_be_told_apart_are_an_error(formula: Make, database: Database):
    both = "parameter r\nparameter s\nassume r^2 == -1\nassume s^2 == -1\n"
    with pytest.raises(EfdgenError, match="several cases that cannot be told apart"):
        cases(formula(DOUBLING, text=both + database.text(DOUBLING)))


@pytest.mark.parametrize(
    "lines",
    [
        "Q = 1/(Y1 - Y1)",
        "Q = 1/(Y1^2 - X1^3 - a*X1*Z1^4 - b*Z1^6)",
        "Q = 1/(Y1^2 - X1^3 - a*X1*Z1^4 - b*Z1^6)\ncompute X3 = X3 + 1/Q",
    ],
)
def test_division_by_what_is_always_zero_is_refuted(formula: Make, database: Database, lines):
    assert "divides by zero for every input" in refutation(
        formula(DOUBLING, text=f"{database.text(DOUBLING)}compute {lines}\n")
    )


def test_coordinates_that_mean_no_point_are_refuted(formula: Make, database: Database):
    nothing = "compute Z3 = Y1^2 - X1^3 - a*X1*Z1^4 - b*Z1^6\ncompute X3 = Z3\ncompute Y3 = Z3\n"
    assert "x == X/Z^2 divides by zero for every input" in refutation(formula(DOUBLING, text=nothing))


def test_what_is_zero_on_the_curve_may_be_added(formula: Make, database: Database):
    more = "compute X3 = X3 + Y1^2 - X1^3 - a*X1*Z1^4 - b*Z1^6\n"
    assert cases(formula(DOUBLING, text=database.text(DOUBLING) + more)) == 1


def test_a_scaled_output_is_the_same_for_every_representative(formula: Make):
    def scaling(*values: str) -> Formula:
        pairs = zip(("X3", "Y3", "ZZ3", "ZZZ3"), values, strict=True)
        return formula(SCALING, text="".join(f"compute {name} = {value}\n" for name, value in pairs))

    assert cases(scaling("4*X1/ZZ1", "8*Y1/ZZZ1", "4", "8")) == 1
    assert "X3 depends on the representative" in refutation(scaling("X1", "Y1", "ZZ1", "ZZZ1"))
    assert "P3: x == X/ZZ does not hold" in refutation(scaling("4*X1/ZZ1", "8*Y1/ZZZ1", "1", "1"))


@pytest.mark.parametrize("exponent", [40, 1000])
def test_what_is_too_large_is_undecided_at_once(formula: Make, database: Database, exponent: int):
    text = f"{database.text(DOUBLING)}compute X3 = X3 + (X1 + Y1 + Z1 + a + b)^{exponent}\n"
    verdict, reason = judge(lambda: cases(formula(DOUBLING, text=text)) and None)
    assert verdict == "undecided"
    assert reason.startswith("undecided after ")


def test_a_program_of_another_signature_is_an_error(database: Database):
    builder = ProgramBuilder()
    value = builder.emit(Input("X9"), "X9")
    with pytest.raises(EfdgenError, match="signature: it reads X9, lacks Y3, lacks Z3"):
        prove_law(database.formula(DOUBLING), builder.build([("X3", value)]))


CO_Z = """
name co-Z addition with update
function zaddu
input P1
input P2
output P3 == P1 + P2
output P4 == P1
share Z P1 P2
share Z P3 P4
"""

CO_Z_ADDITION = """
compute C = (X1 - X2)^2
compute W1 = X1*C
compute W2 = X2*C
compute D = (Y1 - Y2)^2
compute A1 = Y1*(W1 - W2)
compute X3 = D - W1 - W2
compute Y3 = (Y1 - Y2)*(W1 - X3) - A1
compute X4 = W1
compute Y4 = A1
"""


def test_points_may_share_a_coordinate(formula: Make):
    update = CO_Z_ADDITION + "compute Z3 = Z1*(X1 - X2)\n"
    assert cases(formula(ADDITION, text=update, kind=CO_Z)) == 1
    assert "P3: x == X/Z^2 does not hold" in refutation(
        formula(ADDITION, text=update.replace("Z1*(X1 - X2)", "Z1*(X1 + X2)"), kind=CO_Z)
    )
    assert "P4: y == Y/Z^3 does not hold" in refutation(
        formula(ADDITION, text=update.replace("Y4 = A1", "Y4 = -A1"), kind=CO_Z)
    )


def test_a_coordinate_may_be_implicit(formula: Make):
    kind = CO_Z + "implicit Z\n"
    hidden = CO_Z_ADDITION + "ghost Z3 = Z1*(X1 - X2)\n"
    assert cases(formula(ADDITION, text=hidden, kind=kind)) == 1
    assert "P3: x == X/Z^2 does not hold" in refutation(
        formula(ADDITION, text=hidden.replace("(X1 - X2)\n", "(X1 - X2)^2\n"), kind=kind)
    )


def test_scalars_are_what_the_kind_says(formula: Make):
    kind = CO_Z + "implicit Z\nscalar C1 == (X1 - X2)^2\nscalar C3 == (X3 - X4)^2\n"
    text = CO_Z_ADDITION.replace("compute C = (X1 - X2)^2", "compute C = C1")
    text += "compute C3 = (X3 - X4)^2\nghost Z3 = Z1*(X1 - X2)\n"
    assert cases(formula(ADDITION, text=text, kind=kind)) == 1
    assert "C3 == " in refutation(formula(ADDITION, text=text.replace("X3 - X4)^2", "X3 + X4)^2"), kind=kind))
    wrong = kind.replace("C1 == (X1 - X2)", "C1 == (X1 + X2)")
    assert refutation(formula(ADDITION, text=text, kind=wrong)) == "P3: x == X/Z^2 does not hold"


def test_a_point_may_be_in_another_system(formula: Make):
    kind = "name conversion\nfunction convert\ninput P1\noutput P3 == P1\n"
    text = "point P3 g1p/shortw/projective\ncompute X3 = X1*Z1\ncompute Y3 = Y1\ncompute Z3 = Z1^3\n"
    assert cases(formula(DOUBLING, text=text, kind=kind)) == 1
    assert "P3: y == Y/Z does not hold" in refutation(
        formula(DOUBLING, text=text.replace("Y3 = Y1", "Y3 = -Y1"), kind=kind)
    )
