"""Proof of square roots for a prime: a root is found whenever there is one.

The emitted code squares and compares each root, so that it returns nothing else. The proof that a root is
found for every square x has these steps, with p - 1 = 2^s·q, q odd, and ζ of order 2^s:

- the chain makes t = x^((q-1)/2): its exponents, in integers;
- b = x·t² = x^q lies in the group of ζ², whose order is 2^(s-1): it is ζ^e, e even, for a square; for what is
  none, e is odd, x/ζ is a square, and y = t·ζ and b = x/ζ·y² take the places of t and x·t²;
- turn i keeps x·y² = b and c = b^(2^left), and where 2^(i+1) divides e, leaves an e that 2^(i+2) divides (Z3,
  on exponents);
- so that e = 0 and x·y² = 1 after the last.

If s = 1, the power (p + 1)/4 of a square x is a root: its square is x^((p-1)/2)·x = x.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import is_prime
from efdgen.verify.solver import satisfiable
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.chains import Chain
    from efdgen.generator.fields.root_steps import RootSteps, Turn


def prove_root_steps(steps: RootSteps) -> tuple[str, ...]:
    """Return what is proved of how roots are found, a sentence each; raises :class:`Refuted`."""
    p, twos = steps.prime, steps.adicity
    odd, rest = divmod(p - 1, 1 << twos)
    claims = (
        (is_prime(p) and rest == 0 and odd % 2 == 1, "p is a prime and p - 1 = 2^s·q, q odd"),
        (_makes(steps.chain, (odd - 1) // 2, p - 1), "the chain makes the power (q - 1)/2"),
        (pow(steps.unity, 1 << twos - 1, p) == p - 1, "the root of unity has order 2^s"),
        (_turns_lead_to_one(steps.turns, twos), "turns lead to a root"),
        (_leads_to_root(steps), "the power of a square is its root"),
    )
    for holds, text in claims:
        if not holds:
            raise Refuted(f"fails: {text}")
    return tuple(text for _, text in claims)


def _makes(chain: Chain, exponent: int, order: int) -> bool:
    """Return whether a chain makes a power, for all elements of a group of an order, and 0 of 0."""
    powers = [1]
    for left, squarings, right in chain.steps:
        powers.append((powers[left] << squarings) + (0 if right is None else powers[right]))
    return powers[-1] % order == exponent % order and powers[-1] > 0


def _leads_to_root(steps: RootSteps) -> bool:
    """Return whether the direct power, if there is one, is (p + 1)/4, and s = 1."""
    if steps.direct is None:
        return True
    return steps.adicity == 1 and _makes(steps.direct, (steps.prime + 1) // 4, steps.prime - 1)


def _turns_lead_to_one(turns: Sequence[Turn], twos: int) -> bool:
    """Follow the exponents of b, of c and of what multiplies y, as bit-vectors of s bits."""
    if not turns:
        return twos == 1
    z3 = import_module("z3")
    e = z3.BitVec("e", twos)
    for number, turn in enumerate(turns):
        z, cleared = 1 << number, (2 << number) - 1  # the exponents of what multiplies y, and the bits of b's
        f = e << turn.left
        done = f << turn.order - 1 == 0
        after, f_after = (
            z3.If(done, old, old + factor) for old, factor in ((e, 2 * z), (f, 1 << twos - turn.order))
        )
        multiplied = z3.If(done, z3.BitVecVal(0, twos), z3.BitVecVal(z, twos))
        kept = z3.And(after == e + 2 * multiplied, f_after == after << turn.left)
        solver = z3.SolverFor("QF_BV")
        solver.add(e & cleared == 0, z3.Not(z3.And(kept, after & (2 * cleared + 1) == 0)))
        if satisfiable(solver, f"turn {number + 1} of {twos - 1} leads to a root"):
            return False
    return len(turns) == twos - 1
