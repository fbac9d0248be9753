"""Proof of sums of many multiples: of each point by its scalar, for any number of points.

Whatever is done with one point is followed for any of them; what all of them add to a sum is the sum of what
each adds. The identity adds nothing: its digits are those of 0.

Windows of k, with half of each window added, are signed digits more than that half. For each place from the
highest down, the sum is doubled, and each entry is added to the bucket of its digit, negated for a negative
one. The buckets are summed by induction from the highest down: before bucket j, ``running`` is the sum of the
higher ones, and the result that of each of these times its number less j.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.table_routines import tables
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.routines.forms import Digits, multiple_of
from efdgen.verify.routines.many_tables import prove_many_tables
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol, Symbolic
from efdgen.verify.symbols.items import ANY, Each, Items, loop_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Routine
    from efdgen.verify.symbols.items import Contracts

ROUTINE = "multi_multiply_var"
_P = multiple("P")
_PARTS: Contracts = {
    "scalar_reduced": lambda k: [f"{k} reduced"],
    "scalar_halves": lambda t: [[f"half {h} of {t}" for h in range(2)]],
}


def prove_many(plan: CurvePlan, module: Module) -> None:
    """Prove the sum, and what it calls; raise :class:`EfdgenError` where one is wrong."""
    proof = _Many(plan, module)
    proofs: dict[str, Callable[[], None]] = {
        "scalar_digits_var": proof.digits,
        "many_tables_var": lambda: prove_many_tables(plan, module),
        "interleaved_var": proof.interleaved,
        "entries_var": proof.entries,
        "scalar_windows_var": proof.windows,
        "add_to_bucket_var": proof.bucket,
        "buckets_total_var": proof.total,
        "bucketed_var": proof.bucketed,
        ROUTINE: proof.whole,
    }
    for name, prove in proofs.items():
        try:
            prove()
        except RoutineError as error:
            raise EfdgenError(f"{name} is not proved: {error}") from None
        except (LookupError, ValueError):
            raise EfdgenError(f"{name} is not proved: it is made of other parts") from None


class _Many:
    def __init__(self, plan: CurvePlan, module: Module) -> None:
        self._plan, self._module = plan, module
        self._parts = plan.scalar_parts
        self._images = [_P, _P.turned()][: self._parts]
        self._infinite = plan.representation.infinite
        self._zero = [0] * plan.reduction.bytes

    def _read(self, name: str) -> tuple[Routine, list[tree.Statement]]:
        routine = self._module.routines[name]
        return routine, without_comments(routine.body)

    def _run(self, contracts: Contracts) -> Interpreter:
        return Interpreter(self._module, contracts, values=Symbolic())

    def digits(self) -> None:
        """Prove that digits of a scalar are the forms of its parts."""
        width = self._plan.multi.straus_width
        form = "wnaf_var" if self._parts == 1 else "signed_wnaf_var"
        contracts: Contracts = {
            **_PARTS,
            form: lambda t, asked: [f"{asked} bits of {t}"],
        }
        found = self._run(contracts).call("scalar_digits_var", "k", width)
        _require(found, [[f"{width} bits of {part}" for part in self._scalars()]])

    def _scalars(self) -> list[str]:
        """Return the parts of a scalar."""
        return ["k reduced"] if self._parts == 1 else [f"half {h} of k reduced" for h in range(2)]

    def interleaved(self) -> None:
        """Prove what a point adds to the sum of interleaved forms."""
        width = self._plan.multi.straus_width
        table = tables(self._plan)["many"]
        curve = "z" if table.method == "effective-affine" else ""
        forms = [Digits({f"k{h}": 1}, width) for h in range(self._parts)]

        def digits(k: object, asked: int) -> list[Any]:
            if asked != width or k not in ("k", self._zero):
                raise RoutineError("digits of another scalar, or of another width")
            return [forms if k == "k" else [self._zero] * self._parts]

        def made(found: Items, p: Items) -> list[Any]:
            if p != [_P] or len(found) != self._parts:
                raise RoutineError("tables of another point")
            odd = [[q.times(2 * j + 1).on(curve) for j in range(table.entries)] for q in self._images]
            return [Items(odd), *([curve] if curve else [])]

        def summed(rows: Items, places: int, given: Items) -> list[Any]:
            if places != self._module.constants["DIGITS"].value:
                raise RoutineError("digits are left out")
            total = Point()
            for row, entries in zip(rows, given, strict=True):
                total = total.plus(multiple_of(row, entries))
            return [total]

        def back(p: Point, z: object) -> list[Any]:
            if z != curve:
                raise RoutineError("another z")
            return [p.on("")]

        for neutral in (0, 1) if self._infinite else (0,):
            contracts: Contracts = {
                "is_identity": lambda _, flag=neutral: [flag],
                "scalar_digits_var": digits,
                "many_tables_var": made,
                "many_sum_var": summed,
                "from_isomorphic": back,
            }
            given = {"k": Items(["k"]), "p": Items([_P])}
            _, found = Each(self._module, self._module.routines["interleaved_var"]).run(given, contracts)
            _require(found, [Point() if neutral else self._wanted()])

    def _wanted(self) -> Point:
        """Return the multiple of P by the parts of k."""
        total = Point()
        for h, image in enumerate(self._images):
            total = total.plus(image.by({f"k{h}": 1}))
        return total

    def entries(self) -> None:
        """Prove that the entries are those of the point and its image."""
        told = [1] if self._infinite else []
        contracts: Contracts = {
            "to_affine_batch": lambda _, p: [Items(p), *told],
            "normal_entry": lambda p: [p],
            "make_entry": lambda p: [p],
            "endomorphism": lambda q: [q.turned()],
        }
        given = {"p": Items([_P]), "entries": Items([None] * self._parts)}
        items, _ = Each(self._module, self._module.routines["entries_var"]).run(given, contracts)
        _require(items["entries"], self._images)

    def windows(self) -> None:
        """Prove that windows are those of the parts of a scalar, with half of each window added."""
        contracts: Contracts = {
            **_PARTS,
            "scalar_shifted_var": lambda t, width, count: [f"{t} and {count} halves of {width} bits"],
        }
        found = self._run(contracts).call("scalar_windows_var", "k", 5, 60)
        _require(found, [[f"{part} and 60 halves of 5 bits" for part in self._scalars()]])

    def bucket(self) -> None:
        """Prove that the sum of buckets times their numbers changes by a digit times its entry."""
        half, q = 4, multiple("Q")
        for window in range(2 * half):
            before = [multiple(f"B{at}") for at in range(half)]
            (after,), _ = self._run(self._additions()).run("add_to_bucket_var", [*before], q, window)
            change = Point()
            for at, (one, other) in enumerate(zip(before, after, strict=True)):
                change = change.plus(other.plus(one, -1).times(at + 1))
            _require(change, multiple("Q", window - half))
        self._require_general("add_to_bucket_var")

    def _require_general(self, name: str) -> None:
        """Require that windows and buckets are compared and subtracted alone: few stand for all numbers."""
        routine, _ = self._read(name)
        known = {"window", "half"}
        for statement in tree.statements(routine.body):
            for part in (p for e in tree.expressions(statement) for p in tree.walk(e)):
                match part:
                    case tree.Binary("<" | ">", tree.Name(one), tree.Name(other)) if {one, other} == known:
                        pass
                    case tree.Binary("-") | tree.Name() | tree.Number() | tree.Index() | tree.Call():
                        pass
                    case _:
                        raise RoutineError("an expression in which a few windows do not stand for all")

    def _additions(self) -> dict[str, Callable[..., list[Any]]]:
        return {
            "add_var": lambda p, q: [p.plus(q)],
            "add_entry_var": lambda p, q: [p.plus(q)],
            "negate_entry": lambda q: [q.times(-1)],
        }

    def total(self) -> None:
        """Prove the step of the induction over buckets, from the highest down."""
        routine, (first, second, down, end) = self._read("buckets_total_var")
        started = [(s.names, s.value) for s in (first, second) if isinstance(s, tree.Declare)]
        identity = tree.Name("IDENTITY")
        if started != [(("r",), identity), (("running",), identity)] or not _returns(end, "r"):
            raise RoutineError("it does not begin with no bucket, or returns something else")
        loop = loop_over(routine, down, down=True)
        state = {"running": multiple("S"), "r": multiple("T"), "buckets": Items([multiple("B")])}
        found = Blocks(self._module, routine).run(loop.body, {**state, loop.name: ANY}, self._additions())
        running = multiple("S").plus(multiple("B"))
        _require([found["running"], found["r"]], [running, multiple("T").plus(running)])

    def bucketed(self) -> None:
        """Prove what a place adds, for each width of windows."""
        routine, statements = self._read("bucketed_var")
        at = next(i for i, s in enumerate(statements) if isinstance(s, tree.For))
        scalars, entries, first, places, end = statements[at:]
        if not isinstance(places, tree.For) or not _returns(end, "r"):
            raise RoutineError("it is no loop over places")
        if not isinstance(first, tree.Declare) or (first.names, first.value) != (
            ("r",),
            tree.Name("IDENTITY"),
        ):
            raise RoutineError("the sum does not begin with the identity")
        whole = (places.start, places.stop, places.down) == (tree.Number(0), tree.Name("windows"), True)
        if not whole or entries != tree.Do(tree.Call("entries_var", tuple(map(tree.Name, ("entries", "p"))))):
            raise RoutineError("places are left out, or entries are made of other points")
        for width, windows in self._windows(routine, statements[:at]).items():
            self._prove_scalars(routine, loop_over(routine, scalars), width, windows)
            self._prove_place(routine, places, width)

    def _windows(self, routine: Routine, statements: list[tree.Statement]) -> dict[int, int]:
        """Return the widths of windows, and how many there are, for every number of points.

        There are as many buckets as positive digits. Widths change at numbers that the routine compares.
        """
        rooms = {s.name: s.kind.lengths[0] for s in statements if isinstance(s, tree.Room)}
        rows = self._rows()
        if rooms != {"t": rows, "entries": rows, "buckets": tree.Name("half")}:
            raise RoutineError("arrays of other lengths")
        numbers = [s for s in statements if not isinstance(s, tree.Room)]
        compared = {0}
        for branch in (s for s in tree.statements(tuple(numbers)) if isinstance(s, tree.If)):
            match branch.condition:
                case tree.Binary(">=", tree.Name("count"), tree.Number(least)):
                    compared |= {least - 1, least}
                case _:
                    raise RoutineError("a condition that does not compare the number of points")
        found: dict[int, int] = {}
        widths = {width for _, width in self._plan.multi.windows}
        for count in sorted(compared):
            names = ["width", "half", "windows"]
            made = Blocks(self._module, routine).run(numbers, {"count": count}, made=names)
            width = made["width"]
            windows = (self._plan.scalar_bits + 1) // width + 1
            _require((width in widths, made["half"], made["windows"]), (True, 1 << width - 1, windows))
            found[width] = windows
        return found

    def _rows(self) -> tree.Expression:
        """Return the number of entries."""
        count: tree.Expression = tree.Name("count")
        return count if self._parts == 1 else tree.Binary("*", tree.Number(self._parts), count)

    def _prove_scalars(self, routine: Routine, loop: tree.For, width: int, windows: int) -> None:
        """Prove that a point has the windows of its scalar, and the identity those of 0."""

        def made(k: object, *given: int) -> list[Any]:
            if given != (width, windows):
                raise RoutineError("windows of another width, or another number of them")
            return [[f"part {h} of {k}" for h in range(self._parts)]]

        for neutral in (0, 1) if self._infinite else (0,):
            contracts: Contracts = {"is_identity": lambda _, f=neutral: [f], "scalar_windows_var": made}
            values = {
                **{"k": Items(["k"]), "p": Items([_P]), "t": Items([None] * self._parts)},
                **{"width": width, "windows": windows, loop.name: ANY},
            }
            found = Blocks(self._module, routine).run(loop.body, values, contracts)
            scalar = self._zero if neutral else "k"
            _require([*found["t"]], [f"part {h} of {scalar}" for h in range(self._parts)])

    def _prove_place(self, routine: Routine, places: tree.For, width: int) -> None:
        """Prove that a place doubles the sum, and adds the digit of each entry times it."""
        filling, adding = (s for s in places.body if isinstance(s, tree.For))
        rest = [s for s in places.body if not isinstance(s, tree.For)]
        order = [*map(type, without_comments(places.body))]
        if order != [tree.Do, tree.For, tree.For, tree.Declare, tree.Assign]:
            raise RoutineError("a place has other steps")
        self._require_all(filling, tree.Name("half"))
        self._require_all(adding, self._rows())
        run = Blocks(self._module, routine).run
        found = run(filling.body, {"buckets": Items([None]), filling.name: ANY}, {}, {"IDENTITY": Point()})
        _require([*found["buckets"]], [Point()])
        at, noted = Symbol("place"), []

        def bits(t: object, start: object, count: int) -> list[Any]:
            if (t, start, count) != ("t", at.times(width), width):
                raise RoutineError("another window")
            return ["window"]

        def added(buckets: object, q: object, window: object) -> list[Any]:
            noted.append((buckets, q, window))
            return [buckets]

        values = {"t": Items(["t"]), "entries": Items(["q"]), "buckets": "buckets"}
        state = {**values, "width": width, places.name: at, adding.name: ANY}
        run(adding.body, state, {"scalar_bits": bits, "add_to_bucket_var": added}, meaning=_Windows())
        _require(noted, [("buckets", "q", "window")])

        def total(buckets: object) -> list[Any]:
            return [multiple("T" if buckets == "buckets" else "?")]

        contracts: Contracts = {
            "double_times_var": lambda p, times: [p.times(1 << times)],
            "buckets_total_var": total,
            **self._additions(),
        }
        found = run(rest, {"r": multiple("R"), "buckets": "buckets", "width": width}, contracts)
        _require(found["r"], multiple("R", 1 << width).plus(multiple("T")))

    @staticmethod
    def _require_all(loop: tree.For, length: tree.Expression) -> None:
        if (loop.start, loop.stop, loop.down) != (tree.Number(0), length, False):
            raise RoutineError("a loop leaves something out")

    def whole(self) -> None:
        """Prove that either way returns the sum."""
        routine, (branch, *_) = self._read(ROUTINE)
        threshold = self._plan.multi.threshold
        condition = tree.Binary("<", tree.Name("count"), tree.Number(threshold))
        if not isinstance(branch, tree.If) or branch.condition != condition or branch.otherwise:
            raise RoutineError("there are other ways than two")
        others = [s for s in tree.statements(routine.body) if isinstance(s, tree.If | tree.While | tree.For)]
        _require(len(others), 1)
        for count in (0, threshold):
            k, p = ["k"] * count, ["p"] * count
            contracts: Contracts = {
                name: lambda *given, both=(k, p): [multiple("T" if given == both else "?")]
                for name in ("interleaved_var", "bucketed_var")
            }
            contracts = {**contracts, "proper_identity_var": lambda q: [q]}
            _require(self._run(contracts).call(ROUTINE, k, p), [multiple("T")])


class _Windows(Symbolic):
    """Operators on integers and symbols; a window is one that is public."""

    def converted(self, kind: Any, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a window as a public integer."""
        return value if value == "window" else super().converted(kind, value)


def _returns(statement: tree.Statement, name: str) -> bool:
    return isinstance(statement, tree.Return) and statement.values == (tree.Name(name),)


def _require(found: object, wanted: object) -> None:
    if found != wanted:
        raise RoutineError(f"it gives {found}, not {wanted}")
