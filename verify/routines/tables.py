"""Proof of tables of odd multiples: of every function that makes one, for any point.

Tables by additions are followed on multiples of P. On one Z an entry is a multiple on an isomorphic curve,
where its coordinates are x*s^2 and y*s^3 for a product s of the Z that additions give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.planning.table_routines import instances
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.scalars.orders import least_order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.table_routines import Table
    from efdgen.generator.routines.module import Module

Product: TypeAlias = "frozenset[tuple[str, int]]"
"""A product of powers of some Z."""
Leaves: TypeAlias = "dict[str, Callable[..., list[Any]]]"


def prove_tables(plan: CurvePlan, module: Module, ways: Collection[str] = ()) -> None:
    """Prove the tables of a plan, or those of some ways; raise :class:`EfdgenError` where one is wrong."""
    for way, table in instances(plan).items():
        if not ways or way in ways:
            _Tables(plan, module, way, table).prove()


def is_safe(plan: CurvePlan, entries: int) -> bool:
    """Return whether no addition of 2*P is exceptional in a table of this length, for any P."""
    return plan.roles.complete or 2 * entries + 1 < order_of_tables(plan)


def order_of_tables(plan: CurvePlan) -> int:
    """Return the least order of a point whose table is made by such additions."""
    special = bool(shared_numerator(plan))
    return plan.order if special else least_order(plan.order, plan.cofactor)


@dataclass(frozen=True)
class _Coordinate:
    """X or Y of a multiple of P on the isomorphic curve of a product."""

    member: str
    multiple: int
    scale: Product


class _Tables:
    """The functions that make one kind of table."""

    def __init__(self, plan: CurvePlan, module: Module, way: str, table: Table) -> None:
        self._plan, self._module, self._way = plan, module, way
        self._table, self._count = table, table.entries
        self._odd = [2 * i + 1 for i in range(table.entries)]

    def prove(self) -> None:
        """Prove each function that the routines have."""
        proofs = {
            "multiples": self._multiples,
            "by_z": self._by_z,
            "entries": self._entries,
            "entries_of_one_z": self._of_one_z,
            "images": self._images,
        }
        for what, prove in proofs.items():
            name = self._name(what)
            if name in self._module.routines:
                try:
                    prove(name)
                except RoutineError as error:
                    raise EfdgenError(f"{name} is not proved: {error}") from None

    def _name(self, what: str) -> str:
        return self._table.function(self._way, what)

    def _call(self, name: str, leaves: Leaves, *arguments: object) -> tuple[list[Any], list[Any]]:
        return Interpreter(self._module, leaves, {"ONE": frozenset()}).run(name, *arguments)

    def _multiples(self, name: str) -> None:
        _require(self._call(name, self._additions(), 1)[1], [self._odd])

    def _additions(self) -> Leaves:
        """Return contracts of additions of multiples of P."""

        def regular(p: int, q: int) -> list[int]:
            if not is_safe(self._plan, self._count):
                raise RoutineError("an addition may meet an exceptional input")
            return [p + q]

        leaves: Leaves = {double: lambda p: [2 * p] for double in ("double", "double_var")}
        return leaves | {add: lambda p, q: [p + q] for add in ("add", "add_var")} | {"add_kernel": regular}

    def _entries(self, name: str) -> None:
        if self._name("by_z") in self._module.routines:
            _, (table,) = self._call(name, _chained(), _first())
            _require(table, [entry_over(multiple, frozenset()) for multiple in self._odd])
            return
        finite = [1] if self._plan.representation.infinite else []
        leaves: Leaves = self._additions() | {
            self._name("multiples"): lambda p: [[p * multiple for multiple in self._odd]],
            "to_affine_batch": lambda _, points: [points, *finite],
            "normal_entry": lambda p: [p],
            "make_entry": lambda p: [p],
        }
        _require(self._call(name, leaves, 1)[1], [self._odd])

    def _by_z(self, name: str) -> None:
        _, (table, z) = self._call(name, _chained(), _first())
        _require(z, [power(f"z{i}") for i in range(self._count)])
        _require(table, [entry_over(m, whole(i + 1)) for i, m in enumerate(self._odd)])

    def _of_one_z(self, name: str) -> None:
        (common,), (table,) = self._call(name, _chained(), None, _first())
        _require(common, whole(self._count))
        _require(table, [entry_over(multiple, common) for multiple in self._odd])

    def _images(self, name: str) -> None:
        """Require that a function returns what the endomorphism does of each item."""
        items, made = [object() for _ in self._odd], {}

        def image(item: object) -> list[object]:
            made[item] = object()
            return [made[item]]

        _require(self._call(name, {"endomorphism": image}, items)[1], [[made.get(item) for item in items]])


def _require(found: object, wanted: object) -> None:
    if found != wanted:
        raise RoutineError("it makes another table")


def power(name: str, exponent: int = 1) -> Product:
    """Return a power of one Z."""
    return frozenset([(name, exponent)])


def times(one: Product, other: Product) -> Product:
    """Return the product of two."""
    names = {name for name, _ in one | other}
    powers = {name: sum(e for p in (one, other) for known, e in p if known == name) for name in names}
    return frozenset((name, exponent) for name, exponent in powers.items() if exponent)


def whole(count: int) -> Product:
    """Return the product of the first Z."""
    return frozenset((f"z{i}", 1) for i in range(count))


def entry_over(multiple: int, scale: Product) -> dict[str, object]:
    """Return X and Y of a multiple of P on the isomorphic curve of a product."""
    return {member: _Coordinate(member, multiple, scale) for member in ("X", "Y")}


def _first() -> dict[str, object]:
    """Return P over its Z."""
    return entry_over(1, power("z0")) | {"Z": power("z0")}


def _chained() -> Leaves:
    """Return contracts of additions on one Z, each with a new Z, and of elements that are products of Z."""
    made: list[str] = []

    def start(p: dict[str, object]) -> list[Any]:
        _require(p, _first())
        made.append("z0")
        return [entry_over(2, power("z0")) | {"Z": power("z0")}, entry_over(1, power("z0"))]

    def step(p: dict[str, Any], q: dict[str, Any]) -> list[Any]:
        one, other, scale = p["X"].multiple, q["X"].multiple, p["X"].scale
        if p != entry_over(one, scale) or q != entry_over(other, scale):
            raise RoutineError("an addition of points that are not over one Z")
        new = power(f"z{len(made)}")
        made.append("z")
        scale = times(scale, new)
        return [entry_over(one + other, scale) | {"Z": new}, entry_over(one, scale)]

    return {
        **scaling(),
        "one_z_start_kernel": start,
        "one_z_step_kernel": step,
        "fe_inv": lambda a: [frozenset((name, -exponent) for name, exponent in a)],
    }


def scaling() -> Leaves:
    """Return contracts of products of Z, and of entries that are scaled by one."""

    def scaled(q: dict[str, Any], factor: Product) -> list[Any]:
        found = q["X"]
        _require(q, entry_over(found.multiple, found.scale))
        return [entry_over(found.multiple, times(found.scale, factor))]

    return {"scaled_entry": scaled, "fe_mul": lambda a, b: [times(a, b)]}
