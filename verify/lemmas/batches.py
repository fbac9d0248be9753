"""Lemmas on arrays of points, for any number of these: what a routine does with one, whichever that is."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.encodings import Sizes, bytes_of, coordinates_of, interpreter, one_of, only
from efdgen.verify.lemmas.later import Choices, now
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol
from efdgen.verify.symbols.items import ANY, Each, Items, loop_over

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.routines.tree import Block
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.symbols.items import Contracts

_BITS = (0, 1)
_POINT, _AFFINE, _ENCODING = object(), {"X": object(), "Y": object()}, object()


class _Meaning(Choices):
    """Operators on choices for later; the number of the item is a symbol."""

    def public(self, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a choice that a branch depends on, or the symbol."""
        return value if isinstance(value, Symbol) else super().public(value)


def inverted(prover: Prover, name: str) -> None:
    """Prove that all Y become their inverses times the factor, none of which is 0, by induction over loops.

    Before iteration i of the first loop the product is that of the Y before, and before iteration i of the
    second one the inverse is that of the product of the Y up to i, times the factor.
    """
    routine = prover.module.routines[name]
    first, up, *between, down = without_comments(routine.body)
    up, down = loop_over(routine, up), loop_over(routine, down, down=True)
    if not isinstance(first, tree.Declare) or (first.names, first.value) != (("product",), tree.Name("ONE")):
        raise RoutineError("the product does not begin with 1")

    def follow(run: PointRun) -> str:
        blocks = Blocks(prover.module, routine)
        before, own = run.elements.name("x1"), run.elements.name("y1")
        for element in (before, own):
            run.elements.assume(element.numerator)
        factor = run.constants["FACTOR"]

        def step(block: Block, **values: object) -> dict[str, Any]:
            found = blocks.run(block, values, run.leaves, run.constants, meaning=_Meaning())
            return {**found, **found["r"][ANY]}

        found = step(up.body, product=before, r=Items([{"Y": own}]), **{up.name: ANY})
        if _differ(run, found, {"product": before * own, "X": before, "Y": own}):
            return "the product is not that of all Y"
        given = {"product": before}
        made = blocks.run(between, given, run.leaves, run.constants, ["inverse"], _Meaning())
        if run.nonzero(now(made["inverse"]) * before - factor):
            return "the inverse is not that of the product"
        whole = factor * run.elements.inv(before * own)
        found = step(down.body, inverse=whole, r=Items([{"X": before, "Y": own}]), **{down.name: ANY})
        wanted = {"inverse": whole * own, "Y": factor * run.elements.inv(own)}
        return "Y does not become its inverse" if _differ(run, found, wanted) else ""

    prover.every(name, "any Y", follow)


def _differ(run: PointRun, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return any(run.nonzero(now(found[name]) - value) for name, value in wanted.items())


def to_affine(prover: Prover, name: str) -> None:
    """Prove that each point becomes its x and y, or zeros, and that it is told whether all have some."""
    each = Each(prover.module, name)

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)

        def inverses(r: Items) -> list[Any]:
            divisor = now(r[ANY]["Y"])
            if not run.nonzero(divisor):
                raise RoutineError("a denominator is 0")
            return [Items([{"Y": run.constants["FACTOR"] * run.elements.inv(divisor)}])]

        leaves = {**run.leaves, "invert_all": inverses}
        given = {"p": Items([run.value("point", "p", point)])}
        items, finite = each.run(given, leaves, run.constants, _Meaning())
        return coordinates_of(run, now(items["r"][0]), point, [*map(now, finite)])

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
    items, found = Each(prover.module, name).run({"p": Items([_POINT])}, {**made, **leaves})
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
        items, told = Each(prover.module, name).run({"bytes": Items([pair])}, leaves)
        if (items["r"], told) != ([made], [valid]):
            raise RoutineError(f"{name} writes something else")
