"""Montgomery curves in C: all scalars and x-coordinates of tiny curves, edges of published ones."""

import pytest
from tools import SANITIZED, UNOPTIMISED
from whole_c import build
from whole_curves import DATABASE

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.verify.vectors.whole_cases import all_rows

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
def tiny(request, cc, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    flags = SANITIZED if request.param == CASES[1] else ()
    return build(folder, tiny_file(folder, *request.param), None, *flags, compiler=cc)


def test_all_of_a_tiny_ladder(tiny, rng):
    assert tiny.differences(all_rows(tiny.curve, rng)) == []


@pytest.mark.parametrize(("curve", "compiler"), [("Curve25519", "clang"), ("Curve448", "cc")])
def test_edges_of_large_curves(curve, compiler, compilers, rng, tmp_path):
    lowering = "whole" if curve == "Curve25519" else "calls"
    found = build(tmp_path, curve, None, *UNOPTIMISED, compiler=compilers[compiler], lowering=lowering)
    assert found.differences(all_rows(found.curve, rng)) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("&right, &y, last | order_two", "&right, &y, 0"),
        ("swapped ^ bit", "bit"),
        ("order_two & odd", "order_two & (1 ^ odd)"),
    ],
)
def test_a_defect_is_seen(right, wrong, clang, same_rng, tmp_path):
    def edit(text: str) -> str:
        assert right in text
        return text.replace(right, wrong)

    path = tiny_file(tmp_path, *CASES[0])
    found = build(tmp_path, path, compiler=clang, edit=edit)
    assert found.differences(all_rows(found.curve, same_rng)) != []
