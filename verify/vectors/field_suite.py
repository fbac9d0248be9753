"""The suite of a field: its rows as requests to a test program, and the verdict on the answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.fields.edges import edges, loose_numbers, loose_operands, operands_of
from efdgen.generator.fields.reference import Row, operand_count
from efdgen.generator.fields.reference_quadratic import QuadraticReference
from efdgen.generator.fields.references import evaluate, evaluate_derived, is_flag, is_root
from efdgen.verify.vectors.data import field_object
from efdgen.verify.vectors.runner import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.fields.field import Field
    from efdgen.generator.options import Language
    from efdgen.generator.render.field.subject import Subject

SCHEMA = "efdgen-field-vectors-1"

_RANDOM_ROWS = 8

# The most requests of edge values for an operation, and for those of these names and all of GF(p²).
_MOST = 2048
_FEW = 256
_SLOW = ("inv", "power", "is_square")

# The name in tables of the reading of an operand that is not below p.
_REFUSED = "from_bytes"


@dataclass(frozen=True)
class FieldSuite:
    """The requests to the test program of a field; ``seed`` is the seed of its random operands.

    ``left_out`` are the operations that a language does not have. With ``constant_time`` it is one row of
    each operation that has to take constant time.
    """

    title: str
    field: Field
    subject: Subject
    left_out: Mapping[Language, frozenset[str]]
    seed: int
    constant_time: bool = False

    aside: ClassVar[str] = "No root"
    """The name in tables for cases without a result."""
    published: ClassVar[int] = 0

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows, in order: those that the program has itself, at edges, and random ones."""
        found = [*self.subject.rows, *self._edge_rows(), *self._random_rows(), *self._refused_rows()]
        if not self.constant_time:
            return tuple(found)
        last = {row.operation: row for row in found if row.flag or is_flag(row.operation)}
        return tuple(row for name, row in last.items() if not name.endswith("_var"))

    @property
    def functions(self) -> tuple[str, ...]:
        """The operations that are asked for, in order."""
        return tuple(dict.fromkeys(row.operation for row in self.rows))

    def requests(self, language: Language) -> list[str]:
        """Return the lines that a program is sent."""
        return [self._request(row) for row in self._asked(language)]

    def judge(self, answers: Mapping[str, Sequence[str]]) -> list[Result]:
        """Return the results of every operation in every language, given the answers to :meth:`requests`."""
        results = []
        for language, given in answers.items():
            asked = self._asked(language)
            for name in dict.fromkeys(row.operation for row in asked):
                pairs = [(r, a) for r, a in zip(asked, given, strict=True) if r.operation == name]
                refused = sum(self._is_root(name) and not row.flag for row, _ in pairs)
                result = Result(name, name, self.title, self.field.ground, language, len(pairs), refused)
                for row, answer in pairs:
                    result.count(self._fault(row, answer), self._request(row), answer)
                results.append(result)
        return results

    def text(self) -> str:
        """Return the vectors as ``docs/vectors.md`` describes them."""
        functions = [
            {
                "name": name,
                "cases": [
                    {"operands": self._request(row).split(" ")[1:], **self._expected(row)}
                    for row in self.rows
                    if row.operation == name
                ],
            }
            for name in self.functions
        ]
        values = {**field_object(self.field.ground), "degree": self.subject.degree, "seed": self.seed}
        return json.dumps({"schema": SCHEMA, **values, "functions": functions}, indent=1) + "\n"

    def _asked(self, language: str) -> list[Row]:
        """Return the rows for a language, or for a build in another than Python."""
        left_out = (
            self.left_out.get("python", frozenset()) | {_REFUSED} if language == "python" else frozenset()
        )
        return [row for row in self.rows if row.operation not in left_out]

    @property
    def _counts(self) -> dict[str, int]:
        """The number of operands of each operation."""
        counts = {function.name: len(function.takes) for function in self.subject.known}
        return counts | {name: operand_count(name) for name in self.subject.derived}

    def _random_rows(self) -> Iterator[Row]:
        rng, order = Random(self.seed), self.field.ground.order
        for name, count in self._counts.items():
            for _ in range(_RANDOM_ROWS):
                yield self._row(name, [rng.randrange(order) for _ in range(count * self.subject.degree)])

    def _edge_rows(self) -> Iterator[Row]:
        """Yield rows whose operands or results make carries run, with loose operands if there are some."""
        rng, ground, degree = Random(self.seed), self.field.ground, self.subject.degree
        values = edges(self.field)
        loose = self._loose if self.subject.takes_words else ()
        for name, count in self._counts.items():
            few = self._is_root(name) or name.startswith(_SLOW)
            chosen = rng.sample(values, min(len(values), _FEW if few or degree == 2 else _MOST))
            if degree == 2 or ground.is_binary:
                operands = (*chosen, *(loose if degree == 1 else ()))
                yield from (self._row(name, rng.choices(operands, k=count * degree)) for _ in operands)
                continue
            for operands in operands_of(name, count, chosen, ground.prime, rng):
                yield self._row(name, operands)
            for operands in loose_operands(name, self.field, rng) if loose else ():
                yield self._row(name, operands)
            for number in rng.sample(loose, min(len(loose), _FEW)):
                others = rng.choices((*values, *loose), k=count - 1)
                yield self._row(name, rng.sample([number, *others], count))

    def _refused_rows(self) -> Iterator[Row]:
        """Yield numbers that are not below p, which no operation is to take as an element."""
        numbers = [n for n in self._loose if n < 256**self.field.bytes]
        if self.subject.degree == 1 and self._any_unary:
            yield from (Row(_REFUSED, (number,), 0, flag=False) for number in numbers)

    @cached_property
    def _loose(self) -> tuple[int, ...]:
        """Numbers from p or 2^m on that fit the words of an element."""
        if not self.field.is_binary:
            return loose_numbers(self.field)
        ends = range(self.field.bits, min(found.word * found.words for found in self.field.representations))
        return tuple(number for at in ends for number in (1 << at, (2 << at) - 1))

    def _is_root(self, name: str) -> bool:
        return is_root(name, self.field.ground)

    @property
    def _any_unary(self) -> str:
        """Some operation of one operand; empty if there is none."""
        return next((name for name, count in self._counts.items() if count == 1), "")

    def _row(self, name: str, parts: Sequence[int]) -> Row:
        """Return the row of an operation on elements, each some numbers, which may be p and more."""
        ground, small = self.field.ground, self.field.small
        reduced = (*map(ground.reduce, parts),)
        if self.subject.degree == 2:
            quadratic = QuadraticReference(
                self.field.prime, self.field.nonresidue or 0, self.field.bytes, small
            )
            return quadratic.evaluate(name, (*zip(parts[::2], parts[1::2], strict=True),))
        if name in self.subject.derived:
            row = evaluate_derived(name, reduced, ground, small)
        else:
            row = evaluate(name, reduced, ground)
        return replace(row, operands=(*parts,))

    def _request(self, row: Row) -> str:
        if row.operation == _REFUSED:
            return f"{self._any_unary} {self._number(row.operands[0])}"
        return " ".join((row.operation, *map(self._operand, row.operands)))

    def _operand(self, value: int) -> str:
        """Write an operand: an element, or after # a number that is not below p."""
        loose = self.subject.degree == 1 and value >= self.field.ground.order
        return f"#{value:x}" if loose else self._number(value)

    def _number(self, value: int) -> str:
        return f"{value:0{2 * self.subject.size}x}"

    def _expected(self, row: Row) -> dict[str, str | int]:
        if row.operation == _REFUSED:
            return {"flag": 0}
        if is_flag(row.operation):
            return {"flag": int(row.flag)}
        if self._is_root(row.operation):
            value = "square" if self.subject.squares else "value"
            return {"flag": int(row.flag), value: self._number(row.value)}
        return {"value": self._number(row.value)}

    def _fault(self, row: Row, answer: str) -> str:
        """Say what is wrong with an answer; nothing where it is right."""
        if row.operation == _REFUSED:
            return "" if answer.startswith("error") else "expected a refusal"
        if is_flag(row.operation):
            return "" if answer == str(int(row.flag)) else f"expected {int(row.flag)}"
        if not self._is_root(row.operation):
            return "" if answer == self._number(row.value) else f"expected {self._number(row.value)}"
        flag, _, text = answer.partition(" ")
        if flag != str(int(row.flag)):
            return f"expected the flag {int(row.flag)}"
        try:
            found = int(text, 16)
        except ValueError:
            return "not an answer"
        if not self.subject.squares:
            return "" if found == row.value else f"expected {self._number(row.value)}"
        return "" if self._square(found) == row.value else f"expected a root of {self._number(row.value)}"

    def _square(self, value: int) -> int:
        """Return the square of an element that is written as one number, c0 before c1."""
        prime, shift = self.field.prime, 8 * self.field.bytes
        if self.subject.degree == 1:
            return value * value % prime
        c0, c1 = value >> shift, value & ((1 << shift) - 1)
        real = c0 * c0 + (self.field.nonresidue or 0) * c1 * c1
        return real % prime << shift | 2 * c0 * c1 % prime
