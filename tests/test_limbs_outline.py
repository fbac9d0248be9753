"""Limb programs as calls of their blocks: the calls make what the program makes."""

import re
from dataclasses import replace

import pytest

from efdgen.generator.limbs import c, rust
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import run, split, trace
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.outline import Outlined, is_outlined, outline
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.pipeline import optimise
from efdgen.generator.programs.program import Input, Mul

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


def test_a_call_of_another_block_is_seen(programs, rng):
    (function,) = [
        f for f in functions(programs, PRIMES["secp256k1"], 64) if f.name == "difference_of_products"
    ]
    blocks, (outlined,) = outline([function])
    by_name = {block.name: block for block in blocks}
    first, second, *rest = outlined.calls
    wrong = replace(outlined, calls=(first, replace(second, reads=first.reads), *rest))
    program = function.program
    inputs = {program.numbers[index].name: rng.randrange(2**255) for index in program.inputs}
    words = {
        program.numbers[i].name: split(program.numbers[i], inputs[program.numbers[i].name], 64)
        for i in program.inputs
    }
    assert called(outlined, by_name, inputs) == run(program, words)
    assert called(wrong, by_name, inputs) != run(program, words)


def test_blocks_that_do_the_same_are_one_function(programs):
    blocks, outlined = outline(functions(programs, PRIMES["secp256k1"], 64))
    assert sum(len(function.calls) for function in outlined) > 2 * len(blocks)
    assert {"square", "product"} <= {block.name.rpartition("_")[0] or block.name for block in blocks}


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
