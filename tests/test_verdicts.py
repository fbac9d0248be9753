"""Verdicts: what no prover decided is undecided, names its budget, and is neither proved nor refuted."""

from pathlib import Path

import click
import pytest
import z3
from collected import Collected

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.formulas.database import Database
from efdgen.generator.programs.lower import lower
from efdgen.verify import effort
from efdgen.verify.certificate import Certificate, certify
from efdgen.verify.finding import FormulaFinding
from efdgen.verify.laws import algebra, law
from efdgen.verify.report import objects, report
from efdgen.verify.solver import follows, satisfiable
from efdgen.verify.verdicts import Refuted, UndecidedError, judge

DOUBLING = "g1p/shortw/jacobian/doubling/dbl-2007-bl"


@pytest.fixture(autouse=True)
def nothing_kept(unproved: Path):
    yield
    effort.set_effort(1)


def factors(number: int, bits: int = 32) -> z3.Solver:
    """Return a solver that asks for two factors of a number, of so many bits each."""
    context = z3.Context()  # earlier questions have no influence on the steps of this one
    left, right = z3.BitVecs("left right", 2 * bits, context)
    solver = z3.Solver(ctx=context)
    solver.add(left * right == number, z3.ULT(1, left), z3.ULT(left, 2**bits), z3.ULT(1, right))
    solver.add(z3.ULT(right, 2**bits), z3.ULE(left, right))
    return solver


SOFT, HARD = 4091 * 4093, (2**31 - 1) * (2**32 - 5)  # products of two primes


def test_each_answer_of_a_solver_is_its_own():
    x = z3.Int("x")
    assert follows("more than less", x + 1 > x)
    assert not follows("a false claim", x > 0)
    assert satisfiable(factors(15), "has 15 factors?")
    with pytest.raises(UndecidedError) as undecided:
        satisfiable(factors(HARD), "has it factors?", resources=10_000)
    assert str(undecided.value) == (
        "undecided after 10000 resource units of Z3: has it factors?; --effort raises the budget"
    )


def test_effort_raises_what_is_decided():
    """The question takes more than the budget, and less than a thousand times that."""
    with pytest.raises(UndecidedError):
        satisfiable(factors(SOFT, 12), "has it factors?", resources=1000)
    effort.set_effort(1000)
    assert satisfiable(factors(SOFT, 12), "has it factors?", resources=1000)
    with pytest.raises(UndecidedError, match="after 1000000 resource units"):
        satisfiable(factors(HARD), "has it factors?", resources=1000)


def test_a_budget_is_never_without_limit():
    """Z3 takes 0 for no limit, and keeps 32 bits: 2^32 would be 0."""
    effort.set_effort(2**40)
    assert 0 < effort.scaled(2) < 2**32


def test_z3_is_asked_nowhere_else():
    """One place knows that unknown is no answer; no other calls check()."""
    folder = Path(effort.__file__).parent
    found = {
        str(path.relative_to(folder)) for path in folder.rglob("*.py") if ".check(" in path.read_text("utf-8")
    }
    assert found == {"solver.py"}


def test_no_clock_has_a_say():
    """A time that is read is printed; and no solver has a limit in seconds."""
    folder = Path(effort.__file__).parent
    text = {str(p.relative_to(folder)): p.read_text("utf-8") for p in folder.rglob("*.py")}
    assert not {name for name, said in text.items() if '"timeout"' in said or "alarm(" in said}
    assert {name for name, said in text.items() if "perf_counter" in said} == {
        "examination.py",
        "laws/map.py",
        "laws/model.py",
        "refutation/stated.py",
        "shipping.py",
    }


@pytest.mark.parametrize(
    ("raised", "verdict", "reason"),
    [
        (Refuted("it is wrong"), "refuted", "it is wrong"),
        (UndecidedError("is it?", "5 terms"), "undecided", "undecided after 5 terms: is it?; --effort"),
        (EfdgenError("no text"), "error", "no text"),
        (MemoryError(), "error", "too large to be proved"),
        (RuntimeError("error in Singular function call 'facstd'"), "error", "the prover failed: error in"),
    ],
)
def test_a_proof_ends_in_one_of_four_ways(raised: Exception, verdict: str, reason: str):
    def prove() -> None:
        raise raised

    found = judge(prove)
    assert found[0] == verdict
    assert found[1].startswith(reason)
    assert judge(lambda: None) == ("proved", "")


@pytest.mark.parametrize(("name", "budget"), [("_MOST_TERMS", "1 terms"), ("_MOST_PRODUCTS", "1 products")])
def test_a_size_budget_that_runs_out_is_undecided(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str, budget: str
):
    formula = database.formula("g1p/edwards/projective/addition/add-2007-bl")
    monkeypatch.setattr(algebra, name, 1)
    verdict, reason = judge(lambda: law.prove_law(formula, lower(formula)))
    assert verdict == "undecided"
    assert f"undecided after {budget}" in reason
    assert "--effort raises the budget" in reason
    assert "does not hold" not in reason
    effort.set_effort(10**6)
    assert judge(lambda: law.prove_law(formula, lower(formula))) == ("proved", "")


def test_what_is_undecided_is_asked_again(database: Database, monkeypatch: pytest.MonkeyPatch):
    formula = database.formula(DOUBLING)
    from efdgen.verify import certificate

    answers = [
        Certificate("", "undecided", "out of budget", False, ()),
        Certificate("", "proved", "", False, ()),
    ]
    monkeypatch.setattr(certificate, "_proof", lambda *_: answers.pop(0))
    assert certify(formula, lower(formula)).verdict == "undecided"
    assert certify(formula, lower(formula)).verdict == "proved"
    assert certify(formula, lower(formula)).verdict == "proved"


def test_undecided_is_a_verdict_of_its_own_in_tables_and_json():
    found = FormulaFinding("g/m/s/k/name", "k", "undecided", "undecided after 5 terms: is it?", 1.0)
    text = click.unstyle("\n".join(report([found], 1.0)))
    assert "undecided g/m/s/k/name" in text
    assert "0 of 1 proved" in text
    assert objects([found])[0]["verdict"] == "undecided"


def test_an_operation_whose_lemma_is_undecided_is_not_refuted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Operations whose carries Z3 decides have budgets; the message names the operation and the budget."""
    from efdgen.generator.fields.request import FieldRequest
    from efdgen.generator.render.field.bundle import render_field
    from efdgen.verify.fields.certificate import require_field_proof
    from efdgen.verify.limbs import carries
    from efdgen.verify.limbs.prove import prove_lemma

    collected = Collected()
    render_field(FieldRequest("c", "P-256", 64), collected)
    claims = [claim for claim in collected.every if isinstance(claim, FieldOperation)]
    with monkeypatch.context() as patch:
        patch.setattr(carries, "SOON", 1)
        patch.setattr(carries, "RESOURCES", 1)
        prove_lemma.cache_clear()
        undecided: list[FieldOperation] = []
        said = []
        for claim in claims:
            try:
                require_field_proof(claim)
            except UndecidedError as error:
                undecided.append(claim)
                said.append(str(error))
    prove_lemma.cache_clear()
    assert undecided
    for claim, text in zip(undecided, said, strict=True):
        assert text.startswith(f"undecided after 1 resource units of Z3: the field's {claim.name}: ")
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "another"))
    assert "no carry is lost" in require_field_proof(undecided[0])
