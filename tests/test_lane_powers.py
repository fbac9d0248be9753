"""Inverses and roots in lanes: proved, the same as Python's powers, and refused with an edit."""

import pytest

from efdgen.generator.planning import lane_powers
from efdgen.generator.planning.lane_powers import INVERSION, ROOT, UNITY, powers, unity
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library, parse
from efdgen.verify.routines.powers import prove_inversion, prove_root

# p - 1 is 2, 4, 8 and 32 times an odd number.
PRIMES = {1: 2**448 - 2**224 - 1, 2: 2**255 - 19, 3: 41, 5: 97}
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


def made(prime, before="", after=""):
    """Return the module of powers, with an edit of its text if there is one."""
    text = powers(prime)
    if before:
        found = []

        def read(given, name):
            assert given.count(before) == 1
            found.append(parse(given.replace(before, after), name))
            return found[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lane_powers, "parse", read)
            text = powers(prime)
    return module(library("elements").beside(text), {}, {}, (INVERSION, ROOT))


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
    prime = PRIMES[2]
    with pytest.raises(RoutineError):
        prove_root(made(prime, before, after), prime)


@pytest.mark.parametrize("adicity", PRIMES)
def test_another_power_is_refused(adicity):
    right, wrong = PRIMES[adicity], PRIMES[2 if adicity != 2 else 1]
    with pytest.raises(RoutineError):
        prove_inversion(made(wrong), right)
    with pytest.raises(RoutineError):
        prove_root(made(wrong), right)
