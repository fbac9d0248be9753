"""Montgomery curves in C: all scalars and x-coordinates of tiny curves, edges of published ones."""

import pytest
from curve_cases import edge_ladder_cases
from whole_c import SANITIZED, build
from whole_curves import DATABASE

from efdgen.generator.curves.affine import INFINITY, AffineCurve

TINY = """name = "tiny"
model = "g1p/montgom"
prime = {p}
order = {order}
cofactor = {cofactor}
parameters = {{a = {a}, b = {b}}}
generator = {{x = {x}, y = {y}}}
"""
CASES = [(47, 3, 1, 11, 4), (53, 4, 2, 11, 4), (59, 14, 1, 7, 8)]


def tiny_file(folder, p, a, b, order, cofactor):
    affine = AffineCurve(DATABASE.model("g1p/montgom"), p, {"a": a, "b": b})
    x, y = next(q for q in affine.all_points() if affine.multiple(order, q) == INFINITY)
    path = folder / "tiny.toml"
    path.write_text(TINY.format(p=p, a=a, b=b, order=order, cofactor=cofactor, x=x, y=y))
    return str(path)


@pytest.fixture(scope="module", params=CASES, ids=str)
def tiny(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    flags = SANITIZED if request.param == CASES[1] else ()
    return build(folder, tiny_file(folder, *request.param), None, *flags)


def test_all_multiples_of_all_points(tiny):
    affine, cases = tiny.affine, []
    for q in tiny.points[1:]:
        expected = INFINITY
        for k in range(256):
            request = f"{tiny.scalar(k)} {tiny.point(q)}"
            cases.append((f"ladder_multiply {request}", tiny.point(expected)))
            if q == tiny.generator:
                cases.append((f"multiply {request}", tiny.point(expected)))
                cases.append((f"multiply_generator {tiny.scalar(k)}", tiny.point(expected)))
            x = 0 if expected == INFINITY else expected[0]
            cases.append((f"x_multiply {tiny.scalar(k)} {tiny.element(q[0])}", tiny.element(x)))
            expected = affine.add(expected, q)
    assert tiny.differences(cases) == []


def test_multiples_of_x_coordinates_of_the_twist(tiny):
    p, curve = tiny.plan.curve.prime, tiny.plan.curve.parameters
    b = next(b for b in range(2, p) if pow(b * curve["b"], (p - 1) // 2, p) == p - 1)
    twist = AffineCurve(DATABASE.model("g1p/montgom"), p, {"a": curve["a"], "b": b})
    cases = []
    for q in twist.all_points():
        expected = INFINITY
        for k in range(90):
            x = 0 if expected == INFINITY else expected[0]
            cases.append((f"x_multiply {tiny.scalar(k)} {tiny.element(q[0])}", tiny.element(x)))
            expected = twist.add(expected, q)
    assert tiny.differences(cases) == []


def test_which_coordinates_and_encodings_are_of_a_point(tiny):
    p, points = tiny.plan.curve.prime, set(tiny.points)
    cases = []
    for x in range(p + 1):
        for y in range(p + 1):
            expected = tiny.point((x, y)) if (x, y) in points else "refused"
            cases.append((f"from_affine {tiny.point((x, y))}", expected))
        for odd in (0, 1):
            found = [q for q in points - {INFINITY} if q[0] == x and q[1] % 2 == odd]
            if x < p:
                cases.append(
                    (f"lift_x {tiny.element(x)} {odd}", tiny.point(found[0]) if found else "refused")
                )
    written = {f"{q[0]:02x}" for q in points - {INFINITY}}
    texts = ["", "0000", *(f"{number:02x}" for number in range(256))]
    cases += [(f"decode {text}", text if text in written else "refused") for text in texts]
    assert tiny.differences(cases) == []


def test_scalars_are_drawn_below_the_order(tiny):
    n = tiny.plan.order
    size, order = n.bit_length(), range(1, n)
    cases = []
    for first in range(256):
        value = first >> (-size % 8)
        expected = value if value in order else 5
        cases.append((f"random_scalar {first:02x}{5 << (-size % 8):02x}", tiny.scalar(expected)))
    assert tiny.differences(cases) == []


@pytest.mark.parametrize(("curve", "compiler"), [("Curve25519", "clang-19"), ("Curve448", "gcc")])
def test_edges_of_large_curves(curve, compiler, rng, tmp_path):
    lowering = "whole" if curve == "Curve25519" else "calls"
    found = build(tmp_path, curve, None, "-O0", compiler=compiler, lowering=lowering)
    assert found.differences(edge_ladder_cases(found, rng)) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("last | order_two, &right", "0, &right"),
        ("swapped ^ bit", "bit"),
        ("order_two & odd", "order_two & (1 ^ odd)"),
    ],
)
def test_a_defect_is_seen(right, wrong, tmp_path):
    def edit(text: str) -> str:
        assert right in text
        return text.replace(right, wrong)

    path = tiny_file(tmp_path, *CASES[0])
    found, cases = build(tmp_path, path, compiler="clang-19", edit=edit), []
    for q in found.points[1:]:
        expected = INFINITY
        for k in range(256):
            cases.append((f"multiply {found.scalar(k)} {found.point(q)}", found.point(expected)))
            expected = found.affine.add(expected, q)
    assert found.differences(cases) != []
