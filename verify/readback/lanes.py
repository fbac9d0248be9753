"""Functions on lanes, read back: every statement as one operation on values, compared with proved programs.

A statement declares a name once, as one intrinsic of names, or stores a name in a place that an output has;
there is no other one. The meaning of an intrinsic is Intel's, and no other text of the project has it.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.lanes.text import member_name, printed_name, signature
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.verify.readback.frames import Followed
from efdgen.verify.readback.meaning import results
from efdgen.verify.readback.values import Values
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.fields.printed import LaneFunction, LaneText

_WORD, _FACTOR, _HALF = 64, 52, 32
_LET = {
    "c": re.compile(r"const __m(\d+)i (\w+) = (.*);"),
    "rust": re.compile(r"let ()(\w+) = (.*);"),
}
_STORE = re.compile(r"([\w.>-]+\[\d+\]) = (\w+(?:\(\))?);")
_CALL = re.compile(r"_mm(\d+)_(\w+?)(?:::<(\d+)>)?\((.*)\)")
# Intrinsics for a number in all lanes: AVX2 has no set1_epi64 of numbers, only of MMX registers.
_ALL = {"256": "set1_epi64x", "512": "set1_epi64"}
_INTEGER = re.compile(r"(?:INT64_C\()?0x([0-9a-f_]+)\)?")


def followed_lanes(text: LaneText) -> Iterator[Followed]:
    """Yield the functions that are compared with proved programs."""
    return (Followed(text.path, printed_name(each, text.language, text.prefix)) for each in text.functions)


def lane_differences(text: LaneText, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the functions that are not what was proved, and how they differ."""
    file, values = files.get(text.path, ""), Values(_WORD)
    for function in text.functions:
        head = signature(function, text.language, text.prefix)
        try:
            difference = _Reader(function, text, values).difference(_body(file, head))
        except NotFollowedError as error:
            difference = f"it cannot be followed: {error}"
        if difference:
            yield printed_name(function, text.language, text.prefix), difference


def _body(text: str, head: str) -> list[str]:
    """Return the statements between a signature and the brace that ends its function."""
    _, found, rest = text.partition(f"{head} {{\n")
    if not found or f"{head} {{\n" in rest:
        raise NotFollowedError("its signature is not there once")
    return [line.strip() for line in rest.partition("\n}\n")[0].splitlines()]


class _Reader:
    """Follows one function."""

    def __init__(self, function: LaneFunction, text: LaneText, values: Values) -> None:
        self._function, self._language, self._values = function, text.language, values
        self._bits, self._intrinsics = f"{text.bits}", _intrinsics(values, text.bits)
        self._names: dict[str, int] = {}
        self._stored: dict[str, int] = {}
        program = function.operation.program
        outputs = {number for argument in function.outputs for number in argument.members.values()}
        sizes = {name: len(program.numbers[index].words) for name, index in program.outputs}
        sizes |= {program.numbers[index].name: len(program.numbers[index].words) for index in program.inputs}
        self._inputs: dict[str, tuple[str, int]] = {}
        self._outputs: dict[str, tuple[str, int]] = {}
        for argument in (*function.outputs, *function.inputs):
            for member, number in argument.members.items():
                places = self._outputs if number in outputs else self._inputs
                for at in range(sizes.get(number, 0)):
                    places[self._place(argument.name, member, at)] = number, at

    def difference(self, statements: Sequence[str]) -> str:
        """Return how the stored values differ from the program's; nothing where they do not."""
        for statement in statements:
            self._follow(statement)
        program = self._function.operation.program
        wanted, _ = results(LimbFunction("", program, ()), self._values)
        found = dict(zip((name for name, _ in program.outputs), wanted, strict=True))
        for place, (number, at) in self._outputs.items():
            if place not in self._stored:
                return f"{place} is not stored"
            if self._stored[place] != found[number][at]:
                texts = map(self._values.text, (self._stored[place], found[number][at]))
                return f"{place} is {', not '.join(texts)}"
        return ""

    def _place(self, argument: str, member: str, at: int) -> str:
        arrow = "->" if self._language == "c" else "."
        parts = [argument, *([member_name(member, self._language)] if member else [])]
        return f"{arrow.join(parts)}{'.' if member else arrow}limb[{at}]"

    def _follow(self, statement: str) -> None:
        if declared := _LET[self._language].fullmatch(statement):
            bits, name, text = declared.groups()
            if bits not in ("", self._bits):
                raise NotFollowedError(f"{name} has another type")
            if name in self._names:
                raise NotFollowedError(f"{name} is declared twice")
            self._names[name] = self._value(text)
        elif (stored := _STORE.fullmatch(statement)) and stored[1] in self._outputs:
            if stored[1] in self._stored:
                raise NotFollowedError(f"{stored[1]} is stored twice")
            self._stored[stored[1]] = self._named(stored[2])
        else:
            raise NotFollowedError(f"no such statement: {statement}")

    def _value(self, text: str) -> int:
        if text in self._inputs:
            if self._stored:
                raise NotFollowedError(f"{text} is read after an output is stored, which may be in its place")
            number, at = self._inputs[text]
            return self._values.make("input", number.lower(), at)
        if (call := _CALL.fullmatch(text)) and call[1] == self._bits:
            return self._made(call[2], call[3], call[4].split(", ") if call[4] else [])
        raise NotFollowedError(f"no such expression: {text}")

    def _named(self, name: str) -> int:
        if name == f"_mm{self._bits}_setzero_si{self._bits}()":
            return self._values.zero
        if name not in self._names:
            raise NotFollowedError(f"{name} is not declared")
        return self._names[name]

    def _made(self, name: str, amount: str | None, given: list[str]) -> int:
        """Return what an intrinsic makes."""
        if name == _ALL[self._bits] and len(given) == 1 and (known := _INTEGER.fullmatch(given[0])):
            return self._values.constant(self._below(int(known[1].replace("_", ""), 16), 1 << _WORD - 1))
        if name in ("slli_epi64", "srli_epi64"):
            value, by = (given[0], amount) if self._language == "rust" else (given[0], given[-1])
            if by is None or len(given) != (1 if amount else 2) or not by.isdigit():
                raise NotFollowedError(f"{name} has another amount")
            operator = "<<" if name[1] == "l" else ">>"
            return self._values.shifted(operator, self._named(value), self._below(int(by), _WORD))
        if name not in self._intrinsics or amount:
            raise NotFollowedError(f"no such intrinsic: {name}")
        count, make = self._intrinsics[name]
        if len(given) != count:
            raise NotFollowedError(f"{name} takes {count} values")
        return make(*map(self._named, given))

    @staticmethod
    def _below(number: int, most: int) -> int:
        if not 0 < number < most:
            raise NotFollowedError(f"{number} is out of range")
        return number


def _intrinsics(v: Values, bits: int) -> dict[str, tuple[int, Callable[..., int]]]:
    """Return the number of operands, and the meaning in each lane, of what does not take an amount.

    Processors have some of them on 256 bits alone, by another encoding of the same instruction.
    """
    low, high = (partial(v.fused, bits=_FACTOR, half=half) for half in (0, 1))
    encoded = {"madd52lo_avx_epu64": (3, low), "madd52hi_avx_epu64": (3, high)} if bits == 256 else {}
    return {
        "add_epi64": (2, lambda a, b: v.add(a, b, v.zero)),
        "sub_epi64": (2, lambda a, b: v.sub(a, b, v.zero)),
        f"and_si{bits}": (2, lambda a, b: v.bitwise("&", a, b)),
        f"or_si{bits}": (2, lambda a, b: v.bitwise("|", a, b)),
        f"xor_si{bits}": (2, lambda a, b: v.bitwise("^", a, b)),
        f"andnot_si{bits}": (2, lambda a, b: v.bitwise("&", v.inverted(a), b)),
        "mullo_epi64": (2, lambda a, b: v.low(v.product(a, b))),
        "mul_epu32": (2, partial(v.short, bits=_HALF)),
        "madd52lo_epu64": (3, low),
        "madd52hi_epu64": (3, high),
        **encoded,
    }
