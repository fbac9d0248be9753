"""Traits of native crates in Rust, by generic functions: fields, groups and signatures.

Integers of Python answer for fields, the affine law for groups, and published crates for signatures.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from whole_drivers import differences
from whole_rust import Wanted, run_cargo, shared, write_workspace

from efdgen.generator.curves.affine import INFINITY, Point
from efdgen.generator.mathematics.primes import is_square
from efdgen.verify.vectors.whole_curve import WholeCurve

DRAWN = [
    *("BLS12-381", "brainpoolP384t1", "Curve41417", "E-222", "E-521", "Jubjub", "secp112r2"),
    *("edwards448", "prime239v1", "secp160r1", "secp224r1", "secp521r1", "STARK-curve"),
]
"""Curves of other sizes, cofactors and powers of 2 below a prime, one of which is drawn."""

CRATES = {
    "nist": "P-256",
    "koblitz": "secp256k1",
    "edwards": "edwards25519",
    "drawn": Random(os.environ["EFDGEN_TEST_SEED"]).choice(DRAWN),
}
MANIFEST = """[package]
name = "traits"
version = "0.0.0"
edition = "2021"

[dependencies]
ed25519-dalek = { version = "3", default-features = false }
ff = { version = "0.14", default-features = false }
group = { version = "0.14", default-features = false }
k256 = { version = "0.14", default-features = false, features = ["ecdsa", "schnorr"] }
p256 = { version = "0.14", default-features = false, features = ["ecdsa"] }
rand_core = "0.10"
sha2 = "0.11"
signature = "3"
drawn = { path = "../drawn", features = ["group"] }
"""
REFUSED = "refused"


@dataclass(frozen=True)
class Numbers:
    """A prime field and the encodings of its elements; numbers of ``uniform`` bytes are reduced."""

    modulus: int
    size: int
    big: bool

    @property
    def uniform(self) -> int:
        """Bytes that are 128 bits longer than the modulus, or twice as long if that is more."""
        bits = self.modulus.bit_length()
        return max(2 * -(-bits // 8), -(-(bits + 128) // 8))

    @property
    def order(self) -> Literal["big", "little"]:
        return "big" if self.big else "little"

    def text(self, value: int) -> str:
        return value.to_bytes(self.size, self.order).hex()


def fields(curve: WholeCurve) -> dict[str, Numbers]:
    """Return the fields of a curve's coordinates and scalars."""
    big = curve.model == "shortw"
    return {
        "element": Numbers(curve.curve.prime, curve.field_bytes, big),
        "scalar": Numbers(curve.order, curve.scalar_bytes, big),
    }


@pytest.fixture(scope="module")
def curves(cargo, tmp_path_factory) -> dict[str, WholeCurve]:
    """Build a program with crates; return their curves by names."""
    folder = tmp_path_factory.mktemp("traits")
    print(f"the drawn curve is {CRATES['drawn']}")
    wanted = [
        Wanted(name, curve, set="curve" if name == "drawn" else "protocols") for name, curve in CRATES.items()
    ]
    found = {name: subject.curve for name, subject in write_workspace(folder, wanted, "traits").items()}
    features = 'features = ["group", "signature", "zeroize"]'
    lines = [f'{name} = {{ path = "../{name}", {features} }}' for name in CRATES if name != "drawn"]
    (folder / "traits/src").mkdir(parents=True)
    (folder / "traits/Cargo.toml").write_text(MANIFEST + "\n".join([*lines, ""]))
    sizes = [numbers.uniform for numbers in fields(found["drawn"]).values()]
    (folder / "traits/src/sizes").write_text(f"{sizes}")
    for source, name in (("program", "main"), ("signatures", "signatures")):
        text = Path(__file__).with_name(f"rust_traits_{source}.rs").read_text()
        (folder / f"traits/src/{name}.rs").write_text(text)
    run_cargo(folder, "build", "--quiet", "-p", "traits")
    return found


def ask(request: str) -> str:
    """Return the answer to a request."""
    program = [shared() / "debug/traits"]
    done = subprocess.run(program, input=f"{request}\n", capture_output=True, text=True, check=True)
    return done.stdout.strip()


def require(name: str, kind: str, cases: Iterable[tuple[str, ...]]) -> None:
    """Have the program answer requests, each a function, its arguments and the answer."""
    asked = [
        (" ".join([name, kind, function, *(f"={argument}" for argument in arguments)]), answer)
        for function, *arguments, answer in cases
    ]
    assert asked
    assert differences(shared() / "debug/traits", asked) == []


PLACES = [(name, kind) for name in CRATES for kind in ("element", "scalar")]


@pytest.mark.parametrize(("name", "kind"), PLACES)
def test_constants_of_fields_are_those_of_their_definitions(name, kind, curves):
    numbers = fields(curves[name])[kind]
    modulus, *words = ask(f"{name} {kind} constants").split(" ")
    bits, capacity, s = (int(word) for word in words[:3])
    elements = [bytes.fromhex(word) for word in words[3:]]
    assert {len(element) for element in elements} == {numbers.size}
    zero, one, half, generator, root, inverse, delta = (
        int.from_bytes(element, numbers.order) for element in elements
    )
    p = numbers.modulus
    assert int(modulus, 16) == p
    assert (bits, capacity) == (p.bit_length(), p.bit_length() - 1)
    assert (p - 1) % 2**s == 0
    odd = (p - 1) >> s
    assert odd % 2 == 1
    assert (zero, one, 2 * half % p) == (0, 1, 1)
    assert not is_square(generator, p)
    assert all(pow(generator, (p - 1) // q, p) != 1 for q in (3, 5, 7, 11, 13, 17, 19) if (p - 1) % q == 0)
    assert root == pow(generator, odd, p)
    assert pow(root, 2 ** (s - 1), p) == p - 1
    assert root * inverse % p == 1
    assert delta == pow(generator, 2**s, p)


def of_elements(numbers: Numbers, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield operations on elements, among them 0, 1 and -1."""
    p, text = numbers.modulus, numbers.text
    values = [0, 1, p - 1, *(rng.randrange(p) for _ in range(4))]
    for a in values:
        x, inverse = text(a), pow(a, -1, p) if a else 0
        yield from (
            ("square", x, text(a * a % p)),
            ("cube", x, text(a**3 % p)),
            ("double", x, text(2 * a % p)),
            ("invert", x, text(inverse) if a else REFUSED),
            ("sqrt", x, x if is_square(a, p) else REFUSED),
            ("power", x, text(pow(a, 3 + 2**64, p))),
            ("is_zero", x, f"{int(a == 0)}"),
            ("is_odd", x, f"{a % 2}"),
            ("is_even", x, f"{1 - a % 2}"),
        )
        for b in values:
            y, equal = text(b), int(a == b)
            yield from (
                ("add", x, y, text((a + b) % p)),
                ("sub", x, y, text((a - b) % p)),
                ("mul", x, y, text(a * b % p)),
                ("sum", x, y, text((a + b) % p)),
                ("product", x, y, text(a * b % p)),
                ("equal", x, y, f"{equal}{equal}"),
                ("select", x, y, y if a % 2 else x),
            )


def ratios(numbers: Numbers, root: int, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield square roots of ratios, and for ratios without a root those of their products by a root of 1."""
    p, text = numbers.modulus, numbers.text
    values = [0, 1, p - 1, *(rng.randrange(1, p) for _ in range(4))]
    for a in values:
        for b in values:
            ratio = a * pow(b, -1, p) % p if b else 0
            square = is_square(ratio, p)
            is_root = square and (b != 0 or a == 0)
            yield (
                "sqrt_ratio",
                text(a),
                text(b),
                f"{int(is_root)} {text(ratio if square else ratio * root % p)}",
            )


def conversions(numbers: Numbers, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield encodings, among them numbers from the modulus on, and integers, digits and random bytes."""
    p, text = numbers.modulus, numbers.text
    for value in (0, 1, p - 1, p, p + 1, 256**numbers.size - 1, rng.randrange(p)):
        if value < 256**numbers.size:
            yield "read", text(value), text(value) if value < p else REFUSED
    for name, size in (("u64", 8), ("u128", 16)):
        for value in (0, 256**size - 1, rng.randrange(256**size)):
            yield name, value.to_bytes(size, "big").hex(), text(value % p)
    for digits, value in (("0", 0), (f"{p + 7}", 7), ("", None), ("01", None), ("1a", None)):
        yield "decimal", digits.encode().hex(), REFUSED if value is None else text(value)
    for data in (b"\xff" * numbers.uniform, bytes(numbers.uniform), rng.randbytes(numbers.uniform)):
        yield "uniform", data.hex(), text(int.from_bytes(data, "little") % p)
    size = -(-p.bit_length() // 8)
    high = 256**size - 2 ** p.bit_length()
    k, first = rng.randrange(p), p.to_bytes(size, "big")
    # Bits above those of the modulus are ignored, and numbers from the modulus on are drawn again.
    yield "random", (first + (k | high).to_bytes(size, "big")).hex(), text(k)
    yield "random", first.hex(), REFUSED


@pytest.mark.parametrize(("name", "kind"), PLACES)
def test_fields_compute_like_integers(name, kind, curves, rng):
    numbers = fields(curves[name])[kind]
    root = int.from_bytes(bytes.fromhex(ask(f"{name} {kind} constants").split(" ")[8]), numbers.order)
    require(name, kind, of_elements(numbers, rng))
    require(name, kind, ratios(numbers, root, rng))
    require(name, kind, conversions(numbers, rng))


def encoded(curve: WholeCurve, point: Point) -> str:
    """Write a point by the traits: an identity without coordinates is zeros."""
    return bytes(curve.encoded_bytes).hex() if point == INFINITY else curve.encoded(point).hex()


def drawn_points(curve: WholeCurve, rng: Random) -> list[Point]:
    """Return points of the subgroup, the identity among them, and any of the curve."""
    inside = curve.multiple(rng.randrange(1, curve.order), curve.generator)
    return [curve.affine.neutral, curve.generator, inside, curve.affine.random_point(rng)]


def of_points(curve: WholeCurve, points: list[Point], rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield sums and multiples of points."""
    affine, scalars = curve.affine, fields(curve)["scalar"]

    def text(point: Point) -> str:
        return encoded(curve, point)

    yield "identity", text(affine.neutral)
    yield "generator", text(curve.generator)
    for p in points:
        yield "read", text(p), text(p)
        yield "neg", text(p), text(affine.negate(p))
        yield "double", text(p), text(affine.double(p))
        yield "is_identity", text(p), f"{int(p == affine.neutral)}"
        for q in (*points, affine.negate(p)):
            yield from ((name, text(p), text(q), text(affine.add(p, q))) for name in ("add", "sum"))
            yield "sub", text(p), text(q), text(affine.add(p, affine.negate(q)))
        k = rng.randrange(curve.order)
        yield "multiple", text(p), scalars.text(k), text(affine.multiple(k, p))
    for k in (0, 1, curve.order - 1, rng.randrange(curve.order)):
        yield "generate", scalars.text(k), text(affine.multiple(k, curve.generator))


def of_affine_points(curve: WholeCurve, points: list[Point], rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield the requests that points in affine coordinates have as well."""
    for function, *arguments, answer in of_points(curve, points, rng):
        if function not in ("double", "generate"):
            yield function, *arguments, answer


def refused_points(curve: WholeCurve) -> Iterator[tuple[str, ...]]:
    """Yield encodings of no point."""
    size, prime = curve.encoded_bytes, curve.curve.prime
    texts = [b"\xff" * size, curve.encoded_by(prime, 0), curve.encoded_by(curve.coordinate_of_none, 0)]
    if curve.model == "shortw":
        good = curve.encoded(curve.generator)
        texts += [bytes([tag]) + good[1:] for tag in (0, 1, 4, 6)]
        texts += [bytes(size - 1) + b"\1"]
    else:
        texts += [curve.encoded_by(1, 1)]
    yield from (("read", text.hex(), REFUSED) for text in texts)


def random_points(curve: WholeCurve, rng: Random, *, cleared: bool) -> Iterator[tuple[str, ...]]:
    """Yield points by random bytes: the first number belongs to no point, another one to the identity."""
    size, known = curve.field_bytes, curve.affine.random_point(rng)
    at = int(curve.is_edwards)
    numbers = [(curve.coordinate_of_none, 0), *[(1, 0)] * curve.is_edwards, (known[at], known[1 - at] % 2)]
    drawn = b"".join(number.to_bytes(size, "big") + bytes([odd]) for number, odd in numbers)
    answer = curve.affine.multiple(curve.cofactor, known) if cleared else known
    yield "random", drawn.hex(), encoded(curve, answer)
    yield "random", drawn[:size].hex(), REFUSED


@pytest.mark.parametrize("name", CRATES)
def test_points_compute_by_the_affine_law(name, curves, rng):
    curve = curves[name]
    require(name, "point", of_points(curve, drawn_points(curve, rng), rng))
    require(name, "affine", of_affine_points(curve, drawn_points(curve, rng), rng))
    for kind in ("point", "affine"):
        require(name, kind, refused_points(curve))
    require(name, "point", random_points(curve, rng, cleared=False))


def of_subgroup(curve: WholeCurve, points: list[Point]) -> Iterator[tuple[str, ...]]:
    """Yield questions about the subgroup, to points inside and outside."""
    affine = curve.affine
    for p in points:
        text, inside = encoded(curve, p), curve.is_in_subgroup(p)
        cleared = affine.multiple(curve.cofactor, p)
        yield "clear", text, encoded(curve, cleared)
        yield "into_subgroup", text, text if inside else REFUSED
        yield "read", text, text if inside else REFUSED
        yield "is_torsion_free", text, f"{int(inside)}"
        yield "is_small_order", text, f"{int(cleared == affine.neutral)}"
        for q in filter(curve.is_in_subgroup, points):
            other = encoded(curve, q)
            yield "add_subgroup", text, other, encoded(curve, affine.add(p, q))
            yield "sub_subgroup", text, other, encoded(curve, affine.add(p, affine.negate(q)))
            yield "widen", other, other


@pytest.mark.parametrize("name", CRATES)
def test_subgroups_have_the_order_of_the_generator(name, curves, rng):
    curve = curves[name]
    points = drawn_points(curve, rng)
    small = curve.affine.multiple(curve.order, points[-1])
    require(name, "subgroup", of_subgroup(curve, [*points, small]))
    inside = [point for point in points if curve.is_in_subgroup(point)]
    require(name, "subgroup", of_points(curve, inside, rng))
    require(name, "subgroup", random_points(curve, rng, cleared=True))


SCHEMES = {
    "nist ecdsa": ("sign", "prehash"),
    "koblitz ecdsa": ("sign", "prehash"),
    "koblitz bip340": ("sign", "prehash"),
    "edwards eddsa": ("sign",),
}


def low(signature: str, order: int) -> str:
    """Return a signature by ECDSA with the lesser of s and -s."""
    s = int(signature[64:], 16)
    return signature[:64] + f"{min(s, order - s):064x}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_signatures_are_valid_by_published_crates(scheme, curves, rng):
    """k256 makes and accepts signatures by ECDSA with a low s alone, of which it has one of the same r."""
    order = curves[scheme.partition(" ")[0]].order
    for function in SCHEMES[scheme]:
        for length in (0, 1, 30, 200):
            k = rng.randrange(1, order).to_bytes(32, "big")
            answer = ask(f"{scheme} {function} ={k.hex()} ={rng.randbytes(length).hex()}")
            ours, theirs, verdicts = answer.split(" ")
            expected = low(ours, order) if scheme == "koblitz ecdsa" else ours
            assert theirs == expected
            assert verdicts == f"1{int(ours == expected)}00"


def test_signatures_by_secrets_that_are_no_keys_are_refused(curves):
    for scheme in ("nist ecdsa", "koblitz ecdsa", "koblitz bip340"):
        order = curves[scheme.partition(" ")[0]].order
        for k in (0, order, 2**256 - 1):
            assert ask(f"{scheme} sign ={k.to_bytes(32, 'big').hex()} =") == REFUSED


def test_keys_and_signatures_are_checked_when_they_are_read(curves):
    nist, koblitz, edwards = (curves[name] for name in ("nist", "koblitz", "edwards"))
    n, size = nist.order, 32
    pairs = [(r, s) for r in (0, 1, n - 1, n) for s in (0, 1, n - 1, n)]
    cases = [
        ("nist_signature", (r << 256 | s).to_bytes(64, "big"), 0 < r < n and 0 < s < n) for r, s in pairs
    ]
    cases += [("nist_signature", b"\1" * length, length == 64) for length in (0, 63, 64, 65)]
    cases += [("bip340_signature", b"\1" * length, length == 64) for length in (0, 63, 64, 65)]
    cases += [("eddsa_signature", b"\1" * length, length == 64) for length in (0, 63, 64, 65)]
    for curve, name in ((nist, "nist_key"), (edwards, "eddsa_key")):
        good = curve.encoded(curve.generator)
        none = curve.encoded_by(curve.coordinate_of_none, 0)
        cases += [
            (name, good, True),
            (name, good[:-1], False),
            (name, good + b"\0", False),
            (name, none, False),
        ]
    x, none = (v.to_bytes(size, "big") for v in (koblitz.generator[0], koblitz.coordinate_of_none))
    cases += [("bip340_key", x, True), ("bip340_key", none, False), ("bip340_key", b"\xff" * size, False)]
    cases += [("bip340_key", x[1:], False)]
    require("nist", "readable", [(name, text.hex(), f"{int(answer)}") for name, text, answer in cases])
