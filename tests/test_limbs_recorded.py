"""Recorded orders: each belongs to a formula as it is today, and changes nothing but the order."""

import tomllib
from importlib.resources import files
from random import Random

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.plan import FieldPlan, plan
from efdgen.generator.limbs.recorded import FILE, Order, fingerprint, in_recorded_order, recorded_orders
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import PrimeField, run
from efdgen.generator.programs.program import Input, Mul, Program, Sqr
from efdgen.verify.limbs.prove import prove_limb_program

ENTRIES = tomllib.loads(files("efdgen.generator.limbs").joinpath(FILE).read_text()).get("order", [])
DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-sum"


def require_only_an_order(ordered: Program, program: Program, chosen: FieldPlan, rng: Random) -> None:
    """Require that a program computes what another does by the same operations, on words too."""
    assert sorted(i.label for i in ordered.instructions) == sorted(i.label for i in program.instructions)
    values = {name: rng.randrange(chosen.prime) for name in (*program.inputs, *program.parameters)}
    field = PrimeField(chosen.prime)
    assert run(ordered, field, values) == run(program, field, values), values
    prove_limb_program(lower_to_limbs(ordered, chosen), ordered, chosen)


def test_a_recorded_order_is_of_the_formula_and_only_an_order(database: Database, rng: Random):
    for entry in ENTRIES:
        curve = load_curve(entry["curve"])
        found = candidate(database.formula(entry["formula"]), curve.prime, curve.parameters)
        program, chosen = remove_dead_code(found.specialised.program), plan(curve.prime)
        assert fingerprint(program, chosen) == entry["program"], "measure it again: python bench/orders.py"
        require_only_an_order(in_recorded_order(program, chosen), program, chosen, rng)


def test_any_order_is_only_an_order(database: Database, rng: Random):
    curve = load_curve("secp256k1")
    found = candidate(database.formula(DOUBLING), curve.prime, curve.parameters)
    program, chosen = remove_dead_code(found.specialised.program), plan(curve.prime)
    products = [at for at, i in enumerate(program.instructions) if isinstance(i.operation, Mul)]
    places = list(range(len(program.instructions)))
    rng.shuffle(places)
    ordered = Order(tuple(places), tuple(products[::2])).of(program)
    assert ordered != program
    require_only_an_order(ordered, program, chosen, rng)


def test_orders_are_recorded_by_operations_prime_and_word():
    programs = field_operations()
    keys = {
        fingerprint(programs[name], plan(prime, word))
        for name in ("mul", "sqr")
        for prime in (2**255 - 19, 2**127 - 1)
        for word in (64, 32)
    }
    assert len(keys) == 8
    assert not keys & set(recorded_orders())


def test_without_a_record_later_operands_stand_on_the_right():
    builder = ProgramBuilder()
    a, b = (builder.emit(Input(name), name) for name in "ab")
    square = builder.emit(Sqr(a), "s")
    left, right = builder.emit(Mul(square, b), "l"), builder.emit(Mul(a, square), "r")
    program = builder.build([("l", left), ("r", right)])
    turned = in_recorded_order(program, plan(2**127 - 1))
    products = [i.operation for i in turned.instructions if isinstance(i.operation, Mul)]
    assert products == [Mul(b, square), Mul(a, square)]
