"""Expressions over a prime field as Python functions, for those evaluated many times.

What :func:`~efdgen.generator.programs.interpreter.evaluate` returns for the field of integers mod p, at a
tenth of the time: the tree is walked once, what is known is computed once, and so is what occurs twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import gmpy2

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.generator.language.syntax import Expression

# A number in [0, p), or the variable that holds one.
_Value: TypeAlias = int | str


def compiled(
    expressions: Iterable[Expression], prime: int, known: Mapping[str, int], arguments: Sequence[str]
) -> Callable[..., tuple[int, ...]]:
    """Return the function of the values of ``arguments``, by position, that returns those of expressions.

    Values are integers in [0, p), those of names in ``known`` any. The function raises ZeroDivisionError
    where a denominator vanishes; raises KeyError for a name that is neither known nor an argument.
    """
    writer = _Writer(prime, known, arguments)
    results = [str(writer.write(expression)) for expression in expressions]
    variables = ", ".join(writer.variables[name] for name in arguments)
    lines = [f"def function({variables}):", *writer.lines, f"return ({', '.join(results)},)"]
    namespace = {"p": prime, "inverse": _inverse}
    exec("\n    ".join(lines), namespace)
    return cast("Callable[..., tuple[int, ...]]", namespace["function"])


def _inverse(value: int, prime: int) -> int:
    return int(gmpy2.invert(value, prime))


class _Writer:
    """Writes assignments, each to a variable of its own."""

    def __init__(self, prime: int, known: Mapping[str, int], arguments: Sequence[str]) -> None:
        self.prime, self.known = prime, known
        self.variables = {name: f"v{number}" for number, name in enumerate(arguments)}
        self.lines: list[str] = []
        self._written: dict[str, str] = {}

    def write(self, expression: Expression) -> _Value:
        """Write what computes an expression; return its value, or the variable that holds it."""
        match expression:
            case Number(value):
                return value % self.prime
            case Name(text):
                return self.variables[text] if text in self.variables else self.known[text] % self.prime
            case Group(inner):
                return self.write(inner)
            case Negative(inner):
                return self._operation("-", 0, self.write(inner))
            case Binary("^", base, Number(exponent)):
                factor, power = self.write(base), cast("_Value", 1)
                for _ in range(exponent):
                    power = factor if power == 1 else self._operation("*", power, factor)
                return power
            case Binary("/", left, right):
                divided = self.write(left)
                return self._operation("*", divided, self._inverse(self.write(right)))
            case Binary(operator, left, right):
                return self._operation(operator, self.write(left), self.write(right))

    def _operation(self, operator: str, left: _Value, right: _Value) -> _Value:
        if isinstance(left, int) and isinstance(right, int):
            value = {"+": left + right, "-": left - right, "*": left * right}[operator]
            return value % self.prime
        return self._assigned(f"({left} {operator} {right}) % p")

    def _inverse(self, value: _Value) -> _Value:
        # The inverse of 0 is left to the function, which raises what its caller expects of it.
        return (
            _inverse(value, self.prime)
            if isinstance(value, int) and value
            else self._assigned(f"inverse({value}, p)")
        )

    def _assigned(self, text: str) -> str:
        if text not in self._written:
            self._written[text] = f"t{len(self._written)}"
            self.lines.append(f"{self._written[text]} = {text}")
        return self._written[text]
