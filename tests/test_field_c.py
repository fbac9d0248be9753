"""The field in C against Python's integers: primes of every shape, both sizes of words, both compilers.

All fields are included into one program for each compiler, which reads the words that elements are kept as.
"""

from __future__ import annotations

import random
import re

import pytest
from field_c import INTRINSICS, NAMED_PRIMES, RANDOM_PRIMES, Built, built, compiled, wrong_answers
from field_primes import PRIMES, SMALL_PRIMES, random_primes
from tools import SANITIZED, UNOPTIMISED

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.bundle import Options, render


@pytest.fixture(scope="module")
def shapes(few) -> list[tuple[Built, str, list[tuple[str, str]]]]:
    """Fields, their headers, and requests with their answers."""
    seed = random.randrange(2**32)
    print(f"seed {seed} of the random primes")
    rng = random.Random(seed)
    named, found = few(rng, PRIMES.values(), NAMED_PRIMES), random_primes(rng, RANDOM_PRIMES)
    fields = built([*named, *SMALL_PRIMES.values(), *found])
    return [(field, text, field.cases(rng)) for field, text in fields]


@pytest.mark.drawn(1)
def test_fields_of_all_shapes_agree_with_integers(compiler, shapes, tmp_path):
    program = compiled(tmp_path, [(field, text) for field, text, _ in shapes], compiler, *UNOPTIMISED)
    for field, _, cases in shapes:
        assert wrong_answers(program, cases) == [], field.representation.plan.prime


@pytest.mark.drawn(2)
@pytest.mark.parametrize("prime", ["secp256k1", "P-256 order", "5*2^248-1"])
def test_optimised_code_agrees_with_integers(compiler, prime, rng, tmp_path):
    fields = built([PRIMES[prime]])
    program = compiled(tmp_path, fields, compiler, "-O2")
    for field, _ in fields:
        assert wrong_answers(program, field.cases(rng)) == [], field.representation.plan.prime


def test_plain_c_agrees_with_integers(cc, rng, tmp_path):
    fields = built([PRIMES["2^255-19"], PRIMES["BLS12-381 order"]], (64,))
    portable = [f"-D{field.name.upper()}_PORTABLE" for field, _ in fields]
    program = compiled(tmp_path, fields, cc, "-O1", *portable)
    for field, _ in fields:
        assert wrong_answers(program, field.cases(rng)) == [], field.representation.plan.prime


def test_limbs_with_room_agree_with_integers(compiler, rng, tmp_path):
    fields = built([2**521 - 1, 2**448 - 2**224 - 1, 2**256 - 2**32 - 977], kind="unsaturated")
    assert {field.representation.word for field, _ in fields} == {64, 32}
    program = compiled(tmp_path, fields, compiler, *UNOPTIMISED)
    for field, _ in fields:
        assert wrong_answers(program, field.cases(rng)) == [], field.representation.plan.prime


@pytest.mark.parametrize(
    ("prime", "linkage"), [(2**255 - 19, "F0W64_ALWAYS_INLINE"), (2**521 - 1, "static inline")]
)
def test_squares_of_few_words_alone_are_merged_into_loops(prime, linkage):
    ((_, text),) = built([prime], (64,))
    assert re.findall(r"^(.+) void f0w64_limbs_sqr\(", text, re.MULTILINE) == [linkage]


def test_columns_without_integers_of_128_bits(cc, rng, tmp_path):
    """Compilers that have a product of two words but no double words get the latter as structures."""
    fields = built([2**448 - 2**224 - 1], (64,), "unsaturated")
    (tmp_path / "intrin.h").write_text(INTRINSICS)
    flags = (*UNOPTIMISED, "-I.", "-U__SIZEOF_INT128__", "-D_MSC_VER=1930", "-Wno-builtin-macro-redefined")
    program = compiled(tmp_path, fields, cc, *flags)
    for field, _ in fields:
        assert wrong_answers(program, field.cases(rng)) == [], field.representation.plan.prime


def test_fields_do_nothing_undefined(cc, rng, tmp_path):
    fields = built([3, PRIMES["2^127-1"], PRIMES["brainpoolP256r1"]])
    program = compiled(tmp_path, fields, cc, *SANITIZED)
    for field, _ in fields:
        assert wrong_answers(program, field.cases(rng)) == [], field.representation.plan.prime


@pytest.mark.parametrize("name", ["2^255-19", "P-256", "5*2^248-1"])
def test_a_carry_that_is_wrong_is_seen(name, cc, same_rng, tmp_path):
    """A carry that comes into a chain, or into a place of it, is 1 where it should be 0, and the reverse."""
    ((field, text),) = built([PRIMES[name]], (64,))
    functions = re.finditer(rf"^\w[^;]*{field.name}_limbs_\w+\(.*?^}}", text, re.M | re.S)
    chains = re.compile(r"(?<=_word_)(addc|subb)\((\w+), (?=[^&]*&(t_\d+)\))")
    calls = [
        (found.start() + call.start(), found.start() + call.end(), call)
        for found in functions
        for call in chains.finditer(found[0])
        if len(re.findall(rf"\b{call[3]}\b", found[0])) > 2  # else a comparison, which few numbers tell apart
    ]
    for start, end, call in same_rng.sample(calls, 5):
        flipped = f"1 - {call[2]}" if call[2] in "01" else f"1 ^ {call[2]}"
        edited = f"{text[:start]}{call[1]}({flipped}, {text[end:]}"
        program = compiled(tmp_path, [(field, edited)], cc, *UNOPTIMISED)
        assert wrong_answers(program, field.cases(same_rng)) != [], text[start - 80 : end + 40]


@pytest.mark.parametrize("prime", [1, 2, 2**1024 + 1, 10**6])
def test_a_modulus_that_is_even_or_of_another_size_is_refused(prime):
    with pytest.raises(EfdgenError, match="must be odd and have 2 to 1024 bits"):
        render(Bundle("toy", PrimeField(prime), (), Origin(("efdgen", "compile"))), Options())
