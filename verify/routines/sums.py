"""Contract of sums over places: the sum of 2^at times the odd multiples that digits at each place ask for.

A sum is a loop over places, from the highest down. Before a place either nothing was added, or 2^D times a
point is twice the sum over the places above, for a number D of doublings that are left to do. One iteration
is run for any place, and in it one iteration of each loop over forms, for any form: so the contract holds for
any number of forms and places, by induction. Additions are right for every input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.types import Array
from efdgen.verify.routines.leaves import CONTRACTS
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.blocks import Blocks, types_of, without_comments
from efdgen.verify.symbols.integers import Index, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Routine, Statement

_Contracts: TypeAlias = "Mapping[str, Callable[..., list[Any]]]"
_ADDITIONS = (
    *("add_entry_var", "add_fixed_entry_var", "add_scaled_entry_var"),
    *("chain_add_entry", "chain_add_fixed_entry"),
)
# A sum's variables before its loop; some sums have another one, for doublings alone.
_START = {"sum": tree.Name("IDENTITY"), "started": tree.Number(0), "doublings": tree.Number(0)}


class _Rows(list[Any]):
    """An array with one known item; a read of any other item is an error."""

    def __init__(self, item: object, at: Index, length: int = 1) -> None:
        super().__init__([None] * length)
        self._item, self._at = item, at

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as of every list
        if at != self._at:
            raise RoutineError("another row, or place, than the loop's")
        return self._item


@dataclass(frozen=True)
class _Table:
    """A table of odd multiples, by the forms that read it and its index among theirs."""

    forms: str
    index: Index

    @property
    def first(self) -> Point:
        """The point that its entries are odd multiples of."""
        return multiple(f"{self.forms} {self.index}")


def prove_sum(module: Module, name: str, *, complete: bool) -> None:
    """Prove the contract of a sum; raise :class:`EfdgenError` where it fails.

    ``complete`` says that every formula of an addition is right for all inputs.
    """
    try:
        _Sum(module, module.routines[name], complete=complete).prove()
    except RoutineError as error:
        raise EfdgenError(f"{name} is not proved: {error}") from None


class _Sum:
    """A routine in the shape of a sum, and the steps of the proof of its contract."""

    def __init__(self, module: Module, routine: Routine, *, complete: bool) -> None:
        self._module, self._routine, self._complete = module, routine, complete
        *declared, loop, self._last, end = without_comments(routine.body)
        parts = [each for each in declared if isinstance(each, tree.Declare)]
        started = {each.names[0]: each.value for each in parts if each.value is not None}
        if len(parts) != len(declared) or started != _START:
            raise RoutineError("it does not start with the identity, and without doublings")
        if not isinstance(end, tree.Return) or end.values != (tree.Name("sum"),):
            raise RoutineError("it returns something other than its sum")
        if not isinstance(loop, tree.For) or not loop.down or loop.start != tree.Number(0):
            raise RoutineError("it is no loop over all places, from the highest down")
        if loop.stop != tree.Name("places"):
            raise RoutineError("it does not begin below its number of places")
        self._body, self._place = without_comments(loop.body), loop.name
        self._kinds = types_of(routine)
        self._forms = [name for name in ("digits", "fixed") if name in self._kinds]
        self._chains = "twice" in self._kinds
        # The curve that points and own tables are on; fixed tables are on the curve itself.
        self._curve = "z" if "z" in self._kinds else ""
        self._table = f"{routine.name.removesuffix('_sum_var').upper()}_TABLE"
        constant = module.constants.get(self._table)
        kind = constant.type if constant else None
        self._tables = kind.length if isinstance(kind, Array) and isinstance(kind.length, int) else 0

    def prove(self) -> None:
        """Prove the steps of both inductions."""
        first, *counts, some, last = self._body
        if not isinstance(first, tree.Declare) or (first.names, first.value) != (("left",), tree.Number(0)):
            raise RoutineError("left does not begin with 0")
        if not isinstance(some, tree.If) or some.otherwise:
            raise RoutineError("places without digits are not left out")
        then = without_comments(some.then)
        additions = [each for each in then if isinstance(each, tree.For)]
        before = then[: len(then) - len(additions)]
        if [*before, *additions] != then:
            raise RoutineError("there is something between or after the additions")
        for loop, forms, index in self._loops(counts):
            self._prove_count(loop, forms, index)
        for loop, forms, index in self._loops(additions):
            self._prove_addition(loop, forms, index)
        for started, lowest, digits in product((False, True), repeat=3):
            at = Symbol(self._place, (("==", 0, lowest),))
            self._prove_place((replace(some, then=tuple(before)), last), at, started=started, digits=digits)
        self._prove_end()

    def _loops(self, loops: Sequence[Statement]) -> Iterator[tuple[tree.For, str, Index]]:
        """Yield loops over forms with what they are over: any form, and each one of a fixed table."""
        if len(loops) != len(self._forms):
            raise RoutineError("forms are not counted and added once")
        for loop, forms in zip(loops, self._forms, strict=True):
            length = self._length(forms)
            end = tree.Number(length) if isinstance(length, int) else tree.Name(length)
            if not isinstance(loop, tree.For) or (loop.start, loop.stop) != (tree.Number(0), end):
                raise RoutineError(f"a loop is not over all forms of {forms}")
            fixed = forms == "fixed" and isinstance(length, int)
            for index in range(length) if fixed and isinstance(length, int) else [Symbol("form")]:
                yield loop, forms, index

    def _length(self, forms: str) -> int | str:
        """Return the number of forms: of any, the name of their number."""
        kind = self._kinds[forms]
        assert isinstance(kind, Array)
        return kind.length

    def _given(self, loop: tree.For, forms: str, index: Index, *, some: bool) -> dict[str, Any]:
        """Return the values that a loop over forms reads, in the iteration of one with or without a digit."""
        at, length = Symbol(self._place), self._length(forms)
        rows = length if isinstance(length, int) else 1
        digit = Symbol(f"digit of {forms}", (("!=", 0, some),))
        unread = _Rows(None, Symbol("no form"))
        given = {"entries": [_Table("fixed", index)]}
        return {
            **dict.fromkeys(self._forms, unread),
            forms: _Rows(_Rows(digit, at), index, rows),
            "tables": _Rows([_Table("digits", index)], index, rows),
            **({"made": _Rows(given, index, rows)} if "made" in self._kinds else {}),
            self._place: at,
            loop.name: index,
            **({"z": self._curve} if self._curve else {}),
        }

    def _prove_count(self, loop: tree.For, forms: str, index: Index) -> None:
        """Prove that ``left`` becomes one more for a form with a digit at the place."""
        left = Symbol("left")
        for some in (False, True):
            found = self._run(loop.body, self._given(loop, forms, index, some=some) | {"left": left})
            if found["left"] != left.plus(int(some)):
                raise RoutineError(f"a form of {forms} is counted wrong")

    def _prove_addition(self, loop: tree.For, forms: str, index: Index) -> None:
        """Prove that a form with a digit adds its entry, the last one for doublings alone."""
        contracts = {
            **{name: self._adding(name) for name in _ADDITIONS},
            **{name: self._entry(forms) for name in ("digit_entry_var", "digit_fixed_entry_var")},
            "endomorphism": lambda q: [q.turned()],
        }
        before, stale = multiple("S").on(self._curve), object()
        total = before.plus(self._wanted(forms, index).on(self._curve))
        for some, last in ((False, False), (True, False), (True, True)):
            left = Symbol("left", (("==", 1, last),))
            wanted: dict[str, object] = {"sum": total if some else before}
            if self._chains:
                wanted |= {"twice": stale, "left": left.plus(-int(some))}
                wanted |= {"sum": before, "twice": total} if last else {}
            given = self._given(loop, forms, index, some=some)
            found = self._run(loop.body, given | {"sum": before, "twice": stale, "left": left}, contracts)
            if any(found[name] != value for name, value in wanted.items()):
                raise RoutineError(f"a form of {forms} does not add its entry")

    def _wanted(self, forms: str, index: Index) -> Point:
        """Return the entry that a form asks for: of a table, or of the image of the only fixed one."""
        image = forms == "fixed" and index == self._tables == 1
        return _Table(forms, 0).first.turned() if image else _Table(forms, index).first

    def _entry(self, forms: str) -> Callable[..., list[Any]]:
        def entry(digit: Symbol, table: list[_Table]) -> list[Any]:
            if digit.name != f"digit of {forms}" or not digit.compared("!=", 0):
                raise RoutineError("an entry for another form, or for no digit")
            return [table[0].first.on(self._curve if table[0].forms == "digits" else "")]

        return entry

    def _adding(self, name: str) -> Callable[..., list[Any]]:
        def added(*given: Any) -> list[Any]:  # noqa: ANN401 - points, and the z of a curve
            if CONTRACTS[name].avoids and not self._complete:
                raise RoutineError(f"{name} is not right for every input")
            p, q = given[1:3] if name.startswith("chain_") else given[:2]
            return [p.plus(q.on(given[2]) if name == "add_scaled_entry_var" else q)]

        return added

    def _prove_place(self, block: Block, at: Symbol, *, started: bool, digits: bool) -> None:
        """Prove the step over places, without its additions: the sum is doubled as often as is left to do."""
        pending, stale, left = object(), object(), Symbol("left", ((">", 0, digits),))
        doublings: Index = Symbol("doublings", ((">", 0, True),)) if started else 0
        state = {
            "sum": Point(),
            "twice": stale,
            "started": int(started),
            "doublings": doublings,
            "left": left,
        }
        if started:
            state |= {"sum": stale, "twice": pending} if self._chains else {"sum": pending}
        found = self._run(block, state | {self._place: at}, _doublings(pending, doublings, multiple("W")))
        if digits:
            # One doubling is left for the next place; at the lowest one, no addition is for doublings alone.
            more = at.compared("==", 0) if self._chains else 0
            wanted = {"sum": multiple("W") if started else Point(), "started": 1, "doublings": 1}
            wanted["left"] = left.plus(more)
        else:
            wanted = state | {"doublings": doublings.plus(1) if isinstance(doublings, Symbol) else 0}
        if any(found[name] != value for name, value in wanted.items() if name in self._kinds):
            raise RoutineError("the sum over the places above is not doubled once for a place")

    def _prove_end(self) -> None:
        """Prove that the last doublings give the sum: none, unless places without digits come last."""
        pending, whole, stale = object(), object(), object()
        few, many = (Symbol("doublings", ((">", 1, more),)) for more in (False, True))
        waiting = {"sum": stale, "twice": pending} if self._chains else {"sum": pending}
        for state, wanted in (
            ({"sum": Point(), "twice": stale, "doublings": 0}, Point()),
            ({"sum": whole, "twice": stale, "doublings": few}, whole),
            (waiting | {"doublings": many}, whole),
        ):
            if self._run((self._last,), state, _doublings(pending, many.plus(-1), whole))["sum"] != wanted:
                raise RoutineError("it does not return its sum")

    def _run(
        self, block: Block, values: Mapping[str, Any], contracts: _Contracts | None = None
    ) -> dict[str, Any]:
        """Run some statements of the routine; return what its variables become."""
        given = {name: value for name, value in values.items() if name != "twice" or self._chains}
        tables = {self._table: [[_Table("fixed", at)] for at in range(self._tables)]}
        return Blocks(self._module, self._routine).run(block, given, contracts, tables)


def _doublings(pending: object, times: Index, doubled: object) -> _Contracts:
    """Return contracts of doublings: of one point so often, and of the identity not at all."""

    def found(p: object, asked: Index) -> object:
        if p is pending and asked == times:
            return doubled
        if p == Point() and asked == 0:
            return p
        raise RoutineError("another point, or another number of doublings")

    return {
        "double_times_var": lambda p, asked: [found(p, asked)],
        "double_chain": lambda _, p, asked: [found(p, asked), None],
    }
