"""Multiplications of whole curves at once in C: on a model of the instructions, and edits of the text."""

from __future__ import annotations

import subprocess
from functools import cache

import lane_headers
import pytest
from lane_drivers import encodings
from lane_machines import MODEL
from tools import CC, UNOPTIMISED, WARNINGS

from efdgen.api.files import planned
from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.fields.printed import FileText, TableText
from efdgen.generator.files import render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.lane_routines import LaneRoutineText
from efdgen.verify.readback import routines
from efdgen.verify.readback.read import differences
from efdgen.verify.vectors.whole_curve import WholeCurve

CURVES = {"secp256k1": "secp256k1", "P-256": "p256", "edwards25519": "edwards25519"}
DECODED = {"edwards25519": "edwards25519", "Ed448": "ed448"}
FUNCTIONS = "multiply", "multiply_generator", "double_multiply"

DRIVER = """#include <stdio.h>
#include <string.h>
#include "PREFIX_lanes.h"

static int bytes(uint8_t *r, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        if (scanf("%2x", &byte) != 1) { return 0; }
        r[i] = (uint8_t)byte;
    }
    return 1;
}

static void show(const PREFIX_fe *a) {
    uint8_t found[32];
    PREFIX_fe_to_bytes_be(found, a);
    for (int i = 0; i < 32; i++) { printf("%02x", found[i]); }
    printf("\\n");
}

int main(void) {
    static uint8_t a[16 * 32], b[16 * 32], xy[64];
    static PREFIX_point p[16], r[16];
    unsigned n;
    char name[32];
    if (scanf("%31s %u", name, &n) != 2 || n > 16) { return 1; }
    for (unsigned i = 0; i < n; i++) {
        PREFIX_affine_point q;
        if (!bytes(a + 32 * i, 32) || !bytes(b + 32 * i, 32) || !bytes(xy, 64)) { return 2; }
        int fits = PREFIX_fe_from_bytes_be(&q.X, xy) & PREFIX_fe_from_bytes_be(&q.Y, xy + 32);
        if (!fits || !PREFIX_from_affine(&p[i], &q)) { p[i] = UPPER_IDENTITY; }
    }
    if (strcmp(name, "multiply") == 0) { PREFIX_multiply_batch(r, a, p, n); }
    if (strcmp(name, "multiply_generator") == 0) { PREFIX_multiply_generator_batch(r, a, n); }
    if (strcmp(name, "double_multiply") == 0) { PREFIX_double_multiply_batch(r, a, b, p, n); }
    for (unsigned i = 0; i < n; i++) {
        PREFIX_affine_point q;
        int finite = FINITE;
        printf("%d\\n", finite);
        show(&q.X);
        show(&q.Y);
    }
    return PREFIX_lanes_available() ? 0 : 3;
}
"""


@cache
def printed(curve, machine):
    """Return the files of a curve, and what was announced of its lanes and of all files."""
    request, kept = Request("c", curve, set="curve", machine=machine), lane_headers.Kept()
    files = render_plan(planned(request), request, kept)
    in_lanes = [
        text
        for text in kept.texts
        if isinstance(text, LaneRoutineText | FileText)
        or (isinstance(text, TableText) and text.name.endswith("_lanes_comb_table"))
    ]
    return files, in_lanes


def build(folder, curve, machine, *, lanes):
    """Build the driver of multiples."""
    prefix = CURVES[curve]
    finite = "PREFIX_to_affine(&q, &r[i])"
    # Every point of an Edwards curve has affine coordinates.
    finite = f"({finite}, 1)" if curve == "edwards25519" else finite
    return built(folder, curve, prefix, DRIVER.replace("FINITE", finite), machine, lanes=lanes)


def built(folder, curve, prefix, driver, machine, *, lanes):
    """Build a driver, with warnings: of a model that has the instructions, or of a machine that has not."""
    flags = lane_headers.write(folder, printed(curve, machine)[0], machine, "model" if lanes else "none")
    (folder / "lanes.c").write_text(driver.replace("PREFIX", prefix).replace("UPPER", prefix.upper()))
    command = [CC, "-std=c99", *UNOPTIMISED, *WARNINGS, *flags, "lanes.c", "-o", "lanes"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "lanes"


def answers(program, name, rows, order):
    """Return the points that a function gives for rows of two scalars and a point, and the exit status."""
    lines = [f"{name} {len(rows)}"]
    for a, b, point in rows:
        x, y = point or (2**256 - 1, 2**256 - 1)
        scalars = [number.to_bytes(32, order).hex() for number in (a, b)]
        lines.append(f"{''.join(scalars)}{x:064x}{y:064x}")
    given = "\n".join(lines)
    done = subprocess.run([program], input=given, capture_output=True, text=True, timeout=600, check=False)
    values = [int(line, 16) for line in done.stdout.split()]
    found = [values[at : at + 3] for at in range(0, len(values), 3)]
    return [(x, y) if finite else INFINITY for finite, x, y in found], done.returncode


@pytest.mark.slow
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("lanes", [True, False])
def test_batches_are_the_multiples(curve, machine, lanes, cc, tmp_path, rng):
    known = load_curve(curve)
    affine = AffineCurve(Database().model(known.model), known.field, known.parameters)
    base, n = tuple(known.generator.values()), known.order
    program = build(tmp_path, curve, machine, lanes=lanes)
    order = "little" if curve == "edwards25519" else "big"
    special = [0, 1, 2, n - 1, n, n + 1, 2**256 - 1]
    for count in (0, 1, 7, 8, 9):
        points = [affine.multiple(rng.randrange(1, n), base) for _ in range(count)]
        if count:
            points[rng.randrange(count)] = affine.neutral
        scalars = [
            [*rng.sample(special, min(count, 4)), *(rng.randrange(n) for _ in range(count))] for _ in "ab"
        ]
        for own in scalars:
            own[count:] = []
            rng.shuffle(own)
        rows = [*zip(*scalars, points, strict=True)]
        wanted = {
            "multiply": [affine.multiple(a, p) for a, _, p in rows],
            "multiply_generator": [affine.multiple(a, base) for a, _, _ in rows],
            "double_multiply": [
                affine.add(affine.multiple(a, base), affine.multiple(b, p)) for a, b, p in rows
            ],
        }
        for name in FUNCTIONS:
            assert answers(program, name, rows, order) == (wanted[name], 0 if lanes else 3), (name, rows)


@pytest.mark.slow
@pytest.mark.parametrize("curve", DECODED)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("lanes", [True, False])
def test_points_are_decoded_as_one_by_one(curve, machine, lanes, cc, tmp_path, rng):
    driver = (MODEL / "decode.c").read_text()
    program = built(tmp_path, curve, DECODED[curve], driver, machine, lanes=lanes)
    whole = WholeCurve.of(load_curve(curve), Database())
    size = 2 * ((whole.curve.prime.bit_length() + 7) // 8)
    for count in (0, 1, 7, 8, 9, 65):
        given = encodings(whole, rng, count)
        text = f"{count} {' '.join(each.hex() for each in given)}"
        done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=60, check=False)
        points = [whole.decoded(data) for data in given]
        wanted = ["none" if p is None else "".join(f"{value:0{size}x}" for value in p) for p in points]
        assert (done.stdout.split(), done.returncode) == (wanted, 0 if lanes else 3), given


JOIN = "p256_lanes_fe *r, const p256_lanes_fe *a, p256_lanes_word mask"
EDITS = [
    ("curve", "&r->X, &negated.X, &found.X, minus", "&r->X, &found.X, &negated.X, minus"),
    ("curve", "p256_lanes_word_mask(p256_lanes_word_of_u32(hit))", "p256_lanes_word_of_u32(hit)"),
    ("curve", "_fe_join_shared(&found.X, &table[i].X, all)", "_fe_join(&found.X, &table[i].X, all)"),
    ("curve", "_fe_join(&found.X, &table[i].X, all)", "_fe_join_shared(&found.X, &table[i].X, all)"),
    ("curve", "_u64_sub(", "_u64_add("),
    ("curve", "_choice_of_u32(negative)", "_choice_all(1)"),
    ("curve", "const p256_lanes_known_entry table[],", "const p256_lanes_normalized_point table[],"),
    ("curve", "p256_lanes_u32_xor(window, flips)", "window ^ flips"),
    ("curve", "UINT32_C(0xfc632551)", "UINT32_C(0xfc632550)"),
    ("curve", "#define P256_LANES_SCALAR_WORDS 10", "#define P256_LANES_SCALAR_WORDS 9"),
    ("curve", "P256_LANES_WIPE(&found, sizeof found);", ""),
    ("curve", JOIN.replace("fe *a", "known *a"), JOIN),
    ("curve", JOIN, "p256_lanes_fe *r, p256_lanes_word mask, const p256_lanes_fe *a"),
    ("curve", "{{{0x", "{{{0x1"),
    ("curve", "((bits | (0 - bits)) >> 63) - 1", "((bits | (0 - bits)) >> 62) - 1"),
    ("field", "void p256_lanes_fe_mul(p256_lanes_fe *r, const", "void p256_lanes_fe_mul(p256_lanes_fe *r,"),
    ("", "n - at < COUNT ? n - at", "n - at < 3 ? n - at"),
]


@pytest.fixture
def unproved(monkeypatch):
    """Leave the proof of the routines out: it reads no text."""
    monkeypatch.setattr(routines, "prove_lanes", lambda text: None)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_the_text_is_what_is_proved(machine, unproved):
    files, expected = printed("P-256", machine)
    assert differences(files, expected) == []


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("part", "before", "after"), EDITS)
def test_edits_are_refused(part, before, after, machine, unproved):
    files, expected = printed("P-256", machine)
    before = before.replace("COUNT", f"{MACHINES[machine].count}")
    path = f"p256_lanes{part and '_'}{part}.h"
    assert before in files[path]
    # Each edit is of the last place, which is within a routine.
    head, _, tail = files[path].rpartition(before)
    assert differences({**files, path: f"{head}{after}{tail}"}, expected)
