"""Whole curves in C against the affine law: all scalars and points of tiny curves, edges of large ones."""

from dataclasses import replace
from random import Random

import pytest
from tools import SANITIZED, UNOPTIMISED
from whole_c import build, planned
from whole_curves import DATABASE, SECOND, TINY, tiny_file

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.planning.tables import comb_table, odd_table
from efdgen.verify.vectors.whole_calls import calls_of
from efdgen.verify.vectors.whole_cases import all_rows, row_functions
from efdgen.verify.vectors.whole_sums import some_sums, sums_at_edges

SYSTEMS = {
    "prime": ("jacobian", "projective"),
    "halves": ("jacobian-0", "projective-0"),
    "negative": ("projective-1",),
    "three": ("projective-3", "xyzz-3"),
    "even": ("jacobian",),
    "odd": ("xyzz",),
    "twisted": ("extended-1", "halved-extended", "halved-completed", "inverted", "affine"),
    "square": ("extended",),
    "edwards": ("projective", "inverted", "affine"),
}
TINY_CASES = [(name, system) for name, systems in SYSTEMS.items() for system in systems]
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
LARGE_SYSTEMS = {curve: system for curve, system, *_ in LARGE}
ENTRIES = 9
MULTIPLES = calls_of("multiply", "multiply_var", "coz_multiply")


def with_few_points_in_buckets(plan):
    return replace(plan, multi=replace(plan.multi, threshold=4, windows=((9, 3), (4, 2))))


@pytest.fixture(scope="module", params=TINY_CASES, ids="-".join)
def tiny(request, compilers, tmp_path_factory):
    name, system = request.param
    folder = tmp_path_factory.mktemp("tiny")
    path = tiny_file(folder, name)
    curve = load_curve(path)
    affine = AffineCurve(DATABASE.model(curve.model), curve.prime, curve.parameters)
    x, y = affine.multiple(SECOND, tuple(curve.generator.values()))
    flags = SANITIZED if name in ("odd", "twisted") else ()
    compiler = compilers["cc" if name == "prime" else "clang"]
    return build(
        folder, path, system, *flags, compiler=compiler, second=f"{x},{y}", change=with_few_points_in_buckets
    )


def test_every_tiny_case_is_there():
    assert {*SYSTEMS, "long halves"} == set(TINY)


@pytest.mark.drawn(60)
@pytest.mark.parametrize("rows", row_functions(tiny=True, ladder=False), ids=lambda rows: rows.__name__)
def test_all_of_a_tiny_curve(tiny, rows, rng):
    assert tiny.differences(rows(tiny.curve, rng)) == []


def test_the_neutral_element_in_batches_and_where_it_has_no_encoding(tiny):
    curve = tiny.curve
    texts = [curve.point(p) for p in curve.points[:5]]
    # The driver looks for zeros where it says that a batch is refused.
    rows = [("to_affine_batch", *texts, "refused" if texts[0] == "O" else "".join(texts))]
    if texts[0] == "O":
        rows += [("encode_batch", *texts, "refused")]
        rows += [("encode", "O", "refused"), ("encode_uncompressed", "O", "refused")]
    if len(tiny.plan.representation.identity) > 2:
        rows.append(("decode_wire", "00" * tiny.plan.encoding.wire, "refused"))
    assert tiny.differences(rows) == []


def sum_row(curve, rng, count):
    """Return a request for a sum of multiples of G, 2*G, 3*G, …"""
    pairs, total, point = [], 0, curve.generator
    for factor in range(1, count + 1):
        k = rng.randrange(curve.order)
        pairs += [curve.scalar(k), curve.point(point)]
        total += k * factor
        point = curve.affine.add(point, curve.generator)
    return "multi_multiply_var", *pairs, curve.point(curve.multiple(total, curve.generator))


def test_edges_of_large_curves(few, compilers, rng, tmp_path):
    for case in few(rng, LARGE, 1):
        folder = tmp_path / "-".join(map(str, case))
        folder.mkdir()
        assert wrong_at_edges(folder, compilers, rng, *case) == [], case


def wrong_at_edges(folder, compilers, rng, curve, system, compiler, lowering, bits):
    """Build a large curve and return the edges that are answered wrongly."""
    level = ("-O1",) if lowering == "whole" else SANITIZED if curve in ("secp256k1", "Ed448") else UNOPTIMISED
    flags, layout = (*level, f"-DWHOLE_WORD_BITS={bits}"), "split" if bits == 32 else "header"
    found = build(
        folder, curve, system, *flags, compiler=compilers[compiler], lowering=lowering, layout=layout
    )
    rows = [*all_rows(found.curve, rng)]
    if lowering == "whole":
        many = found.plan.multi.threshold
        rows += sums_at_edges(found.curve, rng, many)
        rows += [sum_row(found.curve, rng, count) for count in (many - 1, many)]
    return found.differences(rows)


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519"])
def test_tables_are_the_multiples(curve):
    """Every printed entry for the generator is the multiple that its place says."""
    plan = planned(curve, LARGE_SYSTEMS[curve], "medium")
    affine = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.prime, plan.curve.parameters)
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


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("prime", "whole_fe_select(&rise.value, &tangent_rise.value, &rise.value, same);", ""),
        ("prime", "digit ^ (0 - negative)", "digit"),
        ("prime", "carry = digit >> (width - 1);", "carry = digit >> width;"),
        (
            "prime",
            "bucket = &buckets[window - half - 1]",
            "bucket = &buckets[window - half - (window > half + 1)]",
        ),
        ("prime", "whole_select(r, &WHOLE_IDENTITY, &sum, p_is_identity);", "*r = sum;"),
        ("twisted", "left + (at == 0)", "left"),
        ("twisted", "every &= valid;", ""),
        ("twisted", "sums[(1 << tooth) + i]", "sums[(1 << tooth) + i - (i > 0)]"),
        ("prime", "return valid;", "return 1;"),
        ("twisted", "&buckets[i], &buckets[half + i]);", "&buckets[i], &buckets[i]);"),
        ("twisted", "every &= whole_is_identity(&sum);", "every = whole_is_identity(&sum);"),
        ("prime", "scratch[i].Y);", "scratch[0].Y);"),
    ],
)
def test_a_defect_is_seen(name, right, wrong, clang, same_rng, tmp_path):
    def edit(text: str) -> str:
        assert text.count(right) >= 1
        return text.replace(right, wrong)

    flags = ("-Wno-unused-variable", "-Wno-unused-but-set-variable")
    path, system = tiny_file(tmp_path, name), {"prime": "jacobian", "twisted": "extended-1"}[name]
    change = with_few_points_in_buckets
    tiny = build(tmp_path, path, system, *flags, compiler=clang, edit=edit, change=change)
    rows = [*MULTIPLES(tiny.curve, same_rng), *some_sums(tiny.curve, same_rng)]
    rows += all_rows(tiny.curve, same_rng)
    assert tiny.differences(rows) != []


def test_a_plan_has_some_complete_doublings_and_some_that_are_not(cc, tmp_path):
    """Was a branch of the routine for windows that no test was known to enter."""
    curve = tiny_file(tmp_path, "edwards")
    window = planned(curve, "inverted", "small").variable
    assert 0 < window.complete_doublings < window.digits.count - 1
    subject = build(tmp_path, curve, "inverted", compiler=cc)
    assert subject.differences(MULTIPLES(subject.curve, Random(1))) == []
