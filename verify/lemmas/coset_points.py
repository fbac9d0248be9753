"""Lemmas on cosets of points: coordinates, fractions and numbers, and which points are of one coset."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.coset_run import CosetRun, every_case
from efdgen.verify.lemmas.encodings import bytes_of
from efdgen.verify.symbols.bits import Bitwise, bits_of, symbol_bit, word
from efdgen.verify.symbols.facts import Facts

if TYPE_CHECKING:
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Affine
    from efdgen.verify.symbols.items import Contracts

_BYTE = 8
_P, _Q = "p", "q"


def extended(prover: Prover, name: str) -> None:
    """Prove that a function returns X, Y, Z and T with Z other than 0, x = X/Z, y = Y/Z and x*y = T/Z."""

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        assert isinstance(point, dict)
        x, y, z, t = run.call(name, run.value("point", "p", point))
        if not run.nonzero(z):
            return "Z is 0"
        wrong = x - point["x"] * z, y - point["y"] * z, t - point["x"] * point["y"] * z
        return "it returns other coordinates" if any(map(run.nonzero, wrong)) else ""

    prover.cases(name, prover.single, follow)


def lifted(prover: Prover, name: str) -> None:
    """Prove that a function returns the point with some affine coordinates of one."""

    def follow(run: PointRun) -> str:
        point: Affine = run.curve.point(1)
        (found,) = run.call(name, {"X": point["x"], "Y": point["y"]})
        return run.difference("point", found, point)

    prover.every(name, "any point with affine coordinates", follow)


def by_fractions(prover: Prover, name: str) -> None:
    """Prove that a function returns the point whose coordinates are fractions, of which no divisor is 0."""

    def follow(run: PointRun) -> str:
        elements = run.elements
        xn, yn, xd, yd = (elements.name(text) for text in ("x1", "y1", "x2", "y2"))
        for divisor in (xd, yd):
            elements.assume(divisor.numerator)
        point = {"x": xn * elements.inv(xd), "y": yn * elements.inv(yd)}
        elements.relate([run.curve.equation(point).numerator])
        (found,) = run.call(name, xn, xd, yn, yd)
        return run.difference("point", found, point)

    prover.every(name, "any point", follow)


def number_of_bytes(prover: Prover, name: str) -> None:
    """Prove that a function returns the number of the lowest bits of bytes, as many as p has, modulo p."""
    prime, size = prover.plan.curve.prime, prover.plan.encoding.field
    data = [word(symbol_bit((f"b{at}", bit)) for bit in range(_BYTE)) for at in range(size)]

    def read(given: list[Any]) -> list[Any]:
        bits = [bit for byte in given for bit in bits_of(byte, _BYTE)]
        weights = {bit: 1 << at for at, bit in enumerate(bits) if bit != 0}
        if sum(weights.values()) >= prime:
            raise RoutineError("a part of the number may be above p")
        return [weights, 1]

    def added(one: dict[Any, int], other: dict[Any, int]) -> list[Any]:
        return [{bit: one.get(bit, 0) + other.get(bit, 0) for bit in one.keys() | other.keys()}]

    leaves: Contracts = {"fe_from_bytes": read, "fe_add": added}
    (found,) = Interpreter(prover.module, leaves, values=Bitwise(Facts())).call(name, data)
    if found != {symbol_bit((f"b{at // _BYTE}", at % _BYTE)): 1 << at for at in range(prime.bit_length())}:
        raise RoutineError(f"{name} returns another number")


def of_uniform_bytes(prover: Prover, name: str) -> None:
    """Prove that a function returns the sum of the images of the numbers of both halves."""
    size, prefix = prover.plan.encoding.field, name.partition("_")[0]
    data = bytes_of("u", 2 * size)
    leaves: Contracts = {
        "element_of_bytes": lambda given: [("number", *given)],
        f"{prefix}_map": lambda t: [("image", t)],
        "add": lambda p, q: [{p, q}],
    }
    halves = {("image", ("number", *half)) for half in (data[:size], data[size:])}
    if Interpreter(prover.module, leaves).call(name, data) != [halves]:
        raise RoutineError(f"{name} returns another point")


def equal(prover: Prover, name: str) -> None:
    """Prove that a function tells whether two points are of one coset."""

    def same(run: CosetRun, at: int) -> str:
        x, y = run.any_point(1, _P)
        run.point(_Q, *run.coset(x, y)[at], "z2")
        return "" if run.call(name, _P, _Q) == [1] else "it returns 0"

    def other(run: CosetRun, at: int) -> str:
        if is_square(run.d, run.prime):
            return "d is a square"
        (x1, y1), (x2, y2) = _sloped(run, at), run.any_point(2, _Q)
        if run.call(name, _P, _Q) == [0]:
            return ""
        for x, y in run.coset(x1, y1):
            if run.vanishes(x2 * y - x * y2):
                _decide(run, x, y, x2)
                _decide(run, y, x, y2)
        return "" if run.is_in_coset((x2, y2), (x1, y1)) else "it returns 1 for other cosets"

    count = 4 if rotates(prover) else 2
    every_case(prover, name, [(f"P + T{at}", partial(same, at=at)) for at in range(count)])
    slopes = ("P = (x, s*x)", "P = (0, 1)", "P = (0, -1)")
    every_case(prover, name, [(f"{title}, any Q", partial(other, at=at)) for at, title in enumerate(slopes)])


def _sloped(run: CosetRun, at: int) -> tuple[Ratio, Ratio]:
    """Return a point (x, s*x) for x other than 0, or one of the two with x = 0, which gets a label."""
    x, y = run.name("x1"), run.name("s") * run.name("x1")
    if at:
        x, y = run.elements.zero, run.number(1 if at == 1 else -1)
    else:
        run.elements.assume(x.numerator)
    run.elements.relate([run.equation(x, y).numerator])
    run.point(_P, x, y)
    return x, y


def _decide(run: CosetRun, u: Ratio, v: Ratio, x: Ratio) -> None:
    """Decide whether x is u or -u, for coordinates of points (u, v) and (x, y) with u*y = v*x.

    By their equations (x^2 - u^2)*(1 - d*v^2*x^2) is 0, and d is not a square.
    """
    other = run.number(1) - run.number(run.d) * v * v * x * x
    both = (x * x - u * u) * other
    if not run.vanishes(both):
        raise RoutineError("the curve has another equation")
    run.elements.assume(other.numerator)
    run.elements.relate([both.numerator])
    if not run.elements.is_zero(x - u):
        run.elements.relate([both.numerator])


def rotates(prover: Prover) -> bool:
    """Return whether points that differ by one of order 4 are of one coset."""
    own = cosets(prover.plan.curve)
    assert own is not None
    return own.rotates
