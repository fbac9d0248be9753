"""The guest recover.c of examples/zkvm: right keys, refusals of ecrecover, lies of the host, mutants.

Every lie is refused, by the check that is named beside it; a guest without that check accepts it.
"""

from __future__ import annotations

import random
from dataclasses import replace

import guests
import prover
import pytest
import recovery
from claims import STATUS, numbers
from edited import Guest, halts
from guests import HERE
from running import build_counter
from signatures import (
    FORMULAS,
    LIES,
    Claim,
    G,
    N,
    P,
    another,
    equal_points,
    expected,
    honest,
    point,
    signed,
    with_x,
    wrong_table,
)

NUMBERS = (1, 2, 3, 5, N - 1, N - 2, (N + 1) // 2, recovery.LAMBDA, 2**64, 2**128)
HASHES = (0, 1, N - 1, N, N + 1, 2**256 - 1)


@pytest.fixture(scope="module")
def guest(cc: str, riscv_gcc: str, tmp_path_factory: pytest.TempPathFactory) -> Guest:
    made = tmp_path_factory.mktemp("recover")
    build_counter(made, cc)
    guests.build_recovery(made / "secp256k1")
    return Guest(made, "secp256k1/recover")


@pytest.fixture
def claim(rng: random.Random) -> Claim:
    return honest(signed(rng.getrandbits(256), rng.randrange(1, N), rng.randrange(1, N)))


def test_keys_and_nonces_at_the_edges(guest: Guest, rng: random.Random) -> None:
    cases = [(rng.choice(HASHES), key, rng.choice(NUMBERS)) for key in NUMBERS]
    cases += [(z, rng.choice(NUMBERS), rng.choice(NUMBERS)) for z in HASHES]
    cases += [(z, key, key) for z, key in ((0, 1), (0, 2), (1, 1), (N - 1, 5))]
    for z, key, nonce in cases:
        signature = signed(z, key, nonce)
        if signature.s:
            found = honest(signature)
            assert found.q == point(key)
            assert guest.status(found.input, "--strict") == 0, (z, key, nonce)


def test_every_v(guest: Guest, rng: random.Random) -> None:
    """Keys are recovered from an r that is an x less n too."""
    r = next(r for r in range(rng.randrange(2**64), P - N) if with_x(r, 0) and with_x(r + N, 0))
    for v in range(4):
        signature = recovery.Signature(rng.getrandbits(256), r, rng.randrange(1, N), v)
        found = honest(signature)
        assert found.q == expected(signature)
        assert guest.status(found.input) == 0


def keccak_256(text: bytes) -> bytes:
    """Keccak-256 of up to 135 bytes, by the specification's permutation."""
    block = text + b"\x01" + bytes(134 - len(text)) + b"\x80"
    words = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 136, 8)] + [0] * 8
    state = [[words[x + 5 * y] for y in range(5)] for x in range(5)]
    constant = 1
    for _ in range(24):
        parity = [a ^ b ^ c ^ d ^ e for a, b, c, d, e in state]
        columns = [parity[x - 1] ^ rotated(parity[(x + 1) % 5], 1) for x in range(5)]
        state = [[word ^ column for word in lane] for lane, column in zip(state, columns, strict=True)]
        x, y, moved = 1, 0, state[1][0]
        for step in range(1, 25):
            x, y = y, (2 * x + 3 * y) % 5
            moved, state[x][y] = state[x][y], rotated(moved, step * (step + 1) // 2)
        state = [
            [state[x][y] ^ (~state[(x + 1) % 5][y] & state[(x + 2) % 5][y]) for y in range(5)]
            for x in range(5)
        ]
        for bit in range(7):
            state[0][0] ^= (constant & 1) << (1 << bit) - 1
            constant = constant << 1 ^ (0x171 if constant >> 7 else 0)
    return b"".join(state[x][0].to_bytes(8, "little") for x in range(4))


def rotated(word: int, n: int) -> int:
    return (word << n % 64 | word >> 64 - n % 64) & 2**64 - 1


def test_a_published_signature(guest: Guest) -> None:
    """The tests of go-ethereum's precompiled contracts hold: an address is the end of a key's Keccak-256."""
    found = honest(
        recovery.Signature(
            0x18C547E4F7B0F325AD1E56F57E26C745B09A3E503D86E00E5255FF7F715D3D1C,
            0x73B1693892219D736CABA55BDB67216E485557EA6B6AF75F37096C9AA6A5A75F,
            0xEEB940B1D03B21E36B0E47E79769F095FE2AB855BD91E3A38756B7D75A9C4549,
            0x1C - 27,
        )
    )
    key = b"".join(number.to_bytes(32, "big") for number in found.q)
    assert keccak_256(b"").hex().startswith("c5d2460186f7233c")
    assert keccak_256(key)[12:].hex() == "a94f5374fce5edbc8e2a8697c15331677e6ebf0b"
    assert guest.status(found.input) == 0


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"r": 0}, "OUT_OF_RANGE"),
        ({"r": N}, "OUT_OF_RANGE"),
        ({"r": 2**256 - 1}, "OUT_OF_RANGE"),
        ({"s": 0}, "OUT_OF_RANGE"),
        ({"s": N}, "OUT_OF_RANGE"),
        ({"s": 2**256 - 1}, "OUT_OF_RANGE"),
        ({"v": 4}, "OUT_OF_RANGE"),
        ({"v": 27}, "OUT_OF_RANGE"),
        ({"v": 2}, "BAD_POINT"),
        ({"r": next(x for x in range(1, 99) if not with_x(x, 0))}, "BAD_POINT"),
        ({"r": P - N, "v": 2}, "BAD_POINT"),
    ],
)
def test_what_is_no_signature_is_refused(
    guest: Guest, claim: Claim, changed: dict[str, int], status: str
) -> None:
    assert guest.status(another(claim, **changed).input) == STATUS[status]


def test_the_identity_is_not_a_key(guest: Guest, claim: Claim, rng: random.Random) -> None:
    nonce, s = rng.randrange(1, N), rng.randrange(1, N)
    x, y = point(nonce)
    signature = recovery.Signature(s * nonce % N, x, s, y % 2)
    assert expected(signature) is None
    with pytest.raises(ValueError, match="identity"):
        recovery.recover(signature)
    for q in (G, (0, 0), (0, 1), (x, y)):
        assert guest.status(replace(claim, signature=signature, q=q).input) != 0


def test_changed_hints_are_refused(guest: Guest, claim: Claim, rng: random.Random) -> None:
    hints = claim.hints
    for place in rng.sample(range(len(hints.points)), 40):
        for changed in (hints.points[place] ^ 1 << rng.randrange(256), rng.choice(hints.points), 0):
            points = [*hints.points]
            if points[place] != changed:
                points[place] = changed
                lie = replace(claim, hints=replace(hints, points=tuple(points)))
                assert guest.status(lie.input) == STATUS["WRONG_HINT"], (place, changed)
    wrong = another(claim, z=claim.signature.z ^ 1)
    for place in range(len(hints.schedule)):
        text = bytearray(hints.schedule)
        text[place] ^= 1 << rng.randrange(8)
        lie = replace(wrong, hints=replace(hints, schedule=bytes(text)))
        assert guest.status(lie.input) != 0, place
    for inverse in (0, 1, hints.inverse ^ 2, rng.getrandbits(256)):
        lie = replace(claim, hints=replace(hints, inverse=inverse))
        assert guest.status(lie.input) == STATUS["NOT_INVERTIBLE"]


@pytest.mark.parametrize("text", [b"", bytes(256), bytes([79, 0] * 128), b"\xff" * 256])
def test_a_schedule_of_nonsense_is_refused(guest: Guest, claim: Claim, text: bytes) -> None:
    assert guest.status(replace(claim, hints=replace(claim.hints, schedule=text)).input) != 0


# --- each check has a lie that it alone refuses ---------------------------------------------------------

RANGES = "!in_range(io.r) || !in_range(io.s)"
BELOW = "    if (!zk_below(point->x, zk_prime) || !zk_below(point->y, zk_prime)) return 0;\n"
DIFFERENT = "!same(left, right)"
# The check that refuses a lie, and its remainder in a mutant.
CHECKS = {
    "another key": (halts("NOT_IDENTITY", "!same(sum.x, point.x) || !same(sum.y, changed.y)"), ""),
    "nothing of Q": (halts("NOT_INVERTIBLE", "!same(left, zk_one)"), ""),
    "another s": (halts("WRONG_R", DIFFERENT), ""),
    "another z": (halts("WRONG_G", DIFFERENT), ""),
    "equal points": (" || same(x, sum.x)", ""),
    "v of 4 more": ("io.v > 3 || ", ""),
    "another v": (halts("BAD_ENCODING", "(io.v & 1) != (io.y_of_r[0] & 1)"), ""),
    "r above the order": (RANGES, "!in_range(io.s)"),
    "s above the order": (RANGES, "!in_range(io.r)"),
    "s of 0": (" && (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7])", ""),
    "x above the prime": (BELOW, ""),
    "x beyond the words": ("carry || !is_point(point)", "!is_point(point)"),
    "Q not reduced": (BELOW, ""),
    "R off the curve": ("carry || !is_point(point)", "carry"),
    "Q off the curve": (halts("BAD_POINT", "!is_point(&io.q)"), ""),
    "a rising position": ("if (following > position) break;", ""),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_refused_by_one_check_alone(guest: Guest, claim: Claim, name: str) -> None:
    lie, status = LIES[name]
    told = lie(claim)
    assert guest.status(told.input) == STATUS[status]
    assert guest.without(("recover.c", *CHECKS[name])).status(told.input) == 0


@pytest.mark.parametrize("check", FORMULAS)
def test_a_wrong_hint_is_refused_by_one_equation_alone(guest: Guest, claim: Claim, check: str) -> None:
    told = wrong_table(claim, FORMULAS[check])
    assert told.q != claim.q
    assert guest.status(told.input) == STATUS["WRONG_HINT"]
    header = (guest.folder / "secp256k1/zk.h").read_text()
    (line,) = [line for line in header.splitlines() if "zk_require_equal" in line and check in line]
    assert guest.without(("zk.h", line, "")).status(told.input) == 0


def test_equal_points_are_refused_if_their_words_differ(guest: Guest) -> None:
    """The call answers with p + 1 for the x of the sum R, to which R is added."""
    r = with_x(1, 0)
    assert r
    told = equal_points(r).input
    unchecked = guest.without(("recover.c", " || !zk_below(sum.x, zk_prime)", ""))
    cheating = [("--answers", "largest", "--calls", f"{call}") for call in range(60, 140)]
    accepted = [options for options in cheating if unchecked.status(told, *options) == 0]
    assert accepted
    assert {guest.status(told, *options) for options in accepted} == {STATUS["EQUAL_POINTS"]}


# --- answers of the call that are not reduced ------------------------------------------------------------


@pytest.mark.parametrize("answers", ["random", "largest"])
def test_no_answers_prove_what_is_wrong(guest: Guest, claim: Claim, rng: random.Random, answers: str) -> None:
    wrong = [lie(claim).input for lie in (LIES["another key"][0], LIES["another s"][0])]
    for _ in range(12):
        first = rng.randrange(1, 1400)
        options = ("--answers", answers, "--calls", f"{first}-{rng.choice([first, 9999])}")
        for given in wrong:
            assert guest.status(given, *options, "--seed", f"{rng.randrange(2**32)}") != 0


SUMS = """
#include "secp256k1.h"
static const zk_fe word ZK_NEAR_CONST = {5292};
ZK_IO struct { uint32_t a[8], b[8], sum[8], difference[8], word_sum[8], word_difference[8]; } io;
int guest(void) {
    zk_add(io.word_sum, io.a, word);
    zk_mark(1);
    zk_sub(io.word_difference, io.a, word);
    zk_mark(2);
    zk_add(io.sum, io.a, io.b);
    zk_mark(3);
    zk_sub(io.difference, io.a, io.b);
    return 0;
}
"""
WORD_EDGES = (0, 1, 976, 977, 5291, 5292, 2**32 - 5293, 2**32 - 1, 2**32, 2**32 + 976, 2**64 - 1, 2**64)


def test_sums_of_all_words_are_right_or_refused(guest: Guest, rng: random.Random) -> None:
    source = guest.folder / "sums.c"
    source.write_text(SUMS)
    guests.compile_guest(source, guest.folder / "sums.elf", f"-I{HERE / 'guest'}")
    sums = Guest(guest.folder, "sums")
    edges = [*WORD_EDGES, *(P - n for n in WORD_EDGES if n), *(2**256 - 1 - n for n in WORD_EDGES)]
    pairs = [(a, rng.choice(edges)) for a in edges * 4]
    pairs += [(rng.getrandbits(256), rng.getrandbits(256)) for _ in range(20)]
    for a, b in pairs:
        report = sums.run(prover.little_endian(a, b), "--output", "io+64:128")
        found = numbers(bytes.fromhex(next(iter(report["outputs"].values()))))
        whole = [(2, a + 5292), (3, a - 5292), (0, a + b), (1, a - b)]
        for place, exact in whole:
            once = exact - (2**256 - (2**32 + 977)) * (exact >= 2**256) + P * (exact < 0)
            if not 0 <= once < 2**256:
                assert report["status"] == STATUS["NOT_REDUCED"], (a, b)
                assert max(a, b) >= P
                break
            assert found[place] == once, (a, b, place)
        else:
            assert report["status"] == 0
