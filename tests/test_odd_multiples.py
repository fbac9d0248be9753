"""Tables of odd multiples, made in every way that there is: whole curves, costs, and what is refused."""

from dataclasses import replace
from functools import cache, reduce

import pytest
from whole_c import build
from whole_curves import DATABASE, run, subject, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.isomorphic import is_invariant
from efdgen.generator.planning.plan import Interleaved, NonAdjacent, OneZ
from efdgen.generator.planning.request import draft_request, plan_curve
from efdgen.generator.scalars.digits import OddWindows
from efdgen.verify.plan_proofs import SafePlans, require_safe
from efdgen.verify.scalars.tables import require_distinct, table_reason
from efdgen.verify.vectors.whole_calls import calls_of
from efdgen.verify.vectors.whole_sums import some_sums

SHORTW = "g1p/shortw"


@cache
def plan(curve: str, coordinates: str | None, table: str):
    request = Request("python", curve, coordinates, prefix="whole", set="curve", odd_multiples=table)
    return plan_curve(DATABASE, request, SafePlans())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "system", "table"),
    [
        ("prime", "jacobian", "co-z"),
        ("prime", "jacobian", "additions"),
        ("halves", "jacobian-0", "co-z"),
        ("halves", "jacobian-0", "effective-affine"),
        ("halves", "jacobian", "effective-affine"),
        ("halves", "jacobian-0", "additions"),
    ],
)
def test_all_multiples_of_a_tiny_curve(name, system, table, tmp_path):
    """Every point has right odd multiples, beside the generator's, in tables of one and of four entries."""
    made = plan(tiny_file(tmp_path, name), system, table)
    assert made.tables == {made.multi.table} == {table}
    affine = AffineCurve(DATABASE.model(made.curve.model), made.curve.field, made.curve.parameters)
    points = [INFINITY, *affine.all_points()]
    for width in (2, 4):
        digits = OddWindows(width - 1, made.variable.digits.bound)
        window = replace(made.variable, digits=digits, complete_additions=2 * digits.count)
        chosen = replace(
            made,
            variable=window,
            single=NonAdjacent(width, table),
            double=Interleaved(made.double.fixed_width, width, table),
            multi=replace(made.multi, straus_width=width, threshold=6, windows=((6, 3),)),
        )
        module = run(require_safe(chosen, DATABASE))

        def lower(point, module=module):
            return INFINITY if module.is_identity(point) else tuple(map(int, module.to_affine(point)))

        generated = [INFINITY]
        while len(generated) < made.order:
            generated.append(affine.add(generated[-1], tuple(made.curve.generator.values())))

        def lift(p, module=module):
            """Return a representative with another Z than 1."""
            x, y = p or (0, 0)
            return module.IDENTITY if p == INFINITY else module.Point(4 * x % module.P, 8 * y % module.P, 2)

        for p, q in zip(points, points[5:] + points[:5], strict=True):
            for scalars in (
                (1, 1),
                (1, -1 % made.order),
                (0, 7),
                (0, 0),
                (3, 5, 9, 2),
                (4, 1, 4, 1, 6, 2, 6),
            ):
                chosen = [p, p, q, affine.negate(p), p, q, INFINITY][: len(scalars)]
                terms = [affine.multiple(k, point) for k, point in zip(scalars, chosen, strict=True)]
                found = lower(module.multi_multiply_var(scalars, [*map(lift, chosen)]))
                assert found == reduce(affine.add, terms), (width, scalars, chosen)
            given, expected = lift(p), INFINITY
            for k in range(made.order + 2):
                assert lower(module.multiply(k, given)) == expected, (width, p, k)
                assert lower(module.multiply_var(k, given)) == expected, (width, p, k)
                a = 5 * k % made.order
                both = lower(module.double_multiply_var(a, k, given))
                assert both == affine.add(generated[a], expected), (width, p, k)
                expected = affine.add(expected, p)


MULTIPLES = calls_of("multiply", "multiply_var", "coz_multiply")


def test_a_sum_with_the_generator_meets_the_same_point_and_its_negative(tmp_path):
    """Additions of a curve's own points on an isomorphic one, where they are doublings or give nothing."""
    made = plan(tiny_file(tmp_path, "halves"), "jacobian-0", "effective-affine")
    module = run(made)
    affine = AffineCurve(DATABASE.model(made.curve.model), made.curve.field, made.curve.parameters)
    generator = tuple(made.curve.generator.values())
    for a in range(made.order):
        for b in range(made.order):
            point = module.double_multiply_var(a, b, module.from_affine(*generator))
            expected = affine.multiple((a + b) % made.order, generator)
            assert module.is_identity(point) == (expected == INFINITY), (a, b)
            assert expected == INFINITY or tuple(module.to_affine(point)) == expected, (a, b)


@pytest.mark.slow
def test_the_lightest_table_is_chosen_and_counted():
    for curve, system, tables in (
        ("secp256k1", "jacobian-0", {"effective-affine"}),
        ("P-256", "jacobian-3", {"co-z"}),
        ("brainpoolP256r1", "jacobian", {"co-z"}),
        ("P-256", "modified", {"additions"}),
        ("edwards25519", "extended-1", {"additions"}),
    ):
        drafted = draft_request(DATABASE, Request("python", curve, system, set="curve"))[0]
        assert drafted.tables == {drafted.multi.table} == tables, curve
    drafted = draft_request(DATABASE, Request("python", "secp256k1", "jacobian-0", set="curve"))[0]
    found = {c.name: c for c in drafted.candidates["variable-base-var"]}
    name = "wNAF of width 5, 2 halves"
    # DBLU 3M + 4S, seven times ZADDU 4M + 2S, changes of Z by 3M + 1S, quotients, and the Z of the result.
    assert once(found[f"{name}, effective affine"]) == (3 + 28 + 21 + 8, 4 + 14 + 7, 0)
    assert once(found[f"{name}, co-Z table"]) == (3 + 28 + 24 + 14, 4 + 14 + 8, 1)
    # Seven additions of 12M + 4S; the doubling counts with the others.
    assert once(found[name]) == (84 + 24 + 21, 28 + 8, 1)


def once(candidate) -> tuple[int, ...]:
    """Return M, S and I of what a candidate does besides doublings, mixed additions and images."""
    loop = ("/doubling/", "/madd", "multiplication by beta")
    steps = [s for s in candidate.steps if not any(name in s.id for name in loop)]
    return tuple(
        int(sum(s.times * getattr(s.cost, name) for s in steps))
        for name in ("multiplications", "squarings", "inversions")
    )


def test_what_no_formula_can_make_is_refused():
    for curve, system, table, why in (
        ("P-256", "jacobian-3", "effective-affine", "another Z changes"),
        ("P-256", "modified", "co-z", "no co-Z additions"),
        ("edwards25519", "extended-1", "co-z", "no co-Z additions"),
    ):
        with pytest.raises(EfdgenError, match=why):
            draft_request(DATABASE, Request("python", curve, system, set="curve", odd_multiples=table))


def test_formulas_are_invariant_where_they_read_no_parameter_that_changes():
    formula = DATABASE.formula
    k1, r1 = load_curve("secp256k1"), load_curve("P-256")
    for name, on_k1, on_r1 in (
        ("jacobian/zaddu/mzaddu-2007-m", True, True),
        ("jacobian/addition/madd-2004-hmv", True, True),
        ("jacobian-0/doubling/dbl-2009-l", True, False),
        ("jacobian/doubling/dbl-2007-bl", True, False),
        ("jacobian-3/doubling/dbl-2001-b", False, False),
        ("projective/addition/add-2015-rcb", False, False),
    ):
        found = formula(f"{SHORTW}/{name}")
        assert (is_invariant(found, k1), is_invariant(found, r1)) == (on_k1, on_r1), name


@pytest.mark.slow
def test_wrong_tables_over_one_z_are_refused():
    for entries in (1, 2, 8):
        require_distinct(entries, 2 * entries + 3)
        with pytest.raises(EfdgenError, match="may be neutral"):
            require_distinct(entries, 2 * entries - 1)
    made = subject("P-256", "jacobian-3").plan
    assert "quotient" in table_reason(made, DATABASE)
    assert "affine points of another curve" not in table_reason(made, DATABASE)
    one_z = made.roles.one_z
    for kernels, table, order, why in (
        (one_z, "effective-affine", made.order, "no addition of multiples of the generator"),
        (OneZ(one_z.start, one_z.step, made.roles.add), "effective-affine", made.order, "another a"),
        (None, "co-z", made.order, "no kernels"),
        (one_z, "co-z", 7, "may be neutral"),
        (OneZ(one_z.start, made.roles.add, None), "co-z", made.order, "do not share a Z"),
    ):
        wrong = replace(
            made,
            order=order,
            roles=replace(made.roles, one_z=kernels),
            single=NonAdjacent(made.single.width, table),
        )
        with pytest.raises(EfdgenError, match=why):
            table_reason(wrong, DATABASE)


def test_a_table_that_forgets_its_z_is_seen(cc, same_rng, tmp_path):
    name = tiny_file(tmp_path, "halves")

    def differs(edit) -> bool:
        made = build(tmp_path, name, "jacobian-0", compiler=cc, edit=edit)
        assert {"effective-affine"} == made.plan.tables == {made.plan.multi.table}
        rows = [
            *MULTIPLES(made.curve, same_rng),
            *some_sums(made.curve, same_rng),
        ]
        return made.differences(rows) != []

    assert not differs(None)
    assert differs(lambda text: text.replace("whole_fe_mul(factor, factor, &z[i]);", "(void)z;"))
    # The step that scales the tables of several points to one Z.
    assert differs(lambda text: text.replace("whole_fe_mul(product, product, &quotients[0]);", ""))
