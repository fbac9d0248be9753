"""Orders that were measured: each belongs to a formula as it is today, and changes nothing but the order."""

from random import Random

import pytest

from efdgen.generator.autotuning.search import starts
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.plan import FieldPlan, plan
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.options import Target
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.program import Input, Mul, Program, Sqr
from efdgen.generator.tuning.file import built_in
from efdgen.generator.tuning.order import Order, OrderError, fingerprint
from efdgen.generator.tuning.tuning import OrderChoice, Tuning
from efdgen.verify.limbs.prove import prove_limb_program

DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-sum"
LANGUAGES = pytest.mark.parametrize("language", ["c", "rust"])


def program_of(
    database: Database, curve: str, formula: str, target: Target = "clang"
) -> tuple[Program, FieldPlan]:
    known = load_curve(curve)
    found = candidate(database.formula(formula), known.field, known.parameters)
    return remove_dead_code(found.specialised.program), plan(known.prime, target=target)


def require_only_an_order(ordered: Program, program: Program, chosen: FieldPlan, rng: Random) -> None:
    """Require that a program computes what another does by the same operations, on words too."""
    assert sorted(i.label for i in ordered.instructions) == sorted(i.label for i in program.instructions)
    values = {name: rng.randrange(chosen.prime) for name in (*program.inputs, *program.parameters)}
    field = PrimeField(chosen.prime)
    assert run(ordered, field, values) == run(program, field, values), values
    prove_limb_program(lower_to_limbs(ordered, chosen), ordered, chosen)


@LANGUAGES
@pytest.mark.slow
def test_an_order_that_is_built_in_is_of_the_formula_and_only_an_order(language, database, rng):
    tuning = built_in(language)
    assert tuning.orders
    for choice in tuning.orders:
        program, chosen = program_of(database, choice.curve, choice.formula, choice.target)
        assert fingerprint(program, chosen) == choice.program, f"efdgen tune --formulas {choice.formula}"
        assert tuning.order(program, chosen) == choice
        require_only_an_order(tuning.in_order(program, chosen), program, chosen, rng)


@pytest.mark.slow
def test_any_start_of_a_search_is_only_an_order(database, rng):
    program, chosen = program_of(database, "secp256k1", DOUBLING)
    products = [at for at, i in enumerate(program.instructions) if isinstance(i.operation, Mul)]
    written, estimated = starts(program, chosen, None)
    for order in (written, estimated, Order(written.instructions, tuple(products[::2]))):
        require_only_an_order(order.of(program), program, chosen, rng)
    assert len({str(order.of(program)) for order in starts(program, chosen, None)}) == 2


def test_orders_are_kept_by_operations_prime_and_word():
    programs = field_operations()
    keys = {
        fingerprint(programs[name], plan(prime, word))
        for name in ("mul", "sqr")
        for prime in (2**255 - 19, 2**127 - 1)
        for word in (64, 32)
    }
    assert len(keys) == 8
    assert not keys & {choice.program for choice in built_in("c").orders}


def toy() -> Program:
    builder = ProgramBuilder()
    a, b = (builder.emit(Input(name), name) for name in "ab")
    square = builder.emit(Sqr(a), "s")
    left, right = builder.emit(Mul(square, b), "l"), builder.emit(Mul(a, square), "r")
    return builder.build([("l", left), ("r", right)])


def test_a_target_has_its_own_order_where_one_is_known():
    program, order, other = toy(), Order((0, 1, 2, 3, 4)), Order((0, 1, 2, 4, 3))
    chosen = {target: plan(2**127 - 1, target=target) for target in ("gcc", "clang", "portable")}
    key = fingerprint(program, chosen["gcc"])
    own = OrderChoice("toy", "g1p/toy/f", key, other, target="gcc")
    common = OrderChoice("toy", "g1p/toy/f", key, order)
    for tuning in (
        Tuning("c", orders=(own, common)),
        Tuning("c", orders=(own,), base=Tuning("c", orders=(common,))),
    ):
        found = {target: tuning.order(program, each) for target, each in chosen.items()}
        assert found == {"gcc": own, "clang": common, "portable": common}
    # A user's measurements come before built-in ones, for every target.
    users = Tuning("c", orders=(common,), base=Tuning("c", orders=(own,)))
    assert users.order(program, chosen["gcc"]) == common
    alone = Tuning("c", orders=(own,))
    assert alone.order(program, chosen["portable"]) is None
    # The choice of formulas is the same for every target.
    assert alone.knows(program, chosen["portable"])
    assert Tuning("c", base=alone).knows(program, chosen["portable"])
    assert not Tuning("c").knows(program, chosen["gcc"])


def test_without_an_order_later_operands_stand_on_the_right():
    turned = Tuning("c").in_order(toy(), plan(2**127 - 1))
    products = [i.operation for i in turned.instructions if isinstance(i.operation, Mul)]
    assert products == [Mul(1, 2), Mul(0, 2)]


@pytest.mark.parametrize(
    ("instructions", "exchanged", "reason"),
    [
        ((0, 1, 2, 3, 3), (), "not a permutation of 0 to 4"),
        ((0, 1, 2, 3, 5), (), "not a permutation of 0 to 4"),
        ((0, 1, 3, 2, 4), (), "instruction 3 would read 2 before it is made"),
        ((2, 0, 1, 3, 4), (), "instruction 2 would read 0 before it is made"),
        ((0, 1, 2, 3), (), "it has 4 instructions, not 5"),
        ((0, 1, 2, 3, 4), (2,), "instruction 2 is not a product"),
        ((0, 1, 2, 3, 4), (7,), "instruction 7 is not a product"),
    ],
)
def test_what_is_no_order_of_a_program_is_refused(instructions, exchanged, reason):
    with pytest.raises(OrderError, match=reason):
        Order(instructions, exchanged).of(toy())
    # The same with one thing mended is an order.
    assert Order((1, 0, 2, 4, 3), (3,)).of(toy()) != toy()


def test_an_order_that_does_not_fit_its_program_stops_what_would_use_it():
    chosen = plan(2**127 - 1)
    wrong = OrderChoice("toy", "a/formula", fingerprint(toy(), chosen), Order((0, 1, 3, 2, 4)))
    with pytest.raises(
        EfdgenError, match=r"mine\.toml: the order of a/formula does not fit .* run efdgen tune"
    ):
        Tuning("c", orders=(wrong,), name="mine.toml").in_order(toy(), chosen)


def test_a_formula_with_a_number_whose_words_are_all_known_is_proved(database):
    """Bounds of such a number were looked up where there are none, in limbs that leave room in words."""
    program, _ = program_of(database, "secp256k1", DOUBLING)
    chosen = plan(load_curve("secp256k1").prime, representation="unsaturated")
    prove_limb_program(lower_to_limbs(program, chosen), program, chosen)
