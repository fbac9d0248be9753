"""Nonces that ECDSA rejects (RFC 6979, 3.2 h), in each language, on curves small enough to meet all kinds."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, product, repeat

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.curve import Curve
from efdgen.verify.vectors.drivers import Driver, build_driver
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

# Half of all numbers of nine bits are not below 257; on the last curve some x are not below the order.
CURVES = {
    "long": (
        "prime = 65539\norder = 65713\nparameters = {a = 31817, b = 27626}\ngenerator = {x = 0, y = 52991}"
    ),
    "half": "prime = 241\norder = 257\nparameters = {a = 5, b = 3}\ngenerator = {x = 0, y = 56}",
    "over": "prime = 521\norder = 503\nparameters = {a = 13, b = 11}\ngenerator = {x = 0, y = 191}",
}
KINDS = {"k = 0", "k >= n", "r = 0", "s = 0"}
LANGUAGES = ("c", "rust", "python")
# These signatures meet each kind of rejection that an order of nine bits allows.
SIGNATURES = 3000
HASHES = ("sha224", "sha256", "sha512")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return what prints the protocols of a curve in a language, and builds their driver."""
    folder = tmp_path_factory.mktemp("curves")

    @cache
    def built(language: str, name: str, text: str) -> tuple[WholeSubject, Driver]:
        path = folder / f"{name}.toml"
        path.write_text(f'name = "{name}"\nmodel = "g1p/shortw"\ncofactor = 1\n{text}\n')
        names = {"prefix": "whole", "set": "protocols", "table": "small", "lowering": "calls"}
        whole = whole_subject(DATABASE, Request(language, str(path), **names), [language])
        *_, protocols = whole.all_parts()
        return protocols, build_driver(language, protocols.files[language], tmp_path_factory.mktemp(name))

    return built


def drawn_curve(rng) -> str:
    """Return a curve of prime order over a drawn prime of nine or ten bits."""
    prime = rng.choice([p for p in range(300, 1024) if all(p % d for d in range(2, 32))])
    roots = {y * y % prime: y for y in range(prime)}
    pairs = [*product(range(1, prime), repeat=2)]
    rng.shuffle(pairs)
    for a, b in pairs:
        squares = [(x**3 + a * x + b) % prime for x in range(prime)]
        order = 1 + sum(1 if square == 0 else 2 for square in squares if square in roots)
        if (4 * a**3 + 27 * b**2) % prime and order != prime and order > 256 and is_prime(order):
            x, square = rng.choice([(x, square) for x, square in enumerate(squares) if square in roots])
            numbers = f"prime = {prime}\norder = {order}\nparameters = {{a = {a}, b = {b}}}"
            return f"{numbers}\ngenerator = {{x = {x}, y = {roots[square]}}}"
    raise AssertionError("a prime has a curve of prime order")


def is_prime(number: int) -> bool:
    return all(number % d for d in range(2, 40))


def abscissas(curve: Curve) -> list[int]:
    """Return the x-coordinates of k·G for k from 1 on, by the affine law."""
    affine = AffineCurve(DATABASE.model(curve.model), curve.field, curve.parameters)
    step = tuple(curve.generator.values())
    points = accumulate(repeat(step, curve.order - 1), affine.add)
    return [x for x, _ in points]


def leftmost(curve: Curve, text: bytes) -> int:
    """Return the leftmost bits of a string as a number (RFC 6979, 2.3.2)."""
    return int.from_bytes(text, "big") >> max(0, 8 * len(text) - curve.order.bit_length())


def candidates(curve: Curve, secret: int, message: bytes, name: str) -> Iterator[int]:
    """Yield the numbers that RFC 6979, 3.2, tries as nonces: each after all before it were rejected."""
    octets = (curve.order.bit_length() + 7) // 8
    hashed = leftmost(curve, hashlib.new(name, message).digest()) % curve.order
    seed = secret.to_bytes(octets, "big") + hashed.to_bytes(octets, "big")
    size = hashlib.new(name).digest_size
    value, key = b"\1" * size, b"\0" * size
    for mark in (0, 1):
        key = hmac.digest(key, value + bytes([mark]) + seed, name)
        value = hmac.digest(key, value, name)
    while True:
        text = b""
        while 8 * len(text) < curve.order.bit_length():
            value = hmac.digest(key, value, name)
            text += value
        yield leftmost(curve, text)
        key = hmac.digest(key, value + b"\0", name)
        value = hmac.digest(key, value, name)


def signed(curve: Curve, xs: list[int], secret: int, message: bytes, name: str) -> tuple[bytes, list[str]]:
    """Return r and s, and why the nonces before theirs were rejected."""
    order, rejected = curve.order, []
    octets = (order.bit_length() + 7) // 8
    e = leftmost(curve, hashlib.new(name, message).digest())
    for k in candidates(curve, secret, message, name):
        if not 0 < k < order:
            rejected.append("k >= n" if k else "k = 0")
            continue
        r = xs[k - 1] % order
        s = pow(k, -1, order) * (e + r * secret) % order
        if r and s:
            return r.to_bytes(octets, "big") + s.to_bytes(octets, "big"), rejected
        rejected.append("s = 0" if r else "r = 0")
    raise AssertionError("there is another nonce")


def requests(curve: Curve) -> tuple[dict[str, str], set[str]]:
    """Return requests with answers, up to four for each kind of rejection and for none, and the kinds."""
    xs, met, found = abscissas(curve), Counter(), {}
    octets = (curve.order.bit_length() + 7) // 8
    for number in range(SIGNATURES):
        secret, name = 1 + number % (curve.order - 1), HASHES[number % 3]
        message = number.to_bytes(4, "big")
        signature, rejected = signed(curve, xs, secret, message, name)
        kinds = {*rejected} or {""}
        if any(met[kind] < 4 for kind in kinds):
            request = f"ecdsa_sign {secret.to_bytes(octets, 'big').hex()} {message.hex()} {name}"
            found[request] = signature.hex()
            met.update(kinds)
    return found, met.keys() - {""}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("cc", "openssl", "cargo")
def test_every_rejection_of_a_nonce_renews_the_state(language, name, program):
    protocols, driver = program(language, name, CURVES[name])
    curve = protocols.curve.curve
    asked, kinds = requests(curve)
    assert kinds >= (KINDS if name != "long" else {"k >= n"})
    if name == "long":
        asked["ecdsa_sign 000023 48 sha256"] = "009bd000e2cb"
        known = (bytes.fromhex("009bd000e2cb"), ["r = 0", "k >= n", "k >= n"])
        assert signed(curve, abscissas(curve), 35, b"\x48", "sha256") == known
    assert dict(zip(asked, driver.ask(asked), strict=True)) == asked


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("cc", "openssl", "cargo")
def test_small_curves_answer_every_question_right(language, name, program):
    protocols, driver = program(language, name, CURVES[name])
    # One seed: with numbers of two bytes, a malformed signature in DER may happen to be a right one.
    suite = protocols.suite(1)
    answers = driver.ask(suite.requests(language))
    assert [result.function for result in suite.judge({language: answers}) if not result.ok] == []


@pytest.mark.drawn(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("cc", "openssl", "cargo")
def test_a_drawn_curve_signs_as_rfc_6979_says(language, program, rng):
    protocols, driver = program(language, "drawn", drawn_curve(rng))
    asked, kinds = requests(protocols.curve.curve)
    assert kinds
    assert dict(zip(asked, driver.ask(asked), strict=True)) == asked
