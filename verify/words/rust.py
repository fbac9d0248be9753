"""Reader of routines on words in emitted Rust: a small part of it, without attributes and traits."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from efdgen.verify.words.reader import ASSIGNMENTS, NotReadError, Reader, definitions, without_comments
from efdgen.verify.words.tree import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Cast,
    Closure,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    ForEach,
    Function,
    Index,
    Literal,
    Member,
    Method,
    Name,
    Range,
    Repeated,
    Return,
    Routines,
    Sequence,
    Structure,
    Unary,
    While,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.verify.words.tree import Expression, Pattern, Statement

# Conditions that the facts of compilers enumerate.
_ENUMERATED = {"target_arch", "target_pointer_width", "efdgen_carry", "word64"}
# The name of a function or of a constant, after attributes.
_DEFINED = re.compile(
    r"(?:\s|#!?\[(?:[^\[\]]|\[[^\]]*\])*\])*(?:pub(?:\(\w+\))?\s+)?(?:const\s+fn|fn|const)\s+(\w+)"
)


def read_rust(
    text: str, facts: Mapping[str, str] | None = None, wanted: Callable[[str], bool] | None = None
) -> Routines:
    """Return the functions and constants of a text, those under ``cfg`` where ``facts`` satisfy it.

    Facts are a target's and features as a compiler prints them: ``{"feature": "word32 zeroize"}``. With
    ``wanted`` items of other names are left unread. Raises :class:`NotReadError` for unknown text.
    """
    functions: dict[str, Function] = {}
    constants: dict[str, Constant] = {}
    chosen = tuple(sorted(facts.items())) if facts is not None else None
    for definition in definitions(without_comments(text).splitlines()):
        name = _DEFINED.match(definition)
        if wanted is not None and (name is None or not wanted(name[1])):
            continue
        for item in _items(definition, chosen):
            if item.name in functions or item.name in constants:
                raise NotReadError(f"{item.name} is defined twice")
            if isinstance(item, Function):
                functions[item.name] = item
            else:
                constants[item.name] = item
    return Routines("rust", functions, constants)


def condition_holds(definition: str, facts: Mapping[str, str]) -> bool:
    """Return whether an item is for a compiler, as the attributes in front of it say."""
    return _Rust(definition, facts).holds()


@lru_cache(maxsize=1 << 15)
def _items(definition: str, facts: tuple[tuple[str, str], ...] | None) -> tuple[Function | Constant, ...]:
    return tuple(_Rust(definition, None if facts is None else dict(facts)).items())


class _Rust(Reader):
    precedence = (
        *(("||",), ("&&",), ("==", "!=", "<", ">", "<=", ">="), ("|",), ("^",), ("&",)),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
    )
    _structures = True  # a brace after a name may begin one, except in front of a block

    def __init__(self, text: str, facts: Mapping[str, str] | None) -> None:
        super().__init__(text)
        self._facts = facts

    def items(self) -> Iterator[Function | Constant]:
        while self.peek():
            holds = self._pass_attributes()
            if self.takes("pub") and self.takes("("):
                self._pass_until("(", ")")
            if self.takes("type"):
                self._alias()
            elif self.takes("struct") or self.takes("trait") or self.takes("impl"):
                while self.take() != "{":
                    pass
                self._pass_until("{", "}")
            else:
                functional = self.takes("fn") or self.takes("const", "fn")
                found = self._function() if functional else self._constant()
                if holds:
                    yield found

    def _alias(self) -> None:
        """Pass the name of a type: those that matter are known to who follows the routines."""
        while not self.takes(";"):
            if self.take() == "[":
                self._pass_until("[", "]")

    def holds(self) -> bool:
        """Pass attributes in front of an item, and say whether it is for the compiler."""
        return self._pass_attributes()

    def _pass_attributes(self, *, within: bool = False) -> bool:
        """Pass attributes, and say whether what is after them is for the processor.

        Within a function there is no condition on what users choose, and none where no facts are known.
        """
        holds = True
        while self.takes("#", "[") or self.takes("#", "!", "["):
            if within and self.peek() in ("cfg", "cfg_attr") and not self._is_known():
                raise NotReadError(f"a condition within a function: {self.peek(2)} {self.peek(4)}")
            if self._facts is not None and self.takes("cfg", "("):
                holds &= self._predicate()
                self.expect(")")
            self._pass_until("[", "]")
        return holds

    def _is_known(self) -> bool:
        """Return whether an attribute is a condition whose cases are all read, so on no other feature."""
        end = next((at for at in count() if self.peek(at) in ("]", "")), 0)
        asked = {(self.peek(at - 1), self.peek(at + 1)) for at in range(end) if self.peek(at) == "="}
        known = all(name in _ENUMERATED for name, _ in asked - {("feature", '"word32"')})
        return self._facts is not None and self.peek() == "cfg" and known

    def _predicate(self) -> bool:
        """Take a condition of ``cfg``, and return whether it holds."""
        name = self.name()
        if self.takes("("):
            found = self.until(")", self._predicate)
            return {"all": all(found), "any": any(found), "not": not all(found)}[name]
        if self._facts is None or name not in self._facts:
            raise NotReadError(f"a condition on {name}")
        known = self._facts[name].split()
        return self.take().strip('"') in known if self.takes("=") else bool(known)

    def _pass_until(self, opening: str, closing: str) -> None:
        depth = 1
        while depth:
            token = self.take()
            depth += (token == opening) - (token == closing)

    def _constant(self) -> Constant:
        self.expect("const")
        name = self.name()
        self.expect(":")
        kind = self._type()
        self.expect("=")
        value = self.expression()
        self.expect(";")
        return Constant(name, kind, value)

    def _function(self) -> Function:
        name = self.name()
        self.expect("(")
        declared: list[str] = []
        parameters = self.until(")", lambda: self._parameter(declared))
        start = self.at + 1
        kind = self._type() if self.takes("->") else None
        returned = self.since(start) if self.at > start else ""
        return Function(name, parameters, kind, self._block(), tuple(declared), returned)

    def _parameter(self, declared: list[str]) -> tuple[Pattern, str | None]:
        start = self.at
        self.takes("&")
        pattern = self._pattern()
        kind = self._type() if self.takes(":") else None
        declared.append(self.since(start))
        return pattern, kind

    def _pattern(self) -> Pattern:
        self.takes("mut")
        for opening, closing in ("()", "[]"):
            if self.takes(opening):
                return self.until(closing, self._pattern)
        return self.name()

    def _type(self) -> str | None:
        """Take a type; of what is no plain name, None is returned."""
        if self.takes("&"):
            self.takes("mut")
            return self._type()
        if self.takes("["):
            self._type()
            if self.takes(";"):
                self.expression()
            self.expect("]")
            return None
        if self.takes("("):
            self.until(")", self._type)
            return None
        if self.takes("impl"):
            self._pass_function()
            return None
        found = self._path()
        if self.takes("<"):
            self.until(">", self._type)
        return found

    def _pass_function(self) -> None:
        """Pass the type of a function that is given."""
        self._path()
        self.expect("(")
        self.until(")", self._type)
        self.expect("->")
        self._type()

    def _path(self) -> str:
        """Take a name and what it is part of, of which the last is returned; ``::<8>`` stays with it."""
        name = self.name()
        while self.takes("::"):
            if self.takes("<"):
                name = f"{name}::<{self.take()}>"
                self.expect(">")
            else:
                name = f"{name}::{self.name()}"
        return "::".join(name.split("::")[-2:])

    def _block(self) -> Block:
        self.expect("{")
        outer, self._structures = self._structures, True
        statements: list[Statement] = []
        value: Expression | None = None
        while not self.takes("}"):
            ended, holds = self.peek(), self._pass_attributes(within=True)
            found = self._statement()
            if not holds:
                continue
            if value is not None:
                if not isinstance(value, Conditional | Block):
                    raise NotReadError(f"';' is missing before {ended!r}")
                statements.append(Evaluate(value))
                value = None
            if isinstance(found, _Value):
                value = found.expression
            else:
                statements.append(found)
        self._structures = outer
        return Block(tuple(statements), value)

    def _statement(self) -> Statement | _Value:
        if self.takes("let"):
            return self._let()
        if self.peek() == "const":
            constant = self._constant()
            return Declare(constant.name, constant.kind, constant.value)
        if self.takes("for"):
            pattern = self._pattern()
            self.expect("in")
            return ForEach(pattern, self._head(), self._block())
        if self.takes("while"):
            return While(self._head(), self._block())
        if self.takes("loop"):
            return While(None, self._block())
        if self.takes("if"):
            return _Value(self._if())
        if self.takes("break", ";"):
            return Break()
        if self.takes("return"):
            found = self.expression()
            self.expect(";")
            return Return(found)
        return self._expression_or_assignment()

    def _let(self) -> Declare:
        pattern = self._pattern()
        kind = self._type() if self.takes(":") else None
        self.expect("=")
        value = self.expression()
        self.expect(";")
        return Declare(pattern, kind, value)

    def _head(self) -> Expression:
        """Take an expression before a block."""
        outer, self._structures = self._structures, False
        found = self._range()
        self._structures = outer
        return found

    def _range(self) -> Expression:
        """Take an expression, or a range: up to the second one, and with it where ``=`` is between."""
        start = Literal(0) if self.peek() == ".." else self.expression()
        if not self.takes(".."):
            return start
        more = self.takes("=")
        if self.peek() in ("]", ")"):
            return Range(start, None)
        stop = self.expression()
        return Range(start, Binary("+", stop, Literal(1)) if more else stop)

    def _expression_or_assignment(self) -> Statement | _Value:
        target = self.expression()
        if self.peek() in ASSIGNMENTS:
            operator = self.take()[:-1]
            value = self.expression()
            self.expect(";")
            return Assign(target, operator, value)
        if self.takes(";"):
            return Evaluate(target)
        return _Value(target)

    def number(self) -> Literal:
        """Take an integer; its type is the type of its neighbour."""
        found = super().number()
        written = self.peek() in ("u8", "u32", "u64", "u128", "usize")
        return Literal(found.value, self.take()) if written else found

    def expression(self) -> Expression:
        """Take an expression; there is no other conditional than ``if``."""
        return self.binary(0)

    def prefixed(self) -> Expression:
        found = self._unary()
        while self.takes("as"):
            found = Cast(self._path(), found)
        return found

    def _unary(self) -> Expression:
        for operator in ("-", "!", "*"):
            if self.takes(operator):
                return Unary("~" if operator == "!" else operator, self._unary())
        if self.takes("&"):
            return Unary("&mut" if self.takes("mut") else "&", self._unary())
        return self._suffixed(self._operand())

    def _operand(self) -> Expression:
        if self.takes("if"):
            return self._if()
        if self.takes("||"):
            return Closure((), self.expression())
        if self.takes("|"):
            parameters = tuple(pattern for pattern, _ in self.until("|", lambda: self._parameter([])))
            return Closure(parameters, self.expression())
        if self.peek() == "{":
            return self._block()
        if self.takes("("):
            return self._in_parentheses()
        if self.takes("["):
            return self._array()
        if self.peek()[:1].isdigit():
            return self.number()
        return self._named()

    def _if(self) -> Expression:
        condition, one = self._head(), self._block()
        if self.takes("else", "if"):
            return Conditional(condition, one, Block((), self._if()))
        return Conditional(condition, one, self._block() if self.takes("else") else Block(()))

    def _in_parentheses(self) -> Expression:
        outer, self._structures = self._structures, True
        found = self._range()
        if not self.takes(")"):
            self.expect(",")
            found = Sequence((found, *self.until(")", self.expression)))
        self._structures = outer
        return found

    def _array(self) -> Expression:
        first = self.expression()
        if self.takes(";"):
            count = self.expression()
            self.expect("]")
            return Repeated(first, count)
        self.takes(",")
        return Sequence((first, *self.until("]", self.expression)))

    def _named(self) -> Expression:
        name = self._path()
        if name == "assert_eq" and self.takes("!", "("):
            return Call("assert_eq!", self.until(")", self._asserted)[:2])
        if name == "vec" and self.takes("!", "["):
            return Call("vec!", (self._array(),))
        if self._structures and self.peek() == "{" and name[0].isupper():
            self.take()
            return Structure(self.until("}", self._member))
        return Call(name, self.until(")", self.expression)) if self.takes("(") else Name(name)

    def _asserted(self) -> Expression:
        """Take what an assertion compares, or the text that it prints, as a name."""
        return Name(self.take()) if self.peek()[:1] == '"' else self.expression()

    def _member(self) -> tuple[str, Expression]:
        name = self.name()
        return name, self.expression() if self.takes(":") else Name(name)

    def _suffixed(self, found: Expression) -> Expression:
        while True:
            if self.takes("["):
                found = Index(found, self._range())
                self.expect("]")
            elif self.takes("."):
                name = self.take()
                arguments = self.until(")", self.expression) if self.takes("(") else None
                found = Member(found, name) if arguments is None else Method(found, name, arguments)
            else:
                return found


class _Value:
    """An expression at the end of a block, or one that ends in a block itself."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
