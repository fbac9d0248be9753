"""Conversions to Montgomery's form and back as products by known numbers: proved, read back and run."""

import pytest
from read_fields import printed, require_refused

from efdgen.generator.curves.load import load_curve
from efdgen.generator.fields.conversions import by_products, known_factors
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.limbs.interpreter import run
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.field_subjects import field_subjects
from efdgen.verify.vectors.suite import run_suites

NAMES = "from_number", "to_number"
FULL = ("P-256", "P-256 order", "P-384", "P-384 order", "secp256k1 order")
OPERATIONS = ("mul", "inv", "from_bytes_be", "to_bytes_be")
READ = FieldRequest("c", "P-256 order", 32, operations=OPERATIONS)


def modulus(name: str) -> int:
    curve = load_curve(name.removesuffix(" order"))
    assert curve.order is not None
    return curve.order if name.endswith(" order") else curve.prime


@pytest.mark.parametrize("name", FULL)
def test_products_convert_and_are_proved(name, rng):
    prime = modulus(name)
    wide, built = Field(PrimeField(prime)).representations
    assert not known_factors(wide)
    for operation in operations(built, NAMES):
        made = by_products(operation, built)
        assert made.program != operation.program
        prove_contract(made.program, made.contract)
        ((argument, port),) = made.contract.inputs.items()
        for number in (0, 1, prime - 1, port.maximum, rng.randrange(port.maximum)):
            radix = built.radix if made.name == "from_number" else pow(built.radix, -1, prime)
            words = built.words_of(number)
            assert run(made.program, {argument: words})["r"] == number * radix % prime, number


@pytest.mark.parametrize("name", ["2^255-19", "2^521-1", "Ed25519 order", "2^224-2^96+1"])
def test_other_fields_convert_as_they_did(name):
    """Of these, elements are no product's, are not below p, or have bits to spare; or R² is too large."""
    (built,) = FieldRequest("c", name, 32).field().representations
    for operation in operations(built, NAMES):
        assert (by_products(operation, built) == operation) == (operation.name not in known_factors(built))
    assert bool(known_factors(built)) == (name == "2^224-2^96+1")


EDITS = {
    "another product": ("limbs_mul(r, a, t)", "limbs_mul(r, a, a)"),
    "another factor": ("t[8] = {1}", "t[8] = {2}"),
    "another constant": ("limbs_square[8] = {\n    UINT32_C(0x", "limbs_square[8] = {\n    UINT32_C(0x1"),
    "no conversion": ("limbs_mul(r, t, fp_limbs_square)", "limbs_mul(r, t, t)"),
}


def test_conversions_are_read_back():
    files, reader = printed(READ)
    assert reader.differences(files) == []


@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=[*EDITS])
def test_an_edit_of_a_conversion_is_refused(old, new):
    require_refused(READ, "fp.h", old, new)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", FULL)
def test_fields_with_such_conversions_are_built_and_run(name, cc):
    request = FieldRequest("c", name, operations=OPERATIONS)
    builds = [Build("C", "c", level="1"), Build("C, 32 bits", "c", level="1", word=32)]
    runs = run_suites(list(field_subjects(request, {"c": render_field(request)})), 1, builds=builds)
    results = [result for _, found in runs for result in found]
    assert {result.language for result in results if result.calls} == {build.name for build in builds}
    assert [f"{result.language}: {result.function}" for result in results if not result.ok] == []
