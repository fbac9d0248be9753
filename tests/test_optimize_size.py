"""Small code in C: products and sums of GF(p) are loops on words of 32 bits, proved, read back and run."""

import pytest
from read_fields import printed, require_refused

from efdgen.generator.compile import Request
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.limbs.interpreter import run
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.field_subjects import field_subjects
from efdgen.verify.vectors.testing import run_suites

PRIMES = {
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "2^255-19": 2**255 - 19,
    "2^521-1": 2**521 - 1,
    "65537": 65537,
    "2^64-59": 2**64 - 59,
}
LOOPED = ("add", "sub", "neg", "mul", "sqr", "from_number", "to_number")
OTHERS = ("select", "is_nonzero", "reaches_prime", "half", "mul_small", "sum_of_products")
BUILT = ("add", "sub", "neg", "half", "mul", "sqr", "inv", "inv_var", "sqrt", "mul_small", "from_bytes_be")
READ = FieldRequest("c", "P-256", 32, operations=BUILT, optimize="size")


@pytest.mark.drawn(2)
@pytest.mark.parametrize("prime", PRIMES.values(), ids=[*PRIMES])
def test_loops_are_proved_and_compute(prime, rng):
    (built,) = Field(PrimeField(prime), words=(32,), optimize="size").representations
    assert built.tight == prime - 1
    for operation in operations(built, (*LOOPED, *OTHERS)):
        prove_contract(operation.program, operation.contract)
        if operation.name in OTHERS:
            continue
        numbers = {
            name: rng.choice((0, 1, prime - 1, rng.randrange(prime))) for name in operation.contract.inputs
        }
        words = {name: built.words_of(number) for name, number in numbers.items()}
        found = run(operation.program, words)["r"]
        a, b = (numbers.get(name, numbers.get("t", 0)) for name in "ab")
        radix = 1 << 32 * built.limbs
        wanted = {
            "add": a + b,
            "sub": a - b,
            "neg": -a,
            "mul": a * b * pow(radix, -1, prime),
            "sqr": a * a * pow(radix, -1, prime),
            "from_number": a * radix,
            "to_number": a * pow(radix, -1, prime),
        }
        assert found == wanted[operation.name] % prime, (operation.name, numbers)


EDITS = {
    "fewer turns of a loop": ("i < 8; i++) {\n        borrow", "i < 7; i++) {\n        borrow"),
    "more turns of a loop": ("i < 8; i++) {\n        const fp_wide", "i < 9; i++) {\n        const fp_wide"),
    "a borrow is dropped": ("word_subb(borrow, a[i]", "word_subb(0, a[i]"),
    "operands are exchanged": (
        "a[i], b[i], &t[i]);\n    }\n    borrow",
        "b[i], a[i], &t[i]);\n    }\n    borrow",
    ),
    "the highest word is left out": ("word_subb(borrow, top, 0", "word_subb(borrow, 0, 0"),
    "a mask is left out": ("p[i] & mask", "p[i]"),
    "a mask is not inverted": ("b[i] & ~mask", "b[i] & mask"),
    "a word is not inverted": ("~m[i]", "m[i]"),
    "another first carry": ("carry carry = 1", "carry carry = 0"),
    "another carry": ("carry = fp_wide_high(s)", "carry = fp_wide_low(s)"),
    "a carry is dropped": ("word_addc(bit,", "word_addc(0,"),
    "the carry of a row is lost": ("above, t[i + 8]", "above, t[i]"),
    "another quotient": ("t[i] * inverse", "t[i] + inverse"),
    "another factor": ("(t + i, p, t[i]", "(t + i, a, t[i]"),
    "another row": ("(t + i, a, b[i])", "(t, a, b[i])"),
    "another place": ("t[8] = carry", "t[7] = carry"),
    "another half": ("(r, t + 8,", "(r, t + 7,"),
    "beyond an array": ("(r, t + 8,", "(r, t + 9,"),
    "before an array": ("(t + i, a, b[i])", "(t + (i - 16), a, b[i])"),
    "another start": ("t[i] = 0;", "t[i] = 1;"),
    "a square for a product": ("limbs_montgomery(r, a, b, fp", "limbs_montgomery(r, a, a, fp"),
    "another inverse": ("UINT32_C(0x1));", "UINT32_C(0x3));"),
    "another modulus": (
        "UINT32_C(0xFFFFFFFF), UINT32_C(0x00000000)",
        "UINT32_C(0xFFFFFFFF), UINT32_C(0x00000001)",
    ),
    "another constant": ("UINT32_C(0x00000003)", "UINT32_C(0x00000002)"),
    "a result before an operand": ("&t[i]);\n    }\n    borrow", "&r[i]);\n    }\n    borrow"),
    "a difference for a sum": ("limbs_total(r, a, b, fp", "limbs_difference(r, a, b, fp"),
    "another known operand": ("t[8] = {1}", "t[8] = {2}"),
    "another bound": ("one[8] = {1}", "one[8] = {2}"),
    "another exponent": ("0xfd, 0xff", "0xfe, 0xff"),
    "another bit of an exponent": (">> (i % 8)", ">> (i % 4)"),
}


def test_loops_are_read_back():
    files, reader = printed(READ)
    assert reader.differences(files) == []
    assert "fp_limbs_row(t + i, a, b[i]);" in files["fp.h"]


@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=[*EDITS])
def test_an_edit_of_a_loop_is_refused(old, new):
    require_refused(READ, "fp.h", old, new)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("prime", [*PRIMES])
def test_fields_with_loops_are_built_and_run(prime, cc):
    request = FieldRequest("c", prime, operations=BUILT, optimize="size")
    builds = [Build("C", "c", level="1"), Build("C, 32 bits", "c", level="1", word=32)]
    runs = run_suites(list(field_subjects(request, {"c": render_field(request)})), 1, builds=builds)
    results = [result for _, found in runs for result in found]
    assert {result.language for result in results if result.calls} == {build.name for build in builds}
    assert [f"{result.language}: {result.function}" for result in results if not result.ok] == []


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", ["P-256", "secp256k1", "edwards25519", "X25519"])
def test_whole_curves_are_built_and_pass_the_vectors(curve, efdgen, cc, tmp_path):
    asked = ("--lang", "c", "--curve", curve, "--set", "protocols", "--optimize", "size")
    done = efdgen("compile", *asked, "--out", tmp_path)
    assert done.code == 0, done.err
    header = next(tmp_path.glob("*_32.h")).read_text()
    assert "_limbs_montgomery(" in header
    assert "--optimize size" in " ".join(header.replace(" *", "").split())
    done = efdgen("test", tmp_path, "--lang", "c")
    assert done.code == 0, done.err
    assert "c, 32 bits" in done.out
    assert "all as expected" in done.out


def test_tables_are_the_smallest_unless_others_are_asked_for():
    sizes = {
        table: Request("c", "P-256", table=table, optimize="size").tables for table in ("small", "large")
    }
    assert sizes == {"small": "small", "large": "large"}
    assert Request("c", "P-256", optimize="size").tables == "tiny"
    assert Request("c", "P-256", optimize="size").table_method == "additions"
    assert Request("c", "P-256").table_method is None
    assert Request("c", "P-256").tables == "medium"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compile", "--lang", "rust", "--curve", "P-256"), "--optimize has no effect for Rust; remove it"),
        (
            ("compile", "--lang", "python", "--curve", "P-256"),
            "--optimize has no effect for Python; remove it",
        ),
        (("field", "--lang", "rust", "--prime", "7"), "--optimize has no effect except in C; remove it"),
        (("field", "--lang", "c", "--binary", "x^3+x+1"), "--optimize has no effect over GF(2^m)"),
        (
            ("compile", "--lang", "c", "--curve", "sect233k1"),
            "sect233k1 is over GF(2^233); --optimize size is for GF(p); remove it",
        ),
        (
            ("compile", "--lang", "c", "--curve", "secp256k1", "--representation", "unsaturated"),
            "--optimize size has saturated limbs; remove --representation unsaturated",
        ),
    ],
)
def test_small_code_is_refused_where_there_is_none(efdgen, monkeypatch, tmp_path, arguments, said):
    monkeypatch.chdir(tmp_path)
    done = efdgen(*arguments, "--optimize", "size")
    assert (done.code, done.err) == (2, f"efdgen: {said}\n")
    assert list(tmp_path.iterdir()) == []
