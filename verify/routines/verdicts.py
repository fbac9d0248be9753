"""Proof that signatures are accepted exactly where the published equation holds, from numbers and points on.

Numbers are fractions of symbols modulo the order; functions on points have the contracts of lemmas, and
a·G + b·Q that of its own proof. Hashes, and the bytes of keys and signatures, are read before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.protocol_routines import protocol_module, with_routines
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.items import Contracts


@dataclass(frozen=True)
class _Number:
    """A product of powers of symbols modulo the order."""

    powers: frozenset[tuple[str, int]]

    def times(self, other: _Number, sign: int = 1) -> _Number:
        total = Counter(dict(self.powers))
        for name, power in other.powers:
            total[name] += sign * power
        return _Number(frozenset((name, power) for name, power in total.items() if power))


def _symbol(name: str) -> _Number:
    return _Number(frozenset([(name, 1)]))


_ONE = _Number(frozenset())
_NUMBERS: Contracts = {
    "number_mul": lambda a, b: [a.times(b)],
    "number_inv_var": lambda a: [_ONE.times(a, -1)],
}


_EQUATIONS = {
    "ecdsa": "e/s·G + r/s·Q is not the identity and its x-coordinate is r modulo n",
    "eddsa": "s·G - h·A = R",
}


def prove_verdicts(plan: CurvePlan) -> dict[str, str]:
    """Prove verdicts of protocols and return the claims; raise :class:`EfdgenError` where one is wrong."""
    proofs, claims = {"ecdsa": _prove_ecdsa, "eddsa": _prove_eddsa}, {}
    for name in with_routines(plan):
        try:
            proofs[name](protocol_module(plan, name))
        except RoutineError as error:
            raise EfdgenError(f"a verdict of {name} is not proved: {error}") from None
        halves = ", and the sum of half the length that decides it," if name == "eddsa" and plan.half else ""
        claims[f"{name}_verify"] = (
            f"Proved from numbers and points on: a signature is accepted exactly where {_EQUATIONS[name]}. "
            f"What is hashed and read before{halves} is tested."
        )
    return claims


def _bytes(number: object) -> list[tuple[str, object]]:
    """Return the bytes of something, as one that stands for all."""
    return [("bytes", number)]


def _prove_ecdsa(module: Module) -> None:
    """Prove that it is accepted where R is e/s*G + r/s*Q, not the identity, and x(R) is r modulo n."""
    e, r, s = map(_symbol, "ers")

    def multiple(*given: object) -> list[object]:
        wanted = _bytes(e.times(s, -1)), _bytes(r.times(s, -1)), "Q"
        if tuple(map(_frozen, given)) != tuple(map(_frozen, wanted)):
            raise RoutineError("another sum of multiples")
        return ["R"]

    x = _frozen(_bytes("x of R"))
    for same, neutral in product((0, 1), repeat=2):
        contracts: Contracts = {
            **_NUMBERS,
            "number_to_bytes": lambda a: [_bytes(a)],
            "double_multiply_var": multiple,
            "reduced": lambda p: [{"X": f"x of {p}", "Y": f"y of {p}"}],
            "fe_to_bytes": lambda a: [_bytes(a)],
            "number_of_bytes": lambda data: [_frozen(data)],
            "is_identity": lambda p, flag=neutral: [flag if p == "R" else None],
            "number_equal": lambda a, b, flag=same: [flag if {a, b} == {x, r} else None],
        }
        found = Interpreter(module, contracts).call("ecdsa_accepts_var", "Q", e, r, s)
        if found != [same & (1 ^ neutral)]:
            raise RoutineError("ecdsa_accepts_var is another verdict")


def _prove_eddsa(module: Module) -> None:
    """Prove that it is accepted where s*G - h*A = R."""
    for same in (0, 1):

        def equals(*given: object, flag: int = same) -> list[int]:
            wanted = "s", _bytes("h"), "-A", "R"
            if tuple(map(_frozen, given)) != tuple(map(_frozen, wanted)):
                raise RoutineError("another equation")
            return [flag]

        contracts: Contracts = {
            "number_to_bytes": lambda a: [_bytes(a)],
            "negate": lambda p: [f"-{p}"],
            "double_multiply_equals_var": equals,
        }
        if Interpreter(module, contracts).call("eddsa_accepts_var", "s", "h", "A", "R") != [same]:
            raise RoutineError("eddsa_accepts_var is another verdict")


def _frozen(value: Any) -> Any:  # noqa: ANN401 - a value, or copies of some
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
