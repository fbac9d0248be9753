"""The report on a false formula: each claim, a counterexample that is one, and an edit that mends it."""

import re
from dataclasses import replace

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.edits import edits
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Assignment
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.tiny_field import tiny_field
from efdgen.verify.refutation import counterexample, explain
from efdgen.verify.refutation.refutation import Counterexample, Refutation

DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"
ADDITION = "g1p/shortw/jacobian/addition/add-2007-bl"
EDWARDS = "g1p/twisted/extended/addition/add-2008-hwcd"
LADDER = "g1p/montgom/xz/ladder/ladd-1987-m-3"


def edited(database: Database, formula_id: str, old: str, new: str) -> Formula:
    text = database.text(formula_id)
    assert text.count(old) == 1
    text = text.replace(old, new)
    kind = database.kind(formula_id.split("/")[-2])
    return read_formula(parse_document(text), formula_id, database.system, kind, text, "<text>")


# Formula, what stands there, the slip, and which of the claims about the outputs still hold.
SLIPS = [
    (DOUBLING, "X3 = F - 2*D", "X3 = F + 2*D", [False, False]),
    (DOUBLING, "- 8*C", "- C", [True, False]),
    (DOUBLING, "E = 3*A", "E = 2*A", [False, False]),
    (DOUBLING, "B = Y1^2", "B = Y1", [False, False]),
    (ADDITION, "Z1Z1 = Z1^2", "Z1Z1 = Z1", [False, False]),
    (ADDITION, "U2 = X2*Z1Z1", "U2 = X2*Z2Z2", [False, False]),
    (ADDITION, "(V - X3) - 2*S1*J", "(V - X3) + 2*S1*J", [True, False]),
    (EDWARDS, "C = T1*d*T2", "C = T1*d*T1", [False, False, False]),
    (EDWARDS, "T3 = E*H", "T3 = E*G", [True, True, False]),
]


@pytest.mark.parametrize(("formula_id", "right", "wrong", "claims"), SLIPS)
def test_a_slip_is_found(
    database: Database, formula_id: str, right: str, wrong: str, claims: list[bool]
) -> None:
    found = explain(edited(database, formula_id, right, wrong))
    assert [claim.holds for claim in found.claims] == claims
    assert all(bool(claim.residue) is not claim.holds for claim in found.claims)
    (line,) = (n for n, text in enumerate(database.text(formula_id).splitlines(), 1) if right in text)
    (repair,) = (repair for repair in found.repairs if repair.line == line)
    assert wrong in repair.old
    assert formula_id == EDWARDS or right in repair.new
    assert found.counterexample is not None
    suspects = [step.line for step in found.suspects]
    assert line in suspects
    assert (len(suspects) < len(found.steps)) is any(claims)


def chord_and_tangent(example: Counterexample) -> tuple[int, int]:
    """Return P1 + P2, or 2·P1, on y^2 = x^3 + ax + b, without the affine laws of the database."""
    p, a = example.prime, example.parameters["a"]
    (x1, y1), (x2, y2) = example.points[1], example.points.get(2, example.points[1])
    top, bottom = (3 * x1 * x1 + a, 2 * y1) if x1 == x2 else (y2 - y1, x2 - x1)
    slope = top * pow(bottom, -1, p) % p
    x3 = (slope * slope - x1 - x2) % p
    return x3, (slope * (x1 - x3) - y1) % p


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip[0] in (DOUBLING, ADDITION)])
def test_a_counterexample_is_one(database: Database, slip: tuple[str, str, str, list[bool]]) -> None:
    example = explain(edited(database, *slip[:3])).counterexample
    assert example is not None
    p, (x3, y3) = example.prime, chord_and_tangent(example)
    assert example.expected == {3: (x3, y3)}
    for number, (x, y) in example.points.items():
        assert (y**2 - x**3 - example.parameters["a"] * x - example.parameters["b"]) % p == 0
        z = example.inputs[f"Z{number}"]
        assert example.inputs[f"X{number}"] == x * z**2 % p
        assert example.inputs[f"Y{number}"] == y * z**3 % p
    assert example.outputs is not None
    x, y, z = (example.outputs[name] for name in ("X3", "Y3", "Z3"))
    assert z == 0 or (x, y) != (x3 * z**2 % p, y3 * z**3 % p)
    assert example.found == ({3: (x * pow(z, -2, p) % p, y * pow(z, -3, p) % p)} if z else {})


def test_the_steps_are_those_of_the_wrong_outputs(database: Database) -> None:
    found = explain(edited(database, LADDER, *_first_sum(database.text(LADDER))))
    wrong = [claim.claim[:2] for claim in found.claims if not claim.holds]
    assert wrong
    assert {"P4", "P5"} - set(wrong)
    targets = {step.text.split(" = ")[0] for step in found.steps}
    assert targets & {"X4", "Z4", "X5", "Z5"} == {f"{c}{p[1]}" for p in wrong for c in "XZ"}


def _first_sum(text: str) -> tuple[str, str]:
    line = next(line for line in text.splitlines() if line.startswith("compute X5"))
    return line, line.replace("+", "-", 1) if "+" in line else f"{line} + Z1"


def test_a_right_formula_has_no_counterexample(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterexample, "_MOST", 300)
    for name in (DOUBLING, ADDITION, EDWARDS, LADDER):
        assert counterexample.smallest_counterexample(database.formula(name), (2, 3)) is None


def test_lines_say_all_of_it(database: Database) -> None:
    lines = explain(edited(database, DOUBLING, "- 8*C", "- C")).lines()
    assert lines[0] == "P3: x == X/Z^2 holds"
    assert lines[1].startswith("P3: y == Y/Z^3 does not hold, for (y1)^")
    assert any("p = 5" in line for line in lines)
    assert any(re.search(r", which is P3 = \(\d, \d\); right is P3 = ", line) for line in lines)
    assert lines[-3] == "suspect line 9, on which no correct output depends"
    assert lines[-1].endswith("as Y3 = E*(D - X3) - 8*C, now Y3 = E*(D - X3) - C")


def test_a_formula_that_divides_by_zero_is_explained(database: Database) -> None:
    found: Refutation = explain(edited(database, DOUBLING, "Z3 = 2*Y1*Z1", "Z3 = 1/(Y1 - Y1)"))
    assert [claim.reason for claim in found.claims] == ["divides by zero for every input"]
    assert found.counterexample is not None
    assert found.counterexample.outputs is None


def test_edits_are_single_and_all_different(database: Database) -> None:
    (line,) = parse_document("compute Y3 = E*(D - X3)^2 - 8*C\n")
    assert isinstance(line.content, Assignment)
    value = line.content.value
    texts = [print_expression(edit) for edit in edits(value, ["C", "D", "E"])]
    assert len(set(texts)) == len(texts)
    wanted = {"E*(D - X3)^2 + 8*C", "E*(D - X3) - 8*C", "E*(D + X3)^2 - 8*C", "D*(D - X3)^2 - 8*C"}
    assert wanted | {"E*(D - X3)^2 - C", "E*(D - X3)^2 - 4*C", "E*(D - X3)^2 - 8*C^2"} <= set(texts)
    formula = database.formula(DOUBLING)
    again = [
        parse_document(f"compute X = {print_expression(edit)}\n")[0].content
        for step in formula.assignments
        for edit in edits(step.value, ["X1", "Y1"])
    ]
    originals = [edit for step in formula.assignments for edit in edits(step.value, ["X1", "Y1"])]
    assert [replace(a, target="X").value for a in again] == originals


BINARY_DOUBLING = "g12o/shortw/lopezdahab/doubling/dbl-2005-l"
HINTED = "g1p/shortw/affine/addition-hinted/add-slope"


def times(left: int, right: int) -> int:
    """Multiply in GF(2)[t]/(t^3 + t + 1)."""
    product = 0
    for bit in range(3):
        product ^= (right >> bit & 1) * left << bit
    for bit in (4, 3):
        product ^= (product >> bit & 1) * 0b1011 << bit - 3
    return product


def test_a_binary_formula_is_refuted_with_a_counterexample_and_an_edit(database: Database) -> None:
    """Was: of formulas in characteristic 2 there was neither."""
    text = database.text(BINARY_DOUBLING)
    step = next(line for line in text.splitlines() if line.startswith("compute X3 = "))
    found = explain(edited(database, BINARY_DOUBLING, step, f"{step} + X1^2"))
    example = found.counterexample
    assert example is not None
    assert (example.prime, example.degree, example.modulus) == (2, 3, "t^3 = t + 1")
    assert any("for example for GF(2^3), t^3 = t + 1, a2 = " in line for line in found.lines())
    a2, a6 = example.parameters["a2"], example.parameters["a6"]
    (x, y), square = example.points[1], times(example.points[1][0], example.points[1][0])
    assert times(y, y) ^ times(x, y) == times(square, x ^ a2) ^ a6
    slope = x ^ times(y, next(c for c in range(1, 8) if times(x, c) == 1))
    x3 = times(slope, slope) ^ slope ^ a2
    assert example.expected == {3: (x3, square ^ times(slope ^ 1, x3))}
    assert example.outputs is not None
    assert example.outputs["X3"] != times(x3, example.outputs["Z3"])
    assert found.repairs is not None
    assert step.removeprefix("compute ") in [repair.new for repair in found.repairs]


@pytest.mark.parametrize(
    ("formula_id", "right", "wrong"),
    [
        (DOUBLING, "Y3 = E*(D - X3) - 8*C", "Y3 = E + (D - X3) - 8*C"),
        (DOUBLING, "Z3 = 2*Y1*Z1", "Z3 = 2*Y1"),
        (DOUBLING, "D = 2*((X1 + B)^2 - A - C)", "D = 2*((X1 + B)^2 - A)"),
        ("g1p/shortw/jacobian/doubling/dbl-2007-bl", "M = 3*XX + a*ZZ^2", "M = 3*XX + a"),
    ],
)
def test_a_missing_factor_or_term_is_found(
    database: Database, formula_id: str, right: str, wrong: str
) -> None:
    """Was: a sum in place of a product, and a name that is missing, had no repair."""
    found = explain(edited(database, formula_id, right, wrong)).repairs
    assert found is not None
    assert right in [repair.new for repair in found]


def test_residues_are_cut_between_terms_and_have_the_names_of_the_page(database: Database) -> None:
    """Was: "... - 3*b^2*aff… (35 terms)", the names of the prover cut in the middle."""
    found = explain(edited(database, LADDER, "DA = D*A", "DA = D*B"))
    (residue,) = (claim.residue for claim in found.claims if claim.residue)
    assert "aff" not in residue
    (start,) = re.findall(r"\(([^()]*)… \(\d+ terms\)\)", residue)
    assert re.fullmatch(r"-?[\w*^]+( [+-] [\w*^]+)*", start)


def test_a_wrong_check_has_a_counterexample_too(database: Database) -> None:
    """Was: only points were looked at, 20,000 choices of them, so that none was found."""
    wrong = edited(database, HINTED, "slope*(X1 - X2) ==", "slope*(X1 + X2) ==")
    example = explain(wrong).counterexample
    assert example is not None
    assert (example.wrong, example.failed) == ((), ("check1 == 0",))
    assert example.lines()[-1].endswith("right is check1 == 0")


def test_an_edit_that_leaves_a_check_too_kind_is_no_repair(database: Database) -> None:
    """Was: where a check accepts every hint, any edit that changes nothing, such as (-slope)^2."""
    found = explain(edited(database, HINTED, "slope*(X1 - X2) == Y1 - Y2", "0*slope == 0"))
    assert all(claim.holds for claim in found.claims)
    assert (found.steps, found.repairs) == ((), ())
    assert found.counterexample is not None
    (failed,) = found.counterexample.failed
    assert re.fullmatch(r"check1 != 0 for slope = \d", failed)
    assert found.lines()[-1] == "no edit of one step was found with which it is proved"


def test_two_slips_are_not_mended_by_one_edit(database: Database) -> None:
    text = database.text(DOUBLING).replace("X3 = F - 2*D", "X3 = F + 2*D").replace("E = 3*A", "E = 2*A")
    wrong = read_formula(
        parse_document(text), DOUBLING, database.system, database.kind("doubling"), text, "<text>"
    )
    assert explain(wrong).lines()[-1] == "no edit of one step was found with which it is proved"


def test_claims_that_are_no_equations_are_told_in_words(database: Database) -> None:
    """Was: "Y3 holds" of a coordinate that is to be the same for every representative."""
    scaling = "g1p/shortw/projective/scaling/z"
    step = next(line for line in database.text(scaling).splitlines() if line.startswith("compute Y3"))
    lines = explain(edited(database, scaling, step, f"{step} + Z1")).lines()
    assert "X3 is the same for every representative" in lines
    assert "Y3 depends on the representative of the point that comes in" in lines


def test_a_map_that_leads_to_no_curve_ends_no_search(database: Database) -> None:
    """Was: ZeroDivisionError, which ended the whole of `efdgen verify`."""
    conversion = "g1p/twisted/extended/conversion/to-montgom-affine"
    text = database.text(conversion)
    step = next(line for line in text.splitlines() if line.startswith("compute Y3"))
    wrong = text.replace(step, f"{step}*d")
    kind, system = database.kind("conversion"), database.system("g1p/twisted/extended")
    formula = read_formula(
        parse_document(wrong),
        conversion,
        lambda name: database.system(name if "/" in name else f"{system.model.id}/{name}"),
        kind,
        wrong,
        "<text>",
        lambda name: database.map(f"{system.model.id}/maps/{name}"),
    )
    found = explain(formula)
    assert found.counterexample is not None
    assert found.repairs is not None
    assert step.removeprefix("compute ") in [repair.new for repair in found.repairs]


def test_a_claim_that_is_too_large_leaves_the_rest_of_a_refutation(database: Database) -> None:
    """Was: no refutation at all, where one residue of several has too many terms."""
    formula_id = "g1p/shortw/jacobian/doubleadd/da-2008-lm"
    step = next(line for line in database.text(formula_id).splitlines() if line.startswith("compute Z3"))
    found = explain(edited(database, formula_id, step, step.replace("H + D)", "H + D*Z1Z1^2)")))
    assert [claim.holds for claim in found.claims] == [False, None]
    assert found.claims[1].reason.startswith("is undecided after ")
    assert found.counterexample is not None
    assert found.repairs is not None
    assert step.removeprefix("compute ") in [repair.new for repair in found.repairs]


def test_a_point_that_comes_in_twice_does_not_hide_counterexamples(database: Database) -> None:
    """Was: none for kinds in which one input is another one, in other coordinates."""
    text = database.text("g1p/shortw/jacobian/recovery-z/rec")
    wrong = text.replace("X4 = X1*SS", "X4 = X1 + SS")
    formula = read_formula(
        parse_document(wrong),
        "g1p/shortw/jacobian/recovery-z/rec",
        lambda name: database.system(name if "/" in name else f"g1p/shortw/{name}"),
        database.kind("recovery-z"),
        wrong,
        "<text>",
    )
    example = explain(formula).counterexample
    assert example is not None
    assert example.points[1] == example.points[3]
    assert example.wrong == (4,)


def test_a_counterexample_is_not_an_input_at_which_right_formulas_fail_too(database: Database) -> None:
    """Was: inputs for which even the right formula gives (0, 0, 0), or divides by zero."""
    for formula_id in (
        "g1p/edwards/inverted/doubling/dbl-2007-bl",
        "g12o/edwards/xyz/addition/add-2008-blr-1",
    ):
        step = next(line for line in database.text(formula_id).splitlines() if line.startswith("compute Y3"))
        wrong = edited(database, formula_id, step, f"{step} + X1")
        example = counterexample.smallest_counterexample(wrong, (2, 3))
        assert example is not None
        assert example.outputs is not None
        field = tiny_field(example.prime**example.degree)
        right = database.formula(formula_id)
        values = run(lower(right), field, {**example.parameters, **example.inputs})
        assert values["Z3"] != 0
        assert values["Y3"] != example.outputs["Y3"]
