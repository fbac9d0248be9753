"""A limb program as calls: each of its blocks becomes a function, and blocks that do the same become one.

A point formula consists of few different blocks: products, squares, reductions, sums. Printed like this it
reads as the formula does::

    square(XX_wide, x1)          XX_wide = X1²
    reduce_3(M, XX_wide)         M = 3·XX_wide
    fold(M_tight, M)             M_tight = M, folded
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Constant, Word, operands, with_operands
from efdgen.generator.limbs.program import Claim, Instruction, LimbProgram, Number, Term, analyse
from efdgen.generator.limbs.program import Block as ProgramBlock
from efdgen.generator.limbs.spelling import LimbFunction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.limbs.program import Block

RESULT = "r"


@dataclass(frozen=True)
class Call:
    """A call of a block's function: which, the numbers it reads, the number it makes, and what that is."""

    function: str
    reads: tuple[int, ...]
    makes: int
    text: str


@dataclass(frozen=True)
class Outlined:
    """A limb function as calls; ``local`` are the names of the numbers that the calls make."""

    function: LimbFunction
    calls: tuple[Call, ...]
    local: Mapping[int, str]


def outline(functions: Sequence[LimbFunction]) -> tuple[list[LimbFunction], list[Outlined]]:
    """Return the functions that blocks become, in order of first use, and every function as calls of them."""
    pieces: dict[object, list[LimbProgram]] = {}
    uses: list[list[tuple[object, tuple[int, ...], Block]]] = []
    for function in functions:
        uses.append([])
        for block in function.program.blocks:
            reads, piece = _piece(function.program, block)
            key = piece.instructions, piece.numbers[-1].words, piece.numbers[-1].positions
            pieces.setdefault(key, []).append(piece)
            uses[-1].append((key, reads, block))
    names = _names([_kind(alike[0]) for alike in pieces.values()])
    named = dict(zip(pieces, names, strict=True))
    blocks = [
        LimbFunction(name, alike[0], _doc(alike)) for name, alike in zip(names, pieces.values(), strict=True)
    ]
    outlined = [
        Outlined(
            function,
            tuple(Call(named[key], reads, block.result, block.text) for key, reads, block in calls),
            _local_names(function),
        )
        for function, calls in zip(functions, uses, strict=True)
    ]
    return blocks, outlined


def _piece(program: LimbProgram, block: Block) -> tuple[tuple[int, ...], LimbProgram]:
    """Return the numbers that a block reads, and the block as a program of its own, from a, b, … to r."""
    constants = {i.results[0]: i for i in program.instructions if isinstance(i.operation, Constant)}
    body = [
        i for i in program.instructions[block.start : block.stop] if not isinstance(i.operation, Constant)
    ]
    result = program.numbers[block.result]
    own = {value for instruction in body for value in instruction.results}
    used = (*(value for i in body for value in operands(i.operation)), *result.words)
    outside = [value for value in dict.fromkeys(used) if value not in own]
    reads = _reads(program, block, [value for value in outside if value not in constants])
    inputs = [replace(program.numbers[index], name=chr(ord("a") + at)) for at, index in enumerate(reads)]
    instructions = [Word(number.name, at) for number in inputs for at in range(len(number.words))]
    renamed: dict[int, int] = {}
    for number in reversed(inputs):
        first = sum(len(other.words) for other in inputs[: inputs.index(number)])
        renamed |= {value: first + at for at, value in enumerate(number.words)}
    made = [Instruction(operation, (at,)) for at, operation in enumerate(instructions)]
    numbered = [_numbered(number, inputs) for number in inputs]
    filled = len(made)
    for instruction in (*(constants[value] for value in outside if value in constants), *body):
        results = tuple(range(filled, filled + len(instruction.results)))
        values = tuple(renamed[value] for value in operands(instruction.operation))
        renamed |= dict(zip(instruction.results, results, strict=True))
        made.append(Instruction(with_operands(instruction.operation, values), results))
        filled += len(results)
    output = replace(result, name=RESULT, words=tuple(renamed[value] for value in result.words))
    claim = _claim(block.claim, reads)
    piece = LimbProgram(
        program.word,
        tuple(made),
        analyse(program.word, tuple(made), tuple(numbered)),
        (*numbered, output),
        (ProgramBlock(len(instructions), len(made), len(numbered), claim, block.text),),
        tuple(range(len(numbered))),
        ((RESULT, len(numbered)),),
    )
    return reads, piece


def _reads(program: LimbProgram, block: Block, outside: Sequence[int]) -> tuple[int, ...]:
    """Return numbers that hold all words read from outside: the claim's first, then what is made before."""
    factors = list(dict.fromkeys(factor for term in block.claim.terms for factor in term.factors))
    earlier = list(program.inputs)
    for other in program.blocks:
        if other is block:
            break
        earlier.append(other.result)
    left = set(outside)
    reads = []
    for index in (*factors, *reversed(earlier)):
        if index in factors or left & set(program.numbers[index].words):
            if index not in reads:
                reads.append(index)
            left -= set(program.numbers[index].words)
    if left:
        raise ValueError(f"{block.text}: a word is read that belongs to no number")
    return tuple(reads)


def _numbered(number: Number, inputs: Sequence[Number]) -> Number:
    first = sum(len(other.words) for other in inputs[: inputs.index(number)])
    return replace(number, words=tuple(range(first, first + len(number.words))))


def _claim(claim: Claim, reads: Sequence[int]) -> Claim:
    terms = (Term(term.coefficient, tuple(reads.index(factor) for factor in term.factors)) for term in claim.terms)
    return replace(claim, terms=tuple(terms))


def _kind(piece: LimbProgram) -> str:
    """Name what a block does, from its claim."""
    (block,) = piece.blocks
    claim = block.claim
    shrinks = any(
        len(piece.numbers[f].words) > len(piece.numbers[block.result].words)
        for term in claim.terms
        for f in term.factors
    )
    match claim.terms:
        case ():
            return "zero"
        case (Term(_, ()),):
            return "constant"
        case (Term(1, (left, right)),) if claim.modulus == 0:
            return "square" if left == right else "product"
        case (Term(1, (_,)),) if claim.factor == 1:
            return "fold" if shrinks and len(piece.numbers[0].words) < 2 * _length(piece) else "reduce"
        case (Term(_, (_,)),) if shrinks:
            return "reduce_scaled"
        case _ if shrinks:
            return "reduce_onto"
        case _:
            return "sum"


def _length(piece: LimbProgram) -> int:
    return len(piece.numbers[piece.blocks[0].result].words)


def _names(kinds: Sequence[str]) -> list[str]:
    """Number the functions of a kind where there are several."""
    counts, seen = Counter(kinds), Counter[str]()
    names = []
    for kind in kinds:
        seen[kind] += 1
        names.append(f"{kind}_{seen[kind]}" if counts[kind] > 1 else kind)
    return names


def _doc(alike: Sequence[LimbProgram]) -> tuple[str, ...]:
    """Say what a block makes of its inputs, and the largest bounds that it is called within."""
    piece = alike[0]
    (block,) = piece.blocks
    claim = block.claim
    terms = [
        "*".join([*([_number(term.coefficient)] if term.coefficient != 1 or not term.factors else []),
                  *(piece.numbers[factor].name for factor in term.factors)])
        for term in claim.terms
    ]
    total = " + ".join(terms).replace("+ -", "- ") or "0"
    left = RESULT if claim.factor == 1 else f"{_number(claim.factor)}*{RESULT}"
    relation = f"{left} = {total}" + (" modulo p" if claim.modulus else "")
    bounds = [
        f"{number.name} < 2^{max(other.numbers[at].maximum for other in alike).bit_length()}"
        for at, number in enumerate(piece.numbers)
    ]
    return (f"{relation}; {', '.join(bounds)}.",)


def _number(value: int) -> str:
    return str(value) if abs(value) < 1 << 32 else hex(value)


def _local_names(function: LimbFunction) -> dict[int, str]:
    """Return identifiers for the numbers that blocks make, no two alike and none an argument's."""
    program = function.program
    taken = {number.name.lower() for number in function.inputs} | {name.lower() for name, _ in function.outputs}
    names = {}
    for block in program.blocks:
        wanted = program.numbers[block.result].name
        unique, number = wanted, 2
        while unique.lower() in taken:
            unique, number = f"{wanted}_{number}", number + 1
        taken.add(unique.lower())
        names[block.result] = unique
    return names
