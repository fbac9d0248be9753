"""Reader of routines on words in emitted C, a small part of C99. Prefixes, ``fp``, are removed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.verify.words.reader import ASSIGNMENTS, NotReadError, Reader, definitions, without_comments
from efdgen.verify.words.tree import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Cast,
    Constant,
    Declare,
    Evaluate,
    Function,
    If,
    Index,
    Literal,
    Member,
    Name,
    Return,
    Routines,
    Sequence,
    Unary,
    While,
)
from efdgen.verify.words.types import require_type

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from efdgen.verify.words.tree import Expression, Pattern, Statement

_TYPES = (
    *["void", "int", "unsigned", "size_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "__int128"],
    *[
        "int16_t",
        "uint8_t",
        "fp_word",
        "fp_signed",
        "fp_sum",
        "fp_fe",
        "fp_fe2",
        "fp_carry",
        "fp_wide",
        "fp_poly",
    ],
)
_QUALIFIERS = [
    *["static", "inline", "const", "volatile", "__extension__"],
    *["FP_ALWAYS_INLINE", "FP_WHOLE", "FP_PRODUCT"],
]
_KNOWN_TYPES = frozenset((*_TYPES, *_QUALIFIERS))
# Lines that contain no routine.
_PASSED = "#include", "#pragma", "#define"
# The name of a function or of a constant: what is before the first bracket or equals sign.
_DEFINED = re.compile(r"\s*(?!typedef|__extension__|extern)[A-Za-z_][\w \t*\n]*?(\w+)\s*[(\[=]")
# Macros of <stdint.h> for a number of a type, by the bits that it may have.
_MACROS = {"UINT64_C": 64, "INT64_C": 63, "UINT32_C": 32, "INT32_C": 31}


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
        name: Constant(name, None, _C(value).expression())
        for name, value in macros.items()
        if is_wanted(name)
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
    return tuple(item for item in _C(definition, types, word).items() if item is not None)


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
    return _C(text).expression()


class _C(Reader):
    def __init__(self, text: str, types: tuple[str, ...] = (), word: int | None = None) -> None:
        super().__init__(text)
        self._types, self._word = types, word

    precedence = (
        *(("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=")),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
    )

    def items(self) -> Iterator[Function | Constant | None]:
        while self.peek():
            yield self._item()

    def _item(self) -> Function | Constant | None:
        start = self.at
        if self.takes("typedef") or self.takes("__extension__", "typedef"):
            depth = 0
            while (token := self.take()) != ";" or depth:
                depth += (token == "{") - (token == "}")
            if self._word is not None:
                require_type(self.since(start).split(), self._word)
            return None
        kind = self._type()
        name = self.name()
        if self.takes("("):
            declared: list[str] = []
            parameters = self.until(")", lambda: self._parameter(declared))
            if self.takes(";"):
                return None
            return Function(name, parameters, kind, self._block(), tuple(declared))
        while self.takes("["):
            self.expression()
            self.expect("]")
        self.expect("=")
        values = self._value()
        self.expect(";")
        return Constant(name, kind, values)

    def _is_type(self) -> bool:
        return self.peek() in _KNOWN_TYPES or self.peek() in self._types

    def _type(self) -> str:
        passed: set[str] = set()
        while self.peek() in _QUALIFIERS:
            if self.peek() in passed:
                raise NotReadError(f"{self.peek()} twice")
            passed.add(self.take())
        if self.peek() not in _TYPES and self.peek() not in self._types:
            raise NotReadError(f"{self.peek()!r} is no type")
        if self.takes("unsigned", "long", "long"):
            return "uint64_t"
        return self.take().removeprefix("fp_")

    def _local_type(self) -> str:
        """Take the type of a variable of a function: nothing keeps it between calls."""
        start = self.at
        kind = self._type()
        passed = self.since(start).split()[:-1]
        if not {"const", "volatile", "__extension__", "unsigned", "long"}.issuperset(passed):
            raise NotReadError(f"a variable is {' '.join(passed)}")
        return f"volatile {kind}" if "volatile" in passed else kind

    def name(self) -> str:
        """Take a name, and leave the prefix out."""
        return super().name().removeprefix("fp_").removeprefix("FP_")

    def _parameter(self, declared: list[str]) -> tuple[Pattern, str | None]:
        start, kind = self.at, self._local_type()
        place = self.takes("*")
        name = self.name()
        while self.takes("["):
            place = True
            if self.peek() != "]":
                self.expression()
            self.expect("]")
        declared.append(self.since(start))
        return name, None if place else kind

    def _block(self) -> Block:
        self.expect("{")
        statements: list[Statement] = []
        while not self.takes("}"):
            statements += self._statement()
        return Block(tuple(statements))

    def _statement(self) -> list[Statement]:
        if self.peek() == "{":
            return [self._block()]
        if self.takes("for"):
            return [self._for()]
        if self.takes("while"):
            return [While(self._condition(), self._block())]
        if self.takes("if"):
            return [self._if()]
        if self.takes("break", ";"):
            return [Break()]
        if self.takes("return"):
            value = None if self.peek() == ";" else self.expression()
            self.expect(";")
            return [Return(value)]
        if self.takes("__asm__", "(", '""', ":", '"+r"', "("):
            # No instruction: a value that a compiler knows nothing of, and still the same.
            self.name()
            for token in (")", ")", ";"):
                self.expect(token)
            return []
        found = self._simple()
        self.expect(";")
        return found

    def _for(self) -> Block:
        self.expect("(")
        start = [] if self.peek() == ";" else self._simple()
        self.expect(";")
        condition = None if self.peek() == ";" else self.expression()
        self.expect(";")
        step = [] if self.peek() == ")" else self._simple()
        self.expect(")")
        return Block((*start, While(condition, self._block(), tuple(step))))

    def _condition(self) -> Expression:
        self.expect("(")
        found = self.expression()
        self.expect(")")
        return found

    def _if(self) -> If:
        condition = self._condition()
        then = self._block()
        if self.takes("else", "if"):
            return If(condition, then, Block((self._if(),)))
        return If(condition, then, self._block() if self.takes("else") else None)

    def _simple(self) -> list[Statement]:
        """Take declarations, or assignments and calls, with commas between them."""
        if self._is_type():
            kind = self._local_type()
            declared = [self._declaration(kind)]
            while self.takes(","):
                declared.append(self._declaration(kind))
            return [*declared]
        done = [*self._assignment()]
        while self.takes(","):
            done += self._assignment()
        return done

    def _declaration(self, kind: str) -> Declare:
        name, sizes = self.name(), []
        while self.takes("["):
            sizes.append(self.expression())
            self.expect("]")
        if not self.takes("="):
            return Declare(name, kind, None, tuple(sizes))
        return Declare(name, kind, self._value(), tuple(sizes))

    def _value(self) -> Expression:
        """Take an expression, or values in braces; one of them alone has the type of its place."""
        return Sequence(self.until("}", self._entry)) if self.takes("{") else self.expression()

    def _entry(self) -> Expression:
        if self.peek()[:1].isdigit() and self.peek(1) in (",", "}"):
            return Literal(self._literal("uint32_t", 32).value)
        return self._value()

    def _assignment(self) -> list[Statement]:
        targets = [self.expression()]
        if self.peek() in ("++", "--"):
            return [Assign(targets[0], self.take()[0], Literal(1))]
        if self.peek() not in ASSIGNMENTS:
            return [Evaluate(targets[0])]
        operator = self.take()[:-1]
        value = self.expression()
        if operator:
            return [Assign(targets[0], operator, value)]
        while self.takes("="):
            targets.append(value)
            value = self.expression()
        # From right to left, each with what the place after it then holds.
        return [Assign(at, "", of) for at, of in zip(targets[::-1], [value, *targets[:0:-1]], strict=True)]

    def prefixed(self) -> Expression:
        for operator in ("-", "~", "*", "&", "!"):
            if self.takes(operator):
                return Unary("not" if operator == "!" else operator, self.prefixed())
        if self.takes("sizeof"):
            return Call("sizeof", (Name(self.name()),))
        if self.peek() == "(" and self.peek(1) in _KNOWN_TYPES:
            self.take()
            kind = self._type()
            self.expect(")")
            return Cast(kind, self.prefixed())
        return self._operand()

    def _literal(self, kind: str, bits: int) -> Literal:
        """Take a number that a type has; what is larger would have another type, by the compiler's rules."""
        found = self.number()
        if found.value >> bits:
            raise NotReadError(f"{found.value:#x} does not fit {kind}")
        return Literal(found.value, None if kind == "int" else kind)

    def _operand(self) -> Expression:
        found: Expression
        if self.takes("("):
            found = self.expression()
            self.expect(")")
        elif self.peek()[:1].isdigit():
            return self._literal("int", 31)
        elif self.peek() in _MACROS:
            kind = self.take().removesuffix("_C").lower()
            self.expect("(")
            found = self._literal(f"{kind}_t", _MACROS[f"{kind.upper()}_C"])
            self.expect(")")
            return found
        else:
            name = self.name()
            if self.takes("("):
                return Call(name, self.until(")", self.expression))
            found = Name(name)
        while self.peek() in ("[", "->", "."):
            operator = self.take()
            if operator == "[":
                found = Index(found, self.expression())
                self.expect("]")
            else:
                found = Member(Unary("*", found) if operator == "->" else found, self.name())
        return found
