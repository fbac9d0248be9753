"""Execution of a field's printed loops: on integers, or on unknown secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.texts import routines
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.values import Integer, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.loops import EmittedLoop
    from efdgen.verify.words.values import Domain

Value = Any


def run(loop: EmittedLoop, value: int | None, domain: Domain | None = None) -> int | None:
    """Return what a loop makes of an element whose words are a number: the number of an element, or a bit.

    With another domain than integers, ``value`` may be None, and so is what is returned. Raises
    :class:`efdgen.verify.words.values.NotFollowedError` for what the loop must not do.
    """
    field = _Field(loop, domain or Plain())
    machine = Machine(routines(loop), loop.arrangement.word, field.domain, field.routines())
    field.machine = machine
    # An element goes out by a place in C.
    places = [None] if loop.language == "c" and "square" not in loop.function else []
    found = machine.call(loop.routine, *places, value)
    if "square" in loop.function:
        return found.raw if isinstance(found, Integer) else int(found)
    return field.result


class _Field:
    """The functions of the surrounding field that loops call: elements are the numbers of their words."""

    machine: Machine

    def __init__(self, loop: EmittedLoop, domain: Domain) -> None:
        self.domain = domain
        self.result: int | None = None
        self._words = -(-loop.arrangement.modulus.bit_length() // loop.arrangement.word)

    def routines(self) -> dict[str, Callable[..., Value]]:
        """Return the field's functions by their names in both languages."""
        return {
            "fe_canonical": self._write,
            "canonical": self._split,
            "fe_from_canonical": lambda _, words: self._join(words),
            "Self::from_canonical": self._join,
            "limbs_is_nonzero": self._is_nonzero,
            "limbs::is_nonzero": self._is_nonzero,
            "choice": lambda bit: bit,
        }

    def _split(self, value: int | None) -> list[Integer]:
        word = self.machine.word
        if value is None:
            return [Integer(word, None)] * self._words
        return [self.machine.integer(word, value >> at * word.bits & word.most) for at in range(self._words)]

    def _write(self, words: list[Value], value: int | None) -> None:
        words[:] = self._split(value)

    def _join(self, words: Sequence[Integer]) -> None:
        bits = self.machine.word.bits
        known = [word.raw for word in words if word.raw is not None]
        if len(known) == len(words):
            self.result = sum(word << at * bits for at, word in enumerate(known))

    def _is_nonzero(self, words: Sequence[Integer]) -> Integer:
        word = self.machine.word
        if any(part.raw is None for part in words):
            return Integer(word, None)
        return self.machine.integer(word, int(any(part.raw for part in words)))
