"""Proof of printed functions on elements: C and Rust are read again, and followed case by case.

A function is called with elements of which a case says what is known
(:mod:`efdgen.verify.fields.cases`), its statements are followed by one machine, and what it calls is taken as
what that does (:mod:`efdgen.verify.fields.structures`): it must come out what the case says. In C a result
may be an input, in turn. Powers and roots are followed on exponents (:mod:`efdgen.verify.fields.exponents`).
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.arithmetic import Arithmetic
from efdgen.verify.fields.cases import CASES, Of
from efdgen.verify.fields.contracts import Contracts
from efdgen.verify.fields.structures import Structures
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.tree import Block, Constant, Declare, Routines, While
from efdgen.verify.words.tree import Literal as Number
from efdgen.verify.words.values import Bit, Integer, NotFollowedError, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction
    from efdgen.generator.fields.pieces import Language
    from efdgen.verify.fields.cases import Case
    from efdgen.verify.words.machine import Turns
    from efdgen.verify.words.tree import Function, Statement

Value = Any


@lru_cache(maxsize=64)
def _read(text: str, language: Language, word: int) -> Routines:
    try:
        return read_c(text, word) if language == "c" else read_rust(text)
    except NotReadError as error:
        raise Refuted(f"what is printed is not understood: {error}") from None


def text_of(function: EmittedFunction, build: Build) -> Routines:
    """Return what is printed of a function, with the numbers that other text defines."""
    read = _read(function.text, function.language, build.word)
    bits = function.ground.bits
    numbers = {
        "LIMBS": build.limbs,
        **dict.fromkeys(("WORDS", "limbs::WORDS"), build.words),
        "WORD_BITS": build.word,
        "WORD_BYTES": build.word // 8,
        **dict.fromkeys(("FE_BITS", "FieldElement::BITS"), bits),
        **dict.fromkeys(("FE_BYTES", "FieldElement::BYTES"), function.ground.bytes),
    }
    known = {name: Constant(name, None, Number(value)) for name, value in numbers.items()}
    known["Self::BYTES"] = read.constants.get("BYTES", known["FE_BYTES"])
    return Routines(function.language, read.functions, {**read.constants, **known})


class Followed:
    """A function for words of a size, with what is known of elements.

    ``pairs`` is whether elements of GF(p²) are pairs; ``followed`` are functions that are not taken as what
    they do, and ``loops`` rules for loops, by the names of functions.
    """

    def __init__(
        self,
        function: EmittedFunction,
        build: Build,
        world: Value,
        *,
        pairs: bool = False,
        followed: Collection[str] = (),
        loops: Mapping[str, Callable[[Turns], None]] | None = None,
    ) -> None:
        self.function, self.language = function, function.language
        self.arithmetic = Arithmetic(world, function.nonresidue)
        self.structures = Structures(function, build, self.arithmetic, pairs=pairs)
        self.text = text_of(function, build)
        called = Contracts(self.structures).routines()
        self.machine = Machine(
            self.text,
            build.word,
            Plain(),
            {name: how for name, how in called.items() if name not in followed},
            loops,
            structures=self._structures(),
            given=self._given(),
        )

    def _structures(self) -> dict[str, Any]:
        made = {"fe": self.structures.empty, "fe2": self.structures.empty_pair}
        return made if self.language == "c" else {}

    def _given(self) -> dict[str, Value]:
        """Return the constants 0 and 1, which other text has."""
        kept, number = self.structures.kept, self.arithmetic.number
        pair = self.function.quadratic and self.structures.pairs
        one = kept(number(1))
        owned = {"Self::ZERO": kept(number(0, pair=pair)), "Self::ONE": kept(number(1, pair=pair))}
        told = {name: kept(number(value)) for name, value in self.function.constants}
        told |= {"constant_one": one, "FieldElement::ZERO": kept(number(0)), "FieldElement::ONE": one}
        return told | owned

    def call(self, inputs: dict[str, Value], result: str = "r") -> tuple[Value, Value]:
        """Call the function, and return what it gives: a result, and a flag.

        In C the result goes where an input is, if it is that one's name.
        """
        return self._call_c(inputs, result) if self.language == "c" else self._call_rust(inputs)

    def _call_c(self, inputs: dict[str, Value], result: str) -> tuple[Value, Value]:
        structures, name = self.structures, self.function.routine
        place = structures.empty() if name == "fe2_norm" else self._empty()
        holder = {"r": place, **{name: self._input(name, value) for name, value in inputs.items()}}
        arguments = {name: self._argument(holder, name) for name in inputs}
        arguments["r"] = holder["r"] if isinstance(holder[result], list) else Variable(holder, result)
        names = [str(name) for name, _ in self.text.functions[name].parameters]
        flag = self.machine.follow(name, *(arguments[name] for name in names))
        flag = flag.raw if isinstance(flag, Integer) else flag
        if "r" in names:
            return structures.of(holder[result]), flag
        return tuple(structures.of(holder[name]) for name in ("a", "b") if name in holder), flag

    def _empty(self) -> dict[str, Value]:
        return self.structures.empty_pair() if self.function.quadratic else self.structures.empty()

    def _input(self, name: str, value: Value) -> Value:
        """Return an input as the language has it; the only one that is a word is ``k``."""
        if name == "k":
            return Integer(self.machine.word, value)
        if name == "flag":
            return Bit(value)
        return value if isinstance(value, int | list) else self.structures.kept(value)

    @staticmethod
    def _argument(holder: dict[str, Value], name: str) -> Value:
        return Variable(holder, name) if isinstance(holder[name], dict) else holder[name]

    def _call_rust(self, inputs: dict[str, Value]) -> tuple[Value, Value]:
        structures, names = self.structures, {"self": "a", "other": "b"}
        wanted = [str(name) for name, _ in self.text.functions[self.function.routine].parameters]
        holder = {name: self._input(name, value) for name, value in inputs.items()}
        found = self.machine.follow(
            self.function.routine, *(holder[names.get(name, name)] for name in wanted)
        )
        if found is None:
            return tuple(structures.of(holder[name]) for name in ("a", "b")), None
        if isinstance(found, list):
            flag, value = found
            return structures.of(value), int(flag)
        if not isinstance(found, dict):
            return None, int(found)
        if "flag" not in found:
            return structures.of(found), None
        zero = self.arithmetic.number(0, pair=self.function.quadratic and structures.pairs)
        return (structures.of(found["value"]) if found["flag"] else zero), int(found["flag"])

    def call_batch(self, values: Sequence[Value]) -> list[Value]:
        """Call an inversion of many elements, and return their inverses."""
        kept = [self.structures.kept(value) for value in values]
        places = [self._empty() for _ in values]
        if self.language == "c":
            self.machine.follow(self.function.routine, places, kept, len(kept))
        else:
            self.machine.follow(self.function.routine, places, kept)
        return [self.structures.of(place) for place in places]


@contextmanager
def failures(language: Language) -> Iterator[None]:
    """Refute what cannot be followed."""
    try:
        yield
    except (NotFollowedError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Refuted(f"fails: {language} can be followed: {error}") from None


def prove_cases(function: EmittedFunction) -> None:
    """Prove a function case by case; raises :class:`Refuted`."""
    name = re.sub(r"^fe2?_", "", function.name)
    pairs = function.quadratic and name not in ABSTRACT
    of = Of(function.ground, function.nonresidue or 0, pairs)
    in_c = function.language == "c"
    for build in function.builds:
        for case in CASES[name](of):
            for result in ("r", *(_elements(case) if in_c and name != "norm" else ())):
                _follow(function, build, case, result, pairs=pairs)
        if in_c and name in ("sqr_n", "inv_batch"):
            _require_alike(_read(function.text, "c", build.word).functions[function.routine])


def _follow(function: EmittedFunction, build: Build, case: Case, result: str, *, pairs: bool) -> None:
    """Follow a function every way that there is in a case."""
    for _ in case.world.ways():
        followed = Followed(function, build, case.world, pairs=pairs)
        with failures(function.language):
            if "values" in case.inputs:
                found, flag = followed.call_batch(case.inputs["values"]), None
            else:
                found, flag = followed.call(case.inputs, result)
        if case.world.exists and not case.holds(followed.arithmetic, found, flag):
            raise Refuted(f"fails: {function.name} gives what it should, in {function.language}")


def _elements(case: Case) -> list[str]:
    """Return the inputs in whose place a result may go."""
    return [name for name, value in case.inputs.items() if name != "k" and not isinstance(value, int | list)]


def _require_alike(function: Function) -> None:
    """Require that turns of loops are alike: what counts them is an index in them and nothing else."""
    for start, loop in _loops(function.body):
        counters = {one.pattern for one in start if isinstance(one, Declare)}
        declared = [one for one in loop.body.statements if isinstance(one, Declare) and one.kind == "size_t"]
        counters |= {one.pattern for one in declared}
        statements = [one for one in loop.body.statements if one not in declared]
        body = re.sub(r"index=Name\(name='(\w+)'\)", r"index=\1", repr(statements))
        for name in (*counters, "n"):
            if f"Name(name='{name}')" in body:
                raise Refuted(f"fails: all turns are alike: they compute with {name}")


def _loops(block: Block) -> Iterator[tuple[tuple[Statement, ...], While]]:
    """Yield the loops in a block, each with what it starts from."""
    for at, statement in enumerate(block.statements):
        if isinstance(statement, While):
            yield block.statements[:at], statement
        elif isinstance(statement, Block):
            yield from _loops(statement)


# On pairs, these call nothing but functions on pairs.
ABSTRACT = {"sqr_n", "inv_batch", "sqrt_ratio"}
