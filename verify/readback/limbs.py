"""Limb functions of a text, followed on values and compared with the proved limb programs.

A function is followed on symbols for its inputs. A call of another one, as in a fused formula, does what that
one was found to do, on what it is given: so a fused formula is compared with its program as a whole, from the
words that it reads to the words that it stores. In C every input has to be read before any output is stored,
so that outputs may be in the place of inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.verify.readback.arrays import Array, Memory, Places, Whole
from efdgen.verify.readback.domain import Words
from efdgen.verify.readback.meaning import element, parameters, results
from efdgen.verify.readback.primitives import Primitives
from efdgen.verify.readback.values import Values
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import View
from efdgen.verify.words.tree import Routines
from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.limbs.spelling import LimbFunction
    from efdgen.verify.readback.meaning import Parameter
    from efdgen.verify.words.places import Element, Variable
    from efdgen.verify.words.tree import Constant, Function
    from efdgen.verify.words.values import Kind

Value = Any

# Exceptions of following a text that is not a limb function.
FAILURES = NotFollowedError, LookupError, TypeError, ValueError, AttributeError


@dataclass(frozen=True)
class _Piece:
    """The results of a function: each output's elements, the returned word, and all values on the way."""

    outputs: tuple[tuple[int, ...], ...]
    returned: int | None
    needed: tuple[int, ...]


@dataclass(frozen=True)
class _Kept:
    """A piece, the text that it was found in, its constants and steps, and the pieces that it calls."""

    function: Function
    constants: Mapping[str, Constant]
    steps: tuple[Function | None, ...]
    called: dict[str, _Piece]
    piece: _Piece


class _Follower(Machine):
    """Follows limb functions; arrays have types, and are passed by reference."""

    def _array(self, kind: str | None, sizes: list[int], values: list[Value] | None) -> Places:  # type: ignore[override]
        if len(sizes) != 1 or kind is None:
            raise NotFollowedError("an array that is no number")
        places = Places("a local array", self.kinds[kind], sizes[0], self.domain)
        for index, value in enumerate(super()._array(kind, sizes, values) if values else ()):
            places[index] = value
        return places

    def typed(self, name: str | None, value: Value) -> Value:
        """Return a value as something of a type is declared with it, which is not volatile."""
        if (name or "").startswith("volatile "):
            raise NotFollowedError(f"a variable is {name}")
        return super().typed(name, value)

    def binary(self, sign: str, left: Value, right: Value, wraps: bool | None = None) -> Value:
        """Return what an operator makes of two values; a pointer into a local array may be moved."""
        if sign == "+" and type(left) is Places and type(right) is int:
            return View(left, right, len(left) - right)
        return super().binary(sign, left, right, wraps)

    def _pointed(self, place: Value) -> Variable | Element:  # type: ignore[override]
        found: Variable | Element = Whole(place) if isinstance(place, Array) else super()._pointed(place)  # type: ignore[assignment]
        return found


class LimbReader:
    """Compares limb functions of texts with their programs; ``functions`` are all that a text may have.

    ``steps`` are functions that these call, which are followed there. Texts may follow each other: what is
    the same in one of them as in the last is not followed again.
    """

    def __init__(
        self,
        language: Language,
        word: int,
        functions: Mapping[str, LimbFunction],
        steps: Sequence[LimbFunction] = (),
    ) -> None:
        self._language, self._functions = language, functions
        self._steps = {step.name: step for step in steps}
        self._values = Values(word)
        self._machine = self._in(Routines(language, {}, {}))
        self._kept: dict[str, _Kept] = {}
        self._under_way: dict[str, dict[str, _Piece]] = {}  # and what they have called so far
        self._wanted: dict[str, tuple[list[list[int]], int | None]] = {}

    def differences(self, text: Routines) -> dict[str, str]:
        """Return how functions of a text differ from their programs, in words, by their names."""
        self._machine = self._in(text)
        found = {name: self._step_difference(name) for name in self._steps}
        found |= {name: self._difference(name) for name in self._functions}
        return {name: difference for name, difference in found.items() if difference}

    def _in(self, text: Routines) -> _Follower:
        """Return what follows a text."""
        self._text = text
        machine = _Follower(text, self._values.word, Words(self._values), given={"SEAM": None})
        primitives = Primitives(machine, Words(self._values))
        self._word = primitives.word
        own = primitives.in_c() if self._language == "c" else primitives.in_rust()
        machine.add({**own, **{self._own_name(name): self._caller(name) for name in self._functions}}, {})
        return machine

    def _step_difference(self, name: str) -> str:
        """Return how a step's parameters differ; its statements are followed at each call."""
        function = self._text.functions.get(self._own_name(name))
        try:
            if function is None:
                raise NotFollowedError("it is not in the text")
            self._require_signature(function, self._steps[name])
        except FAILURES as error:
            return f"it cannot be followed: {error}"
        return ""

    def _difference(self, name: str) -> str:
        function = self._functions[name]
        try:
            piece = self._piece(name)
        except FAILURES as error:
            return f"it cannot be followed: {error}"
        if name not in self._wanted:
            self._wanted[name] = results(function, self._values)
        outputs, returned = self._wanted[name]
        if piece.returned != returned:
            return f"it returns {self._text_of(piece.returned)}, not {self._text_of(returned)}"
        arrays = [array for array in parameters(function) if array.output]
        for array, found, wanted in zip(arrays, piece.outputs, outputs, strict=True):
            for index, (one, other) in enumerate(zip(found, wanted, strict=True)):
                if one != other:
                    place = f"{array.name}[{index}]"
                    return f"{place} is {self._text_of(one)}, not {self._text_of(other)}"
        return ""

    def _text_of(self, value: int | None) -> str:
        return "nothing" if value is None else self._values.text(value)

    def _kind(self, array: Parameter) -> Kind:
        return self._machine.kinds["wide"] if array.double else self._machine.word

    def _piece(self, name: str) -> _Piece:
        """Return what a function does; it is followed where it is not what it was in the last text."""
        function = self._text.functions.get(self._own_name(name))
        if function is None:
            raise NotFollowedError("it is not in the text")
        if name in self._under_way:
            raise NotFollowedError("it calls itself")
        kept, steps, constants = self._kept.get(name), self._own_steps(), self._text.constants
        now = (function, constants, steps)
        if kept and (kept.function, kept.constants, kept.steps) == now and self._are_same(kept.called):
            return kept.piece
        called: dict[str, _Piece] = {}
        self._under_way[name] = called
        try:
            piece = self._followed(name, function)
        finally:
            del self._under_way[name]
        self._kept[name] = _Kept(function, constants, steps, called, piece)
        return piece

    def _own_steps(self) -> tuple[Function | None, ...]:
        """Return the steps as they are in the text."""
        return tuple(self._text.functions.get(self._own_name(name)) for name in self._steps)

    def _are_same(self, called: Mapping[str, _Piece]) -> bool:
        """Return whether functions do what they did in the last text."""
        return all(self._piece(name) == piece for name, piece in called.items())

    def _followed(self, name: str, function: Function) -> _Piece:
        """Follow a function on symbols."""
        wanted = self._functions[name]
        self._require_signature(function, wanted)
        memory = Memory() if self._language == "c" else None
        arrays = [self._argument(array, memory) for array in parameters(wanted)]
        found = self._machine.follow(function.name, *arrays)
        outputs = []
        for array in arrays:
            if isinstance(array, Places):
                if None in array.raw:
                    raise NotFollowedError(f"{array.name} is not stored")
                outputs.append(tuple(value for value in array.raw if value is not None))
        returned = None if wanted.returned is None else self._word(found)
        every = [value for output in outputs for value in output]
        every += [] if returned is None else [returned]
        return _Piece(tuple(outputs), returned, tuple(self._values.needed(every)))

    def _own_name(self, name: str) -> str:
        return f"limbs_{name}" if self._language == "c" else name

    def _argument(self, array: Parameter, memory: Memory | None) -> Array:
        if array.output:
            return Places(array.name, self._kind(array), array.count, self._machine.domain, memory)
        items = (element(self._values, array, index) for index in range(array.count))
        return Array(array.name, self._kind(array), items, memory)

    def _caller(self, name: str) -> Callable[..., Value]:
        """Return what a call does: read the inputs, and store what the function makes of them."""
        arrays = parameters(self._functions[name])

        def call(*arguments: Value) -> Value:
            piece = self._piece(name)
            self._under_way[next(reversed(self._under_way))][name] = piece
            inputs: dict[int, int] = {}
            for array, given in zip(arrays, arguments, strict=True):
                self._require_array(array, given)
                if not array.output:
                    inputs.update(self._given(array, given))
            found = self._values.substituted(piece.needed, inputs)
            places = (given for array, given in zip(arrays, arguments, strict=True) if array.output)
            for place, output in zip(places, piece.outputs, strict=True):
                for index, value in enumerate(output):
                    kind = self._machine.kinds["wide"] if self._is_double(value) else self._machine.word
                    place[index] = Integer(kind, found[value])
            return None if piece.returned is None else Integer(self._machine.word, found[piece.returned])

        return call

    def _is_double(self, value: int) -> bool:
        return bool(self._values.node(value)[0] == "double")

    def _given(self, array: Parameter, given: Value) -> Iterator[tuple[int, int]]:
        """Yield the symbols of an input, and what is in their place."""
        for index in range(array.count):
            found = given[index]
            if array.double:
                yield (
                    self._values.make("column", array.name, index),
                    self._machine.integer(self._kind(array), found).raw,
                )
            else:
                yield self._values.make("input", array.name, index), self._word(found)

    def _require_array(self, array: Parameter, given: Value) -> None:
        """Require that an argument is an array of as many words as the parameter, or double words."""
        if not isinstance(given, Array | list) or len(given) != array.count:
            raise NotFollowedError(f"what is given for {array.name} is no array of {array.count}")
        if isinstance(given, Array) and given.kind != self._kind(array):
            raise NotFollowedError(f"what is given for {array.name} has elements of {given.kind.bits} bits")

    def _require_signature(self, function: Function, wanted: LimbFunction) -> None:
        """Require the parameters and the result that a function is called with."""
        word = self._values.word
        declared = []
        for array in parameters(wanted):
            if self._language == "c":
                kind = "fp_wide" if array.double else f"uint{word}_t"
                as_array = f"{'' if array.output else 'const '}{kind} {array.name} [ {array.count} ]"
                declared.append(f"{kind} {array.name}" if array.name in wanted.scalars else as_array)
            else:
                kind = f"u{2 * word if array.double else word}"
                declared.append(f"{array.name} : & {'mut ' * array.output}[ {kind} ; {array.count} ]")
        if function.declared != tuple(declared):
            raise NotFollowedError(f"its parameters are {', '.join(function.declared)}")
        nothing = "void" if self._language == "c" else None
        result = f"{'uint' if self._language == 'c' else 'u'}{word}{'_t' * (self._language == 'c')}"
        if function.result != (nothing if wanted.returned is None else result):
            raise NotFollowedError(f"it returns {function.result}")
