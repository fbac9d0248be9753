"""Elements of GF(p) and GF(p²) in the structures of C and Rust."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.fields.arithmetic import Arithmetic, Pair, Value
from efdgen.verify.words.places import Element as Place
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction


class Part(NamedTuple):
    """A word of an element, of the number in [0, p) that it is stored as (``kept``), or of the one it is."""

    kind: str
    element: Value
    at: int


class Structures:
    """Elements as a language keeps them, in words of a size."""

    def __init__(
        self, function: EmittedFunction, build: Build, arithmetic: Arithmetic, *, pairs: bool
    ) -> None:
        self.function, self.build, self.arithmetic = function, build, arithmetic
        self.language, self.pairs = function.language, pairs
        self._limbs = "limb" if self.language == "c" else "0"

    def empty(self) -> dict[str, Value]:
        """Return an element that has no value yet."""
        return {self._limbs: [None] * self.build.limbs}

    def constant(self, words: Sequence[int]) -> dict[str, Value]:
        """Return an element whose words are known."""
        return {self._limbs: list(words)}

    def empty_pair(self) -> dict[str, Value]:
        """Return an element of GF(p²) that has no value yet."""
        return {"c0": self.empty(), "c1": self.empty()} if self.pairs else self.empty()

    def kept(self, value: Value) -> dict[str, Value]:
        """Return an element, or a pair, in its structure."""
        if isinstance(value, Pair):
            return {"c0": self.kept(value.c0), "c1": self.kept(value.c1)}
        return {self._limbs: self.words(value, "element")}

    def words(self, value: Value, kind: str) -> list[Value]:
        """Return the words of an element."""
        count = self.build.limbs if kind == "element" else self.build.words
        return [Part(self._kind(kind), value, at) for at in range(count)]

    def _kind(self, kind: str) -> str:
        return "number" if kind == "kept" and self.build.radix == 1 else kind

    def of(self, structure: Value) -> Value:
        """Return the element that a structure holds, or something that points to one."""
        structure = held(structure)
        if not isinstance(structure, dict):
            raise NotFollowedError("this is no element")
        if "c0" in structure:
            return Pair(self.of(structure["c0"]), self.of(structure["c1"]))
        return self.joined(structure[self._limbs], "element")

    def joined(self, words: Sequence[Value], kind: str) -> Value:
        """Return the element whose words these are, all of them and in order; known words are a constant."""
        words = [word.raw if isinstance(word, Integer) else word for word in words]
        first = words[0]
        if all(isinstance(word, int) for word in words) and kind == "element":
            number = sum(word << at for word, at in zip(words, self.build.positions, strict=True))
            order = self.function.ground.order
            return self.arithmetic.world.constant(number * pow(self.build.radix, -1, order) % order)
        if not isinstance(first, Part) or first.kind != self._kind(kind):
            raise NotFollowedError(f"these are no words of an element as {kind}")
        wanted = [first._replace(at=at) for at in range(len(words))]
        if words != wanted or len(words) != len(self.words(first.element, kind)):
            raise NotFollowedError("words are of several elements, or some are left out")
        return first.element


def held(value: Value) -> Value:
    """Return what something points to, or the value itself."""
    return value.read() if isinstance(value, Variable | Place) else value
