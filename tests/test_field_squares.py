"""Tests for squares in C and in Rust against Python's integers, and the count of signs that they rest on."""

import random
import subprocess
from pathlib import Path

import gmpy2
import pytest
from edits import once
from tools import SANITIZED

from efdgen.generator.fields.division_steps import DivisionSteps, sufficient_steps
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.fields.squares import LOOKAHEAD
from efdgen.generator.output import write_files
from efdgen.generator.render.field.bundle import render_field

PRIMES = {
    "3": 3,
    "17": 17,
    "1009": 1009,
    "2^61-1": 2**61 - 1,
    "secp256k1": 2**256 - 2**32 - 977,
    "27*2^500-1": 27 * 2**500 - 1,
    "2^640-305": 2**640 - 305,
}


def differences(command: list[str | Path], p: int, rng: random.Random) -> list[str]:
    values = (
        list(range(p)) if p < 1 << 11 else [0, 1, 2, 3, p - 1, p - 2, *(rng.randrange(p) for _ in range(60))]
    )
    calls = [(name, value) for value in values for name in ("is_square", "is_square_var")]
    size = 2 * ((p.bit_length() + 7) // 8)
    text = "".join(f"{name} {value:0{size}x}\n" for name, value in calls)
    run = subprocess.run([*command, "run"], input=text, capture_output=True, text=True, check=True)
    answers = zip(calls, run.stdout.split(), strict=True)
    return [f"{name} {v:x}: {a}" for (name, v), a in answers if int(a) != (gmpy2.legendre(v, p) >= 0)]


def c_program(
    compiler: str, folder: Path, p: int, word: int, *flags: str, edit=lambda text: text
) -> list[str | Path]:
    request = FieldRequest("c", hex(p), operations=("is_square", "is_square_var"))
    write_files(folder, render_field(request))
    (folder / "fp.h").write_text(edit((folder / "fp.h").read_text()))
    options = [
        "-std=c99",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wsign-conversion",
        "-Wshadow",
        "-Werror",
    ]
    command = [compiler, *options, f"-DFP_WORD_BITS={word}", *flags]
    subprocess.run([*command, "test_fp.c", "-o", "test_fp"], cwd=folder, check=True)
    return [folder / "test_fp"]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("p", PRIMES.values(), ids=PRIMES.keys())
def test_squares_are_told_in_c(cc, p, word, rng, tmp_path):
    assert differences(c_program(cc, tmp_path, p, word), p, rng) == []


@pytest.mark.parametrize("word", [64, 32])
def test_telling_squares_does_nothing_undefined(cc, word, rng, tmp_path):
    p = 2**255 - 19
    assert differences(c_program(cc, tmp_path, p, word, *SANITIZED), p, rng) == []


@pytest.mark.parametrize("features", [(), ("--features", "word32")], ids=["64", "32"])
def test_squares_are_told_in_rust(cargo, features, rng, tmp_path):
    for p in (1009, 2**255 - 19):
        request = FieldRequest("rust", hex(p), operations=("is_square", "is_square_var"))
        write_files(tmp_path, render_field(request))
        build = [cargo, "build", "--quiet", "--offline", "--example", "test_fp", *features]
        subprocess.run(build, cwd=tmp_path, check=True)
        assert differences([tmp_path / "target/debug/examples/test_fp"], p, rng) == [], hex(p)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("bits ^= swap & g & ~f;", "bits ^= swap & g;"),
        ("*symbol ^= bits ^ twos ^ (twos >> 1);", "*symbol ^= bits ^ twos;"),
        ("turns += change >> sign;", "turns ^= change >> sign;"),
        ("changes += before ^ after ^ ", "changes += after ^ "),
        (">> sign) ^ after;", ">> sign);"),
        ("(changes + 1)", "changes"),
    ],
)
def test_a_defect_is_seen(cc, right, wrong, same_rng, tmp_path):
    p = 2**256 - 2**32 - 977
    assert (
        differences(c_program(cc, tmp_path, p, 64, "-Wno-error", edit=once(right, wrong)), p, same_rng) != []
    )


def symbol(modulus: int, value: int, pieces: tuple[int, ...], batches: int) -> int:
    """Jacobi's symbol by exact division steps, signs counted along a vector of every piece alone."""
    f, g, twice, bits, turns = modulus, value, 1, 0, 0
    for _ in range(batches):
        first, before, matrix = f, False, (1, 0, 0, 1)
        for count in pieces:
            u, v, q, r = 1, 0, 0, 1
            for _ in range(count):
                old = (v or u) < 0
                if twice > 0 and g % 2:
                    bits ^= (g >> 1) & ~(f >> 1)
                    twice, f, g = 2 - twice, g, (g - f) // 2
                    u, v, q, r = 2 * q, 2 * r, q - u, r - v
                else:
                    odd = g % 2
                    twice, g = 2 + twice, (g + odd * f) // 2
                    u, v, q, r = 2 * u, 2 * v, q + odd * u, r + odd * v
                bits ^= (f >> 1) ^ (f >> 2)
                turns += old != ((v or u) < 0)
            a, b, c, d = matrix
            matrix = u * a + v * c, u * b + v * d, q * a + r * c, q * b + r * d
            after = matrix[1] < 0
            turns += before ^ after ^ (v < 0)
            before = after
        turns += (first < 0) ^ (f < 0) ^ before
    assert g == 0
    return 0 if abs(f) != 1 else -1 if (bits ^ (turns + 1) >> 1) & 1 else 1


@pytest.mark.parametrize("pieces", [(1, 1, 2), (3, 3, 3), (4, 5, 5)])
def test_signs_are_counted_rightly_for_every_small_modulus(pieces):
    for modulus in range(3, 160, 2):
        batches = -(-sufficient_steps(modulus.bit_length()) // sum(pieces))
        for value in range(modulus):
            assert symbol(modulus, value, pieces, batches) == gmpy2.jacobi(value, modulus), (modulus, value)


@pytest.mark.parametrize("word", [64, 32])
def test_a_word_has_room_for_what_steps_look_at(word):
    steps = DivisionSteps(2**256 - 189, word, lookahead=LOOKAHEAD)
    longest = steps.longest_piece
    assert 3 * longest + 5 <= word - 2  # the place of g's own coefficient, before it is halved
    assert 3 * longest + 8 > word - 2
