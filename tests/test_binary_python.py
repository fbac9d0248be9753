"""Whole curves over GF(2^m) in Python: every function against the affine law, and encodings.

Points of tests are known by their discrete logarithms: a function returns a known multiple of the generator.
"""

import os
from dataclasses import replace
from random import Random

import pytest
from linters import mypy, ruff
from whole_curves import subject

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY
from efdgen.generator.files import render_plan
from efdgen.generator.planning.exported import exported

GENERATORS = {
    "B-233": "0300FAC9DFCBAC8313BB2139F1BB755FEF65BC391F8B36F8F8EB7371FD558B",
    "K-233": "02017232BA853A7E731AF129F22FF4149563A419C26BF50A4C9D6EEFAD6126",
    "sect113r1": "03009D73616F35F4AB1407D73562C10F",
    "sect163k1": "0302FE13C0537BBC11ACAA07D793DE4E6D5E5C94EEE8",
}
"""The encoded generators (SEC 2, version 1) of curves with cofactors 2 and 4, and a2 = 0, 1 and others."""

SEED = int(os.environ["EFDGEN_TEST_SEED"])


class Multiples:
    """The multiples of a curve's generator: as affine points, and as the module's in random coordinates."""

    def __init__(self, curve):
        self.subject, self.rng = subject(curve), Random(SEED)
        self.module, self.affine = self.subject.module, self.subject.affine
        self.field, self.order = self.affine.field, self.subject.plan.order
        self.known = {}

    def affine_at(self, k):
        """Return k·G by the affine law."""
        k %= self.order
        if k not in self.known:
            self.known[k] = self.affine.multiple(k, self.subject.generator)
        return self.known[k]

    def at(self, k):
        """Return k·G as a point of the module, with another Z for every call."""
        mul, scale = self.field.mul, self.rng.randrange(1, self.field.order)
        x, s, z, t = self.subject.lift(self.affine_at(k))
        square = mul(scale, scale)
        return self.module.Point(mul(x, scale), mul(s, square), mul(z, scale), mul(t, square))

    def differences(self, found, k):
        """Return the differences between a point and k·G."""
        wrong = [] if self.module.is_on_curve(found) else ["it is not on the curve"]
        return wrong + (["another point"] if self.subject.lower(found) != self.affine_at(k) else [])

    def even(self):
        """Return affine points of even order, also of the orders 2 and 4, by the affine law."""
        small = [*self.affine.points_with(0, 0)]
        if self.subject.plan.curve.cofactor == 4:
            # 2·(u, v) has the x-coordinate u² + a6/u², so that it is of order 2 for u⁴ = a6.
            root = self.field.square_root(self.field.square_root(self.affine.parameters["a6"]))
            small += self.affine.points_with(0, root)
        assert len(small) == self.subject.plan.curve.cofactor - 1
        return [*small, *(self.affine.add(self.affine_at(k), point) for k in (1, 5) for point in small)]

    def is_odd(self, point):
        """Return whether an affine point other than that of order 2 is a multiple of the generator."""
        return point[0] != 0 and self.affine.multiple(self.order, point) == INFINITY

    def encoded(self, point):
        """Return the compressed encoding of an affine point by SEC 1, 2.3.3."""
        x, y = point
        odd = self.field.mul(y, self.field.inv(x)) & 1
        return bytes([2 + odd]) + self.octets(x)

    def octets(self, *elements):
        """Return elements, each the most significant byte first."""
        return b"".join(value.to_bytes(self.field.bytes, "big") for value in elements)


@pytest.fixture(scope="module", params=GENERATORS)
def curve(request):
    return Multiples(request.param)


POINTS = {
    "add": lambda c, m, a, b: (m.add(c.at(a), c.at(b)), a + b),
    "subtract": lambda c, m, a, b: (m.subtract(c.at(a), c.at(b)), a - b),
    "double": lambda c, m, a, b: (m.double(c.at(a)), 2 * a),
    "negate": lambda c, m, a, b: (m.negate(c.at(a)), -a),
    "clear_cofactor": lambda c, m, a, b: (m.clear_cofactor(c.at(a)), m.COFACTOR * a),
    "multiply": lambda c, m, a, b: (m.multiply(a, c.at(b)), a * b),
    "multiply_add": lambda c, m, a, b: (m.multiply_add(a, c.at(b), c.at(a)), a * b + a),
    "multiply_var": lambda c, m, a, b: (m.multiply_var(a, c.at(b)), a * b),
    "multiply_generator": lambda c, m, a, b: (m.multiply_generator(a), a),
    "double_multiply_var": lambda c, m, a, b: (m.double_multiply_var(a, b, c.at(b)), a + b * b),
    "multi_multiply_var": lambda c, m, a, b: (
        m.multi_multiply_var([a, b, 7], [c.at(b), c.at(b), c.at(a)]),
        a * b + b * b + 7 * a,
    ),
    "decode_wire": lambda c, m, a, b: (m.decode_wire(m.encode_wire(c.at(a))), a),
}
"""Functions that return a point, with its multiple of the generator, for any two multiples."""

FINITE = {
    "validate": lambda c, m, k, p: (m.validate(c.at(k)), k),
    "from_affine": lambda c, m, k, p: (m.from_affine(*p), k),
    "lift_x": lambda c, m, k, p: (m.lift_x(p[0], c.encoded(p)[0] & 1), k),
    "decode": lambda c, m, k, p: (m.decode(c.encoded(p)), k),
}
"""Functions that return a point, for a multiple of the generator and its coordinates, not of the identity."""

VALUES = {
    "is_identity": lambda c, m, k: (m.is_identity(c.at(k)), not k),
    "equal": lambda c, m, k: ([m.equal(c.at(k), c.at(j)) for j in (k, -k, k + 1)], [True, not k, False]),
    "is_on_curve": lambda c, m, k: (m.is_on_curve(c.at(k)), True),
    "is_in_subgroup": lambda c, m, k: (m.is_in_subgroup(c.at(k)), True),
    "encode_wire": lambda c, m, k: (m.encode_wire(point := c.at(k)), c.octets(*point)),
}
"""Functions that return other values, with these, for a multiple of the generator."""

COORDINATES = {
    "to_affine": lambda c, m, k, p: (m.to_affine(c.at(k)), p),
    "to_affine_batch": lambda c, m, k, p: (m.to_affine_batch([c.at(k), c.at(1)]), [p, c.affine_at(1)]),
    "encode": lambda c, m, k, p: (m.encode(c.at(k)), c.encoded(p)),
    "encode_uncompressed": lambda c, m, k, p: (m.encode_uncompressed(c.at(k)), b"\4" + c.octets(*p)),
    "encode_batch": lambda c, m, k, p: (m.encode_batch([c.at(k)] * 2), [c.encoded(p)] * 2),
}
"""The same for a multiple other than the identity, and its coordinates."""

RANDOM = ("random_scalar", "random_point", "random_point_by_lift")


@pytest.mark.slow
def test_every_function_agrees_with_the_affine_law(curve):
    names = [e.name for e in exported(curve.subject.plan, "python")]
    assert sorted(names) == sorted([*POINTS, *FINITE, *VALUES, *COORDINATES, *RANDOM])
    n, rng, module = curve.order, curve.rng, curve.module
    some = [rng.randrange(n) for _ in range(2)]
    pairs = [
        (0, 0),
        (0, 3),
        (3, 0),
        (1, 1),
        (1, n - 1),
        (n - 1, 2),
        (*some,),
        (some[0],) * 2,
        (n, 5),
        (n + 1, 5),
    ]
    pairs.append((2 * n - 1, some[1]))
    wrong = []
    for name, call in POINTS.items():
        for a, b in pairs:
            wrong += [(name, a, b, why) for why in curve.differences(*call(curve, module, a, b))]
    for k in (1, 2, n - 1, *some):
        point = curve.affine_at(k)
        for name, call in FINITE.items():
            wrong += [(name, k, why) for why in curve.differences(*call(curve, module, k, point))]
        compared = {name: call(curve, module, k, point) for name, call in COORDINATES.items()}
        wrong += [(name, k) for name, (found, expected) in compared.items() if found != expected]
    for k in (0, 1, n - 1, *some):
        compared = {name: call(curve, module, k) for name, call in VALUES.items()}
        wrong += [(name, k) for name, (found, expected) in compared.items() if found != expected]
    assert wrong == [], SEED


@pytest.mark.slow
def test_sums_of_many_points_by_buckets(curve):
    least = curve.subject.plan.multi.threshold
    scalars = [curve.rng.randrange(curve.order) for _ in range(least)]
    multiples = [curve.rng.randrange(4) for _ in range(least)]
    total = sum(k * at for k, at in zip(scalars, multiples, strict=True))
    found = curve.module.multi_multiply_var(scalars, [*map(curve.at, multiples)])
    assert curve.differences(found, total) == [], SEED
    assert curve.module.is_identity(curve.module.multi_multiply_var([], []))
    with pytest.raises(ValueError, match="1 scalars for 0 points"):
        curve.module.multi_multiply_var([1], [])


@pytest.mark.slow
def test_points_at_random(curve):
    module, drawn = curve.module, Random(SEED)
    k = module.random_scalar(Random(SEED).randbytes)
    assert 0 < k < curve.order
    assert curve.differences(module.random_point(Random(SEED).randbytes), k) == []
    lifted = module.to_affine(module.random_point_by_lift(Random(SEED).randbytes))
    for number in iter(lambda: int.from_bytes(drawn.randbytes(curve.field.bytes + 1), "big"), None):
        points = curve.affine.points_with(0, number >> 8 & (1 << curve.field.degree) - 1)
        if found := [p for p in points if curve.is_odd(p) and curve.encoded(p)[0] & 1 == number & 1]:
            break
    assert found == [lifted], SEED


@pytest.mark.slow
def test_points_of_even_order_are_refused(curve):
    module = curve.module
    kernel = getattr(module, f"{curve.subject.plan.kernels.namespace}_convert_affine")
    points = curve.even()
    assert all(map(curve.affine.on_curve, points))
    for x, y in points:
        made = kernel(module.AffinePoint(x, y))
        assert not module.is_on_curve(made)
        assert not module.is_in_subgroup(made)
        calls = [
            lambda x=x, y=y: module.from_affine(x, y),
            lambda x=x, y=y: module.decode(b"\4" + curve.octets(x, y)),
            lambda made=made: module.decode_wire(module.encode_wire(made)),
            lambda made=made: module.validate(made),
            *(lambda x=x, odd=odd: module.lift_x(x, odd) for odd in (0, 1)),
            *(lambda x=x, tag=tag: module.decode(bytes([tag]) + curve.octets(x)) for tag in (2, 3)),
        ]
        for call in calls:
            with pytest.raises(ValueError, match=r"curve|coordinate|subgroup"):
                call()


@pytest.mark.slow
def test_coordinates_of_no_point_are_refused(curve):
    module, size, above, modulus = curve.module, curve.field.bytes, curve.field.order, curve.field.polynomial
    point = curve.at(3)
    x, y = curve.affine_at(3)
    changed = [
        point._replace(**{name: getattr(point, name) ^ 1 << bit}) for name in point._fields for bit in (0, 9)
    ]
    # T is X·Z in these.
    mul, wrong_x = curve.field.mul, curve.rng.randrange(1, above)
    changed.append(point._replace(X=wrong_x, T=mul(wrong_x, point.Z)))
    identity = module.IDENTITY
    changed += [module.Point(*[0] * 4), identity._replace(T=1), identity._replace(S=identity.S ^ 1)]
    changed += [point._replace(Z=0), point._replace(X=0, T=0), point._replace(X=point.X ^ modulus)]
    assert not any(map(module.is_on_curve, changed))
    wire = module.encode_wire(point)
    wrong = [wire[1:], wire + b"\0", bytes(len(wire)), *map(module.encode_wire, changed[:-1])]
    if curve.field.degree % 8:
        wrong.append(curve.octets(point.X ^ modulus) + wire[size:])
    for text in wrong:
        with pytest.raises(ValueError, match=r"not a point|not below"):
            module.decode_wire(text)
    none = next(v for v in range(1, above) if not [*curve.affine.points_with(0, v)])
    encoding = module.encode(point)
    texts = [b"", b"\0", encoding[1:], encoding + b"\0", b"\4" + encoding[1:], b"\5" + encoding[1:]]
    texts += [bytes([tag]) + curve.octets(v) for tag in (2, 3) for v in (0, none)]
    texts.append(b"\4" + curve.octets(x, y ^ 1))
    for text in texts:
        with pytest.raises(ValueError, match=r"\S"):
            module.decode(text)
    for call in (
        *(lambda v=v: module.lift_x(v, 0) for v in (-1, 0, none, above, x ^ modulus)),
        *(
            lambda p=p: module.from_affine(*p)
            for p in ((x, y ^ 1), (x ^ 1, y), (x ^ modulus, y), (x, y ^ modulus), (0, 0))
        ),
        *(
            lambda f=f: f(module.IDENTITY)
            for f in (module.to_affine, module.encode, module.encode_uncompressed)
        ),
        *(lambda f=f: f([point, module.IDENTITY]) for f in (module.to_affine_batch, module.encode_batch)),
        lambda: module.validate(module.IDENTITY),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            call()


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_generators_have_their_published_encodings(name):
    module = subject(name).module
    encoding = bytes.fromhex(GENERATORS[name])
    assert module.encode(module.GENERATOR) == encoding
    assert module.decode(encoding) == module.from_affine(*subject(name).generator)


TINY = {
    "a2 = 3, a6 = 32": "order = 67\ncofactor = 4\ngenerator = {x = 2, y = 116}\n",
    "a2 = 32, a6 = 1": "order = 113\ncofactor = 2\ngenerator = {x = 34, y = 135}\n",
}
"""Curves over GF(2^8), of even degree, by their parameters."""


@pytest.mark.slow
@pytest.mark.parametrize("parameters", TINY)
def test_all_points_of_tiny_curves(parameters, tmp_path):
    head = 'name = "tiny"\nmodel = "g12o/shortw"\npolynomial = "x^8 + x^4 + x^3 + x + 1"\n'
    (path := tmp_path / "tiny.toml").write_text(f"{head}parameters = {{{parameters}}}\n{TINY[parameters]}")
    tiny = subject(str(path))
    module, affine, order = tiny.module, tiny.affine, tiny.plan.order
    multiples = [affine.multiple(k, tiny.generator) for k in range(order)]
    points = [*map(tiny.lift, multiples)]
    assert [*map(tiny.lower, points)] == multiples
    for x in range(256):
        for y in range(256):
            if (x, y) not in multiples:
                with pytest.raises(ValueError, match="not a point"):
                    module.from_affine(x, y)
    found = {_decoded(module, bytes([tag, x])) for tag in range(5) for x in range(256)}
    assert found == {None, *multiples[1:]}
    for k, point in enumerate(points):
        sums = [tiny.lower(module.add(point, other)) for other in points]
        assert sums == multiples[k:] + multiples[:k]
        assert tiny.lower(module.multiply_generator(k)) == multiples[k]
        products = [tiny.lower(module.multiply(k, other)) for other in points[:5]]
        assert products == [multiples[k * n % order] for n in range(5)]


def _decoded(module, encoding):
    try:
        return tuple(module.to_affine(module.decode(encoding)))
    except ValueError:
        return None


@pytest.mark.slow
def test_modules_pass_the_linters_and_are_typed(tmp_path):
    for number, curve in enumerate(("sect113r1", "K-233")):
        prefix = f"c{number}"
        request = Request("python", curve, prefix=prefix, set="protocols", layout="module")
        for name, text in render_plan(replace(subject(curve).plan, prefix=prefix), request).items():
            (tmp_path / name.replace("driver", f"{prefix}_driver")).write_text(text)
    ruff(tmp_path)
    mypy(tmp_path)
