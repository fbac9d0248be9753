"""Grammar of a small part of C99: routines on words. Prefixes, ``fp``, are removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.words.reader import ASSIGNMENTS, NotReadError, Reader
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
    Sequence,
    Unary,
    While,
)
from efdgen.verify.words.types import require_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.verify.words.tree import Expression, Pattern, Statement

_TYPES = (
    *["void", "int", "unsigned", "size_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "__int128"],
    *[
        "int8_t",
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
    *["FP_ALWAYS_INLINE", "FP_FUNCTION", "FP_WHOLE", "FP_PRODUCT", "FP_STEP"],
]
_UMAAL = '"umaal %0, %1, %2, %3"'
_KNOWN_TYPES = frozenset((*_TYPES, *_QUALIFIERS))
# Macros of <stdint.h> for a number of a type, by the bits that it may have.
_MACROS = {"UINT64_C": 64, "INT64_C": 63, "UINT32_C": 32, "INT32_C": 31}


class C(Reader):
    """Reads definitions; ``types`` are names of structures, ``word`` is the size of words of own types."""

    def __init__(self, text: str, types: tuple[str, ...] = (), word: int | None = None) -> None:
        super().__init__(text)
        self._types, self._word = types, word

    precedence = (
        *(("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=")),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
    )

    def items(self) -> Iterator[Function | Constant | None]:
        """Yield functions and constants, None for a declaration."""
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
        if self.takes("__asm__", "(", _UMAAL):
            return [self._umaal()]
        found = self._simple()
        self.expect(";")
        return found

    def _umaal(self) -> Evaluate:
        """Take the operands of the instruction: both words that it changes, and both factors."""
        changed, read = (self._operands(constraint, 2) for constraint in ('"+r"', '"r"'))
        self.expect(")")
        self.expect(";")
        return Evaluate(Call("umaal", (*(Unary("&", place) for place in changed), *read)))

    def _operands(self, constraint: str, count: int) -> list[Name]:
        """Take names of an instruction's operands, after a colon."""
        found = []
        for at in range(count):
            self.expect("," if at else ":")
            self.expect(constraint)
            self.expect("(")
            found.append(Name(self.name()))
            self.expect(")")
        return found

    def _for(self) -> Block:
        self.expect("(")
        start = [] if self.peek() == ";" else self._simple()
        self.expect(";")
        condition = None if self.peek() == ";" else self._counted() or self.expression()
        self.expect(";")
        step = [] if self.peek() == ")" else self._simple()
        self.expect(")")
        return Block((*start, While(condition, self._block(), tuple(step))))

    def _counted(self) -> Expression | None:
        """Take the condition of a loop downwards, ``i-- > end``, if it is one."""
        if self.peek(1) != "--":
            return None
        name = Name(self.name())
        self.take()
        self.expect(">")
        return Binary("-->", name, self.expression())

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

    def _rows(self) -> tuple[str, tuple[Expression, ...]]:
        """Take the lengths after a declared name; return their text, too."""
        start, sizes = self.at, []
        while self.takes("["):
            sizes.append(self.expression())
            self.expect("]")
        return self.since(start), tuple(sizes)

    def _declaration(self, kind: str) -> Declare:
        sizes: tuple[Expression, ...] = ()
        if self.takes("*"):
            name, kind = self.name(), f"{kind} *"
        elif self.takes("(", "*"):
            name = self.name()
            self.expect(")")
            rows, sizes = self._rows()
            kind = f"{kind} {rows}"
        else:
            name, (_, sizes) = self.name(), self._rows()
        return Declare(name, kind, self._value() if self.takes("=") else None, sizes)

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
        """Take an operand with the operators before it."""
        for operator in ("-", "~", "*", "&", "!"):
            if self.takes(operator):
                return Unary("not" if operator == "!" else operator, self.prefixed())
        if self.peek() == "sizeof" and self.peek(1) == "(":
            self.take(), self.take()
            kind, (_, sizes) = self._type(), self._rows()
            self.expect(")")
            return Call("sizeof", (Cast(kind, Sequence(sizes)),))
        if self.takes("sizeof"):
            item = self.takes("*")
            name = Name(self.name())
            return Call("sizeof", (Unary("*", name) if item else name,))
        if self.peek() == "(" and (self.peek(1) in _KNOWN_TYPES or self.peek(1) in self._types):
            self.take()
            kind = self._type()
            if self.takes("*"):
                kind += " *"
            elif self.takes("(", "*", ")"):
                kind += f" {self._rows()[0]}"
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
