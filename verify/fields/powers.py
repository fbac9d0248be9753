"""Proof of loops of powers and of roots as printed: on exponents, for all elements.

- An inverse root: of 0 it is 0, and of x = ζ^e·(what has an odd order) it is y with x·y² = 1 where e is even,
  and x·y² = ζ where it is odd. All turns are followed, in windows as they are printed, with all exponents e
  at once.
- A root of a square by one power: of 0 it is 0, and of a square x it is y with y² = x.
- An inversion by one power: it is that of p - 2, or 2^m - 2, which is 0 for 0.
- A square root in GF(2^m) by one power: it is that of 2^(m-1), whose square is x^(2^m) = x.
- A power with a secret exponent: its bits are symbols, and what comes out has the exponent that they make.
- A power with a public one: a turn squares, and multiplies by x where its own bit is set; bits are taken in
  turn, from the highest on. A turn is followed for either value of its bit.

Exponents have bytes, whose number is an argument: powers are followed for 0 to 2, and for as many as p has.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.exponents import Byte, Power, Powers, Sum, bit_of
from efdgen.verify.fields.functions import Followed, failures
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction
    from efdgen.generator.fields.pieces import Language
    from efdgen.verify.words.machine import Turns

Value = Any

# Functions that roots are made of, beside those that are proved by themselves.
_ROOT = "inverse_root", "root_power", "root_of_square", "chain_step"


def prove_inverse_root(function: EmittedFunction) -> None:
    """Prove the inverse root that a function calls; raises :class:`Refuted`."""
    for build in function.builds:
        for character in (0, 1, -1):
            powers = Powers(function.ground.order, character)
            y = _result(Followed(function, build, powers, followed=_ROOT), "inverse_root", powers.x)
            _require(_is_root(powers, y), "a root is found", function.language)


def prove_root_of_square(function: EmittedFunction) -> None:
    """Prove the root by one power that a function calls; raises :class:`Refuted`."""
    for build in function.builds:
        for character in (0, 1):
            powers = Powers(function.ground.order, character)
            followed = Followed(function, build, powers, followed=_ROOT)
            y = _result(followed, "root_of_square", powers.x)
            with failures(function.language):
                found = _squares_to_x(powers, y)
            _require(found, "a root of a square is found", function.language)


def prove_inversion(function: EmittedFunction) -> None:
    """Prove an inversion by one power, that of the field's order less 2; raises :class:`Refuted`."""
    for build in function.builds:
        for target in "ra" if function.language == "c" else "r":
            powers = Powers(function.ground.order, None)
            followed = Followed(function, build, powers, followed=_ROOT)
            found = _result(followed, function.routine, powers.x, target=target)
            wanted = Power(Sum(function.ground.order - 2), Sum(0))
            _require(found == wanted, "the power is that of the field's order less 2", function.language)


def prove_square_root(function: EmittedFunction) -> None:
    """Prove a square root in GF(2^m): the power of half of the field's order; raises :class:`Refuted`."""
    for build in function.builds:
        for target in "ra" if function.language == "c" else "r":
            powers = Powers(function.ground.order, None)
            found = _result(Followed(function, build, powers), function.routine, powers.x, target=target)
            wanted = Power(Sum(function.ground.order // 2), Sum(0))
            _require(found == wanted, "the power is that of half of the field's order", function.language)


def _squares_to_x(powers: Powers, y: Value) -> bool:
    """Return whether y² = x."""
    if powers.x is None or y is None:
        return powers.x is None and y is None
    ratio = powers.mul(powers.mul(y, y), Power(powers.x.k * -1, powers.x.l * -1))
    return powers.unity_exponent(ratio).number == 0


def _is_root(powers: Powers, y: Value) -> bool:
    """Return whether y is an inverse root of x, or of x/ζ."""
    if powers.x is None or y is None:
        return powers.x is None and y is None
    found = powers.unity_exponent(powers.mul(powers.x, powers.mul(y, y)))
    return found.number == (0 if powers.character == 1 else 1)


def counts(function: EmittedFunction) -> list[int]:
    """Return for how many bytes of an exponent a power is followed."""
    return sorted({0, 1, 2, function.ground.bytes})


def prove_power(function: EmittedFunction) -> None:
    """Prove a power; raises :class:`Refuted`."""
    public = function.name.endswith("_public")
    for build in function.builds:
        # In C the result may be the base.
        for count, target in product(counts(function), "ra" if function.language == "c" else "r"):
            (_public if public else _secret)(function, build, count, target)


def _secret(function: EmittedFunction, build: Build, count: int, target: str) -> None:
    """Follow a power with a secret exponent of ``count`` bytes: its bits are symbols."""
    powers = Powers(function.ground.order, None)
    exponent = [Byte(at, bit_of) for at in range(count)]
    found = _result(Followed(function, build, powers), function.routine, powers.x, exponent, target)
    wanted = Sum({f"e{at}": 1 << at for at in range(8 * count)})
    _require(found == Power(wanted, Sum(0)), "the power has the exponent that is given", function.language)


def _public(function: EmittedFunction, build: Build, count: int, target: str) -> None:
    """Follow a power with a public exponent of ``count`` bytes, each iteration for both values of a bit."""
    language = function.language
    for bit in (0, 1):
        powers, name = Powers(function.ground.order, None), function.routine
        turns = _Turns(powers, bit, 8 * count, nested=language == "rust")
        followed = Followed(function, build, powers, loops={name: turns.follow})
        turns.structures = followed.structures
        exponent = [Byte(at, turns.told) for at in range(count)]
        found = _result(followed, name, powers.x, exponent, target)
        _require(turns.left == 0, "all bits are taken", language)
        _require(found == turns.power, "what is made in the last turn is returned", language)


class _Turns:
    """The turns of a power with a public exponent, all bits of which are the same."""

    def __init__(self, powers: Powers, bit: int, bits: int, *, nested: bool) -> None:
        self._powers, self._bit, self._nested = powers, bit, nested
        self.left, self.power = bits, Power(Sum(0), Sum(0))
        self.structures: Value = None
        self._asked: list[int] = []
        self._inside = False

    def told(self, position: int) -> int:
        """Return a bit, and note that it was asked for."""
        self._asked.append(position)
        return self._bit

    def follow(self, turns: Turns) -> None:
        """Follow a loop: the one over bits inside of that over bytes, if there are two."""
        if self._nested and not self._inside:
            self._inside = True
            while turns.turn():
                pass
            self._inside = False
            return
        place = Variable(turns.scope.holder("power"), "power")
        while True:
            if self.structures.of(place) != self.power:
                raise NotFollowedError("a power is changed between turns, or is not 1 at first")
            before = Power(Sum({f"k{self.left}": 1}), Sum(0))
            place.write(self.structures.kept(before))
            self._asked.clear()
            if not turns.turn():
                place.write(self.structures.kept(self.power))
                return
            self.left -= 1
            self.power = self.structures.of(place)
            wanted = before.k * 2 + Sum(self._bit)
            if self._asked != [self.left] or self.power != Power(wanted, Sum(0)):
                raise NotFollowedError("a turn takes another bit, or makes another power")


def _result(
    followed: Followed, name: str, x: Value, exponent: Sequence[Byte] | None = None, target: str = "r"
) -> Value:
    """Call a function on x, with an exponent or without, and return what comes out, in C in a target."""
    structures = followed.structures
    arguments: list[Value] = [] if exponent is None else [exponent]
    with failures(followed.language):
        if followed.language == "c":
            holder = {"r": structures.empty(), "a": structures.kept(x)}
            if exponent is not None:
                arguments.append(len(exponent))
            followed.machine.follow(name, *(Variable(holder, place) for place in (target, "a")), *arguments)
            return structures.of(holder[target])
        return structures.of(followed.machine.follow(name, structures.kept(x), *arguments))


def _require(holds: bool, text: str, language: Language) -> None:
    if not holds:
        raise Refuted(f"fails: {text}, in {language}")
