"""Functions on points as routines, run on integers modulo p: all points of small curves, by the affine law.

Kernels are run as their programs are; where one is not right, what the routines make of it has to be.
"""

from itertools import product

import pytest
from test_routines_multiples import plan_of
from whole_curves import DATABASE, tiny_file

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.curve_routines import curve_module, entry_labels
from efdgen.generator.planning.plan import CurvePlan, EntryKind
from efdgen.generator.planning.sum_routines import SUMMAND
from efdgen.generator.programs.interpreter import run_kernel
from efdgen.generator.routines.interpreter import Interpreter

SYSTEMS = [
    ("prime", "jacobian", "slopes"),
    ("three", "projective-3", "selected or complete"),
    ("even", "xyzz", "a cofactor of 4"),
    ("odd", "jacobian", "a cofactor of 3"),
    ("twisted", "extended-1", "complete"),
    ("twisted", "inverted", "the affine law"),
    ("edwards", "inverted", "the affine law"),
]


class Printed(PrimeField):
    """The field as its functions are: the inverse of 0 is 0."""

    def inv(self, value: int) -> int:
        return pow(value, self.prime - 2, self.prime)


class Points:
    """The routines on points of a plan, on dictionaries of members, and the affine law beside them."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan, self.prime = plan, plan.curve.prime
        self.module, self.field = curve_module(plan), Printed(plan.curve.prime)
        self.affine = AffineCurve(
            DATABASE.model(plan.curve.model), PrimeField(self.prime), plan.curve.parameters
        )
        self.members, represented = self.module.members["point"], plan.representation
        constants = {
            "ZERO": 0,
            "ONE": 1,
            "IDENTITY": dict(zip(self.members, represented.identity, strict=True)),
        }
        constants |= {f"CURVE_{name.upper()}": value for name, value in plan.curve.parameters.items()}
        roots = [x for x in range(self.prime) if x * x * plan.curve.parameters.get("a", 1) % self.prime == 1]
        constants["X_OF_ORDER_FOUR"] = roots[0] if roots else 0
        leaves = {
            "fe_mul": lambda a, b: [a * b % self.prime],
            "fe_sqr": lambda a: [a * a % self.prime],
            "fe_add": lambda a, b: [(a + b) % self.prime],
            "fe_sub": lambda a, b: [(a - b) % self.prime],
            "fe_neg": lambda a: [-a % self.prime],
            "fe_is_zero": lambda a: [int(a == 0)],
            "fe_equal": lambda a, b: [int(a == b)],
            "fe_join": lambda r, a, every: [a if every and not r else r],
            "fe_select": lambda a, b, flag: [a if flag else b],
            "multiply": self._multiple,
        }
        roles = plan.roles
        leaves |= {f"add_{label}_kernel": self.kernel(k.entry.add) for label, k in entry_labels(plan).items()}
        leaves |= {"chain_double_kernel": self.kernel(roles.chain_double)}
        leaves |= {"chain_last_kernel": self.kernel(roles.chain_last)}
        for name in ("add", "double", "negate", "from_affine", "to_affine"):
            leaves[f"{name}_kernel"] = self.kernel(getattr(roles, name))
        if roles.slopes:
            leaves |= {"slopes_kernel": self.kernel(roles.slopes.start)}
            leaves |= {"slope_add_kernel": self.kernel(roles.slopes.add)}
        self.run = Interpreter(self.module, leaves, constants)

    def __call__(self, name: str, *arguments):
        found = self.run.call(name, *arguments)
        return found[0] if len(found) == 1 else found

    def lifted(self, scale: int) -> dict:
        """Return every point by its affine coordinates, in coordinates that are multiples of others."""
        found = {}
        for point in self.affine.all_points():
            if point == INFINITY:
                made = self.run.constants["IDENTITY"]
            else:
                made, there = self("from_affine", {"X": point[0], "Y": point[1]})
                assert there
            found[point] = self._scaled(made, scale)
        return found

    def lowered(self, point) -> object:
        """Return the affine coordinates of a point."""
        assert self("is_on_curve", point)
        if self.plan.representation.infinite:
            reduced, finite = self("to_affine", point)
            return (reduced["X"], reduced["Y"]) if finite else INFINITY
        reduced = self("to_affine", point)
        return reduced["X"], reduced["Y"]

    def _scaled(self, point, scale: int):
        """Return other coordinates of a point, in which ratios are the same."""
        represented = self.plan.representation
        if represented.powers == [2, 3] and len(represented.denominators) == 1:
            weights = {"X": 2, "Y": 3, "Z": 1}
        elif set(self.members) == {"X", "Y", "Z"} or set(self.members) == {"X", "Y", "Z", "T"}:
            weights = dict.fromkeys(self.members, 1)
        else:
            return point
        if represented.shared_numerator and not point[represented.shared_numerator]:
            return point
        return {m: v * pow(scale, weights[m], self.prime) % self.prime for m, v in point.items()}

    def kernel(self, name: str):
        kernel = self.plan.kernel(name)
        constants = {n: v % self.prime for n, v in self.plan.kernels.constants.items()}

        def called(*arguments):
            given = {i.name: a for i, a in zip(kernel.inputs, arguments, strict=True)}
            found = run_kernel(kernel, self.field, constants, given)
            return [found[output.name] for output in kernel.outputs]

        return called

    def _multiple(self, k, p):
        order, found = self.plan.encoding.byteorder, self.run.constants["IDENTITY"]
        for _ in range(int.from_bytes(bytes(k), order)):
            found = self("add", found, p)
        return [found]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("curve", "system", "_"), SYSTEMS)
def test_functions_on_points_are_the_affine_law(curve, system, _, tmp_path):
    require_law(Points(plan_of(tiny_file(tmp_path, curve), system)))


def require_law(points: Points) -> None:
    """Run the functions on all points and pairs of points."""
    law, first, second = points.affine, points.lifted(3), points.lifted(5)
    neutral = law.neutral
    for p, q in product(first, second):
        one, other = first[p], second[q]
        total = law.add(p, q)
        assert points("equal", one, other) == (p == q)
        for ending in ("", "_var"):
            assert points.lowered(points(f"add{ending}", one, other)) == total
            difference = points.lowered(points(f"subtract{ending}", one, other))
            assert difference == law.add(p, law.negate(q))
        for flag in (0, 1):
            assert points("select", one, other, flag) == (one if flag else other)
    for p, one in first.items():
        assert points("is_identity", one) == (p == neutral)
        assert points.lowered(points("double", one)) == law.add(p, p)
        assert points.lowered(points("negate", one)) == law.negate(p)
        inside = law.multiple(points.plan.order, p) == neutral
        assert points("is_in_subgroup", one) == inside
        assert points("validate", one)[1] == (inside and p != neutral)
        assert points.lowered(points("clear_cofactor", one)) == law.multiple(points.plan.cofactor, p)


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "system", "_"), SYSTEMS)
def test_all_coordinates_are_tested_to_be_of_points(curve, system, _, tmp_path):
    points = Points(plan_of(tiny_file(tmp_path, curve), system))
    known = {p for p in points.affine.all_points() if p != INFINITY}
    for x, y in product(range(points.prime), repeat=2):
        made, on = points("from_affine", {"X": x, "Y": y})
        assert on == ((x, y) in known)
        assert on or made == dict.fromkeys(points.members, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "system", "_"), SYSTEMS)
def test_functions_on_entries_are_the_affine_law(curve, system, _, tmp_path):
    plan = plan_of(tiny_file(tmp_path, curve), system)
    points = Points(plan)
    law, lifted = points.affine, points.lifted(3)
    for label, kind in entry_labels(plan).items():
        entries = {p: entry for p in lifted if (entry := _entry(points, p, kind)) is not None}
        # Points that are entries are added as points.
        added = list(entries) if label != SUMMAND else []
        for p, q in product(list(lifted)[::3], added[::5]):
            (total,), _ = points.run.run(f"add_{label}_var", dict(lifted[p]), entries[q])
            assert points.lowered(total) == law.add(p, q)
        for q in added[::3]:
            negated = points(f"negate_{label}", entries[q])
            (total,), _ = points.run.run(f"add_{label}_var", lifted[q], negated)
            assert points.lowered(total) == law.neutral
        some = list(entries.values())[:4]
        for digit in range(8 * (len(some) == 4)):
            wanted = some[digit & 3] if digit >> 2 else points(f"negate_{label}", some[3 - digit])
            assert points(f"read_{label}", some, digit, 3) == wanted
    for p, one in list(lifted.items())[::3]:
        for times in range(4):
            (made,), _ = points.run.run("double_times_var", dict(one), times)
            assert points.lowered(made) == law.multiple(1 << times, p)


def _entry(points: Points, p, kind: EntryKind):
    """Return the entry for a point by its kernels, None if it has no entry."""
    if p == INFINITY or (p == points.affine.neutral and kind.entry.normalized):
        return None
    made = points("from_affine", {"X": p[0], "Y": p[1]})[0]
    if kind.entry.make is not None:
        return points.kernel(kind.entry.make)(made)[0]
    if kind.entry.from_affine is not None:
        return points.kernel(kind.entry.from_affine)({"X": p[0], "Y": p[1]})[0]
    return {m: made[m] for m in kind.members}
