"""Binary fields, and curves over them: arithmetic by other definitions, published points, files that lie."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import cryptography_vectors
import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import checked_curve, load_curve
from efdgen.generator.curves.weierstrass import weierstrass_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.binary import BinaryField, is_irreducible, polynomial_text, read_polynomial
from efdgen.generator.mathematics.polynomial import RationalFunctions
from efdgen.generator.programs.solve import solutions

VECTORS = Path(cryptography_vectors.__file__).parent
POLYNOMIALS = [
    *("x^2 + x + 1", "x^3 + x + 1", "x^4 + x + 1", "x^8 + x^4 + x^3 + x + 1"),
    *("x^113 + x^9 + 1", "x^254 + x^7 + x^2 + x + 1", "x^571 + x^10 + x^5 + x^2 + 1"),
]
HONEST = """\
name = "honest"
model = "g12o/shortw"
polynomial = "x^5 + x^2 + 1"
order = 11
cofactor = 2
parameters = {a2 = "1", a6 = "1"}
generator = {x = "x^3", y = 23}
"""


def schoolbook(left: int, right: int, modulus: int) -> int:
    """Return a product of polynomials, bit by bit, by lists of coefficients."""
    degree = modulus.bit_length() - 1
    coefficients = [0] * (2 * degree)
    for i in range(degree):
        for j in range(degree):
            coefficients[i + j] += (left >> i & 1) * (right >> j & 1)
    for place in range(2 * degree - 1, degree - 1, -1):
        for i in range(degree + 1):
            coefficients[place - degree + i] += (coefficients[place] % 2) * (modulus >> i & 1)
    return sum((coefficient % 2) << i for i, coefficient in enumerate(coefficients[:degree]))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("text", POLYNOMIALS)
def test_fields_by_their_definitions(text: str, rng) -> None:
    modulus = read_polynomial(text)
    assert polynomial_text(modulus) == text
    assert is_irreducible(modulus)
    field = BinaryField(modulus)
    for _ in range(20):
        a, b = rng.randrange(1, field.order), rng.randrange(field.order)
        assert field.mul(a, b) == schoolbook(a, b, modulus)
        assert field.square(a) == field.mul(a, a) == field.power(a, 2)
        assert field.mul(a, field.inv(a)) == 1
        assert field.square(field.square_root(a)) == a
        assert field.power(a, field.order - 1) == 1
        root = field.solve(a)
        assert (root is None) is (field.trace(a) == 1)
        assert root is None or field.square(root) ^ root == a
    assert field.solve(field.square(b) ^ b) in {b, b ^ 1}
    with pytest.raises(ZeroDivisionError):
        field.inv(0)
    assert [field.constant(Fraction(n, 3)) for n in range(-2, 3)] == [0, 1, 0, 1, 0]


def test_traces_are_sums_of_conjugates() -> None:
    fields = [BinaryField(polynomial) for polynomial in range(4, 512) if is_irreducible(polynomial)]
    for field in (*fields, *(BinaryField(read_polynomial(text)) for text in POLYNOMIALS[4:6])):
        for value in (1 << place for place in range(field.degree)):
            total, power = 0, value
            for _ in range(field.degree):
                total, power = total ^ power, field.square(power)
            assert field.trace(value) == total, (field.polynomial, value)


def test_products_of_aes() -> None:
    """FIPS 197, section 4.2, and the inverse of its S-box's example."""
    field = BinaryField(0x11B)
    assert field.mul(0x57, 0x83) == 0xC1
    assert field.mul(0x57, 0x13) == 0xFE
    assert field.inv(0x53) == 0xCA


def test_irreducible_polynomials_are_as_many_as_necklaces() -> None:
    counts = [sum(map(is_irreducible, range(1 << m, 2 << m))) for m in range(1, 10)]
    assert counts == [2, 1, 2, 3, 6, 9, 18, 30, 56]
    assert not is_irreducible(1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x^2 + x + x", "the term x occurs twice"),
        ("x^1025 + x + 1", "the degree is 1025; it must be at most 1024"),
        ("x^3 - 1", "expected a sum such as"),
        ("", "expected a sum such as"),
        ("x^³ + 1", "expected a sum such as"),
        ("2", "expected a sum such as"),
    ],
)
def test_texts_that_are_no_polynomials(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_polynomial(text)


def test_roots_of_a_polynomial_are_all(rng) -> None:
    field = BinaryField(read_polynomial("x^113 + x^9 + 1"))
    functions = RationalFunctions(field)
    for size in (1, 2, 3, 5):
        roots = sorted({rng.randrange(field.order) for _ in range(size)})
        polynomial = functions.element(rng.randrange(1, field.order))
        for root in (*roots, roots[0]):
            polynomial = functions.mul(polynomial, functions.polynomial((root, 1)))
        assert functions.zeros(polynomial) == roots
    tiny = BinaryField(0b1011)
    functions = RationalFunctions(tiny)
    for a, b, c, d in product(range(8), range(8), range(8), (0, 1)):
        zeros = [t for t in range(8) if a ^ tiny.mul(t, b ^ tiny.mul(t, c ^ tiny.mul(t, d))) == 0]
        cubic = functions.polynomial((a, b, c, d))
        assert functions.zeros(cubic) == (zeros if a or b or c or d else None)
        assert [t for t in range(8) if functions.value(cubic, t) == 0] == zeros
    assert functions.value(functions.inv(functions.unknown), 0) is None


@pytest.mark.parametrize("model", ["shortw", "edwards", "hessian"])
def test_the_affine_law_is_a_group(model: str, database: Database, rng) -> None:
    field = BinaryField(0b100101)
    found = database.model(f"g12o/{model}")
    while True:
        parameters = {name: rng.randrange(1, 32) for name in found.parameters}
        form = weierstrass_curve(found, field, parameters)
        if form.discriminant:
            break
    print(parameters)
    curve = AffineCurve(found, field, parameters)
    points = list(curve.all_points())
    assert all(curve.on_curve(point) for point in points)
    assert points == sorted(
        tuple(names[c] for c in found.coordinates)
        for names in solutions(found.equations, parameters, found.coordinates, field, lambda _: range(32))
    )
    if model == "shortw":
        assert len(points) + 1 == form.count_points()
        for p in points:
            assert curve.add(p, curve.negate(p)) == curve.neutral
            for q in rng.sample(points, 3):
                assert curve.on_curve(curve.add(p, q))
                assert curve.add(p, q) == curve.add(q, p)
                assert curve.add(curve.add(p, q), points[0]) == curve.add(p, curve.add(q, points[0]))


def published_keys() -> dict[str, tuple[int, int, int]]:
    """Return the first key pair of each binary curve in NIST's file: secret, and public coordinates."""
    text = (VECTORS / "asymmetric/ECDSA/FIPS_186-3/KeyPair.rsp").read_text()
    found = {}
    for name, rest in re.findall(r"^\[([KB]-\d+)\]$(.*?)(?=^\[[KBP]-|\Z)", text, re.MULTILINE | re.DOTALL):
        values = dict(re.findall(r"^(d|Qx|Qy) = ([0-9a-f]+)$", rest, re.MULTILINE)[:3])
        found[name] = (int(values["d"], 16), int(values["Qx"], 16), int(values["Qy"], 16))
    return found


@pytest.mark.slow
@pytest.mark.long
def test_published_keys_are_multiples_by_the_affine_law(database: Database) -> None:
    keys = published_keys()
    assert len(keys) == 10
    for name, (secret, *public) in keys.items():
        curve = checked_curve(name)
        assert curve.generator is not None
        group = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
        generator = curve.generator["x"], curve.generator["y"]
        assert group.multiple(secret, generator) == tuple(public), name


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("x^5 + x^2 + 1", "x^5 + x^2", "the polynomial is not irreducible"),
        ("x^5 + x^2 + 1", "x^5 + x^4 + 1", "the polynomial is not irreducible"),
        ("x^5 + x^2 + 1", "x", "the polynomial has degree 1; it must be 2 to 1024"),
        ("x^5 + x^2 + 1", "1", "the polynomial has degree 0; it must be 2 to 1024"),
        ("x^5 + x^2 + 1", "x^2000 + 1", "the degree is 2000; it must be at most 1024"),
        ('a6 = "1"', "a6 = 32", "a6 has 6 bits; GF(2^5) has 5"),
        ('a6 = "1"', 'a6 = "x^5"', "a6 has 6 bits; GF(2^5) has 5"),
        ('a6 = "1"', "a6 = -1", "a6 must be an integer in [0, 2^m), or a polynomial in x"),
        ('a6 = "1"', 'a6 = "1/3"', "a6 must be an integer in [0, 2^m), or a polynomial in x"),
        ('a6 = "1"', "a6 = 0", "the curve is singular"),
        ("y = 23", "y = 16", "the generator is not on the curve"),
        ("order = 11", "order = 13", "the order is wrong"),
        ("cofactor = 2", "cofactor = 4", "the cofactor is wrong: the curve has 22 points"),
        ("polynomial =", "prime = 2\npolynomial =", "give its polynomial, no prime"),
        ('polynomial = "x^5 + x^2 + 1"\n', "", "cannot read the polynomial"),
    ],
)
def test_files_that_lie(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert HONEST.count(old) == 1
    (tmp_path / "curve.toml").write_text(HONEST.replace(old, new))
    with pytest.raises(TextError, match=re.escape(reason)):
        checked_curve(str(tmp_path / "curve.toml"))


def test_a_curve_over_a_binary_field_is_not_compiled(tmp_path: Path, efdgen) -> None:
    (tmp_path / "curve.toml").write_text(HONEST)
    with pytest.raises(EfdgenError, match=re.escape("honest is over GF(2^5); this needs a field GF(p)")):
        load_curve(str(tmp_path / "curve.toml"))
    said = efdgen("curves", "check", tmp_path / "curve.toml").out
    assert said.startswith("honest: irreducible polynomial, not singular, generator on the curve, prime")
    assert "polynomial   x^5 + x^2 + 1 (5 bits)" in efdgen("curves", "show", tmp_path / "curve.toml").out
