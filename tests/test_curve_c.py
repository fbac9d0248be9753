"""Whole curves in C against the affine law: all scalars and points of tiny curves, edges of large ones."""

from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from curve_cases import edge_cases
from whole_c import SANITIZED, build, planned
from whole_curves import DATABASE, TINY, has_order, tiny_file

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.planning.plan import MultiScalar
from efdgen.generator.planning.tables import comb_table, odd_table

SYSTEMS = {
    "prime": ("jacobian", "projective"),
    "halves": ("jacobian-0",),
    "even": ("jacobian",),
    "odd": ("xyzz",),
    "twisted": ("extended-1", "inverted", "affine"),
    "square": ("extended",),
    "edwards": ("projective", "inverted"),
}
TINY_CASES = [(name, system) for name, systems in SYSTEMS.items() for system in systems]
LARGE = [
    ("secp256k1", "jacobian-0", "gcc", "whole", 64),
    ("secp256k1", "jacobian-0", "gcc", "calls", 32),
    ("P-256", "jacobian-3", "clang-19", "whole", 64),
    ("P-384", "jacobian-3", "clang-19", "calls", 64),
    ("P-521", "jacobian-3", "clang-19", "calls", 64),
    ("brainpoolP256r1", "jacobian", "clang-19", "calls", 64),
    ("edwards25519", "extended-1", "clang-19", "whole", 64),
    ("edwards25519", "extended-1", "gcc", "calls", 32),
    ("Ed448", "projective", "clang-19", "calls", 64),
]
LARGE_SYSTEMS = {curve: system for curve, system, *_ in LARGE}
ENTRIES = 9
SECOND = 3


def with_few_points_in_buckets(plan):
    return replace(plan, multi=MultiScalar(plan.multi.straus_width, 4, ((9, 3), (4, 2))))


@pytest.fixture(scope="module", params=TINY_CASES, ids="-".join)
def tiny(request, tmp_path_factory):
    name, system = request.param
    folder = tmp_path_factory.mktemp("tiny")
    path = tiny_file(folder, name)
    curve = load_curve(path)
    affine = AffineCurve(DATABASE.model(curve.model), curve.prime, curve.parameters)
    x, y = affine.multiple(SECOND, tuple(curve.generator.values()))
    flags = SANITIZED if name in ("odd", "twisted") else ()
    compiler = "gcc" if name == "prime" else "clang-19"
    return build(
        folder, path, system, *flags, compiler=compiler, second=f"{x},{y}", change=with_few_points_in_buckets
    )


def test_every_tiny_case_is_there():
    assert {*SYSTEMS, "long halves"} == set(TINY)


def test_sums_of_all_pairs(tiny):
    affine, cases, points = tiny.affine, [], tiny.points
    for p in points:
        text = tiny.point(p)
        inside = has_order(affine, p, tiny.plan.order)
        neutral = p == affine.neutral
        cases += [
            (f"double {text}", tiny.point(affine.double(p))),
            (f"negate {text}", tiny.point(affine.negate(p))),
            (f"is_identity {text}", str(int(neutral))),
            (f"is_in_subgroup {text}", str(int(inside))),
            (f"clear_cofactor {text}", tiny.point(affine.multiple(tiny.plan.cofactor, p))),
            (f"validate {text}", text if inside and not neutral else "refused"),
        ]
        for q in points:
            other, difference = tiny.point(q), tiny.add(p, affine.negate(q))
            for suffix in ("", "_var"):
                cases.append((f"add{suffix} {text} {other}", tiny.point(tiny.add(p, q))))
                cases.append((f"subtract{suffix} {text} {other}", tiny.point(difference)))
            cases.append((f"equal {text} {other}", str(int(p == q))))
    assert tiny.differences(cases) == []


def test_all_multiples_of_all_points(tiny):
    cases, bound = [], min(2 * tiny.plan.order * tiny.plan.cofactor + 3, 1 << 8 * tiny.scalar_bytes)
    for p in tiny.points:
        for k in range(bound):
            expected = tiny.multiple(k, p)
            for function in ("multiply", "multiply_var", *(["coz_multiply"] * bool(tiny.plan.coz))):
                cases.append((f"{function} {tiny.scalar(k)} {tiny.point(p)}", tiny.point(expected)))
    assert tiny.differences(cases) == []


def test_all_multiples_of_the_generator_and_of_it_and_a_point(tiny):
    rng, cases = Random(1), []
    points, most = tiny.points, 1 << 8 * tiny.scalar_bytes
    for k in range(most):
        expected = tiny.multiple(k, tiny.generator)
        cases.append((f"multiply_generator {tiny.scalar(k)}", tiny.point(expected)))
        for q in rng.sample(points, 9):
            b = rng.randrange(most)
            both = tiny.add(expected, tiny.multiple(b, q))
            request = f"double_multiply_var {tiny.scalar(k)} {tiny.scalar(b)} {tiny.point(q)}"
            cases.append((request, tiny.point(both)))
    assert tiny.differences(cases) == []


def test_sums_of_many_multiples(tiny):
    affine, rng, cases = tiny.affine, Random(2), []
    points, most = tiny.points, 1 << 8 * tiny.scalar_bytes
    for count in (0, 1, 2, 3, 4, 5, 9, 30):
        for _ in range(8):
            chosen = [(rng.randrange(most), rng.choice(points)) for _ in range(count)]
            total = reduce(tiny.add, (tiny.multiple(k, p) for k, p in chosen), affine.neutral)
            pairs = [f"{tiny.scalar(k)} {tiny.point(p)}" for k, p in chosen]
            cases.append((" ".join(["multi_multiply_var", *pairs]), tiny.point(total)))
    assert tiny.differences(cases) == []


def test_multiples_of_two_fixed_points(tiny):
    cases, bound = [], 1 << 8 * tiny.scalar_bytes
    for a in range(bound):
        b = (5 * a + 2) % bound
        expected = tiny.multiple(a + SECOND * b, tiny.generator)
        cases.append((f"double_multiply_generators {tiny.scalar(a)} {tiny.scalar(b)}", tiny.point(expected)))
    assert tiny.differences(cases) == []


def test_points_by_one_coordinate(tiny):
    cases, short = [], tiny.plan.model == "shortw"
    for value in range(tiny.plan.curve.prime):
        for odd in (0, 1):
            found = [p for p in tiny.points if p and p[not short] == value and p[short] % 2 == odd]
            expected = tiny.point(found[0]) if found else "refused"
            cases.append((f"lift {tiny.element(value)} {odd}", expected))
            if found:
                drawn = f"ff{odd:02x}{value:02x}{odd:02x}"
                cases.append((f"random_point_by_lift {drawn}", expected))
    assert tiny.differences(cases) == []


def test_scalars_are_drawn_below_the_order(tiny):
    n, cases = tiny.plan.order, []
    for first in range(256):
        drawn, value = f"{first:02x}{5 << (-n.bit_length() % 8):02x}", first >> (-n.bit_length() % 8)
        k = value if 0 < value < n else 5
        cases.append((f"random_scalar {drawn}", tiny.scalar(k)))
        cases.append((f"random_point {drawn}", tiny.point(tiny.multiple(k, tiny.generator))))
    assert tiny.differences(cases) == []


def test_which_coordinates_are_of_a_point(tiny):
    prime, points = tiny.plan.curve.prime, set(tiny.points)
    cases = []
    for x in range(prime + 1):
        for y in range(prime + 1):
            p = (x, y)
            cases.append((f"from_affine {tiny.point(p)}", tiny.point(p) if p in points else "refused"))
    assert tiny.differences(cases) == []


def test_batches(tiny):
    points = tiny.points[:30]
    zero = "00" * 2 * tiny.plan.encoding.field
    expected = "".join(zero if p == INFINITY else tiny.point(p) for p in points)
    assert tiny.differences([(f"to_affine_batch {' '.join(map(tiny.point, points))}", expected)]) == []


def test_every_encoding_of_one_field_element_is_a_point_or_is_refused(tiny):
    points = [p for p in tiny.points if p != INFINITY]
    written = {tiny.encoded(p): p for p in points}
    assert len(written) == len(points)
    cases = [(f"encode {tiny.point(p)}", encoding.hex()) for encoding, p in written.items()]
    if tiny.plan.model == "shortw":
        plain = {b"\4" + bytes.fromhex(tiny.point(p)): p for p in points}
        cases += [(f"encode_uncompressed {tiny.point(p)}", encoding.hex()) for encoding, p in plain.items()]
        cases += [("encode O", "refused"), ("encode_uncompressed O", "refused")]
        written |= plain
        malformed = [b"\4" + bytes([x, y]) for x in range(64) for y in range(64)]
        cases += [(f"decode {m.hex()}", tiny.point(plain[m]) if m in plain else "refused") for m in malformed]
    for length in range(3):
        for number in range(256**length):
            encoding = number.to_bytes(length, "big")
            expected = tiny.point(written[encoding]) if encoding in written else "refused"
            cases.append((f"decode {encoding.hex()}", expected))
    cases.append(
        (f"encode_batch {' '.join(map(tiny.point, points[:30]))}", b"".join(list(written)[:30]).hex())
    )
    assert tiny.differences(cases) == []


def test_wire_format(tiny):
    size = tiny.plan.encoding.wire
    cases = [(f"wire {tiny.point(p)}", tiny.point(p)) for p in tiny.points]
    cases += [(f"decode_wire {'ff' * n}", "refused") for n in (0, 1, size - 1, size, size + 1)]
    if len(tiny.plan.representation.identity) > 2:
        cases.append((f"decode_wire {'00' * size}", "refused"))
    assert tiny.differences(cases) == []


def sum_case(subject, rng, count):
    """Return a request for a sum of multiples of G, 2*G, 3*G, …"""
    affine, pairs, total, point = subject.affine, [], 0, subject.generator
    for factor in range(1, count + 1):
        k = rng.randrange(subject.plan.order)
        pairs.append(f"{subject.scalar(k)} {subject.point(point)}")
        total += k * factor
        point = affine.add(point, subject.generator)
    expected = subject.multiple(total, subject.generator)
    return " ".join(["multi_multiply_var", *pairs]), subject.point(expected)


@pytest.mark.parametrize(("curve", "system", "compiler", "lowering", "bits"), LARGE)
def test_edges_of_large_curves(curve, system, compiler, lowering, bits, rng, tmp_path):
    level = ("-O1",) if lowering == "whole" else SANITIZED if curve in ("secp256k1", "Ed448") else ("-O0",)
    flags, layout = (*level, f"-DWHOLE_WORD_BITS={bits}"), "split" if bits == 32 else "header"
    found = build(tmp_path, curve, system, *flags, compiler=compiler, lowering=lowering, layout=layout)
    many = found.plan.multi.threshold + 1 if lowering == "whole" else 2
    assert found.differences([*edge_cases(found, rng), sum_case(found, rng, many)]) == []


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519"])
def test_tables_are_the_multiples(curve):
    """Every printed entry for the generator is the multiple that its place says."""
    plan = planned(curve, LARGE_SYSTEMS[curve], "medium")
    affine = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.prime, plan.curve.parameters)
    generator, comb, p = tuple(plan.curve.generator.values()), plan.generator.comb, plan.curve.prime
    factors = [m for block in range(comb.blocks) for m in comb.multiples(block)]
    places = [(comb_table(plan), factors), (odd_table(plan), range(1, 1 << plan.double.fixed_width, 2))]
    for table, multiples in places:
        for at in Random(3).sample(range(len(table)), ENTRIES):
            x, y = affine.multiple(multiples[at], generator)
            t = 2 * plan.curve.parameters.get("d", 0) * x * y
            niels = tuple(v % p for v in (y + x, y - x, t))
            assert table[at] == ((x, y) if curve == "secp256k1" else niels), at


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("whole_select(&sum, &twice, &sum, same);", ""),
        ("window ^ (0 - negative)", "window"),
        ("carry = digit >> (width - 1);", "carry = digit >> width;"),
        ("whole_select(r, &WHOLE_IDENTITY, &sum, neutral);", "*r = sum;"),
    ],
)
def test_a_defect_is_seen(right, wrong, tmp_path):
    def edit(text: str) -> str:
        assert text.count(right) >= 1
        return text.replace(right, wrong)

    flags = ("-Wno-unused-variable", "-Wno-unused-but-set-variable")
    path = tiny_file(tmp_path, "prime")
    tiny = build(tmp_path, path, "jacobian", *flags, compiler="clang-19", edit=edit)
    cases = []
    for p in tiny.points[:4]:
        for k in range(64):
            text, expected = f"{tiny.scalar(k)} {tiny.point(p)}", tiny.point(tiny.multiple(k, p))
            cases += [(f"multiply{v} {text}", expected) for v in ("", "_var")]
    assert tiny.differences(cases) != []
