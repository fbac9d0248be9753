"""Inversion by division steps against Python's integers, in C and in Rust, both word sizes."""

import random
import subprocess
from pathlib import Path

import gmpy2
import pytest
from edits import once
from tools import SANITIZED, WARNINGS

from efdgen.generator.fields.division_steps import DivisionSteps, sufficient_steps
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c import bundle as c
from efdgen.generator.render.rust import bundle as rust

SHAPES = {
    "3": 3,
    "251": 251,
    "2^61-1": 2**61 - 1,
    "2^127-1": 2**127 - 1,
    "2^255-19": 2**255 - 19,
    "5*2^248-1": 5 * 2**248 - 1,
    "P-521": 2**521 - 1,
    "2^640-305": 2**640 - 305,
}


def values(p: int, rng: random.Random) -> list[int]:
    """All values of a small field; else those whose words are extreme, whose inverses are, and some."""
    if p < 1 << 10:
        return list(range(p))
    edges = {0, 1, 2, p - 1, p - 2, (p - 1) // 2, (p + 1) // 2}
    edges |= {sign * (1 << bit) % p for bit in range(0, p.bit_length(), 31) for sign in (1, -1)}
    edges |= {((1 << bit) - 1) % p for bit in range(0, p.bit_length(), 31)}
    edges |= {pow(value, -1, p) for value in edges if value}
    return sorted(edges | {rng.randrange(p) for _ in range(50)})


def differences(driver: Path, p: int, inputs: list[int]) -> list[str]:
    """Return the inputs of which the driver gives another inverse than Python does."""
    size = (p.bit_length() + 7) // 8
    requests = "".join(f"field.inv - {value.to_bytes(size, 'big').hex()}\n" for value in inputs)
    run = subprocess.run([driver], input=requests, capture_output=True, text=True, check=True)
    answers = [int(line, 16) for line in run.stdout.splitlines()]
    expected = [pow(value, -1, p) if value else 0 for value in inputs]
    return [f"{v:x}: {a:x}" for v, a, e in zip(inputs, answers, expected, strict=True) if a != e]


def c_driver(compiler: str, folder: Path, p: int, word: int, *flags: str, edit=lambda text: text) -> Path:
    for name, text in c.render(
        Bundle("toy", PrimeField(p), (), Origin(("efdgen", "compile"))), c.Options()
    ).items():
        (folder / name).write_text(edit(text) if name == "toy.h" else text)
    options = ["-std=c99", "-O1", f"-DTOY_WORD_BITS={word}", *WARNINGS, *flags]
    command = [compiler, *options, "driver.c", "-o", "driver"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "driver"


@pytest.mark.drawn(5)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("p", SHAPES.values(), ids=SHAPES.keys())
def test_c_inverts(cc, p, word, rng, tmp_path):
    assert differences(c_driver(cc, tmp_path, p, word), p, values(p, rng)) == []


def test_c_inverts_without_128_bit_integers(cc, rng, tmp_path):
    def without(text: str) -> str:
        assert text.count("#ifdef __SIZEOF_INT128__\n__extension__ typedef __int128") == 1
        return text.replace("#ifdef __SIZEOF_INT128__\n__extension__ typedef __int128", "#if 0\ntypedef int")

    p = 2**255 - 19
    assert differences(c_driver(cc, tmp_path, p, 64, edit=without), p, values(p, rng)) == []


@pytest.mark.parametrize("word", [64, 32])
def test_inverting_does_nothing_undefined(cc, word, rng, tmp_path):
    p = 2**448 - 2**224 - 1
    driver = c_driver(cc, tmp_path, p, word, *SANITIZED)
    assert differences(driver, p, values(p, rng)) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("batches = TOY_WORD_BITS == 64 ? 10", "batches = TOY_WORD_BITS == 64 ? 8"),
        ("(g + one) + (addend & odd)", "g + (addend & odd)"),
        ("multiple = (u & below) + ", "multiple = "),
        ("f[now][last] >> (TOY_WORD_BITS - 1)", "0"),
    ],
)
def test_a_defect_is_seen(cc, right, wrong, same_rng, tmp_path):
    p = 2**256 - 2**32 - 977
    assert (
        differences(
            c_driver(cc, tmp_path, p, 64, "-Wno-error", edit=once(right, wrong)), p, values(p, same_rng)
        )
        != []
    )


@pytest.mark.drawn(1)
@pytest.mark.parametrize("features", [(), ("--features", "word32")], ids=["64", "32"])
def test_rust_inverts(cargo, features, rng, tmp_path):
    for p in (251, 2**255 - 19, 5 * 2**248 - 1, 2**521 - 1):
        for name, text in rust.render(
            Bundle("toy", PrimeField(p), (), Origin(("efdgen", "compile"))), rust.Options()
        ).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        build = [cargo, "build", "--quiet", "--offline", "--example", "driver", *features]
        subprocess.run(build, cwd=tmp_path, check=True)
        assert differences(tmp_path / "target/debug/examples/driver", p, values(p, rng)) == [], hex(p)


def divide(f: int, g: int, steps: int) -> tuple[int, int]:
    """The definition: division steps from delta = 1/2 on; ``twice`` is twice delta."""
    twice = 1
    for _ in range(steps):
        if twice > 0 and g % 2:
            twice, f, g = 2 - twice, g, (g - f) // 2
        else:
            twice, g = 2 + twice, (g + g % 2 * f) // 2
    return f, g


def test_the_steps_suffice_for_all_numbers_below_small_moduli_and_no_fewer_do_everywhere():
    tight = set()
    for modulus in range(3, 512, 2):
        bits = modulus.bit_length()
        steps = sufficient_steps(bits)
        for g in range(modulus):
            f, rest = divide(modulus, g, steps)
            assert (abs(f), rest) == (gmpy2.gcd(modulus, g), 0), (modulus, g)
            if divide(modulus, g, steps - 2)[1]:
                tight.add(bits)
    assert tight


@pytest.mark.parametrize("word", [64, 32])
def test_an_arrangement_holds_its_modulus(word):
    for bits in range(2, 641):
        modulus = gmpy2.next_prime((1 << bits - 1) | 1) if bits > 2 else gmpy2.mpz(3)
        steps = DivisionSteps(int(modulus), word)
        limbs = steps.balanced_modulus()
        assert sum(limb << steps.limb_bits * index for index, limb in enumerate(limbs)) == modulus
        assert sum(limb << steps.limb_bits * index for index, limb in enumerate(steps.split(-5))) == -5
        assert max(map(abs, limbs)) <= 1 << steps.limb_bits - 1
        assert 2 * modulus < 1 << steps.limb_bits * steps.limbs - 1
        assert steps.batches * steps.steps >= sufficient_steps(int(modulus).bit_length())
        assert sum(steps.pieces) == steps.steps <= steps.limb_bits
        assert max(steps.pieces) <= steps.longest_piece
