"""A limb program as calls: each of its blocks becomes a function, and blocks that do the same become one.

A point formula consists of few different blocks: products, squares, reductions, sums. Printed like this it
reads as the formula does::

    square(XX_wide, x1)          XX_wide = X1²
    reduce_3a(M, XX_wide)        M = 3·XX_wide
    fold(M_tight, M)             M_tight = M, folded

A number that is known is no argument: its words are in the functions that compute with it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.limbs.operations import Constant, Word
from efdgen.generator.limbs.program import Block as ProgramBlock
from efdgen.generator.limbs.program import Claim, Instruction, LimbProgram, Number, Term, analyse
from efdgen.generator.limbs.shape import number_text
from efdgen.generator.limbs.spelling import LimbFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.limbs.program import Block

RESULT = "r"

_OF_PRODUCTS = ("product", "square", "reduce")
_REDUCING = ("reduce", "fold", "sum")

_LONGEST = 16  # bits of a factor that is in a name as it is


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

    @property
    def names(self) -> dict[int, str]:
        """The name of every number, inputs included."""
        program = self.function.program
        return {index: program.numbers[index].name.lower() for index in program.inputs} | dict(self.local)

    @property
    def outputs(self) -> tuple[tuple[str, int], ...]:
        """The name of every output, and its number."""
        return tuple((name.lower(), index) for name, index in self.function.program.outputs)

    @property
    def stored(self) -> dict[int, str]:
        """The output that the last call makes, and its name: no input is read later."""
        match self.outputs:
            case ((name, index),) if index == self.calls[-1].makes:
                return {index: name}
        return {}

    @property
    def passed(self) -> tuple[int, ...]:
        """The inputs that are put out as they are."""
        return tuple(dict.fromkeys(index for _, index in self.outputs if index not in self.local))


def is_outlined(function: LimbFunction) -> bool:
    """Return whether a function has several blocks, none of which depends on a bit of its inputs alone."""
    blocks = function.program.blocks
    return len(blocks) > 1 and not function.test and function.name not in ("canonical", "to_number", "cswap")


def is_of_products(block: LimbFunction) -> bool:
    """Return whether a block's function makes a product of two numbers, or reduces one."""
    return block.name.partition("_")[0] in _OF_PRODUCTS


def outline(functions: Sequence[LimbFunction]) -> tuple[list[LimbFunction], list[Outlined]]:
    """Return the functions that blocks become, in order of first use, and every function as calls of them."""
    pieces: dict[object, list[_Piece]] = {}
    uses: list[list[tuple[object, tuple[int, ...], Block]]] = []
    for function in functions:
        uses.append([])
        constants = _constants(function.program)
        known = _known(function.program, constants)
        for reads, block in _needed(function.program, constants, known):
            piece = _piece(function.program, block, reads, constants, known)
            pieces.setdefault(piece.key, []).append(piece)
            uses[-1].append((piece.key, reads, block))
    programs = [alike[0].program() for alike in pieces.values()]
    names = _numbered_names([_name(*named) for named in zip(programs, pieces.values(), strict=True)])
    named = dict(zip(pieces, names, strict=True))
    blocks = [
        LimbFunction(name, program, _doc(program, alike))
        for name, program, alike in zip(names, programs, pieces.values(), strict=True)
    ]
    outlined = [
        Outlined(
            function,
            tuple(Call(named[key], reads, block.result, block.text) for key, reads, block in calls),
            _local_names(function, [block for _, _, block in calls]),
        )
        for function, calls in zip(functions, uses, strict=True)
    ]
    return blocks, outlined


def _constants(program: LimbProgram) -> dict[int, Instruction]:
    """Return the values that are constants, with what makes them."""
    return {i.results[0]: i for i in program.instructions if isinstance(i.operation, Constant)}


def _known(program: LimbProgram, constants: Mapping[int, Instruction]) -> dict[int, int]:
    """Return the numbers of which all words are constants, by index, and what they are."""
    words = {value: i.operation.value for value, i in constants.items() if isinstance(i.operation, Constant)}
    return {
        index: sum(words[value] << at for value, at in zip(number.words, number.positions, strict=True))
        for index, number in enumerate(program.numbers)
        if words.keys() >= set(number.words)
    }


def _needed(
    program: LimbProgram, constants: Mapping[int, Instruction], known: Mapping[int, int]
) -> list[tuple[tuple[int, ...], Block]]:
    """Return the blocks on which the outputs depend, in order, and before each the numbers that it reads."""
    needed = {index for _, index in program.outputs}
    found = []
    for block in reversed(program.blocks):
        if block.result in needed:
            reads = _reads(program, block, constants, known)
            needed |= set(reads)
            found.append((reads, block))
    return found[::-1]


class _Piece(NamedTuple):
    """A block by itself: the numbers that it reads, called a, b, …, the result after them, and its claim."""

    word: int
    instructions: tuple[Instruction, ...]
    numbers: tuple[Number, ...]
    claim: Claim

    @property
    def key(self) -> object:
        """The key of blocks that become one function."""
        return self.instructions, self.numbers[-1].words, self.numbers[-1].positions

    def program(self) -> LimbProgram:
        """Return it as a program of its own."""
        *inputs, _ = self.numbers
        first, at = sum(len(number.words) for number in inputs), len(inputs)
        return LimbProgram(
            self.word,
            self.instructions,
            analyse(self.word, self.instructions, tuple(inputs)),
            self.numbers,
            (ProgramBlock(first, len(self.instructions), at, self.claim, ""),),
            tuple(range(at)),
            ((RESULT, at),),
        )


def _piece(
    program: LimbProgram,
    block: Block,
    reads: tuple[int, ...],
    constants: Mapping[int, Instruction],
    known: Mapping[int, int],
) -> _Piece:
    """Return a block by itself, from the numbers that it reads, called a, b, …, to r."""
    body, result = _body(program, block), program.numbers[block.result]
    numbers: list[Number] = []
    made: list[Instruction] = []
    renamed: dict[int, int] = {}
    for at, index in enumerate(reads):
        number, name, first = program.numbers[index], chr(ord("a") + at), len(made)
        words = tuple(range(first, first + len(number.words)))
        made += (Instruction(Word(name, value - first), (value,)) for value in words)
        renamed = dict(zip(number.words, words, strict=True)) | renamed
        numbers.append(replace(number, name=name, words=words))
    filled = len(made)
    outside = (value for value in _read_from_outside(program, block, body) if value in constants)
    for instruction in (*(constants[value] for value in outside), *body):
        results = tuple(range(filled, filled + len(instruction.results)))
        values = tuple(renamed[value] for value in instruction.operation.operands)
        renamed |= dict(zip(instruction.results, results, strict=True))
        made.append(Instruction(instruction.operation.on(values), results))
        filled += len(results)
    output = replace(result, name=RESULT, words=tuple(renamed[value] for value in result.words))
    return _Piece(program.word, tuple(made), (*numbers, output), _claim(block.claim, reads, known))


def _body(program: LimbProgram, block: Block) -> list[Instruction]:
    """Return the instructions of a block without those that make constants, which may serve others too."""
    instructions = program.instructions[block.start : block.stop]
    return [instruction for instruction in instructions if not isinstance(instruction.operation, Constant)]


def _read_from_outside(program: LimbProgram, block: Block, body: Sequence[Instruction]) -> list[int]:
    """Return the values that a block reads and does not compute, constants too, in order."""
    own = {value for instruction in body for value in instruction.results}
    used = (value for instruction in body for value in instruction.operation.operands)
    every = dict.fromkeys((*used, *program.numbers[block.result].words))
    return [value for value in every if value not in own]


def _reads(
    program: LimbProgram, block: Block, constants: Mapping[int, Instruction], known: Mapping[int, int]
) -> tuple[int, ...]:
    """Return numbers that hold all words read from outside: the claim's first, then what is made before.

    Constants are not read, and so no number that is made of them alone.
    """
    mentioned = (factor for term in block.claim.terms for factor in term.factors)
    factors = tuple(dict.fromkeys(factor for factor in mentioned if factor not in known))
    earlier = list(program.inputs)
    for other in program.blocks:
        if other is block:
            break
        earlier.append(other.result)
    left = set(_read_from_outside(program, block, _body(program, block))) - constants.keys()
    reads = []
    for index in (*factors, *reversed(earlier)):
        if index in factors or left & set(program.numbers[index].words):
            if index not in reads:
                reads.append(index)
            left -= set(program.numbers[index].words)
    if left:
        raise ValueError(f"{block.text}: a word is read that belongs to no number")
    return tuple(reads)


def _claim(claim: Claim, reads: Sequence[int], known: Mapping[int, int]) -> Claim:
    """Return a claim about the numbers that are read; those that are known become coefficients."""
    sizes = Counter[tuple[int, ...]]()
    for term in claim.terms:
        variable = tuple(reads.index(factor) for factor in term.factors if factor not in known)
        sizes[variable] += prod((known.get(factor, 1) for factor in term.factors), start=term.coefficient)
    if claim.modulus:
        sizes[()] = claim.modulus.signed(sizes[()])
    return replace(claim, terms=tuple(Term(size, factors) for factors, size in sizes.items() if size))


def _name(piece: LimbProgram, alike: Sequence[_Piece]) -> str:
    """Name what a block does, and the bits of what it reads and makes: ``sum_a_minus_2b_289_256_to_290``.

    The bits of the result are left out if the others determine them.
    """
    *reads, makes = _bits(alike)
    meaning = _meaning(piece)
    made = ("to", makes) if meaning.startswith(_REDUCING) else ()
    return "_".join(map(str, (meaning, *reads, *made)))


def _bits(alike: Sequence[_Piece]) -> list[int]:
    """Return the most bits that each number of a block has in the places where it is called."""
    maxima = (
        max(number.maximum for number in each)
        for each in zip(*(piece.numbers for piece in alike), strict=True)
    )
    return [maximum.bit_length() for maximum in maxima]


def _meaning(piece: LimbProgram) -> str:
    """Name what a block does, from its claim: ``product``, ``reduce_8a``, ``sum_a_minus_2b``."""
    (block,) = piece.blocks
    claim, result = block.claim, piece.numbers[block.result]
    longest = max((len(piece.numbers[index].words) for index in piece.inputs), default=0)
    match claim.terms:
        case (Term(1, (left, right)),):
            return "square" if left == right else "product"
        case (Term(1, (_,)),) if claim.factor == 1 and longest <= len(result.words) + 1:
            return "fold"
        case (Term(size, (_,)),) if not claim.modulus and _is_long(size):
            return "multiple"
        case (Term(1, (_,)),) if claim.factor == 2:
            return "halve"  # the field has a function called half
        case terms if any(len(term.factors) > 1 for term in terms):
            return "choose"
        case terms if all(not term.factors for term in terms):
            return "constant"
    kind = "reduce" if longest > len(result.words) + 1 else "sum"
    total = _text(claim, [number.name for number in piece.numbers], _short)
    for sign, word in (("*", ""), ("-", " minus "), ("+", " plus ")):
        total = total.replace(sign, word)
    divided = () if claim.factor == 1 else ("over", _short(claim.factor))
    return "_".join((kind, *total.split(), *divided))


def _is_long(size: int) -> bool:
    return size.bit_length() > _LONGEST


def _short(size: int) -> str:
    """Name a factor: a small one, R of Montgomery's form, a power of two, or another constant."""
    if not _is_long(size):
        return str(size)
    return "r" if size.bit_count() == 1 else "constant "


def _numbered_names(wanted: Sequence[str]) -> list[str]:
    """Return the names, with numbers behind those that several functions would have."""
    counts, seen = Counter(wanted), Counter[str]()
    names = []
    for name in wanted:
        seen[name] += 1
        names.append(f"{name}_{seen[name]}" if counts[name] > 1 else name)
    return names


def _doc(piece: LimbProgram, alike: Sequence[_Piece]) -> tuple[str, ...]:
    """Say what a block makes of its inputs, and the largest bounds that it is called within."""
    (block,) = piece.blocks
    claim = block.claim
    left = RESULT if claim.factor == 1 else f"{_factor(claim.factor)}*{RESULT}"
    relation = f"{left} = {_text(claim, [number.name for number in piece.numbers], _factor)}"
    bounds = [f"{number.name} < 2^{bits}" for number, bits in zip(piece.numbers, _bits(alike), strict=True)]
    if claim.modulus:
        relation += f" modulo {claim.modulus.symbol}"
    return (f"{relation}; {', '.join(bounds)}.",)


def _factor(size: int) -> str:
    """Write a factor, in parentheses where it is a sum."""
    text = number_text(size)
    return f"({text})" if " " in text else text


def _text(claim: Claim, names: Sequence[str], factor: Callable[[int], str]) -> str:
    """Write the sum of a claim: ``a - 2*b``; ``factor`` writes what is not 1."""
    parts = []
    for term in claim.terms:
        sign, size = "-" if term.coefficient < 0 else "+", abs(term.coefficient)
        number = [factor(size)] if size != 1 or not term.factors else []
        parts.append(f"{sign} {'*'.join((*number, *(names[factor] for factor in term.factors)))}")
    text = " ".join(parts) or "+ 0"
    return text.removeprefix("+ ") if text[0] == "+" else f"-{text[2:]}"


def _local_names(function: LimbFunction, blocks: Sequence[Block]) -> dict[int, str]:
    """Return identifiers for the numbers that blocks make, no two alike and none an argument's."""
    program = function.program
    taken = {number.name.lower() for number in function.inputs} | {
        name.lower() for name, _ in function.outputs
    }
    names = {}
    for block in blocks:
        wanted = program.numbers[block.result].name
        unique, number = wanted, 2
        while unique.lower() in taken:
            unique, number = f"{wanted}_{number}", number + 1
        taken.add(unique.lower())
        names[block.result] = unique
    return names
