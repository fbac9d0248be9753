"""Proof of inverses and roots that are powers, for every element: as exponents of a generator of the group.

An element other than 0 is a product of powers of u, of v and of the generator; a comparison is decided where
both sides depend only on the exponent of u*v modulo 2^s, and all its residues are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.root_steps import two_adicity
from efdgen.generator.planning.lane_powers import INVERSION, ROOT, UNITY
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.routines.module import Module

    Leaves = dict[str, Callable[..., list[Any]]]


def prove_inversion(module: Module, prime: int) -> None:
    """Prove that the inversion is a power to p - 2: squares double an exponent, and products add two."""
    if INVERSION not in module.routines:
        return
    exponents: Leaves = {"fe_sqr": lambda a: [2 * a], "fe_mul": lambda a, b: [a + b]}
    if Interpreter(module, exponents).call(INVERSION, 1) != [prime - 2]:
        raise RoutineError(f"{INVERSION} is another power than p - 2")


def prove_root(module: Module, prime: int) -> None:
    """Prove that the function returns a root of u/v and 1 if u/v is a square, and 0 and 0 otherwise."""
    if ROOT not in module.routines:
        return
    for case in range(1 << two_adicity(prime)):
        _Case(prime, case).prove(module)
    if _Case(prime, 0).found(module, _ZERO, _V) != [_ZERO, 1]:
        raise RoutineError(f"{ROOT} returns another root of 0")


@dataclass(frozen=True)
class _Power:
    """u^``u`` * v^``v`` * g^``number`` for a generator g of the group."""

    u: int = 0
    v: int = 0
    number: int = 0


_ZERO = _Power(-1, -1, -1)
"""The element 0, which is no power."""

_U, _V = _Power(u=1), _Power(v=1)


@dataclass(frozen=True)
class _Case:
    """Elements u and v: u*v is a power of a generator, whose exponent is ``rest`` modulo 2^s."""

    prime: int
    rest: int

    def prove(self, module: Module) -> None:
        """Raise :class:`RoutineError` where the function returns something else."""
        root, found = self.found(module, _U, _V)
        if found != int(self.rest % 2 == 0):
            raise RoutineError(f"{ROOT} returns {found} where u*v is a power with {self.rest} modulo 2^s")
        wanted = self._equal(self._product(self._product(root, root), _V), _U) if found else root is _ZERO
        if not wanted:
            raise RoutineError(f"{ROOT} returns another root")

    def found(self, module: Module, u: _Power, v: _Power) -> list[Any]:
        """Return what the function returns."""
        half = (self.prime - 1) >> two_adicity(self.prime)
        leaves: Leaves = {
            "fe_sqr": lambda a: [self._product(a, a)],
            "fe_mul": lambda a, b: [self._product(a, b)],
            "fe_equal": lambda a, b: [int(self._equal(a, b))],
            "fe_select": lambda a, b, flag: [a if flag else b],
        }
        constants = {"ZERO": _ZERO, "ONE": _Power(), UNITY: _Power(number=half)}
        return Interpreter(module, leaves, constants=constants).call(ROOT, u, v)

    def _product(self, a: _Power, b: _Power) -> _Power:
        if a is _ZERO or b is _ZERO:
            return _ZERO
        order = self.prime - 1
        return _Power((a.u + b.u) % order, (a.v + b.v) % order, (a.number + b.number) % order)

    def _equal(self, a: _Power, b: _Power) -> bool:
        """Return whether elements are equal, for all u and v of the case; raises where only for some."""
        if a is _ZERO or b is _ZERO:
            return a is b
        order, odd = self.prime - 1, (self.prime - 1) >> two_adicity(self.prime)
        u, v, number = (
            (left - right) % order for left, right in ((a.u, b.u), (a.v, b.v), (a.number, b.number))
        )
        if u == v and u % odd == 0:
            return (u * self.rest + number) % order == 0
        # A product of squares and of an odd power of u*v, which is no square here.
        if self.rest % 2 == 1 and u % 2 == v % 2 == 1 and number % 2 == 0:
            return False
        raise RoutineError(f"{ROOT} compares what is not known")
