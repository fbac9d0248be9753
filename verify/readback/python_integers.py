"""Integers modulo p of a Python module, by their elements of the field: what its kernels are run on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from efdgen.verify.readback.ways import Ways
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping

    from efdgen.verify.readback.elements import Element


class _Modulus:
    """The number p, of which nothing is used but that it is the modulus, and more than 1."""

    def __rmod__(self, number: int) -> int:
        if number not in (0, 1):
            raise NotFollowedError(f"{number} is reduced modulo p")
        return number


_MODULUS = _Modulus()


class IntegersModuloP:
    """The field of a module of integers modulo ``P``."""

    built_in = frozenset({"pow"})

    def __init__(self, prime: int) -> None:
        self.needed = {"P": prime}
        self.offered = {"HALF": (prime + 1) // 2}

    def differences(self, functions: Mapping[str, ast.FunctionDef]) -> Iterator[tuple[str, str]]:
        """Yield nothing: Python itself has the operations."""
        del functions
        yield from ()

    def value(self, way: Ways, element: Element) -> Any:  # noqa: ANN401 - in place of an integer
        """Return what is in place of an integer in [0, p)."""
        return _Integer(way, element, reduced=True)

    def names(self, way: Ways) -> dict[str, Any]:
        """Return the numbers and functions that a kernel reads beside its constants, by name."""

        def inverse(base: _Integer | int, exponent: int, modulus: object) -> _Integer:
            """Return an inverse, of what must be known not to be 0."""
            element = way.constant(Fraction(base)) if isinstance(base, int) else base.element
            if exponent != -1 or modulus is not _MODULUS or not way.differs(element):
                raise NotFollowedError("a power is no inverse, or one of 0")
            return _Integer(way, way.inv(element), reduced=True)

        half = _Integer(way, way.half(way.one), reduced=True)
        return {"P": _MODULUS, "HALF": half, "pow": inverse}

    def element(self, value: object) -> Element | None:
        """Return the element of what is in place of an integer; None where it may be outside [0, p)."""
        return value.element if isinstance(value, _Integer) and value.reduced else None


@dataclass(frozen=True, eq=False)
class _Integer:
    """An integer by its element of the field; if ``reduced``, in [0, p)."""

    way: Ways
    element: Element
    reduced: bool = False

    def _made(self, element: Element) -> _Integer:
        return _Integer(self.way, element)

    def _of(self, other: _Integer | int) -> Element:
        if isinstance(other, int):
            return self.way.constant(Fraction(other))
        if not isinstance(other, _Integer):
            raise NotFollowedError(f"{other} is no integer")
        return other.element

    def __add__(self, other: _Integer | int) -> _Integer:
        return self._made(self.way.add(self.element, self._of(other)))

    def __sub__(self, other: _Integer | int) -> _Integer:
        return self._made(self.way.sub(self.element, self._of(other)))

    def __mul__(self, other: _Integer | int) -> _Integer:
        return self._made(self.way.mul(self.element, self._of(other)))

    def __rsub__(self, other: int) -> _Integer:
        return self._made(self.way.sub(self._of(other), self.element))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> _Integer:
        return self._made(self.way.neg(self.element))

    def __mod__(self, modulus: object) -> _Integer:
        if modulus is not _MODULUS:
            raise NotFollowedError("an integer is reduced modulo something else than p")
        return _Integer(self.way, self.element, reduced=True)

    def __bool__(self) -> bool:
        if not self.reduced:
            raise NotFollowedError("it is asked whether an integer is 0 that may be a multiple of p")
        return not self.way.is_zero(self.element)

    def __eq__(self, other: object) -> bool:
        if type(other) is not int or other:
            raise NotFollowedError("an integer is compared with something else than 0")
        return not self

    __hash__ = None  # type: ignore[assignment]
