"""All ways for a host to compute a program, as choices for the solver.

A *form* is a linear combination, with rational coefficients, of atoms: inputs, constants, products, squares
and inverses. The same value is one form however it was reached, and a form and its negative are side by
side, because a host without subtraction chooses which of two terms to negate::

    H = U2 - U1     H:  add(U2, -U1)   neg(-H)
                   -H:  add(-U2, U1)   neg(H)

A check in a formula is a form too, which no call writes: H = 0 is equal(U2, U1), or equal(-U2, -U1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import isqrt
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.form import Alternative, Form, Key, Origin, ratio, scaled, sign_of, total
from efdgen.generator.hosts.host import EQUAL
from efdgen.generator.hosts.reachable import computable, missing_line, reachable
from efdgen.generator.passes.allocation import constant_name
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.hosts.host import HostOperation
    from efdgen.generator.programs.program import Operation, Program

HALF = Fraction(1, 2)
# A larger factor is a field element to multiply by.
LARGEST_FACTOR = 64


@dataclass(frozen=True)
class Forms:
    """The forms of a program by number, which of them its outputs are, and what the program calls them.

    A form is computed from forms of lower numbers, or negated from its negative, which is next to it.
    ``tests`` are the outputs that are compared, not written. ``numbers`` are the rational numbers among the
    constants, by name.
    """

    forms: Mapping[int, Form]
    outputs: tuple[tuple[str, int], ...]
    tests: tuple[tuple[str, int], ...]
    labels: Mapping[Key, str]
    numbers: Mapping[str, Fraction]

    @property
    def wanted(self) -> tuple[int, ...]:
        """The forms that the function is for: outputs and tests."""
        return tuple(number for _, number in (*self.outputs, *self.tests))

    @cached_property
    def pairs(self) -> Mapping[int, int]:
        """The lower of the numbers of a form and of its negative, for each form."""
        numbers = {form.key: number for number, form in self.forms.items()}
        return {
            number: min(number, numbers.get(scaled(form.key, _MINUS), number))
            for number, form in self.forms.items()
        }

    def ways(self, pair: int) -> list[tuple[int, Alternative]]:
        """Return the ways to compute a form or its negative, other than from each other, with the form."""
        return [
            (number, alternative)
            for number, form in self.forms.items()
            if self.pairs[number] == pair
            for alternative in form.alternatives
            if alternative.operation != "neg"
        ]

    @cached_property
    def unavoidable(self) -> frozenset[int]:
        """The pairs that every way to compute the outputs needs: read by all ways of an unavoidable one."""
        found: set[int] = set()
        pending = [self.pairs[number] for number in self.wanted]
        while pending:
            pair = pending.pop()
            if pair not in found:
                found.add(pair)
                reads = [{self.pairs[o] for o in way.operands} for _, way in self.ways(pair)]
                pending += set.intersection(*reads) if reads else ()
        return frozenset(found)


def program_forms(
    program: Program, operations: Mapping[str, HostOperation], tested: Sequence[str] = ()
) -> Forms:
    """Return the forms of a program without powers, with the calls that a host offers for each.

    The outputs that are ``tested`` have to be 0, and are not computed. Raises :class:`EfdgenError` where the
    host lacks an operation that nothing can stand in for.
    """
    try:
        return _forms(program, operations, tested)
    except EfdgenError:
        if "neg" in operations or "sub" not in operations:
            raise
    return _forms(program, operations, tested, negates=False)


def _forms(
    program: Program,
    operations: Mapping[str, HostOperation],
    tested: Sequence[str],
    *,
    negates: bool = True,
) -> Forms:
    """Return the forms of a program; a host that ``negates`` not by any way subtracts from 0."""
    maker = _Maker(operations, negates)
    values: list[Key] = []
    labels: dict[Key, str] = {}
    for instruction in program.instructions:
        values.append(maker.value(instruction.operation, values))
        labels.setdefault(values[-1], instruction.label)
    for key, number in maker.numbers.items():
        form = maker.forms[number]
        if form.origin is None and "neg" in operations:
            form.alternatives.append(Alternative("neg", (maker.numbers[scaled(key, _MINUS)],)))
    numbers = {
        name: maker.test(tested.index(name) + 1, program.instructions[value].operation, values, values[value])
        if name in tested
        else maker.numbers[values[value]]
        for name, value in program.outputs
    }
    able = computable(maker.forms)
    known = {n for n, key in enumerate(values) if maker.numbers[key] in able}
    for name, output in program.outputs:
        if numbers[name] not in able:
            raise EfdgenError(
                f"{missing_line(program, output, known)} needs more than {', '.join(operations)}"
            )
    needed = sorted(reachable(maker.forms, able, numbers.values()))
    outputs, tests = (
        tuple((name, number) for name, number in numbers.items() if (name in tested) is wanted)
        for wanted in (False, True)
    )
    return Forms({number: maker.forms[number] for number in needed}, outputs, tests, labels, maker.rationals)


class _Maker:
    """Collects forms; a form is computed only from forms that were there before it, so no cycle can arise."""

    def __init__(self, operations: Mapping[str, HostOperation], negates: bool) -> None:
        self.operations, self.negates = operations, negates
        self.forms: list[Form] = []
        self.numbers: dict[Key, int] = {}
        self.atoms: dict[object, int] = {}
        self.factors: dict[Key, tuple[Key, Key]] = {}
        self.rationals: dict[str, Fraction] = {}

    def value(self, operation: Operation, values: list[Key]) -> Key:
        """Return the key of an operation's value, whose forms are made where they are new."""
        match operation:
            case Input(name):
                return self._source(name, constant=False)
            case Parameter(name):
                return self._source(name, constant=True)
            case Constant(number):
                return self._number(number)
            case Neg(value) if self.negates:
                return scaled(values[value], _MINUS)
            case Neg(value):
                return self._sum(self._number(Fraction(0)), scaled(values[value], _MINUS))
            case Add(left, right):
                return self._sum(values[left], values[right])
            case Sub(left, right):
                return self._sum(values[left], scaled(values[right], _MINUS))
            case MulConstant(factor, value):
                return self._multiple(factor, values[value])
            case Mul(left, right) | MulParameter(left, right):
                return self._product(values[left], values[right])
            case Sqr(value):
                return self._product(values[value], values[value])
            case Inv(value):
                key = self._pair(self._atom(("inv", values[value])))
                self._offer(key, "inv", values[value])
                return key
            case Pow():
                raise ValueError(f"{operation} should have been expanded")
            case _:
                assert_never(operation)

    def test(self, check: int, operation: Operation, values: list[Key], key: Key) -> int:
        """Make the form of a test that the value of an operation is 0: one that its two sides are equal."""
        match operation:
            case Sub(left, right):
                sides = values[left], values[right]
            case Add(left, right):
                sides = values[left], scaled(values[right], _MINUS)
            case _:
                sides = key, self._number(Fraction(0))
        form = Form(self._atom(("test", check)), is_test=True)
        for pair in (sides, tuple(scaled(side, _MINUS) for side in sides)):
            for order in (pair, pair[::-1]):
                read = tuple(self.numbers[side] for side in order)
                form.alternatives.append(Alternative(EQUAL, read, check))
        self.forms.append(form)
        return len(self.forms) - 1

    def _pair(self, key: Key) -> Key:
        """Make a form and its negative, where they are new."""
        for signed in (key, scaled(key, _MINUS)):
            if signed not in self.numbers:
                self.numbers[signed] = len(self.forms)
                self.forms.append(Form(signed))
        return key

    def _offer(self, key: Key, operation: str, *operands: Key, factor: int = 0, result: int = 0) -> None:
        """Add a way to compute a form, where the host has it and the operands were there before."""
        form = self.numbers[key]
        read = tuple(self.numbers[operand] for operand in operands)
        earlier = min(form, self.numbers[scaled(key, _MINUS)])
        alternative = Alternative(operation, read, factor, result)
        known = self.forms[form].alternatives
        if operation in self.operations and all(n < earlier for n in read) and alternative not in known:
            known.append(alternative)

    def _offer_signed(
        self, key: Key, operation: str, *operands: Key, factor: int = 0, result: int = 0
    ) -> None:
        """Offer a linear operation, and the same with all signs changed."""
        for sign in (Fraction(1), _MINUS):
            signed = (scaled(operand, sign) for operand in operands)
            self._offer(scaled(key, sign), operation, *signed, factor=factor, result=result)

    def _offer_with_difference(self, key: Key, first: Key, second: Key) -> None:
        """Offer a sum as a result of the calls that give both a + b and a - b."""
        for one, other in ((first, second), (second, first)):
            self._offer_signed(key, "add_sub", one, other, result=0)
            self._offer_signed(key, "add_sub", one, scaled(other, _MINUS), result=1)

    def _atom(self, what: object) -> Key:
        return ((self.atoms.setdefault(what, len(self.atoms)), Fraction(1)),)

    def _source(self, name: str, *, constant: bool) -> Key:
        key = self._pair(self._atom((name, constant)))
        self.forms[self.numbers[key]].origin = Origin(name, constant)
        return key

    def _number(self, number: Fraction) -> Key:
        if number >= 0 and number.denominator == 1 and "set_int" in self.operations:
            key = self._pair(self._atom(number))
            self._offer(key, "set_int", factor=number.numerator)
            return key
        name = constant_name(number)
        self.rationals[name] = number
        return self._source(name, constant=True)

    def _sum(self, left: Key, right: Key) -> Key:
        for one, other in ((left, right), (right, left)):
            multiple = ratio(one, other)
            if multiple is not None and multiple >= 1 and multiple.denominator == 1:
                return self._integer(multiple.numerator + 1, other)
        if left == scaled(right, _MINUS):
            return self._number(Fraction(0))
        key = total(left, right)
        twice = [(left, half) for half in self._halved(right)]
        twice += [(right, half) for half in self._halved(left)]
        steps = [(self._sum(whole, half), half) for whole, half in twice if half != scaled(whole, _MINUS)]
        self._pair(key)
        for first, second in ((left, right), *steps):
            self._offer_signed(key, "add", first, second)
            self._offer_signed(key, "sub", first, scaled(second, _MINUS))
            self._offer_signed(key, "sub", second, scaled(first, _MINUS))
            self._offer_with_difference(key, first, second)
        return key

    def _halved(self, key: Key) -> list[Key]:
        """Return half of a form, where it is a form itself: to add 2·y is to add y twice."""
        half = scaled(key, HALF)
        return [half] if half in self.numbers else []

    def _multiple(self, factor: Fraction, value: Key) -> Key:
        halvings = factor.denominator.bit_length() - 1
        plain = factor.denominator == 1 << halvings and ("half" in self.operations or not halvings)
        if not plain or abs(factor.numerator) > LARGEST_FACTOR:
            return self._product(self._number(factor), value)
        sign = Fraction(1 if factor > 0 else -1)
        key = self._integer(abs(factor.numerator), scaled(value, sign))
        for _ in range(halvings):
            key = self._half(key)
        return key

    def _half(self, whole: Key) -> Key:
        inner = self._scaled_factors(whole, HALF, self._half)
        key = self._pair(scaled(whole, HALF))
        self._offer_signed(key, "half", whole)
        self._offer_products(key, inner)
        return key

    def _scaled_factors(
        self, key: Key, factor: Fraction, scale: Callable[[Key], Key]
    ) -> list[tuple[Key, Key]]:
        """Return how a multiple of a product can be had by multiplying one of the factors before."""
        if key not in self.factors:
            return []
        left, right = self.factors[key]
        ways = [] if left == right else [(scale(left), right), (left, scale(right))]
        root = isqrt(factor.numerator) if left == right else 0
        if root > 1 and root**2 == factor:
            multiple = self._integer(root, left)
            ways.append((multiple, multiple))
        return ways

    def _offer_products(self, key: Key, ways: list[tuple[Key, Key]]) -> None:
        for left, right in ways:
            for first, second in _signs(left, right, 1):
                self._offer(key, "sqr", first) if first == second else self._offer(key, "mul", first, second)
            if left != right:
                for first, second in _signs(left, right, -1):
                    self._offer(scaled(key, _MINUS), "mul", first, second)

    def _integer(self, factor: int, value: Key) -> Key:
        """Return ``factor * value`` for a positive factor."""
        if factor == 1:
            return value
        ways: list[tuple[Key, Key]] = []
        if not self._multiplies_by(factor) and factor % 2 == 0:
            half = self._integer(factor // 2, value)
            ways = [(half, half)]
        elif not self._multiplies_by(factor):
            ways = [(self._integer(factor - 1, value), value)]
            if factor > 3:
                ways.append((self._integer(factor + 1, value), scaled(value, _MINUS)))
        inner = self._scaled_factors(value, Fraction(factor), partial(self._integer, factor))
        key = self._pair(scaled(value, Fraction(factor)))
        self._offer_signed(key, "mul_int", value, factor=factor)
        self._offer_products(key, inner)
        if factor == 2:
            self._offer_signed(key, "double", value)
        for first, second in ways:
            if first == second:
                self._offer_signed(key, "double", first)
            if first != second or self._doubles_by_adding():
                self._offer_signed(key, "add", first, second)
            if first != second:
                self._offer_signed(key, "sub", first, scaled(second, _MINUS))
                self._offer_with_difference(key, first, second)
        return key

    def _multiplies_by(self, factor: int) -> bool:
        """Return whether the host multiplies an element of the least bound by an integer."""
        operation = self.operations.get("mul_int")
        return operation is not None and all(c.at({"a": 1, "k": factor}) for c in operation.needs)

    def _doubles_by_adding(self) -> bool:
        """Return whether a value is to be added to itself: the host allows that, and has nothing better."""
        better = self.operations.keys() & {"double", "mul_int"}
        return not better and "add" in self.operations and self.operations["add"].may_share("a", "b")

    def _product(self, left: Key, right: Key) -> Key:
        """Return a product; the sign of each factor is drawn out, so that -x·-y and x·y are one form."""
        sign = Fraction(sign_of(left) * sign_of(right))
        left, right = scaled(left, Fraction(sign_of(left))), scaled(right, Fraction(sign_of(right)))
        key = self._pair(self._atom(("mul", *sorted((left, right)))))
        self.factors[key] = left, right
        self.factors[scaled(key, _MINUS)] = scaled(left, _MINUS), right
        self._offer_products(key, [(left, right)])
        if left == right and self.operations["mul"].may_share("a", "b"):
            self._offer(key, "mul", left, right)
        return scaled(key, sign)


_MINUS = Fraction(-1)


def _signs(left: Key, right: Key, sign: int) -> list[tuple[Key, Key]]:
    """Return both ways to give two factors signs whose product is ``sign``."""
    return [(scaled(left, Fraction(each)), scaled(right, Fraction(each * sign))) for each in (1, -1)]
