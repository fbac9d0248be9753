"""Proof of the tables of many points: of any of them, on one Z by induction over all.

Before point i the product is that of the Z of the points before it. Then its entries are over the product of
its own Z; scaled by the Z of all other points, they are over the product of all, or with its inverse over 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.table_routines import tables, way_of
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.routines.points import multiple
from efdgen.verify.routines.tables import entry_over, power, scaling, times, whole
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbolic
from efdgen.verify.symbols.items import ANY, Each, Items, loop_over

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.items import Contracts

_ROUTINE = "many_tables_var"
_PRODUCTS, _SCALED = "chained_products_var", "chained_scaled_var"
_P = multiple("P")


def prove_many_tables(plan: CurvePlan, module: Module) -> None:
    """Prove the tables; raise :class:`RoutineError` where one is wrong."""
    proof = _ManyTables(plan, module)
    if tables(plan)["many"].method == "additions":
        proof.added()
    else:
        proof.products()
        proof.scaled()
        proof.chained()


class _ManyTables:
    def __init__(self, plan: CurvePlan, module: Module) -> None:
        self._module, self._parts = module, plan.scalar_parts
        self._infinite = plan.representation.infinite
        self._way, self._table = way_of(plan, "many"), tables(plan)["many"]
        self._each = Each(module, module.routines[_ROUTINE])
        self._odd = [2 * j + 1 for j in range(self._table.entries)]

    def _name(self, what: str) -> str:
        return self._table.function(self._way, what)

    def added(self) -> None:
        """Prove tables by additions: of a point, and its images."""
        told = [1] if self._infinite else []
        contracts: Contracts = {
            self._name("multiples"): lambda p: [[p.times(m) for m in self._odd]],
            "to_affine_batch": lambda _, p: [Items(p), *told],
            "normal_entry": lambda p: [p],
            "make_entry": lambda p: [p],
            self._name("images"): lambda table: [[q.turned() for q in table]],
        }
        given = {"p": Items([_P]), "tables": Items([None] * self._parts)}
        items, _ = self._each.run(given, contracts, meaning=Symbolic())
        wanted = [[q.times(m) for m in self._odd] for q in (_P, _P.turned())[: self._parts]]
        _require(items["tables"], wanted)

    def products(self) -> None:
        """Prove the step over points that multiplies all Z, for a point and for the identity."""
        routine = self._module.routines[_PRODUCTS]
        first, up, end = without_comments(routine.body)
        loop = loop_over(routine, up)
        if not isinstance(first, tree.Declare) or (first.names, first.value) != (
            ("product",),
            tree.Name("ONE"),
        ):
            raise RoutineError("the product does not begin with 1")
        if not isinstance(end, tree.Return) or end.values != (tree.Name("product"),):
            raise RoutineError("it returns something other than the product")
        before, own = power("before"), whole(len(self._odd))

        def made(p: object) -> list[Any]:
            if p != ("GENERATOR" if neutral else "p"):
                raise RoutineError("multiples of another point")
            return [self._over_own(), [power(f"z{j}") for j in range(len(self._odd))]]

        for neutral in (0, 1):
            contracts: Contracts = {
                "is_identity": lambda _, flag=neutral: [flag],
                self._name("by_z"): made,
                "fe_mul": lambda a, b: [times(a, b)],
            }
            values = {
                "p": Items(["p"]),
                "tables": Items([None] * self._parts),
                **{name: Items([None]) for name in ("z", "others")},
                **{"product": before, loop.name: ANY},
            }
            run = Blocks(self._module, routine).run
            found = run(loop.body, values, contracts, {"GENERATOR": "GENERATOR"})
            _require(found["product"], times(before, own))
            _require([*found["others"]], [before])
            _require([*found["z"]], [[own, *(power(f"z{j}") for j in range(1, len(self._odd)))]])
            _require(found["tables"][ANY.times(self._parts)], self._over_own())

    def _over_own(self) -> list[dict[str, object]]:
        """Return the entries of a point, each over the product of its Z up to its own."""
        return [entry_over(m, whole(j + 1)) for j, m in enumerate(self._odd)]

    def scaled(self) -> None:
        """Prove the step over points, from the last on, that scales entries by all other Z."""
        routine = self._module.routines[_SCALED]
        first, down = without_comments(routine.body)
        loop = loop_over(routine, down, down=True)
        if not isinstance(first, tree.Declare) or (first.names, first.value) != (
            ("product",),
            tree.Name("scale"),
        ):
            raise RoutineError("the product does not begin with the scale")
        before, after, own = power("before"), power("after"), whole(len(self._odd))
        z = [own, *(power(f"z{j}") for j in range(1, len(self._odd)))]
        contracts: Contracts = {
            **scaling(),
            self._name("images"): lambda table: [[("image", entry) for entry in table]],
        }
        values = {
            "tables": Items([self._over_own(), *[None] * (self._parts - 1)]),
            **{"z": Items([z]), "others": Items([before])},
            **{"product": after, loop.name: ANY},
        }
        found = Blocks(self._module, routine).run(loop.body, values, contracts)
        _require(found["product"], times(after, own))
        entries = [entry_over(m, times(times(before, own), after)) for m in self._odd]
        _require([*found["tables"]], [entries, [("image", entry) for entry in entries]][: self._parts])

    def chained(self) -> None:
        """Prove that entries are scaled by the inverse of the product, or by 1 where this Z is returned."""
        one_z = self._table.method == "effective-affine"
        raw = Items(["raw"] * self._parts)

        def products(found: Items, *given: Items) -> list[Any]:
            if len(found) != self._parts or given[2] != ["p"]:
                raise RoutineError("tables of other points")
            return [raw, Items(["z"]), Items(["others"]), "all"]

        def scaled(found: Items, *given: object) -> list[Any]:
            if (found, *given) != (raw, ["z"], ["others"], "one" if one_z else "inverse of all"):
                raise RoutineError("entries are scaled otherwise")
            return [Items(["scaled"] * self._parts)]

        contracts: Contracts = {
            _PRODUCTS: products,
            _SCALED: scaled,
            "fe_inv": lambda a: [f"inverse of {a}"],
        }
        given = {"p": Items(["p"]), "tables": Items([None] * self._parts)}
        items, found = self._each.run(given, contracts, {"ONE": "one"})
        _require((items["tables"], found), (["scaled"] * self._parts, ["all"] if one_z else []))


def _require(found: object, wanted: object) -> None:
    if found != wanted:
        raise RoutineError("it makes another table")
