"""Lemmas on arrays of points, for any number of these: what a routine does with one, whichever that is."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.encodings import Sizes, bytes_of, coordinates_of, interpreter, one_of, only
from efdgen.verify.lemmas.later import Choices, now
from efdgen.verify.lemmas.prover import SCALE
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol
from efdgen.verify.symbols.items import ANY, Each, Items, loop_over

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.routines.tree import Statement
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Value
    from efdgen.verify.symbols.items import Contracts

_BITS = (0, 1)
_POINT, _AFFINE, _ENCODING = object(), {"X": object(), "Y": object()}, object()


class _Meaning(Choices):
    """Operators on choices for later; the number of the item is a symbol."""

    def public(self, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a choice that a branch depends on, or the symbol."""
        return value if isinstance(value, Symbol) else super().public(value)


def inverted(prover: Prover, name: str) -> None:
    """Prove the inverse of the product of all denominators, each other than 0.

    By induction: before point i the product is that of the denominators before it.
    """
    routine = prover.module.routines[name]
    first, up, *between, end = without_comments(routine.body)
    loop = loop_over(routine, up)
    if not isinstance(first, tree.Declare) or (first.names, first.value) != (("product",), tree.Name("ONE")):
        raise RoutineError("the product does not begin with 1")
    if end != tree.Return((tree.Name("inverse"),)):
        raise RoutineError("it returns something other than the inverse")

    def follow(run: PointRun, case: Case) -> str:
        value, before = _point(run, case)
        (own,) = run.call("finite_denominator", value)
        if not run.nonzero(own):
            return "a denominator is 0"
        state = {"product": before, "r": Items([None]), "p": Items([value]), loop.name: ANY}
        found = _steps(prover, name, run, loop.body, state)
        item = found["r"][ANY]
        if run.nonzero(now(found["product"]) - before * own):
            return "the product is not that of all denominators"
        if run.nonzero(now(item["X"]) - before) or run.nonzero(now(item["Y"]) - own):
            return "X is not the product before, or Y not the denominator"
        found = _steps(prover, name, run, between, {"product": before}, ["inverse"])
        left = now(found["inverse"]) * before - run.constants["FACTOR"]
        return "the inverse is not that of the product" if run.nonzero(left) else ""

    prover.cases(name, prover.single, follow)


def _point(run: PointRun, case: Case) -> tuple[Value, Ratio]:
    """Return members of a point, and an element that is not 0."""
    (point,), _ = case.make(run.curve)
    other = run.elements.name(SCALE)
    run.elements.assume(other.numerator)
    return run.value("point", "p", point), other


def _steps(
    prover: Prover,
    name: str,
    run: PointRun,
    block: Iterable[Statement],
    values: Mapping[str, Any],
    made: Iterable[str] = (),
) -> dict[str, Any]:
    """Return what variables become in some statements of a routine."""
    blocks = Blocks(prover.module, prover.module.routines[name])
    return blocks.run(block, values, run.leaves, run.constants, made, _Meaning())


def to_affine(prover: Prover, name: str) -> None:
    """Prove that each point becomes its x and y, or zeros, and that it is told whether all have some."""
    prove = _one_by_one if not prover.plan.representation.batch else _from_the_last
    prove(prover, name)


def _one_by_one(prover: Prover, name: str) -> None:
    each = Each(prover.module, prover.module.routines[name])

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        given = {"p": Items([run.value("point", "p", point)])}
        items, told = each.run(given, run.leaves, run.constants, _Meaning())
        return coordinates_of(run, now(items["r"][0]), point, [*map(now, told)])

    prover.cases(name, prover.single, follow)


def _from_the_last(prover: Prover, name: str) -> None:
    """Follow the loop from the last point on.

    Before an iteration the inverse is that of the product of the denominators up to its point, after it of
    those before.
    """
    routine = prover.module.routines[name]
    infinite = prover.plan.representation.infinite
    *start, first, last = without_comments(routine.body)[: -1 if infinite else None]
    down = loop_over(routine, last, down=True)
    started = [(s.names, s.value) for s in start if isinstance(s, tree.Declare)]
    inverse = tree.Call("inverse_of_all", (tree.Name("r"), tree.Name("p")))
    if started != [(("every",), tree.Number(1))][: len(start)] or len(start) != infinite:
        raise RoutineError("it does not begin with 1")
    if not isinstance(first, tree.Declare) or (first.names, first.value) != (("inverse",), inverse):
        raise RoutineError("it begins with another inverse")
    if infinite and routine.body[-1] != tree.Return((tree.Name("every"),)):
        raise RoutineError("it returns something else")

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        value, before = _point(run, case)
        (own,) = run.call("finite_denominator", value)
        whole = run.constants["FACTOR"] * run.elements.inv(before * own)
        for every in _BITS if infinite else (1,):
            state = {
                "inverse": whole,
                "r": Items([{"X": before, "Y": own}]),
                "p": Items([value]),
                down.name: ANY,
                **({"every": every} if infinite else {}),
            }
            found = _steps(prover, name, run, down.body, state)
            if run.nonzero(now(found["inverse"]) * before - run.constants["FACTOR"]):
                return "the inverse is not one of the denominators before"
            told = [now(found["every"])] if infinite else []
            if not every and told != [0]:
                return "it is not told of all"
            failure = coordinates_of(run, now(found["r"][ANY]), point, told if every else [])
            if failure:
                return failure
        return ""

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
    made = {"to_affine_batch": lambda *_: [Items([_AFFINE]), *told]}
    items, found = Each(prover.module, prover.module.routines[name]).run(
        {"p": Items([_POINT])}, {**made, **leaves}
    )
    if (items, found) != ({"out": [_ENCODING], "scratch": [_AFFINE], "p": [_POINT]}, told):
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
        items, told = Each(prover.module, prover.module.routines[name]).run({"bytes": Items([pair])}, leaves)
        if (items["r"], told) != ([made], [valid]):
            raise RoutineError(f"{name} writes something else")
