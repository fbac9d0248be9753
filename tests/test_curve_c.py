"""Whole curves in C: compilers, words and lowerings at edges of large curves, tables, and a branch."""

from random import Random

import pytest
from conformance import rows_of
from tools import SANITIZED, UNOPTIMISED
from whole_c import build, planned
from whole_curves import DATABASE, tiny_file

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.planning.tables import comb_table, odd_table
from efdgen.verify.vectors.whole_sums import sums_at_edges

LARGE = [
    ("secp256k1", "jacobian-0", "cc", "whole", 64),
    ("secp256k1", "jacobian-0", "cc", "calls", 32),
    ("P-256", "jacobian-3", "clang", "whole", 64),
    ("P-384", "jacobian-3", "clang", "calls", 64),
    ("P-521", "jacobian-3", "clang", "calls", 64),
    ("brainpoolP256r1", "jacobian", "clang", "calls", 64),
    ("edwards25519", "extended-1", "clang", "whole", 64),
    ("edwards25519", "extended-1", "cc", "calls", 32),
    ("Ed448", "projective", "clang", "calls", 64),
]
SYSTEMS = {"secp256k1": "jacobian-0", "edwards25519": "extended-1"}
ENTRIES = 9


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("curve", "system", "compiler", "lowering", "bits"), LARGE)
def test_edges_of_large_curves(curve, system, compiler, lowering, bits, compilers, rng, tmp_path):
    level = ("-O1",) if lowering == "whole" else SANITIZED if curve in ("secp256k1", "Ed448") else UNOPTIMISED
    flags, layout = (*level, f"-DWHOLE_WORD_BITS={bits}"), "split" if bits == 32 else "header"
    options = {"compiler": compilers[compiler], "lowering": lowering, "layout": layout}
    found = build(tmp_path, curve, system, *flags, **options)
    rows = [*rows_of(found.curve, curve)]
    if lowering == "whole":
        many = found.plan.multi.threshold
        rows += sums_at_edges(found.curve, rng, many)
        rows += [sum_row(found.curve, rng, count) for count in (many - 1, many)]
    assert found.differences(rows) == []


def sum_row(curve, rng, count):
    """Return a request for a sum of multiples of G, 2*G, 3*G, …"""
    pairs, total, point = [], 0, curve.generator
    for factor in range(1, count + 1):
        k = rng.randrange(curve.order)
        pairs += [curve.scalar(k), curve.point(point)]
        total += k * factor
        point = curve.affine.add(point, curve.generator)
    return "multi_multiply_var", *pairs, curve.point(curve.multiple(total, curve.generator))


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519"])
def test_tables_are_the_multiples(curve):
    """Every printed entry for the generator is the multiple that its place says."""
    plan = planned(curve, SYSTEMS[curve], "medium")
    affine = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.field, plan.curve.parameters)
    generator, comb, p = tuple(plan.curve.generator.values()), plan.generator.comb, plan.curve.prime
    factors = [m for block in range(comb.blocks) for m in comb.multiples(block)]
    width = plan.double.fixed_width
    places = [(comb_table(plan), factors), (odd_table(plan, width), range(1, 1 << width, 2))]
    for table, counted in places:
        for at in Random(3).sample(range(len(table)), ENTRIES):
            x, y = affine.multiple(counted[at], generator)
            t = 2 * plan.curve.parameters.get("d", 0) * x * y
            niels = tuple(v % p for v in (y + x, y - x, t))
            assert table[at] == ((x, y) if curve == "secp256k1" else niels), at


def test_a_plan_has_some_complete_doublings_and_some_that_are_not(tmp_path):
    """Was a branch of the routine for windows that no test was known to enter."""
    window = planned(tiny_file(tmp_path, "edwards"), "inverted", "small").variable
    assert 0 < window.complete_doublings < window.digits.count - 1
