"""Certificates for Rocq: statements, false formulas, the command, and Rocq's compiler."""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import test_false_formulas as false
from mutants.formulas import FIELD, edits, is_right, subjects

from efdgen.generator.curves.instantiate import find_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.printer import print_expression
from efdgen.verify.rocq.certificate import Certificate, certificate
from efdgen.verify.rocq.coqc import Checked, NotCheckedError, check, check_together
from efdgen.verify.rocq.formulas import statement_of
from efdgen.verify.rocq.many import Subjects, certify_all
from efdgen.verify.rocq.models import map_certificate, model_certificate
from efdgen.verify.rocq.proof import RefusedError
from efdgen.verify.rocq.prove import prove
from efdgen.verify.rocq.reader import read_statement
from efdgen.verify.rocq.record import checked_by, recorded
from efdgen.verify.rocq.text import theorem_text
from efdgen.verify.rocq.witness import witness

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
PAGE = (Path(__file__).parents[1] / "docs/certificates.md").read_text(encoding="utf-8")
ADDITION = "g1p/shortw/jacobian/addition/add-2007-bl"
HINTED = "g1p/shortw/affine/addition-hinted/add-slope"
BATCH = "g1p/edwards/projective/scaling-batch/scale"
BINARY = "g12o/shortw/projective/addition/add-2008-bl"
QUADRUPLE = "g1p/shortw/jacobian-0/doubling4/dbl4-2004-hmv"
MISSING = "efdgen: Rocq's compiler coqc is not installed; on Debian and Ubuntu: apt-get install coq\n"

FALSE = {
    **{f"name: {name}": false.read(text) for name, text in false.NAMES.items()},
    **{f"component: {name}": false.with_roots(*case) for name, case in false.COMPONENTS.items()},
}


def wrong(database: Database, formula_id: str, target: str, old: str, new: str) -> Formula:
    """Return a formula with one edit in the text of a step."""
    formula = database.formula(formula_id)
    text = database.text(formula_id)
    changed = re.sub(rf"(?m)^compute {target} = .*$", lambda m: m[0].replace(old, new, 1), text)
    assert changed != text
    return false.read(changed, formula_id, formula.kind.id.rpartition("/")[2])


def some_mutants(formulas: list[Formula], rng: random.Random) -> Iterator[tuple[Formula, bool]]:
    """Yield one edit of each formula, and whether it is still right by arithmetic."""
    for formula in formulas:
        parameters = find_curve(formula, FIELD, rng)
        known = [*formula.input_names, *formula.all_parameters]
        found = []
        for number, step in enumerate(formula.assignments):
            for edited in edits(step.value, dict.fromkeys(known)):
                changed = replace(step, value=edited)
                found.append((*formula.assignments[:number], changed, *formula.assignments[number + 1 :]))
            known.append(step.target)
        mutant = replace(formula, assignments=rng.choice(found))
        yield mutant, is_right(mutant, parameters, rng)


# Statements


def test_a_statement_has_the_program_and_the_meaning_of_every_output(database: Database) -> None:
    made = certificate(database.formula(ADDITION))
    read = read_statement(made.theorems[0], made.names[0])
    said = [f"{print_expression(e.left)} = {print_expression(e.right)}" for e in read.equations]
    assert "J = H*I" in said
    assert "y1^2 = x1^3 + a*x1 + b" in said
    claims = [f"{print_expression(e.left)} = {print_expression(e.right)}" for e in read.claims]
    assert claims[:2] == ["x3*Z3^2 = X3", "y3*Z3^3 = Y3"]
    assert claims[2].startswith("Z3 = 2*")


def test_a_statement_that_was_edited_is_not_that_of_the_formula(database: Database) -> None:
    formula = database.formula(ADDITION)
    proof = prove(statement_of(formula, "add"))
    text, program = theorem_text(proof), (*formula.assignments, *formula.ghosts)
    assert witness(formula, proof.statement, read_statement(text, "add"), program)
    for old, new in (("H = U2 - U1", "H = U1 - U2"), ("x3 = (y2 - y1)^2", "x3 = (y2 - y1)^3")):
        assert old in text
        with pytest.raises(EfdgenError):
            witness(formula, proof.statement, read_statement(text.replace(old, new), "add"), program)


def test_hypotheses_that_contradict_each_other_have_no_witness(database: Database) -> None:
    formula = database.formula(ADDITION)
    proof = prove(statement_of(formula, "add"))
    program = (*formula.assignments, *formula.ghosts)
    text = theorem_text(proof).replace("inv_1*(x2 - x1) = 1", "inv_1*(x2 - x2) = 1")
    with pytest.raises(EfdgenError, match="no witness"):
        witness(formula, proof.statement, read_statement(text, "add"), program)


def test_a_statement_that_claims_nothing_about_an_output_has_no_witness(database: Database) -> None:
    formula = database.formula(ADDITION)
    statement = statement_of(formula, "add")
    proof = prove(replace(statement, claims=statement.claims[:1]))
    read = read_statement(theorem_text(proof), "add")
    with pytest.raises(EfdgenError, match="nothing is claimed about Y3"):
        witness(formula, proof.statement, read, (*formula.assignments, *formula.ghosts))


def test_hints_have_two_theorems_and_batches_three(database: Database) -> None:
    hinted = certificate(database.formula(HINTED))
    assert [name.rpartition("_")[2] for name in hinted.names] == ["slope", "checked"]
    assert "slope" not in re.findall(r"forall inv_\w+", hinted.theorems[1])
    batch = certificate(database.formula(BATCH))
    assert [name.rpartition("_")[2] for name in batch.names] == ["scale", "step", "pair"]
    assert "forall u : Elt, u*(Z1*Z1_b) = 1 ->" in batch.theorems[2]


@pytest.mark.slow
def test_each_component_of_assumptions_has_a_theorem() -> None:
    assumptions = false.COMPONENTS["s*t == r, r == s*u"][0]
    formula = false.with_roots(assumptions, f"X3 = X3*t^2/{false.ROOT}^2")
    assert [name.rpartition("_")[2] for name in certificate(formula).names] == ["case1", "case2", "case3"]


# False formulas


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", FALSE)
def test_false_formulas_have_no_certificate(name: str) -> None:
    with pytest.raises(EfdgenError):
        certificate(FALSE[name])


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "curve"), false.CONDITIONS.values(), ids=false.CONDITIONS.keys())
def test_a_condition_on_parameters_is_named_and_the_curve_that_breaks_it_is_refused(
    steps: list[str], curve: tuple[int, int]
) -> None:
    formula = false.read(false.jacobian(*steps))
    plain = certificate(Database().formula(false.DOUBLING)).theorems[0].partition("End Statement")[0]
    stated = certificate(formula).theorems[0].partition("End Statement")[0]
    assert len(re.findall(r"inv_\w+\*|Z3 = ", stated)) >= len(re.findall(r"inv_\w+\*|Z3 = ", plain))
    assert stated != plain
    assert certified_on(formula, false.LARGER, false.LARGE + 1)
    with pytest.raises(EfdgenError):
        certified_on(formula, *curve)


def certified_on(formula: Formula, a: int, b: int) -> Certificate:
    """Return the certificate of a formula's program for a curve."""
    found = candidate(formula, false.FIELD, {"a": a, "b": b}).specialised
    return certificate(found.formula, found)


@pytest.mark.slow
def test_certificates_and_arithmetic_agree_on_edited_formulas(database: Database, rng: random.Random) -> None:
    refused = 0
    for mutant, right in some_mutants(subjects(database), rng):
        lines = [f"{a.target} = {print_expression(a.value)}" for a in mutant.assignments]
        try:
            certificate(mutant)
        except RefusedError:
            refused += 1
            assert not right, (mutant.id, lines)
        else:
            assert right, (mutant.id, lines)
    assert refused >= 200


# The command


def test_without_rocq_the_command_says_how_to_install_it(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen("certify", "add-2007-bl", "--out", tmp_path / "made", "--check")
    assert (done.code, done.out, done.err) == (2, "", MISSING)
    assert not (tmp_path / "made").exists()


def test_the_command_writes_certificates_and_scripts(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen("certify", ADDITION, "--out", tmp_path, "--json")
    (fields,) = json.loads(done.out)
    text = Path(fields["path"]).read_text()
    assert (done.code, fields["id"], len(fields["theorems"])) == (0, ADDITION, 1)
    assert f"Print Assumptions {fields['theorems'][0]}." in text
    assert not re.search(r"Axiom|Admitted|Parameter |Conjecture|nsatz", text)


def test_a_false_formula_ends_with_status_1_and_no_file(efdgen: Callable, tmp_path: Path) -> None:
    draft = tmp_path / "dbl-mine"
    draft.write_text("compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    asked = ("certify", draft, "--as", "g1p/shortw/jacobian-0/doubling", "--out", tmp_path / "made")
    done = efdgen(*asked)
    assert done.code == 1
    assert "false: P3 == 2*P1: x == X/Z^2" in done.err
    assert not list(tmp_path.glob("made/*"))
    assert efdgen(*asked, "--unchecked").code == 0
    assert list(tmp_path.glob("made/*.v"))


@pytest.mark.parametrize("formula_id", [ADDITION, BINARY, HINTED, BATCH, QUADRUPLE])
def test_scripts_for_sage_prove_the_same(
    formula_id: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    made = certificate(database.formula(formula_id))
    exec(compile(made.text("sage"), made.script_file, "exec"), {})
    assert capsys.readouterr().out == "".join(f"{name}: proved\n" for name in made.names)


def test_a_script_for_sage_fails_for_a_false_formula(database: Database) -> None:
    formula = wrong(database, ADDITION, "Y3", "2*S1", "3*S1")
    script = certificate(formula, unchecked=True).text("sage")
    with pytest.raises(AssertionError):
        exec(compile(script, "script", "exec"), {})


# The record


@pytest.mark.long
@pytest.mark.slow
def test_the_record_is_of_the_certificates_as_they_are(database: Database) -> None:
    """``make certificates`` renews the record."""
    _, accepted = recorded()
    assert sorted(accepted) == sorted(database.ids)
    found, refused = certify_all(Subjects(database, database.ids), None, unchecked=False)
    assert not refused
    stale = [each.subject for each in found if accepted[each.subject].certificate != each.digest]
    stale += [name for name in database.ids if not checked_by(database.formula(name))]
    assert not stale


def test_the_pages_have_the_figures_of_the_record(database: Database) -> None:
    _, accepted = recorded()
    assert len(accepted) == len(database.ids)
    for page in (PAGE, README):
        assert re.search(rf"\ball {len(accepted):,}\s+formulas\b", page, re.I)
    assert f"all {len(database.map_ids)} maps" in PAGE


def test_an_edited_formula_is_not_recorded(database: Database) -> None:
    assert checked_by(database.formula(ADDITION))
    assert checked_by(wrong(database, ADDITION, "Y3", "2*S1", "3*S1")) is None


# Rocq's compiler


@pytest.mark.long
@pytest.mark.usefixtures("coqc")
def test_rocq_accepts_a_formula_of_every_kind(database: Database, rng: random.Random) -> None:
    kinds: dict[str, list[str]] = {}
    for formula_id in database.ids:
        kinds.setdefault(formula_id.split("/")[3], []).append(formula_id)
    chosen = [rng.choice(ids) for ids in kinds.values()]
    made = [certificate(database.formula(formula_id)) for formula_id in [*chosen, BINARY]]
    checked = list(check_together(made, jobs=2))
    assert sorted(each.certificate.subject for each in checked) == sorted([*chosen, BINARY])


@pytest.mark.usefixtures("coqc")
def test_rocq_accepts_a_file_by_itself_and_its_proof_rests_on_no_axiom(database: Database) -> None:
    made = certificate(database.formula(ADDITION))
    assert check(made).seconds > 0
    with pytest.raises(NotCheckedError, match="axioms"):
        check(replaced(made, "vm_cast_no_check (eq_refl true).\nQed.", "Admitted."))


def test_the_page_shows_what_is_in_the_file(database: Database) -> None:
    lines = {line.strip() for line in certificate(database.formula(ADDITION)).text().splitlines()}
    shown = re.findall(r"^```coq\n(.*?)^```", PAGE, re.M | re.S)
    assert len(shown) >= 6
    assert {line.strip() for block in shown for line in block.splitlines()} <= lines


@pytest.mark.usefixtures("coqc")
def test_rocq_accepts_what_the_page_writes(
    efdgen: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"^    efdgen (certify .* --check)$", PAGE, re.M)
    done = efdgen(*command.split())
    assert done.code == 0, done.err
    assert f"accepted by Rocq in {float(done.out.split()[-3])} s: {ADDITION}" in done.out


@pytest.mark.usefixtures("coqc")
def test_rocq_accepts_a_program_as_it_is_emitted(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen("certify", "dbl-2009-l", "--curve", "secp256k1", "--out", tmp_path, "--check")
    assert done.code == 0, done.err
    assert "accepted by Rocq" in done.out


@pytest.mark.usefixtures("coqc")
def test_rocq_accepts_a_law_and_maps(database: Database) -> None:
    maps = [database.map(name) for name in ("g1p/shortw/maps/twisted", "g12o/shortw/maps/edwards")]
    made = [model_certificate(database.model("g1p/twisted")), *map(map_certificate, maps)]
    assert [type(each) for each in check_together(made, jobs=2)] == 3 * [Checked]


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize("options", [(), ("--together",)])
def test_the_command_reports_that_rocq_refuses(
    options: tuple[str, ...], efdgen: Callable, tmp_path: Path
) -> None:
    draft = tmp_path / "dbl-mine"
    draft.write_text("compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    asked = ("certify", draft, "--as", "g1p/shortw/jacobian-0/doubling", "--out", tmp_path / "made")
    done = efdgen(*asked, "--unchecked", "--check", *options)
    assert done.code == 1
    assert "Rocq refuses the certificate of g1p/shortw/jacobian-0/doubling/dbl-mine: " in done.err
    assert "accepted" not in done.out


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize("options", [(), ("--together",)])
def test_a_refused_certificate_does_not_stop_the_others(
    options: tuple[str, ...], efdgen: Callable, tmp_path: Path
) -> None:
    """Was: the first that Rocq refused was the last that it checked."""
    place = tmp_path / "own/g1p/shortw/jacobian-0/doubling"
    place.mkdir(parents=True)
    right = (BUILT_IN / "g1p/shortw/jacobian-0/doubling/dbl-2009-l").read_text()
    for name, text in {
        "a-wrong": right.replace("E = 3*A", "E = 3*B"),
        "b-right": right,
        "c-right": right,
    }.items():
        (place / name).write_text(text)
    names = ("doubling/a-wrong", "doubling/b-right", "doubling/c-right")
    words = ("--database", tmp_path / "own", "--out", tmp_path / "made")
    done = efdgen("certify", *names, *words, "--unchecked", "--check", *options)
    assert done.code == 1
    assert done.err.count("Rocq refuses the certificate of g1p/shortw/jacobian-0/doubling/a-wrong: ") == 1
    assert re.findall(r"accepted by Rocq in [\d.]+ s: .*/(\S+)", done.out) == ["b-right", "c-right"]


# Words of Rocq's grammar and commands, and names of its libraries and of the checker.
ROCQ_WORDS = re.findall(
    r"\w+",
    """
    Abort Add Admitted Axiom Canonical Check Class CoFixpoint CoInductive Coercion Conjecture Context
    Corollary Definition End Example Export Fact Fail False Fixpoint From Function Global Goal Hint
    Hypotheses Hypothesis Import Inductive Instance Lemma Let Load Local Ltac Module N Notation O Open
    Parameter Parameters Polymorphic Print Program Proof Prop Qed Record Remark Require S SProp Scope
    Section Set Structure Theorem Time True Type Universe Unset Variable Variables Z as at bool by cofix
    constr else end eq exists exists2 field fix for forall fun if in lazymatch let list ltac match
    multimatch nat polynomial proj1 refl return ring tt then using where with
    """,
)


@pytest.mark.usefixtures("coqc")
def test_steps_may_have_the_names_of_rocq(efdgen: Callable, tmp_path: Path) -> None:
    """Was: a step called Definition made a certificate that Rocq cannot read."""
    place = tmp_path / "own/g1p/shortw/jacobian-0/doubling"
    place.mkdir(parents=True)
    values = ["X1", *ROCQ_WORDS[:-1]]
    steps = [f"compute {word} = {value} + Y1" for word, value in zip(ROCQ_WORDS, values, strict=True)]
    steps += [f"compute A0 = {ROCQ_WORDS[-1]} - {len(steps)}*Y1", "compute A = A0^2"]
    right = (BUILT_IN / "g1p/shortw/jacobian-0/doubling/dbl-2009-l").read_text()
    (place / "words").write_text(right.replace("compute A = X1^2", "\n".join(steps)))
    words = ("--database", tmp_path / "own", "--out", tmp_path / "made", "--check")
    done = efdgen("certify", "doubling/words", *words)
    assert done.code == 0, done.err


def replaced(made: Certificate, old: str, new: str) -> Certificate:
    """Return a certificate with one edit in its first theorem."""
    assert old in made.theorems[0], old
    return replace(made, theorems=(made.theorems[0].replace(old, new, 1), *made.theorems[1:]))


@pytest.mark.usefixtures("coqc")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Define 7 false", "Define 8 false"),
        ("(x2 - x1)%data", "(x2 + x1)%data"),
        ("(x3*Z3^2, X3)%data", "(x3*Z3^3, X3)%data"),
        ("x3*Z3^2 = X3", "x3*Z3^3 = X3"),
        ("H = U2 - U1", "H = U2 + U1"),
        ("y1^2 = x1^3 + a*x1 + b", "y1^2 = x1^3 + a*x1"),
        ("[1] false None", "[1] true None"),
    ],
)
def test_rocq_refuses_an_edited_certificate(old: str, new: str, database: Database) -> None:
    with pytest.raises(NotCheckedError):
        check(replaced(certificate(database.formula(ADDITION)), old, new))


def stated(formula: Formula) -> Certificate | None:
    """Return the certificate of a false formula; None where its hypotheses hold for no inputs."""
    try:
        return certificate(formula, unchecked=True)
    except EfdgenError as error:
        if "no witness" not in str(error):
            raise
        return None


@pytest.mark.long
@pytest.mark.usefixtures("coqc")
def test_rocq_refuses_false_formulas_that_are_forced(database: Database, rng: random.Random) -> None:
    drawn = rng.sample(subjects(database), 5)
    found = [mutant for mutant, right in some_mutants(drawn, rng) if not right]
    found += [FALSE["name: two steps are called like a parameter"], wrong(database, BINARY, "F", "a2*C", "C")]
    forced = [made for formula in found if (made := stated(formula)) is not None]
    for made in forced:
        with pytest.raises(NotCheckedError, match="Rocq refuses the certificate of"):
            check(made)
    assert len(forced) >= 3
