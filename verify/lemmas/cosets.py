"""Lemmas on encodings of cosets (RFC 9496): each coset of points that are twice others has one.

Together they say that bytes are accepted exactly where they are the encoding of a coset, of which a point is
then returned. Squares are shown by their roots, as functions of coordinates.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.coset_points import rotates
from efdgen.verify.lemmas.coset_run import ZEROS, CosetRun, every_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.prover import Prover

_HIGH = 0xFE
_P, _Q = "p", "q"
_Rooted: TypeAlias = "tuple[Ratio, Ratio, Ratio]"
"""The coordinates of a point, and a root."""


def encoded(prover: Prover, name: str) -> None:
    """Prove that a function returns one encoding for each coset, from which one of its points is decoded.

    Refused are points with 1 - y^2 over a - d no square: none of these is twice another.
    """
    count = 4 if rotates(prover) else 2
    every_point: list[tuple[str, Callable[[CosetRun], str]]] = [
        *((f"P = T{at}", partial(_encoded_zero, name=name, at=at)) for at in range(count)),
        ("any P with an encoding, as a function of s", _is_rational),
        ("any P with an encoding", partial(_decoded_again, name=name)),
        *((f"P + T{at} for such P", partial(_encoded_alike, name=name, at=at)) for at in range(1, count)),
        ("P = 2*Q", partial(_encoded_double, name=name)),
        ("any P without an encoding", partial(_not_encoded, name=name)),
    ]
    every_case(prover, name, every_point)


def _encoded_zero(run: CosetRun, name: str, at: int) -> str:
    run.point(_P, *run.coset(run.elements.zero, run.number(1))[at])
    data, exists = run.call(name, _P)
    return "" if exists and run.vanishes(run.decoded(data)) else "it returns another encoding"


def _decoded_again(run: CosetRun, name: str) -> str:
    """Follow the encoding of any point of a coset that has one, but that of 0, and back."""
    every_root = _with_root(run)
    run.roots = roots_to_encode(run, every_root)
    run.high = _HIGH * run.facts.choose("the first byte has high bits")
    data, exists = run.call(name, _P)
    if not exists:
        return "it is refused"
    run.roots = _roots_to_decode(run, every_root, run.decoded(data))
    found, exists = run.call(f"{run.group.prefix}_decode", data)
    if not exists:
        return "its encoding is refused"
    return "" if run.is_in_coset(run.points[found][:2], run.points[_P][:2]) else "another point is decoded"


def _encoded_alike(run: CosetRun, name: str, at: int) -> str:
    """Follow two points of a coset to one encoding."""
    every_root = _with_root(run)
    run.point(_Q, *run.coset(*run.points[_P][:2])[at], "z2")
    run.roots = roots_to_encode(run, every_root)
    (data, _), (other, exists) = run.call(name, _P), run.call(name, _Q)
    if not exists or not run.vanishes(run.decoded(data) - run.decoded(other)):
        return "it returns another encoding"
    return ""


def _encoded_double(run: CosetRun, name: str) -> str:
    """Follow twice any point that is not of the coset of 0, so that x*y is not 0; the law is complete."""
    x, y = run.any_point(1, _Q)
    one, a, d = map(run.number, (1, run.a, run.d))
    both = d * x * x * y * y
    for value in (x, y, one + both, one - both, *[y * y - a * x * x] * run.group.rotates):
        run.elements.assume(value.numerator)
    doubled = run.number(2) * x * y * run.over(one + both), (y * y - a * x * x) * run.over(one - both)
    run.point(_P, *doubled)
    root = (one - both) * run.over(run.number(2) * x * y)
    scale = (
        run.constants["INVSQRT_A_MINUS_D"] if run.group.rotates else run.over(run.constants["ONE_MINUS_D"])
    )
    run.roots = roots_to_encode(run, [(*doubled, root * scale)])
    anything = run.number(0)
    run.leaves |= {
        "low_bit": lambda _: [0],
        "with_low_bit": lambda value, odd: [anything],
        "fe_to_bytes": lambda value: [anything],
    }
    _, exists = run.call(name, _P)
    return "" if exists else "it is refused"


def _not_encoded(run: CosetRun, name: str) -> str:
    """Follow any point that has no encoding, outside the coset of 0."""
    x, y = run.any_point(1, _P)
    for value in (x, *[y] * run.group.rotates):
        run.elements.assume(value.numerator)
    run.is_square = 0
    data, exists = run.call(name, _P)
    return "it is not refused" if exists or not run.vanishes(run.decoded(data)) else ""


def _with_root(run: CosetRun) -> list[_Rooted]:
    """Return the points of any coset with an encoding, other than that of 0, each with a root for its own y.

    The root is of 1/(1 - y^2), where a - d is a square, or that over a - d. As (1 - y^2)*(1 - a*x^2) is
    (a - d)*x^2*y^2, the points with an encoding are whole cosets.
    """
    x, y, g = _rational(run)
    run.point(_P, x, y)
    found = [(u, v, g) for u, v in run.coset(x, y)]
    if run.group.rotates:
        one = run.number(1)
        turned = g * (one - y * y) * run.constants["INVSQRT_A_MINUS_D"] * run.over(x * y)
        found[2:] = [(u, v, turned) for u, v, _ in found[2:]]
    return found


def _rational(run: CosetRun) -> _Rooted:
    """Return any point with an encoding, but that of 0, by s and a root of 1/w(s), and its own root."""
    s, one = run.name("s"), run.number(1)
    above, below = one - s * s, one + s * s
    for value in (s, below, *[above] * run.group.rotates):
        run.elements.assume(value.numerator)
    g = run.root_of(run.over(_under_root(run, s)))
    if run.group.rotates:
        return run.number(2) * s * g, above * run.over(below), below * run.over(run.number(2) * s)
    root = run.over(run.number(2) * s * g * run.constants["ONE_MINUS_D"])
    return run.number(2) * s * run.over(below), above * g, root


def _under_root(run: CosetRun, s: Ratio) -> Ratio:
    """Return w(s): 4*s^2 over x^2, or (1 - s^2)^2 over y^2; it is not 0, because d is not a square."""
    one, d = run.number(1), run.number(run.d)
    minus, plus = (one - s * s) * (one - s * s), (one + s * s) * (one + s * s)
    found = -d * minus - plus if run.group.rotates else plus - run.number(4) * d * s * s
    if is_square(run.d, run.prime):
        raise RoutineError("d is a square")
    run.elements.assume(found.numerator)
    return found


def _is_rational(run: CosetRun) -> str:
    """Follow any point with an encoding, but that of 0, to the s of which it is a function."""
    x, y = run.any_point(1, _P)
    one, two, g, c = run.number(1), run.number(2), run.name("g"), run.number(1 - run.d)
    for value in (x, *[y] * run.group.rotates):
        run.elements.assume(value.numerator)
    if run.group.rotates:
        run.elements.relate([(g * g * (one - y * y) - one).numerator])
        s = (one - y) * g
        wrong = [y * (one + s * s) - (one - s * s), x * x * _under_root(run, s) - two * two * s * s]
    else:
        run.elements.relate([(g * g * (one - y * y) * c - one).numerator])
        s = (one - c * x * y * g) * run.over(x)
        root = two * s * c * g
        wrong = [x * (one + s * s) - two * s, y * root - (one - s * s), root * root - _under_root(run, s)]
    return "" if all(map(run.vanishes, wrong)) else "it is no function of s"


def roots_to_encode(run: CosetRun, every_root: list[_Rooted]) -> list[Ratio]:
    """Return the roots that encodings take, for the scales of both points."""
    over = [run.over(run.name(scale)) for scale in ("z1", "z2")]
    if run.group.rotates:
        return [g * run.over(x * y) * z * z * z for x, y, g in every_root for z in over]
    return [g * run.over(x * x) * z * z for x, _, g in every_root for z in over]


def _roots_to_decode(run: CosetRun, every_root: list[_Rooted], s: Ratio) -> list[Ratio]:
    """Return the roots that are taken of the encoding of a coset."""
    one, four = run.number(1), run.over(run.number(4))
    if run.group.rotates:
        return [x * (one + y) * (one + y) * g * four for x, y, g in every_root]
    return [x * four * run.over(s * s * run.constants["ONE_MINUS_D"] * g) for x, _, g in every_root]


def decoded(prover: Prover, name: str) -> None:
    """Prove that a function returns a point of the coset with an encoding, and none for any other bytes."""
    refused = [
        (f"{'a' if fits else 'no'} number in [0, p), the first byte {first}", fits, first)
        for fits, first in ((0, 0), (0, 1), (1, 1), (1, 0xFF))
    ]
    every_case(
        prover, name, [(title, partial(_refused, name=name, fits=f, first=b)) for title, f, b in refused]
    )
    kinds = {
        "0": _zero_decoded,
        "s with 1 + s^2 = 0": _imaginary,
        "s and no square": _not_square,
        "s": _encoded_again,
    }
    every_case(prover, name, [(title, partial(follow, name=name)) for title, follow in kinds.items()])


def _refused(run: CosetRun, name: str, fits: int, first: int) -> str:
    """Follow bytes that are not of an even number in [0, p)."""
    s = run.name("s")
    data = run.encoding(s, first)
    run.leaves["fe_from_bytes"] = lambda given: [s if fits else run.elements.zero, fits * (given == data)]
    run.leaves["fe_sqrt_ratio_z"] = lambda a, b: [run.name("g"), 1]
    return _is_refused(run.call(name, data))


def _is_refused(found: list[Any]) -> str:
    return "" if found == [ZEROS, 0] else "it is not refused"


def _zero_decoded(run: CosetRun, name: str) -> str:
    zero, one = run.elements.zero, run.number(1)
    run.roots = [run.constants["INVSQRT_A_MINUS_D"] if run.group.rotates else one]
    found, exists = run.call(name, run.encoding(zero, 0))
    return (
        "" if exists and run.is_in_coset(run.points[found][:2], (zero, one)) else "another point is decoded"
    )


def _imaginary(run: CosetRun, name: str) -> str:
    s = run.name("s")
    run.elements.relate([(s * s + run.number(1)).numerator])
    return _is_refused(run.call(name, run.encoding(s, 0)))


def _not_square(run: CosetRun, name: str) -> str:
    run.is_square = 0
    return _is_refused(run.call(name, run.encoding(run.name("s"), 0)))


def _encoded_again(run: CosetRun, name: str) -> str:
    """Follow any even number but 0 where w(s) is a square, and the encoding of the point that is returned."""
    s, one, two = run.name("s"), run.number(1), run.number(2)
    below = one + s * s
    for value in (s, below):
        run.elements.assume(value.numerator)
    g = run.root_of(run.over(_under_root(run, s)))
    run.even(s)
    run.roots = [g * run.over(below)]
    found, exists = run.call(name, run.encoding(s, _HIGH * run.facts.choose("the first byte has high bits")))
    if not exists:
        return _is_refused([found, exists])
    x, y, _ = run.points[found]
    if not run.vanishes(run.equation(x, y)):
        return "the point is not on the curve"
    root = (
        below * run.over(two * s)
        if run.group.rotates
        else run.over(two * s * g * run.constants["ONE_MINUS_D"])
    )
    run.roots = roots_to_encode(run, [(x, y, root)])
    data, exists = run.call(f"{run.group.prefix}_encode", found)
    return "" if exists and run.vanishes(run.decoded(data) - s) else "the point has another encoding"
