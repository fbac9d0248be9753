"""Conversions to Montgomery's form and back in C: calls of the product."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.conversions import known_factors
from efdgen.generator.render.c.loops import Array, known_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.fields.field import Representation
    from efdgen.generator.fields.pieces import Names
    from efdgen.generator.limbs.spelling import LimbFunction

_INTO, _OUT = "from_number", "to_number"


class Conversions:
    """The conversions of a representation that are products by known numbers; there may be none."""

    def __init__(self, built: Representation, names: Names) -> None:
        self._factors, self._prefix = known_factors(built), f"{names.prefix}_limbs"
        self._word, self._count = built.word, built.limbs

    def have(self, function: LimbFunction) -> bool:
        """Return whether a limb function is a call of the product."""
        return function.name in self._factors

    def body(self, function: LimbFunction) -> Iterator[str]:
        """Yield the statements of a limb function that is a call."""
        if function.name == _INTO:
            yield f"{self._prefix}_mul(r, t, {self._prefix}_square);"
            return
        yield f"const uint{self._word}_t t[{self._count}] = {{{self._factors[_OUT]}}};"
        yield f"{self._prefix}_mul(r, a, t);"

    def arrays(self, functions: Iterable[LimbFunction]) -> Iterator[Array]:
        """Yield the constant arrays that some limb functions name."""
        if any(function.name == _INTO for function in functions if self.have(function)):
            name, value = f"{self._prefix}_square", self._factors[_INTO]
            yield known_array("/* R^2 modulo p. */", name, value, self._word, self._count)
