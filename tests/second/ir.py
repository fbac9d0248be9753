"""LLVM IR of rustc without optimisation as Python: memory for all variables, and no phi."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import repeat
from operator import add, mul, sub
from typing import TYPE_CHECKING, Any

from second import ir_memory
from second.errors import RefusedError
from second.ir_instructions import Instructions, name_of, parts, require, size_of
from second.ir_memory import address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_TURNS = 1 << 20  # turns of all blocks in a call
_DEFINITION = re.compile(
    r'^define [^@\n]*@([\w.$"]+)\(([^\n]*)\)[^()\n]*\{\n(.*?)^\}', re.MULTILINE | re.DOTALL
)
_GLOBAL = re.compile(r"^@([\w.$]+) = [^\n]*?\b(?:constant|global) ([^\n]*?)(?:, align \d+)?$", re.MULTILINE)
_CALLED = re.compile(r'\b(?:call|invoke)\b[^@\n]*@([\w.$"]+)\(')
# Text that differs between targets and has no effect: comments, attributes, alignment.
_PLAIN = re.compile(
    r"^ *;.*\n|(?:,? (?:!\w+ !|align |#)\d+)+|\b(?:zeroext|signext|dso_local|noundef) ", re.MULTILINE
)
_ESCAPE = re.compile(r"\\(\\|[0-9A-F]{2})")
_LABEL = re.compile(r'([\w."$-]+):')


class Module:
    """The functions of a module: each is translated when it is called first, with those that it calls.

    ``memory`` is the module whose functions load and store.
    """

    def __init__(self, text: str, memory: ModuleType = ir_memory) -> None:
        self._text, self._memory = text, memory
        self._bodies = {found[1]: (found[2], found[3]) for found in _DEFINITION.finditer(text)}
        self._globals = {found[1]: found[2] for found in _GLOBAL.finditer(text)}
        layout = re.search(r'^target datalayout = "(e-[^"]*)"', text, re.MULTILINE)
        if layout is None:
            raise RefusedError("a target that is not little-endian")
        self.pointer = 32 if re.search(r"\bp:32:32\b", layout[1]) else 64
        self._meanings: dict[str, str] = {}
        self._space: dict[str, Any] = {**memory.SPACE, "add": add, "mul": mul, "sub": sub}
        self._space |= {name_of(f"@{name}"): function for name, function in memory.INTRINSICS.items()}

    def over(self, memory: ModuleType) -> Module:
        """Return the same functions over another memory."""
        return Module(self._text, memory)

    def has(self, name: str) -> bool:
        """Return whether there is a function."""
        return name in self._bodies

    def meaning(self, name: str) -> str:
        """Return a text that functions and constants of one meaning share, for other targets too."""
        if name not in self._meanings:
            self._meanings[name] = "itself"
            parameters, body = self._bodies.get(name, ("", self._globals.get(name, "")))
            text = _PLAIN.sub("", f"{parameters}\n{body}")
            text = re.sub(r'@([\w.$"]+)', lambda found: self.meaning(found[1]), text)
            outside = "" if body else "panic" if "9panicking" in name else name
            self._meanings[name] = sha256(f"{outside}{text}".encode()).hexdigest()[:16]
        return self._meanings[name]

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a function returns."""
        if name_of(f"@{name}") not in self._space:
            self._translate(name)
        self._space["turns"] = repeat(True, _TURNS)
        return self._space[name_of(f"@{name}")](*arguments)

    def _translate(self, wanted: str) -> None:
        """Translate a function and those that it calls."""
        names, texts = [wanted], []
        while names:
            name = names.pop()
            if name_of(f"@{name}") in self._space:
                continue
            if name not in self._bodies:
                self._space[name_of(f"@{name}")] = self._outside(name)
                continue
            parameters, body = self._bodies[name]
            for mentioned in re.findall(r'@([\w.$"]+)', body):
                if mentioned in self._globals and name_of(f"@{mentioned}") not in self._space:
                    self._space[name_of(f"@{mentioned}")] = self._constant(mentioned)
            names += _CALLED.findall(body)
            texts.append(self._function(name, parameters, body))
            self._space[name_of(f"@{name}")] = None
        exec(compile("\n".join(texts), "<translated IR>", "exec"), self._space)

    def _function(self, name: str, parameters: str, body: str) -> str:
        names = [re.search(r'%[\w."$-]+$', parameter) for parameter in parts(parameters)]
        blocks = [*_blocks(body)]
        numbers = {label: number for number, (label, _) in enumerate(blocks)}
        translate = Instructions(self.pointer, numbers)
        head = f"def {name_of(f'@{name}')}({','.join(name_of(found[0]) for found in names)}):"
        if len(blocks) == 1:
            return "\n".join([head, *(f"  {translate.text(line)}" for line in blocks[0][1])])
        lines = [head, "  at=0", "  while next(turns):"]
        for number, (_, instructions) in enumerate(blocks):
            lines.append(f"    {'el' * bool(number)}if at=={number}:")
            lines += [f"      {translate.text(line)}" for line in instructions]
        return "\n".join(lines)

    def _constant(self, name: str) -> ir_memory.Pointer:
        """Return a constant, with the pointers in it."""
        data, pointers = bytearray(), {}
        for type_, value in _members(self._globals[name]):
            if type_ == "ptr":
                target = value.removeprefix("@")
                pointers[len(data)] = self._constant(target) if target in self._globals else (None, 0)
                number = address(pointers[len(data)]) & (1 << self.pointer) - 1
                data += number.to_bytes(self.pointer // 8, "little")
            else:
                data += _bytes(size_of(type_, self.pointer), type_, value)
        return self._memory.block(bytes(data), pointers, self.pointer), 0

    def _outside(self, name: str) -> Any:
        """Return a function that is not in the module: one of LLVM, or that panics."""
        short, known = name, self._memory.INTRINSICS
        while short not in known and "." in short:
            short = short.rpartition(".")[0]
        if short in known:
            return known[short]
        if "9panicking" in name:
            return lambda *_: ir_memory.panic("a panic")
        return lambda *_: ir_memory.refuse(f"a call of {name}")


def _blocks(body: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the labels of a function's blocks, with their instructions."""
    label, found = "", []
    for line in body.splitlines():
        text = line.strip()
        if not text or text.startswith(";"):
            continue
        if not line.startswith(" "):
            if label:
                yield label, found
            label, found = require(_LABEL.match(text), text)[1], []
        else:
            found.append(text)
    yield label, found


def _members(text: str) -> Iterator[tuple[str, str]]:
    """Yield the types and values of a constant's members."""
    if text.startswith("<{"):
        types, _, values = text.partition("}> <{")
        for value in parts(values.strip().removesuffix("}>")):
            yield from _members(value)
        require(types, text)
    else:
        found = require(re.fullmatch(r"(\[[^\]]*\]|ptr|i\d+) (.*)", text), text)
        yield found[1], found[2]


def _bytes(size: int, type_: str, value: str) -> bytes:
    if value.startswith('c"'):
        text = _ESCAPE.sub(lambda found: "\\" if found[1] == "\\" else chr(int(found[1], 16)), value[2:-1])
        return text.encode("latin-1")
    if re.fullmatch(r"i\d+", type_) and re.fullmatch(r"-?\d+", value):
        return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
    if value == "undef":
        return b"\xa5" * size
    require(value == "zeroinitializer" or None, value)
    return bytes(size)
