"""Functions on elements as they are printed: proved for many primes, and refused where they are wrong."""

from dataclasses import replace
from functools import cache

import pytest
from edits import table

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.verdicts import Refuted

BLS12_381_R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
P224 = 2**224 - 2**96 + 1


@cache
def functions(language: str, prime: int, nonresidue: int | None = None) -> dict[str, EmittedFunction]:
    """What is printed of each public function, without division steps."""
    offered = offered_functions(Field(PrimeField(prime), nonresidue=nonresidue), Names("fp"), language)
    return {
        name: claim
        for name, function in offered.items()
        for claim in function.claims
        if isinstance(claim, EmittedFunction)
    }


PROVED = [
    *((3, -1), (5, 2), (17, None), (2**61 - 1, -1), (15 * 2**27 + 1, None), (BLS12_381_R, None)),
    *((P224, None), (5 * 2**248 - 1, -1)),
]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize(("prime", "nonresidue"), PROVED)
def test_what_is_printed_is_proved(prime, nonresidue, language):
    found = functions(language, prime, nonresidue)
    assert len(found) > 24 + 24 * (nonresidue is not None)
    for function in found.values():
        if "pow" not in function.name or prime < 1 << 64:
            assert prove_function(function).startswith("for all inputs, by symbolic execution of this text")


FIELDS = {
    "plain": (2**61 - 1, None),
    "windows": (P224, None),
    "turns": (241, None),
    "pairs": (2**61 - 1, -1),
    "pairs over 2": (2**29 - 3, 2),
}


@pytest.mark.parametrize(("language", "field", "name", "right", "wrong", "text"), table("functions"))
def test_what_is_wrong_is_refuted(language, field, name, right, wrong, text):
    function = functions(language, *FIELDS[field])[name]
    assert right in function.text
    with pytest.raises(Refuted, match=text):
        prove_function(replace(function, text=function.text.replace(right, wrong)))


def test_a_loop_that_does_not_end_is_refuted():
    function = functions("c", *FIELDS["plain"])["set_zero"]
    with pytest.raises(Refuted, match="does not end"):
        prove_function(replace(function, text=function.text.replace("i < FP_LIMBS; i++", "; i += 0")))
