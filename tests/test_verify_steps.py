"""Doublings in a row: proved one after another, and refused where one of them is wrong."""

from dataclasses import replace

import pytest

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.printer import print_expression
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import Add, Mul, Sqr, Sub
from efdgen.verify.laws import steps
from efdgen.verify.laws.law import prove_law
from efdgen.verify.laws.steps import in_parts
from efdgen.verify.verdicts import judge

ITTKT = "g1p/shortw/jacobian/doubling3/dbl3-1999-ittkt"
HMV = "g1p/shortw/jacobian-3/doubling3/dbl3-2004-hmv"
HWCD = "g1p/twisted/extended/doubling3/dbl3-2008-hwcd"
HWCD_1 = "g1p/twisted/extended-1/doubling3/dbl3-2008-hwcd"


def proved(formula: Formula) -> tuple[str, str]:
    return judge(lambda: prove_law(formula, lower(formula)) and None)


def edited(formula: Formula, target: str, value: str) -> Formula:
    """Return a formula that computes another value, named by an expression, in one of its steps."""
    (wrong,) = parse_document(f"compute {target} = {value}\n")
    changed = tuple(wrong.content if a.target == target else a for a in formula.assignments)
    assert changed != formula.assignments
    return replace(formula, assignments=changed)


@pytest.mark.parametrize(
    ("name", "systems"),
    [
        (ITTKT, ["g1p/shortw/jacobian"]),
        (HMV, ["g1p/shortw/jacobian-3 with 2*Y"]),
        (HWCD, ["g1p/twisted/fractions"]),
        (HWCD_1, ["g1p/twisted/fractions"]),
        ("g1p/shortw/jacobian-0/doubling4/dbl4-2004-hmv", ["g1p/shortw/jacobian-0 with 2*Y"] * 2),
        ("g1p/shortw/jacobian/doubling2/dbl2-1999-ittkt", []),
        ("g1p/shortw/jacobian/addition/add-2007-bl", []),
    ],
)
def test_a_multiple_is_proved_double_by_double(database: Database, name: str, systems: list[str]):
    formula = database.formula(name)
    parts = in_parts(formula, lower(formula))
    assert [part.formula.system_of(1).id for part in parts[1:]] == systems
    laws = [print_expression(part.formula.kind.outputs[0].law) for part in parts]
    assert laws[:-1] == ["2*P1"] * len(systems)
    assert laws[-1] == ("4*P1" if systems else print_expression(formula.kind.outputs[0].law))
    assert proved(formula) == ("proved", "")


@pytest.mark.parametrize(
    ("name", "target", "value", "verdict"),
    [
        (ITTKT, "YD1", "M1*(S1 - XD1) + T1", "undecided"),  # there is no 2·P
        (ITTKT, "W2", "3*T1*W1", "undecided"),  # nothing that is known is carried along
        (ITTKT, "W3", "2*T2*W1", "undecided"),
        (ITTKT, "M2", "3*XD1^2 - W2", "refuted"),
        (ITTKT, "Z3", "YD2*ZD2", "refuted"),
        (HMV, "W2", "W1*YY1", "undecided"),
        (HMV, "Y3", "A3*(B3 - X3) - E3", "refuted"),
        (HWCD, "T3", "E3*G3", "refuted"),
        (HWCD, "D2", "A2", "refuted"),
        (HWCD_1, "C3", "ZD2^2", "refuted"),
    ],
)
def test_one_wrong_step_is_refused(database: Database, name: str, target: str, value: str, verdict: str):
    found, reason = proved(edited(database.formula(name), target, value))
    assert found == verdict, reason


def test_a_pass_that_breaks_any_sum_or_product_is_refused(database: Database):
    curve = load_curve("edwards25519")
    emitted = candidate(database.formula(HWCD_1), curve.field, curve.parameters).specialised
    assert judge(lambda: prove_law(emitted.formula, emitted.program) and None) == ("proved", "")
    broken = 0
    for place, instruction in enumerate(emitted.program.instructions):
        match instruction.operation:
            case Add(left, right):
                operation = Sub(left, right)
            case Sub(left, right):
                operation = Add(left, right)
            case Mul(left, _) | Sqr(left):
                operation = Add(left, left)
            case _:
                continue
        instructions = list(emitted.program.instructions)
        instructions[place] = replace(instruction, operation=operation)
        program = replace(emitted.program, instructions=tuple(instructions))
        verdict, _ = judge(lambda program=program: prove_law(emitted.formula, program) and None)
        assert verdict != "proved", instruction
        broken += 1
    assert broken > 40


def test_what_is_found_of_carried_values_is_proved(database: Database, monkeypatch: pytest.MonkeyPatch):
    formula, found = database.formula(ITTKT), steps._Search._as_monomial

    def doubled(*arguments: object) -> tuple[int, str | None, int] | None:
        monomial = found(*arguments)
        return monomial and (2 * monomial[0], *monomial[1:])

    monkeypatch.setattr(steps._Search, "_as_monomial", doubled)
    verdict, reason = proved(formula)
    assert (verdict, "carried0_3" in reason) == ("refuted", True)


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        # 4n multiplications and 4n + 2 squarings, where a·Z^4 takes one of the first [1999-itoh-...].
        (ITTKT, (11, 14, {"a": 1})),
        # Each doubling of extended points without T takes 3M + 4S + 1a, and the last, with T, 4M.
        (HWCD, (10, 12, {"a": 3})),
        (HWCD_1, (10, 12, {})),
    ],
)
def test_intermediate_values_are_shared(database: Database, name: str, cost: tuple[int, int, dict[str, int]]):
    found = count(lower(database.formula(name)))
    assert (found.multiplications, found.squarings, dict(found.by_parameter)) == cost
