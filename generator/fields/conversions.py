"""Conversions to Montgomery's form and back as products by known numbers, R² and 1.

They take little code where words have 32 bits. The instructions of a product serve any number where p fills
its words and products are less than p.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.operations import operations
from efdgen.generator.limbs.intervals import Interval
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.operations import Constant, Word
from efdgen.generator.limbs.program import Block, Claim, Instruction, LimbProgram, Term

if TYPE_CHECKING:
    from efdgen.generator.fields.field import Representation
    from efdgen.generator.fields.operations import FieldOperation

_WORD = 32


def known_factors(built: Representation) -> dict[str, int]:
    """Return the factors by which products convert numbers, by the names of conversions; none elsewhere."""
    reduction = built.plan.reduction
    if type(reduction) is not MontgomeryReduction or built.word != _WORD:
        return {}
    square = reduction.radix**2 % reduction.prime
    # A product by R² of any number of n words is at most that of two elements.
    fits = (reduction.radix - 1) * square <= reduction.tight**2
    full = reduction.prime >> _WORD * (reduction.limbs - 1) == (1 << _WORD) - 1
    tight = reduction.tight == reduction.prime - 1
    return {"from_number": square, "to_number": 1} if fits and full and tight else {}


def by_products(operation: FieldOperation, built: Representation) -> FieldOperation:
    """Return a conversion as a product by a known number, where it can be one; else the operation itself."""
    factor = known_factors(built).get(operation.name)
    if factor is None:
        return operation
    (product,) = operations(built, {"mul"})
    ((name, port),) = operation.contract.inputs.items()
    program = _with_known_factor(product.program, name, port.maximum, factor)
    return replace(operation, program=program)


def _with_known_factor(product: LimbProgram, name: str, maximum: int, factor: int) -> LimbProgram:
    """Return a product by a known number: the other input gets a name and a bound."""
    first, second = product.inputs
    numbers = list(product.numbers)
    count, mask = len(numbers[second].words), (1 << product.word) - 1
    words = {value: factor >> product.word * at & mask for at, value in enumerate(numbers[second].words)}
    instructions: list[Instruction] = []
    intervals = list(product.intervals)
    for instruction in product.instructions:
        value = instruction.results[0]
        if value in words:
            instructions.append(replace(instruction, operation=Constant(words[value])))
            intervals[value] = Interval(words[value], words[value])
        elif isinstance(instruction.operation, Word):
            instructions.append(replace(instruction, operation=Word(name, instruction.operation.index)))
        else:
            instructions.append(instruction)
    numbers[first] = replace(numbers[first], name=name, maximum=maximum)
    numbers[second] = replace(numbers[second], maximum=factor)
    known = Block(count, 2 * count, second, Claim(1, (Term(factor, ()),)), "")
    return replace(
        product,
        instructions=tuple(instructions),
        intervals=tuple(intervals),
        numbers=tuple(numbers),
        blocks=(known, *product.blocks),
        inputs=(first,),
    )
