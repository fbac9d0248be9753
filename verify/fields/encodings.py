"""Proof of encodings as words and as bytes, as printed.

Bytes of a number below p or 2^m are followed as bit-vectors: what words are made of bytes, and bytes of
words, for all of them (Z3), and that a larger number is reported and read as 0. A pair is followed on
elements and on the places of bytes: it is two of them, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.numbers import OPERATIONS
from efdgen.verify.fields.arithmetic import Pair
from efdgen.verify.fields.elements import Element, World
from efdgen.verify.fields.functions import Followed, failures, text_of
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Bit, Integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction
    from efdgen.generator.fields.pieces import Language

Value = Any
Term = Any  # Z3's terms carry no types


def prove_encoding(function: EmittedFunction) -> None:
    """Prove a function that reads or writes words or bytes; raises :class:`Refuted`."""
    for build in function.builds:
        with failures(function.language):
            if function.name.endswith(("_words", "_canonical")):
                _words(function, build)
            elif function.quadratic:
                _pairs(function, build)
            else:
                _Bytes(function, build).prove()


def _require(holds: bool, text: str, language: Language) -> None:
    if not holds:
        raise Refuted(f"fails: {text}, in {language}")


def _words(function: EmittedFunction, build: Build) -> None:
    """Prove that words are those of the number that an element is, or are made an element."""
    followed, x = Followed(function, build, World(function.ground)), Element.symbol("x")
    language = function.language
    structures, machine = followed.structures, followed.machine
    if function.name == "fe_to_words":
        words = [None] * build.words
        if language == "c":
            machine.follow(function.routine, words, structures.kept(x))
        else:
            words = machine.follow(function.routine, structures.kept(x))
        _require(structures.joined(words, "number") == x, "words are those of the element", language)
        return
    kind = "kept" if function.name == "fe_from_canonical" else "number"
    r, words = structures.empty(), structures.words(x, kind)
    if language == "c":
        machine.follow(function.routine, r, words)
    else:
        r = machine.follow(function.routine, words)
    _require(structures.of(r) == x, "the element is that of the words", language)


class _Bytes:
    """Bytes of a number of GF(p) or GF(2^m), read or written with words of a size."""

    def __init__(self, function: EmittedFunction, build: Build) -> None:
        self.function, self.build, self.language = function, build, function.language
        self.count = function.ground.bytes
        self._bits = Bits()
        self._z3 = self._bits.z3
        text = text_of(function, build)
        self._machine = Machine(text, build.word, self._bits, self._routines())
        self._byte = self._machine.kinds["uint8_t"]
        self._big = function.name.endswith("be")

    def prove(self) -> None:
        """Raise :class:`Refuted` where something else is read or written."""
        if self.function.name.removeprefix("fe_") in OPERATIONS:
            self._combine()
        elif "from" in self.function.name:
            self._read()
        else:
            self._write()

    def _symbols(self) -> list[Integer]:
        return [self._byte_symbol(f"byte {at}") for at in range(self.count)]

    def _byte_symbol(self, name: str) -> Integer:
        return Integer(self._byte, self._z3.BitVec(name, 8))

    def _routines(self) -> dict[str, Any]:
        def reaches(words: Sequence[Value]) -> Integer:
            term = self._z3.Not(self._below(self._joined(words)))
            one, zero = (self._z3.BitVecVal(bit, self.build.word) for bit in (1, 0))
            return Integer(self._machine.word, self._z3.If(term, one, zero))

        def from_words(r: dict[str, Value], words: Sequence[Value]) -> None:
            r["words"] = list(words)

        def to_words(words: list[Value], _: Value) -> None:
            words[:] = self._number()

        return {
            **{f"limbs{mark}reaches_{self._modulus}": reaches for mark in ("_", "::")},
            "fe_from_words": from_words,
            "fe_to_words": to_words,
            "Self::from_words": list,
            "to_words": lambda _: self._number(),
            "Word::from": lambda byte: self._machine.converted(byte, self._machine.word),
            "choice": lambda bit: bit,
            "CtOption::new": lambda value, flag: (value, flag),
            "Self::from_bytes_le": lambda given: ("little", list(given)),
            "to_bytes_le": lambda _: self._symbols(),
        }

    def _number(self) -> list[Integer]:
        return [
            Integer(self._machine.word, self._z3.BitVec(f"word {at}", self.build.word))
            for at in range(self.build.words)
        ]

    def _joined(self, parts: Sequence[Value]) -> Term:
        """Return a number of parts, the least significant first, with as many bits as words have."""
        word = self._machine.word
        terms = [p.raw if isinstance(p, Integer) else self._machine.integer(word, p).raw for p in parts]
        term = self._z3.Concat(*reversed(terms)) if len(terms) > 1 else terms[0]
        return self._z3.ZeroExt(self.build.words * self.build.word - term.size(), term)

    @property
    def _modulus(self) -> str:
        return "degree" if self.function.ground.is_binary else "prime"

    def _below(self, number: Term) -> Term:
        """Say that a number is that of an element."""
        order = self.function.ground.order
        return self._z3.BoolVal(True) if order >> number.size() else self._z3.ULT(number, order)

    def _read(self) -> None:
        given, z3 = self._symbols(), self._z3
        number = self._joined(given[::-1] if self._big else given)
        below = self._below(number)
        if self.language == "rust":
            value, flag = self._machine.follow(self.function.routine, given)
            if value == "little":
                # The little-endian function is proved by itself.
                _require(self._big and flag == given[::-1], "bytes are turned around", self.language)
                return
            wanted = z3.Implies(below, self._joined(value) == number)
        else:
            r: dict[str, Value] = {}
            flag = self._machine.follow(self.function.routine, r, given)
            wanted = self._joined(r["words"]) == z3.If(below, number, 0)
        # A function that reads all strings returns the flag as a number.
        bit = flag.raw if isinstance(flag, Integer) else z3.BitVecVal(flag, self.build.word)
        self._require_all("bytes are read", wanted, (bit == 1) == below, z3.ULE(bit, 1))

    def _write(self) -> None:
        if self.language == "rust":
            found = self._machine.follow(self.function.routine, None)
            if self._big:
                _require(found == self._symbols()[::-1], "bytes are turned around", self.language)
                return
        else:
            found = [None] * self.count
            self._machine.follow(self.function.routine, found, None)
        number = self._joined(self._number())
        bytes_of = [self._machine.integer(self._byte, byte) for byte in (found[::-1] if self._big else found)]
        _require(len(found) == self.count, "there are as many bytes", self.language)
        premise = self._below(number)
        self._require_all("bytes are written", self._joined(bytes_of) == number, premises=(premise,))

    def _combine(self) -> None:
        """Prove that a limb function is called with the numbers, and that its result is written."""
        a, b = ([self._byte_symbol(f"{name} {at}") for at in range(self.count)] for name in "ab")
        given: list[tuple[str, Term, Term]] = []

        def routine(name: str) -> Any:  # noqa: ANN401 - a routine of the machine
            def call(r: list[Value], t: Sequence[Value], u: Sequence[Value]) -> None:
                given.append((name, self._joined(t), self._joined(u)))
                r[:] = self._number()

            return call

        self._machine.add({f"limbs::{limbs}": routine(limbs) for _, limbs in OPERATIONS.values()}, {})
        found = self._machine.follow(self.function.routine, a, b)
        _, wanted = OPERATIONS[self.function.name.removeprefix("fe_")]
        _require([name for name, *_ in given] == [wanted], "one limb function is called", self.language)
        _require(len(found) == self.count, "there are as many bytes", self.language)
        number, ((_, t, u),) = self._joined(self._number()), given
        written = self._joined([self._machine.integer(self._byte, byte) for byte in found]) == number
        premise = self._below(number)
        self._require_all("bytes are read", t == self._joined(a), u == self._joined(b))
        self._require_all("bytes are written", written, premises=(premise,))

    def _require_all(self, text: str, *claims: Term, premises: Sequence[Term] = ()) -> None:
        claims = (*claims, *self._bits.obligations)
        holds = all(self._bits.implied(text, claim, *premises) for claim in claims)
        _require(holds, text, self.language)


def _pairs(function: EmittedFunction, build: Build) -> None:
    """Prove that a pair is read from bytes of two numbers, or written to them."""
    language = function.language
    name = function.name.removeprefix("fe2_")
    size = function.ground.bytes
    world = World(function.ground)
    parts = Pair(Element.symbol("c0"), Element.symbol("c1"))
    places = [[(at, index) for index in range(size)] for at in range(2)]
    for _ in world.ways():
        flags: dict[int, bool] = {}

        def read(given: Sequence[Value], flags: dict[int, bool] = flags) -> tuple[bool, Element]:
            at = places.index([given[index] for index in range(size)])
            flags[at] = world.choose() if len(given) >= size else False
            return flags[at], parts[at] if flags[at] else Element.number(0)

        followed = Followed(function, build, world, pairs=True)
        structures, machine = followed.structures, followed.machine
        _calls(followed, name, read, lambda x, of=structures.of: places[parts.index(of(x))])
        if name.startswith("to"):
            found: list[Value] = [None] * (2 * size)
            if language == "c":
                machine.follow(function.routine, found, structures.kept(parts))
            else:
                found = machine.follow(function.routine, structures.kept(parts))
            _require(found == places[0] + places[1], "a pair is written", language)
            return
        given = places[0] + places[1]
        if language == "c":
            holder = {"value": structures.empty_pair()}
            flag = machine.follow(function.routine, Variable(holder, "value"), given)
        else:
            holder = machine.follow(function.routine, given)
            flag = holder["flag"]
        _require(sorted(flags) == [0, 1], "both numbers are read", language)
        both = all(flags.values())
        _require(bool(flag) == both, "it is told whether both numbers are below p", language)
        zero = Pair(Element.number(0), Element.number(0))
        if both or language == "c":
            _require(structures.of(holder["value"]) == (parts if both else zero), "a pair is read", language)


def _calls(followed: Followed, name: str, read: Value, written: Value) -> None:
    """Add what is called on one number: ``read`` bytes, or the places of bytes ``written`` of an element."""
    structures = followed.structures

    def read_c(r: Value, given: Sequence[Value]) -> Bit:
        flag, found = read(given)
        r.write(structures.kept(found))
        return Bit(flag)

    def write_c(target: Value, x: Value) -> None:
        for at, byte in enumerate(written(x)):
            target[at] = byte

    def read_rust(given: Sequence[Value]) -> dict[str, Value]:
        flag, found = read(given)
        return {"value": structures.kept(found), "flag": Bit(flag)}

    def and_then(option: dict[str, Value], function: Value) -> dict[str, Value]:
        found: dict[str, Value] = function(option["value"])
        return {**found, "flag": option["flag"] & found["flag"]}

    def mapped(option: Value, function: Value) -> Value:
        if isinstance(option, dict):
            return {**option, "value": function(option["value"])}
        return [function(item) for item in option]

    if followed.language == "c":
        followed.machine.add({f"fe_{name}": read_c if name.startswith("from") else write_c}, {})
    else:
        routines = {name: written, "and_then": and_then, "map": mapped}
        followed.machine.add(routines, {f"FieldElement::{name}": read_rust})
