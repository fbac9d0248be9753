"""Whole curves in C under valgrind: no branch and no address depends on scalars and coordinates."""

import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from whole_c import compile_files, planned, texts

CURVES = [("secp256k1", "jacobian-0"), ("edwards25519", "extended-1"), ("Curve25519", None)]
BUILDS = [
    *((*curve, *build) for curve in CURVES for build in product(("gcc", "clang-19"), ("-O2", "-O3"))),
    ("P-256", "jacobian-3", "clang-19", "-O3"),
    ("Ed448", "projective", "clang-19", "-O3"),
]
FOUND = 9
HEAD = """
#include "whole.h"
#include <stdio.h>
#include <valgrind/memcheck.h>

#define HIDE(object) (void)VALGRIND_MAKE_MEM_UNDEFINED(&(object), sizeof(object))
#define SHOW(object) (void)VALGRIND_MAKE_MEM_DEFINED(&(object), sizeof(object))

int main(void) {
    uint8_t k[WHOLE_SCALAR_BYTES], bytes[3 * WHOLE_ENCODED_BYTES];
    int flags = 0;
    for (int i = 0; i < WHOLE_SCALAR_BYTES; i++) {
        k[i] = (uint8_t)(37 * i + 5);
    }
    HIDE(k);
"""
POINTS = """
    whole_point p, q, points[2];
    whole_affine_point a, several[2];
    uint8_t wire[WHOLE_WIRE_BYTES];
    whole_double(&q, &WHOLE_GENERATOR);
    HIDE(q);
    whole_multiply_generator(&p, k);
    whole_multiply(&p, k, &p);
    whole_multiply(&q, k, &q);
    whole_add(&p, &p, &q);
    whole_subtract(&p, &p, &q);
    flags += whole_equal(&p, &q) + whole_is_identity(&p) + whole_is_on_curve(&p);
    flags += whole_validate(&q, &p) + whole_is_in_subgroup(&p);
    whole_select(&q, &p, &q, k[0] & 1);
    whole_negate(&p, &p);
    whole_to_affine(&a, &p);
    flags += whole_from_affine(&q, &a);
    flags += whole_lift_LIFT(&q, &a.OTHER, k[1] & 1);
    whole_clear_cofactor(&q, &q);
    whole_encode(bytes, &q);
    whole_encode_wire(wire, &q);
    points[0] = p;
    points[1] = q;
    whole_encode_batch(bytes, several, points, 2);
"""
LADDER = """
    whole_affine_point p = WHOLE_GENERATOR;
    whole_fe x;
    HIDE(p);
    flags += whole_multiply_generator(&p, k);
    flags += whole_multiply(&p, k, &p);
    whole_x_multiply(&x, k, &p.x);
    flags += whole_is_on_curve(&p) + whole_from_affine(&p, &p) + whole_lift_x(&p, &x, k[1] & 1);
    whole_encode(bytes, &x);
"""
SHORT = """
    whole_encode_uncompressed(bytes, &q);
"""
END = """
    SHOW(flags);
    SHOW(bytes);
    return flags == 100 || bytes[0] == bytes[1];
}
"""


@cache
def header(curve: str, system: str | None, lowering: str = "whole") -> str:
    return texts(planned(curve, system, "small"), lowering)["whole.h"]


def program(curve: str, system: str | None) -> str:
    plan = planned(curve, system, "small")
    if plan.curve.model == "g1p/montgom":
        return HEAD + LADDER + END
    short = plan.model == "shortw"
    lift, other = ("x", "X") if short else ("y", "Y")
    calls = POINTS.replace("LIFT", lift).replace("OTHER", other)
    return HEAD + calls + "    whole_coz_multiply(&q, k, &q);\n" * bool(plan.coz) + SHORT * short + END


def complaints(folder: Path, text: str, main: str, compiler: str, level: str) -> list[str]:
    """Return the branches and addresses that memcheck finds to depend on what is undefined."""
    flags = ("-Wno-unused-result", level, "-g1", "main.c", "-o", "main")
    compile_files(folder, {"whole.h": text, "main.c": main}, compiler, *flags)
    valgrind = ["valgrind", "-q", f"--error-exitcode={FOUND}", "./main"]
    done = subprocess.run(valgrind, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1, FOUND), done.stderr
    assert ("ninitialised" in done.stderr) == (done.returncode == FOUND)
    return [line for line in done.stderr.splitlines() if "ninitialised" in line or "(whole.h:" in line]


@pytest.mark.parametrize(("curve", "system", "compiler", "level"), BUILDS)
def test_nothing_depends_on_secrets(curve, system, compiler, level, tmp_path):
    assert complaints(tmp_path, header(curve, system), program(curve, system), compiler, level) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("whole_fe_cswap(&p2->X, &p3->X, swapped ^ bit);", "if (bit) { whole_fe_cswap(&p2->X, &p3->X, 1); }"),
        ("k[i / 8] >>", "k[k[i / 8] & 15] >>"),
    ],
    ids=["branch", "address"],
)
def test_a_leak_is_seen(right, wrong, tmp_path):
    text = header("Curve25519", None, "calls")
    assert right in text
    assert complaints(tmp_path, text.replace(right, wrong), program("Curve25519", None), "gcc", "-O2") != []
