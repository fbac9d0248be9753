"""Lemmas on arrays of points, for any number of these: what a routine does with one item, whichever that is.

The body of a loop over all items reads and writes those of its number alone; beside them it changes choices
that it adds conditions to, and in sums and products what an induction is about.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.encodings import Sizes, bytes_of, coordinates_of, interpreter, one_of, only
from efdgen.verify.lemmas.later import Choices, now
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Routine, Statement
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover

Contracts: TypeAlias = "Mapping[str, Callable[..., list[Any]]]"

_ANY = Symbol("i")
"""The number of the item."""
_LENGTH = tree.Name("n")
_BITS = (0, 1)
_POINT, _AFFINE, _ENCODING = object(), {"X": object(), "Y": object()}, object()


class Items(list[Any]):
    """An array of which one item is known; an access to any other one is an error."""

    def __init__(self, item: object) -> None:
        super().__init__([item])

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as of every list
        _require_own(at)
        return super().__getitem__(0)

    def __setitem__(self, at: Any, value: Any) -> None:  # noqa: ANN401 - as of every list
        if not isinstance(at, slice):
            _require_own(at)
        super().__setitem__(at if isinstance(at, slice) else 0, value)


def _require_own(at: object) -> None:
    if at != _ANY:
        raise RoutineError("an item that is not the iteration's")


class _Meaning(Choices):
    """Operators on choices for later; the number of the item is a symbol."""

    def public(self, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a choice that a branch depends on, or the symbol."""
        return value if isinstance(value, Symbol) else super().public(value)


def _run(
    module: Module,
    routine: Routine,
    block: Block,
    values: Mapping[str, Any],
    contracts: Contracts,
    constants: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what variables become in statements, by the number of the item."""
    found = Blocks(module, routine).run(block, values, contracts, constants, meaning=_Meaning())
    return {name: now(value[_ANY] if isinstance(value, Items) else value) for name, value in found.items()}


def _loop(statement: Statement, *, down: bool = False) -> tree.For:
    """Return a loop over all items; raise :class:`RoutineError` for any other statement."""
    match statement:
        case tree.For(_, tree.Number(0), stop, found) if stop == _LENGTH and found == down:
            return statement
    raise RoutineError("it is no loop over all items")


def inverted(prover: Prover, name: str) -> None:
    """Prove that all Y become their inverses times the factor, none of which is 0, by induction over loops.

    Before iteration i of the first loop the product is that of the Y before, and before iteration i of the
    second one the inverse is that of the product of the Y up to i, times the factor.
    """
    routine = prover.module.routines[name]
    first, up, *between, down = without_comments(routine.body)
    up, down = _loop(up), _loop(down, down=True)
    if not isinstance(first, tree.Declare) or (first.names, first.value) != (("product",), tree.Name("ONE")):
        raise RoutineError("the product does not begin with 1")

    def follow(run: PointRun) -> str:
        before, own = run.elements.name("x1"), run.elements.name("y1")
        for element in (before, own):
            run.elements.assume(element.numerator)
        factor = run.constants["FACTOR"]

        def step(block: Block, **values: object) -> dict[str, Any]:
            return _run(prover.module, routine, block, values, run.leaves, run.constants)

        found = step(up.body, product=before, r=Items({"Y": own}), **{up.name: _ANY})
        if _differ(run, found, {"product": before * own, "X": before, "Y": own}):
            return "the product is not that of all Y"
        made = Blocks(prover.module, routine).run(
            between, {"product": before}, run.leaves, run.constants, made=["inverse"], meaning=_Meaning()
        )
        if run.nonzero(now(made["inverse"]) * before - factor):
            return "the inverse is not that of the product"
        whole = factor * run.elements.inv(before * own)
        found = step(down.body, inverse=whole, r=Items({"X": before, "Y": own}), **{down.name: _ANY})
        wanted = {"inverse": whole * own, "Y": factor * run.elements.inv(own)}
        return "Y does not become its inverse" if _differ(run, found, wanted) else ""

    prover.every(name, "any Y", follow)


def _differ(run: PointRun, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    values = {**found, **found["r"]}
    return any(run.nonzero(values[name] - value) for name, value in wanted.items())


class _Each:
    """A routine on arrays of one length, in the order of its statements for any one item."""

    def __init__(self, module: Module, name: str) -> None:
        self._module, self._routine = module, module.routines[name]
        self._end: tuple[str, ...] = ()
        self._loops: set[str] = set()
        self._block = tuple(self._straight())

    def _straight(self) -> Iterator[Statement]:
        """Yield the statements, with the bodies of loops over all items in the places of these."""
        for statement in without_comments(self._routine.body):
            match statement:
                case tree.For():
                    loop = _loop(statement)
                    self._require_own_changes(loop)
                    self._loops.add(loop.name)
                    yield from loop.body
                case tree.Return((tree.Name(name),)):
                    self._end = (name,)
                case tree.Declare() | tree.Do():
                    yield statement
                case _:
                    raise RoutineError("a statement that is no loop over all items")

    def _require_own_changes(self, loop: tree.For) -> None:
        """Refuse a loop that changes more than its items, its own variables, and choices by conditions."""
        inner = {name for s in tree.statements(loop.body) for name in getattr(s, "names", ())}
        arrays = {p.name for p in self._routine.parameters}
        outer = {
            name
            for s in self._routine.body
            if isinstance(s, tree.Declare)
            for name in s.names
            if name not in inner
        }
        # What a call gives first in an iteration was not read in it before.
        first = loop.body[0]
        fresh = {tree.root(t) for t in first.targets} if isinstance(first, tree.Receive) else set()
        for statement in tree.statements(loop.body):
            match statement:
                case tree.Assign(tree.Name(name), "&", value) if name in outer:
                    if name in {part.name for part in tree.walk(value) if isinstance(part, tree.Name)}:
                        raise RoutineError(f"{name} is more than a conjunction")
                case tree.Assign(target) if tree.root(target) in outer - arrays:
                    raise RoutineError(f"{tree.root(target)} is changed from item to item")
                case tree.Receive(targets) if not {tree.root(target) for target in targets} <= arrays | fresh:
                    raise RoutineError("a variable is changed from item to item")

    def run(
        self,
        items: Mapping[str, Any],
        contracts: Contracts,
        constants: Mapping[str, Any],
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return what items of arrays become, given those of some, and what is returned for these."""
        arrays = {p.name: Items(items.get(p.name)) for p in self._routine.parameters}
        values = {**arrays, **dict.fromkeys(self._loops, _ANY)}
        found = Blocks(self._module, self._routine).run(
            self._block, values, contracts, constants, made=self._end, meaning=_Meaning()
        )
        return {name: now(found[name][_ANY]) for name in arrays}, [now(found[name]) for name in self._end]


def to_affine(prover: Prover, name: str) -> None:
    """Prove that each point becomes its x and y, or zeros, and that it is told whether all have some."""
    each = _Each(prover.module, name)

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)

        def inverses(r: Items) -> list[Any]:
            divisor = now(r[_ANY]["Y"])
            if not run.nonzero(divisor):
                raise RoutineError("a denominator is 0")
            return [Items({"Y": run.constants["FACTOR"] * run.elements.inv(divisor)})]

        leaves = {**run.leaves, "invert_all": inverses}
        items, finite = each.run({"p": run.value("point", "p", point)}, leaves, run.constants)
        return coordinates_of(run, items["r"], point, finite)

    prover.cases(name, prover.single, follow)


def encoded(prover: Prover, name: str) -> None:
    """Prove that each encoding is that of its point's x and y, and that it is told whether all have one."""
    infinite = prover.plan.representation.infinite
    for every, finite in product(_BITS, _BITS):
        given: tuple[Any, ...] = (_AFFINE, finite) if infinite else (_AFFINE,)
        leaves = {"is_identity": only((_POINT,), [1 ^ finite]), "encode_affine": only(given, [_ENCODING])}
        _written(prover, name, leaves, [every] if infinite else [])


def encoded_pairs(prover: Prover, name: str) -> None:
    """Prove that each pair is that of a point's x and y, and that it is told whether all have some."""
    for every in _BITS:
        told = [every] if prover.plan.representation.infinite else []
        _written(prover, name, {"encode_xy": only((_AFFINE,), [_ENCODING])}, told)


def _written(prover: Prover, name: str, leaves: Contracts, told: list[int]) -> None:
    """Require that a routine writes the encoding of x and y of a point, and returns what it was told."""
    made = {"to_affine_batch": lambda *_: [Items(_AFFINE), *told]}
    items, found = _Each(prover.module, name).run({"p": _POINT}, {**made, **leaves}, {})
    if (items, found) != ({"out": _ENCODING, "scratch": _AFFINE, "p": _POINT}, told):
        raise RoutineError(f"{name} writes something else")


def encoded_xy(prover: Prover, name: str) -> None:
    """Prove that a function returns the bytes of x and y."""
    size = Sizes(prover.module).field
    leaves = {"fe_to_bytes": lambda number: [bytes_of(number, size)]}
    found = interpreter(prover.module, leaves).call(name, {"X": "x", "Y": "y"})
    if found != [[*bytes_of("x", size), *bytes_of("y", size)]]:
        raise RoutineError(f"{name} returns other bytes")


def decoded_xy(prover: Prover, name: str) -> None:
    """Prove that a function returns the point with two coordinates and 1, or zeros and 0 if there is none."""
    size, zeros, point = Sizes(prover.module).field, object(), object()
    numbers = bytes_of("x", size), bytes_of("y", size)
    for x_fits, y_fits, on in product(_BITS, repeat=3):
        x, y, made = object(), object(), point if on else zeros
        leaves: Contracts = {
            "fe_from_bytes": partial(one_of, numbers, ([x, x_fits], [y, y_fits])),
            "point_with": only({"X": x, "Y": y}, [made, on]),
            "point_or_zeros": lambda p, flag: [p if flag else zeros],
        }
        valid = on & x_fits & y_fits
        found = interpreter(prover.module, leaves).call(name, [*numbers[0], *numbers[1]])
        if found != [point if valid else zeros, valid]:
            raise RoutineError(f"{name} takes other bytes for a point")


def decoded_pairs(prover: Prover, name: str) -> None:
    """Prove that each pair becomes its point or zeros, and that it is told whether all have one."""
    for valid in _BITS:
        pair, made = object(), object()
        leaves = {"decode_xy": only(pair, [made, valid])}
        items, told = _Each(prover.module, name).run({"bytes": pair}, leaves, {})
        if (items["r"], told) != (made, [valid]):
            raise RoutineError(f"{name} writes something else")
