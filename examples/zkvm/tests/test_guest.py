"""The guests of examples/zkvm: right results, lies of the host, answers that are not reduced, mutants.

Every lie is refused, by the check that is named beside it; a guest without that check accepts it. Expected
points are those of the affine law, in Python integers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import cycles
import guests
import prover
import pytest
from affine_edwards import T8, G, L, P, add, multiple
from claims import (
    EDGES,
    LIES,
    NONSENSE,
    SECOND,
    STATUS,
    edge_points,
    honest,
    numbers,
    random_claim,
    summands,
    sums,
    with_schedule,
    wrong_sum,
)
from edited import Guest, halts
from guests import HERE


@pytest.fixture(scope="module")
def folder(cc: str, riscv_gcc: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("zkvm")
    guests.build(made)
    return made


@pytest.fixture
def half(folder: Path) -> Guest:
    return Guest(folder, "half")


@pytest.fixture
def fixed(folder: Path) -> Guest:
    return Guest(folder, "fixed")


@pytest.fixture
def signature(folder: Path) -> Guest:
    return Guest(folder, "signature")


def test_scalars_and_points_at_the_edges(half: Guest, fixed: Guest, rng: random.Random) -> None:
    for a in EDGES:
        b = rng.choice(EDGES)
        for q in rng.sample(edge_points(rng), 3):
            assert half.status(honest(a, b, q).input, "--strict") == 0, (a, b, q)
        r = add(multiple(a, G), multiple(b, SECOND))
        assert fixed.status(prover.little_endian(a, b, *r), "--strict") == 0, (a, b)


def test_a_changed_schedule_proves_nothing_that_is_wrong(half: Guest, rng: random.Random) -> None:
    wrong = wrong_sum(random_claim(rng), rng)
    text = wrong.hints.schedule
    for place in range(len(text)):
        changed = rng.choice([text[place] ^ 1, text[place] ^ 64, (text[place] + 1) % 256, rng.randrange(256)])
        edited = text[:place] + bytes([changed]) + text[place + 1 :]
        assert half.status(with_schedule(wrong, edited).input) != 0, place


@pytest.mark.parametrize("text", NONSENSE)
def test_a_schedule_of_nonsense_is_refused(half: Guest, rng: random.Random, text: bytes) -> None:
    assert half.status(with_schedule(random_claim(rng), text).input) != 0


def test_other_scalars_points_and_inverses_are_refused(half: Guest, rng: random.Random) -> None:
    claim = random_claim(rng)
    inverse = claim.hints.inverse
    lies = [
        replace(claim, hints=replace(claim.hints, inverse=n))
        for n in (0, 1, inverse ^ 2, rng.getrandbits(256))
    ]
    lies += [
        replace(claim, a=claim.a ^ 1),
        replace(claim, b=claim.b ^ 1),
        replace(claim, a=claim.b, b=claim.a),
    ]
    lies += [replace(claim, q=claim.r, r=claim.q)]
    lies += [replace(claim, q=add(claim.q, multiple(k, T8))) for k in range(1, 8) if k * claim.b % 8]
    lies += [replace(claim, r=add(claim.r, multiple(k, T8))) for k in range(1, 8)]
    x, y = claim.r
    lies += [
        replace(claim, r=r)
        for r in [(y, x), (-x % P, y), (x, -y % P), (x ^ 1, y), (x, y ^ 1), (0, 0), (x, 2**256 - 1)]
    ]
    assert 0 not in [half.status(lie.input) for lie in lies]


def test_a_wrong_sum_is_refused(fixed: Guest, rng: random.Random) -> None:
    a, b = rng.randrange(L), rng.randrange(L)
    x, y = add(multiple(a, G), multiple(b, SECOND))
    for r in [(-x % P, y), (x, -y % P), (y, x), (x ^ 1, y), (x, y ^ 1), (0, 1), (2**256 - 1, y)]:
        assert fixed.status(prover.little_endian(a, b, *r)) != 0


# --- each check has a lie that it alone refuses ---------------------------------------------------------


NOT_INVERTIBLE = ("half.h", halts("NOT_INVERTIBLE", "!zk_same(left, zk_one)"), "")
BAD_POINTS = "if (!is_point(q, q + 8) || !is_point(r, r + 8))"
BELOW = "    if (!zk_below(x, zk_prime) || !zk_below(y, zk_prime)) return 0;\n"
# The check that refuses a lie, and what is left of it.
CHECKS = {
    "even coefficient": NOT_INVERTIBLE,
    "nothing added": NOT_INVERTIBLE,
    "another b": ("half.h", halts("WRONG_Q", "!zk_same(left, right)"), ""),
    "another a": ("half.h", halts("WRONG_G", "!zk_same(left, right)"), ""),
    "another sum": ("half.h", halts("NOT_IDENTITY", "!is_identity()"), ""),
    "R not reduced": ("curve.h", BELOW, ""),
    "R off the curve": ("half.h", BAD_POINTS, "if (!is_point(q, q + 8))"),
    "Q off the curve": ("half.h", BAD_POINTS, "if (!is_point(r, r + 8))"),
    "doublings at the end": ("half.h", "if (position != 0) break;", ""),
    "a column of Q": ("half.h", "if (position >= COLUMNS * COLUMN_BITS) break;", ""),
    "a coefficient of 2^256": ("columns.h", halts("OUT_OF_RANGE", "carry != 0"), ""),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_refused_by_one_check_alone(half: Guest, rng: random.Random, name: str) -> None:
    lie, status = LIES[name]
    claim = lie(random_claim(rng))
    assert half.status(claim.input) == STATUS[status]
    assert half.without(CHECKS[name]).status(claim.input) == 0


# --- answers of the call that are not reduced ------------------------------------------------------------

ONCE = (
    "fixed.c",
    "    multiply();\n    zk_mark(1);\n    multiply();\n",
    "    multiply();\n    zk_mark(1);\n",
)
UNGUARDED = (
    ("field.h", halts("NOT_REDUCED", "(int32_t)a < 0"), "(void)a;"),
    ("field.h", halts("NOT_REDUCED", "(int32_t)b < 0"), "(void)b;"),
    ("field.h", halts("NOT_REDUCED", "rest > top"), ""),
)
# Calls of fixed.c that compare the result.
COMPARED = 4


def test_sums_that_wrap_around_are_refused(fixed: Guest, rng: random.Random) -> None:
    """A host that answers with p more makes a guest without guards take another point for the sum."""
    a, b = rng.randrange(L), rng.randrange(L)
    right = prover.little_endian(a, b, *add(multiple(a, G), multiple(b, SECOND)))
    guarded, unguarded = fixed.without(ONCE), fixed.without(ONCE, *UNGUARDED)
    cheating = ("--answers", "largest", "--calls", f"1-{guarded.run(right)['calls'] - COMPARED}")
    assert guarded.status(right, *cheating) == STATUS["NOT_REDUCED"]

    found = unguarded.run(right, *cheating, "--output", "sum:128")["outputs"]["sum"]
    e, f, g, h = numbers(bytes.fromhex(found))
    wrong = 2 * e * pow(g, -1, P) % P, 2 * h * pow(f, -1, P) % P
    lie = prover.little_endian(a, b, *wrong)
    assert unguarded.status(lie, *cheating) == 0
    assert guarded.status(lie, *cheating) == STATUS["NOT_REDUCED"]
    assert guarded.status(lie) == STATUS["WRONG_RESULT"]


@pytest.mark.parametrize("answers", ["random", "largest"])
def test_no_answers_prove_what_is_wrong(half: Guest, fixed: Guest, rng: random.Random, answers: str) -> None:
    claim = random_claim(rng)
    wrong = replace(claim, r=add(claim.r, T8))
    x, y = add(multiple(claim.a, G), multiple(claim.b, SECOND))
    for _ in range(12):
        first = rng.randrange(1, 2400)
        calls = f"{first}-{rng.choice([first, first + 5, 5000])}"
        options = ("--answers", answers, "--calls", calls, "--seed", f"{rng.randrange(2**32)}")
        assert half.status(wrong.input, *options) != 0
        assert fixed.status(prover.little_endian(claim.a, claim.b, -x % P, y), *options) != 0


SUMS = """
#include "field.h"
ZK_IO struct { uint32_t a[8], b[8], sum[8], difference[8], both[2][8]; } io;
int guest(void) {
    zk_add_sub(io.both[0], io.both[1], io.a, io.b);
    zk_add(io.sum, io.a, io.b);
    zk_sub(io.difference, io.a, io.b);
    return 0;
}
"""


def test_sums_of_all_words_are_right_or_refused(folder: Path, rng: random.Random) -> None:
    source = folder / "sums.c"
    source.write_text(SUMS)
    guests.compile_guest(source, folder / "sums.elf", f"-I{HERE / 'guest'}", stack=2048)
    guest = Guest(folder, "sums")
    for a, b in summands(rng):
        report = guest.run(prover.little_endian(a, b), "--output", "io+64:128")
        if (right := sums(a, b)) is None:
            assert report["status"] == STATUS["NOT_REDUCED"], (a, b)
        else:
            found = numbers(bytes.fromhex(next(iter(report["outputs"].values()))))
            assert (report["status"], found) == (0, right * 2), (a, b)


# --- signatures --------------------------------------------------------------------------------------------


def signed(
    secret: int, message: bytes, nonce: int, key: bytes | None = None, r: bytes | None = None
) -> tuple[bytes, bytes, bytes]:
    """A key, a message and a signature by numbers; the key and R may have other encodings."""
    key, r = key or prover.encoded(multiple(secret, G)), r or prover.encoded(multiple(nonce, G))
    return key, message, r + prover.little_endian((nonce + prover.hashed(r, key, message) * secret) % L)


def flipped(encoded: bytes) -> bytes:
    return encoded[:31] + bytes([encoded[31] ^ 0x80])


def published() -> list[tuple[bytes, bytes, bytes]]:
    """Keys, messages and signatures, a message of each length from 0 to 1023."""
    text = (files("cryptography_vectors") / "asymmetric/Ed25519/sign.input").read_text()
    fields = [[bytes.fromhex(part) for part in line.split(":")[:4]] for line in text.splitlines()]
    return [(key, message, both[:64]) for _, key, message, both in fields]


@pytest.mark.parametrize("length", [0, 1, 47, 48, 55, 63, 64, 175, 176, 1023])
def test_published_signatures_are_verified(signature: Guest, length: int) -> None:
    key, message, text = published()[length]
    assert signature.status(prover.signature_input(key, message, text)) == 0
    for place in (0, 31, 32, 63):
        wrong = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        assert signature.status(prover.signature_input(key, message, wrong)) != 0
    if message:
        assert signature.status(prover.signature_input(key, message[1:] + b"\0", text)) != 0


# The guest's room: beyond it memory is 0, as are bytes that a message leaves out here.
IO_BYTES = 64 + 32 + 3 * 32 + 512 + 4 + 1024


@dataclass(frozen=True)
class Signature:
    """The input of signature.c; the host may give another x of R or of the key than it decodes."""

    key: bytes
    message: bytes
    text: bytes
    x_of_r: int | None = None
    x_of_key: int | None = None

    @property
    def input(self) -> bytes:
        found = bytearray(prover.signature_input(self.key, self.message, self.text))
        for place, x in ((96, self.x_of_r), (128, self.x_of_key)):
            if x is not None:
                found[place : place + 32] = prover.little_endian(x)
        return bytes(found[:IO_BYTES])


def s_above_the_order(secret: int, nonce: int) -> Signature:
    key, message, text = signed(secret, b"", nonce)
    s = int.from_bytes(text[32:], "little")
    return Signature(key, message, text[:32] + prover.little_endian(s + L))


def r_of_the_other_sign(secret: int, nonce: int) -> Signature:
    """R is encoded with the sign of -R, and the host gives the x of R."""
    x, _ = multiple(nonce, G)
    r = flipped(prover.encoded(multiple(nonce, G)))
    return Signature(*signed(secret, b"", nonce, r=r), x_of_r=x)


def key_of_the_other_sign(secret: int, nonce: int) -> Signature:
    """The key is -A, and the host gives x + p for A, of the parity of -A."""
    x, _ = multiple(secret, G)
    key = flipped(prover.encoded(multiple(secret, G)))
    return Signature(*signed(secret, b"", nonce, key=key), x_of_key=x + P)


def message_beyond_its_end(secret: int, nonce: int) -> Signature:
    return Signature(*signed(secret, bytes(1030), nonce))


SIGNATURE_LIES = {
    "S": (s_above_the_order, "OUT_OF_RANGE", halts("OUT_OF_RANGE", "!zk_below(s, order)")),
    "R": (r_of_the_other_sign, "BAD_ENCODING", halts("BAD_ENCODING", "point[15] >> 31 != (x[0] & 1)")),
    "A": (key_of_the_other_sign, "BAD_POINT", halts("BAD_POINT", "!zk_below(key, zk_prime)")),
    "size": (message_beyond_its_end, "OUT_OF_RANGE", halts("OUT_OF_RANGE", "io.size > sizeof io.message")),
}


@pytest.mark.parametrize("name", SIGNATURE_LIES)
def test_a_signature_that_is_not_valid_is_refused_by_one_check_alone(
    signature: Guest, rng: random.Random, name: str
) -> None:
    lie, status, check = SIGNATURE_LIES[name]
    claim = lie(rng.randrange(L), rng.randrange(L))
    assert signature.status(claim.input) == STATUS[status]
    assert signature.without(("signature.c", check, "")).status(claim.input) == 0


def test_a_hash_that_is_not_reduced_is_refused(signature: Guest, rng: random.Random) -> None:
    """A key with a part of small order distinguishes h from what else the call may answer."""
    secret = rng.randrange(L)
    key, small = prover.encoded(add(multiple(secret, G), T8)), 0
    while True:
        nonce, message = rng.randrange(L), rng.randbytes(8)
        r = prover.encoded(add(multiple(nonce, G), multiple(small, T8)))
        h = prover.hashed(r, key, message) % L
        largest = h + (2**256 - 1 - h) // L * L
        if (largest - h) % 8 and (largest + small) % 8 == 0:
            break
    s = (nonce + h * secret) % L
    given = prover.signature_input(key, message, r + prover.little_endian(s), largest)
    assert signature.status(given) != 0
    # The fourth call is the last of the hash, after those of -A and of its halves.
    cheating = ("--answers", "largest", "--calls", "4")
    assert signature.status(given, *cheating) == STATUS["NOT_REDUCED"]
    unchecked = signature.without(("signature.c", halts("NOT_REDUCED", "!zk_below(h, order)"), ""))
    assert unchecked.status(given, *cheating) == 0


# --- the table ----------------------------------------------------------------------------------------------


def test_the_table_of_the_readme_is_what_is_measured_and_meets_its_goals(folder: Path) -> None:
    found = {row.name: cycles.measured(folder, row, 8) for row in cycles.ROWS}
    text = (HERE / "README.md").read_text().partition("<!-- table -->\n")[2].partition("<!-- end")[0]
    assert text.splitlines() == cycles.table_lines(cycles.ROWS, found)
    assert [row.name for row in cycles.ROWS if cycles.missed(row, found[row.name])] == []
