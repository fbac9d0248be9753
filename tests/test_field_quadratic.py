"""GF(p²): a bundle with its proofs, what is refused, and reference values."""

import subprocess

import pytest
from conformance_fields import FLAGS, VALUES, Elements

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.reference_quadratic import QuadraticReference
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.fields.certificate import FieldCertificates


def test_a_bundle_has_both_test_programs_and_proofs(cc, efdgen, tmp_path):
    done = efdgen("field", "--prime", "2^61-1", "--degree", "2", "--lang", "c", "--out", tmp_path)
    assert done.code == 0
    made = subprocess.run(
        ["make", "test", f"CC={cc}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.count("tests passed") == 2
    header = (tmp_path / "fp.h").read_text()
    comment = header[: header.index("fp_limbs_mul_2(")].rpartition("/*")[2]
    assert "Bounds: a0, a1, b0, b1, r0, r1 at most 2^64 - 1." in comment
    assert "Proved: no carry is lost" in comment


def test_products_are_proved_for_every_shape():
    for prime in ("2^61-1", "7", "BLS12-381 order"):
        nonresidue = 5 if prime.endswith("order") else -1
        render_field(
            FieldRequest("c", prime, 64, nonresidue=nonresidue, operations=("mul",)), FieldCertificates()
        )


@pytest.mark.parametrize(
    ("prime", "nonresidue", "message"),
    [("13", -1, "is a square modulo p"), ("7", 8, "from -7 to 7"), ("7", 0, "from -7 to 7")],
)
def test_what_is_no_nonresidue_is_refused(prime, nonresidue, message):
    with pytest.raises(EfdgenError, match=message):
        FieldRequest("c", prime, nonresidue=nonresidue).field()


def test_references_are_what_they_say(rng):
    prime = 2**61 - 1
    reference, field = QuadraticReference(prime, -1, 8, 1), Elements(prime, -1)
    counts = {**dict.fromkeys(("mul", "add", "sub"), 2), "sum_of_products": 4, "difference_of_products": 4}
    for name, count in {**counts, **dict.fromkeys(("sqr", "inv", "conj", "is_square"), 1)}.items():
        for row in reference.rows(name, count):
            result = (VALUES | FLAGS)[name](field, *(field.read(f"{value:032x}") for value in row.operands))
            assert result == (row.flag if name in FLAGS else field.read(f"{row.value:032x}")), row
