"""Fields of every size and shape: each operation is lowered and proved, with words of both sizes."""

import random

import gmpy2
import pytest

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.field import MAX_BITS, Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.pseudo_mersenne import PseudoMersenneReduction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.fields.division import prove_loop
from efdgen.verify.limbs.prove import prove_contract, prove_limb_program
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.field_subjects import field_subjects
from efdgen.verify.vectors.suite import run_suites

NAMES = frozenset(
    {"add", "sub", "neg", "half", "mul", "sqr", "mul_small", "sum_of_products", "difference_of_products"}
    | {"select", "cswap", "canonical", "from_canonical", "to_number", "from_number"}
    | {"is_nonzero", "reaches_prime", "sum_of_numbers", "difference_of_numbers", "product_of_numbers"}
)
SECP160R1, SECP160K1 = 2**160 - 2**31 - 1, 2**160 - 2**32 - 21389
SECP224K1 = 2**224 - 2**32 - 6803
PRIME239 = 2**239 - 2**143 - 2**95 + 2**47 - 1


# Every size at which limbs or words of some kind are full, and those next to it.
SIZES = sorted(
    {
        size
        for unit in (30, 32, 62)
        for multiple in range(unit, MAX_BITS + 3, unit)
        for size in range(multiple - 2, multiple + 3)
        if size <= MAX_BITS
    }
    | set(range(2, 28))
)


def prime_of(bits: int, rng: random.Random) -> int:
    """A random prime of so many bits."""
    while True:
        found = rng.getrandbits(bits) | 1 << bits - 1 | 1
        if gmpy2.is_prime(found):
            return found


def special_primes(bits: int, rng: random.Random) -> dict[str, int]:
    """Primes of special shapes of so many bits, as far as a search finds them; by their shapes."""
    small = rng.randrange(2, max(3, bits // 3))
    half = bits // 2
    shapes = {
        "2^k - c": lambda at: 2**bits - 2**small - 2 * at - 1,
        "2^k + c": lambda at: 2 ** (bits - 1) + 2 * at + 1,
        "c·2^s - 1": lambda at: (2 ** (bits - half) - at - 1) * 2**half - 1,
        "c·2^s + 1": lambda at: (2 ** (bits - half - 1) + at) * 2**half + 1,
        "3 modulo 8": lambda at: 2 ** (bits - 1) + 8 * (rng.getrandbits(bits) % 2**half // 8 + at) + 3,
        "5 modulo 8": lambda at: 2 ** (bits - 1) + 8 * (rng.getrandbits(bits) % 2**half // 8 + at) + 5,
        "7 modulo 8": lambda at: 2 ** (bits - 1) + 8 * (rng.getrandbits(bits) % 2**half // 8 + at) + 7,
    }
    found = {}
    for shape, number in shapes.items():
        candidates = (number(at) for at in range(4 * bits))
        fitting = (p for p in candidates if p > 2 and p.bit_length() == bits and gmpy2.is_prime(p))
        if (prime := next(fitting, None)) is not None:
            found[shape] = prime
    return found


@pytest.fixture
def sizes(pytestconfig, rng, few) -> list[int]:
    """A size of the lower third of the range and one above, others in each run; or those of a slice."""
    if pytestconfig.getoption("slice"):
        return few(rng, SIZES, 0)
    third = len(SIZES) // 3
    return [rng.choice(SIZES[:third]), rng.choice(SIZES[third:])]


def primes_of(bits: int, rng: random.Random) -> dict[str, int]:
    """A random prime of so many bits, and one of a special shape."""
    special = special_primes(bits, rng)
    shape = rng.choice(sorted(special))
    return {"random": prime_of(bits, rng), shape: special[shape]}


def prove_operations(prime: int, words=(64, 32), targets=("portable", "clang")) -> None:
    """Prove the operations of a field, as each compiler gets them, and a machine without flags."""
    for word in words:
        for target in (*targets, "rv32im") if word == 32 else targets:
            (representation,) = Field(PrimeField(prime), target, (word,)).representations
            found = list(operations(representation, NAMES))
            assert {operation.name for operation in found} == NAMES
            for operation in found:
                prove_contract(operation.program, operation.contract)


@pytest.mark.parametrize("prime", [SECP160R1, SECP160K1, SECP224K1, PRIME239])
def test_operations_of_special_primes_are_proved(prime):
    """A radix that ends in a word 0, a fold without room, and a square whose highest chain ends early."""
    prove_operations(prime)


@pytest.mark.parametrize("prime", [3, 5, 7, 11, 13, 17, 31, 251, 2**16 + 1])
def test_operations_of_tiny_primes_are_proved(prime):
    prove_operations(prime)


def test_a_fold_that_has_no_room_is_left_to_montgomery():
    """The general reduction is taken where folding is not possible, and the header says why."""
    general = plan(SECP160K1, 32)
    assert not PseudoMersenneReduction(160, 2**160 - SECP160K1, 32).exists
    assert isinstance(general.reduction, MontgomeryReduction)
    assert "would need more room than 5 words have" in general.reason
    assert isinstance(plan(2**160 - 47, 32).reduction, PseudoMersenneReduction)


@pytest.mark.slow
def test_operations_of_every_size_are_proved(sizes, rng):
    for bits in sizes:
        for shape, prime in primes_of(bits, rng).items():
            try:
                prove_operations(prime, targets=("portable",))
            except EfdgenError as error:
                pytest.fail(f"{shape}, {bits} bits, p = {prime:#x}: {error}")


@pytest.mark.parametrize("bits", [129, 193, 257, 321, 385])
@pytest.mark.parametrize("target", ["portable", "clang"])
def test_a_loose_number_of_one_more_bit_than_words_is_squared(bits, target, database):
    """A word above all others that is 0 or 1: a layer of products ends in a word without room for a carry."""
    chosen = plan(prime_of(bits, random.Random(bits)), 64, target)
    for name in ("jacobian-0/doubling/dbl-2009-l", "jacobian-3/doubling/dbl-2001-b"):
        formula = database.formula(f"g1p/shortw/{name}")
        program = specialise(
            formula, PrimeField(chosen.prime), {"a": 0 if "-0/" in name else chosen.prime - 3, "b": 7}
        ).program
        prove_limb_program(lower_to_limbs(program, chosen), program, chosen)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("bits", [30, 60, 62, 124])
def test_squares_are_told_where_a_limb_is_a_sign_alone(bits, language, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path_factory.getbasetemp()))
    prime = prime_of(bits, random.Random(bits))
    offered = offered_functions(Field(PrimeField(prime)), Names("fp"), language, slow=False)
    for name in ("is_square", "is_square_var"):
        for loop in offered[name].claims:
            prove_loop(loop)


BUILT = ("add", "sub", "mul", "sqr", "half", "inv", "inv_var", "sqrt", "is_square", "mul_small")


def failures_of(prime: int, seed: int) -> list[str]:
    """Build a field in C and Rust, with words of both sizes in C, and return what is answered wrongly."""
    requests = [FieldRequest(language, hex(prime), operations=BUILT) for language in ("c", "rust")]
    files = {request.lang: render_field(request) for request in requests}
    builds = [Build("C", "c", level="0"), Build("C, 32 bits", "c", level="0", word=32), Build("Rust", "rust")]
    subjects = list(field_subjects(requests[0], files))
    runs = run_suites(subjects, seed, builds=builds)
    results = [result for _, found in runs for result in found]
    assert {result.language for result in results if result.calls} == {build.name for build in builds}
    return [f"{result.language}: {result.function}" for result in results if not result.ok]


def test_fields_of_every_size_are_built_and_run(pytestconfig, sizes, rng, cc, cargo):
    """A random prime, or one of a special shape, of the lower size, or of each size in a slice."""
    for bits in sizes if pytestconfig.getoption("slice") else sizes[:1]:
        shape, prime = rng.choice(sorted(primes_of(bits, rng).items()))
        assert failures_of(prime, 1) == [], (shape, hex(prime))


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("curve", ["alt_bn128", "Pallas", "secp224k1"])
@pytest.mark.parametrize("system", ["projective", "projective-0"])
def test_a_plan_takes_an_addition_that_its_own_proof_accepts(curve, system, database):
    """With a = 0 a complete addition weighs least, of which no sum of equal points is at infinity."""
    request = Request("c", curve, system, prefix="whole", set="curve")
    plan = plan_curve(database, request, SafePlans())
    assert "rcb" not in plan.kernel(plan.roles.add).formula.id
    assert plan.variable is not None


@pytest.mark.parametrize("prime", [2, 1, 0, 4, 9 * 2**1020])
def test_what_is_no_odd_prime_of_a_field_is_refused(prime):
    with pytest.raises(EfdgenError, match=f"must be odd and have 2 to {MAX_BITS} bits"):
        Field(PrimeField(prime))
