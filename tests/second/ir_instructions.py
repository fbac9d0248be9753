"""Instructions of LLVM IR as Python statements; one that is not known refuses when it is executed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from second.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

_ASSIGNED = re.compile(r'(%[\w."$-]+) = (.*)')
_METADATA = re.compile(r"(?:, !\w+ !\d+|, align \d+| #\d+)+$")
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
_SHIFTS = {"shl": "<<", "lshr": ">>", "ashr": ">>"}
_DIVISIONS = {"udiv": "//", "urem": "%"}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_FLAGS = r"((?:(?:nuw|nsw|disjoint|exact|nneg|inbounds|nusw) )*)"


def require(found: T | None, text: str) -> T:
    """Return what was found; refuse a text in which nothing was."""
    if not found:
        raise RefusedError(f"IR: {text[:80]}")
    return found


def name_of(name: str) -> str:
    """Return a Python name for a value or a function."""
    return "v" + re.sub(r"\W", lambda found: f"_{ord(found[0]):x}_", name)


def parts(text: str) -> list[str]:
    """Return the parts between commas that are in no brackets and no string."""
    found, depth, start, quoted = [], 0, 0, False
    for at, character in enumerate(text):
        quoted ^= character == '"'
        if not quoted:
            depth += (character in "([{<") - (character in ")]}>")
            if character == "," and not depth:
                found.append(text[start:at].strip())
                start = at + 1
    return [*found, text[start:].strip()] if text[start:].strip() else found


def size_of(type_: str, pointer: int) -> int:
    """Return the bytes of a type."""
    if type_ == "ptr":
        return pointer // 8
    if found := re.fullmatch(r"\[(\d+) x (.+)\]", type_):
        return int(found[1]) * size_of(found[2], pointer)
    return -(-bits_of(type_) // 8)


def bits_of(type_: str) -> int:
    """Return the bits of an integer type."""
    return int(require(re.fullmatch(r"i(\d+)", type_), f"type {type_}")[1])


class Instructions:
    """The instructions of a function, whose blocks are numbered; ``pointer`` is the bits of one."""

    def __init__(self, pointer: int, blocks: Mapping[str, int]) -> None:
        self._pointer, self._blocks = pointer, blocks

    def text(self, line: str) -> str:
        """Return the statement of an instruction."""
        try:
            return self._statement(line)
        except RefusedError as error:
            return f"refuse({str(error)!r})"

    def _statement(self, line: str) -> str:
        line = _METADATA.sub("", line)
        found = _ASSIGNED.fullmatch(line)
        target = f"{name_of(found[1])}=" if found else ""
        operator, _, rest = (found[2] if found else line).partition(" ")
        if operator in ("tail", "musttail", "notail"):
            operator, _, rest = rest.partition(" ")
        handler = getattr(self, f"_{operator}", None)
        if handler is None and operator in (*_ARITHMETIC, *_SHIFTS, *_DIVISIONS):
            return target + self._binary(operator, rest)
        return require(handler, line)(rest) if not target else target + require(handler, line)(rest)

    def _value(self, text: str, type_: str) -> str:
        """Return an operand: an integer is unsigned."""
        if text.startswith(("%", "@")):
            return name_of(text)
        if re.fullmatch(r"-?\d+", text):
            return str(int(text) & (1 << bits_of(type_)) - 1)
        if found := re.fullmatch(r"inttoptr \(i\d+ (\d+) to ptr\)", text):
            return f"(None,{found[1]})"
        known = {"true": "1", "false": "0", "poison": "None", "undef": "None", "null": "(None,0)"}
        return require(known.get(text), f"the value {text}")

    def _typed(self, text: str) -> str:
        """Return an operand that is written with its type, and attributes between them."""
        if found := re.fullmatch(r"(ptr) .*?(inttoptr \(.*\))", text):
            return self._value(found[2], "ptr")
        if text.startswith("{"):
            aggregate, _, value = text.rpartition(" ")
            return self._value(value, aggregate)
        return self._value(text.rpartition(" ")[2], text.partition(" ")[0])

    def _alloca(self, rest: str) -> str:
        return f"allocated({size_of(parts(rest)[0], self._pointer)})"

    def _load(self, rest: str) -> str:
        type_, place = parts(rest)
        if type_ == "ptr":
            return f"load_pointer({self._typed(place)},{self._pointer})"
        return f"load({self._typed(place)},{bits_of(type_)})"

    def _store(self, rest: str) -> str:
        value, place = parts(rest)
        type_ = value.partition(" ")[0]
        if type_ == "ptr":
            return f"store_pointer({self._typed(place)},{self._pointer},{self._typed(value)})"
        return f"store({self._typed(place)},{bits_of(type_)},{self._typed(value)})"

    def _getelementptr(self, rest: str) -> str:
        type_, base, *indices = parts(re.sub(rf"^{_FLAGS}", "", rest))
        offsets = []
        for number, index in enumerate(indices):
            if number:
                type_ = require(re.fullmatch(r"\[\d+ x (.+)\]", type_), rest)[1]
            value, bits = self._typed(index), bits_of(index.partition(" ")[0])
            at = (
                str(int(value) - (int(value) >> bits - 1 << bits))
                if value.isdigit()
                else f"signed({value},{bits})"
            )
            offsets.append(f"{at}*{size_of(type_, self._pointer)}")
        return f"moved({self._typed(base)},{'+'.join(offsets)})"

    def _binary(self, operator: str, rest: str) -> str:
        found = require(re.fullmatch(rf"{_FLAGS}(i\d+) (.+)", rest), rest)
        bits, (left, right) = bits_of(found[2]), (self._value(text, found[2]) for text in parts(found[3]))
        if operator in _DIVISIONS:
            return f"{left}{_DIVISIONS[operator]}{right}"
        if operator in _SHIFTS:
            value = f"signed({left},{bits})" if operator == "ashr" else left
            return f"({value}{_SHIFTS[operator]}amount({right},{bits}))&{(1 << bits) - 1:#x}"
        if operator in ("and", "or", "xor"):
            return f"{left}{_ARITHMETIC[operator]}{right}"
        text = f"{left}{_ARITHMETIC[operator]}{right}"
        if "n" in found[1]:
            return f"checked({text},({left},{right}),{bits},{found[1]!r},{operator})"
        return f"({text})&{(1 << bits) - 1:#x}"

    def _zext(self, rest: str) -> str:
        return self._converted(rest)[0]

    def _trunc(self, rest: str) -> str:
        value, _, target = self._converted(rest)
        return f"{value}&{(1 << target) - 1:#x}"

    def _sext(self, rest: str) -> str:
        value, source, target = self._converted(rest)
        return f"signed({value},{source})&{(1 << target) - 1:#x}"

    def _converted(self, rest: str) -> tuple[str, int, int]:
        found = require(re.fullmatch(rf"{_FLAGS}(i\d+) (\S+) to (i\d+)", rest), rest)
        return self._value(found[3], found[2]), bits_of(found[2]), bits_of(found[4])

    def _ptrtoint(self, rest: str) -> str:
        found = require(re.fullmatch(r"ptr (\S+) to (i\d+)", rest), rest)
        return f"address({self._value(found[1], 'ptr')})&{(1 << bits_of(found[2])) - 1:#x}"

    def _icmp(self, rest: str) -> str:
        found = require(re.fullmatch(r"(?:samesign )?([us]?)(eq|ne|lt|le|gt|ge) (i\d+|ptr) (.+)", rest), rest)
        operands = [self._value(text, found[3]) for text in parts(found[4])]
        if found[3] == "ptr":
            operands = [f"address({value})" for value in operands]
        elif found[1] == "s":
            operands = [f"signed({value},{bits_of(found[3])})" for value in operands]
        return f"int({operands[0]}{_COMPARISONS[found[2]]}{operands[1]})"

    def _select(self, rest: str) -> str:
        condition, one, other = map(self._typed, parts(rest))
        return f"{one} if {condition} else {other}"

    def _extractvalue(self, rest: str) -> str:
        aggregate, index = parts(rest)
        return f"{self._typed(aggregate)}[{int(index)}]"

    def _insertvalue(self, rest: str) -> str:
        aggregate, value, index = parts(rest)
        size = len(parts(require(re.match(r"\{(.*)\}", aggregate), rest)[1]))
        return f"inserted({self._typed(aggregate)},{size},{self._typed(value)},{int(index)})"

    def _call(self, rest: str) -> str:
        if re.search(r'\basm sideeffect "", "r,~\{memory\}"\(ptr [^,]*\)(?:, !srcloc !\d+)?$', rest):
            return "pass"
        found = require(re.search(r'@([\w.$"]+)\((.*)\)$', rest), rest)
        return f"{name_of(f'@{found[1]}')}({','.join(map(self._typed, parts(found[2])))})"

    def _ret(self, rest: str) -> str:
        return "return None" if rest == "void" else f"return {self._typed(rest)}"

    def _unreachable(self, _: str) -> str:
        return "panic('unreachable')"

    def _br(self, rest: str) -> str:
        if found := re.fullmatch(r"label %(\S+)", rest):
            return f"at={self._blocks[found[1]]}"
        found = require(re.fullmatch(r"i1 (\S+), label %(\S+), label %(\S+)", rest), rest)
        one, other = self._blocks[found[2]], self._blocks[found[3]]
        return f"at={one} if {self._value(found[1], 'i1')} else {other}"
