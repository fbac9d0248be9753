"""Contract of sums over places: the sum of 2^at times the odd multiples that digits at each place ask for.

A sum is a loop over places, from the highest down. Before a place either nothing was added, or 2^D times a
point is twice the sum over the places above, for a number D of doublings that are left to do. One iteration
is run for any place, and in it one iteration of each loop over forms, for any form: so the contract holds for
any number of forms and places, by induction. Additions are those that are right for every input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import INT, Array
from efdgen.verify.routines.leaves import CONTRACTS
from efdgen.verify.routines.points import Point, multiple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Routine, Statement
    from efdgen.generator.routines.types import Type

_Contracts: TypeAlias = "Mapping[str, Callable[..., list[Any]]]"
_ADDING = (
    *("add_entry_var", "add_fixed_entry_var", "add_scaled_entry_var"),
    *("chain_add_entry", "chain_add_fixed_entry"),
)


@dataclass(frozen=True)
class Symbol:
    """An integer that is known by its name and an offset; ``facts`` are comparisons with numbers."""

    name: str
    facts: tuple[tuple[str, int, bool], ...] = ()
    offset: int = 0

    def plus(self, number: int) -> Symbol:
        """Return the sum with a number."""
        return replace(self, offset=self.offset + number)

    def compared(self, operator: str, number: int) -> int:
        """Return whether it compares so with a number; raises :class:`RoutineError` where that is open."""
        for known, other, holds in self.facts:
            if (known, other) == (operator, number - self.offset):
                return int(holds)
        raise RoutineError(f"{self.name} {operator} {number} is not known")

    def __ge__(self, other: int) -> bool:
        """Return whether an index is not negative, which is known of places and forms."""
        return other == 0 and self.offset == 0

    def __lt__(self, other: int) -> bool:
        """Return whether an index is within its array, which is known of places and forms."""
        return self.offset == 0


class _Symbols(Integers):
    """Operators on integers, some of which are symbols."""

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the value of an operator."""
        if isinstance(left, Symbol) and isinstance(right, int):
            if operator in ("+", "-"):
                return left.plus(right if operator == "+" else -right)
            return left.compared(operator, right)
        if isinstance(left, Symbol) or isinstance(right, Symbol):
            raise RoutineError(f"{operator} of symbols")
        return super().binary(operator, kind, left, right)

    def public(self, value: Any) -> Any:  # noqa: ANN401 - an integer or a symbol
        """Return an integer, or a symbol, which indexes forms and digits."""
        return value if isinstance(value, Symbol) else super().public(value)


class _Rows(list[Any]):
    """Rows of digits or of entries, of which only one is read."""

    def __init__(self, item: Any, at: Any, length: int = 1) -> None:  # noqa: ANN401 - a row, and its index
        super().__init__([None] * length)
        self._item, self._at = item, at

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - of a list
        if at != self._at:
            raise RoutineError("another row, or place, than the loop's")
        return self._item


@dataclass(frozen=True)
class _Row:
    """A table of odd multiples, by its forms and its index among theirs."""

    stream: str
    index: Any

    @property
    def base(self) -> str:
        """The name of the point that its entries are odd multiples of."""
        return f"{self.stream} {self.index}"


@dataclass(frozen=True)
class _Way:
    """A case of an iteration over places: ``started`` before it, its first place, a digit that is not 0."""

    started: bool
    first: bool
    some: bool


def prove_sum(module: Module, name: str, *, complete: bool) -> None:
    """Prove the contract of a sum; raise :class:`EfdgenError` where it fails.

    ``complete`` says that every formula of an addition is right for all inputs.
    """
    try:
        _Sum(module, module.routines[name], complete=complete).prove()
    except RoutineError as error:
        raise EfdgenError(f"{name} is not proved: {error}") from None


class _Sum:
    def __init__(self, module: Module, routine: Routine, *, complete: bool) -> None:
        self._module, self._routine, self._complete = module, routine, complete
        *declared, self._loop, self._last, end = _statements(routine.body)
        self._declared = [statement for statement in declared if isinstance(statement, tree.Declare)]
        started = [(each.names[0], each.value) for each in self._declared if each.value is not None]
        known = ("sum", tree.Name("IDENTITY")), ("started", tree.Number(0)), ("doublings", tree.Number(0))
        if len(self._declared) != len(declared) or started != list(known):
            raise RoutineError("it does not start with the identity, and without doublings")
        if not isinstance(end, tree.Return) or end.values != (tree.Name("sum"),):
            raise RoutineError("it returns something other than its sum")
        loop = self._loop
        if not isinstance(loop, tree.For) or not loop.down or loop.start != tree.Number(0):
            raise RoutineError("it is no loop over all places, from the highest down")
        if loop.stop != tree.Name("places"):
            raise RoutineError("it does not begin below its number of places")
        self._place = loop.name
        # The curve of points, which own tables are on, but not fixed ones.
        self._curve = "z" if self._parameter("z") else ""
        self._table = f"{routine.name.removesuffix('_sum_var').upper()}_TABLE"
        kind = module.constants[self._table].type if self._table in module.constants else None
        self._fixed_rows = kind.length if isinstance(kind, Array) and isinstance(kind.length, int) else 0
        self._chains = any(each.names == ("twice",) for each in self._declared)
        self._kinds = {
            name: kind for each in self._declared for name, kind in zip(each.names, each.types, strict=True)
        }

    def prove(self) -> None:
        """Prove the steps of both inductions."""
        first, *counts, some, last = _statements(self._loop.body)  # type: ignore[attr-defined]
        if not (
            isinstance(first, tree.Declare) and (first.names, first.value) == (("left",), tree.Number(0))
        ):
            raise RoutineError("left does not begin with 0")
        streams = ["digits", *(["fixed"] if self._parameter("fixed") else [])]
        self._prove_counts(counts, streams)
        if not isinstance(some, tree.If) or some.otherwise:
            raise RoutineError("places without digits are not left out")
        then = _statements(some.then)
        loops = [each for each in then if isinstance(each, tree.For)]
        before = tuple(each for each in then if not isinstance(each, tree.For))
        if [*before, *loops] != then:
            raise RoutineError("there is something between or after the additions")
        self._prove_additions(loops, streams)
        ways = [_Way(a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)]
        for way in ways:
            self._prove_place(way, replace(some, then=before), last)
        self._prove_end()

    def _parameter(self, name: str) -> tree.Parameter | None:
        return next((each for each in self._routine.parameters if each.name == name), None)

    def _length(self, name: str) -> int | str:
        """Return the number of forms: of any, the name of their number."""
        parameter = self._parameter(name)
        assert parameter is not None and isinstance(parameter.type, Array)
        return parameter.type.length

    def _prove_counts(self, loops: Sequence[Statement], streams: Sequence[str]) -> None:
        """Prove that ``left`` becomes the number of forms with a digit at the place."""
        if len(loops) != len(streams):
            raise RoutineError("forms are not counted once")
        for loop, stream in zip(loops, streams, strict=True):
            for index in self._turns(loop, stream):
                for some in (False, True):
                    given = self._given(stream, index, some)
                    left = Symbol("left")
                    assert isinstance(loop, tree.For)
                    (found,) = self._run(loop.body, {**given, loop.name: index}, {"left": (INT, left)}, {})
                    if found != left.plus(int(some)):
                        raise RoutineError(f"a form of {stream} is counted wrong")

    def _turns(self, loop: Statement, stream: str) -> list[Any]:
        """Return the indices of forms for which a loop is followed: each one of a table's, or any."""
        length = self._length(stream)
        wanted = tree.Number(length) if isinstance(length, int) else tree.Name(length)
        if not isinstance(loop, tree.For) or (loop.start, loop.stop) != (tree.Number(0), wanted):
            raise RoutineError(f"a loop is not over all forms of {stream}")
        return [*range(length)] if stream == "fixed" and isinstance(length, int) else [Symbol("form")]

    def _given(self, stream: str, index: Any, some: bool) -> dict[str, Any]:  # noqa: ANN401 - any index
        """Return the arrays of a sum, of which one row is known, with or without a digit at the place."""
        at = Symbol(self._place)
        digit = Symbol(f"digit of {stream}", (("!=", 0, some),))
        rows = {
            name: _Rows(_Rows(digit, at), index, self._rows(name)) if name == stream else []
            for name in ("digits", "fixed")
            if self._parameter(name)
        }
        return {
            **rows,
            "tables": _Rows([_Row("digits", index)], index, self._rows("digits")),
            self._place: at,
        }

    def _rows(self, name: str) -> int:
        length = self._length(name)
        return length if isinstance(length, int) else 1

    def _prove_additions(self, loops: Sequence[Statement], streams: Sequence[str]) -> None:
        """Prove that each form adds its entry where it has a digit, the last one for doublings alone."""
        if len(loops) != len(streams):
            raise RoutineError("forms are not added once")
        for loop, stream in zip(loops, streams, strict=True):
            for index in self._turns(loop, stream):
                for some, last in ((False, False), (True, False), (True, True)):
                    self._prove_addition(loop, stream, index, some=some, last=last)

    def _prove_addition(self, loop: Statement, stream: str, index: Any, *, some: bool, last: bool) -> None:  # noqa: ANN401
        assert isinstance(loop, tree.For)
        entry = self._form(stream, index).on(self._curve)
        left = Symbol("left", (("==", 1, last),))
        before, stale = multiple("S").on(self._curve), object()
        state: dict[str, tuple[Type, Any]] = {"sum": (self._kinds["sum"], before)}
        if self._chains:
            state |= {"twice": (self._kinds["twice"], stale), "left": (INT, left)}
        contracts = {
            **{name: self._adding(name) for name in _ADDING},
            **{name: self._entry(stream) for name in ("digit_entry_var", "digit_fixed_entry_var")},
            "endomorphism": lambda q: [q.turned()],
        }
        given = {**self._given(stream, index, some), loop.name: index}
        if self._curve:
            given["z"] = self._curve
        found = self._run(loop.body, given, state, contracts)
        total = before.plus(entry) if some else before
        if self._chains and some and last:
            wanted = [before, total, left.plus(-1)]
        elif self._chains:
            wanted = [total, stale, left.plus(-int(some))]
        else:
            wanted = [total]
        if found != wanted:
            raise RoutineError(f"a form of {stream} does not add its entry")

    def _form(self, stream: str, index: Any) -> Point:  # noqa: ANN401 - a number or any index
        """Return what a digit of a form asks for; with one fixed table, the second form is of its image."""
        if stream == "fixed" and index == self._fixed_rows == 1:
            return multiple(_Row(stream, 0).base).turned()
        return multiple(_Row(stream, index).base)

    def _entry(self, stream: str) -> Callable[..., list[Any]]:
        def entry(digit: Symbol, table: list[_Row]) -> list[Any]:
            if digit.name != f"digit of {stream}" or not digit.compared("!=", 0):
                raise RoutineError("an entry for another form, or for no digit")
            return [multiple(table[0].base).on(self._curve if stream == "digits" else "")]

        return entry

    def _adding(self, name: str) -> Callable[..., list[Any]]:
        def added(*given: Any) -> list[Any]:  # noqa: ANN401 - points, and a z
            if CONTRACTS[name].avoids and not self._complete:
                raise RoutineError(f"{name} is not right for every input")
            p, q = given[1:3] if name.startswith("chain_") else given[:2]
            return [p.plus(q.on(given[2]) if name == "add_scaled_entry_var" else q)]

        return added

    def _prove_place(self, way: _Way, some: Statement, last: Statement) -> None:
        """Prove that a place keeps what is known before each."""
        sum_before: Any = Point()
        twice: Any = None
        doublings: Any = 0
        pending = object()
        if way.started:
            doublings = Symbol("doublings", ((">", 0, True),))
            sum_before, twice = (object(), pending) if self._chains else (pending, None)
        left = Symbol("left", ((">", 0, way.some),))
        at = Symbol(self._place, (("==", 0, way.first),))
        after: list[Any] = []

        def doubled(p: object, times: Any) -> Any:  # noqa: ANN401 - a number or a symbol
            if p is pending and times == doublings and way.started:
                return multiple("W")
            if p == Point() and times == 0:
                return p
            raise RoutineError("another point, or another number of doublings")

        def chained(_: object, p: object, times: Any) -> list[Any]:  # noqa: ANN401 - a number or a symbol
            return [doubled(p, times), None]

        contracts: _Contracts = {
            "double_times_var": lambda p, times: [doubled(p, times)],
            "double_chain": chained,
        }
        state = {
            "sum": (self._kinds["sum"], sum_before),
            **({"twice": (self._kinds["twice"], twice)} if self._chains else {}),
            "started": (INT, int(way.started)),
            "doublings": (INT, doublings),
            "left": (INT, left),
        }
        after = self._run((some, last), {self._place: at}, state, contracts)
        values = dict(zip(state, after, strict=True))
        start = multiple("W") if way.started else Point()
        if not way.some:
            wanted = {**{name: value for name, (_, value) in state.items()}}
            wanted["doublings"] = doublings.plus(1) if way.started else 0
        else:
            # What is added to, how many additions are left, and one doubling for the next place.
            wanted = {"sum": start, "started": 1, "doublings": 1}
            wanted["left"] = left.plus(int(way.first)) if self._chains else left
        if any(values[name] != value for name, value in wanted.items()):
            raise RoutineError(f"a place is not as it should be, for {way}")

    def _prove_end(self) -> None:
        """Prove that the doublings that are left after the last place but one give the sum."""
        for more in (False, True):
            doublings = Symbol("doublings", ((">", 1, more),))
            pending, whole = object(), object()

            def doubled(p: object, times: Any) -> list[Any]:  # noqa: ANN401 - a number or a symbol
                if p is not pending or times != doublings.plus(-1):  # noqa: B023 - called in this turn
                    raise RoutineError("the last doublings are of another point, or another number")
                return [whole]  # noqa: B023

            contracts: _Contracts = {
                "double_times_var": doubled,
                "double_chain": lambda _, p, times: [*doubled(p, times), None],
            }
            # After an addition at the first place the sum is whole, and one doubling is left.
            own = whole if not more else object() if self._chains else pending
            state = {
                "sum": (self._kinds["sum"], own),
                **({"twice": (self._kinds["twice"], pending)} if self._chains else {}),
                "doublings": (INT, doublings),
            }
            if self._run((self._last,), {}, state, contracts)[0] is not whole:
                raise RoutineError("it does not return its sum")
        (kept,) = self._run(
            (self._last,),
            {},
            {"sum": (self._kinds["sum"], Point()), "doublings": (INT, 0)},
            {},
            also={"twice": (self._kinds["twice"], None)} if self._chains else {},
        )[:1]
        if kept != Point():
            raise RoutineError("without digits it is not the identity")

    def _run(
        self,
        block: Block,
        given: Mapping[str, Any],
        state: Mapping[str, tuple[Type, Any]],
        contracts: Mapping[str, Callable[..., list[Any]]],
        also: Mapping[str, tuple[Type, Any]] | None = None,
    ) -> list[Any]:
        """Run some statements of the routine on values; return what variables of its state become."""
        kinds = {each.name: each.type for each in self._routine.parameters}
        state = {**state, **(also or {})}
        parameters = [_changed(name, kind) for name, (kind, _) in state.items()]
        parameters += [_changed(name, kinds.get(name) or INT) for name in given]
        own = replace(self._routine, parameters=tuple(parameters), results=(), body=tuple(block))
        module = replace(self._module, routines={**self._module.routines, own.name: own})
        tables = {self._table: [[_Row("fixed", at)] for at in range(self._fixed_rows)]}
        run = Interpreter(module, contracts, tables, _Symbols())
        changed, _ = run.run(own.name, *(value for _, value in state.values()), *given.values())
        return changed[: len(state)]


def _statements(block: Block) -> list[Statement]:
    """Return statements without comments."""
    return [statement for statement in block if not isinstance(statement, tree.Comment)]


def _changed(name: str, kind: Type | None) -> tree.Parameter:
    return tree.Parameter(name, tree.TypeName(""), "inout", type=kind)
