"""Proof of functions of GF(2^m) as printed, beside those that every field has.

- A trace is followed on the bits of an element: its bit is the sum of those bits whose powers of x have the
  trace 1, by their definition.
- A solution of z² + z = a, for even m, is followed turn by turn, with a symbol for the sum: turn i adds
  a^(2^i)·(1 + w + … + w^(2^i)) for i < m - 1. With Tr(w) = 1 the factor is the sum of w^(2^j) for j > i, its
  square the factor of turn i + 1 plus w, and z² + z = w·Tr(a) + a. For odd m a solution is the half-trace h:
  h² + h = Tr(a) + a, as its terms a^(4^i) and their squares are all a^(2^i) and a^(2^m) = a.
- The function that makes an element even is followed on bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.mathematics.binary import BinaryField
from efdgen.verify.fields.elements import ONE, Element, World
from efdgen.verify.fields.functions import Followed, failures, text_of
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.coefficients import ZERO, Coefficients, symbols
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction
    from efdgen.verify.words.machine import Turns

Value = Any


def prove_trace(function: EmittedFunction) -> None:
    """Prove a trace; raises :class:`Refuted`."""
    field = _field(function)
    bits = symbols("a", field.degree)
    wanted = frozenset(frozenset({f"a{at}"}) for at in range(field.degree) if field.trace(1 << at))
    for build in function.builds:
        machine = Machine(text_of(function, build), build.word, Coefficients())
        byte = machine.kinds["uint8_t"]
        padded = bits + (ZERO,) * 7
        written = [Integer(byte, padded[at : at + 8]) for at in range(0, field.degree, 8)]

        def write(target: list[Value], _: Value, written: list[Integer] = written) -> None:
            target[:] = written

        machine.add(
            {
                "fe_to_bytes_le": write,
                "to_bytes_le": lambda _, written=written: list(written),
                "Choice::from": lambda bit: bit,
            },
            {},
        )
        with failures(function.language):
            found = machine.follow(function.routine, None)
            holds = found.raw == (wanted, *(ZERO,) * (found.kind.bits - 1))
        _require(holds, "the trace is the sum of these coefficients", function)


def prove_solution(function: EmittedFunction) -> None:
    """Prove the parts of a solution that are not functions by themselves; raises :class:`Refuted`."""
    for build in function.builds:
        _prove_even(function, build)
        if "quadratic_root" in text_of(function, build).functions:
            _prove_root(function, build)


def _prove_even(function: EmittedFunction, build: Build) -> None:
    """Prove that the constant coefficient is removed, and nothing else."""
    machine = Machine(text_of(function, build), build.word, Coefficients(), {"Self": lambda words: words})
    given = [symbols(f"a{at}_", build.word) for at in range(build.limbs)]
    wanted = [(ZERO, *given[0][1:]), *given[1:]]
    words = [Integer(machine.word, bits) for bits in given]
    with failures(function.language):
        if function.language == "c":
            holder = {"r": {"limb": words}}
            machine.follow("make_even", Variable(holder, "r"))
        else:
            words = machine.follow("make_even", {"0": words})
        holds = [word.raw for word in words] == wanted
    _require(holds, "the constant coefficient is removed, and nothing else", function)


def _prove_root(function: EmittedFunction, build: Build) -> None:
    """Prove the terms of a sum that solves an equation where the trace is 0."""
    field, world = _field(function), World(function.ground)
    terms = _Terms(world, field.degree)
    followed = Followed(
        function, build, world, followed=("quadratic_root",), loops={"quadratic_root": terms.follow}
    )
    structures = terms.structures = followed.structures

    def read(given: Sequence[Value]) -> Element:
        number = sum(followed.machine.plain(byte) << 8 * at for at, byte in enumerate(given))
        if number >= field.order or not field.trace(number):
            raise NotFollowedError("an element is read that is none, or has not the trace 1")
        return Element.symbol("w")

    def read_c(r: Value, given: Sequence[Value]) -> int:
        r.write(structures.kept(read(given)))
        return 1

    def read_rust(given: Sequence[Value]) -> Value:
        return {"value": structures.kept(read(given)), "flag": True}

    followed.machine.add({"fe_from_bytes_le": read_c, "Self::from_bytes_le": read_rust}, {})
    for target in "ra" if function.language == "c" else "r":
        with failures(function.language):
            if function.language == "c":
                holder = {"r": structures.empty(), "a": structures.kept(Element.symbol("a"))}
                followed.machine.follow("quadratic_root", Variable(holder, target), Variable(holder, "a"))
                found = structures.of(holder[target])
            else:
                found = structures.of(
                    followed.machine.follow("quadratic_root", structures.kept(Element.symbol("a")))
                )
        _require(found == Element.symbol("sum"), "the sum is returned", function)


class _Terms:
    """The turns of a loop that adds terms to a sum."""

    def __init__(self, world: World, degree: int) -> None:
        self._world, self._degree = world, degree
        self.structures: Value = None

    def follow(self, turns: Turns) -> None:
        """Follow the loop; a symbol takes the place of the sum before each turn."""
        place, before = Variable(turns.scope.holder("sum"), "sum"), Element.symbol("sum")
        if not self._world.vanishes(self.structures.of(place)):
            raise NotFollowedError("a sum does not begin with 0")
        factor = ONE
        for at in range(self._degree - 1):
            factor += Element.symbol("w") ** (1 << at)
            place.write(self.structures.kept(before))
            if not turns.turn():
                raise NotFollowedError("a loop has a turn too few")
            added = self.structures.of(place) - before
            if not self._world.vanishes(added - Element.symbol("a") ** (1 << at) * factor):
                raise NotFollowedError("a turn adds another term")
        place.write(self.structures.kept(before))
        if turns.turn():
            raise NotFollowedError("a loop has a turn too many")


def _field(function: EmittedFunction) -> BinaryField:
    assert function.ground.is_binary
    return function.ground


def _require(holds: bool, text: str, function: EmittedFunction) -> None:
    if not holds:
        raise Refuted(f"fails: {text}, in {function.language}")
