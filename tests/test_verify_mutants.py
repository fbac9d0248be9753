"""The prover against arithmetic: formulas with one edit, judged on points of a curve by the affine law."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from mutants.formulas import FIELD, edits, is_right, subjects

from efdgen.generator.curves.instantiate import find_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.language.printer import print_expression
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import judge

pytestmark = pytest.mark.slow

SEED = 2007
MUTANTS_OF_A_FORMULA = 2


def mutants(formula: Formula, rng: random.Random) -> Iterator[Formula]:
    """Yield some of the formulas that differ in one edit of one assignment."""
    known = [*formula.input_names, *formula.all_parameters]
    found = []
    for number, assignment in enumerate(formula.assignments):
        for edited in edits(assignment.value, dict.fromkeys(known)):
            changed = replace(assignment, value=edited)
            found.append((*formula.assignments[:number], changed, *formula.assignments[number + 1 :]))
        known.append(assignment.target)
    for assignments in rng.sample(found, min(MUTANTS_OF_A_FORMULA, len(found))):
        yield replace(formula, assignments=assignments)


@pytest.mark.long
def test_the_prover_and_arithmetic_agree_on_every_edited_formula(database: Database):
    rng = random.Random(SEED)
    refused = 0
    for formula in subjects(database):
        parameters = find_curve(formula, FIELD, rng)
        assert is_right(formula, parameters, rng), formula.id
        for mutant in mutants(formula, rng):
            right = is_right(mutant, parameters, rng)
            verdict, reason = judge(lambda mutant=mutant: prove_law(mutant, lower(mutant)) and None)
            lines = [f"{a.target} = {print_expression(a.value)}" for a in mutant.assignments]
            assert (verdict == "proved") == right, (formula.id, reason, lines)
            assert verdict != "error", (formula.id, reason, lines)
            refused += not right
    assert refused >= 450
