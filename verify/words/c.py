"""Reader of routines on words in emitted C, a small part of C99. Prefixes, ``fp``, are removed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.verify.words.c_grammar import C
from efdgen.verify.words.reader import NotReadError, definitions, without_comments
from efdgen.verify.words.tree import Binary, Call, Constant, Function, Literal, Name, Routines, Unary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from efdgen.verify.words.tree import Expression

# Lines that contain no routine.
_PASSED = "#include", "#pragma", "#define"
# The name of a function or of a constant: what is before the first bracket or equals sign.
_DEFINED = re.compile(r"\s*(?!typedef|__extension__|extern)[A-Za-z_][\w \t*\n]*?(\w+)\s*[(\[=]")


def read_c(
    text: str,
    word: int,
    defined: Collection[str] = ("__SIZEOF_INT128__",),
    wanted: Callable[[str], bool] | None = None,
    types: tuple[str, ...] = (),
) -> Routines:
    """Return the routines of a text for words of a size, what it defines of ``defined`` names and no more.

    If ``wanted`` is given, definitions of other names are left unread; ``types`` are names of structures.
    Raises :class:`NotReadError` for anything else than such routines.
    """
    chosen, macros = preprocessed(without_comments(text), word, defined)
    lines = [line for line in chosen if not line.startswith(_PASSED)]
    is_wanted = wanted or (lambda _: True)
    constants = {
        name: Constant(name, None, C(value).expression()) for name, value in macros.items() if is_wanted(name)
    }
    own = "FP_WORD_BITS" in text  # over a host's field, types of words and elements are the host's
    functions = {}
    for definition in definitions(lines):
        name = _defined_name(definition)
        if wanted is not None and name is not None and not wanted(name):
            continue
        for item in _items(definition, types, word if own else None):
            if item.name in functions or (isinstance(item, Constant) and item.name in constants):
                raise NotReadError(f"{item.name} is defined twice")
            if isinstance(item, Function):
                functions[item.name] = item
            else:
                constants[item.name] = item
    return Routines("c", functions, constants)


def preprocessed(code: str, word: int, defined: Collection[str]) -> tuple[list[str], dict[str, str]]:
    """Return the lines that a preprocessor would leave of code without comments, and its macros' values.

    A compiler's name is defined as nothing that conditions may compare, or as in ``__GNUC__=12``.
    """
    lines, macros, depth = [], {"WORD_BITS": str(word)}, 0
    named = {name: value for name, _, value in (each.partition("=") for each in defined)}
    for line in _chosen(code, macros, named):
        if line.startswith("#"):
            if depth:
                raise NotReadError(f"within a definition: {line}")
            named |= dict.fromkeys(re.findall(r"^#define (\w+)", line), "")
            if macro := re.fullmatch(r"#define FP_(\w+) (?!.*(?:__|inline))(.*)", line):
                macros[macro[1]] = macro[2]
        depth += line.count("{") - line.count("}")
        lines.append(line)
    return lines, macros


def _defined_name(definition: str) -> str | None:
    """Return the name that a definition defines; None of a type, or where that is not plain."""
    found = _DEFINED.match(definition)
    return found[1].removeprefix("fp_").removeprefix("FP_") if found else None


@lru_cache(maxsize=1 << 15)
def _items(definition: str, types: tuple[str, ...], word: int | None) -> tuple[Function | Constant, ...]:
    return tuple(item for item in C(definition, types, word).items() if item is not None)


def _chosen(text: str, macros: Mapping[str, str], defined: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines that a preprocessor would leave, definitions among them."""
    taken: list[list[bool]] = []  # for each condition: whether its lines are taken, whether any were
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split()
        directive = words[0] if words and words[0].startswith("#") else ""
        if directive in ("#elif", "#else", "#endif") and not taken:
            raise NotReadError(f"{directive} without a condition")
        if directive in ("#if", "#ifdef", "#ifndef", "#elif"):
            # Conditions in text that is left out are not read.
            decides = all(now for now, _ in (taken[:-1] if directive == "#elif" else taken))
            holds = decides and _holds(directive, " ".join(words[1:]), macros, defined)
            if directive == "#elif":
                taken[-1] = [holds and not taken[-1][1], holds or taken[-1][1]]
            else:
                taken.append([holds, holds])
        elif directive == "#else":
            taken[-1] = [not taken[-1][1], True]
        elif directive == "#endif":
            taken.pop()
        elif all(now for now, _ in taken):
            yield line


def _holds(directive: str, text: str, macros: Mapping[str, str], defined: Mapping[str, str]) -> bool:
    def is_defined(name: str) -> bool:
        own = name.removeprefix("FP_")  # expressions are read without the prefix
        return name in defined or f"FP_{own}" in defined or own in macros

    if directive in ("#ifdef", "#ifndef"):
        return is_defined(text) == (directive == "#ifdef")

    def value(expression: Expression) -> int:
        match expression:
            case Literal(number):
                return number
            case Name(name) if name in macros:
                return value(_condition(macros[name]))
            case Name(name) if defined.get(name):
                return int(defined[name])
            case Call("defined", (Name(name),)):
                return int(is_defined(name))
            case Unary("not", operand):
                return int(not value(operand))
            case Binary("&&", left, right):
                return int(value(left) != 0 and value(right) != 0)
            case Binary("||", left, right):
                return int(value(left) != 0 or value(right) != 0)
            case Binary("==", left, right):
                return int(value(left) == value(right))
            case Binary(">=", left, right):
                return int(value(left) >= value(right))
            case _:
                raise NotReadError(f"a condition on {text}")

    return value(_condition(text)) != 0


@lru_cache(maxsize=1 << 10)
def _condition(text: str) -> Expression:
    return C(text).expression()
