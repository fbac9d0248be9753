"""Multiplications as routines, on multiples of one point: what comes out is k times what goes in.

A point is the integer that it is a multiple by, modulo the order of the group. So every scalar of a small
group can be tried, and an addition that its formula is not right for is an error, whatever it would give.
"""

from dataclasses import replace

import pytest
from whole_curves import DATABASE, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.planning.table_routines import instances
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.plan_proofs import SafePlans

SECOND = 12345
"""The second fixed point is this multiple of the generator."""


class ExceptionalError(ArithmeticError):
    """An addition met an input that its formula is not right for."""


class Multiples:
    """The leaves of multiplications on integers modulo a group's order."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan, self.count = plan, plan.order * plan.cofactor
        comb = plan.generator.comb
        table = [[m * plan.cofactor for m in comb.multiples(block)] for block in range(comb.blocks)]
        second = [[SECOND * entry for entry in block] for block in table]
        constants = {"IDENTITY": 0, "GENERATOR": plan.cofactor, "COMB_TABLE": table, "SECOND_TABLE": second}
        if plan.half:
            odd = [(2 * i + 1) * plan.cofactor for i in range(wnaf_entries(plan.half.fixed_width))]
            constants |= {"HALF_TABLE": [odd, [entry << plan.half.split for entry in odd]]}
        eigenvalue = plan.endomorphism.eigenvalue if plan.endomorphism else 1
        leaves = {
            "is_identity": lambda p: [int(p % self.count == 0)],
            "has_small_order": lambda p: [int(plan.cofactor * p % self.count == 0)],
            "select": lambda p, q, flag: [p if flag else q],
            "add": lambda p, q: [p + q],
            "subtract": lambda p, q: [p - q],
            "negate": lambda p: [-p],
            "double": lambda p: [2 * p],
            "double_times": lambda p, times: [p << times],
            "multiply_small": lambda p, k: [k % plan.cofactor * p],
            "from_isomorphic": lambda p, _: [p],
            "chain_add_entry": lambda _, p, q: [p + q],
            "double_chain": lambda _, p, times: [p << times, None],
        }
        for way, found in instances(plan).items():
            leaves |= {
                found.function(way, "entries"): lambda p, n=found.entries: self._odd(p, n),
                f"{way}_entries_of_one_z": lambda _, p, n=found.entries: [1, *self._odd(p, n)],
                f"{way}_images": lambda table: [[eigenvalue * entry for entry in table]],
            }
        for name in ("", "_fixed"):
            leaves |= {
                f"read{name}_entry": self._read,
                f"lift{name}_entry": lambda q: [q],
                f"add{name}_entry": self._add,
            }
        leaves |= {
            "negate_fixed_entry": lambda q: [-q],
            "add_fixed_entry_var": lambda p, q: [p + q],
            "negate_entry": lambda q: [-q],
            "add_entry_var": lambda p, q: [p + q],
            "chain_add_fixed_entry": lambda _, p, q: [p + q],
            "double_times_var": lambda p, times: [p << times],
        }
        self.routines = Interpreter(curve_module(plan), leaves, constants)

    def call(self, name: str, k: int, *points: int) -> int:
        """Return what a multiplication by k gives."""
        return self.combined(name, [k], *points)

    def combined(self, name: str, scalars: list[int], *points: int) -> int:
        """Return what a multiplication by several scalars gives."""
        size, order = self.plan.reduction.bytes, self.plan.encoding.byteorder
        (found,) = self.routines.call(name, *(list(k.to_bytes(size, order)) for k in scalars), *points)
        return found % self.count

    def _odd(self, p: int, n: int) -> list:
        return [[(2 * i + 1) * p for i in range(n)]]

    def _read(self, table: list, window: int, bits: int) -> list:
        assert len(table) == 1 << (bits - 1)
        number = window & (len(table) - 1)
        return [table[number] if window >> (bits - 1) else -table[len(table) - 1 - number]]

    def _add(self, p: int, q: int) -> list:
        if not self.plan.roles.complete and {p % self.count, (p - q) % self.count, (p + q) % self.count} & {
            0
        }:
            raise ExceptionalError(f"{p} + {q}")
        return [p + q]


def plan_of(curve: str, coordinates: str | None, **options: str) -> CurvePlan:
    request = Request("c", curve, coordinates, **{"set": "curve", "table": "small", **options})
    return plan_curve(DATABASE, request, SafePlans())


def edges(multiples: Multiples) -> list[int]:
    """Return scalars next to multiples of the order, and to powers of 2."""
    most = (1 << 8 * multiples.plan.reduction.bytes) - 1
    orders = [at * order for order in {multiples.count, multiples.plan.order} for at in (0, 1)]
    near = [order + d for order in orders for d in (-2, -1, 0, 1, 2)]
    powers = [(1 << bits) + d for bits in range(1, multiples.count.bit_length(), 61) for d in (-1, 0, 1)]
    return [k for k in (*near, *powers, most, most - 1) if 0 <= k <= most]


CURVES = [
    ("secp256k1", "jacobian-0", {}),
    ("secp256k1", "jacobian-0", {"odd_multiples": "co-z", "table": "large"}),
    ("P-256", "jacobian-3", {}),
    ("edwards25519", "extended-1", {}),
]


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize(("curve", "coordinates", "options"), CURVES)
def test_multiples_of_large_groups(curve, coordinates, options, rng):
    plan = plan_of(curve, coordinates, **options)
    multiples = Multiples(plan)
    most = (1 << 8 * plan.reduction.bytes) - 1
    for k in [*edges(multiples), *(rng.randint(0, most) for _ in range(4))]:
        p = rng.choice([0, 1, rng.randrange(multiples.count)]) * (plan.cofactor if plan.endomorphism else 1)
        assert multiples.call("multiply", k, p) == k * p % multiples.count
        for own in ("multiply_generator", "multiply_generator_var"):
            assert multiples.call(own, k) == k * plan.cofactor % multiples.count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prime", "twisted", "edwards"])
def test_all_multiples_of_small_groups(name, tmp_path):
    multiples = Multiples(plan_of(tiny_file(tmp_path, name), None))
    plan, most = multiples.plan, 1 << 8 * multiples.plan.reduction.bytes
    scalars = range(min(most, 3 * multiples.count))
    for k in scalars:
        for p in {0, 1, 2, k % multiples.count, plan.cofactor, multiples.count - 1}:
            assert multiples.call("multiply", k, p) == k * p % multiples.count
        for own in ("multiply_generator", "multiply_generator_var"):
            assert multiples.call(own, k) == k * plan.cofactor % multiples.count


@pytest.mark.slow
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("curve", "coordinates"), [("P-256", "jacobian-3"), ("edwards25519", "extended-1")])
def test_sums_of_multiples_of_two_fixed_points(curve, coordinates, rng):
    plan = plan_of(curve, coordinates)
    names = ("double_multiply_generators", "double_multiply_generators_var")
    claims = plan.reasons | dict.fromkeys(names, "")
    multiples = Multiples(replace(plan, second=plan.representation.generator, reasons=claims, claims=claims))
    scalars = edges(multiples)
    for a in scalars:
        b = rng.choice(scalars)
        for name in names:
            expected = (a + SECOND * b) * plan.cofactor % multiples.count
            assert multiples.combined(name, [a, b]) == expected


@pytest.mark.slow
def test_an_exceptional_addition_is_met_if_one_too_few_is_complete():
    plan = plan_of("P-256", "jacobian-3")
    late = plan.variable.complete_additions
    assert late > 0
    wrong = Multiples(replace(plan, variable=replace(plan.variable, complete_additions=late - 1)))
    met = []
    for k in edges(wrong):
        try:
            wrong.call("multiply", k, 1)
        except ExceptionalError:
            met.append(k)
    assert met
