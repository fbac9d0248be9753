"""Montgomery curves in Python: all scalars and x-coordinates of tiny curves, edges of published ones."""

import types

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.files import render_plan
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.scalars.reasons import require_safe

TINY = """name = "tiny"
model = "g1p/montgom"
prime = {p}
order = {order}
cofactor = {cofactor}
parameters = {{a = {a}, b = {b}}}
generator = {{x = {x}, y = {y}}}
"""


def ladder_module(path):
    request = Request("python", str(path), prefix="whole", set="curve", layout="module")
    plan = plan_curve(DATABASE, request, unproved, require_safe)
    module = types.ModuleType("whole")
    exec(compile(render_plan(plan, request)["whole.py"], "whole.py", "exec"), vars(module))
    return module, AffineCurve(DATABASE.model("g1p/montgom"), plan.curve.prime, plan.curve.parameters)


@pytest.fixture(params=[(47, 3, 1, 11, 4), (47, 22, 1, 7, 8), (53, 4, 2, 11, 4), (59, 14, 1, 7, 8)], ids=str)
def tiny(request, tmp_path):
    p, a, b, order, cofactor = request.param
    affine = AffineCurve(DATABASE.model("g1p/montgom"), p, {"a": a, "b": b})
    points = [INFINITY, *affine.all_points()]
    x, y = next(q for q in points[1:] if affine.multiple(order, q) == INFINITY)
    path = tmp_path / "tiny.toml"
    path.write_text(TINY.format(p=p, a=a, b=b, order=order, cofactor=cofactor, x=x, y=y))
    module, affine = ladder_module(path)
    return module, affine, points


def test_all_multiples_of_all_points(tiny):
    module, affine, points = tiny
    assert len(points) == module.ORDER * module.COFACTOR
    for q in points:
        given = None if q == INFINITY else module.from_affine(*q)
        expected = INFINITY
        for k in range(2 * len(points) + 2):
            found = module.ladder_multiply(k, given)
            assert (INFINITY if found is None else tuple(map(int, found))) == expected, (k, q)
            if q != INFINITY:
                assert module.x_multiply(k, q[0]) == (0 if expected == INFINITY else expected[0]), (k, q)
            expected = affine.add(expected, q)


def test_multiples_of_x_coordinates_of_the_twist(tiny):
    module, _, points = tiny
    p, a = int(module.P), int(module.A)
    b = next(b for b in range(2, p) if pow(b * int(module.B), (p - 1) // 2, p) == p - 1)
    twist = AffineCurve(DATABASE.model("g1p/montgom"), p, {"a": a, "b": b})
    on_curve = {q[0] for q in points[1:]}
    for q in twist.all_points():
        assert q[0] not in on_curve or q[1] == 0
        expected = INFINITY
        for k in range(90):
            assert module.x_multiply(k, q[0]) == (0 if expected == INFINITY else expected[0]), (k, q)
            expected = twist.add(expected, q)


def test_encodings_of_x_coordinates(tiny):
    module, _, points = tiny
    written = {module.encode(q[0]) for q in points[1:]}
    for number in range(256):
        encoding = bytes([number])
        if encoding in written:
            assert module.encode(module.decode(encoding)) == encoding
        else:
            with pytest.raises(ValueError, match=r"\S"):
                module.decode(encoding)
    for wrong in (b"", bytes(2)):
        with pytest.raises(ValueError, match="length"):
            module.decode(wrong)


@pytest.mark.parametrize("curve", ["Curve25519", "Curve448"])
def test_edges(curve):
    module, affine = ladder_module(curve)
    n, generator = module.ORDER, tuple(map(int, module.GENERATOR))
    for k in (0, 1, 2, n - 1, n, n + 1, n * module.COFACTOR - 1, (1 << 8 * module.SCALAR_BYTES) - 1):
        expected = affine.multiple(k, generator)
        found = module.multiply_generator(k)
        assert (INFINITY if found is None else tuple(map(int, found))) == expected, k
        assert module.x_multiply(k, generator[0]) == (0 if expected == INFINITY else expected[0])
