"""Functions of emitted C as a preprocessor leaves them: their text, their parameters, and callers for each.

A caller takes only pointers and public counts: all data that its code loads through a pointer is secret, and
no other data is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CALLER = "efdgen_call_"
"""The prefix of callers' names."""

_FUNCTION = re.compile(
    r"^(?!typedef)((?:[A-Za-z_]\w*(?:\s*\(\([^;{}]*?\)\))?[\s*]+)+)(\w+)\(([^;{}()]*)\)\s*\{(.*?)^\}",
    re.M | re.S,
)
_SPECIFIER = re.compile(
    r"\b(static|extern|inline|__inline(__)?|__forceinline|__attribute__\s*\(\(.*?\)\))\s*"
)
_INLINED = re.compile(r"\balways_inline\b|\b__forceinline\b")
_PARAMETER = re.compile(r"(.*?)(\w+)\s*((?:\[[^\]]*\])*)", re.S)
_DECIDES = re.compile(r"\b(?:for|while|if|do|switch|goto)\b|\?|&&|\|\|")
_CALLED = re.compile(r"\b(\w+)\s*\(")
# Functions in variable time; an encoding is public.
_VARIABLE = re.compile(r"_(?:var|decode)(_|$)")
# Parameters of these names are public, and so are sizes.
_COUNTS = re.compile(
    r"count|amount|early|length|size|shift|n|times|bits|width|windows|at|top|block|s|\w+_(count|length|size|bits)"
)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its type, its name and the lengths of an array."""

    type: str
    name: str
    array: str

    @property
    def pointer(self) -> bool:
        """Return whether it is a pointer."""
        return bool(self.array) or self.type.rstrip().endswith("*")

    @property
    def public(self) -> bool:
        """Return whether the value itself is public: a pointer, or a count."""
        counts = "size_t" in self.type or re.fullmatch(r"(const )?(int|unsigned|unsigned int) ?", self.type)
        return self.pointer or "size_t" in self.type or bool(counts and _COUNTS.fullmatch(self.name))


@dataclass(frozen=True)
class Source:
    """A function: its result's type, its parameters and its text."""

    name: str
    result: str
    parameters: tuple[Parameter, ...]
    body: str
    inlined: bool = False

    @property
    def decides(self) -> bool:
        """Return whether the text has a loop or a choice."""
        return _DECIDES.search(self.body) is not None

    @property
    def counts(self) -> bool:
        """Return whether a parameter is a public number, on which code may branch."""
        return any(each.public and not each.pointer for each in self.parameters)

    @property
    def variable(self) -> bool:
        """Return whether the function may take variable time, by its name: it says so, or decodes."""
        return _VARIABLE.search(self.name) is not None

    def caller(self) -> str:
        """Return the text of a function that calls this one, and takes secrets through pointers."""
        given = [
            f"{each.type}{each.name}{each.array}"
            if each.public
            else f"const {_value(each.type)} *{each.name}"
            for each in self.parameters
        ]
        values = ", ".join(each.name if each.public else f"*{each.name}" for each in self.parameters)
        call = f"{self.name}({values});"
        if self.result != "void":
            given.append(f"{self.result} *efdgen_result")
            call = f"*efdgen_result = {call}"
        head = f"void {CALLER}{self.name}({', '.join(given) or 'void'})"
        return f"{head};\n{head} {{ {call} }}\n"


def _value(type_: str) -> str:
    return re.sub(r"\bconst\b\s*", "", type_).strip()


def sources(text: str, own: Iterable[str]) -> dict[str, Source]:
    """Return the functions in preprocessed text whose names have one of some prefixes."""
    prefixes = tuple(own)
    found = {}
    for match in _FUNCTION.finditer(text):
        name, parameters = match[2], match[3].strip()
        if not name.startswith(prefixes) or "..." in parameters:
            continue
        parts = [] if parameters in {"", "void"} else parameters.split(",")
        split = [_PARAMETER.fullmatch(" ".join(part.split())) for part in parts]
        result = _value(_SPECIFIER.sub("", match[1]))
        known = tuple(Parameter(part[1], part[2], part[3]) for part in split if part)
        found[name] = Source(name, result, known, match[4], _INLINED.search(match[1]) is not None)
    return found


def straight(functions: Mapping[str, Source]) -> frozenset[str]:
    """Return the names of functions that, like all their callees, have no loop and no choice in their text.

    Functions of counts are not among them.
    """
    calls = {name: {*_CALLED.findall(each.body)} & functions.keys() for name, each in functions.items()}
    found = {name for name, each in functions.items() if not each.decides}
    while bad := {name for name in found if not calls[name] <= found}:
        found -= bad
    return frozenset(name for name in found if not functions[name].counts)


def variable(functions: Mapping[str, Source]) -> frozenset[str]:
    """Return the names of functions that may take variable time, and of those that only these call."""
    calls = {name: {*_CALLED.findall(each.body)} & functions.keys() for name, each in functions.items()}
    callers = {name: {caller for caller, callees in calls.items() if name in callees} for name in functions}
    found = {name for name, each in functions.items() if each.variable}
    while more := {name for name in functions.keys() - found if callers[name] and callers[name] <= found}:
        found |= more
    return frozenset(found)


def reaching(functions: Mapping[str, Source], pattern: re.Pattern[str]) -> frozenset[str]:
    """Return the names of functions that match a pattern, or whose callees do."""
    calls = {name: {*_CALLED.findall(each.body)} & functions.keys() for name, each in functions.items()}
    found = {name for name, each in functions.items() if pattern.search(each.body) or pattern.search(name)}
    while more := {name for name in functions.keys() - found if calls[name] & found}:
        found |= more
    return frozenset(found)


def own_name(symbol: str) -> str:
    """Return the function of a symbol: compilers append endings to names of copies and of parts."""
    return re.sub(r"(?<=\w{6})(\.\w+)*(\.\d+)*$", "", symbol).removeprefix(CALLER)
