"""Crates with lanes: multiples of points, and verdicts on signatures, on a model of the instructions.

On a machine that has the instructions, crates are tested as they are emitted too.
"""

import re

import pytest
from lane_crates import edit, planned, run, written
from lane_drivers import encodings
from whole_curves import DATABASE

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.files import render_plan
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.lane_routines import LaneRoutineText
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.readback.read import Readback
from efdgen.verify.readback.routines import routine_differences
from efdgen.verify.vectors.whole_curve import WholeCurve

CURVES = ("secp256k1", "P-256", "P-384", "P-521", "brainpoolP256r1", "edwards25519", "Ed448")
EDITS = 40


def affine(plan, text):
    """Return the affine point of coordinates in the wire format; () for the identity where it has none."""
    size, order = 2 * plan.encoding.field, plan.encoding.byteorder
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    values = [int.from_bytes(bytes.fromhex(text[at : at + size]), order) for at in range(0, len(text), size)]
    found, p = dict(zip(members, values, strict=True)), plan.curve.prime
    if any(found[name] == 0 for name in plan.representation.denominators):
        return ()
    return tuple(
        found[ratio.numerator] * pow(found[ratio.denominator], -ratio.power, p) % p
        if ratio.denominator
        else found[ratio.numerator]
        for ratio in plan.representation.ratios.values()
    )


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
def test_multiples_are_those_of_the_affine_law(curve, machine, cargo, tmp_path, rng):
    request, plan = planned(curve, machine=machine)
    written(tmp_path, render_plan(plan, request), "multiples", machine)
    law = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.field, plan.curve.parameters)
    base, n = (plan.curve.generator["x"], plan.curve.generator["y"]), plan.order
    most = (1 << 8 * plan.reduction.bytes) - 1
    edges = [0, 1, 2, n - 1, n, n + 1, 2 * n - 1, most]
    rows = [(name, size) for name in ("multiply", "multiply_generator", "other") for size in (0, 1, 7, 8, 9)]
    rows += [(name, size) for name in ("sum", "sum_var") for size in (0, 1, 3, 4, 7, 8, 9, 25)]
    asked, lines = [], []
    for name, size in rows:
        drawn = [
            [
                rng.choice([*(e for e in edges if e <= most), *(rng.randrange(n) for _ in range(8))])
                for _ in "abt"
            ]
            for _ in range(size)
        ]
        asked.append((name, drawn))
        texts = (
            ":".join(v.to_bytes(plan.reduction.bytes, plan.encoding.byteorder).hex() for v in row)
            for row in drawn
        )
        lines.append(" ".join([name, *texts]))
    found = run(tmp_path, cargo, "multiples", "\n".join(lines), ["alloc"])
    for (name, drawn), line in zip(asked, found, strict=True):
        numbers = [
            (a if name in {"multiply_generator", "other"} else 0)
            + (b * t if name != "multiply_generator" else 0)
            for a, b, t in drawn
        ]
        numbers = [sum(numbers)] if name.startswith("sum") else numbers
        wanted = [law.multiple(number, base) for number in numbers]
        assert [affine(plan, text) for text in line.split()] == wanted, name


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("curve", "program"),
    [("P-256", "ecdsa"), ("secp256k1", "ecdsa"), ("edwards25519", "eddsa"), ("Ed448", "ed448")],
)
def test_verdicts_are_those_on_one_signature(curve, program, machine, cargo, tmp_path):
    request, plan = planned(curve, "protocols", machine)
    written(tmp_path, render_plan(plan, request), program, machine)
    lines = run(tmp_path, cargo, program, features=["protocols", "alloc"])
    counts = [tuple(map(int, line.split(": "))) for line in lines]
    assert [count for count, _ in counts] == [0, 1, 7, 8, 9, 33, 65]
    assert all(0 < valid < count for count, valid in counts[2:])


def shortened(rng, given):
    """Return encodings, some of them truncated."""
    return [each[: rng.choice([len(each)] * 9 + [0, 1, len(each) - 1])] for each in given]


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", ["edwards25519", "Ed448"])
def test_points_are_decoded_as_one_by_one(curve, machine, cargo, tmp_path, rng):
    request, plan = planned(curve, machine=machine)
    written(tmp_path, render_plan(plan, request), "decode", machine)
    whole = WholeCurve.of(plan.curve, DATABASE)
    rows = [shortened(rng, encodings(whole, rng, count)) for count in (1, 7, 8, 9, 65)]
    lines = run(
        tmp_path, cargo, "decode", "\n".join(",".join(each.hex() or " " for each in row) for row in rows)
    )
    for row, line in zip(rows, lines, strict=True):
        points = [whole.decoded(data) for data in row]
        size = 2 * plan.encoding.field
        wanted = ["none" if p is None else "".join(f"{value:0{size}x}" for value in p) for p in points]
        assert line.split(",") == wanted, row


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
def test_drawn_edits_are_refused(curve, machine, rng):
    request, plan = planned(curve, machine=machine)
    proofs = FieldProofs()
    files = proofs.proved(lambda claims: render_plan(plan, request, claims))
    assert Readback(proofs.expected).differences(files) == []
    (text,) = (each for each in proofs.expected if isinstance(each, LaneRoutineText))
    lines = files[text.path].split("\n")
    bodies = [
        at for at, line in enumerate(lines) if re.match(r" {4}.*(?:[;,)]|\w)$", line) and "//" not in line
    ]
    first = next(at for at, line in enumerate(lines) if line.startswith("/// Returns"))
    tried = 0
    while tried < EDITS:
        at = rng.choice([at for at in bodies if at > first])
        edited = edit(rng, lines[at])
        if (
            edited == lines[at]
            or "fn " in lines[at]
            or "BLANK" in lines[at]
            or re.match(r"^    \w+: ", lines[at])
        ):
            continue
        tried += 1
        changed = "\n".join([*lines[:at], edited, *lines[at + 1 :]])
        assert [*routine_differences(text, {**files, text.path: changed})], (lines[at], edited)
