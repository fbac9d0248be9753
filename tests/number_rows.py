"""Requests to drivers in Rust: field elements and scalars, against Python's integers."""

from itertools import product

from efdgen.generator.mathematics.primes import is_square
from efdgen.verify.vectors.whole_curve import REFUSED

EXPONENTS = (b"", b"\0", b"\1", b"\2\0", b"\3\1")


def number_rows(curve, rng):
    """Yield functions with their arguments and answers."""
    yield from _arithmetic("element", curve.curve.prime, curve.element, rng)
    if curve.model != "montgom":
        yield from _arithmetic("scalar", curve.order, curve.scalar, rng)
        yield from _scalars(curve, rng)


def operators(a, b):
    """Return the result of the driver's operators, which are on values and references."""
    total, difference, product = a + b, a - b, a * b
    polynomial = total * difference + 2 * total - product - difference
    return polynomial * product * (product + 2 * b) * difference + total


def _numbers(modulus, rng):
    edges = {0, 1, 2, modulus // 2, modulus // 2 + 1, modulus - 2, modulus - 1}
    return sorted({n % modulus for n in edges} | {rng.randrange(modulus) for _ in range(4)})


def _arithmetic(kind, modulus, write, rng):
    numbers = _numbers(modulus, rng)
    for a, b in product(numbers, repeat=2):
        yield f"{kind}_add", write(a), write(b), write((a + b) % modulus)
        yield f"{kind}_subtract", write(a), write(b), write((a - b) % modulus)
        yield f"{kind}_multiply", write(a), write(b), write(a * b % modulus)
        yield f"{kind}_operators", write(a), write(b), write(operators(a, b) % modulus)
    for a in numbers:
        inverse = pow(a, -1, modulus) if a else 0
        yield f"{kind}_negate", write(a), write(-a % modulus)
        yield f"{kind}_invert", write(a), write(inverse)
        yield f"{kind}_invert_var", write(a), write(inverse)
        yield f"{kind}_is_odd", write(a), str(a % 2)
        for exponent in (*EXPONENTS, rng.randbytes(9)):
            power = pow(a, int.from_bytes(exponent, "little"), modulus)
            yield f"{kind}_pow_public", write(a), exponent.hex() or "-", write(power)


def _scalars(curve, rng):
    order, size, write = curve.order, curve.scalar_bytes, curve.scalar
    for a in _numbers(order, rng):
        yield "scalar_is_high", write(a), str(int(2 * a > order))
        yield "scalar_sqrt", write(a), write(a) if is_square(a, order) else REFUSED
    top = 256**size - 1
    for k in (0, order - 1, order, order + 1, top - top % 256, top):
        if k <= top:
            yield "scalar_from_bytes", write(k), write(k) if k < order else REFUSED
    for length in (0, 1, size - 1, size, size + 1, 2 * size - 1, 2 * size, 5 * size):
        for text in (b"\xff" * length, rng.randbytes(length)):
            number = int.from_bytes(text, "big" if curve.model == "shortw" else "little")
            yield "scalar_reduce", text.hex() or "-", write(number % order)
