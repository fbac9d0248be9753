"""Inverses and roots in lanes: proved, the same as Python's powers, and refused with an edit."""

import pytest
from edits import once
from edits.routines import routine_edits

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning import lane_powers
from efdgen.generator.planning.lane_powers import INVERSION, ROOT, UNITY, powers, unity
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library, parse
from efdgen.verify.routines.powers import prove_inversion, prove_root

# p - 1 is 2, 4, 8 and 32 times an odd number.
PRIMES = {1: 2**448 - 2**224 - 1, 2: 2**255 - 19, 3: 41, 5: 97}
ROUTINES = {"fe_sqr_times", INVERSION, "root_power", ROOT}
EDITS = [
    ("fe_mul(u, v)", "fe_mul(u, u)"),
    ("fe_mul(u, v)", "fe_mul(v, v)"),
    ("root_power(product)", "root_power(u)"),
    ("fe_mul(square, product)", "fe_mul(square, u)"),
    ("fe_mul(square, product)", "fe_mul(power, product)"),
    ("element = ROOT_OF_UNITY", "element = ONE"),
    ("element = ROOT_OF_UNITY", "element = product"),
    ("reversed(0..1)", "reversed(0..0)"),
    ("reversed(0..1)", "reversed(1..1)"),
    ("fe_sqr_times(rest, i)", "fe_sqr_times(power, i)"),
    ("fe_equal(halfway, ONE)", "fe_equal(halfway, ZERO)"),
    ("fe_mul(power, unity)", "fe_mul(power, rest)"),
    ("fe_select(power, next, found)", "fe_select(next, power, found)"),
    ("fe_select(power, next, found)", "fe_select(power, power, found)"),
    ("let root = fe_mul(power, u)", "let root = fe_mul(power, v)"),
    ("let squared = fe_sqr(root)", "let squared = fe_sqr(power)"),
    ("fe_mul(squared, v)", "fe_mul(squared, u)"),
    ("fe_equal(again, u)", "fe_equal(again, v)"),
    ("fe_select(root, ZERO, right), right", "fe_select(ZERO, root, right), right"),
    ("fe_select(root, ZERO, right), right", "fe_select(root, ONE, right), right"),
]


def made(prime, edit=lambda text: text):
    """Return the module of powers, with an edit of its text."""

    def edited(text, name):
        return parse(edit(text), name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lane_powers, "parse", edited)
        text = powers(prime)
    return module(library("elements").beside(text), {}, {}, (INVERSION, ROOT))


def source(prime):
    """Return the text of the powers modulo a prime."""
    found = []
    made(prime, lambda text: found.append(text) or text)
    return found[0]


def proved(prime, edit):
    """Prove the powers modulo a prime with an edit of their text."""
    changed = made(prime, edit)
    prove_inversion(changed, prime)
    prove_root(changed, prime)


def refusal(prime, edit):
    """Return the sort of the error that an edit of powers is refused with."""
    with pytest.raises((RoutineError, EfdgenError)) as error:
        proved(prime, edit)
    return error.type


@pytest.mark.parametrize("adicity", PRIMES)
def test_powers_are_proved(adicity):
    prime = PRIMES[adicity]
    prove_inversion(made(prime), prime)
    prove_root(made(prime), prime)


@pytest.mark.parametrize("adicity", PRIMES)
def test_roots_are_those_of_integers(adicity, rng):
    prime = PRIMES[adicity]
    leaves = {
        "fe_sqr": lambda a: [a * a % prime],
        "fe_mul": lambda a, b: [a * b % prime],
        "fe_equal": lambda a, b: [int(a == b)],
        "fe_select": lambda a, b, flag: [a if flag else b],
    }
    run = Interpreter(made(prime), leaves, {"ZERO": 0, "ONE": 1, UNITY: unity(prime)})
    for u in (0, 1, prime - 1, *(rng.randrange(prime) for _ in range(20))):
        v = rng.randrange(1, prime)
        root, found = run.call(ROOT, u, v)
        assert found == (pow(u * v, (prime - 1) // 2, prime) in (0, 1))
        assert root * root * v % prime == found * u
        assert run.call(INVERSION, v) == [pow(v, -1, prime)]


@pytest.mark.parametrize(("before", "after"), EDITS)
def test_edits_of_the_root_are_refused(before, after):
    assert refusal(PRIMES[2], once(before, after)) is RoutineError


@pytest.mark.slow
def test_every_edit_of_powers_is_refused():
    prime = PRIMES[3]
    text, refused = source(prime), []
    for edit in routine_edits(text, ROUTINES):
        # These two lines do not depend on each other.
        if not (edit.sort == "statements exchanged" and edit.text.startswith("    var unity")):
            refused.append(refusal(prime, edit.apply))
    assert refused.count(RoutineError) > 200


@pytest.mark.parametrize("adicity", [1, 2])
def test_drawn_edits_of_inversions_are_refused(adicity, rng):
    prime = PRIMES[adicity]
    chosen = routine_edits(source(prime), {INVERSION})
    for edit in rng.sample(chosen, 40):
        refusal(prime, edit.apply)


@pytest.mark.parametrize("adicity", PRIMES)
def test_another_power_is_refused(adicity):
    right, wrong = PRIMES[adicity], PRIMES[2 if adicity != 2 else 1]
    with pytest.raises(RoutineError):
        prove_inversion(made(wrong), right)
    with pytest.raises(RoutineError):
        prove_root(made(wrong), right)
