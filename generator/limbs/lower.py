"""Lowering of a program over a field, of any length, to one limb program.

Every value of the program is a sum of multiples of numbers, a *form*, that is written down as late as
possible::

    x3 = m² - 2·s           form  {m²: 1, s: -2}
    d  = x3 - s             form  {x3: 1, s: -1}      x3 has two readers: it is a number of its own
    y3 = m·d + b²           form  {m·d: 1, b²: 1}     two wide numbers: added, then reduced once

A value whose only reader is a sum stays a form in that sum, however often the sum takes it: t + t + t is
3·t, and scaled where t is reduced. Products in a form are wide; half of a form is half of a loose number. A
number is made tight only where it is multiplied, or where it goes out. A value that is always 0 is an
empty form, as are its products.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.shape import number_text
from efdgen.generator.programs.interpreter import Rationals, apply
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
    operands,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.limbs.linear import Summand
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.limbs.reduction import Reduction
    from efdgen.generator.programs.program import Operation, Program

Form = dict[int, int]  # coefficients of numbers, wide and loose

_LARGEST = 8  # denominator that becomes halvings


def lower_to_limbs(
    program: Program, plan: AnyPlan, *, stay_wide: bool = False, builder: LimbBuilder | None = None
) -> LimbProgram:
    """Lower a program without division; inputs and parameters come in tight, and outputs go out tight.

    A product with several readers is reduced once, or, with ``stay_wide``, with each sum that it is in.
    Raises :class:`EfdgenError` for a division, or where a sum is too long for the plan's loose numbers.
    """
    return _Lowering(_with_known_values(program), plan, builder, stay_wide=stay_wide).run()


def _with_known_values(program: Program) -> Program:
    """Return the program with what depends on constants alone as constants: they have no product of words."""
    values: list[Fraction | None] = []
    for instruction in program.instructions:
        operation = instruction.operation
        known = [value for operand in operands(operation) if (value := values[operand]) is not None]
        if isinstance(operation, Input | Parameter | Inv) or len(known) < len(operands(operation)):
            values.append(None)
        else:
            values.append(apply(operation, Rationals(), {}, [value or Fraction(0) for value in values]))
    instructions = (
        instruction if value is None else replace(instruction, operation=Constant(value))
        for instruction, value in zip(program.instructions, values, strict=True)
    )
    return replace(program, instructions=tuple(instructions))


class _Lowering:
    def __init__(
        self, program: Program, plan: AnyPlan, builder: LimbBuilder | None, *, stay_wide: bool
    ) -> None:
        self._program = program
        self._stay_wide = stay_wide
        self._ground = plan.ground
        self._reduction: Reduction = plan.reduction
        self._builder = builder or LimbBuilder(
            plan.word, for_gcc=plan.target not in ("clang", "rust"), in_rows=plan.in_rows
        )
        self._shared = self._values_of_several_readers()
        self._summands = frozenset(
            operand
            for instruction in program.instructions
            if self._is_sum(instruction.operation)
            for operand in operands(instruction.operation)
        )
        self._forms: dict[int, Form] = {}
        self._outputs: dict[str, int] = {}
        self._wide: set[int] = set()
        self._tight: dict[tuple[int, int], int] = {}
        self._multiples: dict[tuple[int, int], int] = {}

    def run(self) -> LimbProgram:
        """Return the limb program."""
        for value, instruction in enumerate(self._program.instructions):
            if isinstance(instruction.operation, Input | Parameter):
                self._forms[value] = {self._reduction.input(self._builder, instruction.label): 1}
        for value, instruction in enumerate(self._program.instructions):
            if value not in self._forms:
                alone = value in self._shared or value not in self._summands
                self._forms[value] = self._form(instruction.operation, instruction.label, alone=alone)
                if value in self._shared:
                    self._forms[value] = self._settled(self._forms[value], instruction.label)
            # An output is finished where it is made, so that words have the program's order.
            for name, output in self._program.outputs:
                if output == value:
                    self._outputs[name] = self._output(name, value)
        return self._builder.build([(name, self._outputs[name]) for name, _ in self._program.outputs])

    def _values_of_several_readers(self) -> frozenset[int]:
        """Return the values that become numbers of their own; sums with one reader count as that reader."""
        readers: list[set[int | str]] = [set() for _ in self._program.instructions]
        for name, value in self._program.outputs:
            readers[value].add(name)
        for value, instruction in reversed(list(enumerate(self._program.instructions))):
            passed_on = self._is_sum(instruction.operation) and len(readers[value]) == 1
            for operand in operands(instruction.operation):
                readers[operand] |= readers[value] if passed_on else {value}
        return frozenset(value for value, found in enumerate(readers) if len(found) > 1)

    def _is_sum(self, operation: Operation) -> bool:
        match operation:
            case Add() | Sub() | Neg():
                return True
            case MulConstant(factor):
                return self._is_small(factor)
            case _:
                return False

    def _is_small(self, factor: Fraction) -> bool:
        if self._ground.is_binary:
            return factor.denominator % 2 == 1
        return factor.denominator == 1 and abs(factor.numerator) <= self._reduction.largest_scale

    def _combined(self, left: Mapping[int, int], right: Mapping[int, int], factor: int) -> Form:
        """Return left + factor·right, with coefficients modulo 2 in a binary field."""
        total = _sum(left, right, factor)
        return {number: 1 for number, c in total.items() if c % 2} if self._ground.is_binary else total

    def _form(self, operation: Operation, label: str, *, alone: bool) -> Form:
        """Return a value as a form; ``alone`` is whether it is reduced before anything is added to it."""
        match operation:
            case Mul() | MulParameter() | Sqr() if not all(self._forms[v] for v in operands(operation)):
                return {}
            case Add(left, right):
                return self._combined(self._forms[left], self._forms[right], 1)
            case Sub(left, right):
                return self._combined(self._forms[left], self._forms[right], -1)
            case Neg(value):
                return self._combined({}, self._forms[value], -1)
            case MulConstant(factor, value):
                return self._multiple(factor, value, label)
            case Mul(left, right) | MulParameter(left, right):
                return self._product(self._factor(left), self._factor(right), label, alone=alone)
            case Sqr(value):
                return self._square(self._factor(value), label, alone=alone)
            case Constant(constant):
                return {self._constant(constant, label): 1} if self._residue(constant) else {}
            case Pow() | Inv():
                raise EfdgenError(f"{label}: a power or a division does not become words; expand it first")
            case Input() | Parameter():
                raise AssertionError(operation)
            case _:
                assert_never(operation)

    def _square(self, value: tuple[int, int], label: str, *, alone: bool) -> Form:
        coefficient, number = value
        if alone and (made := self._reduction.finished(self._builder, number, number, label)) is not None:
            return {made: coefficient**2}
        wide = self._reduction.square(self._builder, number, f"{label}_wide")
        return self._as_wide(wide, coefficient**2)

    def _product(
        self, left: tuple[int, int], right: tuple[int, int], label: str, *, alone: bool = False
    ) -> Form:
        coefficient, number = self._scaled(left[0] * right[0], left[1], right[1])
        if alone and (made := self._reduction.finished(self._builder, number, right[1], label)) is not None:
            return {made: coefficient}
        wide = self._reduction.product(self._builder, number, right[1], f"{label}_wide")
        return self._as_wide(wide, coefficient)

    def _scaled(self, coefficient: int, number: int, other: int) -> tuple[int, int]:
        """Put a coefficient into a number where its product with another is then reduced to a tight one."""
        builder, key = self._builder, (number, coefficient)
        if coefficient == 1 or not self._reduction.multiplies(builder, number, coefficient, other):
            return coefficient, number
        if key not in self._multiples:
            name = f"{builder.numbers[number].name}_times_{coefficient}"
            made = self._reduction.loose_sum(builder, [(number, coefficient)], name, None, shared=False)
            if made is None:
                return coefficient, number
            self._multiples[key] = made
        return 1, self._multiples[key]

    def _as_wide(self, wide: int, coefficient: int) -> Form:
        self._wide.add(wide)
        return {wide: coefficient}

    def _multiple(self, factor: Fraction, value: int, label: str) -> Form:
        """Multiply a form by a number: coefficients by what is small, then halves; else as a product."""
        if self._ground.is_binary:
            factor = Fraction(self._residue(factor))
        if self._is_small(factor):
            return self._combined({}, self._forms[value], factor.numerator)
        if not self._residue(factor) or not self._forms[value]:
            return {}
        halvings = factor.denominator.bit_length() - 1
        if factor.denominator == 1 << halvings <= _LARGEST and self._is_small(Fraction(factor.numerator)):
            return self._halved(self._combined({}, self._forms[value], factor.numerator), halvings, label)
        return self._product(self._factor(value), (1, self._constant(factor, f"{label}_factor")), label)

    def _halved(self, form: Form, times: int, label: str) -> Form:
        """Return a form halved some times."""
        sign = -1 if all(coefficient < 0 for coefficient in form.values()) else 1
        number = self._number(self._combined({}, form, sign), f"{label}_whole")
        for _ in range(times):
            number = self._reduction.half(self._builder, number, label)
        return {number: sign}

    def _constant(self, constant: Fraction, label: str) -> int:
        residue = self._residue(constant * self._reduction.radix)
        text = number_text(int(constant)) if constant.denominator == 1 and constant > 0 else str(constant)
        return self._reduction.known(self._builder, residue, f"{label} = {text}")

    def _residue(self, constant: Fraction) -> int:
        return self._ground.constant(constant)

    def _factor(self, value: int) -> tuple[int, int]:
        """Return a value as a small coefficient and a tight number."""
        form, label = self._forms[value], self._program.instructions[value].label
        if len(form) == 1:
            ((number, coefficient),) = form.items()
            if number not in self._wide and coefficient > 0:
                return coefficient, self._tightened(number, label)
        at_once = self._reduced_at_once(label, form)
        if at_once is not None:
            return 1, at_once
        return 1, self._tightened(self._number(form, label), label)

    def _output(self, name: str, value: int) -> int:
        form = self._forms[value]
        if not form:
            return self._constant(Fraction(0), name)
        for short in (self._short_sum, self._reduced_at_once):
            number = short(name, form)
            if number is not None:
                return number
        return self._tightened(self._number(form, name), name, self._reduction.tight)

    def _reduced_at_once(self, name: str, form: Form) -> int | None:
        """Return a product, tight, where the reduction has a short way; None where a form is no product."""
        if list(form.values()) != [1] or not self._wide & form.keys():
            return None
        return self._reduction.reduce_tight(self._builder, next(iter(form)), name)

    def _short_sum(self, name: str, form: Form) -> int | None:
        """Return a sum or a difference of tight numbers, tight, where it is one of two, or of 0 and one."""
        if sorted(form.values()) not in ([-1], [-1, 1], [1, 1]) or self._wide & form.keys():
            return None
        if any(self._builder.numbers[number].maximum > self._reduction.tight for number in form):
            return None
        *others, (right, sign) = sorted(form.items(), key=lambda item: (-item[1], item[0]))
        left = others[0][0] if others else None
        return self._reduction.tight_sum(self._builder, left, right, sign, name)

    def _tightened(self, number: int, label: str, limit: int = 0) -> int:
        """Return a tight number that is the same; a multiplication takes what is ``operand`` as it is."""
        limit = limit or self._reduction.operand
        key = number, limit
        if key not in self._tight:
            self._tight[key] = self._reduction.tighten(self._builder, number, f"{label}_tight", limit)
        return self._tight[key]

    def _settled(self, form: Form, label: str) -> Form:
        """Return a form as a multiple of one number that is not wide, or that stays wide."""
        if not form:
            return form
        ((number, coefficient), *others) = form.items()
        if self._stay_wide and not others:
            return form
        if others or number in self._wide:
            return {self._number(form, label, shared=True): 1}
        return {number: coefficient}

    def _number(self, form: Form, label: str, *, shared: bool = False) -> int:
        """Write down a form as one loose number: what is wide together, reduced once onto the rest.

        From one that is shared, others may be subtracted.
        """
        wide = {number: c for number, c in form.items() if number in self._wide}
        rest = {number: c for number, c in form.items() if number not in self._wide}
        if not wide:
            return self._loose(rest, label, shared=shared)
        sign = -1 if all(c < 0 for c in wide.values()) else 1
        scale = gcd(*wide.values())
        if scale > self._reduction.largest_scale:
            part = self._number({number: sign * c // scale for number, c in wide.items()}, f"{label}_part")
            return self._loose({**rest, part: sign * scale}, label, shared=shared)
        total = self._wide_sum({number: sign * c // scale for number, c in wide.items()}, f"{label}_wide")
        if total is None:
            parts = {self._number({number: 1}, f"{label}_part"): c for number, c in wide.items()}
            return self._loose({**rest, **parts}, label, shared=shared)
        addend = None
        if rest or sign < 0:
            addend = self._loose(rest, f"{label}_rest", (total, sign * scale), shared=shared)
        return self._reduction.reduce(self._builder, total, label, sign * scale, addend)

    def _wide_sum(self, form: Form, label: str) -> int | None:
        if list(form.values()) == [1]:
            return next(iter(form))
        return self._reduction.wide_sum(self._builder, list(form.items()), label)

    def _loose(self, form: Form, label: str, onto: Summand | None = None, *, shared: bool = False) -> int:
        """Write down a form of loose numbers, made tight first where the sum would be too large.

        ``onto`` is a wide number and its factor, a multiple that will be reduced onto the sum.
        """
        if list(form.values()) == [1] and (onto is None or onto[1] > 0):
            return next(iter(form))
        builder, add, summands = self._builder, self._reduction.loose_sum, list(form.items())
        made = add(builder, summands, label, onto, shared=shared)
        if made is None:
            tight = [(self._tightened(number, f"{label}_part"), c) for number, c in summands]
            made = add(builder, tight, label, onto, shared=shared)
        if made is None:
            raise EfdgenError(
                f"{label}: a sum has factors that are too large for this field; multiply step by step"
            )
        return made


def _sum(left: Mapping[int, int], right: Mapping[int, int], factor: int) -> Form:
    """Return left + factor·right without what cancels."""
    total = dict(left)
    for number, coefficient in right.items():
        total[number] = total.get(number, 0) + factor * coefficient
    return {number: c for number, c in total.items() if c != 0}
