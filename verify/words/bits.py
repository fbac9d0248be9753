"""Machine integers as Z3's bit-vectors: a routine is followed once, for all words."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.verify.solver import satisfiable
from efdgen.verify.words.values import DependsOnDataError, Known, exactly

if TYPE_CHECKING:
    from efdgen.verify.words.values import Kind, Raw

Term = Any  # Z3's terms carry no types

# Earlier questions and their answers: turns are the same whatever is around them.
_IMPLIED: dict[str, bool] = {}


class Bits(Known):
    """Bit-vectors. ``obligations`` are what must hold so that nothing overflows that must not."""

    def __init__(self) -> None:
        self.z3 = import_module("z3")
        self.obligations: list[Term] = []

    def constant(self, value: int, kind: Kind) -> Raw:
        """Return an integer that fits its type."""
        return self.z3.BitVecVal(value, kind.bits)

    def binary(self, operator: str, a: Raw, b: Raw, kind: Kind, wraps: bool) -> Raw:
        """Return ``+``, ``-``, ``*``, ``&``, ``|`` or ``^`` of two integers of one type."""
        if not wraps and operator in "+-*":
            more = 1 if operator != "*" else kind.bits
            extend = self.z3.SignExt if kind.signed else self.z3.ZeroExt
            exact = exactly(operator, extend(more, a), extend(more, b))
            low = self.z3.Extract(kind.bits - 1, 0, exact)
            self.obligations.append(exact == extend(more, low))
        return exactly(operator, a, b)

    def shift(self, operator: str, a: Raw, amount: Raw, kind: Kind) -> Raw:
        """Return an integer shifted to the left, bits lost, or to the right, by its sign if it has one."""
        if not isinstance(amount, int):
            amount = self._resized(amount, kind.bits)
            self.obligations.append(self.z3.ULT(amount, kind.bits))
        if operator == "<<":
            return a << amount
        return a >> amount if kind.signed else self.z3.LShR(a, amount)

    def _resized(self, a: Raw, bits: int) -> Raw:
        extended = self.z3.ZeroExt(max(0, bits - a.size()), a)
        return self.z3.Extract(bits - 1, 0, extended)

    def convert(self, a: Raw, source: Kind, target: Kind) -> Raw:
        """Return what is congruent in another type."""
        if target.bits <= source.bits:
            return self.z3.Extract(target.bits - 1, 0, a)
        extend = self.z3.SignExt if source.signed else self.z3.ZeroExt
        return extend(target.bits - source.bits, a)

    def plain(self, a: Raw) -> int:
        """Return an integer that all data agree on, or raise :class:`DependsOnDataError`."""
        known = self.z3.simplify(a)
        if not self.z3.is_bv_value(known):
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return int(known.as_signed_long())

    def implied(self, question: str, claim: Term, *premises: Term) -> bool:
        """Return whether a claim follows from premises, for all words; ``question`` says it in words."""
        solver = self.z3.Solver()
        solver.add(*premises, self.z3.Not(claim))
        text = solver.sexpr()
        if text not in _IMPLIED:
            _IMPLIED[text] = not satisfiable(solver, question)
        return _IMPLIED[text]
