"""Verdicts on many signatures at once in C, on a model of the instructions, on these, and without them.

Expected verdicts are those of the requests to drivers, by integers, and of signatures that are made here.
"""

from __future__ import annotations

import subprocess
from functools import cache

import lane_machines
import pytest
from lane_machines import MODEL, WIDE
from lane_rows import exceptional, of_all_lengths
from tools import SANITIZERS, UNOPTIMISED, WARNINGS
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.verify.vectors.digest_cases import digests
from efdgen.verify.vectors.signature_cases import ecdsa, eddsa, leftmost, pair, signed_digest
from efdgen.verify.vectors.whole_subjects import whole_subject

CURVES = "secp256k1", "P-256", "P-521", "brainpoolP384r1", "edwards25519", "Ed448"
SIZES = 0, 1, 7, 8, 9, 33, 65
RUNS = [(machine, mode) for machine in MACHINES for mode in lane_machines.c_modes(machine)]


@cache
def whole(curve, machine=WIDE):
    """Return a curve with its protocols in lanes."""
    request = Request("c", curve, prefix="whole", set="protocols", machine=machine)
    return whole_subject(DATABASE, request, ["c"])


def build(folder, curve, machine, mode, compiler, edited=()):
    """Build the program of verdicts, with warnings and sanitizers; edited are other texts of headers."""
    scheme = "ecdsa" if curve not in ("edwards25519", "Ed448") else "eddsa"
    for name, text in {**whole(curve, machine).files["c"], **dict(edited)}.items():
        given = lane_machines.in_c(text, machine, mode) if "_lanes" in name else text
        (folder / name).write_text(given)
    flags = [f'-DHEADER="whole_lanes_{scheme}.h"', "-DIS_ECDSA" if scheme == "ecdsa" else "-DIS_EDDSA"]
    flags += [f"-DCONTEXT={',context,context_length' if curve == 'Ed448' else ''}"]
    flags += [*lane_machines.flags(machine, mode), *WARNINGS, *(SANITIZERS if mode == "native" else ())]
    flags += UNOPTIMISED if mode in ("model", "microsoft") else ["-O1"]
    source = f"{MODEL / 'verdicts.c'}"
    command = [
        compiler,
        "-std=c99",
        *UNOPTIMISED,
        f"-I{folder}",
        *flags,
        source,
        "-o",
        "verdicts",
        "-lcrypto",
    ]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "verdicts"


def verdicts(program, name, rows, mode, context=()):
    """Return the verdicts of a batch and on one signature, and of both with a hash function that fails."""
    lines = [" ".join([name, f"{len(rows)}", *context]), *(" ".join(row[:3]) for row in rows)]
    done = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == (3 if mode == "none" else 0), done.stderr[-2000:]
    *found, last = (tuple(map(int, line.split())) for line in done.stdout.splitlines())
    assert last == tuple(int(all(row[at] for row in found)) for at in (0, 2))
    return found


def requests(curve, rng):
    """Return a key, a text, a signature and its verdict in rows, by what texts are: digests, or hashed."""
    known = whole(curve).curve
    if curve in ("edwards25519", "Ed448"):
        # The signatures of a batch have one context.
        asked = (row for row in eddsa(known, rng) if row[0] == "eddsa_verify" and row[4:-1] in ((), ("-",)))
        rows = [
            (*row[1:4], int(row[-1])) for row in asked if fits(row, known.encoded_bytes, known.encoded_bytes)
        ]
        return {"shake256" if curve == "Ed448" else "sha512": [*rows, *of_identity(known)]}
    found, size = {}, len(pair(known, 0, 0)) // 2
    for row in (*ecdsa(known, rng), *digests(known, rng)):
        if row[0] in ("ecdsa_verify", "ecdsa_verify_digest") and fits(row, 2 * known.field_bytes, size):
            texts = row[4] if row[0] == "ecdsa_verify" else "digests"
            found.setdefault(texts, []).append((row[1].replace("O", "-"), *row[2:4], int(row[-1])))
    del found["sha224"]
    for name in found.keys() - {"digests"}:
        found[name] += not_hashed(known)
    own = found["digests"]
    found["digests"] = [*own, *exceptional(known), *of_all_lengths(known, rng), *of_no_keys(known, own)]
    return found


def fits(row, key, half):
    """Return whether a key and the halves of a signature have the lengths that C asks for."""
    return len(row[1]) in (2 * key, 1) and len(row[3]) == 4 * half


def not_hashed(known):
    """Yield messages with signatures of the empty digest; a hash function fails for some messages."""
    r, s, _ = signed_digest(known, 5, b"", "sha256")
    for message in range(8):
        yield known.point(known.multiple(5, known.generator)), f"{message:02x}", pair(known, r, s).hex(), 0


def of_no_keys(known, rows):
    """Yield signatures that are right but for their keys: no points of the curve, and the identity."""
    for _, text, signature, verdict in rows:
        if verdict:
            yield known.element(known.coordinate_of_none) * 2, text, signature, 0
    digest = bytes(range(1, known.scalar_bytes + 1))
    for k in range(2, 12):
        r = known.multiple(k, known.generator)[0] % known.order
        s = leftmost(known, digest) * pow(k, -1, known.order) % known.order
        yield "-", digest.hex(), pair(known, r, s).hex(), 0


def of_identity(known):
    """Yield signatures by the identity, for which S G is R, and where R or the key has another encoding."""
    size, sign = known.encoded_bytes, 1 << 8 * known.encoded_bytes - 1
    key = known.encoded(known.affine.neutral)
    for s in (0, 1, 5):
        right = known.encoded(known.multiple(s, known.generator))
        number = int.from_bytes(right, "little")
        scalar = s.to_bytes(size, "little").hex()
        for verdict, other in ((1, number), (0, number ^ sign), (0, number ^ 1)):
            yield key.hex(), "00", other.to_bytes(size, "little").hex() + scalar, verdict
        for wrong in (1 + known.curve.prime, 1 | sign):
            yield wrong.to_bytes(size, "little").hex(), "00", right.hex() + scalar, 0
            yield key.hex(), "00", wrong.to_bytes(size, "little").hex() + scalar, 0


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize(("machine", "mode"), RUNS)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.usefixtures("openssl")
def test_verdicts_are_those_by_integers(curve, machine, mode, compiler, tmp_path, rng):
    program = build(tmp_path, curve, machine, mode, compiler)
    context = ["-"] * (curve in ("edwards25519", "Ed448"))
    for name, known in requests(curve, rng).items():
        rng.shuffle(known)
        valid = [row for row in known if row[3]]
        assert valid
        assert len(valid) < len(known)
        batches = [[rng.choice(rows) for _ in range(size)] for size in SIZES for rows in (known, valid)]
        # Each signature is in every lane: the whole again, a place later each time.
        batches += [known[:shift] + known for shift in range(8)]
        for rows in batches:
            found = verdicts(program, name, rows, mode, context)
            assert [row[:2] for row in found] == [(row[3], row[3]) for row in rows], (name, rows)
            assert all(batch == one for *_, batch, one in found), (name, rows)


FAULTS = [
    ("secp256k1", "            whole_n_fe_set_one(&s[i]);\n", ""),
    ("secp256k1", " && whole_validate(&points[i], &public_keys[i]);", " && (points[i] = public_keys[i], 1);"),
    ("secp256k1", "valid[at + i] && hashed[i]", "valid[at + i]"),
    ("secp256k1", "digests[i].length = hashed[i] ? hash->digest_bytes : 0", "digests[i].length = 31"),
    ("secp256k1", "for (size_t i = count; i-- > 0;)", "for (size_t i = 0; i < count; i++)"),
    ("edwards25519", "            points[i] = WHOLE_IDENTITY;\n", ""),
    ("edwards25519", "        whole_negate(&points[i], &points[i]);\n", ""),
    ("edwards25519", "valid[i] = valid[i] && ", "valid[i] = "),
    ("edwards25519", " WHOLE_ENCODED_BYTES) == 0", " WHOLE_ENCODED_BYTES - 1) == 0"),
]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("curve", "before", "after"), FAULTS)
@pytest.mark.usefixtures("openssl")
def test_faults_are_found(curve, before, after, cc, tmp_path, rng):
    scheme = "eddsa" if curve == "edwards25519" else "ecdsa"
    header = whole(curve).files["c"][f"whole_lanes_{scheme}.h"]
    assert header.count(before) == 1
    program = build(
        tmp_path, curve, WIDE, "model", cc, {f"whole_lanes_{scheme}.h": header.replace(before, after)}
    )
    context = ["-"] * (scheme == "eddsa")
    found = {
        name: (verdicts(program, name, rows, "model", context), [row[3] for row in rows])
        for name, rows in requests(curve, rng).items()
    }
    assert any(
        [row[0] for row in given] != wanted or any(batch != one for *_, batch, one in given)
        for given, wanted in found.values()
    )
