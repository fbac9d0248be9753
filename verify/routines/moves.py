"""Contracts of the functions that move bits of scalars, each proved bit by bit for the given places.

``scalar_read`` gives the integer that bytes are, ``scalar_bits`` a part of its bits. ``scalar_signs`` gives
the bits of (t - 1)/2 for an odd t, and a 1 above them; ``scalar_assign`` selects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.symbols.bits import Bitwise, bits_of, symbol_bit, word
from efdgen.verify.symbols.facts import WORD, Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.bits import Bit, Word


class Moves:
    """The contracts for one module; each is proved the first time that it is used for some places."""

    def __init__(self, module: Module, big: bool) -> None:
        self._module, self._big = module, big
        count, size = (module.constants[name].value for name in ("SCALAR_WORDS", "SCALAR_BYTES"))
        assert isinstance(count, int) and isinstance(size, int)
        self._count, self._size = count, size
        self._t = self._any("t")
        self._proved: set[tuple[Any, ...]] = set()

    def table(self, facts: Facts) -> dict[str, Callable[..., list[Any]]]:
        """Return the contracts by their routines' names."""

        def signs(t: Sequence[int | Word], bits: int) -> list[Any]:
            return [self._signs([facts.settled(bit) for bit in self._bits(t)], bits)]

        return {"scalar_read": self._read, "scalar_bits": self._part, "scalar_signs": signs}

    def prove_assign(self) -> None:
        """Prove the selection between any two scalars."""
        t, a = self._t, self._any("a")
        for flag, expected in ((0, t), (1, a)):
            (found,), _ = self._run("scalar_assign", list(t), a, flag)
            self._require("scalar_assign", self._bits(found), self._bits(expected))

    def prove_parts(self, places: Iterable[int], counts: Sequence[int]) -> None:
        """Prove the reads of some numbers of bits from each of some places on."""
        for at in places:
            for count in counts:
                self._once("scalar_bits", self._prove_part, at, count)

    def _read(self, data: Sequence[int | Word]) -> list[Any]:
        self._once("scalar_read", self._prove_read)
        return [self._words(self._in_order(data))]

    def _prove_read(self) -> None:
        data = [word(symbol_bit((f"k{i}", j)) for j in range(8)) for i in range(self._size)]
        _, (found,) = self._run("scalar_read", data)
        self._require("scalar_read", self._bits(found), self._in_order(data))

    def _in_order(self, data: Sequence[int | Word]) -> list[Bit]:
        return [bit for item in (reversed(data) if self._big else data) for bit in bits_of(item, 8)]

    def _part(self, t: Sequence[int | Word], at: int, count: int) -> list[Any]:
        self._once("scalar_bits", self._prove_part, at, count)
        return [word(self._bits(t)[at : at + count])]

    def _prove_part(self, at: int, count: int) -> None:
        _, (found,) = self._run("scalar_bits", self._t, at, count)
        self._require("scalar_bits", bits_of(found, WORD), self._bits(self._t)[at : at + count])

    def _signs(self, given: list[Bit], bits: int) -> list[int | Word]:
        if given[0] != 1 or any(given[bits:]):
            raise RoutineError(f"signs of a number that may be even, or may not be below 2^{bits}")
        self._once("scalar_signs", self._prove_signs, bits)
        return self._words([*given[1:bits], 1])

    def _prove_signs(self, bits: int) -> None:
        t = self._words([1, *(symbol_bit(("t", i)) for i in range(1, bits))])
        (found,), _ = self._run("scalar_signs", list(t), bits)
        self._require("scalar_signs", self._bits(found), [*self._bits(t)[1:bits], 1])

    def _once(self, name: str, prove: Callable[..., None], *places: int) -> None:
        if (name, *places) not in self._proved:
            prove(*places)
            self._proved.add((name, *places))

    def _run(self, name: str, *arguments: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401 - values
        try:
            return Interpreter(self._module, values=Bitwise(Facts())).run(name, *arguments)
        except RoutineError as error:
            raise EfdgenError(f"{name} does not move bits as its contract states: {error}") from None

    def _any(self, name: str) -> list[int | Word]:
        return self._words([symbol_bit((name, i)) for i in range(WORD * self._count)])

    def _words(self, bits: Sequence[Bit]) -> list[int | Word]:
        return [word(bits[WORD * i : WORD * i + WORD]) for i in range(self._count)]

    @staticmethod
    def _bits(words: Sequence[int | Word]) -> list[Bit]:
        if None in words:
            raise RoutineError("bits are read of a word that was never written")
        return [bit for item in words for bit in bits_of(item, WORD)]

    def _require(self, name: str, found: list[Bit], expected: list[Bit]) -> None:
        length = max(len(found), len(expected))
        padded = [[*bits, *([0] * (length - len(bits)))] for bits in (found, expected)]
        if padded[0] != padded[1]:
            raise EfdgenError(f"{name} gives other bits than its contract states")
