"""Axioms of bitwise operations for Z3, tried on every word of three bits."""

import operator
from itertools import product

import pytest

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.operations import And, Or
from efdgen.generator.limbs.program import Claim, Term
from efdgen.verify.limbs.carries import _System
from efdgen.verify.limbs.lemma import lemmas

WORDS = range(8)
# Bits that are kept of a word by a known one: those above a place. Their result is known exactly.
RUNS = {And: (4, 6, 7), Or: (0, 1, 3)}


def possible(operation, mask):
    """Return for each pair of operands, of which the right one may be known, the results that Z3 takes."""
    builder = LimbBuilder(3)
    a, b = (builder.numbers[builder.input(name, 1, 7)].words[0] for name in "ab")
    known = b if mask is None else builder.constant(mask)
    (value,) = builder.emit(operation(a, known))
    claim = Claim(1, (Term(1, (0,)), Term(1, (1,))))
    builder.define("r = a + b", [value], 7, claim)
    (lemma,) = lemmas(builder.build([("r", 2)]))
    (made,) = lemma.instructions[-1].results
    left, right = lemma.instructions[-1].operation.left, lemma.instructions[-1].operation.right
    system = _System(lemma, (made,), lemma.instructions, tentative=False)
    total = system.word(left) * 64 + system.word(right) * 8 + system.word(made)
    pairs = product(WORDS, WORDS if mask is None else (mask,))
    return {(x, y): {r for r in WORDS if not system.excludes(total == 64 * x + 8 * y + r)} for x, y in pairs}


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "exact"), [(And, operator.and_), (Or, operator.or_)])
def test_what_is_true_of_bits_is_possible_and_for_runs_nothing_else(operation, exact):
    for mask in (None, *WORDS):
        for (x, y), results in possible(operation, mask).items():
            assert exact(x, y) in results, (x, y)
            assert mask not in RUNS[operation] or results == {exact(x, y)}, (x, y)


def test_bits_are_bounded_by_both_words():
    assert all(max(results) <= min(x, y) for (x, y), results in possible(And, None).items())
    assert all(min(results) >= max(x, y) for (x, y), results in possible(Or, None).items())
