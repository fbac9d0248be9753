"""Ladders of Montgomery curves at once, in Rust and C: results beside Python's, and edits of the text.

They run on a model of the instructions, and on the instructions where the machine has them.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from functools import cache

import lane_headers
import pytest
from edits import once, table
from edits.routines import routine_edits
from lane_crates import edits, planned, run, written
from lane_machines import ENCODED, MODEL, WIDE, c_modes, is_there
from mutants.sources import Routines
from protocol_vectors import VECTORS, records
from tools import CC, UNOPTIMISED, WARNINGS
from whole_curves import DATABASE
from wipes import left

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import FileText
from efdgen.generator.files import render_plan
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.planning import lane_routines
from efdgen.generator.planning.lane_routines import LaneRoutineText, ladder_lane_module, powers
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback import routines
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.readback.read import Readback, differences
from efdgen.verify.routines.lanes import prove_lanes
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_expected import EXPECTED

EXCHANGES = {"Curve25519": "X25519", "Curve448": "X448"}
CURVES = *EXCHANGES, "M-383", "scaled"
SIZES = 0, 1, 7, 8, 9, 33, 65
# Curve25519 with b = 4 in the place of 1: another y, and the same x.
SCALED = """
name = "scaled"
model = "g1p/montgom"
prime = "2^255 - 19"
order = 7237005577332262213973186563042994240857116359379907606001950938285454250989
cofactor = 8
parameters = {a = 486662, b = 4}
generator = {x = 9, y = GENERATOR_Y}
"""
_Y = 14781619447589544791020593568409986887264606134616475288964881837755586237401
_PRIME = 2**255 - 19

ORDER_EIGHT = [
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
]
"""The x-coordinates of points of order 8 of Curve25519."""


@pytest.fixture
def named(tmp_path):
    """Return the name of a curve, or the file of one of its own."""

    def of(curve):
        if curve != "scaled":
            return curve
        path = tmp_path / "scaled.toml"
        path.write_text(SCALED.replace("GENERATOR_Y", f"{_Y * pow(2, -1, _PRIME) % _PRIME}"))
        return f"{path}"

    return of


def clamped(name, secret):
    """Return the number of a secret, as in RFC 7748, 5."""
    (low, top), number = {"X25519": (7, 254), "X448": (3, 447)}[name], int.from_bytes(secret, "little")
    return (number & ~low) % 2**top | 2**top


def multiples(plan, rng, sizes=SIZES):
    """Return batches of scalars, x-coordinates and the x-coordinates of their multiples."""
    known, prime = WholeCurve.of(plan.curve, DATABASE), plan.curve.prime
    most = (1 << 8 * plan.reduction.bytes) - 1
    scalars = [
        0,
        1,
        2,
        8,
        plan.order - 1,
        plan.order,
        plan.order + 1,
        most,
        *(rng.randint(0, most) for _ in "six"),
    ]
    numbers = [0, 1, prime - 1, plan.curve.generator["x"], *(rng.randrange(prime) for _ in "sixsix")]
    pairs = [(k, rng.choice(numbers)) for k in scalars] + [(rng.choice(scalars), x) for x in numbers]
    rows = [(k, x, EXPECTED["x_multiply"](known, k, x)) for k, x in pairs]
    return [rng.choices(rows, k=size) for size in sizes]


def exchanges(plan, rng, sizes=SIZES):
    """Return batches of secrets, public keys, those of the secrets, and shared secrets, None of a refusal."""
    name, known, size = EXCHANGES[plan.curve.name], WholeCurve.of(plan.curve, DATABASE), plan.field_bytes
    prime, base = plan.curve.prime, plan.curve.generator["x"]

    def key(secret, number):
        x = EXPECTED["x_multiply"](known, clamped(name, secret), number % 2 ** prime.bit_length() % prime)
        return x.to_bytes(size, "little") if x else None

    vectors = [
        tuple(bytes.fromhex(row[column]) for column in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U"))
        for row in records(VECTORS / name / "rfc7748.txt", "COUNT")
    ]
    rows = [(secret, public, key(secret, base), shared) for secret, public, shared in rng.sample(vectors, 2)]
    secret = rng.randbytes(size)
    own, small = key(secret, base), [0, 1, prime - 1, prime, prime + 1]
    small += ORDER_EIGHT if name == "X25519" else []
    # Points of order 1, 2, 4 and 8 of curve and twist, the same elements by other numbers, and other numbers.
    for number in (*small, prime + base, 256**size - 1, rng.getrandbits(8 * size)):
        rows.append((secret, number.to_bytes(size, "little"), own, key(secret, number)))
    assert [shared for *_, shared in rows[2:-3]] == [None] * len(small)
    return [rng.choices(rows, k=count) for count in sizes]


# Rust


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
def test_crates_make_the_multiples(curve, machine, named, cargo, tmp_path, rng):
    request, plan = planned(named(curve), machine=machine)
    scalar, field, batches = plan.reduction.bytes, plan.field_bytes, multiples(plan, rng)
    lines = [
        " ".join(
            f"{k.to_bytes(scalar, 'little').hex()}:{x.to_bytes(field, 'little').hex()}" for k, x, _ in batch
        )
        for batch in batches
    ]
    wanted = [" ".join(r.to_bytes(field, "little").hex() for _, _, r in batch) for batch in batches]
    files = render_plan(plan, request)
    for native in {False, is_there(machine)}:
        folder = tmp_path / f"{native}"
        written(folder, files, "x_multiples", machine, native=native)
        assert run(folder, cargo, "x_multiples", "\n".join(lines), optimised=native) == wanted


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", EXCHANGES)
def test_crates_exchange_keys(curve, machine, cargo, tmp_path, rng):
    request, plan = planned(curve, "protocols", machine)
    batches = exchanges(plan, rng)
    lines = [" ".join(f"{s.hex()}:{u.hex()}" for s, u, _, _ in batch) for batch in batches]
    wanted = [
        " ".join(f"{own.hex()}:{shared.hex() if shared else 'refused'}" for _, _, own, shared in batch)
        for batch in batches
    ]
    files = render_plan(plan, request)
    for native in {False, is_there(machine)}:
        folder = tmp_path / f"{native}"
        written(folder, files, "exchanges", machine, native=native)
        assert run(folder, cargo, "exchanges", "\n".join(lines), optimised=native) == wanted


# C


@cache
def headers(curve, set_="curve", machine=WIDE):
    """Return the headers of a curve, what was announced of its lanes and of all files, and the plan."""
    request = Request("c", curve, set=set_, prefix="mont", machine=machine)
    plan, kept = plan_curve(DATABASE, request, SafePlans()), lane_headers.Kept()
    files = render_plan(plan, request, kept)
    return files, [text for text in kept.texts if isinstance(text, LaneRoutineText | FileText)], plan


def answers(folder, files, batches, machine, mode, *flags):
    """Return the lines that the driver prints of batches of two numbers each, as bytes, on a machine."""
    folder.mkdir()
    flags = [*lane_headers.write(folder, files, machine, mode), *flags, f"-DMOST={max(SIZES)}"]
    driver = (MODEL / "ladders.c").read_text()
    (folder / "lanes.c").write_text(driver.replace("PREFIX", "mont").replace("UPPER", "MONT"))
    command = [CC, "-std=c99", *UNOPTIMISED, *WARNINGS, *flags, "lanes.c", "-o", "lanes"]
    subprocess.run(command, cwd=folder, check=True)
    rows = (f"{len(batch)} {' '.join(one.hex() + other.hex() for one, other in batch)}" for batch in batches)
    done = subprocess.run(
        [folder / "lanes"], input="\n".join(rows), capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == (3 if mode == "none" else 0)
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
def test_headers_make_the_multiples(curve, machine, named, cc, tmp_path, rng):
    files, _, plan = headers(named(curve), machine=machine)
    batches = multiples(plan, rng)
    scalar, field = plan.reduction.bytes, plan.field_bytes
    given = [[(k.to_bytes(scalar, "little"), x.to_bytes(field, "little")) for k, x, _ in b] for b in batches]
    wanted = [r.to_bytes(field, "little").hex() for batch in batches for _, _, r in batch]
    for mode in c_modes(machine):
        assert answers(tmp_path / mode, files, given, machine, mode) == wanted, mode


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", EXCHANGES)
def test_headers_exchange_keys(curve, machine, cc, tmp_path, rng):
    files, _, plan = headers(curve, "protocols", machine)
    batches = exchanges(plan, rng)
    given = [[(secret, public) for secret, public, _, _ in batch] for batch in batches]
    zero = bytes(plan.field_bytes)
    wanted = [
        text
        for batch in batches
        for _, _, own, shared in batch
        for text in (own.hex(), f"{int(shared is not None)}", (shared or zero).hex())
    ]
    for mode in c_modes(machine):
        assert answers(tmp_path / mode, files, given, machine, mode, "-DEXCHANGE") == wanted, mode


def test_secrets_of_exchanges_are_wiped():
    files, _, _ = headers("Curve25519", "protocols")
    assert left(files, "mont") == {}
    name = "mont_exchange.h"
    _, _, batches = files[name].partition("void mont_exchange_multiples")
    lines = re.findall(r"^ +MONT_WIPE\(.*\n", batches, re.M)
    assert len(lines) == 2
    for line in lines:
        head, _, tail = files[name].rpartition(line)
        assert left({name: head + tail}, "mont")


# Edits


@pytest.fixture
def unproved(monkeypatch):
    """Leave the proof of the routines out: it reads no text."""
    monkeypatch.setattr(routines, "prove_lanes", lambda text: None)


def crate(curve, machine=WIDE):
    """Return the files of a crate, and what was announced of its ladder in lanes."""
    request, plan = planned(curve, machine=machine)
    kept = lane_headers.Kept()
    files = render_plan(plan, request, kept)
    (text,) = (text for text in kept.texts if isinstance(text, LaneRoutineText))
    return files, text


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
def test_crates_are_proved_and_read_back(curve, machine, named):
    request, plan = planned(named(curve), machine=machine)
    proofs = FieldProofs()
    files = proofs.proved(lambda claims: render_plan(plan, request, claims))
    assert Readback(proofs.expected).differences(files) == []
    (text,) = (text for text in proofs.expected if isinstance(text, LaneRoutineText))
    assert text.routines[-1] == "x_multiply"


CRATE_EDITS = [
    *(("p2", "p3"), (".z", ".x"), ("ONE", "ZERO"), ("ZERO", "ONE"), (".rev()", ""), ("square()", "neg()")),
    *(("swapped", "chosen"), ("multiple", "inverse"), ("k[at / 8]", "k[at]"), (" = chosen", " = swapped")),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", ["Curve25519", "Curve448"])
def test_edits_of_crates_are_refused(curve, machine, unproved):
    files, text = crate(curve, machine)
    assert [*routines.routine_differences(text, files)] == []
    lines = files[text.path].split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith("/// Returns"))
    inside = [at for at in range(first, len(lines)) if re.match(r" {4}", lines[at])]
    tried = [(at, edited) for at in inside for edited in edits(lines[at], CRATE_EDITS)]
    assert len(tried) > 70
    for at, edited in tried:
        changed = "\n".join([*lines[:at], edited, *lines[at + 1 :]])
        assert [*routines.routine_differences(text, {**files, text.path: changed})], (lines[at], edited)


# Each edit is of the last place.
HEADER_EDITS = [
    ("curve", "mont_lanes_fe_cswap(&p->Z, &q->Z, flag);", ""),
    ("curve", "fe_cswap(&p->Z, &q->Z, flag)", "fe_cswap(&p->Z, &q->X, flag)"),
    ("curve", "p3->X = *x;", "p3->X = mont_lanes_constant_one;"),
    ("curve", "i = 256; i-- > 0;", "i = 255; i-- > 0;"),
    ("curve", "mont_lanes_u32_xor(swapped, chosen)", "mont_lanes_u32_or(swapped, chosen)"),
    ("curve", "(p2, p3, &p1, p2, p3);", "(p3, p2, &p1, p2, p3);"),
    ("curve", "        swapped = chosen;\n", ""),
    (
        "curve",
        "mont_lanes_u32_shr(mont_lanes_u32_of_u8(k[at / 8]), at % 8)",
        "mont_lanes_u32_of_u8(k[at / 8])",
    ),
    ("curve", "k[at / 8]", "k[at / 4]"),
    ("curve", "_lanes_curve_fe_inv(&inverse, &multiple.Z)", "_lanes_curve_fe_inv(&inverse, &next.Z)"),
    ("curve", ", 50);", ", 51);"),
    ("curve", "MONT_LANES_WIPE(&multiple, sizeof multiple);", ""),
    ("curve", "#define MONT_LANES_SCALAR_BYTES 32", "#define MONT_LANES_SCALAR_BYTES 31"),
    ("curve", "_xor_si512(b->limb[i], change)", "_xor_si512(a->limb[i], change)"),
    ("field", "mont_lanes_point *p4, mont_lanes_point *p5", "mont_lanes_point *p5, mont_lanes_point *p4"),
    ("", "n - at < 8 ? n - at", "n - at < 7 ? n - at"),
]
# Edits of text for AVX-IFMA alone.
ENCODED_EDITS = [
    ("", 'cpu_supports("avx2")', 'cpu_supports("avx")'),
    ("", "__get_cpuid_count(7, 1,", "__get_cpuid_count(7, 0,"),
    ("", "(a >> 23 & 1)", "(a >> 22 & 1)"),
    ("", "__clang_major__ >= 16", "__clang_major__ >= 15"),
    ("field", 'target("avx2,avxifma")', 'target("avx2")'),
    ("field", "_mm256_madd52lo_avx_epu64", "_mm256_madd52hi_avx_epu64"),
]


@pytest.mark.parametrize("machine", MACHINES)
def test_headers_are_what_is_proved(machine):
    files, expected, _ = headers("Curve25519", machine=machine)
    assert differences(files, expected) == []


@pytest.mark.parametrize(
    ("machine", "part", "before", "after"),
    [(machine, *edit) for machine in MACHINES for edit in HEADER_EDITS]
    + [(ENCODED, *edit) for edit in ENCODED_EDITS],
)
def test_edits_of_headers_are_refused(machine, part, before, after, unproved):
    files, expected, _ = headers("Curve25519", machine=machine)
    path = f"mont_lanes{part and '_'}{part}.h"
    pairs = [("si512", f"si{MACHINES[machine].bits}"), ("< 8 ?", f"< {MACHINES[machine].count} ?")]
    for wide, own in pairs:
        before, after = before.replace(wide, own), after.replace(wide, own)
    assert before in files[path]
    head, _, tail = files[path].rpartition(before)
    assert differences({**files, path: f"{head}{after}{tail}"}, expected)


def prove_again(text, *, erased=False):
    """Prove a text whose routines are read again; C erases secrets."""
    module = ladder_lane_module(text.plan)
    prove_lanes(replace(text, module=erasing(module) if erased else module))


# The other rows are about points with y.
ROUTINE_EDITS = table("ladders")[:20]


@pytest.mark.parametrize("erased", [False, True])
@pytest.mark.parametrize("at", range(len(ROUTINE_EDITS)), ids=lambda at: f"{ROUTINE_EDITS[at][0]}-{at}")
def test_edits_of_the_ladder_are_refused(at, erased):
    curve, right, wrong = ROUTINE_EDITS[at]
    _, text = crate(curve)
    source = Routines("ladder")
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(RoutineError):
        prove_again(text, erased=erased)


@pytest.mark.slow
def test_every_edit_of_the_ladder_is_refused():
    _, text = crate("Curve25519")
    source, refused = Routines("ladder"), []
    for edit in routine_edits(source.text, {"scalar_bit", "swap", "ladder", "x_multiply"}):
        with source.replaced(edit.apply(source.text)), pytest.raises((RoutineError, EfdgenError)) as error:
            prove_again(text)
        refused.append(error.type)
    # The other ones are refused as texts: a name that is not declared, or of another type.
    assert refused.count(RoutineError) > 20


def test_another_power_is_refused(monkeypatch):
    _, text = crate("Curve25519")
    monkeypatch.setattr(lane_routines, "powers", lambda prime: powers(prime + 4))
    with pytest.raises(RoutineError, match="another power than p - 2"):
        prove_again(text)


def test_a_formula_with_another_constant_is_refused():
    _, text = crate("Curve25519")
    ((name, value),) = text.plan.kernels.constants.items()
    kernels = replace(text.plan.kernels, constants={name: value + 1})
    with pytest.raises(RoutineError, match="it makes other points"):
        prove_lanes(replace(text, plan=replace(text.plan, kernels=kernels)))
