"""Proof of formulas on many points with one inversion, for any number, by induction over both loops.

Before a point the product is that of what is inverted before it, without zeros; after it, backwards, the
inverse is that of this product. The kernel of one point has a proof of its own.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.kernels.batches import PART, ROUTINE
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.algebra import Ratio, RationalFunctions
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol
from efdgen.verify.symbols.items import ANY, Items, loop_over

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.printed import BatchText
    from efdgen.generator.routines.tree import Statement
    from efdgen.verify.symbols.items import Contracts

_BITS = 0, 1
_WRITTEN = "the outputs"


def prove_formula_batch(text: BatchText) -> None:
    """Prove what a batch writes and returns; raise :class:`RoutineError` where it is something else."""
    every, start, up, inverse, down, end = without_comments(text.module.routines[ROUTINE].body)
    declared = [(s.names, s.value) for s in (every, start, inverse) if isinstance(s, tree.Declare)]
    inverted = tree.Call("fe_inv", (tree.Name("product"),))
    if declared != [
        (("every",), tree.Number(1)),
        (("product",), tree.Name("ONE")),
        (("inverse",), inverted),
    ]:
        raise RoutineError("it does not begin with 1, or inverts something else")
    if end != tree.Return((tree.Name("every"),)):
        raise RoutineError("it returns something else")
    for zero, first, told in product(_BITS, repeat=3):
        _Turn(text, zero, first).follow(up, down, told)


class _Turn:
    """A turn of both loops for a point, the first or a later one, with an inverse or 0."""

    def __init__(self, text: BatchText, zero: int, first: int) -> None:
        self._module, self._zero, self._first = text.module, zero, first
        self._routine, self._held = text.module.routines[ROUTINE], text.held
        self._field = RationalFunctions("bz", binary=False)
        self._one, self._none = (self._field.constant(Fraction(number)) for number in (1, 0))
        self._own = self._field.name("z")
        self._before = self._one if first else self._field.name("b")
        self._factor = self._one if zero else self._own
        self._index = Symbol(ANY.name, (("==", 0, bool(first)), (">", 0, not first)))
        self._point: dict[str, object] = {
            **dict.fromkeys(text.module.members["input"]),
            text.inverted: self._own,
        }

    def follow(self, up: Statement, down: Statement, told: int) -> None:
        """Follow a turn forwards and one backwards, after turns that ``told`` whether none was 0."""
        found = self._run(up, {"every": told, "product": self._before}, {})
        self._require(found["product"], self._before * self._factor)
        self._require(found["p3"][ANY].get(self._held), self._before)
        if found["every"] != told & (1 ^ self._zero):
            raise RoutineError("it is not whether none is 0")
        whole = self._field.inv(self._before * self._factor)
        found = self._run(down, {"every": told, "inverse": whole}, {self._held: self._before}, down=True)
        if not self._first:
            self._require(found["inverse"], self._field.inv(self._before))
        if found["p3"][ANY] != _WRITTEN or found["every"] != told:
            raise RoutineError("a point is not written, or every is changed")

    def _require(self, found: Any, wanted: Ratio) -> None:  # noqa: ANN401 - what a routine made
        if not isinstance(found, Ratio) or (found - wanted).numerator != 0:
            raise RoutineError("another product or inverse is carried")

    def _part(self, point: Mapping[str, Any], held: Mapping[str, Any]) -> list[str]:
        """Require the inverse of a point in its output, 0 for none."""
        self._require(held[self._held], self._none if self._zero else self._field.inv(self._own))
        if point != self._point:
            raise RoutineError("the outputs for another point")
        return [_WRITTEN]

    def _run(
        self, loop: Statement, values: Mapping[str, Any], held: Mapping[str, Any], *, down: bool = False
    ) -> dict[str, Any]:
        turns = loop_over(self._routine, loop, down=down)
        contracts: Contracts = {
            "fe_mul": lambda a, b: [a * b],
            "fe_is_zero": lambda a: [self._zero if a is self._own else None],
            "fe_select": lambda a, b, flag: [a if flag else b],
            PART: self._part,
        }
        given = {**values, "p3": Items([dict(held)]), "p1": Items([self._point]), turns.name: self._index}
        constants = {"ONE": self._one, "ZERO": self._none}
        return Blocks(self._module, self._routine).run(turns.body, given, contracts, constants)
