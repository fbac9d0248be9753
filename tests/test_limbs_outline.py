"""Limb programs as calls of their blocks: the calls make what the program makes."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import prod

import pytest

from efdgen.generator.limbs import c, rust
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import run, split, trace
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.outline import Outlined, is_outlined, outline
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import Constant, Input, Mul, Sub

PRIMES = {
    "secp256k1": 2**256 - 2**32 - 977,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "2^127-1": 2**127 - 1,
}
FORMULAS = ["g1p/shortw/jacobian-0/doubling/dbl-2009-l", "g1p/shortw/jacobian/addition/add-2007-bl"]


@pytest.fixture(scope="module")
def programs(database):
    return {**field_operations(), **{name: optimise(lower(database.formula(name))) for name in FORMULAS}}


def functions(programs, prime: int, word: int) -> list[LimbFunction]:
    chosen = plan(prime, word)
    return [LimbFunction(name, lower_to_limbs(p, chosen), ()) for name, p in programs.items()]


def called(outlined: Outlined, blocks: dict[str, LimbFunction], inputs: dict[str, int]) -> dict[str, int]:
    """Run a function call by call; return its outputs."""
    program = outlined.function.program
    values = {index: inputs[program.numbers[index].name] for index in program.inputs}
    for call in outlined.calls:
        block = blocks[call.function].program
        operands = {}
        for index, read in zip(block.inputs, call.reads, strict=True):
            number = replace(program.numbers[read], name=block.numbers[index].name)
            operands[number.name] = split(number, values[read], block.word)
        words, made = trace(block, operands), program.numbers[call.makes]
        pairs = zip(block.numbers[-1].words, made.positions, strict=True)
        values[call.makes] = sum(words[value] << position for value, position in pairs)
        # A block that stands for several has the bounds of the first; what it makes here has these.
        assert values[call.makes] <= made.maximum
    return {name: values[index] for name, index in program.outputs}


def holds(block: LimbFunction, inputs: dict[str, int]) -> bool:
    """Return whether what a function claims to make is what it makes of some numbers."""
    program = block.program
    words = trace(program, {n.name: split(n, inputs[n.name], program.word) for n in block.inputs})
    values = [
        sum(words[value] << at for value, at in zip(number.words, number.positions, strict=True))
        for number in program.numbers
    ]
    claim = program.blocks[0].claim
    total = sum(term.coefficient * prod(values[factor] for factor in term.factors) for term in claim.terms)
    difference = claim.factor * values[-1] - total
    return (claim.modulus.reduce(difference) if claim.modulus else difference) == 0


def off_by_one(block: LimbFunction) -> LimbFunction:
    """Return a function with a claim that is wrong by 1 where its first input is 1."""
    (made,) = block.program.blocks
    first, *rest = made.claim.terms
    claim = replace(made.claim, terms=(replace(first, coefficient=first.coefficient + 1), *rest))
    return replace(block, program=replace(block.program, blocks=(replace(made, claim=claim),)))


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("prime", PRIMES.values(), ids=PRIMES)
def test_calls_make_what_the_program_makes(programs, prime, word, rng):
    found = [function for function in functions(programs, prime, word) if is_outlined(function)]
    blocks, outlined = outline(found)
    by_name = {block.name: block for block in blocks}
    assert len(by_name) == len(blocks)
    for function in outlined:
        program = function.function.program
        numbers = [program.numbers[index] for index in program.inputs]
        for draw in (lambda n: n.maximum, lambda n: 0, lambda n: rng.randrange(n.maximum + 1)):
            inputs = {number.name: draw(number) for number in numbers}
            words = {number.name: split(number, inputs[number.name], word) for number in numbers}
            assert called(function, by_name, inputs) == run(program, words), function.function.name


def test_a_call_of_another_block_is_seen(programs, same_rng):
    (function,) = [
        f for f in functions(programs, PRIMES["secp256k1"], 64) if f.name == "difference_of_products"
    ]
    blocks, (outlined,) = outline([function])
    by_name = {block.name: block for block in blocks}
    first, second, *rest = outlined.calls
    wrong = replace(outlined, calls=(first, replace(second, reads=first.reads), *rest))
    program = function.program
    inputs = {program.numbers[index].name: same_rng.randrange(2**255) for index in program.inputs}
    words = {
        program.numbers[i].name: split(program.numbers[i], inputs[program.numbers[i].name], 64)
        for i in program.inputs
    }
    assert called(outlined, by_name, inputs) == run(program, words)
    assert called(wrong, by_name, inputs) != run(program, words)


def test_blocks_that_do_the_same_are_one_function(programs):
    blocks, outlined = outline(functions(programs, PRIMES["secp256k1"], 64))
    assert sum(len(function.calls) for function in outlined) > 2 * len(blocks)
    assert {"square_256", "product_256_256"} <= {block.name for block in blocks}


def test_a_new_block_renames_no_other(programs):
    """Names are what blocks do and the bits of what they read, not numbers in the order of use."""
    every = functions(programs, PRIMES["secp256k1"], 64)
    alone = {name for function in every for name in (block.name for block in outline([function])[0])}
    together = {block.name for block in outline(every)[0]}
    # A block that is called within larger bounds elsewhere has those in its name.
    assert len(together & alone) >= len(together) - 4
    assert not [name for name in together if re.search(r"_to_\d+_\d$", name)]


def test_inputs_that_are_put_out_are_read_before_an_output_is_written():
    builder = ProgramBuilder()
    x, y = (builder.emit(Input(name), name) for name in ("X1", "Y1"))
    product = builder.emit(Mul(x, y), "X3")
    chosen = plan(PRIMES["secp256k1"], 64)
    program = lower_to_limbs(builder.build([("X3", product), ("Y3", x), ("Z3", y)]), chosen)
    _, (outlined,) = outline([LimbFunction("swapped", program, ())])
    assert [program.numbers[number].name for number in outlined.passed] == ["X1", "Y1"]

    written, read = r"\b[xyz]3\[\d\] = ", r"(?<!const )\b([xy])1\[\d\]"
    lines = "\n".join(c.calls(outlined, "p", 64))
    first = re.search(written, lines).start()
    assert re.search(read, lines[:first])
    assert not re.search(read, lines[first:])
    assert {"*y3 = *x1;", "*z3 = *y1;"} <= set(rust.calls(outlined, 64))


def test_what_is_known_is_no_argument(programs, rng):
    """Numbers that are constants stand in the functions that read them, and are made only to go out."""
    builder = ProgramBuilder()
    x = builder.emit(Input("X1"), "X1")
    large, small = (builder.emit(Constant(Fraction(n)), f"c{n}") for n in (3 << 200, 2))
    product = builder.emit(Mul(builder.emit(Sub(x, small), "d"), large), "X3")
    program = builder.build([("X3", product), ("Y3", builder.emit(Mul(product, x), "Y3")), ("Z3", small)])
    prime = PRIMES["P-256"]
    limbs = lower_to_limbs(program, plan(prime, 64))
    blocks, (outlined,) = outline([LimbFunction("formula", limbs, ())])
    for block in blocks:
        for number in block.inputs:
            assert block.needed & set(number.words), f"{block.name} ignores {number.name}"
        assert holds(block, {number.name: number.maximum for number in block.inputs}), block.name
        assert not holds(off_by_one(block), {number.name: 1 for number in block.inputs}), block.name
    assert "multiple" in {block.name.rpartition("_")[0] or block.name for block in blocks}
    made = Counter(call.makes for call in outlined.calls)
    read = {index for call in outlined.calls for index in call.reads} | {i for _, i in outlined.outputs}
    assert made.keys() <= read, "what is made is read"
    by_name = {block.name: block for block in blocks}
    number = limbs.numbers[limbs.inputs[0]]
    for value in (0, number.maximum, rng.randrange(prime)):
        expected = run(limbs, {"X1": split(number, value, 64)})
        assert called(outlined, by_name, {"X1": value}) == expected
