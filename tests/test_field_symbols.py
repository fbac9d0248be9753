"""Jacobi's symbol from divsteps: proved, held against numbers, and refused where wrong."""

import gmpy2
import pytest

from efdgen.verify.fields import symbols
from efdgen.verify.verdicts import Refuted


def test_what_steps_tell_is_the_symbol():
    symbols.prove_symbol()


def step(f: int, g: int, swaps: bool) -> tuple[int, int]:
    return (g, (g - f) // 2) if swaps else (f, (g + g % 2 * f) // 2)


def test_each_case_of_a_step_is_as_the_symbol_of_numbers_says():
    numbers = range(-45, 46)
    seen = set()
    for f in numbers[::2]:
        for g in numbers:
            for swaps in (False, True)[: 1 + g % 2]:
                after = step(f, g, swaps)
                if g == 0 or gmpy2.gcd(f, g) != 1:
                    continue
                signs = [1 if f > 0 else -1, 1 if g > 0 else -1]
                symbol, other = gmpy2.jacobi(g, abs(f)), gmpy2.jacobi(after[1], abs(after[0]))
                case = f % 8, g % 8, signs, swaps
                turned = swaps and f > 0 > g
                assert symbol * other == (-1) ** symbols._lawful(*case), case
                assert symbol * other == (-1) ** symbols._told(*case), case
                seen.add((f % 8, g % 8, *signs, swaps, turned))
    assert len(seen) == 4 * 8 * 4 + 4 * 4 * 4


WRONG = [
    ("exchanged", lambda f, g: (f & 3 == 3, g & 3 == 3), "Jacobi's symbol as it is told"),
    ("exchanged", lambda f, g: (f & 3 == 1,), "Jacobi's symbol as it is told"),
    ("halved", lambda f: f, "Jacobi's symbol as it is told"),
    ("halved", lambda f: f >> 1, "Jacobi's symbol as it is told"),
    ("ROUNDED", 0, "every other change"),
    ("ROUNDED", 2, "every other change"),
    ("AHEAD", 2, "f is known modulo 8"),
]


@pytest.mark.parametrize(("name", "wrong", "text"), WRONG)
def test_what_tells_something_else_is_refuted(name, wrong, text, monkeypatch):
    monkeypatch.setattr(symbols, name, wrong)
    with pytest.raises(Refuted, match=text):
        symbols.prove_symbol.__wrapped__()


def test_vectors_must_turn_the_right_way_for_their_signs_to_follow():
    assert symbols.signs_follow_each_other()
    assert not symbols.signs_follow_each_other(-1)
