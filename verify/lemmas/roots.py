"""Lemmas on points by one coordinate: the other one is a root of a quotient that the curve's equation gives.

Low bits of roots are by contract: p is odd, so that either a number other than 0 is odd or its negative is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.later import now
from efdgen.verify.lemmas.run import Run, every
from efdgen.verify.symbols.bits import Bitwise, bits_of, symbol_bit, word
from efdgen.verify.symbols.facts import WORD, Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.routines.module import Module
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.elements import Elements
    from efdgen.verify.lemmas.shapes import Affine

_BYTE = 8
_BITS = (0, 1)
Started = TypeVar("Started", bound=Run)


class Curve(Protocol):
    """A curve over elements."""

    elements: Elements

    def point(self, number: int) -> Affine:
        """Return any point with affine coordinates."""

    def equation(self, point: Affine) -> Ratio:
        """Return what is 0 for the coordinates of a point."""


@dataclass(frozen=True)
class Root:
    """A coordinate to be found from a given one: the names of both, a value of the former, and its low bit.

    ``value`` is None if no point has the given coordinate.
    """

    given: str
    found: str
    value: Ratio | None
    bit: int

    def contracts(self, curve: Curve) -> dict[str, Callable[..., list[Any]]]:
        """Return the functions that a routine calls for a root and its sign."""
        elements = curve.elements
        root, unknown = elements.name(f"{self.found}2"), elements.name(f"{self.given}2")
        if self.value is not None and elements.is_zero(self.value):
            elements.relate([root.numerator])
        elif self.value is not None:
            elements.relate([(root * root - self.value * self.value).numerator])
            elements.assume(root.numerator)

        def quotient(above: Any, below: Any) -> list[Any]:  # noqa: ANN401 - elements, perhaps for later
            factor, constant = self.square(curve)
            numerator, denominator = now(above), now(below)
            if elements.is_zero(denominator) or not elements.is_zero(
                numerator * factor + denominator * constant
            ):
                raise RoutineError("a root of another number")
            return [root, int(self.value is not None)]

        def signed(given: Any, odd: int) -> list[Any]:  # noqa: ANN401 - an element, perhaps for later
            if not elements.is_zero(now(given) - root):
                raise RoutineError("the sign of another number")
            if self.value is None or (odd and elements.is_zero(self.value)):
                return [unknown]
            return [self.value if odd == self.bit else -self.value]

        return {
            "fe_sqrt": lambda a: quotient(a, elements.number(1)),
            "fe_sqrt_ratio": quotient,
            "with_low_bit": signed,
        }

    def square(self, curve: Curve) -> tuple[Ratio, Ratio]:
        """Return the factor of the square in the curve's equation, and all that is left of it.

        The factor is not 0: it is 1, the parameter b of a Montgomery curve, or a - d*y^2 on an Edwards curve
        with a complete law. Raises :class:`RoutineError` where the equation has other powers.
        """
        elements = curve.elements
        given, other = elements.name(f"{self.given}1"), elements.name(f"{self.given}2")

        def at(value: Ratio) -> Ratio:
            return curve.equation({self.given: given, self.found: value})

        constant = at(elements.zero)
        factor = at(elements.number(1)) - constant
        if not elements.is_zero(at(other) - factor * other * other - constant):
            raise RoutineError("the curve's equation has other powers than squares")
        elements.assume(factor.numerator)
        return factor, constant


def prove_low_bit(module: Module, *, big: bool) -> None:
    """Prove that low_bit returns the low bit of a number; the first byte is the most significant if big."""
    size = module.constants["FIELD_BYTES"].value
    assert isinstance(size, int)
    data = [word(symbol_bit((f"b{i}", j)) for j in range(_BYTE)) for i in range(size)]
    number = object()

    def written(given: object) -> list[Any]:
        if given is not number:
            raise RoutineError("the bytes of another number")
        return [data]

    run = Interpreter(module, {"fe_to_bytes": written}, values=Bitwise(Facts()))
    (found,) = run.call("low_bit", number)
    if bits_of(found, WORD) != [symbol_bit((f"b{size - 1 if big else 0}", 0)), *[0] * (WORD - 1)]:
        raise RoutineError("low_bit returns another bit")


def prove_sign(start: Callable[[Facts], Run]) -> None:
    """Prove that with_low_bit returns the one of a number and its negative that has a given low bit."""

    def follow(run: Run, bit: int, odd: int) -> str:
        root = run.elements.name("x1")

        def low_bit(given: Any) -> list[int]:  # noqa: ANN401 - an element, perhaps for later
            if now(given) not in (root, -root):
                raise RoutineError("the low bit of another number")
            return [bit if now(given) == root else 1 - bit]

        run.leaves["low_bit"] = low_bit
        (found,) = run.call("with_low_bit", root, odd)
        wanted = root if bit == odd else -root
        return "it returns another number" if run.nonzero(found - wanted) else ""

    for bit, odd in product(_BITS, _BITS):
        case = f"a low bit of {bit}, and {odd} asked"
        every("with_low_bit", case, start, partial(follow, bit=bit, odd=odd))


def prove_lift(
    name: str,
    coordinates: str,
    start: Callable[[Facts], Started],
    curve_of: Callable[[Started], Curve],
    differs: Callable[[Started, list[Any], Affine | None], str],
) -> None:
    """Prove that a routine returns the point with a coordinate and a low bit of the other, and whether it is.

    ``coordinates`` are the name of the one that is given, and that of the other. ``differs`` says how
    what is returned differs from a point, or from none.
    """
    given, found = tuple(coordinates)

    def follow(run: Started, make: Callable[[Curve], Ratio | None], bit: int, odd: int) -> str:
        curve = curve_of(run)
        value = make(curve)
        run.leaves |= Root(given, found, value, bit).contracts(curve)
        number = run.elements.name(f"{given}1")
        result = run.call(name, number, odd)
        if value is None or (odd and run.elements.is_zero(value)):
            return differs(run, result, None)
        return differs(run, result, {given: number, found: value if odd == bit else -value})

    for case, make, bit in _cases(given, found):
        for odd in _BITS:
            every(name, f"{case}, {odd} asked", start, partial(follow, make=make, bit=bit, odd=odd))


def _cases(given: str, found: str) -> Iterator[tuple[str, Callable[[Curve], Ratio | None], int]]:
    """Yield cases of the coordinate that is found, how each is made, and its low bit."""

    def other(curve: Curve) -> Ratio:
        value = curve.point(1)[found]
        curve.elements.assume(value.numerator)
        return value

    def zero(curve: Curve) -> Ratio:
        elements = curve.elements
        elements.relate([curve.equation({given: elements.name(f"{given}1"), found: elements.zero}).numerator])
        return elements.zero

    for bit in _BITS:
        yield f"{found} not 0, its low bit {bit}", other, bit
    yield f"{found} = 0", zero, 0
    yield f"no {found}", lambda _: None, 0
