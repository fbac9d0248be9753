"""The second reader: printed text is accepted, and each of many edits refused."""

import subprocess
from functools import cache
from random import Random

import pytest
import second
from second import clang
from second.c_edits import C_EDITS
from second.c_files import translate
from second.edits import edited
from second.errors import UndefinedError
from second.printing import printed
from second.rust_edits import RUST_EDITS

# Edits that only the last of many texts shows take longer, and are in the table that second.edits prints.
REFUSED = {
    "c": (
        *("ifdef-__linux__", "ifdef-__aarch64__", "digraph", "splice", "splice2", "include", "typedef-int64"),
        *("typedef-u32", "typedef-signed", "typedef-carry", "limbs-1", "words-def", "union", "nonconst-mod"),
        *("ret-type", "u32-local", "static-local", "static-local-limbs", "attr-const", "attr-const2"),
        *("restrict", "suffix-shift", "suffix-not", "asm-not", "load_be-nocast", "store", "extra-fn-ctor"),
        *("array-size-local", "x-from-canonical", "x-inline-fe_neg-macro", "x-octal", "x-constant"),
        *("x-constant-32", "x-swapped-carry", "x-aliased", "x-declspec"),
    ),
    "rust": (
        *(
            "nested-comment",
            "cfg-1",
            "cfg-8",
            "field-neg",
            "macro-rules",
            "default-fields",
            "words-const",
        ),
        *("batches", "select-point", "zeroize-none", "eq-body", "as-u32", "x-from-canonical", "x-limb-const"),
        *("x-cfg-limb", "x-swapped-carry"),
    ),
}
# Limb functions that are proved in all texts of a header, and in all of a crate.
PROVED = {
    "secp256k1": {"product_256_256", "add", "half", "canonical", "whole_add", "whole_double"},
    "sect163k1": {"add", "canonical", "select", "is_nonzero"},
}
ACCEPTED = ("param-type", "assign-chain")
EDITS = {"c": {edit.name: edit for edit in C_EDITS}, "rust": {edit.name: edit for edit in RUST_EDITS}}

kernels = cache(printed)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "sect163k1"])
def test_printed_headers_are_accepted(curve, same_rng):
    (report,) = second.reports(*kernels("c", curve), same_rng.randrange(100))
    assert not report.differences
    assert not report.left_out
    assert len(report.texts) >= 10
    assert {"fe_inv", "fe_mul", f"{curve}_add", f"{curve}_normalize"} <= report.compared
    assert PROVED[curve] <= report.proved - report.undecided


@pytest.mark.parametrize("curve", ["secp256k1", "sect163k1"])
def test_printed_crates_are_accepted(curve, cargo, same_rng):
    (report,) = second.reports(*kernels("rust", curve), same_rng.randrange(100))
    assert not report.differences
    assert {"fe_inv", "fe_mul", "add", "normalize"} <= report.compared
    assert PROVED[curve] <= report.proved - report.undecided


@pytest.mark.slow
@pytest.mark.drawn(8)
@pytest.mark.parametrize("name", REFUSED["c"])
def test_an_edited_header_is_refused(name):
    files, announced = kernels("c", "secp256k1")
    assert second.refuses(edited(files, EDITS["c"][name]), announced)


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", REFUSED["rust"])
def test_an_edited_crate_is_refused(name, cargo):
    files, announced = kernels("rust", "secp256k1")
    assert second.refuses(edited(files, EDITS["rust"][name]), announced)


@pytest.mark.long
@pytest.mark.slow
def test_an_equivalent_header_is_accepted(same_rng):
    files, announced = kernels("c", "secp256k1")
    for name in ACCEPTED:
        files = edited(files, EDITS["c"][name])
    assert not second.refuses(files, announced, seed=same_rng.randrange(100))


# Functions of a, b and c, of several types; what a compiler makes of them is compared.
EXPRESSIONS = (
    "(uint64_t)((uint8_t)a + (uint8_t)b)",
    "(uint64_t)(int8_t)a",
    "(uint64_t)((int32_t)a >> 3)",
    "(uint32_t)a << 31 >> 7",
    "(uint64_t)(~(uint8_t)a)",
    "(uint64_t)(0x80000000 << 1) + a",
    "a * b - c",
    "(uint64_t)(((unsigned __int128)a * b + c) >> 64)",
    "(uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 62)",
    "(uint64_t)((int64_t)a < (int64_t)b) + ((uint32_t)a < (int32_t)b)",
    "(uint64_t)((int16_t)a / ((int16_t)b | 1) + (int16_t)a % ((int16_t)b | 1))",
    "(a & 1 ? (uint64_t)(int16_t)b : c) ^ (a > b && b > c) ^ (uint64_t)!a",
    "(uint64_t)-(int16_t)a + (uint64_t)-(uint32_t)b",
    "(uint64_t)(unsigned char)(a >> (b & 63))",
)
PROGRAM = """\
#include <inttypes.h>
#include <stdio.h>
{}
int main(void) {{
    uint64_t a, b, c;
    while (scanf("%" SCNu64 "%" SCNu64 "%" SCNu64, &a, &b, &c) == 3)
        {}
}}
"""


def test_expressions_mean_what_a_compiler_makes_of_them(cc, tmp_path, same_rng):
    functions = "".join(
        f"static uint64_t f{i}(uint64_t a, uint64_t b, uint64_t c) {{ return {text}; }}\n"
        for i, text in enumerate(EXPRESSIONS)
    )
    prints = "".join(f'printf("%llu ", (unsigned long long)f{i}(a, b, c));' for i in range(len(EXPRESSIONS)))
    (tmp_path / "f.c").write_text(PROGRAM.format(functions, f'{{ {prints} puts(""); }}'))
    subprocess.run([cc, "-O0", "-o", tmp_path / "f", tmp_path / "f.c"], check=True)
    rows = [[_near(same_rng) for _ in range(3)] for _ in range(200)]
    given = "\n".join(" ".join(map(str, row)) for row in rows)
    done = subprocess.run([tmp_path / "f"], input=given, capture_output=True, text=True, check=True)
    unit = clang.parse({"f.h": f"#include <stdint.h>\n{functions}"}, "f.h", ["-target", "x86_64-linux-gnu"])
    module, compared = translate(unit), 0
    for row, line in zip(rows, done.stdout.splitlines(), strict=True):
        for i, expected in enumerate(map(int, line.split())):
            try:
                assert module.call(f"f{i}", *row) == expected, EXPRESSIONS[i]
                compared += 1
            except UndefinedError:
                pass  # it overflows
    assert compared > 190 * len(EXPRESSIONS)


def _near(rng: Random) -> int:
    return (
        rng.choice((0, 1, 1 << 31, 1 << 63, 1 << 15, 255)) + rng.choice((0, 0, -1, rng.getrandbits(64)))
    ) % 2**64
