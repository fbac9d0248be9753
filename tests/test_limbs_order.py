"""The order of a program's operations: estimated, searched, and without influence on what is computed."""

import pytest

from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.order import ordered_for, reordered
from efdgen.generator.limbs.plan import plan
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.program import Input, Mul, Sqr
from efdgen.verify.limbs.prove import prove_limb_program

SECP256K1 = 2**256 - 2**32 - 977


@pytest.fixture
def addition(database):
    formula = database.formula("g1p/shortw/jacobian-0/addition/madd-2008-g")
    return specialise(formula, PrimeField(SECP256K1), {"a": 0, "b": 7}).program


@pytest.mark.slow
def test_the_order_found_is_the_same_program_and_estimated_faster(addition, rng):
    chosen = plan(SECP256K1)
    found = ordered_for(addition, chosen, tries=40)
    assert found == ordered_for(addition, chosen, tries=40)
    before, after = (estimate_cycles(lower_to_limbs(program, chosen)) for program in (addition, found))
    assert after < before
    values = {name: rng.randrange(SECP256K1) for name in addition.inputs}
    field = PrimeField(SECP256K1)
    assert run(found, field, values) == run(addition, field, values), values
    prove_limb_program(lower_to_limbs(found, chosen), found, chosen)


def test_any_places_keep_what_is_read_before_what_reads_it(addition, rng):
    places = [rng.random() for _ in addition.instructions]
    shuffled = reordered(addition, places)
    assert sorted(i.label for i in shuffled.instructions) == sorted(i.label for i in addition.instructions)
    values = {name: rng.randrange(SECP256K1) for name in addition.inputs}
    field = PrimeField(SECP256K1)
    assert run(shuffled, field, values) == run(addition, field, values), values


def chain(length, *, dependent):
    """Squares of a, each of the one before, or each of an input of its own."""
    builder = ProgramBuilder()
    inputs = [builder.emit(Input(f"a{at}"), f"a{at}") for at in range(length)]
    values = [inputs[0]]
    for at in range(length):
        operand = values[-1] if dependent else inputs[at]
        values.append(builder.emit(Sqr(operand), f"s{at}"))
    return builder.build([(f"r{at}", value) for at, value in enumerate(values[1:])])


def test_what_waits_for_itself_is_estimated_slower():
    chosen = plan(SECP256K1)
    waiting, free = (
        estimate_cycles(lower_to_limbs(chain(4, dependent=dependent), chosen)) for dependent in (True, False)
    )
    assert waiting > 1.3 * free


def test_a_product_is_estimated_slower_than_a_square():
    chosen, operations = plan(SECP256K1), field_operations()
    product, square = (estimate_cycles(lower_to_limbs(operations[name], chosen)) for name in ("mul", "sqr"))
    assert product > 0
    builder = ProgramBuilder()
    a, b = (builder.emit(Input(name), name) for name in "ab")
    many = builder.build([(f"r{at}", builder.emit(Mul(a, b), f"m{at}")) for at in range(3)])
    assert estimate_cycles(lower_to_limbs(many, chosen)) > product
    assert square <= product + 5
